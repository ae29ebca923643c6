// Guards next to the parser: a mask lacks all tokens that the guard refuses after the text so far.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;

// Tokens that end keys, begin keys, contain whole keys, contain a key twice, or complete a key that the text has begun.
std::vector<std::string> key_tokens(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"\"",   "\"",     "\"",      ",",  ":", "1",   "{",     "}",
                                                   "a",    "b",      "/",       "\\", " ", "{}",  "\\/",   "\\n",
                                                   "\":1", "\",\"a", "\\u0061", "[",  "]", ",\"", "\"\\\""};
  std::vector<std::string> tokens = {"\"a\"",    "\"\"",    "\"a\":1,\"a\"", "\"a\":1,\"b\"", "a\":1,\"a\"",
                                     "\",\"a\"", "\\/\":1", "\\\"",          "\\\\\""};
  for (int i = 0; i < 500; ++i) {
    std::string token;
    for (std::size_t count = 2 + random() % 6; count > 0; --count) token += kPieces[random() % kPieces.size()];
    tokens.push_back(std::move(token));
  }
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  std::erase_if(tokens, [](const std::string& token) { return token.size() < 2; });
  return tokens;
}

// Compares the mask with accept_token for every token, and returns the accepted tokens.
std::vector<std::uint32_t> check_mask(GrammarMatcher& matcher) {
  const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  std::vector<std::uint32_t> allowed;
  EXPECT_EQ(bitmask_get(mask, tokenizer.stop_token_ids()[0]), matcher.is_completed());
  for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    if (token == tokenizer.stop_token_ids()[0] || tokenizer.token_bytes(token).empty()) continue;
    GrammarMatcher fork = matcher;
    const bool is_accepted = fork.accept_bytes(tokenizer.token_bytes(token)) == Step::kOk;
    EXPECT_EQ(bitmask_get(mask, token), is_accepted) << tokenizer.token_name(token);
    if (is_accepted) allowed.push_back(token);
  }
  return allowed;
}

constexpr const char* kSchemas[] = {R"({"type":"object"})",
                                    R"({"properties":{"a":{},"a/":{},"a\n":{}},"additionalProperties":{}})"};

