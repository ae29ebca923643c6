#include "frontend/json_schema/model/witness.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "unit/frontend/json_schema/mini_validator.h"
#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema::witness_test {
namespace {

struct Example {
  const char* schema;
  const char* member;  ///< The expected witness, which is the only choice, or "none".
};

void expect_members(std::initializer_list<Example> examples) {
  for (const Example& example : examples) {
    RulesRig rig(example.schema);
    EXPECT_EQ(rig.member(), example.member) << example.schema;
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << example.schema;
  }
}

TEST(Witness, Scalars) {
  expect_members({{R"({"const": null})", "null"},
                  {R"({"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 6})", "5"},
                  {R"({"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 5})", "none"},
                  {R"({"type": "string", "pattern": "^ab?c$", "maxLength": 2})", R"("ac")"},
                  {R"({"type": "string", "pattern": "^ab?c$", "maxLength": 1})", "none"},
                  {R"({"enum": [1, "a"], "not": {"type": "number"}})", R"("a")"},
                  {R"({"type": "null", "not": {"const": null}})", "none"}});
}

TEST(Witness, Arrays) {
  expect_members({{R"({"type": "array"})", "[]"},
                  {R"({"type": "array", "minItems": 2, "items": {"const": 7}})", "[7,7]"},
                  {R"({"type": "array", "minItems": 2, "prefixItems": [true, false]})", "none"},
                  {R"({"type": "array", "items": {"enum": [0, "a"]}, "contains": {"type": "string"}})", R"(["a"])"},
                  {R"({"type": "array", "items": {"type": "null"}, "contains": {"type": "string"}})", "none"},
                  {R"({"type": "array", "maxItems": 1, "contains": {"const": 1}, "minContains": 2})", "none"},
                  {R"({"type": "array", "items": {"enum": [1, 2]}, "minItems": 3, "uniqueItems": true})", "none"}});
}

TEST(Witness, Objects) {
  expect_members({{R"({"type": "object"})", "{}"},
                  {R"({"type": "object", "required": ["a"], "additionalProperties": {"const": 1}})", R"({"a":1})"},
                  {R"({"type": "object", "required": ["a"], "properties": {"a": false}})", "none"},
                  {R"({"type": "object", "required": ["a"], "propertyNames": {"maxLength": 0}})", "none"},
                  {R"({"type": "object", "minProperties": 2, "propertyNames": {"const": "a"}})", "none"},
                  {R"({"type": "object", "required": ["a"], "properties": {"a": {"enum": [1, "x"]}},
                       "not": {"properties": {"a": {"type": "number"}}}})",
                   R"({"a":"x"})"}});
}

// Bounds of a length are those of the part of a pattern that repeats a character.
TEST(Witness, LengthsBesidePatterns) {
  const std::string many(1'200, 'a');
  expect_members({{R"({"type": "string", "pattern": "^a+$", "minLength": 1200})", ('"' + many + '"').c_str()},
                  {R"({"type": "string", "pattern": "^Xa*!$", "minLength": 1202})", ("\"X" + many + "!\"").c_str()},
                  {R"({"type": "string", "pattern": "^Xa{1200}!$", "minLength": 1202, "maxLength": 1202})",
                   ("\"X" + many + "!\"").c_str()},
                  {R"({"type": "string", "pattern": "^a{0,1199}$", "minLength": 1200})", "none"},
                  {R"({"type": "string", "pattern": "^Xa{1201,}$", "minLength": 1101, "maxLength": 1201})", "none"},
                  {R"({"type": "string", "pattern": "^é+$", "minLength": 1200, "maxLength": 1199})", "none"}});
}

// A witness looks names up in the order of their ids, but formulas may mention them in another order.
TEST(Witness, NamesInAnyOrder) {
  expect_members({{R"({"type": "object", "required": ["a", "c"], "properties": {"c": {"const": 1}},
                       "additionalProperties": {"const": 2}})",
                   R"({"c":1,"a":2})"},
                  {R"({"type": "object", "required": ["c"], "dependentSchemas": {"a": false, "c": false}})", "none"},
                  {R"({"type": "object", "required": ["a"], "dependentRequired": {"c": ["c"]},
                       "dependentSchemas": {"a": false}})",
                   "none"}});
}

