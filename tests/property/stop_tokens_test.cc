// Matchers with stop tokens of their own must behave like matchers of a tokenizer with these stop tokens and, for
// grammars that the oracle supports, agree with the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>

#include "oracle/random_grammar.h"
#include "property/harness.h"
#include "rounds.h"
#include "shared_data.h"

namespace weir::testing {
namespace {

using StopTokens = std::vector<std::uint32_t>;

// A small vocabulary: tokens of a few characters, some with quotes, three special tokens in the middle, and padding.
struct World {
  static constexpr std::uint32_t kPadded = 40;
  VocabSpec spec;
  explicit World(bool drops_leading_space, const StopTokens& stops = {}) {
    spec.tokens = {"a",   "b",     "ab",    "ba",      "aab", "c",   " ", " a", "\"",        "\"a", "a\"",
                   "\":", "{",     "}",     ",",       "{\"", "\"}", "1", "2",  "12",        ":",   "\",\"",
                   "",    "<one>", "<two>", "<three>", "\n",  "abc", "[", "]",  "\"b\":1,\""};
    spec.special_token_ids = {23, 24, 25};
    spec.stop_token_ids = stops;
    spec.drops_leading_space = drops_leading_space;
  }
  [[nodiscard]] TokenizerInfo tokenizer() const {
    Result<TokenizerInfo> made = TokenizerInfo::from_vocab(spec, {.padded_vocab_size = kPadded});
    EXPECT_TRUE(made.has_value());
    return *made;
  }
};

const std::vector<std::string> kGrammars = {
    "root ::= [ab]*",
    "root ::= \"a\" root \"b\" | \"\"",
    "root ::= \"a\"+ (<one> \"b\")* | <two>",
    "root ::= (<[0-4]> | <three>)* \"c\"?",
    "root ::= !<[0-4]>* \"a\"",
    "root ::= !<one>+ <two>?",
    "root ::= !<[0-24]>",
    "root ::= \"a\" <one> | \"ab\" <two>+ \"b\"",
    "root ::= @greedy(/[ab]+/) (\"b\" | \"-\" | <one>)",
    "root ::= @greedy(/a+/) <two>? (<one> \"b\")?",
    "root ::= @lazy(/[ab]*c/) [ab]*",
    "root ::= @capture(x: [ab]+) @capture(y: !<one>) \"a\"?",
    "root ::= x <one>* x\nx ::= @capture(x: \"ab\"* \"b\"?) <[34]>?",
    "root ::= \"[\" (item (\",\" item)*)? \"]\"\nitem ::= [a-c]+ | root",
    "root ::= <[35-39]>? \"a\"* !<[36]>?",
};

const std::vector<std::string> kSchemas = {
    R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}})",
    R"({"type": "array", "items": {"enum": ["a", "b", "ab", 1, 12]}})",
    R"({"type": "array", "items": {"type": "string", "pattern": "^[ab]*$"}, "uniqueItems": true})",
};

StopTokens random_stops(std::minstd_rand& random) {
  StopTokens all(World::kPadded);
  for (std::uint32_t token = 0; token < all.size(); ++token) all[token] = token;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(1 + random() % 4);
  return all;
}

// Checks that two matchers in their present states give the same answers.
void compare(GrammarMatcher& actual, GrammarMatcher& expected) {
  ASSERT_EQ(actual.is_terminated(), expected.is_terminated());
  ASSERT_EQ(actual.text(), expected.text());
  ASSERT_EQ(actual.captures(), expected.captures());
  if (actual.is_terminated()) return;
  const oracle::Vocabulary vocabulary = vocabulary_of(expected.compiled_grammar().tokenizer_info());
  const std::vector<bool> mask = mask_of(expected);
  ASSERT_EQ(mask_of(actual), mask) << shown(actual.text()) << difference(mask_of(actual), mask, vocabulary);
  ASSERT_EQ(actual.is_completed(), expected.is_completed());
  for (std::uint32_t token = 0; token < mask.size(); ++token) {
    ASSERT_EQ(actual.is_token_allowed(token), mask[token]) << token;
    const TokenExplanation why = actual.explain(token);
    ASSERT_EQ(why.allowed, mask[token]);
    ASSERT_EQ(why.reason, expected.explain(token).reason);
  }
  ASSERT_EQ(actual.find_jump_forward_string(), expected.find_jump_forward_string());
  ASSERT_EQ(actual.shortest_completion_parts(), expected.shortest_completion_parts());
}

