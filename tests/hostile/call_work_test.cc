// Limits::call_work: a call that meets it changes nothing, names it, and keeps what it has found out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work.h"
#include "engine/automaton/compiled.h"
#include "shared_data.h"
#include "unit/engine/engine_testing.h"
#include "weir/weir.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;

// Eight searches in a string: residuals are many, and each takes some search to find a member.
constexpr std::string_view kSearches =
    R"({"type": "string", "allOf": [{"pattern": "a.*a"}, {"pattern": "b.*b"}, {"pattern": "c.*c"}, {"pattern": "d.*d"},
        {"pattern": "e.*e"}, {"pattern": "f.*f"}, {"pattern": "g.*g"}, {"pattern": "h.*h"}]})";

// Compiles with the least power of two of steps that suffices for compiling, which may take five times as many as a mask.
// Sets `call_work` to it.
CompiledGrammar compile_with_few_steps(std::uint64_t& call_work) {
  for (call_work = 64;; call_work *= 2) {
    Limits limits;
    limits.call_work = call_work;
    Result<CompiledGrammar> compiled = GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(kSearches);
    if (compiled.has_value()) return *compiled;
    EXPECT_EQ(compiled.error().limit, "call_work");
  }
}

CompiledGrammar compile_with_few_steps() {
  std::uint64_t call_work = 0;
  return compile_with_few_steps(call_work);
}

CompiledGrammar compile_without_bound() {
  Limits limits;
  limits.call_work = UINT64_MAX;
  return *GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(kSearches);
}

std::vector<std::uint32_t> mask(GrammarMatcher& matcher, Step& step) {
  std::vector<std::uint32_t> bitmask(bitmask_words(matcher.compiled_grammar().tokenizer_info().vocab_size()));
  step = matcher.fill_next_token_bitmask(bitmask);
  return bitmask;
}

// Makes the call until it does not meet the limit; adds to `met` how often it did.
Step accept(GrammarMatcher& matcher, std::string_view bytes, int& met) {
  for (;; ++met) {
    const Step step = matcher.accept_bytes(bytes);
    if (step != Step::kLimitExceeded) return step;
  }
}

TEST(CallWork, ACallThatIsMadeAgainGoesOn) {
  GrammarMatcher plain(compile_without_bound());
  GrammarMatcher bounded(compile_with_few_steps());
  int met = 0;
  for (const char c : std::string("\"abcdefghabcdefgh\"")) {
    Step step{};
    const std::vector<std::uint32_t> expected = mask(plain, step);
    ASSERT_EQ(step, Step::kOk);
    std::vector<std::uint32_t> found;
    for (int attempt = 0; attempt < 10'000; ++attempt) {
      found = mask(bounded, step);
      if (step == Step::kOk) break;
      ++met;
      ASSERT_EQ(step, Step::kLimitExceeded);
      ASSERT_NE(bounded.limit_message().find("`call_work`"), std::string::npos) << bounded.limit_message();
      ASSERT_EQ(found, std::vector<std::uint32_t>(found.size())) << "a mask that is not known is all zero";
    }
    ASSERT_EQ(step, Step::kOk) << "what a call finds out is kept";
    EXPECT_EQ(found, expected) << "before " << c;
    ASSERT_EQ(plain.accept_bytes({&c, 1}), Step::kOk);
    ASSERT_EQ(accept(bounded, {&c, 1}, met), Step::kOk);
    ASSERT_EQ(bounded.step_count(), plain.step_count());
  }
  EXPECT_TRUE(bounded.is_completed());
  EXPECT_GT(met, 0);
}

