// Rules that depend on the text so far: arrays whose items must differ, keys that occur once. A mask must agree with
// accept_token on every token, also on tokens that contain a comma and part of the next item.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir {
namespace {

// Tokens that end with, begin with or contain the comma between two items.
TokenizerInfo comma_tokenizer() {
  std::vector<std::string> tokens{"[",      "]",    ",",   ", ",   "1",       "2",   "12", "1,",   ",1",
                                  ",2",     "1,2",  "1,1", "1,12", "2]",      ",2]", "1]", "1,2]", "\"a\"",
                                  "\"a\",", ",\"a", "\"",  "a",    "\\u0061", "{",   "}",  ":",    "</s>"};
  VocabSpec spec;
  spec.tokens = tokens;
  spec.stop_token_ids = {static_cast<std::uint32_t>(tokens.size() - 1)};
  return *TokenizerInfo::from_vocab(std::move(spec));
}

void expect_mask_is_what_is_accepted(GrammarMatcher& matcher, std::size_t depth) {
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(info.vocab_size()));
  ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  for (std::uint32_t token = 0; token < info.vocab_size(); ++token) {
    const bool allowed = bitmask_get(mask, token);
    EXPECT_EQ(matcher.is_token_allowed(token), allowed) << info.token_bytes(token);
    const Step step = matcher.accept_token(token);
    EXPECT_EQ(step == Step::kOk, allowed) << info.token_bytes(token);
    if (step != Step::kOk) continue;
    if (depth > 0 && !matcher.is_terminated()) expect_mask_is_what_is_accepted(matcher, depth - 1);
    ASSERT_EQ(matcher.rollback(1), Step::kOk);
  }
}

constexpr std::string_view kUnique = R"({"type": "array", "uniqueItems": true,
  "items": {"anyOf": [{"enum": [1, 2, 12, "a"]}, {"type": "object", "maxProperties": 0}]}})";

TEST(Following, MasksAgreeWithSteps) {
  const auto compiled = GrammarCompiler(comma_tokenizer()).compile_json_schema(kUnique);
  ASSERT_TRUE(compiled) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  expect_mask_is_what_is_accepted(matcher, 4);
}

TEST(Following, ItemsDifferHoweverTheyAreSpelled) {
  const auto compiled = GrammarCompiler(comma_tokenizer()).compile_json_schema(kUnique);
  ASSERT_TRUE(compiled);
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.longest_viable_prefix(R"(["\u0061","a"])"), 10U) << "there is no other string";
  EXPECT_EQ(matcher.longest_viable_prefix(R"([1,{},{ }])"), 6U);
  EXPECT_EQ(matcher.longest_viable_prefix(R"([1,1.0])"), 5U) << "1.2e1 is another number";
  EXPECT_EQ(matcher.longest_viable_prefix(R"([1 , 12,2,"a",{}])"), 17U);
  EXPECT_EQ(matcher.longest_viable_prefix(R"([1,12,2,"a",{},)"), 15U - 1) << "no value is left";
}

TEST(Following, CompletionsLeaveOutUsedValues) {
  const auto compiled =
      GrammarCompiler(comma_tokenizer())
          .compile_json_schema(
              R"({"type": "array", "uniqueItems": true, "items": {"enum": [1, 2, "a"]}, "minItems": 3})");
  ASSERT_TRUE(compiled);
  for (const std::string_view text : {"", "[", "[1", "[1,", "[1 , 2", "[\"a\",2,", "[2,\"\\u"}) {
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    const auto rest = matcher.shortest_completion();
    ASSERT_TRUE(rest.has_value()) << text;
    EXPECT_EQ(matcher.accept_bytes(*rest), Step::kOk) << text << *rest;
    EXPECT_TRUE(matcher.is_completed()) << text << *rest;
  }
}

