#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "weir/weir.h"

namespace weir {
namespace {

TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  spec.tokens.emplace_back("<eos>");
  spec.special_token_ids = spec.stop_token_ids = {256};
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

bool accepts(const CompiledGrammar& compiled, const std::string& text) {
  GrammarMatcher matcher(compiled);
  return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
}

TEST(Choice, IsOneOfTheStrings) {
  const GrammarCompiler compiler(bytes());
  const std::vector<std::string> strings{"a", "ab", "ab", "", "\xFF\xFE", "né"};
  const auto compiled = compiler.compile_choice(strings);
  ASSERT_TRUE(compiled);
  for (const std::string& in : strings) EXPECT_TRUE(accepts(*compiled, in)) << in;
  for (const char* out : {"b", "abb", "n", "\xFF"}) EXPECT_FALSE(accepts(*compiled, out)) << out;
}

TEST(Choice, AnEmptyListIsRefused) {
  const auto grammar = Grammar::from_choice({});
  ASSERT_FALSE(grammar);
  EXPECT_EQ(grammar.error().code, ErrorCode::kInvalidArgument);
  Limits limits;
  limits.text_bytes = 3;
  const std::vector<std::string> strings{"ab", "cd"};
  const auto limited = Grammar::from_choice(strings, limits);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().limit, "text_bytes");
}

TEST(Choice, OneHundredThousandStrings) {
  std::vector<std::string> strings;
  for (unsigned i = 0; i < 100'000; ++i) strings.push_back("name_" + std::to_string(i * 7919U % 100'003U));
  const GrammarCompiler compiler(bytes());
  const auto compiled = compiler.compile_choice(strings);
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(accepts(*compiled, strings[54'321]));
  EXPECT_FALSE(accepts(*compiled, "name_x"));
}

TEST(Choice, IsRemembered) {
  const GrammarCompiler compiler(bytes());
  const std::vector<std::string> one{"a", "b"};
  const std::vector<std::string> other{"a1:b"};
  ASSERT_TRUE(compiler.compile_choice(one));
  ASSERT_TRUE(compiler.compile_choice(other));
  ASSERT_TRUE(compiler.compile_choice(one));
  EXPECT_EQ(compiler.cache_stats().hits, 1U);
  EXPECT_EQ(compiler.cache_stats().misses, 2U);
}

TEST(Substring, OfATextByUnit) {
  const GrammarCompiler compiler(bytes());
  const auto words = compiler.compile_substring("to be, or not to", SubstringUnit::kWord);
  ASSERT_TRUE(words);
  for (const char* in : {"", "be, or", "to", " not to"}) EXPECT_TRUE(accepts(*words, in)) << in;
  for (const char* out : {"b", "to not", "o"}) EXPECT_FALSE(accepts(*words, out)) << out;
  const auto characters = compiler.compile_substring("aéb", SubstringUnit::kCharacter);
  ASSERT_TRUE(characters);
  EXPECT_TRUE(accepts(*characters, "éb"));
  EXPECT_FALSE(accepts(*characters, "\xA9"));
  EXPECT_FALSE(Grammar::from_substring("\xFF", SubstringUnit::kCharacter));
}

}  // namespace
}  // namespace weir
