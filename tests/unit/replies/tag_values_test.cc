// Values that follow their tag are read as values that the schema allows, in all styles: random outputs of the tag, and the
// JSON Schema of the parameters compiled by itself.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

#include "distinct_styles.h"
#include "random_output.h"
#include "rounds.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"

namespace weir {
namespace {

// Schemas of the argument `m` under which a text may be read in two ways.
constexpr const char* kSchemas[] = {
    R"({"not": {"type": "string"}})",
    R"({"not": {"type": ["string", "null"]}})",
    R"({"if": {"type": "string"}, "then": false})",
    R"({"allOf": [{"type": ["string", "integer"]}, {"$ref": "#/$defs/other"}]})",
    R"({"type": ["string", "integer"]})",
    R"({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 100}]})",
    R"({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]})",
    R"({"type": ["string", "number", "null"], "not": {"enum": ["1", 2, null]}})",
    R"({"pattern": "^[a-c]*$"})",
    R"({"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}}]})",
    R"({"anyOf": [{"type": "string", "minLength": 1}, {"type": "object", "additionalProperties": {"type": "boolean"}}]})",
    R"({"anyOf": [{"type": "array", "items": {"not": {"type": "string"}}}, {"type": "object", "properties": {"x": {}}}]})",
    R"({"type": "array", "prefixItems": [{"type": "boolean"}, {"not": {"type": "string"}}], "items": {"type": "null"}})",
};

std::string tools_of(const std::string& parameters) { return R"([{"name": "f", "parameters": )" + parameters + "}]"; }

class TagValues : public testing::TestWithParam<std::string_view> {};

TEST_P(TagValues, AreThoseOfTheSchema) {
  std::mt19937 random(11);
  const auto check = [&](const std::string& parameters, int walks) {
    ReplyOptions options;
    options.mode = ReplyOptions::Mode::kStrict;
    options.tools.tool_choice = R"("required")";
    const std::string tools = tools_of(parameters);
    auto parser = ReplyParser::create(GetParam(), tools, options);
    ASSERT_TRUE(parser) << parser.error().message;
    const auto tag = structural_tag_for_tools(GetParam(), tools, options.tools);
    GrammarMatcher writer(GrammarCompiler(tests::bytes()).compile_structural_tag(*tag).value());
    GrammarMatcher reader(GrammarCompiler(tests::bytes()).compile_json_schema(parameters).value());
    for (int i = 0; i < walks; ++i) {
      const std::string text = tests::random_output(writer, random, 40 + random() % 120);
      parser->reset();
      ASSERT_TRUE(parser->feed(text)) << text;
      ASSERT_TRUE(parser->finish()) << text;
      const auto read = nlohmann::json::parse(parser->snapshot(), nullptr, false);
      if (read.is_discarded()) continue;  // a number beyond a double
      for (const auto& call : read["tool_calls"]) {
        reader.reset();
        const std::string arguments = call["arguments"].dump();
        if (arguments.find("e+") != std::string::npos) continue;  // how the oracle writes numbers is not ours
        EXPECT_TRUE(reader.accept_bytes(arguments) == Step::kOk && reader.is_completed()) << parameters << "\n"
                                                                                          << text << "\n"
                                                                                          << arguments;
      }
    }
  };
  // With sanitizers each style takes one of five schemas, styles with names of other lengths take others.
  for (std::size_t i = GetParam().size() % tests::one_in(); i < std::size(kSchemas); i += tests::one_in()) {
    check(R"({"type": "object", "properties": {"m": )" + std::string(kSchemas[i]) +
              R"(}, "required": ["m"], "$defs": {"other": {"not": {"type": "string"}}}})",
          20);
  }
  // What a member may be depends on one before it.
  check(R"({"anyOf": [{"properties": {"kind": {"const": "a"}, "m": {"type": "string"}}, "required": ["kind", "m"]},
                      {"properties": {"kind": {"const": "b"}, "m": {"type": "integer"}}, "required": ["kind", "m"]}]})",
        40);
  // Each key ends where the tag says, so none is read as a part of the value before it.
  check(
      R"({"properties": {"Aa": {"enum": ["xy"]}, "@type": {"enum": ["on"]}, "x/y": {"enum": ["on"]}, "a b": {"enum": ["on"]},
          "B c": {"enum": ["on"]}, "$top": {"enum": ["on"]}, "a.b": {"enum": ["on"]}, "x-y": {"enum": ["on"]},
          "\u00e9": {"enum": ["on"]}, "1": {"enum": ["on"]}, "\"q\"": {"enum": ["on"]}, "'s'": {"enum": ["on"]}, "a\"b":
          {"enum": ["on"]}, "a&b": {"enum": ["on"]}, "a&amp;b": {"enum": ["on"]}, "a<b": {"enum": ["on"]}, "a>b": {"enum":
          ["on"]}, "a=b": {"enum": ["on"]}, "a\\nb": {"enum": ["on"]}, "a\tb": {"enum": ["on"]}, " c": {"enum": ["on"]},
          "deep": {"properties": {"Aa": {"enum": ["xy"]}, "@type": {"enum": ["on"]}}, "required": ["Aa", "@type"],
          "additionalProperties": false}}, "additionalProperties": false})",
      60);
  check(R"({"properties": {"a": {"enum": ["foo"]}}, "required": ["a"], "additionalProperties": {"enum": ["on", 0]}})",
        60);
}