TEST(CallWork, ACanonicalMaskThatIsAskedForAgainGoesOn) {
  MatcherOptions canonical;
  canonical.tokenization = Tokenization::kCanonical;
  GrammarMatcher plain = *GrammarMatcher::create(compile_without_bound(), canonical);
  const CompiledGrammar few_steps = compile_with_few_steps();
  int met = 0;
  Result<GrammarMatcher> bounded = GrammarMatcher::create(few_steps, canonical);
  for (; !bounded.has_value(); bounded = GrammarMatcher::create(few_steps, canonical)) {
    ASSERT_EQ(bounded.error().limit, "call_work");
    ASSERT_LT(++met, 10'000);
  }
  const std::vector<std::uint32_t> tokens = *TokenizerInfo::builtin().tokenize("\"abcdefghabcdefgh\"");
  for (const std::uint32_t token : tokens) {
    Step step{};
    const std::vector<std::uint32_t> expected = mask(plain, step);
    ASSERT_EQ(step, Step::kOk);
    std::vector<std::uint32_t> found = mask(*bounded, step);
    for (; step == Step::kLimitExceeded; found = mask(*bounded, step)) ASSERT_LT(++met, 10'000);
    EXPECT_EQ(found, expected) << "before " << token;
    ASSERT_EQ(plain.accept_token(token), Step::kOk);
    while ((step = bounded->accept_token(token)) == Step::kLimitExceeded) ASSERT_LT(++met, 10'000);
    ASSERT_EQ(step, Step::kOk) << token;
  }
  EXPECT_TRUE(bounded->is_completed());
  EXPECT_GT(met, 0);
}

TEST(CallWork, AMatcherThatMetItTakesOtherTokens) {
  const CompiledGrammar compiled = compile_with_few_steps();
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes("\""), Step::kLimitExceeded);
  EXPECT_NE(matcher.limit_message().find("`call_work` was exceeded in terminal `"), std::string::npos)
      << matcher.limit_message();
  EXPECT_EQ(matcher.step_count(), 0U);
  int met = 0;
  EXPECT_EQ(accept(matcher, "x", met), Step::kRefused);
  EXPECT_EQ(accept(matcher, "\"", met), Step::kOk);
  EXPECT_EQ(matcher.limit_message(), "");
  GrammarMatcher other(compiled);
  EXPECT_EQ(other.accept_bytes("\""), Step::kOk) << "what one matcher found out is known to all";
}

TEST(CallWork, AMatcherNamesTheSubschema) {
  const std::string schema = R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"items": )" +
                             std::string(kSearches) + R"(}}, "required": ["b"]})";
  Limits limits;
  for (limits.call_work = 64;; limits.call_work *= 2) {
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(schema);
    if (!compiled.has_value()) continue;
    GrammarMatcher matcher(*compiled);
    std::string messages;
    for (const char c : std::string(R"({"a": 1, "b": ["abc)")) {
      while (matcher.accept_bytes({&c, 1}) == Step::kLimitExceeded) messages += matcher.limit_message() + "\n";
    }
    EXPECT_NE(messages.find("in terminal `string` at `#/properties/b/items`;"), std::string::npos) << messages;
    break;
  }
}

TEST(CallWork, CompilingNamesItAndItsPlace) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.call_work = 10;
  const auto schema = GrammarCompiler(tokenizer, limits).compile_json_schema(kSearches);
  ASSERT_FALSE(schema.has_value());
  EXPECT_EQ(schema.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(schema.error().limit, "call_work");
  const auto ebnf = GrammarCompiler(tokenizer, limits).compile_ebnf("root ::= /.*a.*/ & /.*b.*/ & ~/.*c.*d.*/");
  ASSERT_FALSE(ebnf.has_value());
  EXPECT_EQ(ebnf.error().limit, "call_work");
  // An error of the text is reported as such.
  const auto wrong = GrammarCompiler(tokenizer, limits).compile_ebnf("root ::= " + std::string(2'000, '"'));
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().code, ErrorCode::kInternal);
}

TEST(CallWork, ATextThatIsGivenAllowsMore) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.call_work = 2'000;
  const auto compiled = GrammarCompiler(tokenizer, limits).compile_regex("[a-z]{50000}");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.accept_bytes(std::string(40'000, 'x')), Step::kOk) << matcher.limit_message();
}

// Each level of indentation makes the states of a text larger, so the text meets the limit near its beginning. The bytes
// after that place were never read and allow nothing: the limit means as much work as in a short text.
TEST(CallWork, BytesThatAreNotReadAllowNothing) {
  const auto grammar = Grammar::from_text(R"(
    start: tree
    tree: "a" _NL [_INDENT tree+ _DEDENT]
    _NL: /(\r?\n[\t ]*)+/
    %declare _INDENT _DEDENT)",
                                          {.syntax = GrammarSyntax::kLark});
  ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
  std::string text;
  for (std::size_t level = 0; level < 800; ++level) text += std::string(level, ' ') + "a\n";
  Limits limits;
  limits.call_work = 200'000;
  const auto compiled = GrammarCompiler(byte_vocabulary({}), limits).compile(*grammar);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.accept_bytes(text), Step::kLimitExceeded);
  EXPECT_LT(base::Work::last_call(), 2'000'000U) << "40 steps for each of the text's bytes are 12,800,000";
  static_cast<void>(matcher.longest_viable_prefix(text));
  EXPECT_LT(base::Work::last_call(), 2'000'000U);
  static_cast<void>(matcher.accept_text(text));
  EXPECT_LT(base::Work::last_call(), 3'000'000U);
}

// A text that is accepted as tokens, and a path of drafted tokens, are one call each, however many tokens they have.
TEST(CallWork, ATextAndADraftAreOneCallEach) {
  constexpr std::string_view kText = "\"abcdefghabcdefgh\"";
  const std::vector<std::uint32_t> tokens = *TokenizerInfo::builtin().tokenize(kText);
  ASSERT_GT(tokens.size(), 2U);
  std::vector<std::int32_t> parents;
  for (std::size_t i = 0; i < tokens.size(); ++i) parents.push_back(static_cast<std::int32_t>(i) - 1);
  const std::size_t words = bitmask_words(TokenizerInfo::builtin().vocab_size());
  const auto draft = [&](GrammarMatcher& matcher, std::vector<Step>& steps) {
    std::vector<std::uint32_t> bitmasks(tokens.size() * words);
    EXPECT_EQ(matcher.fill_draft_tree_bitmasks(tokens, parents, bitmasks, steps), Step::kOk);
    return bitmasks;
  };
  GrammarMatcher plain(compile_without_bound());
  std::vector<Step> steps(tokens.size());
  const std::vector<std::uint32_t> expected = draft(plain, steps);
  ASSERT_EQ(steps, std::vector<Step>(tokens.size(), Step::kOk));

  std::uint64_t most = 0;
  GrammarMatcher drafting(compile_with_few_steps(most));
  int calls = 0;
  std::vector<std::uint32_t> found;
  do {
    found = draft(drafting, steps);
    EXPECT_LT(base::Work::last_call(), 2 * most) << "one operation is not interrupted";
    const bool is_met = base::Work::last_call() > most;
    EXPECT_EQ(is_met, std::ranges::count(steps, Step::kLimitExceeded) != 0);
    EXPECT_EQ(drafting.step_count(), 0U);
    ASSERT_LT(++calls, 10'000) << "what a call finds out is kept";
  } while (steps.back() != Step::kOk);
  EXPECT_GT(calls, 1);
  EXPECT_EQ(found, expected);

  GrammarMatcher reading(compile_with_few_steps());
  for (calls = 1; reading.accept_text(kText) == Step::kLimitExceeded; ++calls) {
    EXPECT_EQ(reading.step_count(), 0U) << "all tokens or none";
    EXPECT_NE(reading.limit_message().find("`call_work`"), std::string::npos);
    ASSERT_LT(calls, 10'000);
  }
  EXPECT_GT(calls, 1);
  EXPECT_EQ(reading.step_count(), tokens.size());
  EXPECT_TRUE(reading.is_completed());
}

// What a matcher may take more steps for is its own text, as if it were given once more.
// Derivatives of one expression with many parts: a mask that has met the limit takes no more of them.
TEST(CallWork, AMaskOfManyPartsEnds) {
  std::string parts;
  for (int i = 0; i < 500; ++i) parts += (i > 0 ? ", " : "") + (R"({"multipleOf": )" + std::to_string(i + 7) + "}");
  Limits limits;
  limits.call_work = 300'000;
  const auto compiled =
      GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(R"({"anyOf": [)" + parts + "]}");
  ASSERT_TRUE(compiled) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  for (int i = 0; i < 3; ++i) {
    Step step{};
    mask(matcher, step);
    ASSERT_EQ(step, Step::kLimitExceeded);
    EXPECT_LT(base::Work::last_call(), 3 * limits.call_work) << "one operation is not interrupted";
  }
}

TEST(CallWork, AReplayIsCountedLikeItsText) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.call_work = 3'000;
  limits.state_memory = 1;  // states are dropped again and again
  const auto compiled = GrammarCompiler(tokenizer, limits).compile_regex("[a-z]{5000}");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  std::uint64_t most = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    ASSERT_EQ(matcher.accept_token('x'), Step::kOk) << i << matcher.limit_message();
    EXPECT_LT(base::Work::last_call(), 2 * limits.call_work + 50 * i);
    most = std::max(most, base::Work::last_call());
  }
  EXPECT_GT(most, limits.call_work) << "a replay counts";
  EXPECT_GT(compiled->stats().cache_flushes, 0U);
}

// States of which each takes many steps, and whose matcher has lost them.
TEST(CallWork, AReplayThatTakesSeveralCallsGoesOn) {
  const std::string text = "\"" + std::string(40, 'x') + "abcdefgh";
  std::uint64_t call_work = 0;
  GrammarMatcher matcher(compile_with_few_steps(call_work));
  int met = 0;
  for (const char c : text) ASSERT_EQ(accept(matcher, {&c, 1}, met), Step::kOk);
  const std::shared_ptr<engine::Compiled>& compiled = matcher.compiled_grammar().impl();
  compiled->install(compiled->successor(compiled->automaton()).automaton);
  const std::uint64_t most = 2 * call_work + 50 * text.size();
  met = 0;
  while (!matcher.is_token_allowed('"') && !matcher.limit_message().empty()) {
    EXPECT_NE(matcher.limit_message().find("goes on"), std::string::npos) << matcher.limit_message();
    EXPECT_LT(base::Work::last_call(), 2 * most) << "one operation is not interrupted";
    ASSERT_LT(++met, 1'000) << "what a replay has done is kept";
  }
  EXPECT_EQ(matcher.step_count(), text.size());
  EXPECT_EQ(accept(matcher, "abcdefgh\"", met), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

// Nested captures: each is a range of one text.
TEST(CallWork, CapturesAreCountedAndLinear) {
  const auto compiled = GrammarCompiler(byte_vocabulary({})).compile_ebnf(R"(root ::= @capture(x: "[" root? "]"))");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  const auto steps = [&](std::size_t depth) {
    GrammarMatcher matcher(*compiled);
    EXPECT_EQ(matcher.accept_bytes(std::string(depth, '[') + std::string(depth, ']')), Step::kOk);
    EXPECT_EQ(matcher.captures().size(), depth) << matcher.limit_message();
    return base::Work::last_call();
  };
  const std::uint64_t few = steps(5'000);
  EXPECT_GT(few, 5'000U);
  EXPECT_LT(steps(10'000), 3 * few);
}

TEST(CallWork, ForcedTextIsCutShort) {
  Limits limits;
  limits.call_work = 2'000;
  const auto compiled = GrammarCompiler(byte_vocabulary({}), limits).compile_regex("a{100000}");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  std::size_t last = 0;
  for (int i = 0; i < 3; ++i) {
    const std::string forced = matcher.find_jump_forward_string();
    EXPECT_EQ(forced, std::string(forced.size(), 'a'));
    EXPECT_GT(forced.size(), last) << "what is known takes fewer steps";
    EXPECT_LT(base::Work::last_call(), 2 * limits.call_work);
    EXPECT_NE(matcher.limit_message(), "");
    last = forced.size();
  }
}

// Steps of the calls for one grammar.
struct StepsOfCalls {
  std::uint64_t compile = 0, mask = 0, completion = 0, budget = 0;
  std::string completion_limit = {};
};

StepsOfCalls steps_of_calls(std::string grammar, std::string_view number) {
  for (std::size_t at = 0; (at = grammar.find('N', at)) != std::string::npos;) grammar.replace(at, 1, number);
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  StepsOfCalls steps;
  const auto compiled =
      grammar.starts_with('{') ? compiler.compile_json_schema(grammar) : compiler.compile_regex(grammar);
  steps.compile = base::Work::last_call();
  EXPECT_TRUE(compiled.has_value()) << grammar << ": " << compiled.error().message;
  if (!compiled) return steps;
  GrammarMatcher matcher(*compiled);
  Step step{};
  (void)mask(matcher, step);
  EXPECT_EQ(step, Step::kOk) << grammar << ": " << matcher.limit_message();
  steps.mask = base::Work::last_call();
  const auto text = matcher.shortest_completion();
  steps.completion = base::Work::last_call();
  EXPECT_TRUE(!text || text->size() <= Limits{}.completion_bytes) << grammar;
  if (!text) steps.completion_limit = matcher.limit_message();
  MatcherOptions options;
  options.max_tokens = 50;
  EXPECT_FALSE(GrammarMatcher::create(*compiled, options).has_value()) << grammar;
  steps.budget = base::Work::last_call();
  return steps;
}

// A number in a grammar is a number, however large: nothing is done as often as it says.
TEST(CallWork, NumbersAreNotCountedOut) {
  const std::string_view grammars[] = {
      R"({"type": "object", "minProperties": N})",
      R"({"type": "object", "not": {"maxProperties": N}})",
      R"({"oneOf": [{"type": "object", "minProperties": N}, {"type": "array", "minItems": N}]})",
      R"({"type": "object", "propertyNames": {"pattern": "^a+$"}, "minProperties": N})",
      R"({"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": false,
          "minProperties": N})",
      R"({"type": "object", "required": ["a"], "dependentSchemas": {"a": {"minProperties": N}}})",
      R"({"type": "array", "minItems": 1, "items": {"type": "object", "minProperties": N}})",
      R"({"type": "array", "minItems": N, "items": {"type": "array", "minItems": N, "items": {"type": "null"}}})",
      R"({"type": "array", "contains": {"type": "integer"}, "minContains": N})",
      R"({"type": "array", "uniqueItems": true, "minItems": N})",
      R"({"type": "array", "uniqueItems": true, "minItems": N, "items": {"type": "integer"}})",
      R"({"type": "array", "uniqueItems": true, "minItems": N, "items": {"type": "string", "pattern": "^(a|b)+$"}})",
      R"({"type": "array", "uniqueItems": true, "minItems": N,
          "items": {"type": "array", "items": {"type": "integer"}}})",
      R"({"type": "array", "uniqueItems": true, "minItems": N, "items": {"type": "object", "required": ["a"],
          "properties": {"a": {"type": "string"}}}})",
      R"({"type": "array", "uniqueItems": true, "minItems": N, "prefixItems": [{"type": "string"}, {"const": 1}],
          "items": {"type": "integer"}})",
      R"({"type": "array", "uniqueItems": true, "contains": {"type": "integer"}, "minContains": N, "maxContains": N})",
      R"({"type": "string", "minLength": N})",
      R"({"type": "string", "minLength": N, "pattern": "^(a|b)+$"})",
      R"({"type": "string", "minLength": N, "pattern": "^[A-Z][a-z]*!$"})",
      R"({"type": "array", "minItems": 2, "items": {"type": "string", "minLength": N}})",
      "a{N}",
      "(ab|c{7}){N}x",
      "a{N}b|ca{N}",
  };
  for (const std::string_view grammar : grammars) {
    const StepsOfCalls few = steps_of_calls(std::string(grammar), "2000");
    for (const std::string_view number : {"1000000", "1000000000"}) {
      const StepsOfCalls many = steps_of_calls(std::string(grammar), number);
      constexpr std::uint64_t kMore = 200'000;  // 10 ms
      EXPECT_LT(many.compile, 2 * few.compile + kMore) << grammar << ' ' << number;
      EXPECT_LT(many.mask, 2 * few.mask + kMore) << grammar << ' ' << number;
      // A completion is written if it is no longer than a limit. To say how many tokens suffice, up to a million, takes
      // some searches.
      EXPECT_LT(many.completion, Limits{}.call_work + 16'000'000 / 4) << grammar << ' ' << number;
      EXPECT_LT(many.budget, 2 * few.budget + 5 * kMore) << grammar << ' ' << number;
      if (number == "1000000000") {
        EXPECT_FALSE(many.completion_limit.empty()) << grammar;
      }
    }
  }
}

