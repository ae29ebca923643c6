#include "frontend/json_schema/model/key_probe.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

// Returns the listed names that an object of the schema may begin with, each followed by a space.
std::string first_names(std::string_view schema) {
  RulesRig rig(schema);
  const FormulaId objects = rig.algebra().shape(rig.root()).objects;
  KeyProbe probe(rig.algebra(), rig.witness(), objects);
  const Derivation::KeyClasses classes = rig.witness().derivation().key_classes(objects);
  std::string names;
  for (const KeyClass& key : *classes) {
    if (key.name.has_value() && probe.may_begin_with(key)) names += rig.algebra().name(*key.name) + " ";
  }
  return names;
}

TEST(KeyProbe, ExcludedConstantsExcludeNoName) {
  for (const char* values : {R"({"a": 1}, {"b": 1})", R"({"b": 1}, {"a": 1})", R"({"b": 1, "a": 1}, {"a": 1})",
                             R"({"b": 1}, {"a": 1}, {})", R"({"b": 1}, {"b": 1, "a": 1}, {"a": 2})"}) {
    const std::string names = first_names(R"({"not": {"enum": [)" + std::string(values) + "]}}");
    EXPECT_NE(names.find("a "), std::string::npos) << values;
    EXPECT_NE(names.find("b "), std::string::npos) << values;
  }
}

TEST(KeyProbe, NamesThatNoObjectCanHaveAreExcluded) {
  EXPECT_EQ(first_names(R"({"properties": {"a": {}, "b": false}, "additionalProperties": false})"), "a ");
  EXPECT_EQ(first_names(R"({"properties": {"a": {}, "b": {}}, "required": ["a"], "maxProperties": 1})"), "a ");
  EXPECT_EQ(first_names(R"({"not": {"enum": [{"a": 1}, {"b": 1}]}, "properties": {"b": {"const": 1}},
                            "additionalProperties": false, "required": ["b"]})"),
            "");
}

}  // namespace
}  // namespace weir::frontend::json_schema
