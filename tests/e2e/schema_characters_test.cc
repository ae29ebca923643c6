// The option `characters`: which characters strings and names may have.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/tools.h"

namespace weir {
namespace {

Result<CompiledGrammar> compiled(const std::string& schema, const std::string& characters) {
  JsonSchemaOptions options;
  options.characters = characters;
  return GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema, options);
}

bool accepts(const CompiledGrammar& grammar, const std::string& text) {
  GrammarMatcher matcher(grammar);
  return matcher.accept_string(text) == Step::kOk && matcher.is_completed();
}

struct Case {
  std::string schema;
  std::string characters;
  std::vector<std::string> accepted;
  std::vector<std::string> refused;
};

TEST(SchemaCharacters, LeaveOutOtherStrings) {
  const std::vector<Case> cases{
      {"true",
       "ascii",
       {R"("a~\n")", R"([{"a\u0041": "x"}])", "1"},
       {R"("é")", R"("\u00e9")", R"({"é": 1})", R"(["你"])"}},
      {"true", "[a-zäöü]", {R"("äx")", R"("\u00e4")"}, {R"("A")", R"("a b")", R"("\u00e9")"}},
      {R"({"type": "string"})", "[你-我]", {R"("你")", R"("\u4f60")", R"("")"}, {R"("a")", R"("一")"}},
      // Where another keyword leaves less, both hold.
      {R"({"pattern": "^.é?$"})", "ascii", {R"("a")", "5"}, {R"("aé")", R"("é")"}},
      {R"({"type": "string", "minLength": 2})", "a|b", {R"("ab")"}, {R"("a")", R"("ac")"}},
      // A complement is among the strings that are left.
      {R"({"not": {"const": "a"}})", "[ab]", {R"("b")", R"("aa")", "null"}, {R"("a")", R"("c")"}},
      {R"({"oneOf": [{"type": "string"}, {"const": "a"}]})", "[ab]", {R"("b")"}, {R"("a")", R"("c")"}},
      // What the schema lists stays, where it stands and where any string may stand.
      {R"({"enum": ["größe", "x"]})", "ascii", {R"("größe")", R"("x")"}, {R"("grö")"}},
      {R"({"type": "array", "items": [{"const": {"ä": "ö"}}, {"type": "string"}]})",
       "ascii",
       {R"([{"ä": "ö"}, "o"])", R"([{"ä": "ö"}, "ö"])"},
       {R"([{"ä": "ö"}, "ä"])"}},
      // So do names that it lists; other names are strings like others.
      {R"({"properties": {"größe": {"type": "integer"}}, "required": ["größe"]})",
       "ascii",
       {R"({"größe": 1, "a": 2})"},
       {R"({"größe": 1, "ä": 2})", R"({"a": 1})"}},
      {R"({"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": {"type": "string"}})",
       "[xyz]",
       {R"({"xy": 1, "y": "z"})", "{}"},
       {R"({"xa": 1})", R"({"a": ""})", R"({"y": "a"})"}},
      {R"({"propertyNames": {"maxLength": 1}, "minProperties": 2})",
       "[ab]",
       {R"({"a": 1, "b": 2})"},
       {R"({"a": 1, "c": 2})", R"({"a": 1})"}},
  };
  for (const Case& one : cases) {
    const auto grammar = compiled(one.schema, one.characters);
    ASSERT_TRUE(grammar.has_value()) << one.schema << ": " << grammar.error().message;
    const CompiledGrammar any = compiled(one.schema, "").value();
    for (const std::string& text : one.accepted) {
      EXPECT_TRUE(accepts(*grammar, text)) << one.schema << " " << one.characters << " " << text;
      EXPECT_TRUE(accepts(any, text)) << one.schema << " " << text;
    }
    for (const std::string& text : one.refused) {
      EXPECT_FALSE(accepts(*grammar, text)) << one.schema << " " << one.characters << " " << text;
    }
  }
}

// What no string is left for has no value, and that is found when the schema is compiled.
TEST(SchemaCharacters, LeaveNoDeadEnds) {
  for (const char* schema : {
           R"({"type": "string", "pattern": "^é"})",
           R"({"type": "string", "format": "email"})",
           R"({"type": "object", "propertyNames": {"maxLength": 1}, "minProperties": 4})",
           R"({"type": "array", "items": {"type": "string", "maxLength": 1}, "uniqueItems": true, "minItems": 4})",
       }) {
    const auto grammar = compiled(schema, "[ab]");
    ASSERT_FALSE(grammar.has_value()) << schema;
    EXPECT_EQ(grammar.error().code, ErrorCode::kUnsatisfiable) << schema << ": " << grammar.error().message;
  }
  // Three strings are left: "", "a" and "b".
  const std::string three = R"({"type": "array", "items": {"type": "string", "maxLength": 1}, "uniqueItems": true,
                                "minItems": 3})";
  GrammarMatcher matcher(compiled(three, "[ab]").value());
  ASSERT_EQ(matcher.accept_string(R"(["b","",")"), Step::kOk);
  EXPECT_NE(matcher.accept_string(R"(b)"), Step::kOk);
  EXPECT_EQ(matcher.accept_string(R"(a"])"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

TEST(SchemaCharacters, HoldInTheArgumentsOfTools) {
  const std::string tools = R"([{"name": "f", "parameters": {"type": "object", "properties": {
      "text": {"type": "string"}, "kind": {"enum": ["süß", "x"]}}, "required": ["text"]}}])";
  ToolOptions options;
  options.tool_choice = "\"required\"";
  StructuralTagOptions of_texts;
  of_texts.json_schema.characters = "ascii";
  for (const auto& [style, before, after] : std::vector<std::array<std::string, 3>>{
           {"hermes", R"(<tool_call>{"name": "f", "arguments": {"text": ")", R"("}}</tool_call>)"},
           {"qwen_coder", "<tool_call>\n<function=f>\n<parameter=text>\n",
            "\n</parameter>\n</function>\n</tool_call>"}}) {
    const auto tag = structural_tag_for_tools(style, tools, options);
    ASSERT_TRUE(tag.has_value()) << tag.error().message;
    const auto grammar = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag, of_texts);
    ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
    EXPECT_TRUE(accepts(*grammar, before + "abc" + after)) << style;
    EXPECT_FALSE(accepts(*grammar, before + "ab\xc3\xa9" + after)) << style;
  }
}

TEST(SchemaCharacters, AreCharacters) {
  for (const char* characters : {"", "ab", "a*", "[^\\x00-\\U0010FFFF]", "a|", "(", "[z-a]", "Ascii"}) {
    const auto grammar = compiled("true", characters);
    EXPECT_EQ(grammar.has_value(), std::string(characters).empty()) << characters;
    if (grammar) continue;
    EXPECT_NE(grammar.error().message.find("`characters`"), std::string::npos) << grammar.error().message;
  }
  JsonSchemaOptions options;
  options.characters = "ascii";
  options.lone_surrogates = true;
  EXPECT_FALSE(GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema("true", options).has_value());
}

}  // namespace
}  // namespace weir