// The text of each level holds that of the next one twice. Its length is a number, too.
TEST(CallWork, TextsThatDoubleAreNotWrittenOut) {
  const std::string_view levels[] = {
      R"({"type": "array", "prefixItems": [R, R], "minItems": 2})",
      R"({"type": "object", "properties": {"l": R, "r": R}, "required": ["l", "r"]})",
      R"({"type": "object", "properties": {"l": R, "r": R}, "required": ["l", "r"], "additionalProperties": false})",
      R"({"type": "object", "additionalProperties": R, "minProperties": 2})",
      R"({"oneOf": [{"type": "array", "prefixItems": [R, R], "minItems": 2}, {"type": "object", "required": ["a"]}],
          "type": "array"})",
  };
  for (const std::string_view level : levels) {
    const auto schema = [&](int depth) {
      std::string text = R"({"$ref": "#/$defs/a0", "$defs": {)";
      for (int i = 0; i < depth; ++i) {
        std::string one(level);
        const std::string next = R"({"$ref": "#/$defs/a)" + std::to_string(i + 1) + "\"}";
        for (std::size_t at = 0; (at = one.find('R', at)) != std::string::npos;) one.replace(at, 1, next);
        text += "\"a" + std::to_string(i) + "\": " + one + ", ";
      }
      return text + "\"a" + std::to_string(depth) + R"(": {"type": "integer"}}})";
    };
    constexpr std::uint64_t kMost = 1'000'000;  // 2^30 bytes written out are 134 million
    for (const int depth : {30, 60}) {
      const StepsOfCalls many = steps_of_calls(schema(depth), "");
      EXPECT_LT(many.compile, kMost) << level << ' ' << depth;
      EXPECT_LT(many.completion, kMost) << level << ' ' << depth;
      EXPECT_LT(many.budget, kMost) << level << ' ' << depth;
      EXPECT_NE(many.completion_limit.find("completion_bytes"), std::string::npos) << many.completion_limit;
    }
  }
}

