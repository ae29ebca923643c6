// Schemas inside other text accept the same texts as alone, and masks agree with steps.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "e2e/embedded_schema.h"
#include "shared_data.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

constexpr std::string_view kOpen = R"(say "{"a":1," <a>)";
constexpr std::string_view kClose = "</a>";

constexpr EmbeddedIn kAround{kOpen, kClose};

CompiledGrammar compile_embedded(const TokenizerInfo& tokenizer, const std::string& schema, std::size_t count = 1) {
  return GrammarCompiler(tokenizer).compile(embedded_schema(schema, kAround, count)).value();
}

const std::vector<std::string>& schemas() {
  static const std::vector<std::string> all{
      R"({"type": "object"})",
      R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["b"]})",
      R"({"type": "object", "properties": {"a": {}, "ab": {}, "é": {}}, "additionalProperties": false})",
      R"({"type": "object", "additionalProperties": {"type": "object"}, "minProperties": 2, "maxProperties": 3})",
      R"({"type": "object", "patternProperties": {"^a+$": {"type": "integer"}}, "additionalProperties": false})",
      R"({"type": "object", "properties": {"$x": {}}, "patternProperties": {"^[a-z]+$": {}},
          "additionalProperties": {"const": 1}, "required": ["ab"]})",
      R"({"type": "array", "uniqueItems": true, "items": {"enum": [1, 2, "a", "b", {"a": 1}, [1]]}})",
      R"({"type": "array", "uniqueItems": true, "items": {"type": "object"}})",
      R"({"type": "object", "additionalProperties": {"type": "array", "uniqueItems": true}})",
      R"({"type": "object", "dependentRequired": {"a": ["b"]}, "properties": {"b": {"const": 1}}})",
      "true"};
  return all;
}

const std::vector<std::string>& texts() {
  static const std::vector<std::string> all{R"({})",
                                            R"({"a":1,"b":"x"})",
                                            R"({"a":1,"a":2})",
                                            R"({"a":1,"\u0061":2})",
                                            R"({"\u0061" : 1 , "b" : "x" , "a" : 2})",
                                            R"({"b":"x","a":1,"c":{"a":1,"b":2},"d":[{"a":1},{"a":2}]})",
                                            R"({"c":{"a":{"a":{}},"b":{}},"a":{}})",
                                            R"({"c":{},"a":{"x":1,"y":"},\"x\":{"},"b":{}})",
                                            R"({"a":{},"b":{},"c":{},"d":{}})",
                                            R"({"\"":1,"\\":2,"\"":3})",
                                            R"({"\"":1,"\\":2,"\u005c":3})",
                                            R"({"é":1,"\u00e9":2})",
                                            R"({"e":1,"é":2,"\u00e8":3})",
                                            R"({"\ud83d\ude00":1,"😀":2})",
                                            R"({"":"","a":"\\","b":"\\\""})",
                                            R"({"":1,"":2})",
                                            R"({"ab":1,"a":1,"aa":2,"aaa":3,"aa":4})",
                                            R"({"$x":1,"ab":2,"$x":3})",
                                            R"([1,2,"a",{"a":1},[1],"b"])",
                                            R"([1,2,"a","\u0061"])",
                                            R"([1,2,{"a":1},{"a" : 1.0}])",
                                            R"([{"a":1,"b":2},{"b":2,"a":1}])",
                                            R"([{"a":1,"b":[1,2]},{"b":[1,2],"a":2},{}])",
                                            R"({"a":[1,2,3],"b":[1,"x",1]})",
                                            R"({"a":[[1,2],[1,2]]})",
                                            R"([ 1 , [ 2 , { "x" : [ ] , "y" : { } , "x" : 0 } ] ])",
                                            R"("a,b")",
                                            R"(1)"};
  return all;
}

/// Returns the text and six copies in which one byte is removed, doubled or replaced.
std::vector<std::string> variants(const std::string& text, std::minstd_rand& random) {
  std::vector<std::string> out{text};
  for (std::size_t i = 0; i < 6; ++i) {
    std::string changed = text;
    const std::size_t at = random() % text.size();
    switch (i % 3) {
      case 0: changed.erase(at, 1); break;
      case 1: changed.insert(at, 1, text[at]); break;
      default: changed[at] = text[random() % text.size()];
    }
    out.push_back(std::move(changed));
  }
  return out;
}

