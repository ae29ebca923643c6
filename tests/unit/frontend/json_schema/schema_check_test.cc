#include "frontend/json_schema/rules/schema_check.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "frontend/json_schema/json_schema.h"

namespace weir::frontend::json_schema {
namespace {

struct Wrong {
  const char* schema;
  ErrorCode code;
  const char* pointer;  ///< The JSON pointer in the schema that the error names.
  const char* where;    ///< The text of the range Error::where.
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
           {R"({"$schema": 5})", kInvalid, "`$schema` of `#` must be a string", "5"},
           {R"({"enum": {}})", kInvalid, "`enum`", "{}"},
           {R"({"minimum": "1"})", kInvalid, "`minimum`", R"("1")"},
           {R"({"multipleOf": 0})", kInvalid, "`multipleOf`", "0"},
           {R"({"properties": {"a": {"maxLength": 1.5}}})", kInvalid, "`maxLength` of `#/properties/a`", "1.5"},
           {R"({"minItems": -1})", kInvalid, "`minItems`", "-1"},
           {R"({"uniqueItems": 1})", kInvalid, "`uniqueItems`", "1"},
           {R"({"anyOf": []})", kInvalid, "`anyOf`", "[]"},
           {R"({"not": 1})", kInvalid, "`not`", "1"},
           {R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [true]})", kInvalid, "prefixItems",
            "[true]"},
           {R"({"prefixItems": [true], "items": [false]})", kInvalid, "prefixItems", "[false]"},
           {R"({"required": ["a", 1]})", kInvalid, "`required`", R"(["a", 1])"},
           {R"({"properties": []})", kInvalid, "`properties`", "[]"},
           {R"({"$schema": "http://json-schema.org/draft-06/schema#", "exclusiveMinimum": true})", kInvalid,
            "`exclusiveMinimum`", "true"}}) {
    expect_error(wrong);
  }
}