// A budget asks for a shortest text from each state after the quote. A search of one tries all bytes of all words.
TEST(CallWork, ABudgetReadsTheShortestWordsOfALongEnum) {
  std::string schema = R"({"enum": [)";
  std::minstd_rand random(1);
  for (int i = 0; i < 10'000; ++i) {
    schema += i == 0 ? "\"" : ",\"";
    for (int c = 0; c < 4; ++c) {
      const auto character = static_cast<std::uint32_t>(0x4E00 + random() % 0x5000);
      schema += static_cast<char>(0xE0 | (character >> 12));
      schema += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
      schema += static_cast<char>(0x80 | (character & 0x3F));
    }
    schema += '"';
  }
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema + "]}");
  ASSERT_TRUE(compiled) << compiled.error().message;
  MatcherOptions options;
  options.max_tokens = 40;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
  ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
  ASSERT_EQ(matcher->accept_bytes("\""), Step::kOk);
  Step step{};
  (void)mask(*matcher, step);
  EXPECT_EQ(step, Step::kOk);
  EXPECT_LT(base::Work::last_call(), 60'000U);
}

// A value that others must differ from is read, so it may be no longer than a call can read.
TEST(CallWork, ALongValueIsNotRead) {
  std::string schema = R"({"type": "array", "items": {"$ref": "#/$defs/a0"}, "minItems": 2, "uniqueItems": true,
                           "$defs": {)";
  for (int i = 0; i < 23; ++i) {
    const std::string next = R"({"$ref": "#/$defs/a)" + std::to_string(i + 1) + "\"}";
    const std::string both = next + ", " + next;
    schema += "\"a" + std::to_string(i) + R"(": {"type": "array", "minItems": 2, "prefixItems": [)" + both + "]}, ";
  }
  schema += R"("a23": {"type": "integer"}}})";
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema);
  ASSERT_FALSE(compiled.has_value());
  EXPECT_EQ(compiled.error().limit, "call_work");
}

