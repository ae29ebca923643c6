// ArrayView: an array or tensor in the CPU's memory, as its rows.
//
// WHY    nanobind's own conversion says of an unfit array only that the arguments do not fit; here the exception says
//        what is wrong with it.
// COST   numpy arrays come through the buffer protocol, a tenth of a microsecond. Tensors have none: torch describes
//        its own by DLPack's functions for C, a tenth, too; where it lacks them, and for what those do not describe,
//        tensors are asked for their attributes, half a microsecond, for DLPack in Python takes two. Others come
//        through that.
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
  /// `name` is the argument's, for messages.
  /// Raises TypeError: no array, or not in the CPU's memory. ValueError: read-only where `is_written`, not contiguous,
  ///        not of one or two dimensions.
  ArrayView(nanobind::handle object, const char* name, bool is_written);
  ArrayView(const ArrayView&) = delete;
  ArrayView& operator=(const ArrayView&) = delete;

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const std::string& type_name() const { return type_name_; }
  /// 1 for an array of one dimension.
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  /// The beginning of a row. Precondition: row < rows().
  [[nodiscard]] void* row(std::size_t row) const { return data_ + row * columns_ * item_size_; }
  [[nodiscard]] std::uint32_t* words(std::size_t at) const { return static_cast<std::uint32_t*>(row(at)); }

 private:
  void read_buffer(nanobind::handle object, const char* name, bool is_written);
  bool read_exchange(nanobind::handle tensor);  // false where it is not to be read so, whether or not it can be used
  void read_torch(nanobind::handle tensor, const char* name);
  void read_tensor(nanobind::handle object, const char* name);

  // Of an array; `view.obj` is null for a tensor.
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
  std::string type_name_;  // of other types
};

/// Raises TypeError unless the view's elements are int32: a bitmask's words.
void check_bitmask_type(const ArrayView& bitmask);

/// Raises ValueError unless the rows have the words that the vocabulary needs.
void check_bitmask_words(const ArrayView& bitmask, std::uint32_t vocab_size);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_ARRAY_VIEW_H_