TEST(EmbeddedSchema, HasTheTextsThatItHasAlone) {
  std::minstd_rand random(1);
  std::size_t complete = 0;
  std::size_t refused = 0;
  for (const std::string& schema : schemas()) {
    GrammarMatcher alone(*GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema));
    GrammarMatcher within(compile_embedded(TokenizerInfo::builtin(), schema));
    ASSERT_EQ(within.accept_bytes(kOpen), Step::kOk);
    for (const std::string& text : texts()) {
      for (const std::string& variant : variants(text, random)) {
        const std::size_t viable = alone.longest_viable_prefix(variant);
        // Both reject the same byte, even after a number, which has no delimiter before kClose.
        EXPECT_EQ(within.longest_viable_prefix(variant), viable) << schema << "\n" << variant;
        if (viable != variant.size()) {
          ++refused;
          continue;
        }
        ASSERT_EQ(alone.accept_bytes(variant), Step::kOk);
        ASSERT_EQ(within.accept_bytes(variant), Step::kOk);
        const bool closes = within.accept_bytes(kClose) == Step::kOk;
        EXPECT_EQ(closes && within.is_completed(), alone.is_completed()) << schema << "\n" << variant;
        if (closes) {
          ASSERT_EQ(within.rollback(1), Step::kOk);
        }
        complete += alone.is_completed() ? 1 : 0;
        ASSERT_EQ(alone.rollback(1), Step::kOk);
        ASSERT_EQ(within.rollback(1), Step::kOk);
      }
    }
  }
  EXPECT_GT(complete, 100U);
  EXPECT_GT(refused, 500U);
}

TEST(EmbeddedSchema, EachObjectHasKeysOfItsOwn) {
  GrammarMatcher matcher(compile_embedded(TokenizerInfo::builtin(), R"({"type": "object"})", 2));
  const std::string open(kOpen);
  const std::string close(kClose);
  const std::string first = open + R"({"a":1,"b":{"a":2}})" + close;
  ASSERT_EQ(matcher.accept_bytes(first + open), Step::kOk);
  EXPECT_EQ(matcher.longest_viable_prefix(R"({"a":1,"b":2})" + close), 13 + close.size());
  EXPECT_EQ(matcher.longest_viable_prefix(R"({"a":1,"a":2})"), 9U) << "the quote that ends the key";
  ASSERT_EQ(matcher.accept_bytes(R"({"c":1,)"), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes(R"("d":1,)"), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes(R"("d")"), Step::kRefused);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes(R"("d":)"), Step::kOk) << "what was taken back has not been";
  EXPECT_EQ(matcher.shortest_completion(), "0}" + close);
}

TEST(EmbeddedSchema, CompletionsAreAccepted) {
  for (const std::string& schema : schemas()) {
    GrammarMatcher matcher(compile_embedded(TokenizerInfo::builtin(), schema));
    ASSERT_EQ(matcher.accept_bytes(kOpen), Step::kOk);
    for (const std::string& text : texts()) {
      for (std::size_t length = 0; length <= matcher.longest_viable_prefix(text); ++length) {
        ASSERT_EQ(matcher.accept_bytes(text.substr(0, length)), Step::kOk);
        const auto rest = matcher.shortest_completion();
        ASSERT_TRUE(rest.has_value()) << schema << "\n" << text.substr(0, length);
        EXPECT_EQ(matcher.accept_bytes(*rest), Step::kOk) << schema << "\n" << text.substr(0, length) << *rest;
        EXPECT_TRUE(matcher.is_completed()) << schema << "\n" << text.substr(0, length) << *rest;
        ASSERT_EQ(matcher.rollback(2), Step::kOk);
      }
    }
  }
}

void expect_masks_are_what_is_accepted(const TokenizerInfo& tokenizer, std::size_t stride) {
  for (const std::string& schema : schemas()) {
    GrammarMatcher matcher(compile_embedded(tokenizer, schema));
    std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
    std::size_t place = 0;
    for (const std::string& text : texts()) {
      matcher.reset();
      ASSERT_EQ(matcher.accept_bytes(kOpen), Step::kOk);
      const std::size_t viable = matcher.longest_viable_prefix(text);
      for (std::size_t i = 0; i < viable; ++i) {
        if (text[i] == '"' || text[i] == ',' || text[i] == '\\') {
          if (++place % stride == 0) {
            ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
            for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
              ASSERT_EQ(bitmask_get(mask, token), matcher.is_token_allowed(token))
                  << schema << "\n"
                  << text.substr(0, i) << " " << tokenizer.token_name(token);
            }
          }
        }
        ASSERT_EQ(matcher.accept_bytes(text.substr(i, 1)), Step::kOk);
      }
    }
  }
}

TEST(EmbeddedSchema, MasksAgreeWithSteps) { expect_masks_are_what_is_accepted(TokenizerInfo::builtin(), 3); }

TEST(EmbeddedSchema, MasksAgreeWithStepsForARealVocabulary) {
  const auto path = tests::shared_data() / "tokenizers" / "o200k_base.tiktoken";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto tokenizer = TokenizerInfo::from_file(path.string());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  expect_masks_are_what_is_accepted(*tokenizer, 29);
}

}  // namespace
}  // namespace weir
