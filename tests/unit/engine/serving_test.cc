// Functions for servers: mask ids, draft trees, batches, the cache of compiled grammars.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "unit/engine/engine_testing.h"
#include "weir/batch.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;

constexpr std::string_view kList = "root ::= \"[\" (item (\",\" item)*)? \"]\"\nitem ::= /[a-z]+/ | root";

std::vector<std::uint32_t> words_of(GrammarMatcher& matcher) {
  std::vector<std::uint32_t> words(bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size()));
  EXPECT_EQ(matcher.fill_next_token_bitmask(words), Step::kOk);
  return words;
}

TEST(MaskIds, EqualIdsHaveEqualMasks) {
  const CompiledGrammar compiled = compile(byte_vocabulary({"[[", "a,", "],"}), kList);
  std::map<std::uint64_t, std::vector<std::uint32_t>> masks;
  std::size_t asked = 0;
  for (const std::string_view text : {"[", "[[", "[a", "[ab", "[abc", "[a,", "[a,[", "[[a", "[[a,b]", "[[],", "[]"}) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    const std::optional<std::uint64_t> id = matcher.next_token_mask_id();
    ASSERT_TRUE(id.has_value());
    const auto [known, is_new] = masks.try_emplace(*id, words_of(matcher));
    EXPECT_EQ(known->second, words_of(matcher)) << text;
    ++asked;
  }
  EXPECT_LT(masks.size(), asked);
  GrammarMatcher ended(compiled);
  ASSERT_EQ(ended.accept_bytes("[]"), Step::kOk);
  ASSERT_EQ(ended.accept_token(compiled.tokenizer_info().stop_token_ids()[0]), Step::kOk);
  EXPECT_FALSE(ended.next_token_mask_id().has_value());
}

TEST(MaskIds, AFreshCacheGivesNoOldIdToAnotherMask) {
  Limits limits;
  limits.state_memory = 1;  // every call explores again
  const CompiledGrammar compiled = compile(byte_vocabulary({}), kList, limits);
  std::map<std::uint64_t, std::vector<std::uint32_t>> masks;
  for (const std::string_view text : {"[", "[a", "[a,", "[]", "[", "[a"}) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    const std::optional<std::uint64_t> id = matcher.next_token_mask_id();
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(masks.try_emplace(*id, words_of(matcher)).first->second, words_of(matcher));
  }
}

TEST(MaskIds, AMaskWithoutUsedKeysIsThatTextsAlone) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto compiled = GrammarCompiler(tokenizer).compile_json_schema(R"({"type":"object"})");
  ASSERT_TRUE(compiled.has_value());
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_bytes(R"({"a":1)"), Step::kOk);
  EXPECT_TRUE(matcher.next_token_mask_id().has_value());
  ASSERT_EQ(matcher.accept_bytes(R"(,"a)"), Step::kOk);
  EXPECT_FALSE(matcher.next_token_mask_id().has_value()) << "the quote would end a key that has been";
  ASSERT_EQ(matcher.accept_bytes("b"), Step::kOk);
  EXPECT_TRUE(matcher.next_token_mask_id().has_value());
}

TEST(DraftTrees, RowsAreThoseOfForksAlongEachPath) {
  const CompiledGrammar compiled = compile(byte_vocabulary({"[[", "a,", "],"}), kList);
  const std::uint32_t stop = compiled.tokenizer_info().stop_token_ids()[0];
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes("["), Step::kOk);
  //                                          0    1    2    3    4     5    6    7    8
  const std::vector<std::uint32_t> tokens = {'a', ']', '[', ',', stop, 'b', ']', 'x', 'z'};
  const std::vector<std::int32_t> parents = {-1, -1, -1, 0, 1, 3, 5, 4, 4};
  const std::size_t words = bitmask_words(compiled.tokenizer_info().vocab_size());
  std::vector<std::uint32_t> rows(tokens.size() * words, 7);
  std::vector<Step> steps(tokens.size(), Step::kBadArgument);
  ASSERT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, rows, steps), Step::kOk);
  EXPECT_EQ(matcher.step_count(), 1U);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::vector<std::uint32_t> path;
    for (std::int32_t node = static_cast<std::int32_t>(i); node >= 0; node = parents[static_cast<std::size_t>(node)]) {
      path.insert(path.begin(), tokens[static_cast<std::size_t>(node)]);
    }
    GrammarMatcher fork = matcher.fork();
    Step step = Step::kOk;
    for (const std::uint32_t token : path) step = fork.accept_token(token);
    EXPECT_EQ(steps[i], step) << i;
    std::vector<std::uint32_t> expected(words);
    if (step == Step::kOk) (void)fork.fill_next_token_bitmask(expected);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * words)))
        << i;
  }
}

