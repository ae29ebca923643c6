// Errors about tools: in every style, whatever is wrong and wherever it stands, they name the tool and lead into `tools`.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/compiler.h"
#include "weir/tools.h"

namespace weir {
namespace {

/// Parameters of a tool. `%` stands for the keywords of the schema that is wrong.
struct Place {
  const char* parameters;
  const char* pointer;   // from the parameters to that schema
  const char* argument;  // that the message names: "", or ", argument `a`"
};
constexpr Place kPlaces[] = {
    {R"({"properties": {"b": {"type": "string"}}, %})", "", ""},
    {R"({"type": "object", "properties": {"a": {%}}, "required": ["a"]})", "/properties/a", ", argument `a`"},
    {R"({"properties": {"a": {"properties": {"b": {%}}, "type": "object", "required": ["b"]}}, "required": ["a"]})",
     "/properties/a/properties/b", ", argument `a`"},
    {R"({"properties": {"a": {"type": "array", "items": {%}, "minItems": 1}}, "required": ["a"]})",
     "/properties/a/items", ", argument `a`"},
    {R"({"properties": {"a": {"$ref": "#/$defs/d"}}, "required": ["a"], "$defs": {"d": {%}}})", "/$defs/d", ""},
    {R"({"properties": {"a": {"allOf": [{"$ref": "#/$defs/d"}]}}, "required": ["a"], "$defs": {"d": {%}}})", "/$defs/d",
     ""},
};

std::string repeated(std::string_view before, int count, std::string_view after) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    (((out += i == 0 ? "" : ", ") += before) += std::to_string(i)) += after;
  }
  return out;
}

/// The list of tools whose second one has the keywords in a place, and where its parameters are in the text.
struct Tools {
  std::string text;
  SourceRange parameters;

