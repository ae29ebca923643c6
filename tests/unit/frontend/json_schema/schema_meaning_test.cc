// The meaning of keywords, tested on the algebra without rules and texts: is a value in the set of the schema? Only
// cases that the suites in tests/conformance do not cover.
#include "frontend/json_schema/model/schema_meaning.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

struct Example {
  const char* value;
  bool is_member;
};

void expect_members(const char* schema, std::initializer_list<Example> examples) {
  RulesRig rig(schema);
  for (const Example& example : examples) {
    const JsonDocument document = JsonDocument::parse(example.value, Limits{}).value();
    const SetId value = rig.algebra().constant(document.root());
    EXPECT_EQ(rig.witness().has_member(rig.algebra().meet(rig.root(), value)), example.is_member) << schema << "\n"
                                                                                                  << example.value;
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << schema << "\n" << example.value;
  }
}

// A name is a string, so keywords about members, such as `propertyNames` itself, do not apply to it, even if the schema
// of `propertyNames` refers to one with such keywords.
TEST(SchemaMeaning, PropertyNamesThatLeadBack) {
  expect_members(R"({"propertyNames": {"$ref": "#"}, "maxLength": 1})",
                 {{R"("a")", true}, {R"("ab")", false}, {R"({"a": "ab"})", true}, {R"({"ab": 1})", false}});
  expect_members(R"({"$defs": {"name": {"allOf": [{"pattern": "^a"}, {"not": {"$ref": "#/$defs/short"}}]},
                               "short": {"maxLength": 1, "propertyNames": {"$ref": "#/$defs/name"}}},
                     "$ref": "#/$defs/short", "properties": {"ab": {"$ref": "#/$defs/name"}}})",
                 {{R"({"ab": "ac"})", true},
                  {R"({"ab": "a"})", false},
                  {R"({"ba": 1})", false},
                  {R"({"a": 1})", false},
                  {R"({"abc": {"b": 1}})", true},
                  {R"({"ab": {"b": 1}})", true},
                  {R"({"ab": {"bb": 1}})", true},
                  {R"({"ab": {"ab": 1}})", false}});
  // `propertyNames` uses only the strings of the schema. Another reference to the same schema uses all its values.
  expect_members(
      R"({"$defs": {"a": {"type": ["string", "array"], "maxLength": 1, "maxItems": 1}},
                     "propertyNames": {"$ref": "#/$defs/a"}, "additionalProperties": {"$ref": "#/$defs/a"}})",
      {{R"({"a": [1]})", true}, {R"({"a": [1, 2]})", false}, {R"({"a": 1})", false}, {R"({"ab": []})", false}});
}

// Equal schemas that only name types, and schemas that only refer to another one, share a SetId. So facts about one
// are known for all.
TEST(SchemaMeaning, OneSetForWhatIsSaidInManyPlaces) {
  RulesRig rig(R"({"properties": {"a": {"type": "string", "title": "A"}, "b": {"$ref": "#/$defs/s"},
                                  "c": {"$ref": "#/$defs/r", "description": "C"}, "d": {"type": ["string"]},
                                  "e": {"type": "string", "minLength": 1}, "f": {"$ref": "#/$defs/s", "minLength": 1}},
                   "$defs": {"r": {"$ref": "#/$defs/s"}, "s": {"type": "string"}}})");
  Derivation& derivation = rig.witness().derivation();
  const FormulaId objects = rig.algebra().shape(rig.root()).objects;
  std::vector<SetId> values;
  const Derivation::KeyClasses classes = derivation.key_classes(objects);
  for (const KeyClass& key : *classes) {
    values.push_back(derivation.next_member(objects, key).at(0).value);
  }
  ASSERT_EQ(values.size(), 7U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(values[i], values[0]) << i;
  for (std::size_t i = 4; i < 6; ++i) EXPECT_NE(values[i], values[0]) << i;
}

TEST(SchemaMeaning, LongChainsOfReferences) {
  std::string schema = R"({"$ref": "#/$defs/0", "$defs": {"300": {"type": "string"})";
  for (int i = 0; i < 300; ++i) {
    schema += ", \"" + std::to_string(i) + R"(": {"$ref": "#/$defs/)" + std::to_string(i + 1) + "\"}";
  }
  expect_members((schema + "}}").c_str(), {{R"("a")", true}, {"1", false}});
}

}  // namespace
}  // namespace weir::frontend::json_schema
