// Memory: what is stored, when it is dropped, and how often histories are replayed after that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/work.h"
#include "engine/search_bounds.h"
#include "unit/engine/engine_testing.h"
#include "weir/bitmask.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;
using engine_testing::token;

constexpr std::string_view kCounted = "root ::= \"x\" /[a-z]{0,3000}/ \";\" | \"y\" /[0-9]{0,3000}/ \";\"";

TEST(EngineMemory, OneLongCallLooksAtTheBudgetOnItsWay) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const std::string letters = "x" + std::string(2500, 'a');
  const std::string digits = "y" + std::string(2500, '1');
  std::size_t alone = 0;
  std::size_t both = 0;
  {
    const CompiledGrammar compiled = compile(tokenizer, kCounted);
    ASSERT_EQ(GrammarMatcher(compiled).accept_bytes(letters), Step::kOk);
    alone = compiled.stats().memory_bytes;
    ASSERT_EQ(GrammarMatcher(compiled).accept_bytes(digits), Step::kOk);
    both = compiled.stats().memory_bytes;
  }
  ASSERT_GT(both, alone + alone / 2) << "the two texts share little";
  Limits limits;
  limits.state_memory = alone + alone / 10;
  for (int question = 0; question < 3; ++question) {
    const CompiledGrammar compiled = compile(tokenizer, kCounted, limits);
    ASSERT_EQ(GrammarMatcher(compiled).accept_bytes(letters), Step::kOk);
    GrammarMatcher matcher(compiled);
    switch (question) {
      case 0: EXPECT_EQ(matcher.accept_bytes(digits), Step::kOk); break;
      case 1: EXPECT_EQ(matcher.longest_viable_prefix(digits + "!"), digits.size()); break;
      default: EXPECT_EQ(matcher.accept_bytes(digits + "!"), Step::kRefused); break;
    }
    EXPECT_LE(compiled.stats().memory_bytes, limits.state_memory) << question;
    EXPECT_EQ(compiled.stats().cache_flushes, 1U) << question;
    EXPECT_EQ(matcher.limit_message(), "");
    matcher.reset();
    EXPECT_EQ(mask_of(matcher), "x y");
  }
}

TEST(EngineMemory, AHistoryOfBytesAndTokensIsReplayed) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab"});
  Limits limits;
  limits.state_memory = 1;
  const CompiledGrammar compiled = compile(tokenizer, kCounted, limits);
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes("xyz"), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes("z"), Step::kOk);
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "ab")), Step::kOk);
  const std::uint64_t flushes = compiled.stats().cache_flushes;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(matcher.accept_bytes("k"), Step::kOk);
  EXPECT_GT(compiled.stats().cache_flushes, flushes);
  EXPECT_EQ(matcher.accept_bytes(std::string(2496, 'k')), Step::kRefused) << "one letter more than allowed";
  EXPECT_EQ(matcher.accept_bytes(std::string(2495, 'k')), Step::kOk);
  EXPECT_EQ(mask_of(matcher), ";");
}

TEST(EngineMemory, AForcedTextLooksAtTheBudgetOnItsWay) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  constexpr std::string_view kGrammar = "root ::= \"x\" /[a-z]{0,3000}/ \";\" | \"y\" /z{2500}/";
  const std::string letters = "x" + std::string(2500, 'a');
  std::size_t alone = 0;
  {
    const CompiledGrammar compiled = compile(tokenizer, kGrammar);
    ASSERT_EQ(GrammarMatcher(compiled).accept_bytes(letters), Step::kOk);
    alone = compiled.stats().memory_bytes;
  }
  Limits limits;
  limits.state_memory = alone + alone / 10;
  const CompiledGrammar compiled = compile(tokenizer, kGrammar, limits);
  ASSERT_EQ(GrammarMatcher(compiled).accept_bytes(letters), Step::kOk);
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes("y"), Step::kOk);
  EXPECT_EQ(matcher.find_jump_forward_string(), std::string(2500, 'z'));
  EXPECT_EQ(compiled.stats().cache_flushes, 1U);
  EXPECT_LE(compiled.stats().memory_bytes, limits.state_memory);
}

