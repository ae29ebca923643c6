#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "weir/check.h"
#include "weir/grammar.h"

namespace weir::check_schema_test {
namespace {

using Findings = std::vector<std::string>;

// "code: pointer of what the caret is under (those of the notes)".
Findings found(std::string_view schema, const JsonSchemaOptions& options = {}, const Limits& limits = {}) {
  Findings out;
  for (const Diagnostic& d : check_schema(schema, options, limits)) {
    std::string notes;
    for (const ErrorNote& note : d.notes) notes += (notes.empty() ? " (" : " ") + note.location;
    out.push_back(d.code + ": " + d.pointer + (notes.empty() ? "" : notes + ")"));
  }
  return out;
}

constexpr JsonSchemaOptions::Draft k7 = JsonSchemaOptions::Draft::k7;

TEST(CheckSchema, SubschemasThatHoldNoValue) {
  EXPECT_EQ(found(R"({"properties": {"a": {"type": "integer", "minimum": 10, "maximum": 5}}})"),
            (Findings{"dead-schema: /properties/a/type (#/properties/a/type #/properties/a/minimum "
                      "#/properties/a/maximum)"}));
  EXPECT_EQ(found(R"({"items": {"enum": []}})"), (Findings{"dead-schema: /items/enum (#/items/enum)"}));
  EXPECT_EQ(found(R"({"anyOf": [{"type": "null"}, {"type": "string", "enum": [1]}]})"),
            (Findings{"dead-schema: /anyOf/1/type (#/anyOf/1/type #/anyOf/1/enum)"}));
  EXPECT_EQ(found(R"({"patternProperties": {"^a": {"allOf": [{"type": "string"}, {"type": "null"}]}}})"),
            (Findings{"dead-schema: /patternProperties/^a/allOf/0/type (#/patternProperties/^a/allOf/0/type "
                      "#/patternProperties/^a/allOf/1/type)"}));
  const auto one = check_schema(R"({"properties": {"a": {"const": 1, "maximum": 0}}})");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].severity, Severity::kWarning);
  EXPECT_EQ(one[0].message,
            "no value is valid under `#/properties/a`: `#/properties/a/const` (1) and `#/properties/a/maximum` (0) "
            "contradict each other");
}

// The option `characters` may be what contradicts a keyword.
TEST(CheckSchema, CharactersThatAKeywordNeedsAreNamed) {
  JsonSchemaOptions options;
  options.characters = "[a-z]";
  for (const char* keyword : {R"("format": "date")", R"("pattern": "^[0-9]$")"}) {
    const std::string schema = R"({"type": "object", "properties": {"d": {"type": "string", )" + std::string(keyword) +
                               R"(}}, "required": ["d"]})";
    const std::string name = std::string(keyword).substr(1, std::string(keyword).find(':') - 2);
    const std::string pointer = "#/properties/d/" + name;
    const auto grammar = Grammar::from_json_schema(schema, options);
    ASSERT_FALSE(grammar.has_value());
    const Error& error = grammar.error();
    EXPECT_NE(error.message.find("the option `characters` ([a-z]), "), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("`" + pointer + "`"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("`#/required`"), std::string::npos) << error.message;
    EXPECT_EQ(error.options, "characters");
    const bool points_there =
        std::ranges::any_of(error.notes, [&](const ErrorNote& note) { return note.location == pointer; });
    EXPECT_TRUE(points_there);
  }
  // Without `required` it is a warning; keywords that contradict each other without the option do not name it.
  const auto one = check_schema(R"({"properties": {"d": {"type": "string", "format": "date"}}})", options);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_NE(one[0].message.find("the option `characters` ([a-z])"), std::string::npos) << one[0].message;
  const auto grammar = Grammar::from_json_schema(R"({"type": "string", "minLength": 2, "maxLength": 1})", options);
  ASSERT_FALSE(grammar.has_value());
  EXPECT_EQ(grammar.error().message.find("characters"), std::string::npos) << grammar.error().message;
}

// What is dead because another schema is, by a reference or as a required member, is not told again.
TEST(CheckSchema, AnEmptySubschemaIsReportedOnce) {
  const std::string dead = R"({"type": "string", "minLength": 2, "maxLength": 1})";
  const auto expected = [](const std::string& at) {
    return Findings{"dead-schema: " + at + "/type (#" + at + "/type #" + at + "/minLength #" + at + "/maxLength)"};
  };
  EXPECT_EQ(found(R"({"properties": {"a": {"$ref": "#/$defs/d"}, "b": {"$ref": "#/$defs/d"}}, "$defs": {"d": )" + dead +
                  "}}"),
            expected("/$defs/d"));
  EXPECT_EQ(found(R"({"properties": {"a": {"type": "object", "required": ["b"], "properties": {"b": )" + dead + "}}}}"),
            expected("/properties/a/properties/b"));
  const auto recursive = found(
      R"({"properties": {"a": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"type": "object", "required": ["n"],
          "properties": {"n": {"$ref": "#/$defs/l"}}}}})");
  ASSERT_EQ(recursive.size(), 1U);
  EXPECT_TRUE(recursive[0].starts_with("dead-schema: /$defs/l/type")) << recursive[0];
}

