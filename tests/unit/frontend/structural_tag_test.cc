// Structural tags for tokenizers with special tokens. The other cases of structural tags are in tests/data.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ir.h"
#include "unit/engine/engine_testing.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::token;

/// A matcher of a structural tag. Its vocabulary has all bytes and the special tokens "<eos>" and "<tool>".
class Tag {
 public:
  explicit Tag(std::string_view text, const StructuralTagOptions& options = {})
      : tokenizer_(byte_vocabulary({})),
        matcher_(GrammarCompiler(tokenizer_).compile_structural_tag(text, options).value()) {}

  /// Returns true if `text` is accepted as a complete output; `@` stands for the token <tool>.
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

TEST(StructuralTag, TagsAfterTokens) {
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

TEST(StructuralTag, ABoundOnBlanksReplacesTheOptionOfTheCall) {
  using Whitespace = JsonSchemaOptions::Whitespace;
  const auto text = [](const std::string& style, const std::string& bound) {
    return R"({"format": {"type": "json_schema", "json_schema": {"type": "object", "required": ["a"],
        "properties": {"a": {"type": "array"}}}, "style": ")" +
           style + "\", \"max_whitespace_cnt\": " + bound + "}}";
  };
  const std::vector<std::pair<Whitespace, std::string>> replaced = {{Whitespace::kNone, "whitespace"},
                                                                    {Whitespace::kCompact, "whitespace"},
                                                                    {Whitespace::kIndented, "whitespace"},
                                                                    {Whitespace::kPattern, "whitespace_pattern"},
                                                                    {Whitespace::kBounded, ""},
                                                                    {Whitespace::kUnbounded, ""}};
  for (const auto& [whitespace, option] : replaced) {
    StructuralTagOptions options;
    options.json_schema.whitespace = whitespace;
    if (whitespace == Whitespace::kPattern) options.json_schema.whitespace_pattern = "\t*";
    EXPECT_TRUE(Grammar::from_structural_tag(text("json", "null"), options).value().warnings().empty());
    for (const bool is_json : {true, false}) {
      const std::string bound = text(is_json ? "json" : "qwen_xml", "3");
      const std::vector<Warning> found = Grammar::from_structural_tag(bound, options).value().warnings();
      ASSERT_EQ(found.size(), option.empty() ? 0U : 1U);
      if (!option.empty()) {
        EXPECT_EQ(found[0].code, "replaced-option");
        EXPECT_EQ(found[0].message, "`max_whitespace_cnt` replaces the option `" + option + "` here");
      }
      Tag tag(bound, options);
      const std::string before = is_json ? R"({"a":[)" : "<parameter=a>[";
      const std::string after = is_json ? "1]}" : "1]</parameter>";
      EXPECT_TRUE(tag.accepts(before + std::string(3, ' ') + after));
      EXPECT_FALSE(tag.accepts(before + std::string(4, ' ') + after));
    }
  }
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

// The rules of nested lists are made one after the other, so only Limits::nesting bounds their depth.
TEST(StructuralTag, ArgumentsThatNestDeep) {
  const auto nested = [](int levels) {
    std::string schema = R"({"type": "null"})";
    for (int i = 0; i < levels; ++i) schema = R"({"type": "array", "items": )" + schema + "}";
    return Grammar::from_structural_tag(R"({"format": {"type": "json_schema", "style": "cohere_xml", "json_schema": )"
                                        R"({"properties": {"a": )" +
                                        schema + "}}}}");
  };
  EXPECT_TRUE(nested(65).has_value());
  EXPECT_TRUE(nested(300).has_value());
}

// A type that is listed twice is read once. Otherwise this schema would be read 2^40 times.
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

// Returns a structural tag with one argument `v`, whose schema may refer to `defs`.
std::string argument_tag(const std::string& style, const std::string& schema, const std::string& defs = "{}") {
  return R"({"format": {"type": "json_schema", "style": ")" + style +
         R"(", "json_schema": {"type": "object", "required": ["v"], "properties": {"v": )" + schema +
         R"(}, "$defs": )" + defs + "}}}";
}

std::string in_cofl(const std::string& attributes, const std::string& inside) {
  return "<cofl:value " + attributes + ">" + inside + "</cofl:value>";
}

TEST(StructuralTag, TypesOfArgumentsAreFoundThroughReferences) {
  const std::string defs = R"({"a": {"type": "object", "properties": {"s": {"type": "string"}}, "required": ["s"]},
    "to a~": {"description": "d", "$ref": "#/$defs/a"}})";
  for (const char* schema : {R"({"$ref": "#/$defs/a"})", R"({"$ref": "#/$defs/to%20a~0"})",
                             R"({"allOf": [{"$ref": "#/$defs/a"}], "title": "t"})",
                             R"({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "default": null})",
                             R"({"oneOf": [{"type": "null"}, {"$ref": "#/$defs/to%20a~0"}]})"}) {
    const bool may_be_null = std::string_view(schema).find("null") != std::string_view::npos;
    Tag brackets(argument_tag("gemma4", schema, defs));
    EXPECT_TRUE(brackets.accepts(R"({v:{s:<|"|>x<|"|>}})")) << schema;
    EXPECT_FALSE(brackets.accepts("{v:{}}")) << schema;
    EXPECT_FALSE(brackets.accepts("{v:1}")) << schema;
    EXPECT_EQ(brackets.accepts("{v:null}"), may_be_null) << schema;
    Tag tags(argument_tag("cohere_xml", schema, defs));
    const std::string inside = in_cofl(R"(name="s" type="raw")", "x");
    EXPECT_TRUE(tags.accepts(in_cofl(R"(name="v" type="dict")", inside))) << schema;
    EXPECT_FALSE(tags.accepts(in_cofl(R"(name="v" type="dict")", ""))) << schema;
    EXPECT_FALSE(tags.accepts(in_cofl(R"(name="v" type="raw")", "x"))) << schema;
    EXPECT_EQ(tags.accepts(in_cofl(R"(name="v" type="json")", "null")), may_be_null) << schema;
  }
}

TEST(StructuralTag, ValuesWithoutATypeThatAreNoObjects) {
  for (const char* schema : {R"({"enum": ["x", 1]})", R"({"anyOf": [{"const": "x"}, {"const": 1}]})",
                             R"({"oneOf": [{"type": "string", "enum": ["x"]}, {"enum": [1, 2]}, {"const": 2}]})"}) {
    Tag brackets(argument_tag("gemma4", schema));
    EXPECT_TRUE(brackets.accepts(R"({v:<|"|>x<|"|>})")) << schema;
    EXPECT_TRUE(brackets.accepts("{v:1}")) << schema;
    EXPECT_FALSE(brackets.accepts("{v:2}")) << schema;
    EXPECT_FALSE(brackets.accepts("{v:{}}")) << schema;
    Tag tags(argument_tag("cohere_xml", schema));
    EXPECT_TRUE(tags.accepts(in_cofl(R"(name="v" type="raw")", "x"))) << schema;
    EXPECT_TRUE(tags.accepts(in_cofl(R"(name="v" type="json")", "1"))) << schema;
    EXPECT_FALSE(tags.accepts(in_cofl(R"(name="v" type="json")", "2"))) << schema;
    EXPECT_FALSE(tags.accepts(in_cofl(R"(name="v" type="list")", ""))) << schema;
  }
}

// A schema that refers to itself accepts values of any depth.
TEST(StructuralTag, ArgumentsThatReferToThemselves) {
  const std::string defs = R"({"t": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/l"}]},
    "l": {"type": "array", "items": {"$ref": "#/$defs/t"}}})";
  Tag brackets(argument_tag("gemma4", R"({"$ref": "#/$defs/t"})", defs));
  Tag tags(argument_tag("cohere_xml", R"({"$ref": "#/$defs/t"})", defs));
  std::string list = "1", value = "1", kind = "json";
  for (int depth = 0; depth < 100; ++depth) {
    ASSERT_TRUE(brackets.accepts("{v:" + list + "}")) << depth;
    ASSERT_TRUE(tags.accepts(in_cofl("name=\"v\" type=\"" + kind + "\"", value))) << depth;
    list = "[" + list + ",2]";
    value = in_cofl("type=\"" + kind + "\"", value) + in_cofl(R"(type="json")", "2");
    kind = "list";
  }
  EXPECT_FALSE(brackets.accepts("{v:[[1,2]}"));
  EXPECT_FALSE(tags.accepts(in_cofl(R"(name="v" type="list")", "1")));
  // Each of 30 schemas refers to the next one in two branches: there are 2^30 paths, but each schema is read once.
  std::string many = R"({"d0": {"type": "object"})";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = R"({"$ref": "#/$defs/d)" + std::to_string(i - 1) + "\"}";
    many += ", \"d" + std::to_string(i) + R"(": {"anyOf": [)" + before + ", " + before + "]}";
  }
  EXPECT_TRUE(Tag(argument_tag("gemma4", R"({"$ref": "#/$defs/d30"})", many + "}")).accepts("{v:{}}"));
}

TEST(StructuralTag, AlternativesThatAMemberDistinguishes) {
  const auto branch = [](const std::string& kind, const std::string& required) {
    return R"({"type": "object", "properties": {"k": {"const": ")" + kind + R"("}}, "required": [)" + required + "]}";
  };
  Tag apart(argument_tag("gemma4", R"({"oneOf": [)" + branch("a", "\"k\"") + ", " + branch("b", "\"k\"") + "]}"));
  EXPECT_TRUE(apart.accepts(R"({v:{k:<|"|>a<|"|>}})"));
  EXPECT_TRUE(apart.accepts(R"({v:{k:<|"|>b<|"|>}})"));
  EXPECT_FALSE(apart.accepts("{v:{}}"));
  // {} is valid under both branches, so it is not valid under oneOf.
  const std::string alike = R"({"oneOf": [)" + branch("a", "") + ", " + branch("b", "") + "]}";
  Tag overlapping(argument_tag("gemma4", alike));
  EXPECT_TRUE(overlapping.accepts(R"({v:{k:<|"|>a<|"|>}})"));
  EXPECT_FALSE(overlapping.accepts("{v:{}}"));
  EXPECT_FALSE(overlapping.accepts(R"({v:{k:<|"|>c<|"|>}})"));
}

TEST(StructuralTag, ArgumentsWithoutATypeOfTheirOwn) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "{v:{x:[1]}}"},
      {"true", "{v:[]}"},
      {R"({"enum": [{}]})", "{v:{}}"},
      {R"({"enum": [{"a": [1, {}]}]})", "{v:{a:[1,{}]}}"},
      {R"({"allOf": [{"type": "object"}, {"minProperties": 1}]})", "{v:{x:1}}"},
      {R"({"allOf": [{"properties": {"a": {"type": "null"}}}, {"required": ["a"], "type": "object"}]})",
       "{v:{a:null}}"},
      {R"({"not": {"type": "string"}})", "{v:1}"},
      {R"({"type": "object", "properties": {"a": {"type": "null"}}, "patternProperties": {"^x": {"type": "boolean"}}})",
       "{v:{a:null,xy:true}}"},
      {R"({"$ref": "#/$defs/a"})", "{v:{}}"},
      {R"({"$ref": "urn:b"})", "{v:{}}"}};
  const std::string inner = R"({"a": {"type": "object"}, "b": {"$id": "urn:b", "type": "object"}})";
  for (const auto& [schema, text] : cases) {
    Tag brackets(argument_tag("gemma4", schema, inner));
    EXPECT_TRUE(brackets.accepts(text)) << schema;
    EXPECT_FALSE(brackets.accepts(R"({v:<|"|>x<|"|>,w:1})")) << schema;
    EXPECT_TRUE(Grammar::from_structural_tag(argument_tag("cohere_xml", schema, inner)).has_value()) << schema;
  }
  EXPECT_FALSE(
      Tag(argument_tag("gemma4", R"({"allOf": [{"type": "object"}, {"minProperties": 1}]})")).accepts("{v:{}}"));
}

// If no number of items satisfies the bounds of a list, the list has no value, and its key is rejected.
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
  ASSERT_FALSE(required.has_value());
  EXPECT_EQ(required.error().code, ErrorCode::kUnsatisfiable);
  const auto many = Grammar::from_structural_tag(text(R"("minItems": 5000000000)", "a"));
  EXPECT_TRUE(many.has_value()) << "an optional argument without values is left out";
}

// The last member of a name counts, as in schemas, with a warning.
TEST(StructuralTag, AMemberThatIsGivenTwiceIsWarnedOf) {
  const auto warned = [](const std::string& text) {
    std::string found;
    const std::vector<Warning> warnings = Grammar::from_structural_tag(text).value().warnings();
    for (const Warning& one : warnings) {
      found += one.code + " " + std::to_string(one.where.start) + ": " + one.message + "\n";
    }
    return found;
  };
  EXPECT_EQ(warned(R"({"format": {"type": "regex", "pattern": "a", "pattern": "b"}})"),
            "duplicate-key 29: a later member overrides the key `\"pattern\"`\n");
  EXPECT_EQ(warned(R"({"format": {"type": "json_schema", "json_schema": {"type": "string", "type": "array"}}})"),
            "duplicate-key 51: a later member overrides the key `\"type\"`\n");
  const auto format = Grammar::from_response_format(R"({"type": "json_object", "type": "text"})");
  ASSERT_EQ(format.value().warnings().size(), 1U);
  EXPECT_EQ(format->warnings()[0].code, "duplicate-key");
}

// The codes of warnings about the arguments of `json_schema` in a style, with the text that each is about.
std::vector<std::string> warnings_of(const std::string& style, const std::string& json_schema) {
  const std::string text =
      R"({"format": {"type": "json_schema", "style": ")" + style + R"(", "json_schema": )" + json_schema + "}}";
  std::vector<std::string> found;
  const auto grammar = Grammar::from_structural_tag(text);
  if (!grammar.has_value()) return {grammar.error().message};
  for (const Warning& one : grammar->warnings()) {
    found.push_back(one.code + ": " + text.substr(one.where.start, one.where.end - one.where.start));
  }
  return found;
}

TEST(StructuralTag, AnOptionalArgumentWithoutValuesIsWarnedOf) {
  const std::pair<const char*, const char*> ends[] = {{"qwen_xml", "</parameter>"},
                                                      {"minimax_xml", "</parameter>"},
                                                      {"glm_xml", "</arg_value>"},
                                                      {"deepseek_xml", "</｜DSML｜parameter>"},
                                                      {"kimi_k3_xml", "<|close|>argument<|sep|>"},
                                                      {"cohere_xml", "</cofl:value>"},
                                                      {"minimax_m3_xml", "]<]minimax[>["},
                                                      {"gemma4", "<|\\\"|>"}};
  for (const auto& [style, end] : ends) {
    SCOPED_TRACE(style);
    const std::string value = R"({"enum": ["x)" + std::string(end) + "\"]}";
    const auto object = [&](const std::string& required) {
      return R"({"properties": {"a": {"const": 1}, "b": )" + value + R"(}, "required": [)" + required + "]}";
    };
    EXPECT_EQ(warnings_of(style, object("")), (std::vector{"absent-argument: " + value}));
    // One of two values remains, and `false` says what is meant.
    EXPECT_TRUE(
        warnings_of(style, R"({"properties": {"b": {"enum": ["x)" + std::string(end) + R"(", "y"]}, "c": false}})")
            .empty());
  }
}