TEST(DraftTrees, NodesAfterARefusedNodeAreRefused) {
  const CompiledGrammar compiled = compile(byte_vocabulary({}), kList);
  GrammarMatcher matcher(compiled);
  const std::size_t words = bitmask_words(compiled.tokenizer_info().vocab_size());
  std::vector<std::uint32_t> rows(3 * words, 7);
  std::vector<Step> steps(3);
  const std::vector<std::uint32_t> tokens = {'x', '[', '['};
  const std::vector<std::int32_t> parents = {-1, 0, -1};
  ASSERT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, rows, steps), Step::kOk);
  EXPECT_EQ(steps, (std::vector<Step>{Step::kRefused, Step::kRefused, Step::kOk}));
  EXPECT_EQ(bitmask_count(std::span(rows).first(2 * words)), 0U);
  EXPECT_NE(bitmask_count(std::span(rows).last(words)), 0U);
}

TEST(DraftTrees, BadShapesAndParentsWriteNothing) {
  GrammarMatcher matcher(compile(byte_vocabulary({}), kList));
  const std::size_t words = bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size());
  std::vector<std::uint32_t> rows(2 * words, 7);
  std::vector<Step> steps(2);
  const std::vector<std::uint32_t> tokens = {'[', '['};
  const std::vector<std::uint32_t> untouched = rows;
  for (const std::vector<std::int32_t>& parents :
       std::vector<std::vector<std::int32_t>>{{-1}, {-1, 1}, {0, -1}, {-2, 0}}) {
    EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, rows, steps), Step::kBadArgument);
  }
  const std::vector<std::int32_t> parents = {-1, 0};
  EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, std::span(rows).first(words), steps), Step::kBadArgument);
  EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, rows, std::span(steps).first(1)), Step::kBadArgument);
  EXPECT_EQ(rows, untouched);
  EXPECT_EQ(matcher.fill_draft_tree_bitmasks({}, {}, {}, {}), Step::kOk);
}

// Two residuals may refer to each other in the data about their common part and about most characters.
TEST(Facts, ResidualsThatWouldDescribeOneAnother) {
  for (const std::string_view pattern :
       {"([A-Z0-9 ]|[a-y!-/:-@][A-Z0-9 ]*[a-y!-/:-@])*", "([A-Z0-9 ]|[a-z][A-Z0-9 ]*[a-z])*"}) {
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_regex(pattern);
    ASSERT_TRUE(compiled.has_value());
    for (const std::string_view text : {"", "A", "a", "Aa B", "aB "}) {
      GrammarMatcher matcher(*compiled);
      ASSERT_EQ(matcher.accept_bytes(text), Step::kOk);
      (void)mask_of(matcher);  // compares with each token by itself
    }
  }
}

class Batches : public testing::TestWithParam<unsigned> {};