TEST(Guard, MasksEqualTryingEachTokenAfterATextAndAfterRollback) {
  std::mt19937 random(1);
  const TokenizerInfo tokenizer = byte_vocabulary(key_tokens(random));
  for (const char* schema : kSchemas) {
    const auto compiled = GrammarCompiler(tokenizer).compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value());
    for (const std::string_view text :
         {R"({"a":1)", R"({"a":1,)", R"({"a":{)", R"({"a":{"b":1})", R"({"a/":1,"a)", R"({"a\n":[{)", R"({"b":"x)",
          R"({"\\":1,")", R"({"a\\":1,"a)", R"({"\\\\":1,")", R"({"\"":1,")", R"({"":1,"a":[{"b":1}])",
          R"({"/":1,"b":{"a":1},)", R"({"\u0061":1,)", R"({"a":1,"\u006)"}) {
      SCOPED_TRACE(text);
      GrammarMatcher matcher(*compiled);
      for (const char c : text) ASSERT_EQ(matcher.accept_bytes({&c, 1}), Step::kOk);
      for (std::size_t left = text.size(); left > 0; --left) {
        (void)check_mask(matcher);
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
      }
    }
  }
}

TEST(Guard, MasksAreWhatCanBeAcceptedOnRandomWalks) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto compiled = GrammarCompiler(byte_vocabulary(key_tokens(random))).compile_json_schema(kSchemas[seed % 2]);
    ASSERT_TRUE(compiled.has_value());
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes("{\"a"), Step::kOk);
    std::size_t steps = 0;
    for (int round = 0; round < 120; ++round) {
      const std::vector<std::uint32_t> allowed = check_mask(matcher);
      if (steps > 3 && random() % 8 == 0) {
        const std::size_t back = 1 + random() % 3;
        ASSERT_EQ(matcher.rollback(back), Step::kOk);
        steps -= back;
      } else if (allowed.empty()) {
        break;  // the text is complete
      } else {
        const auto first_word = std::lower_bound(allowed.begin(), allowed.end(), 256U);
        const bool by_word = first_word != allowed.end() && random() % 4 != 0;
        const std::size_t first = by_word ? static_cast<std::size_t>(first_word - allowed.begin()) : 0;
        ASSERT_EQ(matcher.accept_token(allowed[first + random() % (allowed.size() - first)]), Step::kOk);
        ++steps;
      }
    }
  }
}

// Tokens that end keys of YAML, begin keys, contain whole keys, or contain a key twice.
std::vector<std::string> yaml_key_tokens(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {":",  ": ", ":\n", "\n", "\n  ", " ",  "'",     "\"", "a",    "b",
                                                   ", ", "{",  "}",   "[",  "]",    "- ", "\\x61", "1",  "a: 1", "''"};
  std::vector<std::string> tokens = {
      "a: ",   "\na:",   "\na: ",   "\"a\"", "'a':",       "a: 1\na:", "{a: 1, a: ", ", a: ",
      "- a: ", "\"a\":", "\n\"a\"", "a\": ", "\n  a: 1\n", ": 1\nb: ", "\na: 1\na:", "'':"};
  for (int i = 0; i < 500; ++i) {
    std::string token;
    for (std::size_t count = 2 + random() % 5; count > 0; --count) token += kPieces[random() % kPieces.size()];
    tokens.push_back(std::move(token));
  }
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  std::erase_if(tokens, [](const std::string& token) { return token.size() < 2; });
  return tokens;
}

// A text is refused byte by byte where no key may come again, in the same places as tokens are.
TEST(Guard, MasksOfYamlEqualTryingEachTokenAfterATextAndAfterRollback) {
  std::mt19937 random(1);
  const TokenizerInfo tokenizer = byte_vocabulary(yaml_key_tokens(random));
  JsonSchemaOptions options;
  options.notation = JsonSchemaOptions::Notation::kYaml;
  for (const char* schema :
       {R"({})", R"({"properties":{"a":{},"a:":{}},"additionalProperties":{"type":["integer","object"]}})",
        R"({"patternProperties":{"^[a-b:]*$":{}},"additionalProperties":false})"}) {
    const auto compiled = GrammarCompiler(tokenizer).compile_json_schema(schema, options);
    ASSERT_TRUE(compiled.has_value());
    for (const std::string_view text :
         {"a: 1\na:", "a:\nb:", "a: 1\n'a'", "a: 1\n\"a", "a: 1\n\"\\x6",
          "a:\n  a: 1\n  b:", "{a: 1, a:", "--- {a: 1, 'a'", "a: {b: 1, b:", "a:\n  b:\n    a:\nb: {}\na:"}) {
      SCOPED_TRACE(std::string(schema) + " " + std::string(text));
      GrammarMatcher matcher(*compiled);
      std::size_t read = 0;
      while (read < text.size() && matcher.accept_bytes(text.substr(read, 1)) == Step::kOk) ++read;
      EXPECT_GE(read, std::min<std::size_t>(text.size(), 5));
      for (std::size_t left = read; left > 0; --left) {
        (void)check_mask(matcher);
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
      }
    }
  }
}

// With rules that exclude used keys, 400 members take more work than a call may take.
TEST(Guard, ManyMembersOfYamlAreReadInOneCall) {
  JsonSchemaOptions options;
  options.notation = JsonSchemaOptions::Notation::kYaml;
  const auto compiled = GrammarCompiler(byte_vocabulary({})).compile_json_schema("{}", options);
  ASSERT_TRUE(compiled.has_value());
  for (const bool is_flow : {false, true}) {
    std::string text = is_flow ? "{" : "";
    for (int i = 0; i < 2'000; ++i) text += "key_" + std::to_string(i) + (is_flow ? ": 1, " : ": 1\n");
    GrammarMatcher matcher(*compiled);
    EXPECT_EQ(matcher.accept_bytes(text + "key_x: 1" + (is_flow ? "}" : "")), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
    matcher.reset();
    EXPECT_EQ(matcher.accept_bytes(text + "key_7: 1"), Step::kRefused);
  }
}

TEST(Guard, TextsOfYamlDoNotEndAfterARepeatedKey) {
  JsonSchemaOptions options;
  options.notation = JsonSchemaOptions::Notation::kYaml;
  const auto compiled = GrammarCompiler(byte_vocabulary({})).compile_json_schema("{}", options);
  ASSERT_TRUE(compiled.has_value());
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_bytes("a: 1\na:"), Step::kOk);
  EXPECT_FALSE(matcher.is_completed());
  const std::optional<std::string> completion = matcher.shortest_completion();
  ASSERT_TRUE(completion.has_value());
  EXPECT_EQ(matcher.accept_bytes(*completion), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes(" "), Step::kRefused);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes("a: 1\nb:"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

}  // namespace
}  // namespace weir