// Near the end of a budget of canonical tokens whole groups of tokens are decided by the place they lead to: so few searches
// suffice for all tokens of a string, and a mask takes few steps.
TEST(CallWork, CanonicalMasksNearTheEndOfABudgetTakeFewSearches) {
  constexpr std::string_view kSchema = R"({"type": "object", "required": ["length"], "properties":
      {"length": {"type": "integer"}, "name": {"type": "string"}, "symbols": {"type": "boolean"}}})";
  constexpr std::uint64_t kSteps = 150'000;
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto mask_within = [&](std::string_view text, std::uint32_t left, std::uint32_t visits) {
    Limits limits;
    limits.lookahead_threads = visits;
    const CompiledGrammar compiled = *GrammarCompiler(tokenizer, limits).compile_json_schema(kSchema);
    const std::vector<std::uint32_t> tokens = *tokenizer.tokenize(text);
    MatcherOptions options;
    options.tokenization = Tokenization::kCanonical;
    options.max_tokens = static_cast<std::uint32_t>(tokens.size()) + left;
    GrammarMatcher matcher = *GrammarMatcher::create(compiled, options);
    for (const std::uint32_t token : tokens) EXPECT_EQ(matcher.accept_token(token), Step::kOk);
    Step step{};
    std::vector<std::uint32_t> bitmask = mask(matcher, step);
    EXPECT_EQ(step, Step::kOk);
    EXPECT_LE(base::Work::last_call(), kSteps) << text;
    return bitmask;
  };
  const std::pair<std::string_view, std::uint32_t> cases[] = {{R"({")", 6}, {R"({"na)", 6}};
  for (const auto& [text, left] : cases) {
    const std::vector<std::uint32_t> bitmask = mask_within(text, left, 1'000);
    EXPECT_EQ(bitmask, mask_within(text, left, 20'000)) << text;
    std::size_t allowed = 0;
    for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token)
      allowed += bitmask_get(bitmask, token) ? 1 : 0;
    EXPECT_GE(allowed, 6'000U) << text;
  }
}

// A walk of all tokens of a large vocabulary takes more steps than such a call may. It is made in one call, and kept.
TEST(CallWork, CanonicalMasksWithinABudgetComeInShortCalls) {
  const auto path = tests::shared_data() / "tokenizers" / "o200k_base.tiktoken";
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(path.string());
  if (!tokenizer.has_value()) GTEST_SKIP() << "no " << path;
  constexpr std::string_view kSchema = R"({"type": "object", "required": ["name"], "properties":
      {"name": {"type": "string"}, "rate": {"type": "number"}}})";
  JsonSchemaOptions options;
  options.notation = JsonSchemaOptions::Notation::kYaml;
  Limits limits;
  limits.call_work = 30'000;
  const Result<CompiledGrammar> compiled = GrammarCompiler(*tokenizer, limits).compile_json_schema(kSchema, options);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  MatcherOptions within;
  within.tokenization = Tokenization::kCanonical;
  within.max_tokens = 24;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, within);
  for (int calls = 1; !matcher.has_value(); ++calls) {
    ASSERT_LT(calls, 100) << matcher.error().message;
    matcher = GrammarMatcher::create(*compiled, within);
  }
  Step step = Step::kLimitExceeded;
  for (int calls = 0; step == Step::kLimitExceeded; ++calls) {
    ASSERT_LT(calls, 100) << matcher->limit_message();
    mask(*matcher, step);
  }
  EXPECT_EQ(step, Step::kOk);
}

