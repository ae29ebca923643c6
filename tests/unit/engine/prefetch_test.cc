// Prefetching: BatchMatcher makes the masks of new states on threads of its own. And the batch's own bitmasks, which they
// write.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <vector>

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
// With kOwn, the masks are those in the batch's memory.
enum class Masks { kOfCaller, kOwn };
std::uint64_t batch_walk(const CompiledGrammar& compiled, const BatchOptions& options, std::uint32_t seed,
                         const MatcherOptions& of_rows = {}, Masks masks = Masks::kOfCaller) {
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
    if (masks == Masks::kOwn) {
      std::span<const std::uint32_t> own;
      EXPECT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
      EXPECT_EQ(own.size(), bitmasks.size());
      std::ranges::copy(own, bitmasks.begin());
    } else {
      EXPECT_EQ(batch.fill_next_token_bitmasks(rows, bitmasks, steps), Step::kOk);
    }
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
    EXPECT_EQ(batch_walk(compile_record(), {}, seed, {}, Masks::kOwn), alone);
    EXPECT_EQ(batch_walk(compile_record(), {.threads = 3, .prefetch = true}, seed, {}, Masks::kOwn), alone);
  }
}

TEST(BatchPrefetch, DoesNotChangeResultsOfOtherKindsOfRows) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "ba", " a"});
  for (const std::string_view grammar :
       {R"_(root ::= (@max_tokens(3: "<" [a-z]* ">") "!")*)_",
        "root ::= @greedy(/[ab]+/) (\" \" @greedy(/[ab]+/))* <tool>?", "root ::= \"a\"* <tool> \"b\"*"}) {
    const std::uint64_t alone = batch_walk(compile(tokenizer, grammar), {}, 7);
    EXPECT_EQ(batch_walk(compile(tokenizer, grammar), {.prefetch = true}, 7), alone) << grammar;
    EXPECT_EQ(batch_walk(compile(tokenizer, grammar), {.prefetch = true}, 7, {}, Masks::kOwn), alone) << grammar;
  }
  MatcherOptions budget;
  budget.max_tokens = 60;
  const std::uint64_t within_budget = batch_walk(compile_record(), {}, 5, budget);
  EXPECT_EQ(batch_walk(compile_record(), {.prefetch = true}, 5, budget), within_budget);
  EXPECT_EQ(batch_walk(compile_record(), {.prefetch = true}, 5, budget, Masks::kOwn), within_budget);
  // Canonical tokens, and a stop token of the matcher's own.
  MatcherOptions canonical;
  canonical.tokenization = Tokenization::kCanonical;
  MatcherOptions stops;
  stops.stop_token_ids = {{300}};
  for (const MatcherOptions& of_rows : {canonical, stops}) {
    EXPECT_EQ(batch_walk(compile_record(), {.prefetch = true}, 6, of_rows, Masks::kOwn),
              batch_walk(compile_record(), {}, 6, of_rows));
  }
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

