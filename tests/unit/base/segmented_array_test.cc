#include "base/segmented_array.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace weir::base {
namespace {

TEST(SegmentedArray, ElementsStartAsZeroAndNeverMove) {
  SegmentedArray<std::uint32_t> array;
  EXPECT_EQ(array.size(), 0U);
  EXPECT_EQ(array.memory_bytes(), 0U);
  std::vector<std::uint32_t*> addresses;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(array.append(), i);
    ASSERT_EQ(array[i], 0U) << i;
    array[i] = i * 3;
    addresses.push_back(&array[i]);
  }
  EXPECT_EQ(array.size(), 10'000U);
  for (std::uint32_t i = 0; i < array.size(); ++i) {
    ASSERT_EQ(&array[i], addresses[i]);
    ASSERT_EQ(array[i], i * 3);
  }
  EXPECT_GE(array.memory_bytes(), 10'000 * sizeof(std::uint32_t));
  EXPECT_LE(array.memory_bytes(), 2 * 10'064 * sizeof(std::uint32_t)) << "segments double";
}

TEST(SegmentedArray, SegmentsMeetWithoutGapOrOverlap) {
  // Segment k begins at 64 * (2^k - 1): the elements on both sides of each such index are neighbours of their own.
  SegmentedArray<std::uint64_t> array;
  for (std::uint32_t i = 0; i < 64 * 31; ++i) {
    const std::uint32_t index = array.append();
    array[index] = index + 1;
  }
  for (const std::uint32_t begin : {64U, 192U, 448U, 960U}) {
    EXPECT_EQ(array[begin - 1], begin);
    EXPECT_EQ(array[begin], begin + 1);
  }
}

TEST(SegmentedArray, ReadersFollowAWriterWithoutALock) {
  SegmentedArray<std::uint32_t> array;
  std::atomic<std::uint32_t> published = 0;  // elements whose making readers may know of
  constexpr std::uint32_t kCount = 20'000;
  std::vector<std::thread> readers;
  std::atomic<std::uint32_t> wrong = 0;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      for (std::uint32_t seen = 0; seen < kCount;) {
        seen = published.load(std::memory_order_acquire);
        for (std::uint32_t i = seen < 100 ? 0 : seen - 100; i < seen; ++i) wrong += array[i] != i + 1 ? 1U : 0U;
      }
    });
  }
  for (std::uint32_t i = 0; i < kCount; ++i) {
    array[array.append()] = i + 1;
    published.store(i + 1, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace weir::base