// A text of JSON begins with none of the bytes with which a text before it could become the tag's end.
TEST(StructuralTag, FreeTextBeforeJsonNeedsNoLookAhead) {
  const auto has_look_ahead = [](const std::string& after, const std::string& end) {
    const auto grammar = Grammar::from_structural_tag(
        R"({"format": {"type": "tag", "begin": "<t>", "end": ")" + end +
        R"(", "content": {"type": "sequence", "elements": [{"type": "any_text"}, )" + after + "]}}}");
    return std::ranges::any_of(grammar.value().ir().rules,
                               [](const grammar::Rule& rule) { return rule.follow != regex::ExprId::kAllStrings; });
  };
  const std::string object = R"({"type": "json_schema", "json_schema": {"type": "object"}})";
  EXPECT_FALSE(has_look_ahead(object, "</t>"));
  EXPECT_FALSE(has_look_ahead(R"({"type": "json_schema", "json_schema": true})", "</call>"));
  EXPECT_TRUE(has_look_ahead(object, "<{>"));
  EXPECT_TRUE(has_look_ahead(R"({"type": "any_text"})", "</t>"));
}

// Where a text needs a look-ahead, a budget is refused, and the error says where the text is.
TEST(StructuralTag, ABudgetNeedsTextsWithoutLookAheads) {
  const auto create = [](const std::string& tag) {
    MatcherOptions options;
    options.max_tokens = 50;
    return GrammarMatcher::create(GrammarCompiler(byte_vocabulary({})).compile_structural_tag(tag).value(), options);
  };
  const auto tag = [](const std::string& content) {
    return R"({"format": {"type": "tag", "begin": "<t>", "end": "</t>", "content": )" + content + "}}";
  };
  const std::string any = R"({"type": "any_text"})";
  const auto sequence = [&](const std::string& then) {
    return tag(R"({"type": "sequence", "elements": [)" + any + ", " + then + "]}");
  };
  EXPECT_TRUE(create(sequence(R"({"type": "json_schema", "json_schema": {"type": "object"}})")));
  for (const std::string& text : {sequence(any), tag(R"({"type": "star", "content": )" + any + "}")}) {
    const auto refused = create(text);
    ASSERT_FALSE(refused);
    const std::size_t at = text.find(any);
    EXPECT_NE(refused.error().message.find("at bytes " + std::to_string(at) + " to " + std::to_string(at + any.size())),
              std::string::npos)
        << refused.error().message;
    EXPECT_NE(refused.error().hint.find("the tag's end"), std::string::npos);
  }
}

