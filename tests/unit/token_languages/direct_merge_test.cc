#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "unit/canonical/small_table.h"
#include "weir/token_dfa.h"

namespace weir {
namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::uint32_t kA = 0, kB = 1, kX = 2, kY = 3, kAb = 4, kAa = 5;

TokenDfa dfa_of(std::vector<TokenDfaSpec::State> states) {
  TokenDfaSpec spec;
  spec.states = std::move(states);
  return TokenDfa::create(spec).value();
}
DfaState to(std::uint32_t state) { return DfaState{state}; }

// The examples of section 2.1 and figure 2; S is state 2, reached by `a` from state 1 and left by `b` to state 3.
struct Figure {
  std::vector<TokenDfaSpec::State> states{
      {false, {{kY, DfaState{1}}}}, {false, {{kA, DfaState{2}}}}, {false, {{kB, DfaState{3}}}}, {true, {}}};
};

TEST(DirectMerge, PutsATransitionAroundTheState) {
  const TokenDfa merged = direct_merge(dfa_of(Figure().states), TokenMerge{kA, kB, kAb}).value();
  EXPECT_EQ(merged, dfa_of({{false, {{kY, to(1)}}}, {false, {{kAb, to(2)}}}, {true, {}}}));
}

TEST(DirectMerge, KeepsTheStateForWhatElseFollows) {
  Figure figure;
  figure.states[2].transitions.push_back({kY, to(3)});
  EXPECT_EQ(direct_merge(dfa_of(figure.states), TokenMerge{kA, kB, kAb}).value(),
            dfa_of({{false, {{kY, to(1)}}}, {false, {{kA, to(2)}, {kAb, to(3)}}}, {false, {{kY, to(3)}}}, {true, {}}}));
  Figure ends;
  ends.states[2].accepts = true;
  EXPECT_EQ(direct_merge(dfa_of(ends.states), TokenMerge{kA, kB, kAb}).value(),
            dfa_of({{false, {{kY, to(1)}}}, {false, {{kA, to(2)}, {kAb, to(3)}}}, {true, {}}, {true, {}}}));
}

TEST(DirectMerge, KeepsTheStateForWhatElseLeadsToIt) {
  Figure figure;
  figure.states[0].transitions.push_back({kX, to(2)});
  EXPECT_EQ(direct_merge(dfa_of(figure.states), TokenMerge{kA, kB, kAb}).value(),
            dfa_of({{false, {{kX, to(1)}, {kY, to(2)}}}, {false, {{kB, to(3)}}}, {false, {{kAb, to(3)}}}, {true, {}}}));
}

TEST(DirectMerge, SplitsTheStateWithALoop) {  // figure 5: a*b, a*
  const TokenDfa merged =
      direct_merge(dfa_of({{true, {{kA, to(0)}, {kB, to(1)}}}, {true, {}}}), TokenMerge{kA, kB, kAb}).value();
  EXPECT_EQ(
      merged,
      dfa_of({{true, {{kA, to(1)}, {kB, to(2)}, {kAb, to(2)}}}, {true, {{kA, to(1)}, {kAb, to(2)}}}, {true, {}}}));
}

TEST(DirectMerge, CountsRunsOfEqualTokens) {
  const TokenDfa any = dfa_of({{true, {{kA, to(0)}, {kB, to(0)}}}});
  const TokenDfa merged = direct_merge(any, TokenMerge{kA, kA, kAa}).value();
  EXPECT_TRUE(merged.matches(Ids{kAa, kAa, kA, kB, kA}));
  EXPECT_FALSE(merged.matches(Ids{kA, kA}));
  EXPECT_FALSE(merged.matches(Ids{kA, kAa}));
  // Figure 8: after an odd `a` comes no other one.
  EXPECT_EQ(merged, dfa_of({{true, {{kA, to(1)}, {kB, to(0)}, {kAa, to(0)}}}, {true, {{kB, to(0)}}}}));
}

TEST(DirectMerge, LeavesOtherAutomataAlone) {
  const TokenDfa dfa = dfa_of(Figure().states);
  EXPECT_EQ(direct_merge(dfa, TokenMerge{kB, kA, kAb}).value(), dfa);
  EXPECT_EQ(direct_merge(dfa, TokenMerge{kA, kA, kAa}).value(), dfa);
  EXPECT_EQ(direct_merge(dfa, std::span<const TokenMerge>()).value(), dfa);
  EXPECT_EQ(direct_merge(TokenDfa(), TokenMerge{kA, kB, kAb}).value(), TokenDfa());
}

TEST(DirectMerge, RefusesWhatHasNoDeterministicResult) {
  Figure figure;
  figure.states[1].transitions.push_back({kAb, to(0)});
  const Result<TokenDfa> merged = direct_merge(dfa_of(figure.states), TokenMerge{kA, kB, kAb});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(merged.error().message.find("token 4"), std::string::npos);
  const auto refused = [&](TokenMerge merge) {
    return direct_merge(dfa_of(Figure().states), merge).error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused({kA, kB, kA}));
  EXPECT_TRUE(refused({kA, kB, kB}));
  EXPECT_TRUE(refused({kA, kB, UINT32_MAX}));
}

TEST(DirectMerge, StopsAtItsLimits) {
  const tests::SmallTable table({"ab", {{"a", "b"}, {"b", "a"}, {"a", "a"}, {"ab", "a"}, {"ba", "b"}}});
  const TokenDfa paths = token_paths(byte_dfa("[ab]{1,9}").value(), table.unit_views()).value();
  ASSERT_TRUE(direct_merge(paths, table.table.merges));
  Limits limits;
  limits.token_dfa_states = 12;
  EXPECT_EQ(direct_merge(paths, table.table.merges, limits).error().limit, "token_dfa_states");
  limits = {};
  limits.token_dfa_transitions = 40;
  EXPECT_EQ(direct_merge(paths, table.table.merges, limits).error().limit, "token_dfa_transitions");
}

}  // namespace
}  // namespace weir