// Follows a random output in both matchers, with rollbacks, and compares them at each step. Adds each mask to `masks`
// under its id, and checks that an id stands for one mask.
void walk(GrammarMatcher& actual, GrammarMatcher& expected, std::minstd_rand& random,
          std::map<std::uint64_t, std::vector<bool>>& masks) {
  for (int step = 0; step < 14; ++step) {
    compare(actual, expected);
    if (::testing::Test::HasFatalFailure()) return;
    if (actual.is_terminated() || random() % 5 == 0) {
      const std::size_t back = random() % (actual.step_count() + 1);
      ASSERT_EQ(actual.rollback(back), Step::kOk);
      ASSERT_EQ(expected.rollback(back), Step::kOk);
      if (random() % 2 == 0) actual = actual.fork();
      continue;
    }
    const std::vector<bool> mask = mask_of(actual);
    if (const auto id = actual.next_token_mask_id()) {
      ASSERT_EQ(masks.try_emplace(*id, mask).first->second, mask) << "one id for two masks";
    }
    const std::vector<std::uint32_t> tokens = tokens_of(mask);
    if (tokens.empty()) return;
    const std::uint32_t token =
        random() % 8 == 0 ? static_cast<std::uint32_t>(random() % mask.size()) : tokens[random() % tokens.size()];
    ASSERT_EQ(actual.accept_token(token), expected.accept_token(token)) << token;
  }
}

using Compile = std::function<Result<CompiledGrammar>(GrammarCompiler&)>;

std::vector<Compile> compiles() {
  std::vector<Compile> all;
  for (const std::string& text : kGrammars) {
    all.emplace_back([&text](GrammarCompiler& compiler) { return compiler.compile_ebnf(text); });
  }
  for (const std::string& text : kSchemas) {
    all.emplace_back([&text](GrammarCompiler& compiler) { return compiler.compile_json_schema(text); });
  }
  return all;
}

class MatcherStopTokens : public ::testing::TestWithParam<bool> {};