TEST(SchemaCheck, AWrapperOfASchemaIsNotASchema) {
  std::vector<Warning> warnings;
  const std::vector<std::pair<std::string, std::string>> wrappers = {{"schema", "a response format"},
                                                                     {"json_schema", "a response format"},
                                                                     {"jsonSchema", "a response format"},
                                                                     {"parameters", "a tool"},
                                                                     {"input_schema", "a tool"},
                                                                     {"inputSchema", "a tool"},
                                                                     {"output_schema", "a tool"},
                                                                     {"outputSchema", "a tool"},
                                                                     {"function", "a tool"},
                                                                     {"args", "a tool call"},
                                                                     {"arguments", "a tool call"},
                                                                     {"response_format", "a request"},
                                                                     {"responseSchema", "a request"},
                                                                     {"guided_json", "a request"},
                                                                     {"structured_outputs", "a request"},
                                                                     {"tools", "a request"},
                                                                     {"functions", "a request"}};
  for (const auto& [name, of] : wrappers) {
    const std::string member = "\"" + name + R"(": {"type": "object"})";
    const std::string key = "\"" + name + "\"";
    const std::string message = "`" + name + "` of `#` is not a keyword";
    for (const std::string& text : {"{" + member + "}", R"({"name": "n", "description": "d", )" + member + "}",
                                    R"({"title": "t", "$defs": {"a": {}}, )" + member + R"(, "strict": true})"}) {
      expect_error({text.c_str(), ErrorCode::kInvalidArgument, message.c_str(), key.c_str()});
      EXPECT_EQ(json_schema_grammar(text, {}, Limits{}, warnings).error().hint,
                "this looks like " + of + ", not a schema: give the schema inside it");
    }
    for (const std::string& fine :
         {R"({"type": "object", )" + member + "}", R"({"properties": {"a": {)" + member + "}}}",
          R"({"$ref": "#/)" + name + "\", " + member + "}", "{" + key + ": 5}", R"({"default": {)" + member + "}}"}) {
      EXPECT_TRUE(json_schema_grammar(fine, {}, Limits{}, warnings).has_value()) << fine;
    }
    // Beside a type it means something, so it is taken, with a warning.
    warnings.clear();
    EXPECT_TRUE(json_schema_grammar(R"({"type": "object", )" + member + "}", {}, Limits{}, warnings).has_value());
    ASSERT_EQ(warnings.size(), 1U) << name;
    EXPECT_EQ(warnings[0].code, "ignored-keyword");
    EXPECT_EQ(warnings[0].message, "`" + name + "` of `#` is not a keyword and has no effect");
    EXPECT_EQ(warnings[0].hint, "this looks like " + of + ", not a schema: give the schema inside it");
  }
  // A member of another name that holds a schema is warned of, for it may be an extension.
  for (const char* name : {"body", "text", "response", "output", "json", "value", "extra_body", "q"}) {
    for (const char* inside :
         {R"({"type": "object"})", R"({"format": {"type": "object"}})", R"({"a": {"schema": {"enum": [1]}}})"}) {
      for (const char* before : {"", R"("type": "object", )", R"("title": "t", "$defs": {"a": {}}, )"}) {
        warnings.clear();
        const std::string text = "{" + std::string(before) + "\"" + name + "\": " + inside + "}";
        EXPECT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings).has_value()) << text;
        ASSERT_EQ(warnings.size(), 1U) << text;
        EXPECT_EQ(warnings[0].code, "ignored-keyword");
        EXPECT_EQ(warnings[0].message.find("`" + std::string(name) + "` of `#` is not a keyword"), 0U);
      }
    }
  }
  for (const char* fine : {R"({"x-body": {"type": "object"}})", R"({"ui": {"rows": 5}})",
                           R"({"enum": [1], "body": {"type": "object"}})"}) {
    warnings.clear();
    EXPECT_TRUE(json_schema_grammar(fine, {}, Limits{}, warnings).has_value());
    EXPECT_TRUE(warnings.empty()) << fine;
  }
  expect_error({R"({"tools": [{}]})", ErrorCode::kInvalidArgument, "`tools`", R"("tools")"});
  for (const auto& [type, hint] : std::vector<std::pair<std::string, std::string>>{
           {"function", "tool"}, {"json_schema", "response format"}, {"json_object", "response format"}}) {
    const auto made = json_schema_grammar(R"({"type": ")" + type + "\"}", {}, Limits{}, warnings);
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().hint.find("this looks like a " + hint + ", not a schema"), std::string::npos);
  }
}

TEST(SchemaCheck, PartsThatAreNoSchemas) {
  struct {
    const char* schema;
    const char* place;
    const char* at;
  } cases[] = {
      {R"({"properties": {"b": {}, "a": "string"}})", "`#/properties/a`", R"("string")"},
      {R"({"properties": {"b": {}, "a/b": null}})", "`#/properties/a~1b`", "null"},
      {R"({"patternProperties": {"b": {}, "a": 5}})", "`#/patternProperties/a`", "5"},
      {R"({"dependentSchemas": {"b": {}, "a": 5}})", "`#/dependentSchemas/a`", "5"},
      {R"({"anyOf": [{}, {}, "x"]})", "`#/anyOf/2`", R"("x")"},
      {R"({"items": {"oneOf": [{}, [1]]}})", "`#/items/oneOf/1`", "[1]"},
      {R"({"prefixItems": [5]})", "`#/prefixItems/0`", "5"},
      {R"({"items": 5})", "objects or booleans", "5"},
  };
  for (const auto& [schema, place, at] : cases) {
    expect_error({schema, ErrorCode::kInvalidArgument, "must hold schemas: objects or booleans", at});
    expect_error({schema, ErrorCode::kInvalidArgument, place, at});
  }
}