// `list` holds nothing by itself, and strings where `strings` leads there.
TEST(CheckSchema, EmptyInOneScopeIsNotEmptyInAnother) {
  const auto all = found(R"({"$id": "http://x/root", "properties": {"a": {"$ref": "list"}, "b": {"$ref": "strings"}},
      "$defs": {"strings": {"$id": "strings", "$ref": "list", "$defs": {"T": {"$dynamicAnchor": "T", "type": "string"}}},
                "list": {"$id": "list", "type": "object", "properties": {"v": {"$dynamicRef": "#T"}}, "required": ["v"],
                         "$defs": {"T": {"$dynamicAnchor": "T", "type": "string", "enum": [1]}}}}})");
  for (const std::string& one : all) EXPECT_TRUE(one.starts_with("dead-schema: /$defs/list/$defs/T/")) << one;
}

TEST(CheckSchema, SubschemasMeantToBeEmptyAreNotReported) {
  EXPECT_EQ(found(R"({"properties": {"a": false, "b": {"not": {}}, "c": {"allOf": [false]}}, "items": false,
                      "anyOf": [{"properties": {"d": {"$ref": "#/$defs/never"}}}], "$defs": {"never": false}})"),
            Findings{});
}

TEST(CheckSchema, BranchesThatHoldNothingWhereTheyStand) {
  EXPECT_EQ(found(R"({"type": "object", "anyOf": [{"type": "string"}, {"required": ["a"]}]})"),
            (Findings{"dead-schema: /type (#/type #/anyOf/0/type)"}));
  const auto one = check_schema(R"({"oneOf": [{"type": "integer"}, {"type": "number"}]})");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].pointer, "/oneOf/0");
  EXPECT_EQ(one[0].hint, "`anyOf` allows several matches");
  ASSERT_EQ(one[0].notes.size(), 1U);
  EXPECT_EQ(one[0].notes[0].location, "#/oneOf/1");
  EXPECT_EQ(found(R"({"anyOf": [{"type": "integer"}, {"type": "number"}]})"), Findings{});
  EXPECT_EQ(found(R"({"oneOf": [{"type": "integer"}, {"type": "number", "maximum": 1}]})"), Findings{});
}

// A misspelled keyword is often why no value is valid.
TEST(CheckSchema, ASchemaWithoutValuesHasItsWarningsToo) {
  EXPECT_EQ(
      found(R"({"type": "object", "propertes": {"a": true}, "required": ["a"], "additionalProperties": false})"),
      (Findings{"unsatisfiable: /type (#/type #/required #/additionalProperties)", "ignored-keyword: /propertes"}));
  EXPECT_EQ(found(R"({"minimun": 1, "type": "strin"})").size(), 1U);  // it cannot be read
}

