// The lengths of the completions of residuals, in bytes.
#include "engine/costs/completion_lengths.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/search_bounds.h"
#include "regex/syntax/syntax.h"

namespace weir::engine {
namespace {

class Lengths : public ::testing::Test {
 protected:
  regex::ExprId parsed(const std::string& pattern) {
    const auto expr = regex::parse_regex(exprs_, pattern, {}, Limits{});
    EXPECT_TRUE(expr.has_value()) << pattern;
    return *expr;
  }
  // Returns "SHORTEST LONGEST", or "none".
  std::string of(regex::ExprId expr) {
    const auto found = lengths_.of(exprs_, expr);
    return found ? std::to_string(found->shortest) + " " + std::to_string(found->most) : "none";
  }

  regex::ExprSet exprs_{Limits{}.regex_nodes};
  CompletionLengths lengths_;
};

TEST_F(Lengths, OfMembersAndOfWhatIsLeft) {
  EXPECT_EQ(of(parsed("ab{3}c?")), "4 4");
  EXPECT_EQ(of(parsed("a|bcccc")), "1 4");
  EXPECT_EQ(of(parsed("x[a-z]*yz")), "3 3");
  EXPECT_EQ(of(parsed("[a-z]*")), "0 0");
}

TEST_F(Lengths, OfResidualsAreKnownWithThem) {
  const regex::ExprId whole = parsed("a|bcccc");
  EXPECT_EQ(of(whole), "1 4");
  EXPECT_EQ(of(exprs_.derivative(whole, 'b')), "4 4");
}

TEST_F(Lengths, NoneWithoutMembersOrOfTooManyResiduals) {
  EXPECT_EQ(of(exprs_.intersection(parsed("a+b"), parsed("a+c"))), "none");
  const std::string many = std::to_string(kMaxListedResiduals + 1);
  EXPECT_EQ(of(parsed("[a-z]{0," + many + "}")), "none");
}

TEST_F(Lengths, TooManyResidualsAreListedAFewTimesOnly) {
  regex::ExprId left = parsed("[ab]*a[ab]{400}");
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(of(left), "none");
    left = exprs_.derivative(left, i % 3 == 0 ? 'a' : 'b');
  }
  EXPECT_LE(lengths_.failed_to_list(), kMaxFailedLengthResiduals + 2 * kMaxListedResiduals);
}

}  // namespace
}  // namespace weir::engine
