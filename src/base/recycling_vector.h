// RecyclingVector: a vector of elements that own buffers, which clear() keeps for the elements that are added later.
#ifndef WEIR_SRC_BASE_RECYCLING_VECTOR_H_
#define WEIR_SRC_BASE_RECYCLING_VECTOR_H_

#include <cstddef>
#include <span>
#include <vector>

namespace weir::base {

/// `T` has a default value, and a function recycle() that makes any value equal to it without freeing buffers.
template <typename T>
class RecyclingVector {
 public:
  /// Appends a default value. May invalidate references to elements.
  T& append() {
    if (size_ == elements_.size()) {
      elements_.emplace_back();
    } else {
      elements_[size_].recycle();
    }
    return elements_[size_++];
  }
  void clear() { size_ = 0; }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return elements_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }
  [[nodiscard]] std::span<T> all() { return std::span(elements_).first(size_); }

 private:
  std::vector<T> elements_;
  std::size_t size_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_RECYCLING_VECTOR_H_