TEST_P(MatcherStopTokens, AreThoseOfATokenizerThatHasThem) {
  std::minstd_rand random(GetParam() ? 5 : 7);
  std::size_t walks = 0;
  std::size_t refused = 0;
  for (const Compile& compile : compiles()) {
    for (int round = 0; round < tests::rounds(4); ++round) {
      GrammarCompiler compiler(World(GetParam(), random_stops(random)).tokenizer());
      const Result<CompiledGrammar> compiled = compile(compiler);
      if (!compiled.has_value()) continue;  // the complement contains no token
      std::map<std::uint64_t, std::vector<bool>> masks;
      for (int i = 0; i < 4; ++i) {
        const StopTokens stops = random_stops(random);
        GrammarCompiler own(World(GetParam(), stops).tokenizer());
        const Result<CompiledGrammar> rebuilt = compile(own);
        MatcherOptions options;
        options.stop_token_ids = stops;
        Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
        ASSERT_EQ(matcher.has_value(), rebuilt.has_value());
        if (!matcher.has_value()) {
          EXPECT_EQ(matcher.error().code, ErrorCode::kUnsatisfiable);
          ++refused;
          continue;
        }
        ASSERT_TRUE(std::ranges::equal(matcher->stop_token_ids(), rebuilt->tokenizer_info().stop_token_ids()));
        GrammarMatcher expected(*rebuilt);
        walk(*matcher, expected, random, masks);
        if (HasFatalFailure()) return;
        ++walks;
      }
      GrammarMatcher plain(*compiled);
      GrammarMatcher same(*compiled);
      walk(plain, same, random, masks);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(walks, refused * 10);
  EXPECT_GT(walks, tests::rounds(200U));
}

INSTANTIATE_TEST_SUITE_P(LeadingSpace, MatcherStopTokens, ::testing::Bool());

TEST(MatcherStopTokens, AreThoseOfTheOracle) {
  std::minstd_rand random(11);
  oracle::Vocabulary vocabulary{{"a", "b", "ab", "ba", "aab", "bb", "c", "", "", "abab"}, {7}};
  GrammarCompiler compiler(make_tokenizer(vocabulary));
  int checked = 0;
  for (int round = 0; round < tests::rounds(150); ++round) {
    const oracle::GrammarCase grammar = oracle::random_nested_grammar(random, 2);
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(grammar.ebnf);
    if (!compiled.has_value()) continue;
    oracle::Earley earley(grammar.cfg);
    vocabulary.stop_tokens = {static_cast<std::uint32_t>(random() % 5), 5 + static_cast<std::uint32_t>(random() % 5)};
    MatcherOptions options;
    options.stop_token_ids = vocabulary.stop_tokens;
    GrammarMatcher matcher(*compiled, options);
    for (int step = 0; step < 6; ++step, ++checked) {
      const std::vector<bool> expected = oracle::mask(earley, vocabulary);
      const std::vector<bool> mask = mask_of(matcher);
      ASSERT_EQ(mask, expected) << grammar.ebnf << difference(mask, expected, vocabulary);
      std::vector<std::uint32_t> tokens = tokens_of(mask);
      std::erase_if(tokens, [&](std::uint32_t token) { return vocabulary.is_stop(token); });
      if (tokens.empty()) break;
      const std::uint32_t token = tokens[random() % tokens.size()];
      ASSERT_EQ(matcher.accept_token(token), Step::kOk);
      earley.push(vocabulary.tokens[token]);
    }
  }
  EXPECT_GT(checked, tests::rounds(200));
}

TEST(MatcherStopTokens, DraftsAndBatchesFollowThem) {
  std::minstd_rand random(3);
  const StopTokens stops = {1, 24};
  GrammarCompiler compiler(World(false, {25}).tokenizer());
  GrammarCompiler own(World(false, stops).tokenizer());
  const std::string grammar = "root ::= [ab]+ | <one> [ab]*";
  MatcherOptions options;
  options.stop_token_ids = stops;
  GrammarMatcher matcher(*compiler.compile_ebnf(grammar), options);
  GrammarMatcher expected(*own.compile_ebnf(grammar));
  constexpr std::size_t kNodes = 30;
  const std::size_t words = bitmask_words(World::kPadded);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint32_t> tokens;
    std::vector<std::int32_t> parents;
    for (std::size_t i = 0; i < kNodes; ++i) {
      constexpr std::uint32_t kOften[] = {0, 1, 2, 23, 24, 25};
      tokens.push_back(kOften[random() % 6]);
      parents.push_back(static_cast<std::int32_t>(random() % (i + 1)) - 1);
    }
    std::vector<std::uint32_t> masks(kNodes * words), expected_masks(kNodes * words);
    std::vector<Step> steps(kNodes), expected_steps(kNodes);
    ASSERT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, masks, steps), Step::kOk);
    ASSERT_EQ(expected.fill_draft_tree_bitmasks(tokens, parents, expected_masks, expected_steps), Step::kOk);
    ASSERT_EQ(masks, expected_masks);
    ASSERT_EQ(steps, expected_steps);
  }
  BatchMatcher batch(2);
  GrammarMatcher plain(matcher.compiled_grammar());
  std::vector<GrammarMatcher*> rows = {&matcher, &plain, &expected};
  std::vector<std::uint32_t> accepted = {0, 0, 0};
  std::vector<Step> steps(3);
  ASSERT_EQ(batch.accept_tokens(rows, accepted, steps), Step::kOk);
  std::vector<std::uint32_t> masks(3 * words);
  ASSERT_EQ(batch.fill_next_token_bitmasks(rows, masks, steps), Step::kOk);
  EXPECT_TRUE(std::equal(masks.begin(), masks.begin() + words, masks.begin() + 2 * words));
  EXPECT_FALSE(std::equal(masks.begin(), masks.begin() + words, masks.begin() + words));
}