TEST(CheckSchema, KeywordsThatNeedAnother) {
  EXPECT_EQ(found(R"({"then": {"const": 1}})"), (Findings{"idle-keyword: /then"}));
  EXPECT_EQ(found(R"({"if": {"type": "string"}, "else": {"const": 1}})"), Findings{});
  EXPECT_EQ(found(R"({"if": {"const": 1}})"), (Findings{"idle-keyword: /if"}));
  // Which members it speaks of counts here.
  EXPECT_EQ(found(R"({"if": {"properties": {"a": true}}, "unevaluatedProperties": false})"), Findings{});
  EXPECT_EQ(found(R"({"minContains": 1, "maxContains": 2})"),
            (Findings{"idle-keyword: /minContains", "idle-keyword: /maxContains"}));
  const JsonSchemaOptions draft7{.default_draft = k7};
  EXPECT_EQ(found(R"({"additionalItems": {"type": "string"}})", draft7), (Findings{"idle-keyword: /additionalItems"}));
  EXPECT_EQ(found(R"({"items": {}, "additionalItems": {"type": "string"}})", draft7),
            (Findings{"idle-keyword: /additionalItems (#/items)"}));
  EXPECT_EQ(found(R"({"items": [{}], "additionalItems": {"type": "string"}})", draft7), Findings{});
  EXPECT_EQ(found(R"({"items": {"type": "string"}, "additionalItems": false})", draft7), Findings{});
  EXPECT_EQ(found(R"({"additionalProperties": false, "unevaluatedProperties": false})"),
            (Findings{"idle-keyword: /unevaluatedProperties (#/additionalProperties)"}));
  EXPECT_EQ(found(R"({"items": {"type": "null"}, "unevaluatedItems": false})"),
            (Findings{"idle-keyword: /unevaluatedItems (#/items)"}));
}

// What no reference leads to has no effect. Compiling does not read it, and a check warns of what is wrong there.
TEST(CheckSchema, SchemasThatNothingRefersTo) {
  EXPECT_EQ(found(R"({"$defs": {"a": {"type": "strin"}, "b": {"properties": {"c": {"minLength": -1}}}, "d": 5,
                      "e": {"$defs": {"f": {"pattern": "("}}}, "ok": {"type": "string", "minLength": 1}}})"),
            (Findings{"unused-schema: /$defs/a/type", "unused-schema: /$defs/b/properties/c/minLength",
                      "unused-schema: /$defs/d", "unused-schema: /$defs/e/$defs/f/pattern"}));
  EXPECT_EQ(check_schema(R"({"$defs": {"a": {"type": "strin"}}})")[0].hint,
            "did you mean `string`?; the schema has no effect: nothing refers to it");
  EXPECT_EQ(found(R"({"definitions": {"a": {"required": "x"}}})"),
            (Findings{"unused-schema: /definitions/a/required"}));
  EXPECT_EQ(found(R"({"type": "string", "contentSchema": {"enum": 5}})"),
            (Findings{"unused-schema: /contentSchema/enum"}));
  EXPECT_EQ(found(R"({"type": "string", "contentSchema": 5})"), (Findings{"unused-schema: /contentSchema"}));
  EXPECT_EQ(found(R"({"$vocabulary": ["x"]})"), (Findings{"idle-keyword: /$vocabulary"}));
  // They may be used among themselves, and lead to what is used.
  EXPECT_EQ(found(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#"}, "c": {"$ref": "#/$defs/none"}}})"),
            (Findings{"unused-schema: /$defs/c/$ref"}));
  EXPECT_EQ(found(R"({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}})"), Findings{});
  for (const char* schema : {R"({"$defs": {"a": {"type": "strin"}}})", R"({"contentSchema": 5, "$vocabulary": 5})"}) {
    const auto grammar = Grammar::from_json_schema(schema);
    ASSERT_TRUE(grammar.has_value()) << schema;
    EXPECT_TRUE(grammar->warnings().empty()) << schema;
  }
  EXPECT_FALSE(Grammar::from_json_schema(R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "strin"}}})").has_value());
}

