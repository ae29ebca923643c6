#include "lint/contradiction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/json_schema/json_schema.h"
#include "lint/schema_lint.h"

namespace weir::frontend::json_schema {
namespace {

Error error_of(const std::string& schema, const JsonSchemaOptions& options = {}, const Limits& limits = {}) {
  std::vector<Warning> warnings;
  const auto made = json_schema_grammar(schema, options, limits, warnings, &schema_review());
  EXPECT_FALSE(made.has_value()) << schema;
  return made ? Error{} : made.error();
}

struct Example {
  const char* schema;
  std::vector<std::string> pointers;  ///< Of the constraints, in the order of the text.
};

TEST(Contradiction, NamesASmallestSetOfConstraints) {
  for (const Example& example : std::initializer_list<Example>{
           {R"({"title": "t", "minLength": 5, "enum": ["a"]})", {"#/minLength", "#/enum"}},
           {R"({"type": "string", "minLength": 5, "maxLength": 3, "pattern": "a"})",
            {"#/type", "#/minLength", "#/maxLength"}},
           {R"({"type": "integer", "multipleOf": 10, "minimum": 11, "maximum": 19, "format": "int32"})",
            {"#/type", "#/multipleOf", "#/minimum", "#/maximum"}},
           {R"({"type": "string", "pattern": "^a", "format": "date"})", {"#/type", "#/pattern", "#/format"}},
           {R"({"type": "array", "minItems": 3, "uniqueItems": true, "items": {"enum": [1, 2]}})",
            {"#/type", "#/minItems", "#/uniqueItems", "#/items/enum"}},
           {R"({"type": "array", "contains": {"type": "string"}, "items": {"type": "null"}, "minItems": 1})",
            {"#/type", "#/contains/type", "#/items/type"}},
           {R"({"type": "object", "minProperties": 2, "propertyNames": {"const": "a"}})",
            {"#/type", "#/minProperties", "#/propertyNames/const"}},
           {R"({"not": {}})", {"#/not"}},
           {"false", {"#"}},
           {R"({"enum": []})", {"#/enum"}},
           {R"({"oneOf": [{"type": "null"}, {"type": "null"}]})", {"#/oneOf"}},
           {R"({"const": 1, "anyOf": [{"type": "string"}, {"minimum": 2, "maximum": 7}]})",
            {"#/const", "#/anyOf/0/type", "#/anyOf/1/minimum"}},
           {R"({"if": {"type": "string"}, "then": false, "type": "string"})", {"#/if", "#/then", "#/type"}}}) {
    const Error error = error_of(example.schema);
    EXPECT_EQ(error.code, ErrorCode::kUnsatisfiable);
    std::vector<std::string> pointers;
    for (const ErrorNote& note : error.notes) {
      pointers.push_back(note.location);
      EXPECT_NE(error.message.find("`" + note.location + "`"), std::string::npos) << error.message;
    }
    EXPECT_EQ(pointers, example.pointers) << example.schema;
  }
}

// A name of `properties` is not among the others, whatever is left out of what is said of it.
TEST(Contradiction, LooksIntoMembersThatAreRequired) {
  const std::string schema = R"({"type": "object", "required": ["a", "b"], "properties": {"b": {"type": "null"},
      "a": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": [1]}}}, "additionalProperties": false})";
  const Error error = error_of(schema);
  std::vector<std::string> pointers;
  for (const ErrorNote& note : error.notes) pointers.push_back(note.location);
  const std::vector<std::string> expected = {"#/type",
                                             "#/required",
                                             "#/properties/a/type",
                                             "#/properties/a/minItems",
                                             "#/properties/a/items/type",
                                             "#/properties/a/items/enum"};
  EXPECT_EQ(pointers, expected);
  EXPECT_NE(error.message.find("and 2 others"), std::string::npos) << error.message;
}

TEST(Contradiction, AcrossAllOfAndReferences) {
  JsonSchemaOptions options;
  options.documents.push_back({"https://example.com/short", R"({"maxLength": 1})"});
  const std::string schema =
      R"({"type": "string", "allOf": [{"minLength": 2}, {"$ref": "https://example.com/short"}]})";
  const Error error = error_of(schema, options);
  ASSERT_EQ(error.notes.size(), 3U) << error.message;
  EXPECT_EQ(error.notes[0].location, "https://example.com/short#/maxLength");
  EXPECT_EQ(error.notes[0].where, SourceRange{}) << "it stands in another text";
  EXPECT_EQ(error.notes[1].location, "#/type");
  EXPECT_EQ(error.notes[2].location, "#/allOf/0/minLength");
  EXPECT_EQ(schema.substr(error.where.start, error.where.end - error.where.start), R"("string")");
}

TEST(Contradiction, ASchemaThatHoldsOnlyItself) {
  const Error error = error_of(R"({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]})");
  ASSERT_EQ(error.notes.size(), 3U) << error.message;
  EXPECT_EQ(error.notes[1].location, "#/properties/a");
  EXPECT_NE(error.hint.find("`#/properties/a` refers to `#`, in which it stands"), std::string::npos) << error.hint;
  EXPECT_EQ(error_of(R"({"type": "string", "allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "null"}}})").hint,
            "");
}

// Of a thousand constraints most are left out together.
TEST(Contradiction, AmongManyConstraints) {
  std::string properties;
  for (int i = 0; i < 1000; ++i) properties += "\"p" + std::to_string(i) + R"(": {"type": "string", "maxLength": 9}, )";
  const Error error = error_of(R"({"type": "object", "properties": {)" + properties +
                               R"("x": {"type": []}}, "required": ["p1", "x"]})");
  ASSERT_EQ(error.notes.size(), 3U) << error.message;
  EXPECT_EQ(error.notes[1].location, "#/properties/x/type");
  EXPECT_EQ(error.notes[2].location, "#/required");
}

}  // namespace
}  // namespace weir::frontend::json_schema