INSTANTIATE_TEST_SUITE_P(Styles, TagValues, testing::ValuesIn(tests::distinct_styles()),
                         [](const auto& info) { return std::string(info.param); });

struct Case {
  std::string_view style;
  std::string_view schema;
  std::string_view before;
  std::string_view value;
  std::string_view after;
  std::string_view read;
};

TEST(TagValue, OfAKindThatTheSchemaAllows) {
  constexpr std::string_view kQwen = "<tool_call>\n<function=f>\n<parameter=m>\n";
  constexpr std::string_view kQwenEnd = "\n</parameter>\n</function>\n</tool_call>";
  constexpr std::string_view kMiniMax = "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<m>";
  constexpr std::string_view kMiniMaxEnd = "]<]minimax[>[</m>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>";
  for (const auto& [style, schema, before, value, after, read] : {
           Case{"qwen_coder", R"({"not": {"type": "string"}})", kQwen, "12", kQwenEnd, "12"},
           Case{"qwen_coder", R"({"not": {"type": "string"}})", kQwen, "null", kQwenEnd, "null"},
           Case{"qwen_coder", R"({"not": {"type": ["string", "null"]}})", kQwen, R"({"a": 1})", kQwenEnd,
                R"({"a": 1})"},
           Case{"qwen_coder", R"({"if": {"type": "string"}, "then": false})", kQwen, "true", kQwenEnd, "true"},
           Case{"qwen_coder", R"({"type": ["string", "integer"]})", kQwen, "1.5", kQwenEnd, R"("1.5")"},
           Case{"qwen_coder", R"({"type": ["string", "integer"]})", kQwen, "15", kQwenEnd, "15"},
           Case{"qwen_coder", R"({"minLength": 1})", kQwen, "15", kQwenEnd, R"("15")"},
           Case{"qwen_coder", R"({"pattern": "^a"})", kQwen, "15", kQwenEnd, "15"},
           Case{"minimax_m3", R"({"anyOf": [{"type": "string", "minLength": 1}, {"type": "array"}]})", kMiniMax, "",
                kMiniMaxEnd, "[]"},
           Case{"minimax_m3", R"({"anyOf": [{"type": "string"}, {"type": "array"}]})", kMiniMax, "", kMiniMaxEnd,
                R"("")"},
           Case{"minimax_m3", R"({"anyOf": [{"type": "array", "minItems": 1}, {"type": "object"}]})", kMiniMax, "",
                kMiniMaxEnd, "{}"},
           Case{"minimax_m3", R"({"type": ["array", "object"]})", kMiniMax, "]<]minimax[>[<item>1]<]minimax[>[</item>",
                kMiniMaxEnd, R"(["1"])"},
           Case{"minimax_m3", R"({"maxProperties": 0})", kMiniMax, "]<]minimax[>[<item>1]<]minimax[>[</item>",
                kMiniMaxEnd, R"(["1"])"},
           Case{"minimax_m3",
                R"({"type": ["array", "object"], "properties": {"item": {"type": "string"}}, "maxProperties": 0})",
                kMiniMax, "]<]minimax[>[<item>1]<]minimax[>[</item>", kMiniMaxEnd, R"(["1"])"},
           Case{"minimax_m3", R"({"type": ["array", "object"], "properties": {"item": {"type": "string"}}})", kMiniMax,
                "]<]minimax[>[<item>1]<]minimax[>[</item>", kMiniMaxEnd, R"({"item": "1"})"},
       }) {
    const std::string parameters = R"({"type": "object", "properties": {"m": )" + std::string(schema) + "}}";
    for (const auto mode : {ReplyOptions::Mode::kTolerant, ReplyOptions::Mode::kStrict}) {
      ReplyOptions options;
      options.mode = mode;
      options.tools.tool_choice = R"("required")";
      auto parser = ReplyParser::create(style, tools_of(parameters), options);
      ASSERT_TRUE(parser) << parser.error().message;
      const std::string text = std::string(before) + std::string(value) + std::string(after);
      const auto fed = parser->feed(text);
      ASSERT_TRUE(fed) << fed.error().message << text;
      ASSERT_TRUE(parser->finish()) << text;
      EXPECT_NE(parser->snapshot().find(R"("arguments": {"m": )" + std::string(read) + "}"), std::string::npos)
          << schema << "\n"
          << parser->snapshot();
    }
  }
}

}  // namespace
}  // namespace weir