  Tools(const Place& place, std::string_view keywords) {
    std::string schema = place.parameters;
    schema.replace(schema.find('%'), 1, keywords);
    text = R"([{"name": "ok"}, {"type": "function", "function": {"name": "f", "parameters": )";
    parameters = {text.size(), text.size() + schema.size()};
    text += schema + R"(}}, {"name": "last", "parameters": {"properties": {"q": {"type": "string"}}}}])";
  }
};

constexpr std::string_view kParameters = "/1/function/parameters";

/// What no compiler's options and limits make right is found before there is a tag, so the place is one in `tools`.
TEST(ToolsErrors, WrongKeywords) {
  struct Wrong {
    const char* keywords;
    const char* keyword;  // that the pointer leads to; null for a contradiction, which leads to one of its keywords
  };
  constexpr Wrong kWrong[] = {
      {R"("minLength": "x")", "minLength"},
      {R"("enum": 3)", "enum"},
      {R"x("pattern": "(")x", "pattern"},
      {R"("$ref": "#/nope")", "$ref"},
      {R"("required": 3)", "required"},
      {R"("type": "nope")", "type"},
      {R"("minItems": -1)", "minItems"},
      {R"("unevaluatedProperties": 3)", "unevaluatedProperties"},
      {R"("const": 1, "type": "object")", nullptr},
      {R"("type": "object", "const": "x")", nullptr},
      {R"("const": {"\ud800": 1})", nullptr},
      {R"("enum": [1, 2], "type": "object")", nullptr},
      {R"("enum": [], "type": "object")", nullptr},
      {R"("not": {}, "type": "object")", nullptr},
      {R"("allOf": [{"type": "object"}, {"type": "string"}])", nullptr},
      {R"("type": "object", "minProperties": 2, "maxProperties": 1)", nullptr},
  };
  for (const Wrong& wrong : kWrong) {
    for (const Place& place : kPlaces) {
      const Tools tools(place, wrong.keywords);
      for (const std::string_view style : tool_styles()) {
        SCOPED_TRACE(std::string(style) + ": " + tools.text);
        const auto tag = structural_tag_for_tools(style, tools.text);
        ASSERT_FALSE(tag.has_value());
        const Error& error = tag.error();
        EXPECT_TRUE(error.pointer.starts_with(kParameters)) << error.pointer;
        EXPECT_GE(error.where.start, tools.parameters.start);
        EXPECT_LE(error.where.end, tools.parameters.end);
        if (wrong.keyword == nullptr) {
          EXPECT_TRUE(error.message.starts_with("tool `f`")) << error.message;
        } else {
          EXPECT_TRUE(error.message.starts_with("tool `f`" + std::string(place.argument) + ": ")) << error.message;
          EXPECT_EQ(error.pointer, std::string(kParameters) + place.pointer + "/" + wrong.keyword);
        }
      }
    }
  }
}

struct Limited {
  std::string keywords;
  std::string limit;
  Limits limits;
  bool is_about_strings = false;  // so the parameters themselves cannot meet the limit
};

std::vector<Limited> limited() {
  std::vector<Limited> out;
  const auto add = [&](std::string keywords, const char* limit, auto set) {
    out.push_back({std::move(keywords), limit, {}});
    set(out.back().limits);
  };
  const std::string many = R"("oneOf": [)" + repeated(R"({"type": "object", "required": ["x)", 60, R"("], "minProperties": 2})") + "]";
  add(R"("enum": [{"n": )" + std::string(40, '1') + "}, {}]", "number_digits", [](Limits& l) { l.number_digits = 20; });
  add(R"("maximum": )" + std::string(40, '1'), "number_digits", [](Limits& l) { l.number_digits = 20; });
  add(R"("default": )" + std::string(40, '['), "nesting", [](Limits& l) { l.nesting = 30; });
  out.back().keywords += std::string(40, ']');
  add(many, "schema_steps", [](Limits& l) { l.schema_steps = 2'000; });
  add(many, "call_work", [](Limits& l) { l.call_work = 2'000; });
  add(R"x("type": "string", "pattern": "(aa?){90}", "allOf": [{"pattern": "(a.?){90}"}])x", "regex_nodes",
      [](Limits& l) { l.regex_nodes = 300; });
  out.back().is_about_strings = true;
  return out;
}

void expect_in_tools(const Result<void>& done, const Limited& of) {
  ASSERT_FALSE(done.has_value());
  const Error& error = done.error();
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded) << error.message;
  EXPECT_EQ(error.limit, of.limit) << error.message;
  EXPECT_TRUE(error.message.starts_with("tool `f`")) << error.message;
  EXPECT_TRUE(error.pointer.starts_with(kParameters)) << error.pointer << ": " << error.message;
}

/// A limit that is met while the tools are read, or while their tag is.
TEST(ToolsErrors, Limits) {
  for (const Limited& one : limited()) {
    for (const Place& place : kPlaces) {
      if (one.is_about_strings && *place.pointer == '\0') continue;
      const Tools tools(place, one.keywords);
      for (const std::string_view style : tool_styles()) {
        SCOPED_TRACE(std::string(style) + ", " + one.limit + ": " + tools.text);
        const auto first = structural_tag_for_tools(style, tools.text, {}, one.limits);
        if (!first) {
          expect_in_tools(tl::unexpected(first.error()), one);
          EXPECT_GE(first.error().where.start, tools.parameters.start);
          EXPECT_LE(first.error().where.end, tools.parameters.end);
        }
        const auto tag = structural_tag_for_tools(style, tools.text);
        ASSERT_TRUE(tag.has_value()) << tag.error().message;
        const auto compiled = GrammarCompiler(TokenizerInfo::builtin(), one.limits).compile_structural_tag(*tag);
        if (!compiled) expect_in_tools(tl::unexpected(compiled.error()), one);
        EXPECT_FALSE(first.has_value() && compiled.has_value()) << "no limit is met";
      }
    }
  }
}

}  // namespace
}  // namespace weir
