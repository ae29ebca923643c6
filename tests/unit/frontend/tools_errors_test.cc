// Errors about tools: in every style, whatever is wrong and wherever it stands, they name the tool and lead into `tools`.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "base/work.h"
#include "distinct_styles.h"
#include "weir/check.h"
#include "weir/compiler.h"
#include "weir/json_schema.h"
#include "weir/strict_schema.h"
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
      for (const std::string_view style : tests::distinct_styles()) {
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
  const std::string many =
      R"("oneOf": [)" +
      repeated(R"({"type": "object", "properties": {"y": {}}, "minProperties": 2, "required": ["x)", 16, R"("]})") +
      "]";
  add(R"("enum": [{"n": )" + std::string(40, '1') + "}, {}]", "number_digits", [](Limits& l) { l.number_digits = 20; });
  add(R"("maximum": )" + std::string(40, '1'), "number_digits", [](Limits& l) { l.number_digits = 20; });
  add(R"("default": )" + std::string(40, '['), "nesting", [](Limits& l) { l.nesting = 30; });
  out.back().keywords += std::string(40, ']');
  add(many, "schema_steps", [](Limits& l) { l.schema_steps = 200; });
  add(many, "call_work", [](Limits& l) { l.call_work = 1'500; });
  add(R"x("type": "string", "pattern": "(aa?){90}", "allOf": [{"pattern": "(a.?){90}"}])x", "regex_nodes",
      [](Limits& l) { l.regex_nodes = 300; });
  out.back().is_about_strings = true;
  return out;
}

void expect_in_tools(const Error& error, const Limited& of, const Tools& tools) {
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded) << error.message;
  EXPECT_EQ(error.limit, of.limit) << error.message;
  EXPECT_TRUE(error.message.starts_with("tool `f`")) << error.message;
  EXPECT_TRUE(error.pointer.starts_with(kParameters)) << error.pointer << ": " << error.message;
  EXPECT_GE(error.where.start, tools.parameters.start);
  EXPECT_LE(error.where.end, tools.parameters.end);
}

/// A limit that is met while the tools are read, or while their tag is.
TEST(ToolsErrors, Limits) {
  std::size_t round = 0;
  for (const Limited& one : limited()) {
    std::size_t turn = round++;
    for (const std::string_view style : tests::distinct_styles()) {
      // Half of the styles take each limit, in turns.
      if ((turn + round) % 2 == 0) {
        ++turn;
        continue;
      }
      // Each style takes the next place, and each place comes up with several styles.
      const Place& place = kPlaces[turn++ % std::size(kPlaces)];
      if (one.is_about_strings && *place.pointer == '\0') continue;
      const Tools tools(place, one.keywords);
      SCOPED_TRACE(std::string(style) + ", " + one.limit + ": " + tools.text);
      const auto first = structural_tag_for_tools(style, tools.text, {}, one.limits);
      if (!first) expect_in_tools(first.error(), one, tools);
      const auto tag = structural_tag_for_tools(style, tools.text);
      ASSERT_TRUE(tag.has_value()) << tag.error().message;
      const auto compiled = GrammarCompiler(TokenizerInfo::builtin(), one.limits).compile_structural_tag(*tag);
      if (!compiled) {
        expect_in_tools(compiled.error(), one, tools);
        EXPECT_EQ(compiled.error().text, tools.text);
      }
      EXPECT_FALSE(first.has_value() && compiled.has_value()) << "no limit is met";
    }
  }
}

/// Compiles the tools' tag, which is valid without the options and the limits.
Error compiling(std::string_view style, std::string_view tools, const TokenizerInfo& tokenizer, const Limits& limits) {
  const auto tag = structural_tag_for_tools(style, tools);
  if (!tag) return {ErrorCode::kInternal, tag.error().message};
  const auto compiled = GrammarCompiler(tokenizer, limits).compile_structural_tag(*tag);
  return compiled ? Error{ErrorCode::kInternal, "compiled"} : compiled.error();
}

std::string_view shown(const Error& error) {
  return std::string_view(error.text).substr(error.where.start, error.where.end - error.where.start);
}

/// What only the compiler can know leads into `tools`, too, and the caret is shown there.
TEST(ToolsErrors, FoundByTheCompiler) {
  VocabSpec spec;
  spec.tokens = {"a", "special"};
  spec.special_token_ids = {1};
  const TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(spec);
  for (const std::string_view style : tests::distinct_styles()) {
    SCOPED_TRACE(style);
    const std::string list =
        "[\n  {\"name\": \"ok\"},\n  {\"name\": \"f\", \"parameters\": {\n    \"properties\": {\"a\": ";
    const std::string tools = list + R"({"$ref": "https://example.com/x"}}}}])";
    const Error reference = compiling(style, tools, tokenizer, {});
    EXPECT_EQ(reference.pointer, "/1/parameters/properties/a/$ref");
    EXPECT_EQ(reference.text, tools);
    EXPECT_EQ(shown(reference), R"("https://example.com/x")");
    const std::string picture = render(reference, "the tag", "tag.json");
    EXPECT_TRUE(picture.starts_with("<tools>:4:34: error: tool `f`, argument `a`: ")) << picture;
    EXPECT_EQ(picture.find("the tag"), std::string::npos) << picture;

    const Error name = compiling(style, R"([{"name": "ok"}, {"name": "xspecialx"}])", tokenizer, {});
    EXPECT_EQ(name.pointer, "/1/name") << name.message;
    EXPECT_EQ(shown(name), R"("xspecialx")");
  }
}

/// A tag that was written anew, with other blanks, leads to the same places.
TEST(ToolsErrors, FoundInATagWithOtherBlanks) {
  const std::string tools =
      R"([{"name": "f", "parameters": {"properties": {"a": {"$ref": "https://example.com/x"}, "b": {}}}}])";
  std::string tag = *structural_tag_for_tools("hermes", tools);
  for (std::size_t at = tag.find(", \""); at != std::string::npos; at = tag.find(", \"", at + 4))
    tag.insert(at + 1, "\n  ");
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(tag);
  ASSERT_FALSE(compiled.has_value());
  EXPECT_EQ(compiled.error().text, tools);
  EXPECT_EQ(shown(compiled.error()), R"("https://example.com/x")");
}

/// The type that a schema without one is given is not in the tools.
TEST(ToolsErrors, OfTheTypeThatIsAdded) {
  for (const char* wrong : {R"({"const": 1})", R"({"enum": [1], "$defs": {"a": {}}})"}) {
    const auto tag = structural_tag_for_tools("hermes", R"([{"name": "f", "parameters": )" + std::string(wrong) + "}]");
    ASSERT_FALSE(tag.has_value());
    const Error& error = tag.error();
    EXPECT_EQ(error.pointer, "/0/parameters") << error.message;
    EXPECT_EQ(error.where.end - error.where.start, std::string_view(wrong).size());
  }
}

void expect_utf8(const Error& error) {
  for (const std::string* text : {&error.message, &error.hint, &error.pointer}) {
    EXPECT_EQ(base::find_invalid_utf8(*text), std::string::npos) << *text;
  }
  for (const ErrorNote& note : error.notes) {
    EXPECT_EQ(base::find_invalid_utf8(note.message + note.location), std::string::npos) << note.message;
  }
}

/// Half of a surrogate pair, which JSON can write and UTF-8 cannot, is written out in messages, hints and pointers.
TEST(ToolsErrors, AreUtf8) {
  std::size_t errors = 0;
  for (const char* keyword : {"$ref", "$dynamicRef", "$id", "$schema", "type", "pattern", "required", "properties",
                              "format", "patternProperties", "dependentRequired", "$defs", "propertyNames"}) {
    for (const char* value : {R"("H")", R"("#H")", R"("#/H")", R"("https://a/H")", R"(["H", "H"])", R"({"H": "H"})",
                              R"({"H": {"type": "H"}})", R"({"H": {"$ref": "#/H"}})", R"({"$ref": "H"})"}) {
      for (const char* around : {"{\"%\": $}", R"({"properties": {"a": {"%": $}}, "required": ["a"]})",
                                 R"({"properties": {"H": {"%": $}}, "required": ["H"]})"}) {
        std::string schema = around;
        schema.replace(schema.find('%'), 1, keyword);
        schema.replace(schema.find('$', schema.find("\": $")), 1, value);
        for (std::size_t at = schema.find('H'); at != std::string::npos; at = schema.find('H', at))
          schema.replace(at, 1, "\\ud800");
        SCOPED_TRACE(schema);
        const auto tag = structural_tag_for_tools("gemma4", R"([{"name": "f", "parameters": )" + schema + "}]");
        if (!tag) expect_utf8(tag.error());
        const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema);
        if (!compiled) expect_utf8(compiled.error());
        errors += compiled ? 0 : 1;
        for (const Diagnostic& found : check_schema(schema)) {
          EXPECT_EQ(base::find_invalid_utf8(found.message + found.hint + found.pointer), std::string::npos);
        }
        if (const auto strict = strict_json_schema(schema); !strict) expect_utf8(strict.error());
      }
    }
  }
  EXPECT_GT(errors, 100U);
}

/// A tag whose text of the tools is that of other tools has its errors in the tag.
TEST(ToolsErrors, FoundInATagOfOtherTools) {
  const std::string tag = *structural_tag_for_tools(
      "hermes", R"([{"name": "f", "parameters": {"$ref": "https://example.com/x"}}, {"name": "ff"}])");
  const std::size_t at = tag.rfind("\"tools\": ");
  for (const char* tools :
       {"null", R"("")", R"("[")", R"("[]")", R"("[{\"name\": \"g\", \"parameters\": {}}]")", R"("5")"}) {
    const std::string text = tag.substr(0, at) + "\"tools\": " + tools + "}";
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(text);
    ASSERT_FALSE(compiled.has_value());
    const Error& error = compiled.error();
    EXPECT_EQ(error.text, "") << tools;
    EXPECT_EQ(text.substr(error.where.start, error.where.end - error.where.start), R"("https://example.com/x")");
    EXPECT_EQ(error.pointer, "/0/parameters/$ref");
  }
}

/// A limit that all tools meet together names the one that is most of it.
TEST(ToolsErrors, LimitsOfAllTogether) {
  const std::string longest = R"({"properties": {)" + repeated(R"("p)", 60, R"(": {"type": "integer"})") + "}}";
  const std::string tools =
      R"([{"name": "ok", "parameters": {}}, {"name": "f", "parameters": )" + longest + R"(}, {"name": "g"}])";
  const auto limits = [](auto set) {
    Limits out;
    set(out);
    return out;
  };
  const std::pair<const char*, Limits> all[] = {
      {"grammar_symbols", limits([](Limits& l) { l.grammar_symbols = 10; })},
      {"regex_nodes", limits([](Limits& l) { l.regex_nodes = 100; })},
      {"row_items", limits([](Limits& l) { l.row_items = 1; })},
      {"call_work", limits([](Limits& l) { l.call_work = 800; })},
  };
  for (const auto& [limit, under] : all) {
    const Error error = compiling("hermes", tools, TokenizerInfo::builtin(), under);
    EXPECT_EQ(error.limit, limit) << error.message;
    EXPECT_NE(error.message.find("tool with the longest parameters is `f`"), std::string::npos) << error.message;
    EXPECT_EQ(error.pointer, "/1/parameters");
    EXPECT_EQ(shown(error), longest);
  }
}

// A warning of compiling leads into the tools, and is given once, however often the tag has the parameters.
TEST(ToolsErrors, WarningsLeadIntoTheTools) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  const Place& place = kPlaces[1];
  const Tools tools(place, R"("type": "array", "items": [])");
  for (const std::string_view style : tests::distinct_styles()) {
    SCOPED_TRACE(style);
    const Result<std::string> tag = structural_tag_for_tools(style, tools.text);
    ASSERT_TRUE(tag) << tag.error().message;
    const auto expect = [&](const std::string& message, SourceRange where, const std::string& pointer,
                            const std::shared_ptr<const std::string>& text) {
      EXPECT_TRUE(message.starts_with("tool `f`, argument `a`: ")) << message;
      EXPECT_EQ(pointer.find("/1/function/parameters/properties/a"), 0U) << pointer;
      ASSERT_NE(text, nullptr) << message;
      EXPECT_EQ(*text, tools.text);
      EXPECT_EQ(tools.text.substr(where.start, where.end - where.start), "[]") << message;
    };
    const Result<Grammar> grammar = Grammar::from_structural_tag(*tag);
    ASSERT_TRUE(grammar) << grammar.error().message;
    const Result<CompiledGrammar> compiled = compiler.compile(*grammar);
    ASSERT_TRUE(compiled) << compiled.error().message;
    for (std::vector<Warning> warnings : {grammar->warnings(), compiled->warnings()}) {
      // The built-in tokenizer has granite's token.
      std::erase_if(warnings, [](const Warning& one) { return one.code == "special-token-text"; });
      ASSERT_EQ(warnings.size(), 1U);
      expect(warnings[0].message, warnings[0].where, warnings[0].pointer, warnings[0].text);
      EXPECT_NE(render(warnings[0], *tag, "<tag>").find("<tools>:1:"), std::string::npos);
    }
    const std::vector<Diagnostic> found = check_structural_tag(*tag);
    ASSERT_EQ(found.size(), 1U);
    expect(found[0].message, found[0].where, found[0].pointer, found[0].text);
    EXPECT_EQ(render(found[0], *tag, "<tag>"), render(compiled->warnings()[0], *tag, "<tag>"));
  }
}

// The note about a tool that is loosened has no place in a tag.
TEST(ToolsErrors, NotesLeadIntoTheTools) {
  const Tools tools(kPlaces[1], R"("type": "nothing")");
  for (const auto how : {ToolOptions::OnBadTool::kLoosen, ToolOptions::OnBadTool::kDrop}) {
    ToolOptions options;
    options.on_bad_tool = how;
    const Result<Grammar> grammar =
        Grammar::from_structural_tag(*structural_tag_for_tools("hermes", tools.text, options));
    ASSERT_TRUE(grammar) << grammar.error().message;
    ASSERT_EQ(grammar->warnings().size(), 1U);
    const Warning& warning = grammar->warnings()[0];
    EXPECT_EQ(warning.pointer, "/1/function/parameters/properties/a/type");
    ASSERT_NE(warning.text, nullptr);
    EXPECT_EQ(warning.text->substr(warning.where.start, warning.where.end - warning.where.start), R"("nothing")");
  }
}

// A warning about a tag, a response format or a schema that a user wrote has the pointer of its place there.
TEST(ToolsErrors, WarningsHaveAPointer) {
  const std::string schema = R"({"properties": {"z": {"type": "array", "items": []}}})";
  const std::string format = R"({"type": "json_schema", "json_schema": )" + schema + "}";
  const std::pair<Result<Grammar>, std::string> read[] = {
      {Grammar::from_json_schema(schema), "/properties/z/items"},
      {Grammar::from_structural_tag(R"({"format": )" + format + "}"), "/format/json_schema/properties/z/items"},
      {Grammar::from_response_format(R"({"type": "json_schema", "json_schema": {"name": "n", "schema": )" + schema +
                                     "}}"),
       "/json_schema/schema/properties/z/items"},
  };
  for (const auto& [grammar, pointer] : read) {
    ASSERT_TRUE(grammar) << grammar.error().message;
    ASSERT_EQ(grammar->warnings().size(), 1U) << pointer;
    EXPECT_EQ(grammar->warnings()[0].pointer, pointer);
    EXPECT_EQ(grammar->warnings()[0].text, nullptr);
  }
}

// The parameters of a tool in which the schema is wrapped would allow any arguments.
TEST(ToolsErrors, Wrappers) {
  for (const char* key : {"schema", "parameters", "input_schema", "json_schema"}) {
    for (const char* before :
         {"", R"("type": "object", )", R"("name": "n", )", R"("type": ["object", "null"], "description": "d", )"}) {
      const std::string tools =
          R"([{"name": "f", "parameters": {)" + std::string(before) + "\"" + key + R"(": {"type": "object"}}}])";
      const auto tag = structural_tag_for_tools("hermes", tools);
      ASSERT_FALSE(tag.has_value()) << tools;
      EXPECT_EQ(tag.error().pointer, "/0/parameters/" + std::string(key));
      EXPECT_NE(tag.error().hint.find("give the schema inside it"), std::string::npos) << tag.error().hint;
    }
    const std::string argument =
        R"([{"name": "f", "parameters": {"properties": {")" + std::string(key) + R"(": {"type": "object"}}}}])";
    EXPECT_TRUE(structural_tag_for_tools("hermes", argument).has_value()) << argument;
  }
}

/// Parameters that are a map of names to schemas, or in which a schema stands under a name of its own, would restrict nothing.
TEST(ToolsErrors, MapsOfSchemas) {
  for (const char* parameters :
       {R"({"q": {"type": "string"}})", R"({"q": {"type": "string"}, "n": {"enum": [1, 2]}})",
        R"({"q": "string", "n": "int"})", R"({"q": "The query", "n": "boolean"})",
        R"({"json": {"type": "object", "properties": {"q": {}}}})", R"({"title": "t", "q": {"$ref": "#/$defs/a"}})",
        R"({"body": {"content": {"schema": {"type": "object"}}}})"}) {
    const auto tag =
        structural_tag_for_tools("hermes", R"([{"name": "f", "parameters": )" + std::string(parameters) + "}]");
    ASSERT_FALSE(tag.has_value()) << parameters;
    EXPECT_EQ(tag.error().message.find("tool `f`: its `parameters` have no keyword `"), 0U) << tag.error().message;
    EXPECT_NE(tag.error().hint.find("`properties`"), std::string::npos) << tag.error().hint;
  }
  // Extensions, and members that hold no schema.
  for (const char* parameters :
       {R"({"x-ui": {"type": "string"}})", R"({"type": "object", "ui": {"type": "string"}})", R"({"ui": {"rows": 5}})",
        R"({"type": "object", "ui": "text"})", R"({"ui": "a"})", R"({"q": {"type": "string"}, "ui": {"rows": 5}})",
        R"({"properties": {}, "q": {"type": "string"}})", "{}"}) {
    EXPECT_TRUE(structural_tag_for_tools("hermes", R"([{"name": "f", "parameters": )" + std::string(parameters) + "}]"))
        << parameters;
  }
}

/// Of members that a tool does not have, the one that holds its schema is named.
TEST(ToolsErrors, ParametersInOtherPlaces) {
  const auto error = [](const char* tools) { return structural_tag_for_tools("hermes", tools).error(); };
  EXPECT_EQ(error(R"([{"type": "function", "function": {"name": "f"}, "parameters": {"type": "object"}}])").message,
            "tool `f`: `parameters` is beside `function`, not in it");
  const Error mcp = error(R"([{"name": "f", "title": "F", "annotations": {"readOnlyHint": true}, "icons": [],
                               "inputSchema": {"type": "object"}}])");
  EXPECT_EQ(mcp.message, "tool `f`: without `parameters` it has no member `inputSchema`");
  EXPECT_EQ(mcp.hint, "did you mean `parameters`?");
  EXPECT_TRUE(mcp.notes.empty());
  EXPECT_TRUE(structural_tag_for_tools("hermes", R"([{"name": "f", "title": "F"}])").has_value());
}

/// What other interfaces put around tools is named.
TEST(ToolsErrors, WrappersOfTools) {
  const auto hint = [](const char* tools) { return structural_tag_for_tools("hermes", tools).error().hint; };
  EXPECT_EQ(hint(R"([{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}])"),
            "did you mean the tool in its member `toolSpec`?");
  EXPECT_EQ(hint(R"([{"functionDeclarations": [{"name": "f"}]}])"),
            "did you mean the list in its member `functionDeclarations`?");
  EXPECT_EQ(hint(R"({"tools": [{"name": "f"}], "tool_choice": "auto"})"),
            "did you mean the list in its member `tools`?");
  EXPECT_EQ(hint(R"({"name": "f", "parameters": {"required": ["a"]}})"), "put the tool into a list");
  EXPECT_EQ(hint(R"({"type": "function", "function": {"name": "f"}})"), "put the tool into a list");
  EXPECT_EQ(hint("[{}]"), "");
  // Libraries that take an object with the tools under their names.
  const std::string list = R"(a list of tools has the name in each: [{"name": "f", "parameters": ...}])";
  EXPECT_EQ(hint(R"({"f": {"description": "F", "inputSchema": {"type": "object"}}})"), list);
  EXPECT_EQ(hint(R"({"f": {"parameters": {"type": "object"}}, "g": {"description": "G"}})"), list);
  EXPECT_EQ(hint(R"({"f": {"type": "function", "function": {"parameters": {}}}})"), list);
  for (const char* nameless :
       {R"([{"description": "F", "parameters": {"description": "G", "type": "object"}}])",
        R"([{"type": "function", "function": {"parameters": {"description": "G"}}}])",
        R"({"type": "object", "properties": {"a": {"description": "A"}, "parameters": {"type": "object"}}})"}) {
    EXPECT_EQ(hint(nameless), "") << nameless;
  }
  // A schema in the place of a tool is no tool that a provider runs, which on_bad_tool may leave out.
  for (const char* schema : {R"([{"title": "F", "type": "object", "properties": {"a": {"type": "string"}}}])",
                             R"([{"name": "f", "type": "object", "properties": {}}])"}) {
    const auto made = structural_tag_for_tools("hermes", schema, {.on_bad_tool = ToolOptions::OnBadTool::kDrop});
    ASSERT_FALSE(made) << schema;
    EXPECT_EQ(made.error().message, "this is a schema, not a tool");
    EXPECT_EQ(made.error().hint, R"(a tool is {"name": ..., "parameters": ...}, where the schema is the `parameters`)");
    EXPECT_EQ(made.error().pointer, "/0/type");
  }
}

/// A choice in the words of another interface is refused, with what says the same here.
TEST(ToolsErrors, ChoicesOfOtherInterfaces) {
  const std::string tools = R"([{"name": "f", "parameters": {"type": "object"}}, {"name": "g \"x"}])";
  const auto hint = [&](const std::string& choice) {
    const auto made = structural_tag_for_tools("hermes", tools, {.tool_choice = choice});
    if (made) return std::string("accepted");
    EXPECT_EQ(made.error().message.find("`tool_choice`: "), 0U) << made.error().message;
    return made.error().hint;
  };
  const std::pair<const char*, const char*> words[] = {
      {R"("any")", "required"},        {R"("ANY")", "required"},
      {R"("Auto")", "auto"},           {R"("NONE")", "none"},
      {R"("VALIDATED")", "auto"},      {R"({"type": "any"})", "required"},
      {R"({"type": "auto"})", "auto"}, {R"({"type": "any", "disable_parallel_tool_use": true})", "required"},
      {R"({"type": "none"})", "none"}, {R"({"any": {}})", "required"},
      {R"({"auto": {}})", "auto"},     {R"({"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}})", "required"}};
  for (const auto& [choice, word] : words) {
    EXPECT_EQ(hint(choice), "did you mean \"" + std::string(word) + "\"?") << choice;
  }
  for (const char* choice :
       {R"("f")", R"({"name": "f"})", R"({"function": {"name": "f"}})", R"({"tool": {"name": "f"}})",
        R"({"type": "tool", "name": "f"})", R"({"type": "tool", "toolName": "f"})"}) {
    EXPECT_EQ(hint(choice), R"(did you mean {"type": "function", "function": {"name": "f"}}?)") << choice;
  }
  EXPECT_EQ(hint(R"({"name": "g \"x"})"), R"(did you mean {"type": "function", "function": {"name": "g \"x"}}?)");
  EXPECT_EQ(
      hint(R"({"mode": "ANY", "allowedFunctionNames": ["f"]})").find(R"(did you mean {"type": "allowed_tools", )"), 0U);
  for (const char* choice : {R"("h")", R"({"name": "h"})", "true", "5", "[]", R"({"type": "web_search"})",
                             R"({"a": {}})", R"({"a": {"b": {"c": {"d": {"any": {}}}}}})", R"({"type": "function"})"}) {
    EXPECT_EQ(hint(choice).find(R"(it is "none", "auto", "required", )"), 0U) << choice;
  }
  // What is hinted at is accepted.
  for (const char* choice :
       {R"("required")", R"({"type": "function", "function": {"name": "g \"x"}})",
        R"({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]})"}) {
    EXPECT_EQ(hint(choice), "accepted") << choice;
  }
}

