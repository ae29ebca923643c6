// Checks masks for real vocabularies: after prefixes of JSON texts and of expressions, the oracle tries every token.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "exhaustive/json_cfg.h"
#include "property/grammars.h"
#include "property/harness.h"
#include "shared_data.h"

namespace weir::testing {
namespace {

// Few prefixes end inside a string: most of 200,000 tokens are allowed there, so the oracle needs up to a second.
constexpr const char* kJsonPrefixes[] = {
    "",      "{",     "[1,",       "{\"",          "{\"key\": \"value", "[\"caf\xC3", "[\"\\u00", "{\"a\":[{\"b\":-1",
    "[1.5e", "[[[tr", "[[[1],[2]", "{\"a\":1}\n ",
};
constexpr const char* kExpressionPrefixes[] = {"", "1", "1.", "f(", "f(x,(a+b)", "-(2*", "sin2", "(((1+2)^3)"};

void compare(const TokenizerInfo& tokenizer, const char* ebnf, const oracle::Cfg& cfg,
             std::span<const char* const> prefixes) {
  const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_ebnf(ebnf);
  ASSERT_TRUE(compiled.has_value()) << render(compiled.error(), ebnf, "grammar");
  const oracle::SortedVocabulary vocabulary(vocabulary_of(tokenizer));
  oracle::Earley earley(cfg);
  for (const std::string_view prefix : prefixes) {
    SCOPED_TRACE(prefix);
    earley.restart(prefix);
    ASSERT_TRUE(earley.viable());
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes(prefix), Step::kOk);
    EXPECT_EQ(matcher.is_completed(), earley.member());
    EXPECT_EQ(matcher.find_jump_forward_string(), oracle::forced_bytes(earley, 100));
    const std::vector<bool> expected = vocabulary.mask(earley);
    const std::vector<bool> mask = mask_of(matcher);
    EXPECT_TRUE(mask == expected) << difference(mask, expected, vocabulary.vocabulary());
  }
}

void compare_both(const TokenizerInfo& tokenizer) {
  compare(tokenizer, kJson, json_cfg(), kJsonPrefixes);
  compare(tokenizer, kExpressions, expressions_cfg(), kExpressionPrefixes);
}

TEST(RealVocabulary, Builtin) { compare_both(TokenizerInfo::builtin()); }

class TiktokenVocabulary : public ::testing::TestWithParam<const char*> {};

TEST_P(TiktokenVocabulary, MasksEqualTryingEveryToken) {
  const std::filesystem::path path = tests::shared_data() / "tokenizers" / (std::string(GetParam()) + ".tiktoken");
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no vocabulary file " << path << "; WEIR_SHARED_DATA names the directory with tokenizers/";
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(path.string());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  compare_both(*tokenizer);
}

INSTANTIATE_TEST_SUITE_P(Files, TiktokenVocabulary, ::testing::Values("gpt2", "cl100k_base", "o200k_base"),
                         [](const ::testing::TestParamInfo<const char*>& test) { return std::string(test.param); });

}  // namespace
}  // namespace weir::testing
