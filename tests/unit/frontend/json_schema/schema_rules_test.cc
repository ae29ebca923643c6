#include "frontend/json_schema/rules/schema_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "grammar/search_bounds.h"
#include "rounds.h"
#include "unit/frontend/json_schema/made_rules.h"
#include "unit/frontend/json_schema/mini_validator.h"
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

// Makes random combinations of few schemas about numbers, so that one often stands in several places of a combination.
class NumberSchemas {
 public:
  std::string next() {
    for (std::string& part : parts_) part = kParts[below(kParts.size())];
    return combination(2);
  }

 private:
  static constexpr std::array kParts = {
      R"({"type": "integer"})",
      R"({"type": "number"})",
      R"({"type": ["integer", "string"]})",
      R"({"type": ["number", "null"]})",
      R"({"type": "integer", "minimum": 1})",
      R"({"type": "number", "exclusiveMaximum": 1.5})",
      R"({"minimum": -1, "maximum": 2})",
      R"({"multipleOf": 0.5})",
      R"({"type": "integer", "multipleOf": 2})",
      R"({"enum": [1.5, 2]})",
      R"({"const": 3})",
      R"({"not": {"type": "integer"}})",
      R"({"not": {"multipleOf": 0.5}})",
      R"({"type": "string"})",
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  std::string combination(int depth) {
    if (depth == 0 || below(3) == 0) return parts_[below(parts_.size())];
    static constexpr std::array kKeywords = {"anyOf", "anyOf", "oneOf", "allOf"};
    std::string text = std::string("{\"") + kKeywords[below(kKeywords.size())] + "\": [" + combination(depth - 1);
    for (std::size_t more = 1 + below(4); more > 0; --more) text += ", " + combination(depth - 1);
    return text + "]}";
  }

  std::mt19937 random_{20261201};
  std::array<std::string, 3> parts_;
};

// Each value of a schema has its plain text, digits alone for an integer, in both profiles.
TEST(SchemaRules, NumbersOfCombinationsHaveTheirPlainTexts) {
  std::vector<std::string> texts = {"null", "true", R"("a")", "0.1", "-0.1", "2.05", "10", "12", "-100"};
  for (int i = -3; i <= 4; ++i) texts.push_back(std::to_string(i));
  for (const char* text : {"-2.5", "-1.25", "-0.5", "0.25", "0.5", "1.5", "1.75", "2.5"}) texts.emplace_back(text);
  NumberSchemas schemas;
  std::size_t valid = 0;
  const int rounds = tests::rounds(1'500);
  for (int round = 0; round < rounds; ++round) {
    const std::string schema = schemas.next();
    SchemaRegistry registry;
    SchemaStore store(registry, Limits{});
    const SchemaId root = store.load(schema, {}).value();
    MiniValidator validator(store);
    for (const char* profile : {"exact", "serving"}) {
      RulesRig rig(schema, *schema_profile(profile));
      std::string name;
      const regex::ExprId written = scalar_texts(rig.algebra(), rig.algebra().shape(rig.root()), name);
      for (const std::string& text : texts) {
        const JsonDocument value = JsonDocument::parse(text, Limits{}).value();
        const bool is_valid = validator.is_valid(root, value.root());
        EXPECT_EQ(rig.exprs().matches(written, text), is_valid) << profile << ": " << schema << "\n" << text;
        valid += is_valid ? 1 : 0;
      }
      EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << schema;
    }
  }
  EXPECT_GT(valid, texts.size() * static_cast<std::size_t>(rounds) / 4);
}

}  // namespace
}  // namespace weir::frontend::json_schema