TEST(CheckSchema, KeywordsOfTypesThatTypeLeavesOut) {
  EXPECT_EQ(found(R"({"type": "integer", "minLength": 3})"), (Findings{"idle-keyword: /minLength (#/type)"}));
  EXPECT_EQ(found(R"({"type": ["string", "null"], "minLength": 3, "properties": {"a": true}})"),
            (Findings{"idle-keyword: /properties (#/type)"}));
  EXPECT_EQ(check_schema(R"({"type": "array", "minLength": 3})")[0].hint, "`minItems` applies to arrays");
  EXPECT_EQ(found(R"({"type": "array", "format": "date"})"), (Findings{"idle-keyword: /format (#/type)"}));
  // Habits, and what asks for nothing anyway.
  EXPECT_EQ(found(R"({"type": "string", "format": "int64"})"), Findings{});
  EXPECT_EQ(found(R"({"type": "string", "additionalProperties": false, "required": [], "minItems": 0})"), Findings{});
}

TEST(CheckSchema, BoundsThatLeaveNoValueOfAType) {
  EXPECT_EQ(found(R"({"minimum": 10, "maximum": 5})"), (Findings{"dead-schema: /minimum (#/minimum #/maximum)"}));
  EXPECT_EQ(found(R"({"minimum": 5, "exclusiveMaximum": 5})"),
            (Findings{"dead-schema: /minimum (#/minimum #/exclusiveMaximum)"}));
  EXPECT_EQ(found(R"({"minimum": 5, "maximum": 5, "minLength": 1, "maxLength": 1})"), Findings{});
  EXPECT_EQ(found(R"({"type": "string", "minItems": 2, "maxItems": 1})"),
            (Findings{"idle-keyword: /minItems (#/type)", "idle-keyword: /maxItems (#/type)"}));
}

TEST(CheckSchema, ValuesOfNoTypeThatTypeNames) {
  EXPECT_EQ(found(R"({"type": "string", "enum": ["a", null, 1]})"),
            (Findings{"idle-keyword: /enum/1 (#/type)", "idle-keyword: /enum/2 (#/type)"}));
  EXPECT_EQ(found(R"({"type": ["integer", "boolean"], "enum": [1.0, 1.5, true]})"),
            (Findings{"idle-keyword: /enum/1 (#/type)"}));
}

// In a document there is no place to point at, so it is what leads there.
TEST(CheckSchema, InADocument) {
  JsonSchemaOptions options;
  options.documents = {{"urn:d", R"({"$defs": {"dead": {"type": "null", "enum": [1]}, "idle": {"then": {"const": 1}},
      "bounds": {"minimum": 2, "maximum": 1}, "value": {"type": "string", "enum": ["a", 1]},
      "branch": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}})"}};
  for (const std::string name : {"dead", "idle", "bounds", "value", "branch"}) {
    const auto one = check_schema(R"({"items": {"$ref": "urn:d#/$defs/)" + name + R"("}})", options);
    ASSERT_EQ(one.size(), 1U) << name;
    EXPECT_EQ(one[0].pointer, "/items/$ref") << name;
    EXPECT_NE(one[0].message.find("urn:d#/$defs/" + name), std::string::npos) << one[0].message;
  }
}

// A longer look is a check's alone, and it has an end.
TEST(CheckSchema, CompilingReportsLessThanACheck) {
  const auto grammar = Grammar::from_json_schema(R"({"then": true, "items": {"enum": []}})");
  ASSERT_TRUE(grammar.has_value());
  EXPECT_TRUE(grammar->warnings().empty());
  const std::string dead = R"({"properties": {"a": {"const": 1, "maximum": 0}}})";
  EXPECT_EQ(found(dead).size(), 1U);
  Limits few;
  few.schema_steps = 0;
  EXPECT_EQ(found(dead, {}, few), Findings{});
}

TEST(CheckSchema, InAStructuralTag) {
  const std::string text = R"({"type": "structural_tag", "format": {"type": "json_schema", "json_schema":
      {"properties": {"a": {"const": 1, "maximum": 0}}}}})";
  const auto one = check_structural_tag(text);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].code, "dead-schema");
  ASSERT_EQ(one[0].notes.size(), 2U);
  EXPECT_EQ(text.substr(one[0].notes[1].where.start, 1), "0");
}

}  // namespace
}  // namespace weir::check_schema_test
