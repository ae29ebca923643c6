// SegmentedArray: an array that grows under a writer's lock while readers index it without one.
//
// HOW    Segment k holds kFirst << k elements and never moves, so an element's address is stable from its making on.
// THREADS One writer at a time (append). operator[] is safe at any time for an index whose making the reader has learnt
//        of through an acquiring read (an id loaded from an atomic that the writer stored with release).
#ifndef WEIR_SRC_BASE_SEGMENTED_ARRAY_H_
#define WEIR_SRC_BASE_SEGMENTED_ARRAY_H_

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
    for (std::atomic<T*>& segment : segments_) delete[] segment.load(std::memory_order_relaxed);
  }

  /// Appends a value-initialised element; returns its index.
  std::uint32_t append() {
    const std::uint32_t index = size_;
    const unsigned segment = segment_of(index);
    if (segments_[segment].load(std::memory_order_relaxed) == nullptr) {
      segments_[segment].store(new T[std::size_t{kFirst} << segment](), std::memory_order_release);
      allocated_ += std::size_t{kFirst} << segment;
    }
    ++size_;
    return index;
  }

  [[nodiscard]] T& operator[](std::uint32_t index) const {
    const unsigned segment = segment_of(index);
    return segments_[segment].load(std::memory_order_acquire)[index + kFirst - (kFirst << segment)];
  }
  /// For the writer.
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