TEST(SchemaCheck, HintsForTypesAndReferences) {
  const auto hint = [](const char* schema) {
    std::vector<Warning> warnings;
    return json_schema_grammar(schema, {}, Limits{}, warnings).error().hint;
  };
  EXPECT_EQ(hint(R"({"type": ["string", null]})"), R"(the type of null is "null")");
  EXPECT_EQ(hint(R"({"type": "string|null"})"), R"(several types are a list, such as ["string", "null"])");
  EXPECT_EQ(hint(R"({"$ref": "#/definitions/a", "$defs": {"a": {}}})"), "did you mean `#/$defs/...`?");
  EXPECT_EQ(hint(R"({"$ref": "#/$defs/a", "definitions": {"a": {}}})"), "did you mean `#/definitions/...`?");
  EXPECT_EQ(hint(R"({"$ref": "#/$defs/b", "definitions": {"a": {}}})"), "");
  EXPECT_EQ(hint(R"({"openapi": "3.0.0", "components": {"schemas": {"a": {}}}})"),
            "this looks like an OpenAPI document, not a schema: give the schema inside it");
}

TEST(SchemaCheck, NamesOfTypesInPlaceOfSchemas) {
  for (const char* text : {R"({"a": "string", "b": "int"})", R"({"title": "t", "x": "The x", "a": "string"})",
                           R"({"type": "object", "a": "STR"})"}) {
    std::vector<Warning> warnings;
    EXPECT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings).has_value()) << text;
    ASSERT_EQ(warnings.size(), 1U) << text;
    EXPECT_EQ(warnings[0].message.find("`a` of `#` is not a keyword"), 0U) << warnings[0].message;
    EXPECT_EQ(warnings[0].hint,
              R"(the members of an object stand in `properties`, each with a schema: {"type": "string"})");
  }
  for (const char* fine : {R"({"properties": {}, "a": "string"})", R"({"x-a": "string"})", R"({"a": "The text"})"}) {
    std::vector<Warning> warnings;
    EXPECT_TRUE(json_schema_grammar(fine, {}, Limits{}, warnings).has_value());
    EXPECT_TRUE(warnings.empty()) << fine;
  }
}

// Numbers that surely are few expressions are checked without them; others, as before, are refused where they are too many.
TEST(SchemaCheck, NumbersWithManyExpressions) {
  std::string text = R"({"anyOf": [{"type": "string"})";
  for (int i = 1; i < 300; ++i) {
    text += ", {\"minimum\": " + std::to_string(i) + ".";
    for (int k = 1; k < 60; ++k) text += std::to_string(i * 7919 % (k * 131 + 1));
    text += "1}";
  }
  text += "]}";
  std::vector<Warning> warnings;
  EXPECT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings).has_value());
  Limits limits;
  limits.regex_nodes = 20'000;
  const auto refused = json_schema_grammar(text, {}, limits, warnings);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().limit, "regex_nodes");
  EXPECT_NE(refused.error().message.find("`minimum` of `#/anyOf/"), std::string::npos) << refused.error().message;
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

TEST(SchemaCheck, UnknownKeywords) {
  std::vector<Warning> warnings;
  const std::string text = R"({"title": "t", "items": {"type": "string", "minLenght": 3, "x-unit": "m"}})";
  EXPECT_TRUE(json_schema_grammar(text, {}, Limits{}, warnings).has_value());
  JsonSchemaOptions options;
  options.unknown_keywords = JsonSchemaOptions::UnknownKeywords::kRefuse;
  expect_error({text.c_str(), ErrorCode::kUnsupported, "`minLenght` of `#/items` is no keyword", R"("minLenght")"},
               options);
  const std::string known =
      R"({"title": "t", "default": [], "items": {"$comment": "c", "minLength": 3, "x-unit": "m"}})";
  EXPECT_TRUE(json_schema_grammar(known, options, Limits{}, warnings).has_value());
}

// The message names the line and column in the document; the range is that of the reference that leads to it.
TEST(SchemaCheck, ErrorsInDocuments) {
  const std::string schema = R"({"items": {"$ref": "urn:b#"}})";
  const auto error = [&](const char* document) {
    std::vector<Warning> warnings;
    JsonSchemaOptions options;
    options.documents = {{"urn:b", document}};
    const auto made = json_schema_grammar(schema, options, Limits{}, warnings);
    return made.has_value() ? Error{} : made.error();
  };
  for (const auto& [document, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"{\n  a", "in the document `urn:b`, at 2:3: expected a key in quotes"},
           {"{\"type\":\n 1}", "`type` of `urn:b#`, at 2:2 there, must name types"},
           {"{\"items\":\n {\"$ref\": \"#/x\"}}", "`$ref` of `urn:b#/items`, at 2:11 there, leads to"}}) {
    const Error wrong = error(document);
    EXPECT_TRUE(wrong.message.starts_with(message)) << wrong.message;
    EXPECT_EQ(schema.substr(wrong.where.start, wrong.where.end - wrong.where.start), "\"urn:b#\"") << wrong.message;
    EXPECT_EQ(wrong.pointer, "/items/$ref");
  }
}

// If a schema names no draft, constructs that only older drafts have are read as in those drafts, with a warning for
// each.
TEST(SchemaCheck, ConstructsOfOlderDrafts) {
  const auto warnings_of = [](const std::string& schema, const JsonSchemaOptions& options = {}) {
    std::vector<Warning> warnings;
    EXPECT_TRUE(json_schema_grammar(schema, options, Limits{}, warnings).has_value()) << schema;
    std::string found;
    for (const Warning& warning : warnings) {
      EXPECT_EQ(warning.code, "older-draft");
      found += schema.substr(warning.where.start, warning.where.end - warning.where.start) + "; ";
    }
    return found;
  };
  EXPECT_EQ(warnings_of(R"({"items": [{"type": "integer"}], "additionalItems": {"items": [true]}})"),
            R"([{"type": "integer"}]; [true]; )");
  EXPECT_EQ(warnings_of(R"({"items": [{"$ref": "#/items/1"}, true]})"), R"([{"$ref": "#/items/1"}, true]; )");
  EXPECT_EQ(warnings_of(R"({"minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false})"),
            "true; false; ");
  EXPECT_EQ(warnings_of(R"({"$schema": "http://json-schema.org/draft-07/schema", "items": [true]})"), "");
  EXPECT_EQ(warnings_of(R"({"items": [true]})", {.default_draft = JsonSchemaOptions::Draft::k7}), "");
}

TEST(SchemaCheck, HintsForHabitsOfOtherLanguages) {
  const auto hint = [](const char* schema) {
    std::vector<Warning> warnings;
    const auto made = json_schema_grammar(schema, {}, Limits{}, warnings);
    return made.has_value() ? "" : made.error().hint;
  };
  EXPECT_NE(hint(R"({"type": "any"})").find("without `type`"), std::string::npos);
  EXPECT_NE(hint(R"({"type": ["null", "Str"]})").find("`string`"), std::string::npos);
  EXPECT_NE(hint(R"({"type": "date"})").find("`format`"), std::string::npos);
  EXPECT_EQ(hint(R"({"type": "objct"})"), "did you mean `object`?");
  EXPECT_EQ(hint(R"({"type": ["intgeer", "null"]})"), "did you mean `integer`?");
  EXPECT_EQ(hint(R"({"type": "strange"})"), "");
  EXPECT_EQ(hint(R"({"prefixItems": [], "items": [{}]})"),
            "up to draft 2019-09 it may be a list; declare the dialect with `$schema`, or with `default_draft`");
  EXPECT_EQ(hint(R"({"$schema": "http://json-schema.org/draft-07/schema", "minimum": 1, "exclusiveMinimum": true})"),
            "true and false are allowed in draft 4 only; declare the dialect with `$schema`, or with `default_draft`");
  EXPECT_EQ(hint(R"({"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 1})"),
            "declare the dialect with `$schema`, or with `default_draft`");
  EXPECT_EQ(hint(R"({"minimum": true})"), "");
  EXPECT_EQ(hint(R"({"$ref": "urn:x"})"), "schemas are never fetched: give it with `documents`");
  EXPECT_NE(hint(R"({"properties": {"a": {"required": true}}})").find("the object around it"), std::string::npos);
}

}  // namespace
}  // namespace weir::frontend::json_schema
