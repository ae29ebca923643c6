#include "base/json/quoting_tokens.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::base {
namespace {

using Ids = std::vector<std::uint32_t>;
using Plain = QuotingTokens::Plain;

Ids ids(std::span<const QuotingTokens::Token> tokens) {
  Ids found;
  for (const QuotingTokens::Token& token : tokens) found.push_back(token.id);
  return found;
}

TEST(QuotingTokens, AreListedByQuotesEscapesAndBeginnings) {
  const std::vector<std::pair<std::string_view, std::uint32_t>> tokens = {
      {"\"", 1}, {"a\"b", 2}, {"\"x\":\"", 3}, {"\\\"", 4}, {"\"\\u0061\"", 5}, {"\"\"\"\"", 6}, {"\"\\", 7}};
  const QuotingTokens quoting(tokens);
  EXPECT_EQ(ids(quoting.all()), (Ids{1, 6, 7, 5, 3, 4, 2}));
  EXPECT_EQ(ids(quoting.beginning_with("\"")), (Ids{1, 6, 7, 5, 3}));
  EXPECT_EQ(ids(quoting.beginning_with("a\"")), (Ids{2}));
  EXPECT_EQ(ids(quoting.beginning_with("b\"")), (Ids{}));
  EXPECT_EQ(ids(quoting.escaping()), (Ids{4, 5})) << "a backslash after the last quote escapes none";
  EXPECT_TRUE(quoting.has_numeric_escapes());
  EXPECT_EQ(ids(quoting.with_quotes(2, Plain::kIncluded)), (Ids{6, 3, 5}));
  EXPECT_EQ(ids(quoting.with_quotes(2, Plain::kLeftOut)), (Ids{6, 5}));
  EXPECT_EQ(ids(quoting.with_quotes(3, Plain::kIncluded)), (Ids{6, 3}));
  EXPECT_TRUE(quoting.has_quoted("x"));
  EXPECT_TRUE(quoting.has_quoted(":"));
  EXPECT_FALSE(quoting.has_quoted("")) << "the token of four quotes is not plain";
}

TEST(QuotingTokens, MayBeNone) {
  const QuotingTokens quoting;
  EXPECT_TRUE(quoting.all().empty());
  EXPECT_TRUE(quoting.beginning_with("").empty());
  EXPECT_TRUE(quoting.with_quotes(2, Plain::kIncluded).empty());
  EXPECT_FALSE(quoting.has_quoted(""));
  EXPECT_FALSE(quoting.has_numeric_escapes());
}

}  // namespace
}  // namespace weir::base
