#include "base/aging_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::base {
namespace {

using Map = AgingMap<int, std::string, std::hash<int>>;

TEST(AgingMap, KeepsWhatIsAskedFor) {
  Map map(100);
  map.insert(0, "kept", 10);
  for (int key = 1; key < 40; ++key) {
    map.insert(key, std::to_string(key), 10);
    const std::string* kept = map.find(0);
    ASSERT_NE(kept, nullptr) << key;
    EXPECT_EQ(*kept, "kept");
  }
  EXPECT_EQ(map.find(1), nullptr);
  ASSERT_NE(map.find(39), nullptr);
  EXPECT_EQ(*map.find(39), "39");
}

TEST(AgingMap, HoldsNoMoreThanItsBound) {
  Map map(100);
  for (int key = 0; key < 40; ++key) map.insert(key, "", 10);
  int held = 0;
  for (int key = 0; key < 40; ++key) held += map.find(key) != nullptr ? 1 : 0;
  EXPECT_LE(held, 10);
  EXPECT_GE(held, 5);
}

TEST(AgingMap, DestroysDroppedValuesLittleByLittle) {
  std::vector<std::shared_ptr<int>> values;
  AgingMap<int, std::shared_ptr<int>, std::hash<int>> map(100);
  std::ptrdiff_t alive = 0;
  for (int key = 0; key < 60; ++key) {
    values.push_back(std::make_shared<int>(key));
    map.insert(key, values.back(), 10);
    const auto now = std::ranges::count_if(values, [](const auto& value) { return value.use_count() > 1; });
    EXPECT_GE(now, alive) << key;  // no insertion destroys more than it adds
    EXPECT_LE(now, 10) << key;
    EXPECT_EQ(map.memory_bytes(), static_cast<std::size_t>(now) * 10) << key;
    alive = now;
  }
  EXPECT_EQ(alive, 10);
}

TEST(AgingMap, ReplacesAValue) {
  Map map(100);
  map.insert(1, "first", 40);
  EXPECT_EQ(map.insert(1, "second", 10), "second");
  map.insert(2, "other", 40);  // fits beside the second value, not beside the first one
  ASSERT_NE(map.find(1), nullptr);
  EXPECT_EQ(*map.find(1), "second");
  EXPECT_NE(map.find(2), nullptr);
}

TEST(AgingMap, HoldsAValueAboveHalfOfTheBound) {
  Map map(100);
  map.insert(1, "large", 90);
  ASSERT_NE(map.find(1), nullptr);
  map.insert(2, "small", 10);
  EXPECT_NE(map.find(1), nullptr);
  EXPECT_NE(map.find(2), nullptr);
}

}  // namespace
}  // namespace weir::base