// Matchers share masks: a mask that one matcher computed is known to the next one, even with other stop tokens.
TEST(MatcherStopTokens, ShareMasks) {
  GrammarCompiler compiler(World(false, {25}).tokenizer());
  const CompiledGrammar compiled = *compiler.compile_ebnf("root ::= [ab]+ \"c\"");
  MatcherOptions options;
  GrammarMatcher plain(compiled, options);
  const auto id = plain.next_token_mask_id();
  const std::uint64_t masks = compiled.stats().masks;
  options.stop_token_ids = {23, 24};
  GrammarMatcher own(compiled, options);
  EXPECT_EQ(own.next_token_mask_id(), id) << "no stop token may come, so it is the same mask";
  ASSERT_EQ(mask_of(own), mask_of(plain));
  EXPECT_EQ(compiled.stats().masks, masks);
  ASSERT_EQ(plain.accept_string("abc"), Step::kOk);
  ASSERT_EQ(own.accept_string("abc"), Step::kOk);
  EXPECT_EQ(tokens_of(mask_of(plain)), (std::vector<std::uint32_t>{25}));
  EXPECT_EQ(tokens_of(mask_of(own)), (std::vector<std::uint32_t>{23, 24}));
  EXPECT_NE(own.next_token_mask_id(), plain.next_token_mask_id());
}

TEST(MatcherStopTokens, AreChecked) {
  GrammarCompiler compiler(World(false, {25}).tokenizer());
  const CompiledGrammar compiled = *compiler.compile_ebnf("root ::= \"a\"");
  const auto error_of = [&](const CompiledGrammar& grammar, const StopTokens& stops) {
    MatcherOptions options;
    options.stop_token_ids = stops;
    const Result<GrammarMatcher> made = GrammarMatcher::create(grammar, options);
    EXPECT_FALSE(made.has_value());
    GrammarMatcher refused(grammar, options);
    EXPECT_EQ(refused.accept_token(0), Step::kBadArgument);
    return made.has_value() ? Error{} : made.error();
  };
  EXPECT_EQ(error_of(compiled, {}).message, "`stop_token_ids` is empty: no token could end the output");
  const Error range = error_of(compiled, {1, 40});
  EXPECT_EQ(range.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(range.message, "stop token 40 is out of range: the vocabulary has 40 tokens");
  EXPECT_EQ(range.where.start, 1U);
  EXPECT_EQ(range.where.end, 2U);
  const Error twice = error_of(compiled, {7, 1, 7});
  EXPECT_EQ(twice.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(twice.message, "stop token 7 is listed twice");
  EXPECT_EQ(twice.where.start, 2U);
  const CompiledGrammar bounded = *compiler.compile_ebnf("root ::= @max_tokens(3: [ab]*) \"c\"");
  EXPECT_EQ(error_of(bounded, {0}).code, ErrorCode::kUnsupported);
  MatcherOptions special;
  special.stop_token_ids = {23};
  EXPECT_TRUE(GrammarMatcher::create(bounded, special).has_value());
  const CompiledGrammar one = *compiler.compile_ebnf("root ::= !<[0-22]> | \"a\"");
  const CompiledGrammar none_left = *compiler.compile_ebnf("root ::= !<[0-22, 24-39]> | \"a\"");
  EXPECT_TRUE(GrammarMatcher::create(one, special).has_value());
  EXPECT_EQ(error_of(none_left, {23}).code, ErrorCode::kUnsatisfiable);
  MatcherOptions canonical;
  canonical.tokenization = Tokenization::kCanonical;
  canonical.stop_token_ids = {0};
  const CompiledGrammar builtin = *GrammarCompiler(TokenizerInfo::builtin()).compile_ebnf("root ::= \"a\"");
  const Result<GrammarMatcher> text = GrammarMatcher::create(builtin, canonical);
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, ErrorCode::kUnsupported);
}

// Checks that a matcher of a real vocabulary with the stop tokens `stops` gives the same masks as a matcher of
// `rebuilt`, which is the vocabulary with these stop tokens.
void check_real(const TokenizerInfo& tokenizer, const TokenizerInfo& rebuilt, const StopTokens& stops,
                Tokenization tokenization) {
  const std::string schema = R"({"type": "object", "properties": {"name": {"type": "string", "maxLength": 20},
      "tags": {"type": "array", "items": {"enum": ["red", "green"]}, "maxItems": 3}}, "required": ["name"]})";
  GrammarCompiler compiler(tokenizer);
  GrammarCompiler own(rebuilt);
  const CompiledGrammar compiled = *compiler.compile_json_schema(schema);
  const CompiledGrammar expected_grammar = *own.compile_json_schema(schema);
  MatcherOptions options;
  options.tokenization = tokenization;
  GrammarMatcher expected(expected_grammar, options);
  options.stop_token_ids = stops;
  GrammarMatcher actual(compiled, options);
  std::minstd_rand random(9);
  for (int step = 0; step < 25; ++step) {
    const std::vector<bool> mask = mask_of(expected);
    ASSERT_EQ(mask_of(actual), mask) << difference(mask_of(actual), mask, vocabulary_of(rebuilt));
    const std::vector<std::uint32_t> tokens = tokens_of(mask);
    if (tokens.empty()) break;
    const std::uint32_t token = tokens[random() % tokens.size()];
    ASSERT_EQ(actual.accept_token(token), Step::kOk);
    ASSERT_EQ(expected.accept_token(token), Step::kOk);
    ASSERT_EQ(actual.is_terminated(), expected.is_terminated());
    if (actual.is_terminated()) break;
  }
}

