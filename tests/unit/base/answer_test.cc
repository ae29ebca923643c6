#include "base/answer.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace weir::base {
namespace {

TEST(Answer, IsAYesANoOrALimit) {
  const Answer yes = true, no = false, limit = Limit::kRowItems;
  EXPECT_TRUE(yes.is_yes() && yes.is_known() && !yes.is_no());
  EXPECT_TRUE(no.is_no() && no.is_known() && !no.is_yes());
  EXPECT_TRUE(!limit.is_yes() && !limit.is_no() && !limit.is_known());
  EXPECT_EQ(limit.limit(), Limit::kRowItems);
  EXPECT_EQ(no.limit(), Limit::kNone);
}

// A pointer, or a number, is no yes; and an answer is not a condition, which would not say which of two it asks.
static_assert(!std::is_convertible_v<const char*, Answer> && !std::is_convertible_v<int, Answer>);
static_assert(!std::is_convertible_v<Answer, bool>);

}  // namespace
}  // namespace weir::base
