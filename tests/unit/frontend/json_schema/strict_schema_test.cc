// strict_json_schema. tests/python/test_strict_schema.py compares it with another implementation.
#include "weir/strict_schema.h"

#include <gtest/gtest.h>

#include <string>

namespace weir {
namespace {

std::string strict(std::string_view schema) {
  const Result<std::string> made = strict_json_schema(schema);
  return made ? *made : "error: " + made.error().message;
}

TEST(StrictSchema, ClosesObjectsThatListMembers) {
  EXPECT_EQ(strict(R"({"type": "object"})"), R"({"type":"object"})");
  EXPECT_EQ(strict(R"({"properties": {"a": {"properties": {}}}})"),
            R"({"properties":{"a":{"properties":{},"additionalProperties":false}},"additionalProperties":false})");
  EXPECT_EQ(strict(R"({"patternProperties": {"^x": true}})"),
            R"({"patternProperties":{"^x":true},"additionalProperties":false})");
  for (const char* closed :
       {R"({"properties":{},"additionalProperties":true})", R"({"properties":{},"unevaluatedProperties":1})"}) {
    EXPECT_EQ(strict(closed), closed);
  }
}

TEST(StrictSchema, ClosesArraysThatListItems) {
  EXPECT_EQ(strict(R"({"prefixItems": [{}]})"), R"({"prefixItems":[{}],"items":false})");
  EXPECT_EQ(strict(R"({"items": [true]})"), R"({"items":[true],"additionalItems":false})");
  for (const char* open : {R"({"prefixItems":[],"items":{}})", R"({"prefixItems":[],"unevaluatedItems":{}})",
                           R"({"items":[],"additionalItems":{}})", R"({"items":{}})"}) {
    EXPECT_EQ(strict(open), open);
  }
}

TEST(StrictSchema, ClosesAlternatives) {
  EXPECT_EQ(strict(R"({"title": "t", "anyOf": [{"properties": {}}, 1]})"),
            R"({"title":"t","anyOf":[{"properties":{},"additionalProperties":false},1]})");
}

TEST(StrictSchema, ClosesWhatSeveralPartsDescribe) {
  EXPECT_EQ(strict(R"({"allOf": [{"properties": {"a": {"prefixItems": []}}}]})"),
            R"({"allOf":[{"properties":{"a":{"prefixItems":[],"items":false}}}],"unevaluatedProperties":false})");
  const char* old = R"({"$schema":"http://json-schema.org/draft-07/schema#","allOf":[{"properties":{}}]})";
  EXPECT_EQ(strict(old), old);
}

TEST(StrictSchema, ReferencesLeadToClosedCopies) {
  EXPECT_EQ(
      strict(
          R"({"items": {"$ref": "#/$defs/a~1"}, "$defs": {"strict-0": 1, "a/": {"items": {"$ref": "#/$defs/a~1"}}}})"),
      R"({"items":{"$ref":"#/$defs/strict-0-"},"$defs":{"strict-0":1,"a/":{"items": {"$ref": "#/$defs/a~1"}},)"
      R"("strict-0-":{"items":{"$ref":"#/$defs/strict-0-"}}}})");
  EXPECT_EQ(
      strict(R"({"$defs": {}, "items": {"$ref": "#/x"}, "x": {"items": {"$ref": "#/y"}}, "y": {"prefixItems": []}})"),
      R"({"$defs":{"strict-0":{"items":{"$ref":"#/$defs/strict-1"}},"strict-1":{"prefixItems":[],"items":false}},)"
      R"("items":{"$ref":"#/$defs/strict-0"},"x":{"items": {"$ref": "#/y"}},"y":{"prefixItems": []}})");
  EXPECT_EQ(strict(R"({"items": {"$ref": "#/x"}, "x": {}})"),
            R"({"items":{"$ref":"#/$defs/strict-0"},"x":{},"$defs":{"strict-0":{}}})");
  for (const char* same : {R"({"$ref":"#"})", R"({"$ref":"#/nowhere"})", R"({"$ref":"other.json#/a"})", R"({"$ref":1})",
                           R"({"$ref":"#/~2"})", R"({"$ref":"#/$defs","$defs":[{}]})"}) {
    EXPECT_EQ(strict(same), same);
  }
}

TEST(StrictSchema, ReferencesInSchemasWithAnIdDoNotChange) {
  EXPECT_EQ(strict(R"({"items": {"$id": "u", "properties": {"n": {"$ref": "#/$defs/k"}}, "$defs": {"k": {}}},)"
                   R"( "$defs": {"k": {"properties": {}}}})"),
            R"({"items":{"$id":"u","properties":{"n":{"$ref":"#/$defs/k"}},"$defs":{"k": {}},)"
            R"("additionalProperties":false},"$defs":{"k":{"properties": {}}}})");
  for (const char* same :
       {R"({"items":{"$ref":"#/$defs/k/items"},"$defs":{"k":{"$id":"u","items":{"properties":{}}}}})",
        R"({"items":{"$id":"u","type":"object","$ref":"#/$defs/k"},"$defs":{"k":{"properties":{}}}})",
        R"({"$schema":"http://json-schema.org/draft-04/schema#","items":{"id":"u","items":{"$ref":"#/x"}},"x":{}})"}) {
    EXPECT_EQ(strict(same), same);
  }
  EXPECT_EQ(strict(R"({"$id": "u", "items": {"$ref": "#/$defs/k"}, "$defs": {"k": {"$id": "v", "properties": {}}}})"),
            R"({"$id":"u","items":{"$ref":"#/$defs/strict-0"},"$defs":{"k":{"$id": "v", "properties": {}},)"
            R"("strict-0":{"$id":"v","properties":{},"additionalProperties":false}}})");
}

TEST(StrictSchema, KeepsWhatItDoesNotChange) {
  EXPECT_EQ(strict(R"({"maximum": 123456789012345678901234567890.50, "const": {"properties": [ 1 ]}})"),
            R"({"maximum":123456789012345678901234567890.50,"const":{"properties": [ 1 ]}})");
  EXPECT_EQ(strict(" [ {\"properties\": {}} ] "), " [ {\"properties\": {}} ] ");
  EXPECT_EQ(strict("{}"), "{}");
}

TEST(StrictSchema, ReportsErrors) {
  const Result<std::string> bad = strict_json_schema("{\"a\": tru}");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(bad.error().where.start, 6U);
}

TEST(StrictSchema, IsBounded) {
  // Each of the definitions contains the next one, and each is copied.
  std::string nested = "{}";
  std::string references = "true";
  std::string pointer = "#/$defs";
  for (int i = 0; i < 100; ++i) {
    nested = R"({"properties":{"a":)" + nested + R"(},"description":")" + std::string(100, 'x') + "\"}";
    pointer += i == 0 ? "/a" : "/properties/a";
    references += R"(,{"$ref":")" + pointer + "\"}";
  }
  const std::string schema = R"({"prefixItems":[)" + references + R"(],"$defs":{"a":)" + nested + "}}";
  Limits limits;
  limits.text_bytes = 2 * schema.size();
  const Result<std::string> large = strict_json_schema(schema, limits);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(large.error().limit, "text_bytes");

  std::string parts;
  std::string chain;
  for (int i = 0; i < 300; ++i) {
    parts += R"({"allOf":[{"$ref":"#/$defs/0"}]},)";
    chain += '"' + std::to_string(i) + R"(":{"allOf":[{"$ref":"#/$defs/)" + std::to_string(i + 1) + "\"}]},";
  }
  limits = {};
  limits.schema_steps = 50'000;
  const Result<std::string> slow =
      strict_json_schema(R"({"prefixItems":[)" + parts + R"(1],"$defs":{)" + chain + R"("x":1}})", limits);
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().limit, "schema_steps");

  // Parts that are not schemas count, too.
  const auto repeat = [](std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  const std::string asks = R"({"prefixItems":[)" + repeat(R"({"type":"object","$ref":"#/x"},)", 300) + "1],";
  const Result<std::string> wide =
      strict_json_schema(asks + R"("x":{"allOf":[)" + repeat("1,", 1'000) + "1]}}", limits);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().limit, "schema_steps");

  // 300 questions lead to the same long reference, which is read once; reading it each time takes seconds.
  EXPECT_TRUE(strict_json_schema(asks + R"("x":{"type":"object","$ref":"#)" + repeat("/a", 1'000'000) + "\"}}"));
}

}  // namespace
}  // namespace weir
