// Guards beside the parser: a mask lacks what the text so far refuses, whatever a token holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;

// Tokens that end keys, begin them, hold whole ones, one twice, or one that the text is in the middle of.
std::vector<std::string> key_tokens(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"\"",   "\"",     "\"",      ",",  ":", "1",   "{",     "}",
                                                   "a",    "b",      "/",       "\\", " ", "{}",  "\\/",   "\\n",
                                                   "\":1", "\",\"a", "\\u0061", "[",  "]", ",\"", "\"\\\""};
  std::vector<std::string> tokens = {"\"a\"",       "\"\"",     "\"a\":1,\"a\"", "\"a\":1,\"b\"",
                                     "a\":1,\"a\"", "\",\"a\"", "\\/\":1"};
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

TEST(Guard, MasksAreWhatCanBeAccepted) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    const std::vector<std::string> words = key_tokens(random);
    const TokenizerInfo tokenizer = byte_vocabulary(words);
    // With a member name that has to be escaped in some vocabularies' tokens only, and without any.
    const char* schema = seed % 2 == 0 ? R"({"type":"object"})"
                                       : R"({"properties":{"a":{},"a/":{},"a\n":{}},"additionalProperties":{}})";
    const auto compiled = GrammarCompiler(tokenizer).compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value());
    std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes("{\"a"), Step::kOk);
    std::size_t steps = 0;
    for (int step = 0; step < 120; ++step) {
      const Step filled = matcher.fill_next_token_bitmask(mask);
      ASSERT_EQ(filled, Step::kOk) << seed;
      std::vector<std::uint32_t> allowed;
      for (std::uint32_t token = 0; token < 256 + words.size(); ++token) {
        GrammarMatcher fork = matcher;
        const bool is_accepted = fork.accept_bytes(tokenizer.token_bytes(token)) == Step::kOk;
        ASSERT_EQ(bitmask_get(mask, token), is_accepted) << seed << ' ' << tokenizer.token_name(token);
        if (is_accepted) allowed.push_back(token);
      }
      const bool goes_back = steps > 3 && random() % 8 == 0;
      if (goes_back) {
        const std::size_t back = 1 + random() % 3;
        ASSERT_EQ(matcher.rollback(back), Step::kOk);
        steps -= back;
      } else if (allowed.empty()) {
        break;  // the text is complete
      } else {
        const auto words_begin = std::ranges::lower_bound(allowed, 256U);
        const bool by_word = words_begin != allowed.end() && random() % 4 != 0;
        const std::size_t first = by_word ? static_cast<std::size_t>(words_begin - allowed.begin()) : 0;
        ASSERT_EQ(matcher.accept_token(allowed[first + random() % (allowed.size() - first)]), Step::kOk);
        ++steps;
      }
    }
  }
}

}  // namespace
}  // namespace weir
