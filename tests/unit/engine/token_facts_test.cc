// Masks of strings that are wide, counted or searched, beside each token tried by itself: such strings are described by
// how they differ from others, taken by whole subtrees, or worked out ahead, and a single token is not.
#include <gtest/gtest.h>

#include <filesystem>

#include "shared_data.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

constexpr const char* kSchemas[] = {
    R"({"type":"string","maxLength":3})",
    R"({"type":"string","maxLength":15})",
    R"({"type":"string","maxLength":16})",
    R"({"type":"string","minLength":1,"maxLength":9})",
    R"({"type":"string","minLength":1,"maxLength":33})",
    R"({"type":"string","minLength":5,"maxLength":60})",
    R"({"type":"string","minLength":12,"maxLength":12})",
    R"({"type":"string","minLength":7})",
    R"({"type":"string","maxLength":150})",
    R"({"type":"string","pattern":"^[a-z]{1,40}$"})",
    R"({"type":"string","pattern":"^([a-z]{1,20}-){0,20}[0-9]{2,18}$"})",
    R"({"type":"string","pattern":"[0-9]{4}-[0-9]{4}-[0-9]{4}"})",
    R"({"type":"string","pattern":"the.*end|[é-ü]{2}"})",
    R"({"allOf":[{"type":"string","pattern":"a"},{"pattern":"b"},{"not":{"pattern":"c"}}]})",
    R"({"type":"string","maxLength":30,"pattern":"x"})",
    R"({"type":"object","propertyNames":{"minLength":1,"maxLength":20},"additionalProperties":{"type":"string","maxLength":18}})",
};
constexpr const char* kPrefixes[] = {"",         "\"",          "\"a",          "\"the ", "\"1234-12",  "\"\xC3",
                                     "\"b\\u00", "\"word-word", "{\"a\": \"in", "{\"key", "\"abcdefgh", "\"\\"};

void compare(const TokenizerInfo& tokenizer) {
  const GrammarCompiler compiler(tokenizer);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  std::size_t looked_at = 0;
  for (const char* schema : kSchemas) {
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
    for (const char* prefix : kPrefixes) {
      GrammarMatcher matcher(*compiled);
      if (matcher.accept_bytes(prefix) != Step::kOk) continue;
      ++looked_at;
      ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
      for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
        ASSERT_EQ(bitmask_get(mask, token), matcher.is_token_allowed(token))
            << schema << " after " << prefix << ", token " << token << ": " << tokenizer.token_bytes(token);
      }
    }
  }
  EXPECT_GT(looked_at, std::size(kSchemas) * 3);
}

TEST(WideStrings, MasksEqualTryingEachToken) { compare(TokenizerInfo::builtin()); }

TEST(WideStrings, MasksEqualTryingEachTokenOfALargeVocabulary) {
  const std::filesystem::path path = tests::shared_data() / "tokenizers" / "o200k_base.tiktoken";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no vocabulary file " << path << "; WEIR_SHARED_DATA names the directory with tokenizers/";
  }
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(path.string());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  compare(*tokenizer);
}

}  // namespace
}  // namespace weir
