#include "frontend/json_schema/model/key_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work.h"
#include "frontend/json_schema/model/object_search.h"
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

// Returns members `a0`, `a1`, ... as a schema, with `constraint` about them.
std::string listed(int n, const std::string& constraint) {
  std::string names;
  for (int i = 0; i < n; ++i) names += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + R"(": {"type": "integer"})";
  return R"({"type": "object", "properties": {)" + names + "}, " + constraint + "}";
}

std::string requiring(int n, const std::function<int(int)>& required) {
  std::string all;
  for (int i = 0; i < n; ++i) {
    all += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + R"(": ["a)" + std::to_string(required(i)) + "\"]";
  }
  return R"("dependentRequired": {)" + all + "}";
}

JsonSchemaOptions in_declared_order() {
  JsonSchemaOptions options;
  options.order = JsonSchemaOptions::Order::kDeclared;
  return options;
}

// Names that require others: in an order, one pass answers for all of them.
TEST(KeyProbe, NamesInAnOrderAreAskedTogether) {
  const std::vector<std::pair<const char*, std::function<std::string(int)>>> families{
      {"the next one", [](int n) { return requiring(n, [n](int i) { return std::min(i + 1, n - 1); }); }},
      {"the last one", [](int n) { return requiring(n, [n](int) { return n - 1; }); }},
      {"each other", [](int n) { return requiring(n, [n](int i) { return n - 1 - i; }); }},
  };
  for (const auto& [name, constraint] : families) {
    SCOPED_TRACE(name);
    std::vector<std::uint64_t> work;
    for (const int n : {100, 400}) {
      RulesRig rig(listed(n, constraint(n)), in_declared_order());
      const FormulaId objects = rig.witness().in_declared_order(rig.algebra().shape(rig.root()).objects);
      std::size_t allowed = 0;
      {
        const base::Work::Call call(UINT64_MAX);
        KeyProbe probe(rig.algebra(), rig.witness(), objects);
        const Derivation::KeyClasses classes = rig.witness().derivation().key_classes(objects);
        for (const KeyClass& key : *classes) allowed += key.name.has_value() && probe.may_begin_with(key) ? 1U : 0U;
      }
      work.push_back(base::Work::last_call());
      const bool is_mutual = std::string_view(name) == "each other";
      EXPECT_EQ(allowed, static_cast<std::size_t>(is_mutual ? n / 2 : n));
    }
    EXPECT_LE(work[1], 8 * work[0]);
    EXPECT_LE(work[0], 150'000U);
  }
}

// The pass says of each name what a search says.
TEST(KeyProbe, OnePassAnswersAsSearchesDo) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 100; ++round) {
    constexpr int kNames = 7;
    std::string all;
    for (int i = 0; i < 6; ++i) {
      const auto some = [&] { return "\"a" + std::to_string(below(kNames)) + '"'; };
      const std::string needs = R"({"required": [)" + some() + "]}";
      const std::string part = below(3) == 0   ? R"({"anyOf": [)" + needs + R"(, {"required": [)" + some() + "]}]}"
                               : below(3) == 0 ? R"({"not": {"required": [)" + some() + ", " + some() + "]}}"
                               : below(4) == 0 ? R"({"properties": {)" + some() + ": false}}"
                                               : R"({"if": {"required": [)" + some() + R"(]}, "then": )" + needs + "}";
      all += (i == 0 ? "" : ", ") + part;
    }
    const std::string schema =
        listed(kNames, R"("allOf": [)" + all + "]" + (below(2) == 0 ? R"(, "maxProperties": 3)" : ""));
    RulesRig rig(schema, in_declared_order());
    const FormulaId objects = rig.witness().in_declared_order(rig.algebra().shape(rig.root()).objects);
    const auto order = rig.witness().object_atoms(objects).order;
    if (!order.has_value()) continue;
    const std::vector<NameId> names = rig.algebra().names_of(*order);
    ObjectSearch search(rig.algebra(), rig.witness());
    const std::vector<ObjectSearch::Answer> answers = search.first_names(objects, names);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (answers[i] == ObjectSearch::Answer::kUnknown) continue;
      const FormulaId with_name =
          rig.algebra().meet({objects, rig.algebra().has(names[i]), rig.algebra().in_order(*order, i)});
      EXPECT_EQ(answers[i] == ObjectSearch::Answer::kYes, rig.witness().object_exists(with_name))
          << schema << ": " << rig.algebra().name(names[i]);
    }
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