/// So is a response format.
TEST(ToolsErrors, ResponseFormatsOfOtherInterfaces) {
  const auto hint = [](const char* format) {
    return structural_tag_for_tools("hermes", R"([{"name": "f"}])", {.response_format = format}).error().hint;
  };
  EXPECT_EQ(hint(R"("json")"), R"(any JSON object is {"type": "json_object"})");
  EXPECT_EQ(hint(R"({"type": "object", "properties": {}})"),
            R"(a schema is given as {"type": "json_schema", "schema": ...})");
  EXPECT_EQ(hint(R"({"type": "jsonobject"})"), "did you mean `json_object`?");
  // A format that only answers without tools may have.
  EXPECT_EQ(hint(R"({"type": "regex", "pattern": "a"})"),
            R"(it is of type "text", "json_object" or "json_schema", as in OpenAI's API)");
}

/// A custom tool that can never be called is an error at its grammar, alone and beside others.
TEST(ToolsErrors, CustomToolsWithoutText) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  const std::string others[] = {"", R"({"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}, )"};
  for (const std::string_view style : tests::distinct_styles()) {
    for (const std::string& before : others) {
      const auto error_of = [&](std::string_view syntax, std::string_view definition) {
        const std::string tools = "[" + before + R"({"type": "custom", "name": "cus", "format": {"type": "grammar", )" +
                                  R"("syntax": ")" + std::string(syntax) + R"(", "definition": )" +
                                  std::string(definition) + "}}]";
        const auto tag = structural_tag_for_tools(style, tools);
        if (!tag) return tag.error();
        const auto compiled = compiler.compile_structural_tag(*tag);
        return compiled ? Error{ErrorCode::kInternal, "compiled"} : compiled.error();
      };
      for (const char* definition : {R"("start: /[a-z]+/ \"end\"")", R"("start: a\na: a \"x\"")"}) {
        const Error error = error_of("lark", definition);
        EXPECT_EQ(error.message.find("tool `cus`: "), 0U) << style << before << error.message;
        if (error.code == ErrorCode::kUnsupported) continue;  // competing terminals within a string
        EXPECT_EQ(error.message.find("tool `cus`: its grammar: "), 0U) << style << before << error.message;
        EXPECT_NE(error.pointer.find("/definition"), std::string::npos) << style << error.pointer;
      }
      for (const char* definition : {"\"[]\"", "\"a(?=b)\""}) {
        const Error error = error_of("regex", definition);
        EXPECT_EQ(error.message, "tool `cus`: its regular expression matches no text") << style << before;
        EXPECT_NE(error.pointer.find("/definition"), std::string::npos) << style << error.pointer;
      }
    }
  }
}

