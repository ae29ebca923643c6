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
    // Some strings, of which infinitely many are left after most prefixes.
    R"({"items": {"type": "string", "pattern": "^(a*|ab|b{1,2})$"}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string", "pattern": "[^a]"}, "type": "array", "uniqueItems": true, "minItems": 2})",
    R"({"items": {"type": ["string", "integer"], "minLength": 1}, "type": "array", "uniqueItems": true})",
    R"({"items": {"anyOf": [{"type": "string", "minLength": 1}, {"const": {}}]}, "type": "array", "uniqueItems": true})",
    R"({"items": {"type": "string", "minLength": 1}, "contains": {"const": "a"}, "type": "array", "uniqueItems": true})",
    R"({"prefixItems": [{"enum": [1, "a"]}, {"type": ["string", "null"], "minLength": 1}, {"enum": [1, "a", 2]}],
        "items": false, "type": "array", "uniqueItems": true, "minItems": 3})",
    R"({"anyOf": [{"prefixItems": [{}, {"type": "string", "minLength": 1}, {"const": 1}]},
        {"prefixItems": [{}, {"type": "null"}, {"const": "a"}]}], "maxItems": 3, "type": "array", "uniqueItems": true,
        "minItems": 3})",
    R"({"items": {"items": {"type": "string"}, "type": "array", "uniqueItems": true}, "type": "array",
        "uniqueItems": true})",
    R"({"items": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}},
        "additionalProperties": false}]}, "type": "array", "uniqueItems": true})",
    R"({"items": {"anyOf": [{"type": "string"}, {"items": {"type": "null"}, "maxItems": 1, "type": "array"}]},
        "type": "array", "uniqueItems": true})",
    R"({"items": {"anyOf": [{"type": "string"}, {"const": {}}]}, "type": "array", "uniqueItems": true, "maxItems": 3})",
    R"({"oneOf": [{"items": {"type": ["string", "object"], "maxProperties": 0}, "uniqueItems": true},
        {"items": {"type": "object", "maxProperties": 0}, "uniqueItems": true}], "type": "array", "minItems": 1})",
    R"({"anyOf": [{"items": {"type": "string"}, "uniqueItems": true}, {"items": {"const": "a"}}], "type": "array"})",
    R"({"items": {"items": {"enum": [1, "a", null]}, "maxItems": 2, "type": "array"}, "type": "array",
        "uniqueItems": true})",
    R"({"items": {"properties": {"a": {"enum": [1, "a"]}, "b": {"type": "null"}}, "additionalProperties": false,
        "type": "object"}, "type": "array", "uniqueItems": true})",
    R"({"items": {"additionalProperties": {"const": 1}, "maxProperties": 2, "not": {"const": {"a": 1}},
        "type": "object"}, "type": "array", "uniqueItems": true})",
};

TokenizerInfo make_tokens() {
  std::vector<std::string> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const char* text : {"[\"",
                           "\"]",
                           "\",\"",
                           "\", \"",
                           "\",",
                           "a\"",
                           "b\"",
                           "a\",\"",
                           "a\",\"a",
                           "a\",\"a\"",
                           "a\",\"b\"",
                           "\"a\"",
                           ",\"a\"",
                           ",\"a\",\"a\"",
                           "\",\"a\",\"",
                           "\",\"a\"]",
                           "\",\"ab\",\"a",
                           "aa",
                           "ab",
                           "1,",
                           "1,1",
                           "1,1]",
                           ",1",
                           ",1,",
                           "null,",
                           ",null",
                           "null,null",
                           "],[",
                           "\"],[\"",
                           "\"],[\"a",
                           "],[\"a\"]",
                           "\\u0061\"",
                           "\",\"\\u0061\"",
                           "{\"a\":",
                           "1},{\"a\":",
                           "{},{",
                           "{\"b\":null",
                           "\"},{\"a\":\"a\"}",
                           "],[1,",
                           "[1,\"a\"],["}) {
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

// All lists of at most three items of a pool. Some of its texts are the same value.
TEST(UniqueItems, ExactlyTheListsOfDifferentValuesAreAccepted) {
  struct Item {
    std::string_view text;
    int value;
  };
  struct Case {
    std::string_view items;
    std::vector<Item> pool;
  };
  const std::vector<Item> objects = {{R"({})", 0},
                                     {R"({"a": 1})", 1},
                                     {R"({"a": 1.0})", 1},
                                     {R"({"a": 2})", 2},
                                     {R"({"b": null})", 3},
                                     {R"({"a": 1, "b": null})", 4},
                                     {R"({"b": null, "a": 1})", 4}};
  const Case cases[] = {
      {R"({"type": "object"})", objects},
      {R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "null"}},
           "additionalProperties": false})",
       objects},
      {R"({"type": "array"})", {{"[]", 0}, {"[1]", 1}, {"[1e0]", 1}, {"[1, 2]", 2}, {"[2, 1]", 3}, {"[[1]]", 4}}},
      {R"({"enum": [[1], [2], {"a": [1]}, {"a": [2]}, 1]})",
       {{"[1]", 0}, {"[2]", 1}, {R"({"a": [1]})", 2}, {R"({"a": [2]})", 3}, {"1", 4}}},
  };
  const TokenizerInfo tokenizer = make_tokens();
  for (const auto& [items, pool] : cases) {
    const std::string schema = R"({"type": "array", "uniqueItems": true, "items": )" + std::string(items) + "}";
    const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_json_schema(schema);
    ASSERT_TRUE(compiled) << schema << ": " << compiled.error().message;
    for (const Item& x : pool) {
      for (const Item& y : pool) {
        for (const Item& z : pool) {
          std::string text = "[" + std::string(x.text) + ", " + std::string(y.text) + ", " + std::string(z.text) + "]";
          GrammarMatcher matcher(*compiled);
          const bool is_accepted = matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
          EXPECT_EQ(is_accepted, x.value != y.value && x.value != z.value && y.value != z.value) << schema << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::testing
