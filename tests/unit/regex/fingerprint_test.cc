// Fingerprints find equal expressions of different sets again, at a bounded cost.
#include "regex/expr/fingerprint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/work.h"
#include "regex/expr/expr.h"

namespace weir::regex {
namespace {

constexpr FingerprintKey kKey{1, 2};

// Returns the words "0;" to "COUNT;", each with its digits repeated, so that no two have long ends in common.
ExprId words(ExprSet& exprs, int count) {
  std::vector<ExprId> list;
  for (int i = 0; i < count; ++i) list.push_back(exprs.literal(std::to_string(i * 7919) + std::to_string(i) + ";"));
  return exprs.alternation(list);
}

TEST(Fingerprints, EqualExpressionsHaveEqualOnesInEverySet) {
  ExprSet one(1 << 20);
  ExprSet two(1 << 20);
  two.literal("other ids");
  Fingerprints here(kKey, 1);
  Fingerprints there(kKey, 2);
  EXPECT_EQ(here.of(one, words(one, 100)), there.of(two, words(two, 100)));
  EXPECT_NE(here.of(one, words(one, 100)), there.of(two, words(two, 101)));
}

TEST(Fingerprints, LongListsOfWordsHaveTheirOwnAndReadFewParts) {
  ExprSet one(1 << 20);
  ExprSet two(1 << 20);
  const ExprId long_list = words(one, 20'000);
  const ExprId same = words(two, 20'000);
  ASSERT_GT(one.node_count(), 50'000U);
  Fingerprints here(kKey, 1);
  Fingerprints there(kKey, 2);
  Fingerprint first;
  {
    const base::Work::Call call(UINT64_MAX);
    first = here.of(one, long_list);
  }
  EXPECT_LT(base::Work::last_call(), 20'000U);
  EXPECT_EQ(here.of(one, long_list), first);
  EXPECT_NE(there.of(two, same), first);
  // What such a list leads to is its own too, until few parts are left; the set of those is the same everywhere.
  EXPECT_NE(here.of(one, one.derivative(long_list, '1')), first);
  ExprId end = long_list;
  ExprId same_end = same;
  for (const char c : std::to_string(19'999 * 7919)) {
    end = one.derivative(end, static_cast<std::uint8_t>(c));
    same_end = two.derivative(same_end, static_cast<std::uint8_t>(c));
  }
  EXPECT_EQ(here.of(one, end), there.of(two, same_end));
}

}  // namespace
}  // namespace weir::regex
