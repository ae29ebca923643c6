#include "base/published_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace weir::base {
namespace {

TEST(PublishedMap, AgreesWithAMap) {
  PublishedMap map;
  EXPECT_EQ(map.find(0), std::nullopt);
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 random(5);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint64_t key = random() % 30'000 << (random() % 2 * 32);
    const auto [it, is_new] = expected.try_emplace(key, i);
    const auto found = map.find(key);
    ASSERT_EQ(found.has_value(), !is_new) << key;
    if (is_new) {
      map.insert(key, i);
    } else {
      ASSERT_EQ(*found, it->second);
    }
  }
  EXPECT_EQ(map.size(), expected.size());
  for (const auto& [key, value] : expected) EXPECT_EQ(map.find(key), value);
  EXPECT_GE(map.memory_bytes(), expected.size() * 32);
  EXPECT_LE(map.memory_bytes(), expected.size() * 128);
}

TEST(PublishedMap, ReadersFollowAWriterWithoutALock) {
  PublishedMap map;
  constexpr std::uint64_t kKeys = 20'000;
  std::atomic<std::uint64_t> inserted = 0;  // keys below this are in the map
  std::atomic<std::uint32_t> wrong = 0;
  std::vector<std::thread> readers;
  for (std::uint64_t r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      for (std::uint64_t seen = 0, i = r; seen < kKeys; i += 7) {
        seen = inserted.load(std::memory_order_acquire);
        const std::uint64_t key = i % kKeys;
        const auto found = map.find(key << 32);
        if (key < seen && !found) ++wrong;
        if (found && *found != key + 1) ++wrong;
      }
    });
  }
  for (std::uint32_t key = 0; key < kKeys; ++key) {
    map.insert(std::uint64_t{key} << 32, key + 1);
    inserted.store(key + 1, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace weir::base