// The smallest member of a recursive set contains no other member of that set.
TEST(Witness, Recursion) {
  expect_members({{R"({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}})", "none"},
                  {R"({"type": "array", "minItems": 1, "items": {"anyOf": [{"$ref": "#"}, {"const": 0}]}})", "[0]"},
                  {R"({"$defs": {"x": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/y"}},
                      "y": {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#/$defs/x"}}}},
            "$ref": "#/$defs/x"})",
                   "none"}});
}

// A length beside a repeated text of a fixed length bounds the rounds.
TEST(Witness, LengthsOfRepeatedTexts) {
  const auto rounds = [](int count) {
    std::string text = "\"x";
    for (int i = 0; i < count; ++i) text += "ab\u00e9";
    return text + "\"";
  };
  const auto schema = [](int min, int max) {
    return R"({"type": "string", "pattern": "^x(ab\u00e9)+$", "minLength": )" + std::to_string(min) +
           R"(, "maxLength": )" + std::to_string(max) + "}";
  };
  expect_members({{schema(2000, 2001).c_str(), "none"},
                  {schema(2000, 2002).c_str(), rounds(667).c_str()},
                  {schema(2002, 9000).c_str(), rounds(667).c_str()},
                  {schema(2003, 9000).c_str(), rounds(668).c_str()}});
}

// The number of useful items is bounded and the available values are counted, so the search ends without meeting a
// limit.
TEST(Witness, ValuesThatMustDifferAndAreTooFew) {
  std::string fifty;
  for (int i = 0; i < 50; ++i) fifty += (i == 0 ? "" : ", ") + std::to_string(i);
  const std::string too_few = R"({"type": "array", "uniqueItems": true, "contains": {"enum": [)" + fifty +
                              R"(]}, "minContains": 51, "items": {"not": {"const": "x"}}})";
  expect_members({{R"({"type": "array", "uniqueItems": true, "minItems": 100001,
                       "items": {"type": "integer", "minimum": 1, "maximum": 100000}})",
                   "none"},
                  {R"({"type": "array", "uniqueItems": true, "minItems": 304,
                       "items": {"type": ["integer", "boolean"], "minimum": -150, "maximum": 150}})",
                   "none"},
                  {R"({"type": "array", "uniqueItems": true, "contains": {"const": 1}})", "[1]"},
                  {R"({"type": "array", "uniqueItems": true, "contains": {"const": 1}, "minContains": 2})", "none"},
                  {R"({"type": "array", "uniqueItems": true, "contains": {"const": 1}, "prefixItems": [{"const": 1}],
                       "allOf": [{"items": {"not": {"const": 1}}}], "minContains": 2})",
                   "none"},
                  {R"({"type": "array", "uniqueItems": true, "contains": {"enum": [1, 2]}, "minContains": 2,
                       "items": {"not": {"const": 2}}})",
                   "none"},
                  {R"({"type": "array", "not": {"uniqueItems": true}, "maxItems": 1})", "none"},
                  {R"({"type": "array", "not": {"uniqueItems": true}, "prefixItems": [{"const": 1}, {"const": 2}],
                       "maxItems": 3, "items": {"const": 2}})",
                   "[1,2,2]"},
                  {too_few.c_str(), "none"}});
}