// A word that no other terminal may begin ends at a blank only. An estimate ignores that, and after each refusal the next
// one is as wrong: without a search the word grows until a limit is met.
TEST(Following, CompletionsFindAWayThroughCompetingTerminals) {
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(R"({"type": "structural_tag",
    "format": {"type": "or", "elements": [
      {"type": "tag", "begin": "<c>", "end": "</c>", "content": {"type": "grammar", "syntax": "lark",
        "grammar": "start: \"if\" N \"then\" N\nN: /[a-z]+/\n%ignore \" \""}},
      {"type": "tag", "begin": "<f>", "end": "</f>", "content": {"type": "json_schema", "style": "qwen_xml",
        "json_schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}]}})");
  ASSERT_TRUE(compiled) << compiled.error().message;
  for (const std::string_view text : {"<c>", "<c>if", "<c>if a", "<c>if a then", "<c>if thenthen"}) {
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    const auto rest = matcher.shortest_completion();
    ASSERT_TRUE(rest.has_value()) << text << matcher.limit_message();
    EXPECT_LE(rest->size(), 16U) << text << *rest;
    EXPECT_EQ(matcher.accept_bytes(*rest), Step::kOk) << text << *rest;
    EXPECT_TRUE(matcher.is_completed()) << text << *rest;
  }
}

// An estimate may repeat an item that has been. Several estimates then make a longer text than each.
TEST(Following, CompletionsThatGrowBeyondTheirLimitNameIt) {
  std::size_t found = 0;
  for (std::uint32_t most = 1; most <= 20; ++most) {
    Limits limits;
    limits.completion_bytes = most;
    const auto compiled =
        GrammarCompiler(comma_tokenizer(), limits).compile_json_schema(R"({"type": "array", "uniqueItems": true,
                                  "items": {"enum": [1, 22222, 333333]}, "minItems": 3})");
    ASSERT_TRUE(compiled);
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes("[1"), Step::kOk);
    const auto rest = matcher.shortest_completion();
    EXPECT_EQ(matcher.limit_message().find("completion_bytes") != std::string::npos, !rest.has_value()) << most;
    if (!rest.has_value()) continue;
    ++found;
    EXPECT_LE(rest->size(), most);
    EXPECT_EQ(matcher.accept_bytes(*rest), Step::kOk) << *rest;
    EXPECT_TRUE(matcher.is_completed()) << *rest;
  }
  EXPECT_GT(found, 0U);
}

// A budget does not know the text, so what is left of a few `contains` is no matter of the text.
TEST(Following, ABudgetKnowsWhatIsLeftOfFewContains) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto compiled = GrammarCompiler(tokenizer).compile_json_schema(R"({"type": "array", "allOf": [
      {"contains": {"const": 0}}, {"contains": {"const": 1}}, {"contains": {"const": 2}}, {"contains": {"const": 3}}]})");
  ASSERT_TRUE(compiled) << compiled.error().message;
  MatcherOptions options;
  options.max_tokens = 20;
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    auto matcher = GrammarMatcher::create(*compiled, options);
    ASSERT_TRUE(matcher) << matcher.error().message;
    std::minstd_rand random(seed + 1);
    while (!matcher->is_terminated()) {
      ASSERT_EQ(matcher->fill_next_token_bitmask(mask), Step::kOk) << matcher->limit_message();
      ASSERT_TRUE(std::ranges::any_of(mask, [](std::uint32_t word) { return word != 0; })) << "a dead end";
      auto next = static_cast<std::uint32_t>(random() % tokenizer.vocab_size());
      while (!bitmask_get(mask, next)) next = (next + 1) % tokenizer.vocab_size();
      ASSERT_EQ(matcher->accept_token(next), Step::kOk);
    }
  }
}

TEST(Following, ASmallBudgetChangesNothing) {
  Limits small;
  small.state_memory = 1;
  const auto compiled = GrammarCompiler(comma_tokenizer(), small).compile_json_schema(kUnique);
  ASSERT_TRUE(compiled);
  GrammarMatcher matcher(*compiled);
  expect_mask_is_what_is_accepted(matcher, 2);
  ASSERT_EQ(matcher.accept_bytes("[1,"), Step::kOk);
  GrammarMatcher fork = matcher.fork();
  EXPECT_EQ(fork.accept_bytes("2,1"), Step::kOk) << "the beginning of 12";
  EXPECT_EQ(fork.accept_bytes(","), Step::kRefused);
  EXPECT_EQ(matcher.accept_bytes("12,2]"), Step::kOk);
  EXPECT_EQ(matcher.rollback(2), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes("[2,1]"), Step::kOk) << "what was taken back has not been";
}

