// Prefetching: BatchMatcher makes the masks of new states on a thread of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <thread>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;

constexpr std::string_view kRecord = R"({
  "type": "object",
  "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "kind": {"enum": ["red", "green", "blue"]}},
  "required": ["id", "kind"], "additionalProperties": false
})";

CompiledGrammar compile_record() {
  auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(kRecord);
  if (!compiled) ADD_FAILURE() << compiled.error().message;
  return *compiled;
}

// Walks a batch of `rows` matchers with random tokens, some of them rolled back, forked or replaced between the calls.
// Returns a digest of all masks and steps.
std::uint64_t batch_walk(const CompiledGrammar& compiled, const BatchOptions& options, std::uint32_t seed,
                         const MatcherOptions& of_rows = {}) {
  constexpr std::size_t kRows = 4;
  BatchMatcher batch(options);
  const std::size_t words = bitmask_words(compiled.tokenizer_info().vocab_size());
  std::vector<std::unique_ptr<GrammarMatcher>> owned;
  for (std::size_t i = 0; i < kRows; ++i) owned.push_back(std::make_unique<GrammarMatcher>(compiled, of_rows));
  std::minstd_rand random(seed);
  std::uint64_t digest = seed;
  std::vector<std::uint32_t> bitmasks(kRows * words), tokens(kRows);
  std::vector<Step> steps(kRows);
  for (int i = 0; i < 40; ++i) {
    std::vector<GrammarMatcher*> rows;
    for (const auto& matcher : owned) rows.push_back(matcher.get());
    EXPECT_EQ(batch.fill_next_token_bitmasks(rows, bitmasks, steps), Step::kOk);
    for (const std::uint32_t word : bitmasks) digest = digest * 1'000'003 + word;
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::span<const std::uint32_t> mask(bitmasks.data() + row * words, words);
      const auto vocab_size = static_cast<std::uint32_t>(compiled.tokenizer_info().vocab_size());
      tokens[row] = static_cast<std::uint32_t>(random() % vocab_size);
      for (std::uint32_t tried = 0; tried < vocab_size && !bitmask_get(mask, tokens[row]); ++tried) {
        tokens[row] = (tokens[row] + 1) % vocab_size;
      }
    }
    EXPECT_EQ(batch.accept_tokens(rows, tokens, steps), Step::kOk);
    for (std::size_t row = 0; row < kRows; ++row) {
      digest = digest * 31 + static_cast<std::uint64_t>(steps[row]);
      if (owned[row]->is_terminated() || random() % 16 == 0) {
        owned[row] = std::make_unique<GrammarMatcher>(compiled, of_rows);
      } else if (random() % 8 == 0) {
        EXPECT_EQ(owned[row]->rollback(random() % (owned[row]->step_count() + 1)), Step::kOk);
      }
    }
  }
  return digest;
}

TEST(BatchPrefetch, DoesNotChangeResults) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::uint64_t alone = batch_walk(compile_record(), {}, seed);
    EXPECT_EQ(batch_walk(compile_record(), {.prefetch = true}, seed), alone);
    EXPECT_EQ(batch_walk(compile_record(), {.threads = 3, .prefetch = true}, seed), alone);
  }
}

TEST(BatchPrefetch, DoesNotChangeResultsOfOtherKindsOfRows) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "ba", " a"});
  for (const std::string_view grammar :
       {R"_(root ::= (@max_tokens(3: "<" [a-z]* ">") "!")*)_",
        "root ::= @greedy(/[ab]+/) (\" \" @greedy(/[ab]+/))* <tool>?", "root ::= \"a\"* <tool> \"b\"*"}) {
    const std::uint64_t alone = batch_walk(compile(tokenizer, grammar), {}, 7);
    EXPECT_EQ(batch_walk(compile(tokenizer, grammar), {.prefetch = true}, 7), alone) << grammar;
  }
  MatcherOptions budget;
  budget.max_tokens = 60;
  EXPECT_EQ(batch_walk(compile_record(), {.prefetch = true}, 5, budget), batch_walk(compile_record(), {}, 5, budget));
}

TEST(BatchPrefetch, MakesTheNextMaskKnown) {
  const CompiledGrammar compiled = compile_record();
  GrammarMatcher matcher(compiled), other(compiled);
  BatchMatcher batch({.prefetch = true});
  const auto tokens = compiled.tokenizer_info().tokenize(R"({"id": 38)");
  ASSERT_TRUE(tokens.has_value());
  std::vector<GrammarMatcher*> rows{&matcher, nullptr};
  std::vector<Step> steps(2);
  std::uint64_t masks = 0;
  for (const std::uint32_t token : *tokens) {
    ASSERT_EQ(batch.accept_tokens(rows, std::vector<std::uint32_t>{token, 0}, steps), Step::kOk);
    ASSERT_EQ(steps[0], Step::kOk);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!matcher.state_stats().mask_known && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    ASSERT_TRUE(matcher.state_stats().mask_known);
    EXPECT_GE(compiled.stats().masks, masks);
    masks = compiled.stats().masks;
  }
  EXPECT_GT(masks, 0U);
}

TEST(BatchPrefetch, MayBeDestroyedAtAnyTime) {
  for (int i = 0; i < 50; ++i) {
    std::vector<Step> steps(1);
    GrammarMatcher matcher(compile(byte_vocabulary({}), "root ::= [a-z]* \"!\""));
    BatchMatcher batch({.threads = 2, .prefetch = true});
    GrammarMatcher* row = &matcher;
    const std::uint32_t token = 'a';
    EXPECT_EQ(batch.accept_tokens({&row, 1}, {&token, 1}, steps), Step::kOk);
  }
}

}  // namespace
}  // namespace weir
