#include "base/flat_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace weir::base {
namespace {

struct Slot {
  std::uint32_t key = 0;  // 0: free
  std::uint32_t value = 0;
  [[nodiscard]] bool is_free() const { return key == 0; }
  [[nodiscard]] std::uint32_t hash() const { return key % 7 == 0 ? 100 : key; }  // a seventh of the keys collide
};

TEST(FlatTable, AgreesWithAMap) {
  for (const std::size_t reserved : {0, 48, 49, 3000}) {
    FlatTable<Slot> table(reserved);
    std::map<std::uint32_t, std::uint32_t> expected;
    std::minstd_rand random(static_cast<std::uint32_t>(reserved) + 1);
    for (std::uint32_t i = 0; i < 4000; ++i) {
      const Slot wanted{static_cast<std::uint32_t>(random() % 2000) + 1, i};
      const Slot& slot = table.find(wanted.hash(), [&](const Slot& one) { return one.key == wanted.key; });
      const auto [it, is_new] = expected.try_emplace(wanted.key, i);
      ASSERT_EQ(slot.is_free(), is_new);
      if (is_new) {
        table.insert(wanted);
      } else {
        ASSERT_EQ(slot.value, it->second);
      }
    }
    EXPECT_EQ(table.size(), expected.size());
    std::map<std::uint32_t, std::uint32_t> listed;
    table.for_each([&](const Slot& slot) { EXPECT_TRUE(listed.try_emplace(slot.key, slot.value).second); });
    EXPECT_EQ(listed, expected);
    table.clear();
    EXPECT_EQ(table.size(), 0U);
    EXPECT_TRUE(table.find(1, [](const Slot& one) { return one.key == 1; }).is_free());
  }
}

}  // namespace
}  // namespace weir::base