// Nothing waits for the states that replace those of a matcher, so no token takes the steps of the whole output for them.
TEST(EngineMemory, ATokenMakesFewOfTheStatesAgainThatItsMatcherStillHas) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.state_memory = std::size_t{2} << 20U;
  const CompiledGrammar compiled =
      *GrammarCompiler(tokenizer, limits)
           .compile_json_schema(R"({"type": "array", "uniqueItems": true, "items": {"type": "integer"}})");
  GrammarMatcher matcher(compiled);
  std::minstd_rand random(1);
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  ASSERT_EQ(matcher.accept_token('['), Step::kOk);
  for (int i = 0; i < 1'500; ++i) {
    for (const char digit : std::to_string(1'000'000'000 + i + 10'000 * (random() % 100'000)) + ",") {
      ASSERT_EQ(matcher.accept_token(static_cast<unsigned char>(digit)), Step::kOk) << matcher.limit_message();
      all += base::Work::last_call_restored();
      most = std::max(most, base::Work::last_call_restored());
    }
  }
  EXPECT_GT(compiled.stats().cache_flushes, 1U);
  EXPECT_GT(all, 2 * engine::kMaxReplayedBeside) << "a replay takes several calls";
  EXPECT_LT(most, engine::kMaxReplayedBeside + engine::kMaxReplayedBeside / 4) << "and the step that meets the bound";
}

// Otherwise the call that moves to the new states would find nothing known of its mask.
TEST(EngineMemory, TheLastMasksAreMadeAgainBeforeTheirStatesAreDropped) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::string grammar = "root ::= \"a\" /[0-9]{0,1000}/";
  for (char first = 'b'; first <= 'z'; ++first) {
    grammar += std::string(" | \"") + first + "\" /[0-9]{0," + std::to_string(1'000 * (first - 'a' + 1)) + "}/";
  }
  Limits limits;
  limits.state_memory = std::size_t{1} << 20U;
  const CompiledGrammar compiled = compile(tokenizer, grammar, limits);
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  for (char first = 'a'; compiled.stats().cache_flushes == 0; ++first) {
    ASSERT_LE(first, 'z');
    matcher.reset();
    ASSERT_EQ(matcher.accept_token(static_cast<unsigned char>(first)), Step::kOk);
    for (int i = 0; i < 400 && compiled.stats().cache_flushes == 0; ++i) {
      ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
      ASSERT_EQ(matcher.accept_token('1'), Step::kOk);
    }
  }
  const std::uint64_t steps = matcher.step_count();
  EXPECT_GE(compiled.stats().masks, std::min<std::uint64_t>(steps - 1, engine::kRelearnedMasks));
}

TEST(EngineMemory, AHistoryIsNotReplayedAgainForALimitThatAFreshCacheMeetsToo) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.lexer_states = 20;
  const CompiledGrammar compiled = compile(tokenizer, "root ::= /[a-z]{0,200}/ \";\"", limits);
  GrammarMatcher matcher(compiled);
  while (matcher.accept_token('a') == Step::kOk) ASSERT_LT(matcher.step_count(), 100U);
  const std::uint64_t flushes = compiled.stats().cache_flushes;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(matcher.accept_token('a'), Step::kLimitExceeded);
    EXPECT_FALSE(matcher.is_token_allowed('b'));
    EXPECT_EQ(matcher.accept_bytes("aa"), Step::kLimitExceeded);
  }
  EXPECT_LE(compiled.stats().cache_flushes, flushes + 2) << "one for the token, one for the bytes";
  EXPECT_GE(compiled.stats().lexer_states, limits.lexer_states / 2);
  EXPECT_LE(compiled.stats().lexer_states, limits.lexer_states) << "nothing is kept beyond the limit";
  ASSERT_EQ(matcher.rollback(5), Step::kOk);
  EXPECT_EQ(matcher.accept_token('b'), Step::kOk) << "elsewhere a fresh cache may help again";
}

TEST(EngineMemory, AMaskThatMeetsALimitLeavesRoomForAStep) {
  // A mask must follow the long token into the letters after its "1".
  const TokenizerInfo tokenizer = byte_vocabulary({"1" + std::string(60, 'a')});
  Limits limits;
  limits.lexer_states = 40;
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"1\" root? /[a-z]{0,200}/ \";\"", limits));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(mask_of(matcher), "[limit_exceeded]");
    EXPECT_NE(matcher.limit_message().find("lexer_states"), std::string::npos);
    EXPECT_EQ(matcher.accept_token('1'), Step::kOk) << matcher.limit_message();
  }
}

}  // namespace
}  // namespace weir
