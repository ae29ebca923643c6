// Suggestions of the name that a misspelled name probably means.
#include "grammar/suggest.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace weir::grammar {
namespace {

TEST(Suggest, ALetterChangedLeftOutPutInOrSwapped) {
  const std::vector<std::string_view> names = {"count", "value", "object"};
  for (const std::string_view name : {"coumt", "cout", "countt", "cuont", "COUNT", "ocunt"}) {
    EXPECT_EQ(nearest_name(names, name), "count") << name;
  }
  EXPECT_EQ(nearest_name(names, "ojbcet"), "object");  // two swaps count as two mistakes in six letters
  for (const std::string_view name : {"cuotn", "total", "x", ""}) EXPECT_EQ(nearest_name(names, name), "") << name;
}

TEST(Suggest, TheNearestOfSeveral) {
  const std::vector<std::string_view> names = {"item", "items", "time"};
  EXPECT_EQ(nearest_name(names, "itmes"), "items");
  EXPECT_EQ(nearest_name(names, "itme"), "item");
}

TEST(Suggest, AllNamesIfNoneIsNear) {
  const std::vector<std::string_view> names = {"item", "count"};
  EXPECT_EQ(did_you_mean(names, "itm", "there are"), "did you mean `item`?");
  EXPECT_EQ(did_you_mean(names, "object", "there are"), "there are `item`, `count`");
}

}  // namespace
}  // namespace weir::grammar