// A special token that ends outputs for the tokenizer, but not for the matcher, is decided apart from masks of states.
TEST(MatcherStopTokens, ABudgetThatIsLargeEnoughChangesNothing) {
  GrammarCompiler compiler(World(false, {25}).tokenizer());
  const CompiledGrammar compiled = *compiler.compile_ebnf("root ::= \"a\" !<[0-22]>? \"b\"");
  MatcherOptions options;
  options.stop_token_ids = {24};
  GrammarMatcher plain = *GrammarMatcher::create(compiled, options);
  options.max_tokens = 3;
  GrammarMatcher within = *GrammarMatcher::create(compiled, options);
  for (const std::uint32_t accepted : {0U, 25U, 1U}) {
    EXPECT_EQ(mask_of(within), mask_of(plain));
    for (std::uint32_t token = 0; token < World::kPadded; ++token) {
      EXPECT_EQ(within.is_token_allowed(token), plain.is_token_allowed(token)) << token;
    }
    ASSERT_EQ(plain.accept_token(accepted), Step::kOk);
    ASSERT_EQ(within.accept_token(accepted), Step::kOk) << accepted;
  }
  options.max_tokens = 2;  // leaves no token between `a` and `b`
  GrammarMatcher short_one = *GrammarMatcher::create(compiled, options);
  ASSERT_EQ(short_one.accept_token(0), Step::kOk);
  EXPECT_EQ(short_one.accept_token(25), Step::kRefused);
}

TEST(MatcherStopTokens, OfRealTokenizers) {
  const std::filesystem::path folder = tests::shared_data() / "tokenizers";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no tokenizers in " << folder;
  int checked = 0;
  for (const char* name : {"gpt2.tiktoken", "gguf/ggml-vocab-llama-spm.gguf"}) {
    const std::filesystem::path file = folder / name;
    if (!std::filesystem::exists(file)) continue;
    TokenizerOptions options;
    const TokenizerInfo tokenizer = *TokenizerInfo::from_file(file.string(), options);
    options.padded_vocab_size = tokenizer.vocab_size() + 40;
    const TokenizerInfo padded = *TokenizerInfo::from_file(file.string(), options);
    const std::uint32_t size = tokenizer.vocab_size();
    for (const StopTokens& stops : {StopTokens{size - 1, size + 3}, StopTokens{size / 2}}) {
      options.stop_token_ids = stops;
      const TokenizerInfo rebuilt = *TokenizerInfo::from_file(file.string(), options);
      check_real(padded, rebuilt, stops, Tokenization::kAny);
      const bool is_text = !rebuilt.token_bytes(stops.front()).empty();
      if (!is_text && rebuilt.canonical_support().has_value())
        check_real(padded, rebuilt, stops, Tokenization::kCanonical);
      if (HasFatalFailure()) return;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace weir::testing
