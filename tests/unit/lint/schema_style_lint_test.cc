#include "lint/schema_style_lint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/json_schema/json_schema.h"
#include "lint/schema_lint.h"

namespace weir::frontend::json_schema {
namespace style_lint_test {
namespace {

// Unknown keywords are ignored, as the specification says, but with a warning.
TEST(SchemaStyleLint, WarnsOfKeywordsAndPatternsThatMeanSomethingElse) {
  struct Example {
    const char* schema;
    const char* code;
    const char* message;
    const char* where;
  };
  for (const Example& example : std::initializer_list<Example>{
           {R"({"$schema": "http://json-schema.org/draft-04/schema#", "items": {"const": 1}})", "ignored-keyword",
            "`const` of `#/items` has no effect in draft 4", R"("const")"},
           {R"({"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": []})", "ignored-keyword",
            "`prefixItems` of `#` has no effect in draft 7", R"("prefixItems")"},
           {R"({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "maxLength": 1,
                "title": "A", "definitions": {"a": {}}})",
            "ignored-keyword", "`maxLength` of `#` has no effect beside `$ref`", R"("maxLength")"},
           {R"({"type": "string", "nullable": true})", "ignored-keyword", "OpenAPI 3.0", R"("nullable")"},
           {R"({"properties": {"a": {"optional": true}}})", "ignored-keyword", "`optional` of `#/properties/a`",
            R"("optional")"},
           {R"({"type": "object", "propertyOrdering": ["a"]})", "ignored-keyword", "Gemini", R"("propertyOrdering")"},
           {R"({"type": "object", "x-guidance": {"whitespace_flexible": false}})", "ignored-keyword", "llguidance",
            R"("x-guidance")"},
           {R"({"properties": {"a": {"max_length": 2}}})", "ignored-keyword", "`max_length` of `#/properties/a`",
            R"("max_length")"},
           {R"({"additionalproperties": false})", "ignored-keyword", "is not a keyword", R"("additionalproperties")"},
           {R"({"prperties": {}})", "ignored-keyword", "`prperties` of `#` is not a keyword", R"("prperties")"},
           {R"({"prperties": {"a": {"type": "string"}}})", "ignored-keyword", "`prperties` of `#`", R"("prperties")"},
           {R"({"requried": ["a"]})", "ignored-keyword", "is not a keyword", R"("requried")"},
           {R"({"aditionalProprties": false})", "ignored-keyword", "is not a keyword", R"("aditionalProprties")"},
           {R"({"type": "object", "schema": {"type": "object"}})", "ignored-keyword", "`schema` of `#`", R"("schema")"},
           {R"({"item": {}})", "ignored-keyword", "is not a keyword", R"("item")"},
           {R"({"type": "array", "item": {"type": "string"}})", "ignored-keyword", "`item` of `#`", R"("item")"},
           {R"({"properties": {"a": {"type": "integer", "min": 1}}})", "ignored-keyword", "is not a keyword",
            R"("min")"},
           {R"({"type": "string", "max": 5})", "ignored-keyword", "`max` of `#`", R"("max")"},
           {R"({"type": "string", "regex": "^a$"})", "ignored-keyword", "`regex` of `#`", R"("regex")"},
           {R"({"type": "string", "options": ["a"]})", "ignored-keyword", "`options` of `#`", R"("options")"},
           {R"({"pattern": "/^a$/i"})", "pattern-dialect", "is between slashes", R"("pattern")"},
           {R"({"patternProperties": {"/a$/": true}})", "pattern-dialect", "is between slashes", R"("/a$/")"},
           {R"({"pattern": "^a\\Z"})", "pattern-dialect", "`\\Z`, which is the letter Z", R"("pattern")"},
           {R"({"pattern": "^a{,3}$"})", "pattern-dialect", "`{,`, which is these two characters", R"("pattern")"},
           {R"({"patternProperties": {"[[:alpha:]]": true}})", "pattern-dialect", "`[[:`", R"("[[:alpha:]]")"}}) {
    std::vector<Warning> warnings;
    const std::string text = example.schema;
    ASSERT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings, &schema_review()).has_value()) << text;
    ASSERT_EQ(warnings.size(), 1U) << text;
    EXPECT_EQ(warnings[0].code, example.code) << text;
    EXPECT_NE(warnings[0].message.find(example.message), std::string::npos) << warnings[0].message;
    EXPECT_EQ(text.substr(warnings[0].where.start, warnings[0].where.end - warnings[0].where.start), example.where);
    EXPECT_FALSE(warnings[0].hint.empty()) << text;
  }
  for (const char* const fine :
       {R"({"properties": {"max_length": {"nullable": false}, "const": {}}, "x-foo": 1, "_format": 2, "title": "t"})",
        R"({"form": 1, "axPattern": 1, "onvif": {}, "multiple": true, "cost": 1, "maxSteps": 2, "inclusiveMinimum": 0,
            "x-items": 1, "_uniqueItems": true, "$items": 1, "desciption": "", "": 1})",
        R"({"type": "object", "properties": {}, "schema": {"type": "object"}})",
        R"({"schema": "s", "parameters": [1], "title": "t"})", R"({"type": "integer", "min": 1, "minimum": 1})",
        R"({"type": "object", "max": 5, "options": ["a"]})",
        R"({"type": "string", "options": {"a": 1}, "values": "v", "regex": true})", R"({"pattern": "^/a/[a-z]+/$"})",
        R"({"pattern": "/a/i"})", R"({"properties": {"a": {"name": "n", "schema": {}, "optional": false}}})",
        R"({"enum": [{"max_length": 1}], "default": {"nullable": true}})", R"({"pattern": "^\\\\Z\\.\\-\\d$"})",
        R"({"pattern": "^\\{,3}[{,]a{0,3}{,}$"})", R"({"$ref": "#/$defs/a", "maxLength": 1, "$defs": {"a": {}}})"}) {
    std::vector<Warning> warnings;
    ASSERT_TRUE(json_schema_grammar(fine, {}, Limits{}, warnings, &schema_review()).has_value()) << fine;
    EXPECT_TRUE(warnings.empty()) << fine << "\n" << warnings[0].message;
  }
}

TEST(SchemaStyleLint, WarnsOfWhatCountsInPracticeOnly) {
  JsonSchemaOptions options;
  options.reading = JsonSchemaOptions::Reading::kPractice;
  const auto warnings_of = [&](std::string_view schema) {
    std::vector<Warning> warnings;
    EXPECT_TRUE(json_schema_grammar(schema, options, Limits{}, warnings, &schema_review()).has_value()) << schema;
    std::string found;
    for (const Warning& warning : warnings) found += std::string(warning.code) + ": " + warning.message + "\n";
    return found;
  };
  EXPECT_EQ(warnings_of(R"({"$schema": "http://json-schema.org/draft-04/schema#", "items": {"const": 1}})"),
            "later-keyword: `const` of `#/items` has no effect in draft 4, but in later drafts: it counts here\n");
  EXPECT_EQ(
      warnings_of(R"({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a",
                            "pattern": "^a\\Z", "title": "A", "definitions": {"a": {}}})"),
      "later-keyword: `pattern` of `#` has no effect beside `$ref` in draft 7, but in later drafts: it counts here\n"
      "pattern-dialect: `pattern` of `#` has `\\Z`, which is the letter Z in ECMA-262\n");
  EXPECT_EQ(warnings_of(R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "additionalItems": false})"),
            "ignored-keyword: `additionalItems` of `#` has no effect in draft 2020-12\n");
}

}  // namespace
}  // namespace style_lint_test
}  // namespace weir::frontend::json_schema
