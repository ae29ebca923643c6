// ArrayView: the rows of an array or tensor in the CPU's memory.
//
// WHY    nanobind's own conversion reports an unsuitable array only as incompatible arguments; here the exception says
//        what is wrong with it.
// HOW    numpy arrays are read through the buffer protocol, in 0.1 us. torch tensors do not support it; they are read
//        through DLPack's exchange functions for C, in 0.1 us, or, if torch lacks them or they fail, through the
//        tensor's attributes, in 0.5 us. All other objects are read through DLPack in Python, in 2 us.
#ifndef WEIR_PYTHON_SRC_ARRAY_VIEW_H_
#define WEIR_PYTHON_SRC_ARRAY_VIEW_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::python {

enum class ElementType : std::uint8_t { kInt32, kFloat32, kFloat16, kBFloat16, kOther };

class ArrayView {
 public:
  /// Makes a view of `object`. `name` is the name of the argument, for messages.
  /// Raises TypeError if it is not an array or not in the CPU's memory; ValueError if it is read-only and `is_written`
  /// is true, if it is not contiguous, or if it does not have one or two dimensions.
  ArrayView(nanobind::handle object, const char* name, bool is_written);
  ArrayView(const ArrayView&) = delete;
  ArrayView& operator=(const ArrayView&) = delete;

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const std::string& type_name() const { return type_name_; }
  /// Returns the number of rows; 1 for an array of one dimension.
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  /// Returns the address of a row. Precondition: row < rows().
  [[nodiscard]] void* row(std::size_t row) const { return data_ + row * columns_ * item_size_; }
  [[nodiscard]] std::uint32_t* words(std::size_t at) const { return static_cast<std::uint32_t*>(row(at)); }

 private:
  void read_buffer(nanobind::handle object, const char* name, bool is_written);
  bool read_exchange(nanobind::handle tensor);  // returns false if the tensor must be read in another way
  void read_torch(nanobind::handle tensor, const char* name);
  void read_tensor(nanobind::handle object, const char* name);

  // The buffer of an array; `view.obj` is null for a tensor.
  struct Buffer {
    Py_buffer view = {};
    ~Buffer();
  };

  Buffer buffer_;
  nanobind::ndarray<> tensor_;
  unsigned char* data_ = nullptr;
  std::size_t rows_ = 1;
  std::size_t columns_ = 0;
  std::size_t item_size_ = 0;
  ElementType type_ = ElementType::kOther;
  std::string type_name_;  // of ElementType::kOther
};

/// Raises TypeError unless the elements are int32, as the words of a bitmask must be.
void check_bitmask_type(const ArrayView& bitmask);

/// Raises ValueError unless each row has bitmask_words(vocab_size) words.
void check_bitmask_words(const ArrayView& bitmask, std::uint32_t vocab_size);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_ARRAY_VIEW_H_
