#include "weir/token_dfa.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir {
namespace {

TokenDfaSpec example_spec() {  // (ab)*c over a = 0, b = 1, c = 2
  TokenDfaSpec spec;
  spec.states = {{false, {{2, DfaState{2}}, {0, DfaState{1}}}}, {false, {{1, DfaState{0}}}}, {true, {}}};
  return spec;
}

TEST(TokenDfa, ReadsTokens) {
  const TokenDfa dfa = TokenDfa::create(example_spec()).value();
  EXPECT_EQ(dfa.state_count(), 3U);
  EXPECT_EQ(dfa.transition_count(), 3U);
  EXPECT_EQ(dfa.transitions(DfaState::kStart)[0].token, 0U);
  EXPECT_TRUE(dfa.matches(std::vector<std::uint32_t>{0, 1, 0, 1, 2}));
  EXPECT_FALSE(dfa.matches(std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_FALSE(dfa.matches(std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(dfa.step(DfaState::kStart, 1), DfaState::kNone);
}

TEST(TokenDfa, LeavesOutStatesWithoutUse) {
  TokenDfaSpec spec = example_spec();
  spec.states.push_back({true, {{0, DfaState{0}}}});   // is not reached
  spec.states.push_back({false, {{7, DfaState{4}}}});  // reaches no end
  spec.states[1].transitions.push_back({3, DfaState{4}});
  EXPECT_EQ(TokenDfa::create(spec).value(), TokenDfa::create(example_spec()).value());
}

TEST(TokenDfa, TheEmptyLanguageHasItsStartAlone) {
  TokenDfaSpec spec;
  spec.states = {{false, {{0, DfaState{0}}}}};
  EXPECT_EQ(TokenDfa::create(spec).value(), TokenDfa());
  EXPECT_FALSE(TokenDfa().matches({}));
}

TEST(TokenDfa, RefusesWhatIsNoAutomaton) {
  const auto code = [](const TokenDfaSpec& spec) { return TokenDfa::create(spec).error().code; };
  EXPECT_EQ(code({}), ErrorCode::kInvalidArgument);
  TokenDfaSpec spec = example_spec();
  spec.states[0].transitions.push_back({2, DfaState{1}});
  EXPECT_EQ(TokenDfa::create(spec).error().message, "state 0 has two transitions for token 2");
  spec = example_spec();
  spec.states[1].transitions[0].target = DfaState{3};
  EXPECT_EQ(code(spec), ErrorCode::kInvalidArgument);
  spec = example_spec();
  spec.states[1].transitions[0].token = 1U << 21;
  EXPECT_EQ(code(spec), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace weir