TEST(ToolsErrors, ReasoningClosing) {
  ToolOptions options;
  options.reasoning = ToolOptions::Reasoning::kWhole;
  const auto made = [&](const char* closing) {
    options.reasoning_closing = closing;
    return structural_tag_for_tools("hermes", "[]", options);
  };
  EXPECT_EQ(made("</think>").error().message, "`reasoning_closing` contains the tag that ends the reasoning");
  EXPECT_EQ(made("<think>x").error().message, "`reasoning_closing` contains the tag that begins the reasoning");
  EXPECT_TRUE(made("So:").has_value());
  options.max_reasoning_tokens = UINT32_MAX;  // beyond what a tag may say
  EXPECT_TRUE(GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(made("So:").value()).has_value());
}

/// A wrong schema is read again only for a draft that reads some of it differently.
TEST(ToolsErrors, AreReadOnce) {
  const auto work = [](const std::string& schema, bool is_right) {
    const std::string many =
        repeated(R"("p)", 100, R"(": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 7}}})");
    const auto tag =
        structural_tag_for_tools("hermes", R"([{"name": "f", "parameters": {"properties": {)" + many + schema + "}}}]");
    EXPECT_EQ(tag.has_value(), is_right);
    return base::Work::last_call();
  };
  const std::uint64_t right = work(R"(, "w": {"minLength": 1})", true);
  EXPECT_LE(work(R"(, "w": {"minLength": "x"})", false), right + right / 2);
  EXPECT_LE(work(R"(, "w": {"minLength": "x"}, "v": {"const": 1})", false), 3 * right);
  // Up to draft 7 nothing beside a reference counts.
  work(R"(, "w": {"$ref": "#/properties/p0", "minLength": "x"})", true);
}

}  // namespace
}  // namespace weir
