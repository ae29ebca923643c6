#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/canonical/small_table.h"
#include "weir/token_dfa.h"

namespace weir {
namespace {

using tests::SmallTable;

TEST(TokenizerDfa, IsThatOfFigure9) {  // {a, b, c}* with (a, b), (a, a), (a, c)
  const SmallTable small({"abc", {{"a", "b"}, {"a", "a"}, {"a", "c"}}});
  const TokenizerDfa dfa = build_tokenizer_dfa(small.table).value();
  const auto allowed = [&](const char* token) {
    std::string all;
    for (const std::string& next : small.tokens) {
      if (dfa.allows(small.id_of(token), small.id_of(next))) all += next + " ";
    }
    return all;
  };
  EXPECT_EQ(dfa.made_count(), 6U);
  EXPECT_EQ(allowed("a"), "ab ");
  EXPECT_EQ(allowed("aa"), "a c ab aa ac ");
  EXPECT_EQ(allowed("c"), "a b c ab aa ac ");
}

TEST(TokenizerDfa, ForbidsByTheLastToken) {
  const SmallTable small({"ab", {{"a", "b"}, {"ab", "a"}}});
  const TokenizerDfa dfa = build_tokenizer_dfa(small.table).value();
  const std::uint32_t a = small.id_of("a"), b = small.id_of("b"), ab = small.id_of("ab"), aba = small.id_of("aba");
  EXPECT_FALSE(dfa.allows(a, b));
  EXPECT_FALSE(dfa.allows(ab, a));
  EXPECT_TRUE(dfa.allows(b, a));
  EXPECT_TRUE(dfa.matches(std::vector<std::uint32_t>{b, aba}));
  EXPECT_FALSE(dfa.matches(std::vector<std::uint32_t>{ab, a}));
  EXPECT_FALSE(dfa.allows(a, 100));
  EXPECT_EQ(dfa.state_after(100), TokenizerState::kNone);
  EXPECT_TRUE(dfa.forbidden(TokenizerState::kNone).empty());
}

TEST(TokenizerDfa, TheStartForbidsNothing) {
  // When (aa, a) comes, aa is the only token that leads to S0, so that line 16 forbids in S0.
  const SmallTable small({"a", {{"a", "a"}, {"aa", "a"}}});
  const TokenizerDfa dfa = build_tokenizer_dfa(small.table).value();
  EXPECT_FALSE(dfa.forbidden(TokenizerState{0}).empty());
  const TokenDfa all = written_out(dfa).value();
  EXPECT_EQ(all.transitions(DfaState::kStart).size(), dfa.made_count());
}

TEST(TokenizerDfa, PassesOverMergesWithoutEffect) {
  SmallTable small({"abc", {{"b", "c"}, {"a", "b"}}});
  small.table.merges.push_back({small.id_of("ab"), small.id_of("c"), 9});  // ab never stands before c
  small.table.merges.push_back({7, 8, 10});                                // neither is made
  const TokenizerDfa dfa = build_tokenizer_dfa(small.table).value();
  EXPECT_FALSE(dfa.is_made(9));
  EXPECT_FALSE(dfa.is_made(10));
  EXPECT_EQ(dfa.made_count(), 5U);
}

TEST(TokenizerDfa, FusesStatesWithTheSameEntries) {
  const SmallTable small({"abc", {{"a", "c"}, {"b", "c"}}});  // neither a nor b stands before c
  const TokenizerDfa dfa = build_tokenizer_dfa(small.table).value();
  const TokenizerDfa fused = fuse_states(dfa);
  EXPECT_EQ(dfa.state_count(), 3U);
  EXPECT_EQ(fused.state_count(), 2U);
  EXPECT_EQ(fused.forbidden_pairs(), dfa.forbidden_pairs());
  for (std::uint32_t l = 0; l < 5; ++l) {
    for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(fused.allows(l, r), dfa.allows(l, r));
  }
}

TEST(TokenizerDfa, Errors) {
  const auto error_of = [](const MergeTable& table, const Limits& limits = {}) {
    return build_tokenizer_dfa(table, limits).error();
  };
  EXPECT_EQ(error_of({{0, 1}, {{0, 1, 1}}}).code, ErrorCode::kInvalidArgument);             // a unit is a result
  EXPECT_EQ(error_of({{0, 1}, {{0, 1, 2}, {1, 0, 2}}}).code, ErrorCode::kInvalidArgument);  // one id for two texts
  EXPECT_EQ(error_of({{0, UINT32_MAX}, {}}).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of({{0, 1}, {{0, 1, UINT32_MAX}}}).code, ErrorCode::kInvalidArgument);
  Limits limits;
  limits.token_dfa_states = 2;
  EXPECT_EQ(error_of({{0, 1, 2}, {{0, 1, 3}, {1, 2, 4}}}, limits).limit, "token_dfa_states");
  limits = {};
  limits.token_dfa_transitions = 2;
  EXPECT_EQ(error_of({{0, 1, 2}, {{0, 1, 3}, {1, 2, 4}}}, limits).limit, "token_dfa_transitions");
  const TokenizerDfa dfa = build_tokenizer_dfa({{0, 1, 2}, {{0, 1, 3}, {1, 2, 4}}}).value();
  EXPECT_EQ(written_out(dfa, limits).error().limit, "token_dfa_transitions");
}

TEST(MergesByRank, FindsThePartsOfEachToken) {
  const std::vector<std::string_view> tokens{"a", "b", "c", "ab", "", "bc", "abc", "ab", "cab"};
  const MergeTable table = merges_by_rank(tokens).value();
  EXPECT_EQ(table.units, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(table.merges, (std::vector<TokenMerge>{{0, 1, 3}, {1, 2, 5}, {3, 2, 6}, {2, 3, 8}}));
}

TEST(MergesByRank, PassesOverTokensThatAreNotMade) {
  // xyz is x y z by lower ranks, since xy and yz are no tokens; "éz" has a byte that is no token.
  const MergeTable table = merges_by_rank(std::vector<std::string_view>{"x", "y", "z", "xyz", "\xC3z"}).value();
  EXPECT_TRUE(table.merges.empty());
}

}  // namespace
}  // namespace weir
