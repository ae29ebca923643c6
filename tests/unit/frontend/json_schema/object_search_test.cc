#include "frontend/json_schema/model/object_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

struct Values {
  std::vector<int> list;
  void clear() { list.clear(); }
};

// Compares it with a map: over rounds of growing size, between which it is cleared.
TEST(ReusedTable, IsAMap) {
  std::mt19937 random(7);
  ReusedTable<NameId, Values> table;
  for (int round = 0; round < 40; ++round) {
    std::map<NameId, std::vector<int>> expected;
    const int ids = 1 + round * round;
    for (int i = 0; i < 2 * ids; ++i) {
      const NameId id{static_cast<std::uint32_t>(random() % static_cast<unsigned>(ids)) * 64};
      table[id].list.push_back(i);
      expected[id].push_back(i);
    }
    for (int i = 0; i < ids; ++i) {
      const NameId id{static_cast<std::uint32_t>(i) * 64};
      const Values* const found = table.find(id);
      const auto known = expected.find(id);
      ASSERT_EQ(found != nullptr, known != expected.end());
      if (found != nullptr) {
        ASSERT_EQ(found->list, known->second);
      }
    }
    std::map<NameId, std::vector<int>> listed;
    table.for_each([&](NameId id, const Values& values) { EXPECT_TRUE(listed.emplace(id, values.list).second); });
    EXPECT_EQ(listed, expected);
    table.clear();
    table.for_each([](NameId, const Values&) { ADD_FAILURE(); });
    EXPECT_EQ(table.find(NameId{0}), nullptr);
  }
}

TEST(ReusedTable, EntriesStayWhereTheyAre) {
  ReusedTable<NameId, Values> table;
  Values& first = table[NameId{0}];
  for (std::uint32_t i = 1; i < 1'000; ++i) table[NameId{i}].list.push_back(1);
  EXPECT_EQ(&table[NameId{0}], &first);
}

}  // namespace
}  // namespace weir::frontend::json_schema