// The bytes of a character that has no token: after the first byte only the last one decides, so it is looked for first. A
// string with a length has other states at each place, so nothing that a mask has found serves the next.
TEST(CallWork, CanonicalMasksOfCountedStringsAndByteTokensTakeFewSteps) {
  const auto path = tests::shared_data() / "tokenizers" / "gguf" / "ggml-vocab-llama-spm.gguf";
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(path.string());
  if (!tokenizer.has_value()) GTEST_SKIP() << "no " << path;
  constexpr std::string_view kSchema = R"({"type": "string", "maxLength": 80})";
  const CompiledGrammar compiled = *GrammarCompiler(*tokenizer).compile_json_schema(kSchema);
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  GrammarMatcher matcher = *GrammarMatcher::create(compiled, options);
  std::uint64_t most = 0;
  for (const std::string_view text : {"\"the", " road", " to", " the", " house"}) {
    ASSERT_EQ(matcher.accept_text(text), Step::kOk) << text;
    Step step{};
    mask(matcher, step);
    ASSERT_EQ(step, Step::kOk);
    if (text != "\"the") most = std::max(most, base::Work::last_call());
  }
  EXPECT_LE(most, 300'000U);
}

// A tokenizer that never cuts a text, such as SentencePiece's: nothing that a terminal reads settles the end of a piece, so
// no token is looked for that would.
TEST(CallWork, CanonicalMasksOfATokenizerWithoutPiecesTakeFewSteps) {
  std::string vocab;
  std::string merges;
  std::uint32_t size = 0;
  const auto add = [&](const std::string& token) {
    vocab += (vocab.empty() ? "\"" : ", \"") + token + "\": " + std::to_string(size++);
  };
  for (char a = 'a'; a <= 'z'; ++a) add({a});
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) {
      add({a, b});
      merges += (merges.empty() ? "\"" : ", \"") + std::string{a, ' ', b} + "\"";
    }
  }
  for (const char* token : {"<", ">"}) add(token);
  const std::string bytes = R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})";
  const std::string model = R"({"type": "BPE", "vocab": {)" + vocab + R"(}, "merges": [)" + merges + "]}";
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_bytes(
      R"({"pre_tokenizer": )" + bytes + R"(, "decoder": )" + bytes + R"(, "model": )" + model + "}", "tokenizer.json");
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const CompiledGrammar compiled = *GrammarCompiler(*tokenizer).compile_ebnf("root ::= [a-z]* \"<\" root? \">\"");
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, options);
  ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
  ASSERT_EQ(matcher->accept_text("ab"), Step::kOk);
  Step step{};
  const std::vector<std::uint32_t> bitmask = mask(*matcher, step);
  EXPECT_EQ(step, Step::kOk);
  EXPECT_LE(base::Work::last_call(), 50'000U);
  EXPECT_TRUE(bitmask_get(bitmask, 0));
  EXPECT_TRUE(bitmask_get(bitmask, size - 2));
  EXPECT_FALSE(bitmask_get(bitmask, size - 1));
}