TEST_P(Batches, RowsAreThoseOfSingleCalls) {
  const CompiledGrammar compiled = compile(byte_vocabulary({"[[", "a,", "],"}), kList);
  const std::size_t words = bitmask_words(compiled.tokenizer_info().vocab_size());
  constexpr std::size_t kRows = 37;
  std::vector<GrammarMatcher> matchers(kRows, GrammarMatcher(compiled));
  std::vector<GrammarMatcher*> pointers;
  for (GrammarMatcher& matcher : matchers) pointers.push_back(&matcher);
  pointers[5] = nullptr;
  BatchMatcher batch(GetParam());
  std::vector<std::uint32_t> rows(kRows * words);
  std::vector<Step> steps(kRows);
  std::vector<std::uint32_t> tokens(kRows);
  for (int round = 0; round < 20; ++round) {
    std::fill(rows.begin(), rows.end(), 7);
    ASSERT_EQ(batch.fill_next_token_bitmasks(pointers, rows, steps), Step::kOk);
    for (std::size_t i = 0; i < kRows; ++i) {
      EXPECT_EQ(steps[i], Step::kOk);
      const std::span<const std::uint32_t> row = std::span(rows).subspan(i * words, words);
      if (pointers[i] == nullptr) {
        EXPECT_EQ(row[0], 7U);
        continue;
      }
      EXPECT_TRUE(std::ranges::equal(words_of(matchers[i]), row));
      tokens[i] = (i + static_cast<std::size_t>(round)) % 3 == 0 ? '[' : 'a';
    }
    std::vector<bool> allowed(kRows);
    for (std::size_t i = 0; i < kRows; ++i) allowed[i] = matchers[i].is_token_allowed(tokens[i]);
    ASSERT_EQ(batch.accept_tokens(pointers, tokens, steps), Step::kOk);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Step expected = allowed[i] || pointers[i] == nullptr ? Step::kOk : Step::kRefused;
      EXPECT_EQ(steps[i], expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Batches, testing::Values(1U, 2U, 4U, 0U));

TEST(BatchShapes, SizesMustFitTogether) {
  GrammarMatcher matcher(compile(byte_vocabulary({}), kList));
  GrammarMatcher* const pointer = &matcher;
  BatchMatcher batch;
  std::vector<std::uint32_t> rows(bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size()));
  std::vector<Step> steps(1);
  EXPECT_EQ(batch.fill_next_token_bitmasks({&pointer, 1}, rows, {}), Step::kBadArgument);
  EXPECT_EQ(batch.fill_next_token_bitmasks({}, rows, {}), Step::kBadArgument);
  EXPECT_EQ(batch.fill_next_token_bitmasks({}, {}, {}), Step::kOk);
  EXPECT_EQ(batch.accept_tokens({&pointer, 1}, {}, steps), Step::kBadArgument);
  rows.push_back(0);
  EXPECT_EQ(batch.fill_next_token_bitmasks({&pointer, 1}, rows, steps), Step::kOk);
  EXPECT_EQ(steps[0], Step::kBadArgument);
}

TEST(Cache, TheSameTextAndOptionsAreTheSameGrammar) {
  const GrammarCompiler compiler(byte_vocabulary({}));
  const auto a = compiler.compile_regex("[a-z]+");
  const auto b = compiler.compile_regex("[a-z]+");
  const auto c = compiler.compile_regex("[a-z]+", {.ignore_case = true});
  const auto d = compiler.compile_json_schema("true");
  const auto e = compiler.compile_json_schema("true", {.documents = {{"x:y", "{}"}}});
  ASSERT_TRUE(a && b && c && d && e);
  EXPECT_EQ(a->impl(), b->impl());
  EXPECT_NE(a->impl(), c->impl());
  EXPECT_NE(d->impl(), e->impl());
  EXPECT_FALSE(compiler.compile_regex("[a-z").has_value());
  EXPECT_FALSE(compiler.compile_regex("[a-z").has_value());
  const CacheStats stats = compiler.cache_stats();
  EXPECT_EQ(stats.hits, 1U);
  EXPECT_EQ(stats.misses, 6U);
  EXPECT_EQ(stats.entries, 4U) << "errors are not kept";
  EXPECT_GT(stats.memory_bytes, 0U);
  compiler.clear_cache();
  EXPECT_EQ(compiler.cache_stats().entries, 0U);
  EXPECT_NE(compiler.compile_regex("[a-z]+")->impl(), a->impl());
}

TEST(Cache, TheEmptyTextIsNotTakenForAnyJsonValue) {
  const GrammarCompiler compiler(byte_vocabulary({}));
  ASSERT_TRUE(compiler.compile_json().has_value());
  ASSERT_TRUE(compiler.compile_json_object().has_value());
  EXPECT_NE(compiler.compile_json()->impl(), compiler.compile_json_object()->impl());
  EXPECT_FALSE(compiler.compile_json_schema("").has_value());
}

TEST(Cache, TheLeastRecentlyUsedIsForgottenFirst) {
  Limits limits;
  limits.cache_memory = 0;
  const GrammarCompiler without(byte_vocabulary({}), limits);
  EXPECT_NE(without.compile_regex("a")->impl(), without.compile_regex("a")->impl());
  limits.cache_memory = std::size_t{1} << 20;
  const GrammarCompiler measuring(byte_vocabulary({}), limits);
  (void)measuring.compile_regex("a").value();
  limits.cache_memory = measuring.cache_stats().memory_bytes * 5 / 2;  // enough for two grammars
  const GrammarCompiler compiler(byte_vocabulary({}), limits);
  const auto a = compiler.compile_regex("a").value().impl();
  const auto b = compiler.compile_regex("b").value().impl();
  EXPECT_EQ(compiler.compile_regex("a").value().impl(), a);
  (void)compiler.compile_regex("c").value();
  EXPECT_EQ(compiler.cache_stats().evictions, 1U);
  EXPECT_EQ(compiler.compile_regex("a").value().impl(), a);
  EXPECT_NE(compiler.compile_regex("b").value().impl(), b);
}

TEST(Cache, WhatGrowsInUseIsCountedAgainAsOthersAreAdded) {
  constexpr int kGrammars = 40;
  const auto pattern = [](int i) { return "x{" + std::to_string(i) + "}[a-z]*"; };
  Limits limits;
  limits.cache_memory = std::size_t{1} << 30;
  const GrammarCompiler measuring(byte_vocabulary({}), limits);
  for (int i = 1; i <= kGrammars; ++i) ASSERT_TRUE(measuring.compile_regex(pattern(i)).has_value());
  limits.cache_memory = measuring.cache_stats().memory_bytes + 40'000;
  const GrammarCompiler compiler(byte_vocabulary({}), limits);
  for (int i = 1; i <= kGrammars; ++i) {
    GrammarMatcher matcher(compiler.compile_regex(pattern(i)).value());
    ASSERT_EQ(matcher.accept_bytes(std::string(static_cast<std::size_t>(i), 'x') + "abc"), Step::kOk);
    std::vector<std::uint32_t> mask(bitmask_words(compiler.tokenizer_info().vocab_size()));
    ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  }
  EXPECT_GT(compiler.cache_stats().memory_bytes, limits.cache_memory) << "they have grown";
  for (int i = 1; i <= 10; ++i) (void)compiler.compile_regex("y{" + std::to_string(i) + "}").value();
  EXPECT_GT(compiler.cache_stats().evictions, 0U);
  EXPECT_LE(compiler.cache_stats().memory_bytes, limits.cache_memory);
}

TEST(Cache, ThreadsThatAskForOneGrammarShareIt) {
  const GrammarCompiler compiler(byte_vocabulary({}));
  std::vector<std::shared_ptr<engine::Compiled>> found(8);
  std::vector<std::thread> threads;
  for (auto& impl : found) {
    threads.emplace_back([&compiler, &impl] {
      for (int i = 0; i < 50; ++i) impl = compiler.compile_ebnf(kList).value().impl();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& impl : found) EXPECT_EQ(impl, found[0]);
  EXPECT_EQ(compiler.cache_stats().misses, 1U);
}

}  // namespace
}  // namespace weir
