// Structural tags for tokenizers with special tokens; all else about them is in tests/data.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/engine/engine_testing.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::token;

/// Bytes, "<eos>" and "<tool>"; the last two are special.
class Tag {
 public:
  explicit Tag(std::string_view text, const StructuralTagOptions& options = {})
      : tokenizer_(byte_vocabulary({})),
        matcher_(GrammarCompiler(tokenizer_).compile_structural_tag(text, options).value()) {}

  /// The text, in which `@` stands for the token <tool>.
  bool accepts(std::string_view text) {
    matcher_.reset();
    for (const char c : text) {
      const std::uint32_t id = c == '@' ? token(tokenizer_, "<tool>") : static_cast<std::uint8_t>(c);
      const Step step = matcher_.accept_token(id);
      if (step != Step::kOk) return false;
    }
    return matcher_.is_completed();
  }

 private:
  TokenizerInfo tokenizer_;
  GrammarMatcher matcher_;
};

TEST(StructuralTag, ATriggerThatIsASpecialToken) {
  Tag tag(R"({"format": {"type": "triggered_tags", "triggers": ["<tool>", "!"], "tags": [
    {"begin": "<tool>a", "content": {"type": "const_string", "value": "1"}, "end": ";"},
    {"begin": "!b", "content": {"type": "any_text"}, "end": "<tool>"}]}})");
  EXPECT_TRUE(tag.accepts("text <to"));
  EXPECT_TRUE(tag.accepts("x@a1;y@a1;"));
  EXPECT_TRUE(tag.accepts("!bxy@z!b@@a1;"));
  EXPECT_FALSE(tag.accepts("x@b"));
  EXPECT_FALSE(tag.accepts("@")) << "what the trigger leads to is missing";
  EXPECT_FALSE(tag.accepts("x<tool>")) << "the token's name as text";
  EXPECT_FALSE(tag.accepts("<tool>a1;")) << "the token's name as text";
  EXPECT_FALSE(tag.accepts("!bx<tool>")) << "the token's name as text";
}

TEST(StructuralTag, ATriggerOfTextAndASpecialToken) {
  Tag tag(R"({"format": {"type": "triggered_tags", "triggers": ["\n<tool>"], "stop_after_first": true, "tags": [
    {"begin": "\n<tool>", "content": {"type": "const_string", "value": "1"}, "end": ""}]}})");
  EXPECT_TRUE(tag.accepts("a\nb\n@1"));
  EXPECT_TRUE(tag.accepts("a\n"));
  EXPECT_FALSE(tag.accepts("a@1"));
  EXPECT_FALSE(tag.accepts("\n@1b"));
}

TEST(StructuralTag, ATriggerThatEndsInsideASpecialTokensName) {
  Tag tag(R"({"format": {"type": "triggered_tags", "triggers": ["<to"], "tags": [
    {"begin": "<tool>x", "content": {"type": "const_string", "value": "1"}, "end": ""},
    {"begin": "<tox", "content": {"type": "const_string", "value": "2"}, "end": ""}]}})");
  EXPECT_TRUE(tag.accepts("a@x1b"));
  EXPECT_TRUE(tag.accepts("a<tox2b"));
  EXPECT_FALSE(tag.accepts("<tool>x1"));
}

TEST(StructuralTag, FormatsOfTokens) {
  Tag tag(R"({"format": {"type": "sequence", "elements": [
    {"type": "token", "token": "<tool>"}, {"type": "exclude_token", "exclude_tokens": [97]},
    {"type": "any_tokens", "exclude_tokens": [98, "<tool>"], "max_tokens": 2}]}})");
  EXPECT_TRUE(tag.accepts("@b"));
  EXPECT_TRUE(tag.accepts("@@ca"));
  EXPECT_FALSE(tag.accepts("@a"));
  EXPECT_FALSE(tag.accepts("@bb"));
  EXPECT_FALSE(tag.accepts("@baaa"));
  EXPECT_FALSE(tag.accepts("a"));
}

TEST(StructuralTag, TagsBehindTokens) {
  constexpr std::string_view kTags = R"({"format": {"type": "token_triggered_tags", "trigger_tokens": ["<tool>", 33],
    "exclude_tokens": [120], )";
  constexpr std::string_view kList = R"("tags": [
      {"begin": {"type": "token", "token": "<tool>"}, "content": {"type": "any_tokens"},
       "end": {"type": "token", "token": 59}},
      {"begin": {"type": "token", "token": 33}, "content": {"type": "const_string", "value": "1"}, "end": ";"}]}})";
  const auto tags = [&](const std::string& flags) { return Tag(std::string(kTags) + flags + std::string(kList)); };
  Tag any = tags("");
  EXPECT_TRUE(any.accepts("ab@x;c!1;"));
  EXPECT_TRUE(any.accepts(""));
  EXPECT_FALSE(any.accepts("x")) << "excluded";
  EXPECT_FALSE(any.accepts("!2"));
  EXPECT_FALSE(any.accepts("@x"));
  Tag one = tags(R"("at_least_one": true, "stop_after_first": true, )");
  EXPECT_TRUE(one.accepts("@;"));
  EXPECT_FALSE(one.accepts(""));
  EXPECT_FALSE(one.accepts("@;a"));
  EXPECT_FALSE(one.accepts("@;;")) << "the first ; ends the tag";
  Tag first = tags(R"("stop_after_first": true, )");
  EXPECT_TRUE(first.accepts("ab!1;"));
  EXPECT_FALSE(first.accepts("!1;a"));
}

