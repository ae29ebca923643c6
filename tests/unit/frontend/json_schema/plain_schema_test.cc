#include "frontend/json_schema/model/plain_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/json_schema/json_schema.h"

namespace weir::frontend::json_schema {
namespace {

bool is_plain(const std::string& schema) {
  const auto document = JsonDocument::parse(schema, Limits());
  return document && is_obviously_satisfiable(document->root());
}

Result<grammar::Grammar> read(const std::string& schema) {
  std::vector<Warning> warnings;
  return json_schema_grammar(schema, {}, Limits(), warnings);
}

TEST(PlainSchema, SchemasWithAValue) {
  for (const char* schema :
       {"true",
        "{}",
        R"({"type": "string", "title": "x"})",
        R"({"type": "integer", "minimum": 3})",
        R"({"type": "string", "enum": ["\ud800", "a"]})",
        R"({"type": "array", "items": false})",
        R"({"enum": [[], "a"]})",
        R"({"type": "object", "properties": {"a": false}, "additionalProperties": false})",
        R"({"type": "object", "required": ["a"], "additionalProperties": {"type": "null"}})",
        R"({"properties": {"a": false}, "required": ["a"]})",
        R"({"type": "string", "format": "date"})",
        R"({"type": "string", "minLength": 100})",
        R"({"type": "string", "maxLength": 0})",
        R"({"type": ["object", "null"], "required": ["a"], "properties": {"a": false}})",
        R"({"$schema": "http://json-schema.org/draft-04/schema#", "id": "x:y", "definitions": {"a": {"not": {}}}})",
        R"({"pattern": "[^\\s\\S]", "minLength": 3, "maxLength": 2})",
        R"({"minimum": 3, "maximum": 2, "multipleOf": 7})",
        R"({"type": ["null", "string"], "pattern": "a^"})",
        R"({"contains": false, "minItems": 1, "propertyNames": false})",
        R"({"patternProperties": {"": false}, "minProperties": 1, "dependentRequired": {"a": ["b"]}})",
        R"({"unevaluatedProperties": false, "unevaluatedItems": false, "format": "date", "maxLength": 3})",
        R"({"type": "array", "uniqueItems": true, "$defs": {}, "$id": "x:y", "x-note": [1]})"}) {
    EXPECT_TRUE(is_plain(schema)) << schema;
    EXPECT_TRUE(read(schema)) << schema;
  }
}

TEST(PlainSchema, SchemasWithoutAValue) {
  for (const char* schema : {"false",
                             R"({"type": "string", "enum": []})",
                             R"({"type": "string", "enum": ["\ud800"]})",
                             R"({"type": "string", "enum": [1]})",
                             R"({"type": "integer", "minimum": 3, "maximum": 2})",
                             R"({"type": "object", "required": ["a"], "additionalProperties": false})",
                             R"({"type": "object", "required": ["a"], "properties": {"a": false}})",
                             R"({"type": "object", "required": ["a"], "properties": {"a": {"type": "object",)"
                             R"( "required": ["b"], "additionalProperties": false}}})",
                             R"({"type": "object", "required": ["\ud800"]})",
                             R"({"type": "string", "not": {}})",
                             R"({"type": "string", "minLength": 3, "maxLength": 2})",
                             R"({"type": "string", "format": "date", "maxLength": 3})",
                             R"({"type": "string", "format": "date", "enum": ["a"]})",
                             R"({"type": "string", "minLength": 2, "enum": ["a"]})",
                             R"({"type": "null", "not": {}})",
                             R"({"type": "null", "enum": ["a"]})",
                             R"({"type": ["null", "string"], "const": 1})",
                             R"({"type": "string", "pattern": "a^"})",
                             R"({"type": []})",
                             R"({"type": ["object"], "required": ["a"], "properties": {"a": false}})"}) {
    EXPECT_FALSE(is_plain(schema)) << schema;
    const Result<grammar::Grammar> grammar = read(schema);
    ASSERT_FALSE(grammar) << schema;
    EXPECT_EQ(grammar.error().code, ErrorCode::kUnsatisfiable) << schema;
  }
}

// A schema that applies to several required names, or to one name that is listed twice, is examined once. Otherwise
// this schema would take 2^60 steps.
TEST(PlainSchema, NamesThatAskForOneSchema) {
  for (const char* names : {R"(["x", "y"])", R"(["x", "x"])"}) {
    for (const bool has_value : {true, false}) {
      std::string schema = has_value ? R"({"type": "string"})" : "false";
      for (int i = 0; i < 60; ++i) {
        schema =
            R"({"type": "object", "required": )" + std::string(names) + R"(, "additionalProperties": )" + schema + "}";
      }
      EXPECT_EQ(is_plain(schema), has_value) << names;
    }
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