// Rules do not look back at keys that no schema lists, so one that is written twice counts twice.
TEST(StructuralTag, LeastMembersThatAreNotListedAreWarnedOf) {
  for (const char* style : {"glm_xml", "qwen_xml", "kimi_k3_xml", "cohere_xml", "gemma4", "python"}) {
    SCOPED_TRACE(style);
    const std::string open =
        R"({"properties": {"b": {"type": "integer"}}, "additionalProperties": {"type": "integer"}, )";
    const std::string two = open + R"("minProperties": 2})";
    EXPECT_EQ(warnings_of(style, two), (std::vector{"not-enforced: " + two}));
    EXPECT_TRUE(warnings_of(style, open + R"("minProperties": 1})").empty());
    EXPECT_TRUE(warnings_of(style, R"({"properties": {"a": {}, "b": {}}, "minProperties": 2})").empty());
  }
}

TEST(StructuralTag, AnArgumentWithinAnArgumentWithoutValuesIsWarnedOf) {
  const std::string inner = R"({"type": "object", "properties": {"b": {"const": "</cofl:value>"}}, "required": ["b"]})";
  EXPECT_EQ(warnings_of("cohere_xml", R"({"properties": {"o": )" + inner + "}}"),
            (std::vector{"absent-argument: " + inner}));
}

