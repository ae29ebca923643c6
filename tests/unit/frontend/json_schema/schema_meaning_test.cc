// What keywords mean, asked of the algebra without rules or texts in between: is this value in the schema's set? Alone what
// the suites in tests/conformance do not say.
#include "frontend/json_schema/schema_meaning.h"

#include <gtest/gtest.h>

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

// A name is a string, so `propertyNames` says nothing of names' names, wherever it leads.
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
  // A reference elsewhere to what is asked for its strings alone is about all of it.
  expect_members(
      R"({"$defs": {"a": {"type": ["string", "array"], "maxLength": 1, "maxItems": 1}},
                     "propertyNames": {"$ref": "#/$defs/a"}, "additionalProperties": {"$ref": "#/$defs/a"}})",
      {{R"({"a": [1]})", true}, {R"({"a": [1, 2]})", false}, {R"({"a": 1})", false}, {R"({"ab": []})", false}});
}

}  // namespace
}  // namespace weir::frontend::json_schema