// Tokens that end, begin or contain keys, with and without escapes.
TokenizerInfo key_tokenizer() {
  VocabSpec spec;
  spec.tokens = {"{",     "}",    ",",       ":",         "\"",    "a",     "b",
                 "ab",    "\"a",  "\"a\"",   "a\"",       "b\"",   "\":",   "a\":",
                 "\\u00", "61",   "61\"",    "\\u0061\"", "\\",    "u0061", "1",
                 ",\"",   "1}",   ",\"a\":", "\"a\":1,",  "1,\"b", "\"\"",  "\"a\":1,\"a\":",
                 "\xC3",  "\xA9", "\xA9\"",  "\\u00e9",   "</s>"};
  spec.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size() - 1)};
  return *TokenizerInfo::from_vocab(std::move(spec));
}

TEST(Guarded, MasksAgreeWithStepsOnUsedKeys) {
  const auto compiled =
      GrammarCompiler(key_tokenizer())
          .compile_json_schema(
              R"({"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": {"const": 1}})");
  ASSERT_TRUE(compiled) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  for (const std::string_view text :
       {"", R"({"a":1,)", R"({"a":1,")", R"({"a":1,"\u00)", R"({"a":1,"\)", R"({"ab":1,"a":1,"a)", R"({"ab":1,"a)",
        R"({"\u0061":1,")", "{\"\xC3\xA9\":1,\"", "{\"\\u00e9\":1,\"\xC3"}) {
    matcher.reset();
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    expect_mask_is_what_is_accepted(matcher, 2);
  }
}

TEST(Guarded, EachObjectHasKeysOfItsOwn) {
  const auto compiled = GrammarCompiler(key_tokenizer()).compile_json_schema("{}");
  ASSERT_TRUE(compiled);
  GrammarMatcher matcher(*compiled);
  const auto viable = [&](std::string_view text) { return matcher.longest_viable_prefix(text); };
  EXPECT_EQ(viable(R"({"a":{"a":[{"a":1},{"a":"a"}]},"b":1})"), 37U);
  EXPECT_EQ(viable(R"({"a":{"b":1},"a":1})"), 15U);
  EXPECT_EQ(viable(R"({"a":"\"}{[","\u0061":1})"), 20U);
  EXPECT_EQ(viable(R"({"\ud83d\ude00":1,"😀":1})"), 23U);
  EXPECT_EQ(viable(R"({"\n":1,"n":1,"\u000a":1})"), 21U);
  EXPECT_EQ(viable(R"({"":1,"":1})"), 7U);
}

TEST(Guarded, RollbackForgetsUsedKeys) {
  const auto compiled = GrammarCompiler(key_tokenizer()).compile_json_schema("{}");
  ASSERT_TRUE(compiled);
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_bytes(R"({"a":{"b":)"), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes(R"(1},"b)"), Step::kOk);
  GrammarMatcher fork = matcher.fork();
  ASSERT_EQ(matcher.accept_bytes(R"(":1,"c":{)"), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes(R"("c":1},"c")"), Step::kRefused);
  EXPECT_EQ(matcher.accept_bytes(R"("c":1})"), Step::kOk);
  ASSERT_EQ(matcher.rollback(3), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes(R"(1,"b":1})"), Step::kRefused) << "in the inner object, b has been";
  EXPECT_EQ(matcher.accept_bytes(R"(1},"b":1,"c":1})"), Step::kOk);
  EXPECT_EQ(fork.accept_bytes(R"(":1,"b":1})"), Step::kRefused);
  EXPECT_EQ(fork.accept_bytes(R"(b":1})"), Step::kOk);
}

}  // namespace
}  // namespace weir
