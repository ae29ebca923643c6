#include "frontend/json_schema/schema_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/json_schema/json_schema.h"

namespace weir::frontend::json_schema {
namespace {

struct Wrong {
  const char* schema;
  ErrorCode code;
  const char* pointer;  ///< What the message says: where in the schema.
  const char* where;    ///< The text that Error::where is.
};

void expect_error(const Wrong& wrong, const JsonSchemaOptions& options = {}) {
  std::vector<Warning> warnings;
  const std::string text = wrong.schema;
  const auto made = json_schema_grammar(text, options, Limits{}, warnings);
  ASSERT_FALSE(made.has_value()) << text;
  const Error& error = made.error();
  EXPECT_EQ(error.code, wrong.code) << text << "\n" << error.message;
  EXPECT_NE(error.message.find(wrong.pointer), std::string::npos) << text << "\n" << error.message;
  EXPECT_EQ(text.substr(error.where.start, error.where.end - error.where.start), wrong.where) << error.message;
}

TEST(SchemaCheck, ValuesOfTheWrongKind) {
  constexpr ErrorCode kInvalid = ErrorCode::kInvalidArgument;
  for (const Wrong& wrong : std::initializer_list<Wrong>{
           {R"({"type": "text"})", kInvalid, "`type` of `#`", R"("text")"},
           {R"({"items": {"type": 3}})", kInvalid, "`type` of `#/items`", "3"},
           {R"({"enum": {}})", kInvalid, "`enum`", "{}"},
           {R"({"minimum": "1"})", kInvalid, "`minimum`", R"("1")"},
           {R"({"multipleOf": 0})", kInvalid, "`multipleOf`", "0"},
           {R"({"properties": {"a": {"maxLength": 1.5}}})", kInvalid, "`maxLength` of `#/properties/a`", "1.5"},
           {R"({"minItems": -1})", kInvalid, "`minItems`", "-1"},
           {R"({"uniqueItems": 1})", kInvalid, "`uniqueItems`", "1"},
           {R"({"anyOf": []})", kInvalid, "`anyOf`", "[]"},
           {R"({"not": 1})", kInvalid, "`not`", "1"},
           {R"({"items": [true]})", kInvalid, "prefixItems", "[true]"},
           {R"({"required": ["a", 1]})", kInvalid, "`required`", R"(["a", 1])"},
           {R"({"properties": []})", kInvalid, "`properties`", "[]"},
           {R"({"exclusiveMinimum": true})", kInvalid, "`exclusiveMinimum`", "true"}}) {
    expect_error(wrong);
  }
}

TEST(SchemaCheck, Patterns) {
  expect_error({R"({"pattern": "(a)\\1"})", ErrorCode::kUnsupported, "`pattern` of `#`", R"("(a)\\1")"});
  expect_error({R"({"patternProperties": {"a(": true}})", ErrorCode::kSyntax, "`patternProperties`", R"("a(")"});
}

TEST(SchemaCheck, SchemasThatLeadToThemselvesInPlace) {
  expect_error({R"({"allOf": [{"$ref": "#"}]})", ErrorCode::kUnsupported, "leads back to itself",
                R"({"allOf": [{"$ref": "#"}]})"});
  std::vector<Warning> warnings;
  EXPECT_TRUE(json_schema_grammar(R"({"items": {"$ref": "#"}})", {}, Limits{}, warnings).has_value());
}

TEST(SchemaCheck, UnknownFormats) {
  std::vector<Warning> warnings;
  const std::string text = R"({"items": {"format": "colour"}})";
  ASSERT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings).has_value());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("`format` of `#/items`"), std::string::npos) << warnings[0].message;
  JsonSchemaOptions options;
  options.unknown_formats = JsonSchemaOptions::UnknownFormats::kRefuse;
  expect_error({text.c_str(), ErrorCode::kUnsupported, "`#/items`", R"("colour")"}, options);
  options.formats = JsonSchemaOptions::Formats::kAnnotate;
  warnings.clear();
  EXPECT_TRUE(json_schema_grammar(text, options, Limits{}, warnings).has_value());
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace weir::frontend::json_schema