// Values for many items are not searched for one by one, but counted. The text has them all.
TEST(Witness, ManyValuesThatMustDiffer) {
  const char* schemas[] = {
      R"({"type": "array", "uniqueItems": true, "minItems": 300})",
      R"({"type": "array", "uniqueItems": true, "minItems": 300, "items": {"type": "integer", "minimum": 90}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 2000, "items": {"type": "string"}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 300, "items": {"type": "integer"},
          "prefixItems": [{"const": 5}, {"type": "integer"}, {"const": 7}]})",
      R"({"type": "array", "uniqueItems": true, "minItems": 300, "items": {"type": "integer"}, "not": {"const": [0]}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 700, "contains": {"type": "integer"}, "minContains": 250,
          "maxContains": 250})",
      R"({"type": "array", "uniqueItems": true, "contains": {"type": "integer"}, "minContains": 250, "items":
          {"type": ["integer", "string"]}, "allOf": [{"contains": {"type": "string"}, "minContains": 250}]})",
      R"({"type": "array", "uniqueItems": true, "minItems": 300, "items": {"type": "integer", "minimum": 1,
          "maximum": 300}})",
  };
  for (const char* schema : schemas) {
    RulesRig rig(schema);
    const std::string text = rig.member();
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << schema;
    SchemaRegistry registry;
    SchemaStore store(registry, Limits{});
    const Result<SchemaId> root = store.load(schema, {});
    const Result<JsonDocument> value = JsonDocument::parse(text, Limits{});
    ASSERT_TRUE(root && value) << schema << ": " << text;
    EXPECT_TRUE(MiniValidator(store).is_valid(*root, value->root())) << schema << ": " << text;
  }
  expect_members({{R"({"type": "array", "uniqueItems": true, "minItems": 300, "contains": {"type": "integer"},
                       "minContains": 251, "maxContains": 250})",
                   "none"},
                  {R"({"type": "array", "uniqueItems": true, "minItems": 300, "maxItems": 299})", "none"}});
}

// After an item 1, `uniqueItems` excludes a second 1, and `contains` has no other value: there is no array.
TEST(Witness, AUsedValueDoesNotComeAgain) {
  RulesRig rig(R"({"type": "array", "uniqueItems": true, "contains": {"const": 1}})");
  Algebra& algebra = rig.algebra();
  const FormulaId arrays = algebra.shape(rig.root()).arrays;
  const JsonDocument one = JsonDocument::parse("1", Limits{}).value();
  const FormulaId after = rig.witness().derivation().with_value(arrays, algebra.constant(one.root()));
  EXPECT_FALSE(rig.witness().array_exists(after));
  EXPECT_EQ(algebra.limit_hit(), base::Limit::kNone);
}

TEST(Witness, CountsMembers) {
  RulesRig rig(R"({"enum": [1, 1.0, "a", [], {}]})");
  EXPECT_TRUE(rig.witness().has_members(rig.root(), 4));
  EXPECT_FALSE(rig.witness().has_members(rig.root(), 5));
}

// The members of large sets are not listed one by one.
TEST(Witness, CountsManyMembersByArithmetic) {
  constexpr std::uint64_t kMany = 1'000'000'000;
  const std::pair<const char*, std::uint64_t> sets[] = {
      {R"({"type": "string", "pattern": "^[ab]{1,20}$"})", (std::uint64_t{1} << 21U) - 2},
      {R"({"type": "string", "pattern": "^(ab)?(c|dd){0,2}$"})", 14},
      {R"({"type": "string", "pattern": "^a+$"})", kMany},
      {R"({"type": "string", "pattern": "^[0-9]{12}$"})", kMany},
      {R"({"type": "integer"})", kMany},
      {R"({"type": "array", "items": {"type": "integer"}, "maxItems": 1})", kMany},
      {R"({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}})", kMany},
  };
  for (const auto& [schema, count] : sets) {
    RulesRig rig(schema);
    const std::uint64_t before = rig.algebra().total_steps();
    EXPECT_EQ(rig.witness().count_members(rig.root(), kMany), count) << schema;
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << schema;
    EXPECT_LT(rig.algebra().total_steps() - before, 2'000U) << schema;
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema::witness_test
