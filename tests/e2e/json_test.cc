// Grammars of all JSON values and of all JSON objects.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

bool accepts(const CompiledGrammar& grammar, const std::string& text) {
  GrammarMatcher matcher(grammar);
  return matcher.accept_string(text) == Step::kOk && matcher.is_completed();
}

TEST(Json, ValuesAndObjects) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  const CompiledGrammar values = compiler.compile_json().value();
  const CompiledGrammar objects = compiler.compile_json_object().value();
  for (const char* text : {"null", "-1.5e+3", R"("\u00e9")", "[]", R"([{"a": [1, true]}, ""])"}) {
    EXPECT_TRUE(accepts(values, text)) << text;
    EXPECT_FALSE(accepts(objects, text)) << text;
  }
  for (const char* text : {"{}", R"({"a": {"b": []}, "c": null})"}) {
    EXPECT_TRUE(accepts(values, text)) << text;
    EXPECT_TRUE(accepts(objects, text)) << text;
  }
  for (const char* text : {"", "01", "[1,]", R"({"a": 1, "a": 2})", "{a: 1}"}) {
    EXPECT_FALSE(accepts(values, text)) << text;
    EXPECT_FALSE(accepts(objects, text)) << text;
  }
}

TEST(Json, OptionsOfTextsApply) {
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kCompact;
  const CompiledGrammar values = GrammarCompiler(TokenizerInfo::builtin()).compile_json(options).value();
  EXPECT_TRUE(accepts(values, "[1, 2]"));
  EXPECT_FALSE(accepts(values, "[1,2]"));
  options.whitespace = JsonSchemaOptions::Whitespace::kPattern;
  options.trailing_whitespace = true;
  options.whitespace_pattern = "a";
  EXPECT_EQ(Grammar::json_object(options).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace weir