// The limits of a public server that matter here (docs/limits.md).
GrammarCompiler public_compiler() {
  Limits limits;
  limits.call_work = 300'000;
  limits.schema_steps = 200'000;
  limits.regex_nodes = 1'000'000;
  limits.regex_fuel = 20'000;
  return GrammarCompiler(TokenizerInfo::builtin(), limits);
}

// After each of n optional letters any later one may follow; the derivatives of the tails are shared.
TEST(CallWork, OptionalLettersInARow) {
  std::string pattern;
  std::string ebnf = "root ::=";
  for (int i = 0; i < 400; ++i) {
    const char letter = static_cast<char>('a' + i % 26);
    pattern += std::string(1, letter) + "?";
    ebnf += std::string(" \"") + letter + "\"?";
  }
  const GrammarCompiler compiler = public_compiler();
  for (const auto& compiled : {compiler.compile_regex(pattern), compiler.compile_ebnf(ebnf)}) {
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    GrammarMatcher matcher(*compiled);
    for (const char* text : {"", "az", "za", "ahoy"}) {
      ASSERT_EQ(matcher.accept_bytes(text), Step::kOk);
      Step step{};
      (void)mask(matcher, step);
      EXPECT_EQ(step, Step::kOk) << matcher.limit_message();
    }
    EXPECT_EQ(matcher.accept_bytes(std::string(20, 'a')), Step::kRefused) << "there are 16 of each letter";
  }
}

