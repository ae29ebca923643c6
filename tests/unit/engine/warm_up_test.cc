// Warm-up: what it makes known, that results do not depend on it, and where it stops.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::random_walk;

constexpr std::string_view kOrder = R"({
  "type": "object",
  "properties": {
    "id": {"type": "integer"}, "name": {"type": "string"}, "kind": {"enum": ["red", "green", "blue"]},
    "tags": {"type": "array", "items": {"type": "string"}},
    "size": {"type": "object", "properties": {"width": {"type": "number"}, "height": {"type": "number"}},
             "required": ["width", "height"], "additionalProperties": false}
  },
  "required": ["id", "kind"], "additionalProperties": false
})";

CompiledGrammar compile_schema(std::string_view schema, const Limits& limits = {}) {
  auto compiled = GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(schema);
  if (!compiled) ADD_FAILURE() << compiled.error().message;
  return *compiled;
}

TEST(WarmUp, MakesTheMasksOfALikelyTextKnown) {
  const CompiledGrammar compiled = compile_schema(kOrder);
  const WarmUpReport report = compiled.warm_up();
  EXPECT_GT(report.masks, 0U);
  EXPECT_EQ(compiled.stats().masks, report.masks);
  const auto tokens = compiled.tokenizer_info().tokenize(
      R"({"id": 381, "name": "a longer name", "kind": "green", "tags": ["one", "two"], "size": {"width": 2, "height": 12}})");
  ASSERT_TRUE(tokens.has_value());
  GrammarMatcher matcher(compiled);
  std::size_t unknown = 0;
  for (const std::uint32_t token : *tokens) {
    unknown += matcher.state_stats().mask_known ? 0 : 1;
    ASSERT_EQ(matcher.accept_token(token), Step::kOk);
  }
  EXPECT_LE(unknown * 20, tokens->size()) << unknown << " of " << tokens->size();
}

TEST(WarmUp, DoesNotChangeResults) {
  const std::string_view schemas[] = {
      kOrder, R"({"type": "array", "items": {"enum": [1, 2, "x", "y"]}, "uniqueItems": true, "maxItems": 4})",
      R"({"type": "string", "pattern": "^[a-f]{2,5}-[0-9]+$", "maxLength": 12})",
      R"({"$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"})"};
  for (const std::string_view schema : schemas) {
    const CompiledGrammar cold = compile_schema(schema);
    const CompiledGrammar warm = compile_schema(schema);
    EXPECT_GT(warm.warm_up({.work = 20'000}).masks, 0U);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      EXPECT_EQ(random_walk(cold, seed, 60), random_walk(warm, seed, 60)) << schema;
    }
  }
}

TEST(WarmUp, DoesNotChangeResultsUnderConditionsAndWithTokenTerminals) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "ba", " a"});
  for (const std::string_view grammar :
       {"root ::= @greedy(/[ab]+/) (\" \" @greedy(/[ab]+/))* <tool>?", "root ::= \"a\"* <tool> \"b\""}) {
    const CompiledGrammar cold = compile(tokenizer, grammar);
    const CompiledGrammar warm = compile(tokenizer, grammar);
    static_cast<void>(warm.warm_up());
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      EXPECT_EQ(random_walk(cold, seed, 60), random_walk(warm, seed, 60)) << grammar;
    }
  }
}

TEST(WarmUp, KeepsItsBudget) {
  const CompiledGrammar compiled = compile_schema(kOrder);
  EXPECT_EQ(compiled.warm_up({.work = 0}).masks, 0U);
  const WarmUpReport first = compiled.warm_up({.work = 2'000});
  EXPECT_EQ(first.work, 2'000U);
  EXPECT_FALSE(first.is_complete);
  EXPECT_EQ(compiled.warm_up({.work = 2'000}).work, 0U);
  const WarmUpReport second = compiled.warm_up({.work = 6'000});
  EXPECT_EQ(second.work, 4'000U);
  EXPECT_GT(second.masks, 0U);  // it goes on where the first call ended
}

TEST(WarmUp, IsCompleteWhereLittleIsToBeFound) {
  const CompiledGrammar compiled = compile(byte_vocabulary({"ab"}), "root ::= \"a\" (\"b\" | \"c\") \"ab\"");
  const WarmUpReport report = compiled.warm_up();
  EXPECT_TRUE(report.is_complete);
  const WarmUpReport second = compiled.warm_up();
  EXPECT_TRUE(second.is_complete);
  EXPECT_EQ(second.work, 0U);
}

TEST(WarmUp, IsNotCompleteIfAMaskWasTooExpensive) {
  constexpr std::string_view kPattern = "^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e).{30,60}$";
  const CompiledGrammar compiled =
      compile_schema(R"({"type": "string", "pattern": ")" + std::string(kPattern) + R"("})");
  const WarmUpReport report = compiled.warm_up({.work = 1'000'000});
  EXPECT_LT(report.work, 1'000'000U);
  EXPECT_FALSE(report.is_complete);
}

TEST(WarmUp, LeavesHalfOfTheMemoryToMatchers) {
  Limits limits;
  limits.state_memory = std::size_t{4} << 20;
  const CompiledGrammar compiled = compile_schema(R"({})", limits);
  static_cast<void>(compiled.warm_up({.work = 50'000'000}));
  const EngineStats stats = compiled.stats();
  EXPECT_EQ(stats.cache_flushes, 0U);
  EXPECT_LT(stats.memory_bytes, limits.state_memory * 3 / 4);
}

TEST(WarmUp, ExploresNothingUnderBoundsOnTokens) {
  const CompiledGrammar compiled = compile(byte_vocabulary({}), R"_(root ::= @max_tokens(3: "<" [a-z]* ">") "!")_");
  EXPECT_EQ(compiled.warm_up().masks, 0U);
}

TEST(WarmUpThreads, AnotherThreadMayStopIt) {
  // Arrays and objects are nested without end, so only the memory would stop it, after seconds.
  const Limits limits;
  const CompiledGrammar compiled = *GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json();
  compiled.stop_warm_up();  // none is running
  WarmUpReport report;
  std::thread warm_up([&] { report = compiled.warm_up({.work = UINT64_MAX}); });
  while (compiled.stats().masks == 0) std::this_thread::yield();
  compiled.stop_warm_up();
  warm_up.join();
  EXPECT_GT(report.masks, 0U);
  EXPECT_FALSE(report.is_complete);
  EXPECT_LT(compiled.stats().memory_bytes, limits.state_memory / 2);
  EXPECT_GT(compiled.warm_up({.work = report.work + 20'000}).masks, 0U) << "a later call goes on";
}

TEST(WarmUpThreads, MatchersMayAskMeanwhile) {
  const CompiledGrammar cold = compile_schema(kOrder);
  std::vector<std::uint64_t> alone;
  for (std::uint32_t seed = 1; seed <= 2; ++seed) alone.push_back(random_walk(cold, seed, 60));
  const CompiledGrammar shared = compile_schema(kOrder);
  std::vector<std::uint64_t> together(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&] { static_cast<void>(shared.warm_up()); });
  for (std::uint32_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] { together[i] = random_walk(shared, i + 1, 60); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

}  // namespace
}  // namespace weir
