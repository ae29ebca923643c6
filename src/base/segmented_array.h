// SegmentedArray: a growing array that readers index without a lock; callers serialise writers.
//
// HOW    Segment k holds kFirst << k elements and never moves, so the address of an element never changes. An element is made
//        when it is appended: a new segment is as large as all before it, and its memory is not touched at once.
// THREADS One writer at a time (append). operator[] may be called at any time for an index that the reader obtained
//        through an acquire load, such as an id from an atomic that the writer stored with release.
#ifndef WEIR_SRC_BASE_SEGMENTED_ARRAY_H_
#define WEIR_SRC_BASE_SEGMENTED_ARRAY_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace weir::base {

template <typename T>
class SegmentedArray {
 public:
  SegmentedArray() = default;
  SegmentedArray(const SegmentedArray&) = delete;
  SegmentedArray& operator=(const SegmentedArray&) = delete;
  ~SegmentedArray() {
    for (unsigned k = 0; k < segments_.size(); ++k) {
      T* const segment = segments_[k].load(std::memory_order_relaxed);
      if (segment == nullptr) continue;
      const std::size_t before = (std::size_t{kFirst} << k) - kFirst;
      std::destroy_n(segment, std::min(size_ - before, std::size_t{kFirst} << k));
      std::allocator<T>().deallocate(segment, std::size_t{kFirst} << k);
    }
  }

  /// Appends a value-initialised element and returns its index. Writer only.
  std::uint32_t append() {
    const std::uint32_t index = size_;
    const unsigned segment = segment_of(index);
    if (segments_[segment].load(std::memory_order_relaxed) == nullptr) {
      segments_[segment].store(std::allocator<T>().allocate(std::size_t{kFirst} << segment), std::memory_order_release);
      allocated_ += std::size_t{kFirst} << segment;
    }
    std::construct_at(&(*this)[index]);
    ++size_;
    return index;
  }

  [[nodiscard]] T& operator[](std::uint32_t index) const {
    const unsigned segment = segment_of(index);
    return segments_[segment].load(std::memory_order_acquire)[index + kFirst - (kFirst << segment)];
  }
  /// Returns the number of elements. Writer only.
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const { return allocated_ * sizeof(T); }

 private:
  static constexpr std::uint32_t kFirst = 64;
  static unsigned segment_of(std::uint32_t index) {
    return static_cast<unsigned>(std::bit_width((index + kFirst) / kFirst)) - 1;
  }
  std::array<std::atomic<T*>, 26> segments_{};
  std::uint32_t size_ = 0;
  std::size_t allocated_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_SEGMENTED_ARRAY_H_
