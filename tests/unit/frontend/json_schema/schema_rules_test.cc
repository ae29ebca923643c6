#include "frontend/json_schema/rules/schema_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "grammar/search_bounds.h"
#include "unit/frontend/json_schema/made_rules.h"
#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

std::size_t ways_to_begin(const std::string& schema) {
  RulesRig rig(schema);
  MadeRules rules(rig);
  rules.make(1);
  return rules.cfg().rules[0].productions.size();
}

// All scalars together are one terminal; arrays and objects have one production each.
TEST(SchemaRules, AValueBeginsAsItsTypesDo) {
  EXPECT_EQ(ways_to_begin("{}"), 3U);
  EXPECT_EQ(ways_to_begin(R"({"type": ["null", "string", "integer"]})"), 1U);
  EXPECT_EQ(ways_to_begin(R"({"type": ["array", "object"]})"), 2U);
}

TEST(SchemaRules, WhatCannotBeFinishedIsNotBegun) {
  EXPECT_EQ(ways_to_begin(R"({"type": ["null", "array"], "minItems": 1, "items": false})"), 1U);
  EXPECT_EQ(ways_to_begin(R"({"type": ["null", "object"], "required": ["a"], "properties": {"a": {"$ref": "#"}},
                              "not": {"type": "null"}})"),
            0U);
}

std::string short_text(RulesRig& rig, std::uint32_t handle) {
  return rig.rules().short_text(handle, grammar::kKeptTextBytes).value().text();
}

TEST(SchemaRules, ShortTextsAreMembers) {
  RulesRig rig(R"({"type": "object", "required": ["b"], "properties": {"b": {"type": "array", "minItems": 2,
                   "uniqueItems": true, "items": {"type": "integer"}}}})");
  EXPECT_EQ(short_text(rig, SchemaRules::kRoot), R"({"b":[0,1]})");
}

// The plans of two sets with one formula are searched inside each other. A plan that the inner search found must be
// kept, or the plans would refer to each other in a cycle.
TEST(SchemaRules, ShortTextsOfRecursiveSchemasEnd) {
  RulesRig rig(R"({"$defs": {"leaf": {"type": "object", "required": ["name"]},
    "node": {"type": "object", "required": ["children"], "properties": {"children": {"type": "array", "minItems": 1,
             "items": {"anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/leaf"}]}}}}},
    "required": ["top"], "properties": {"top": {"items": {"anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/leaf"}]}}}})");
  MadeRules rules(rig);
  constexpr std::size_t kRules = 60;
  for (std::size_t i = 1; i <= kRules; ++i) {
    rules.make(i);
    for (const grammar::CfgRule& rule : rules.cfg().rules) EXPECT_LT(short_text(rig, rule.lazy.handle).size(), 100U);
  }
  EXPECT_GT(rules.count(), 20U);
}

// Short texts are requested repeatedly while a grammar grows. The second request costs nothing.
TEST(SchemaRules, ShortTextsAreKept) {
  RulesRig rig(
      R"({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^x{9}$"}}})");
  const std::string text = short_text(rig, SchemaRules::kRoot);
  const std::size_t bytes = rig.rules().memory_bytes();
  const std::uint64_t steps = rig.algebra().total_steps();
  const std::size_t nodes = rig.exprs().node_count();
  EXPECT_EQ(short_text(rig, SchemaRules::kRoot), text);
  EXPECT_EQ(rig.rules().memory_bytes(), bytes);
  EXPECT_EQ(rig.algebra().total_steps(), steps);
  EXPECT_EQ(rig.exprs().node_count(), nodes);
}

// Which of many `contains` hold for an item is decided after the item, not by a rule for each combination.
TEST(SchemaRules, ManyContainsAreNoCombinations) {
  std::string schema = R"({"type": "array", "allOf": [)";
  for (int i = 0; i < 20; ++i) {
    schema += (i == 0 ? "" : ",") + (R"({"contains": {"type": "string", "pattern": "a)" + std::to_string(i)) + R"("}})";
  }
  RulesRig rig(schema + "]}");
  MadeRules rules(rig);
  rules.make(8);
  std::size_t most = 0;
  for (const auto& rule : rules.cfg().rules) most = std::max(most, rule.productions.size());
  EXPECT_LE(most, 3U);
  EXPECT_LE(rig.algebra().total_steps(), 500'000U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
