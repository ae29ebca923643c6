#include "frontend/json_schema/plain_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/json_schema/json_schema.h"

namespace weir::frontend::json_schema {
namespace {

bool is_plain(const std::string& schema) {
  const auto document = JsonDocument::parse(schema, Limits());
  return document && is_plainly_satisfiable(document->root());
}

Result<grammar::Grammar> read(const std::string& schema) {
  std::vector<Warning> warnings;
  return json_schema_grammar(schema, {}, Limits(), warnings);
}

TEST(PlainSchema, ThoseThatHaveAValue) {
  for (const char* schema :
       {"true", "{}", R"({"type": "string", "title": "x"})", R"({"type": "integer", "minimum": 3})",
        R"({"type": "string", "enum": ["\ud800", "a"]})", R"({"type": "array", "items": false})",
        R"({"enum": [[], "a"]})", R"({"type": "object", "properties": {"a": false}, "additionalProperties": false})",
        R"({"type": "object", "required": ["a"], "additionalProperties": {"type": "null"}})",
        R"({"properties": {"a": false}, "required": ["a"]})"}) {
    EXPECT_TRUE(is_plain(schema)) << schema;
    EXPECT_TRUE(read(schema)) << schema;
  }
}

TEST(PlainSchema, ThoseThatHaveNone) {
  for (const char* schema : {"false", R"({"type": "string", "enum": []})", R"({"type": "string", "enum": ["\ud800"]})",
                             R"({"type": "string", "enum": [1]})", R"({"type": "integer", "minimum": 3, "maximum": 2})",
                             R"({"type": "object", "required": ["a"], "additionalProperties": false})",
                             R"({"type": "object", "required": ["a"], "properties": {"a": false}})",
                             R"({"type": "object", "required": ["a"], "properties": {"a": {"type": "object",)"
                             R"( "required": ["b"], "additionalProperties": false}}})",
                             R"({"type": "object", "required": ["\ud800"]})", R"({"type": "string", "not": {}})"}) {
    EXPECT_FALSE(is_plain(schema)) << schema;
    const Result<grammar::Grammar> grammar = read(schema);
    ASSERT_FALSE(grammar) << schema;
    EXPECT_EQ(grammar.error().code, ErrorCode::kUnsatisfiable) << schema;
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