// What two formats and patterns have in common is often nothing, and each counts its characters: an optional value is then
// left out, and that takes no search of all counts.
TEST(CallWork, FormatsTogether) {
  const GrammarCompiler compiler = public_compiler();
  for (const char* value :
       {R"("oneOf": [{"format": "uri"}, {"format": "hostname"}])",
        R"("allOf": [{"format": "uri"}, {"format": "hostname"}])",
        R"("allOf": [{"format": "idn-email"}, {"format": "idn-hostname"}])",
        R"("oneOf": [{"format": "hostname"}, {"format": "iri"}])", R"("format": "hostname", "pattern": "-$")",
        R"("format": "hostname", "pattern": "@example\\.com$")", R"("format": "email", "pattern": "-$")"}) {
    const std::string schema = std::string(R"({"type": "array", "items": {"type": "string", )") + value + "}}";
    const auto compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
    GrammarMatcher matcher(*compiled);
    Step step{};
    (void)mask(matcher, step);
    EXPECT_EQ(step, Step::kOk) << schema << matcher.limit_message();
    ASSERT_EQ(matcher.accept_bytes("["), Step::kOk) << schema;
    if (matcher.accept_bytes("\"") != Step::kOk) continue;  // there is no such string
    (void)mask(matcher, step);
    EXPECT_EQ(step, Step::kOk) << schema << matcher.limit_message();
  }
}

// Between 0 and a bound there are few multiples, so most digits lead to none.
TEST(CallWork, MultiplesUpToABound) {
  const GrammarCompiler compiler = public_compiler();
  for (
      const char* schema :
      {R"({"type": "number", "multipleOf": 37, "minimum": 0, "maximum": 100})",
       R"({"type": "number", "multipleOf": 225, "maximum": 300})",
       R"({"type": "number", "multipleOf": 2.25, "maximum": 0.123456789012345678901})",
       R"({"type": "number", "multipleOf": 2.25, "maximum": 3.14159265358979323846264338327950288, "minimum": 0})",
       R"({"type": "number", "multipleOf": 1000003, "maximum": 123456789.123456789})",
       R"({"type": "number", "multipleOf": 9, "minimum": 0, "maximum": 3.5})",
       R"({"type": "number", "multipleOf": 1000003, "maximum": 3})",
       R"({"type": "integer", "multipleOf": 37, "minimum": 0, "maximum": 100})",
       R"({"type": "integer", "multipleOf": 256, "exclusiveMinimum": -15, "maximum": 512})",
       R"({"type": "integer", "multipleOf": 999983, "minimum": -1000, "exclusiveMaximum": 49999150})",
       R"({"type": "integer", "multipleOf": 4096, "minimum": -20480000})",
       R"({"type": "integer", "format": "int32", "multipleOf": 86400})",
       R"({"minimum": 0, "multipleOf": 2.25, "allOf": [{"type": "integer", "multipleOf": 360}, {"maximum": 2242}]})",
       R"({"type": "integer", "maximum": 40000, "allOf": [{"multipleOf": 12}, {"multipleOf": 35}, {"multipleOf": 11}]})",
       R"({"type": ["integer", "null", "string"], "multipleOf": 10007, "minimum": 0, "maximum": 50035000})"}) {
    const auto compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
    for (const char* text : {"", "0", "1", "3", "6.", "-", "-2", "9.9e"}) {
      GrammarMatcher matcher(*compiled);
      const Step accepted = matcher.accept_bytes(text);
      EXPECT_NE(accepted, Step::kLimitExceeded) << schema << matcher.limit_message();
      if (accepted != Step::kOk) continue;
      Step step{};
      (void)mask(matcher, step);
      EXPECT_EQ(step, Step::kOk) << schema << " after " << text << ": " << matcher.limit_message();
    }
  }
}

TEST(CallWork, ACallWithinACallIsPartOfIt) {
  using base::Work;
  {
    const Work::Call outer(100);
    Work::charge(60);
    {
      const Work::Call inner(10);
      Work::charge(50);
    }
    EXPECT_TRUE(Work::is_met());
    {
      const Work::Restoring replay(500);
      EXPECT_FALSE(Work::is_met());
      EXPECT_TRUE(Work::is_restoring());
      Work::charge(400);
      EXPECT_FALSE(Work::is_met());
    }
    {
      const Work::Restoring again(500);
      Work::charge(150);
      EXPECT_TRUE(Work::is_met()) << "550 in all";
    }
    EXPECT_FALSE(Work::is_restoring());
    EXPECT_TRUE(Work::is_met());
    EXPECT_EQ(Work::met_or(base::Limit::kRegexFuel), base::Limit::kCallWork);
  }
  EXPECT_FALSE(Work::is_met());
  EXPECT_EQ(Work::last_call(), 660U);
  {
    const Work::Call call(100);
    {
      const Work::Part part(10);
      Work::charge(20);
      EXPECT_TRUE(Work::is_met());
      EXPECT_EQ(part.spent(), 20U);
    }
    EXPECT_FALSE(Work::is_met()) << "20 of 100";
    Work::allow_more(UINT64_MAX);
    Work::charge(1'000);
    EXPECT_FALSE(Work::is_met());
  }
  EXPECT_EQ(Work::last_call(), 1'020U);
}

}  // namespace
}  // namespace weir
