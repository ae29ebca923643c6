// Items that must differ, and tokens that go on after an item: each mask of random walks is compared with what the
// matcher says of each token's bytes when it reads them one by one, where the text before a byte always decides.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

constexpr std::string_view kSchemas[] = {
    R"({"items": {"type": "string"}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string", "minLength": 2}, "type": "array", "uniqueItems": true, "minItems": 3})",
    R"({"items": {"type": "string"}, "type": "array", "uniqueItems": true, "maxItems": 2})",
    R"({"items": {"type": "string", "maxLength": 1}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string", "pattern": "^(a|b+)$"}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string", "not": {"enum": ["a", "b"]}}, "type": "array", "uniqueItems": true})",
    R"({"items": {"enum": ["a", "b", "ab"]}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": ["string", "null"]}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "integer"}, "type": "array", "uniqueItems": true})",
    R"({"prefixItems": [{"type": "string"}, {"const": "a"}, {"type": "string"}], "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string"}, "contains": {"const": "a"}, "type": "array", "uniqueItems": true, "minItems": 2})",
    R"({"items": {"type": "string"}, "type": "array", "not": {"uniqueItems": true}})",
    R"({"items": {"items": {"type": "string"}, "type": "array", "uniqueItems": true}, "type": "array",
        "uniqueItems": true})",
    R"({"anyOf": [{"items": {"type": "string"}, "uniqueItems": true}, {"items": {"const": "a"}}], "type": "array"})",
};

TokenizerInfo make_tokens() {
  std::vector<std::string> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const char* text :
       {"[\"",           "\"]",       "\",\"",     "\", \"", "\",",     "a\"",          "b\"",         "a\",\"",
        "a\",\"a",       "a\",\"a\"", "a\",\"b\"", "\"a\"",  ",\"a\"",  ",\"a\",\"a\"", "\",\"a\",\"", "\",\"a\"]",
        "\",\"ab\",\"a", "aa",        "ab",        "1,",     "1,1",     "1,1]",         ",1",          ",1,",
        "null,",         ",null",     "null,null", "],[",    "\"],[\"", "\"],[\"a",     "],[\"a\"]",   "\\u0061\"",
        "\",\"\\u0061\""}) {
    tokens.emplace_back(text);
  }
  VocabSpec spec;
  spec.tokens = std::move(tokens);
  return *TokenizerInfo::from_vocab(std::move(spec));
}

TEST(UniqueItems, MasksAreWhatTheBytesOfTokensAllow) {
  const TokenizerInfo tokenizer = make_tokens();
  std::minstd_rand random(11);
  std::size_t refused_after_quote = 0;
  for (const std::string_view schema : kSchemas) {
    const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_json_schema(schema);
    ASSERT_TRUE(compiled) << schema << ": " << compiled.error().message;
    for (int walk = 0; walk < tests::rounds(60); ++walk) {
      GrammarMatcher matcher(*compiled);
      std::string text;
      for (int step = 0; step < 14; ++step) {
        const std::vector<bool> mask = mask_of(matcher);
        std::vector<std::uint32_t> likely;
        for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
          const std::string_view bytes = tokenizer.token_bytes(token);
          const bool may_come = matcher.longest_viable_prefix(bytes) == bytes.size();
          ASSERT_EQ(mask[token], may_come) << schema << "\n" << shown(text) << " + " << shown(bytes);
          refused_after_quote += !may_come && bytes.size() > 3 && bytes[0] == '"' ? 1 : 0;
          if (may_come && (bytes.size() > 1 || std::string_view("[]\",ab1").find(bytes) != std::string_view::npos)) {
            likely.push_back(token);
          }
        }
        if (likely.empty()) break;
        const std::uint32_t next = likely[random() % likely.size()];
        ASSERT_EQ(matcher.accept_token(next), Step::kOk);
        text += tokenizer.token_bytes(next);
      }
    }
  }
  EXPECT_GT(refused_after_quote, 0U);
}

}  // namespace
}  // namespace weir::testing