// What is found out about a grammar once it has been read has its place in the tag, too.
TEST(StructuralTag, PartsOfAGrammarHaveTheirPlaceInTheTag) {
  for (const auto& [escaped, at] : {std::pair<std::string, std::string>{"root ::= [a] other ::= [c]", "other"},
                                    {R"(root ::= [a]\nother ::= [c])", R"("root ::= [a]\nother ::= [c]")"}}) {
    const std::string tag = R"({"format": {"type": "grammar", "grammar": ")" + escaped + "\"}}";
    const Result<Grammar> grammar = Grammar::from_structural_tag(tag);
    ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
    ASSERT_EQ(grammar->warnings().size(), 1U);
    const Warning& unused = grammar->warnings().front();
    EXPECT_EQ(unused.code, "unused-rule");
    EXPECT_EQ(tag.substr(unused.where.start, unused.where.end - unused.where.start), at);
  }
}

TEST(ResponseFormat, HintsForOtherObjects) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const auto hint_for = [&](const char* text) {
    return GrammarCompiler(tokenizer).compile_response_format(text).error().hint;
  };
  EXPECT_EQ(hint_for(R"({"response_format": {"type": "json_object"}})"), "give what is in `response_format`");
  EXPECT_EQ(hint_for(R"({"model": "m", "format": {"type": "json_object"}})"), "give what is in `format`");
  EXPECT_EQ(hint_for(R"({"text": {"format": {"type": "json_schema", "schema": true}}})"),
            "give what is in `text.format`");
  const std::string schema = R"(a schema is given as {"type": "json_schema", "schema": ...})";
  EXPECT_EQ(hint_for(R"({"guided_json": {"type": "object"}})"), schema);
  EXPECT_EQ(hint_for(R"({"properties": {}})"), schema);
  EXPECT_EQ(hint_for(R"({"type": "object", "properties": {}})"), schema);
  EXPECT_EQ(hint_for(R"({"type": "array", "items": true})"), schema);
  EXPECT_EQ(hint_for(R"({"schema": {"$ref": "#"}})"), schema);
  for (const char* bare :
       {R"({"anyOf": [{"type": "string"}]})", R"({"enum": ["a"]})", R"({"type": "string"})",
        R"({"format": {"type": "object", "properties": {}}})", R"({"type": "json", "schema": {"type": "object"}})",
        R"({"$ref": "#/$defs/a", "$defs": {}})"}) {
    EXPECT_EQ(hint_for(bare), schema) << bare;
  }
  const std::string object = R"(any JSON object is {"type": "json_object"})";
  for (const char* word : {"{}", R"("json")", R"("json_object")", R"({"type": "json"})", R"({"format": "json"})", "[]",
                           R"({"response_mime_type": "application/json"})"}) {
    EXPECT_EQ(hint_for(word), object) << word;
  }
  EXPECT_EQ(hint_for(R"("text")"), R"(text is {"type": "text"})");
  EXPECT_EQ(hint_for(R"({"type": "json_schem", "schema": {}})"), "did you mean `json_schema`?");
  EXPECT_EQ(hint_for(R"({"type": "json_schema", "json_schema": {"type": "object"}})"), "it holds the schema");
}

TEST(StructuralTag, AKeyThatIsNoText) {
  for (const char* style : {"qwen_xml", "minimax_xml", "minimax_m3_xml", "glm_xml", "deepseek_xml", "kimi_k3_xml",
                            "cohere_xml", "gemma4"}) {
    SCOPED_TRACE(style);
    const std::string schema = R"({"properties": {"a": {"const": 1}, "b\ud800": {"const": 2}})";
    EXPECT_EQ(warnings_of(style, schema + "}"), (std::vector<std::string>{R"(absent-argument: {"const": 2})"}));
    StructuralTagOptions options;
    options.json_schema.lone_surrogates = true;
    const auto required =
        Grammar::from_structural_tag(R"({"format": {"type": "json_schema", "style": ")" + std::string(style) +
                                         R"(", "json_schema": )" + schema + R"(, "required": ["b\ud800"]}}})",
                                     options);
    ASSERT_FALSE(required.has_value());
    EXPECT_EQ(required.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(required.error().pointer, R"(/format/json_schema/properties/b\ud800)");
    EXPECT_NE(required.error().message.find(R"("b\ud800")"), std::string::npos) << required.error().message;
  }
}

}  // namespace
}  // namespace weir