TEST(StructuralTag, DispatchByTokens) {
  Tag tag(R"({"format": {"type": "token_dispatch", "exclude_tokens": [120], "rules": [
    ["<tool>", {"type": "const_string", "value": "1"}], [33, {"type": "const_string", "value": "2"}]]}})");
  EXPECT_TRUE(tag.accepts("a@1b!2"));
  EXPECT_FALSE(tag.accepts("@2"));
  EXPECT_FALSE(tag.accepts("x"));
}

TEST(StructuralTag, TheGreatestIdOfAToken) {
  const auto with = [](std::string_view id) {
    return Grammar::from_structural_tag(R"({"format": {"type": "token", "token": )" + std::string(id) + "}}");
  };
  EXPECT_TRUE(with("4294967294").has_value());
  ASSERT_FALSE(with("4294967295").has_value());
  EXPECT_EQ(with("4294967295").error().message, "token id out of range");
  EXPECT_EQ(with("4294967295").error().pointer, "/format/token");
}

TEST(StructuralTag, NamesThatOptionsGiveAreTheSpecialTokens) {
  StructuralTagOptions none;
  none.special_tokens = {"<other>"};
  Tag tag(R"({"format": {"type": "const_string", "value": "a<tool>"}})", none);
  EXPECT_TRUE(tag.accepts("a<tool>"));
  Tag special(R"({"format": {"type": "const_string", "value": "a<tool>"}})");
  EXPECT_TRUE(special.accepts("a@"));
  EXPECT_FALSE(special.accepts("a<tool>"));
}

TEST(StructuralTag, ATagThatBeginsWithNoTriggerToken) {
  const auto grammar =
      Grammar::from_structural_tag(R"({"format": {"type": "token_triggered_tags", "trigger_tokens": ["a"],
    "tags": [{"begin": "a", "content": {"type": "any_text"}, "end": ""}]}})");
  ASSERT_FALSE(grammar.has_value());
  EXPECT_EQ(grammar.error().pointer, "/format/tags/0/begin");
  const auto other =
      Grammar::from_structural_tag(R"({"format": {"type": "token_triggered_tags", "trigger_tokens": ["a"],
    "tags": [{"begin": {"type": "token", "token": "b"}, "content": {"type": "any_text"}, "end": ""}]}})");
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().pointer, "/format/tags/0/begin/token");
}

// Lists within lists are read by recursion, which has an end.
TEST(StructuralTag, ArgumentsThatNestTooDeep) {
  const auto nested = [](int levels) {
    std::string schema = R"({"type": "null"})";
    for (int i = 0; i < levels; ++i) schema = R"({"type": "array", "items": )" + schema + "}";
    return Grammar::from_structural_tag(R"({"format": {"type": "json_schema", "style": "cohere_xml", "json_schema": )"
                                        R"({"properties": {"a": )" +
                                        schema + "}}}}");
  };
  EXPECT_TRUE(nested(64).has_value());
  ASSERT_FALSE(nested(65).has_value());
  EXPECT_EQ(nested(65).error().message, "values within more than 64 others");
}

// A type that is listed twice is read once: else this takes 2^40 readings.
TEST(StructuralTag, ArgumentsWithATypeTwice) {
  std::string schema = R"({"type": ["null", "null"]})";
  for (int i = 0; i < 20; ++i) {
    schema = R"({"type": ["object", "object"], "properties": {"b": {"type": ["array", "array"], "items": )" + schema +
             R"(}}, "required": ["b"]})";
  }
  const std::string text =
      R"({"format": {"type": "json_schema", "style": "cohere_xml", "json_schema": {"properties": {"a": )" + schema;
  const auto grammar = Grammar::from_structural_tag(text + "}}}}");
  EXPECT_TRUE(grammar.has_value()) << grammar.error().message;
}

// A list that no number of items fits has no value, so its key cannot come.
TEST(StructuralTag, ArgumentsWithAListWithoutValues) {
  const auto text = [](const std::string& bounds, const std::string& name) {
    return R"({"format": {"type": "json_schema", "style": "cohere_xml", "json_schema": {"required": [")" + name +
           R"("], "properties": {"a": {"type": "null"}, "l": {"type": "array", "items": {"type": "null"}, )" + bounds +
           "}}}}}";
  };
  const std::string given = R"(<cofl:value name="a" type="json">null</cofl:value>)";
  const std::string item = R"(<cofl:value type="json">null</cofl:value>)";
  const std::string begin = given + R"(<cofl:value name="l" type="list">)";
  Tag one(text(R"("minItems": 1, "maxItems": 1)", "a"));
  EXPECT_TRUE(one.accepts(begin + item + "</cofl:value>"));
  Tag none(text(R"("minItems": 2, "maxItems": 1)", "a"));
  EXPECT_TRUE(none.accepts(given));
  for (const std::string& items : {std::string(), item, item + item}) {
    EXPECT_FALSE(none.accepts(begin + items + "</cofl:value>"));
  }
  const auto required = Grammar::from_structural_tag(text(R"("minItems": 2, "maxItems": 1)", "l"));
  ASSERT_TRUE(required.has_value()) << required.error().message;
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile(*required);
  ASSERT_FALSE(compiled.has_value());
  EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable);
  const auto many = Grammar::from_structural_tag(text(R"("minItems": 5000000000)", "a"));
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().message, "a list of so many items is not supported in this style");
}

}  // namespace
}  // namespace weir