TEST(BatchOwnMasks, RefuseKeysThatTheTextHas) {
  // The state of both matchers is the same, but one text has the key `a`.
  const CompiledGrammar compiled =
      *GrammarCompiler(byte_vocabulary({})).compile_json_schema(R"({"additionalProperties": {"type": "null"}})");
  GrammarMatcher first(compiled), second(compiled);
  ASSERT_EQ(first.accept_text(R"({"a":null,"b":null,")"), Step::kOk);
  ASSERT_EQ(second.accept_text(R"({"b":null,"c":null,")"), Step::kOk);
  BatchMatcher batch({.prefetch = true});
  std::vector<GrammarMatcher*> rows{&first, &second};
  std::vector<Step> steps(2);
  const std::size_t words = bitmask_words(compiled.tokenizer_info().vocab_size());
  for (int i = 0; i < 3; ++i) {
    std::span<const std::uint32_t> own;
    ASSERT_EQ(batch.accept_tokens(rows, std::vector<std::uint32_t>{'a', 'a'}, steps), Step::kOk);
    ASSERT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
    EXPECT_FALSE(bitmask_get(own.first(words), '"'));
    EXPECT_TRUE(bitmask_get(own.subspan(words), '"'));
    ASSERT_EQ(first.rollback(1), Step::kOk);
    ASSERT_EQ(second.rollback(1), Step::kOk);
  }
}

TEST(BatchOwnMasks, RowsMayChangePlacesAndNumber) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab"});
  GrammarMatcher letter(compile(tokenizer, "root ::= [a-z]* \"!\"")), digit(compile(tokenizer, "root ::= [0-9]+"));
  const std::size_t words = bitmask_words(tokenizer.vocab_size());
  std::vector<std::uint32_t> of_letter(words), of_digit(words);
  ASSERT_EQ(letter.fill_next_token_bitmask(of_letter), Step::kOk);
  ASSERT_EQ(digit.fill_next_token_bitmask(of_digit), Step::kOk);
  BatchMatcher batch({.threads = 2, .prefetch = true});
  const auto masks_of = [&](const std::vector<GrammarMatcher*>& rows) {
    std::vector<Step> steps(rows.size());
    std::span<const std::uint32_t> own;
    EXPECT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
    EXPECT_EQ(own.size(), rows.size() * words);
    std::vector<std::vector<std::uint32_t>> masks;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(steps[row], Step::kOk);
      masks.emplace_back(own.begin() + static_cast<std::ptrdiff_t>(row * words),
                         own.begin() + static_cast<std::ptrdiff_t>((row + 1) * words));
    }
    return masks;
  };
  const std::vector<std::uint32_t> all(words, UINT32_MAX);
  using Rows = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(masks_of({&letter, &digit}), (Rows{of_letter, of_digit}));
  EXPECT_EQ(masks_of({&digit, &letter}), (Rows{of_digit, of_letter}));
  EXPECT_EQ(masks_of({nullptr, &digit, &letter}), (Rows{all, of_digit, of_letter}));
  EXPECT_EQ(masks_of({&letter}), (Rows{of_letter}));
  EXPECT_EQ(masks_of({&digit, nullptr}), (Rows{of_digit, all}));
  // A matcher that is terminated, and calls that do not fit.
  std::vector<GrammarMatcher*> rows{&letter, &digit};
  ASSERT_EQ(letter.accept_text("!"), Step::kOk);
  ASSERT_EQ(letter.accept_token(tokenizer.stop_token_ids().front()), Step::kOk);
  std::vector<Step> steps(2);
  std::span<const std::uint32_t> own;
  ASSERT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
  EXPECT_EQ(steps, (std::vector<Step>{Step::kTerminated, Step::kOk}));
  EXPECT_TRUE(std::ranges::all_of(own.first(words), [](std::uint32_t word) { return word == 0; }));
  EXPECT_EQ(batch.next_token_bitmasks(rows, std::span(steps).first(1), own), Step::kBadArgument);
  EXPECT_TRUE(own.empty());
  rows = {nullptr, nullptr};
  EXPECT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
  EXPECT_TRUE(own.empty());
}

TEST(BatchOwnMasks, VocabulariesOfOtherSizes) {
  BatchMatcher batch({.prefetch = true});
  GrammarMatcher small(compile(byte_vocabulary({}), "root ::= \"a\""));
  GrammarMatcher large(compile(TokenizerInfo::builtin(), "root ::= \"a\""));
  for (int i = 0; i < 3; ++i) {
    for (GrammarMatcher* matcher : {&small, &large}) {
      const std::size_t vocab_size = matcher->compiled_grammar().tokenizer_info().vocab_size();
      std::vector<std::uint32_t> expected(bitmask_words(vocab_size));
      ASSERT_EQ(matcher->fill_next_token_bitmask(expected), Step::kOk);
      std::vector<Step> steps(1);
      std::span<const std::uint32_t> own;
      ASSERT_EQ(batch.next_token_bitmasks({&matcher, 1}, steps, own), Step::kOk);
      EXPECT_TRUE(std::ranges::equal(own, expected));
    }
  }
  std::vector<GrammarMatcher*> rows{&small, &large};
  std::vector<Step> steps(2);
  std::span<const std::uint32_t> own;
  ASSERT_EQ(batch.next_token_bitmasks(rows, steps, own), Step::kOk);
  EXPECT_EQ(steps, (std::vector<Step>{Step::kOk, Step::kBadArgument}));
  EXPECT_TRUE(std::ranges::all_of(own.last(own.size() / 2), [](std::uint32_t word) { return word == 0; }));
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
