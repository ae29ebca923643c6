// The cost of schemas as they grow, in steps and in the sets, formulas and expressions that are made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/model/key_probe.h"
#include "grammar/growth.h"
#include "grammar/search_bounds.h"
#include "unit/frontend/json_schema/made_rules.h"
#include "unit/frontend/json_schema/rules_rig.h"

namespace weir::frontend::json_schema {
namespace {

std::string joined(int n, const std::function<std::string(const std::string&)>& part) {
  std::string all;
  for (int i = 0; i < n; ++i) all += (i == 0 ? "" : ",") + part(std::to_string(i));
  return all;
}

struct Family {
  const char* name;
  std::function<std::string(int)> schema;
};

// Returns a function that makes a schema of n parts. In `part`, "#" stands for the number of the part.
std::function<std::string(int)> of_parts(const std::string& before, const std::string& part, const std::string& after) {
  return [=](int n) {
    return before +
           joined(n,
                  [&](const std::string& number) {
                    std::string text;
                    for (const char c : part) text += c == '#' ? number : std::string(1, c);
                    return text;
                  }) +
           after;
  };
}

std::vector<Family> families() {
  return {
      {"optional names", of_parts(R"({"type": "object", "additionalProperties": false, "properties": {)",
                                  R"("p#": {"type": "string"})", "}}")},
      {"required names",
       [](int n) {
         const auto names = joined(n, [](const std::string& i) { return "\"p" + i + "\""; });
         return R"({"type": "object", "properties": {)" +
                joined(n, [](const std::string& i) { return "\"p" + i + R"(": {"type": "string"})"; }) +
                R"(}, "required": [)" + names + "]}";
       }},
      {"names that ask for others",
       of_parts(R"({"type": "object", "dependentRequired": {)", R"("p#": ["q#", "r"])", "}}")},
      {"alternatives that require a name",
       of_parts(R"({"type": "object", "anyOf": [)",
                R"({"properties": {"kind": {"const": "k#"}, "x#": {"type": "string"}}, "required": ["kind", "x#"]})",
                "]}")},
      {"conditions on one name",
       of_parts(
           R"({"type": "object", "allOf": [)",
           R"({"if": {"properties": {"kind": {"const": "k#"}}, "required": ["kind"]}, "then": {"required": ["x#"]}})",
           "]}")},
      {"choices between types", of_parts(R"({"type": "object", "allOf": [)",
                                         R"({"oneOf": [{"properties": {"a#": {"type": "string"}}, "required": ["a#"]},
                              {"properties": {"a#": {"type": "integer"}}, "required": ["a#"]}]})",
                                         "]}")},
      {"exactly one by its tag",
       of_parts(R"({"type": "object", "oneOf": [)",
                R"({"properties": {"kind": {"enum": ["k#", "l#"]}, "x#": {"type": "string"}}, "required": ["kind"]})",
                "]}")},
      {"exactly one by its tag, or values of any type",
       of_parts(R"({"oneOf": [)",
                R"({"properties": {"kind": {"const": "k#"}, "x": {"type": "string"}}, "required": ["kind"]})", "]}")},
      {"references to each other",
       [](int n) {
         std::string schema = R"({"$ref": "#/$defs/d0", "$defs": {"d)" + std::to_string(n) + R"(": {"type": "object"})";
         for (int i = 0; i < n; ++i) {
           const auto ref = [&](int to) { return R"({"$ref": "#/$defs/d)" + std::to_string(std::min(to, n)) + "\"}"; };
           schema += ", \"d" + std::to_string(i) + R"(": {"allOf": [)" + ref(i + 1) + ", " + ref(i + 2) +
                     R"(, {"properties": {"p)" + std::to_string(i) + R"(": {"type": "string"}}}]})";
         }
         return schema + "}}";
       }},
      {"references to all the others",
       [](int n) {
         const auto refs =
             joined(n, [](const std::string& i) { return "\"p" + i + R"(": {"$ref": "#/$defs/d)" + i + "\"}"; });
         return R"({"$ref": "#/$defs/d0", "$defs": {)" +
                joined(n,
                       [&](const std::string& i) {
                         return "\"d" + i + R"(": {"type": "object", "required": ["k)" + i + R"("], "properties": {)" +
                                refs + "}}";
                       }) +
                "}}";
       }},
      {"two alternatives that refer to one definition, one after the other",
       [](int n) {
         std::string schema = R"({"$ref": "#/$defs/d0", "$defs": {"d)" + std::to_string(n) + R"(": {"type": "object"})";
         for (int i = 0; i < n; ++i) {
           const auto way = [&](char name) {
             return R"({"allOf": [{"$ref": "#/$defs/d)" + std::to_string(i + 1) + R"("}, {"required": [")" + name +
                    std::to_string(i) + "\"]}]}";
           };
           schema += ", \"d" + std::to_string(i) + R"(": {"anyOf": [)" + way('x') + ", " + way('y') + "]}";
         }
         return schema + "}}";
       }},
      {"alternatives in alternatives",
       [](int n) {
         std::string schema = R"({"type": "string"})";
         for (int i = 0; i < n; ++i) {
           schema = R"({"anyOf": [{"type": "object", "properties": {"next": )" + schema +
                    R"(}, "required": ["next"]}, {"type": "array", "items": {"const": )" + std::to_string(i) + "}}]}";
         }
         return schema;
       }},
  };
}

// Finding a value and making the first rules take less than quadratic time in the size of the schema.
TEST(Cost, GrowsWithTheSchema) {
  constexpr std::size_t kRules = 12;
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    std::uint64_t before = 0;
    for (const int n : {30, 60, 120}) {
      RulesRig rig(family.schema(n));
      ASSERT_TRUE(rig.witness().has_member(rig.root()));
      MadeRules rules(rig);
      rules.make(kRules);
      ASSERT_EQ(rules.count(), kRules);
      const std::uint64_t work = rules.work();
      const std::uint64_t most = before == 0 ? work : before * 7 / 2;  // for twice as many parts
      EXPECT_LE(work, most) << n << " parts";
      before = work;
    }
  }
}

// All names are examined once, not again after each name.
TEST(Cost, RulesAfterKeysAreMadeInLinearSteps) {
  constexpr int kNames = 500;
  RulesRig rig(of_parts(R"({"type": "object", "additionalProperties": false, "properties": {)",
                        R"("p#": {"type": "string", "minLength": #})", "}}")(kNames));
  MadeRules rules(rig);
  rules.make(3 + kNames);  // the value, the object, a member, and what follows each key
  EXPECT_EQ(rules.count(), 3U + kNames);
  EXPECT_LE(rig.algebra().total_steps(), 100U * kNames);
}

// Deciding that a key exists makes no expression for its text.
TEST(Cost, PlansMakeNoTexts) {
  RulesRig rig(families()[1].schema(100));
  const std::size_t nodes = rig.exprs().node_count();
  ASSERT_TRUE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.exprs().node_count() - nodes, 300U);  // the names themselves
}

// Operands of `oneOf` are compared where their tags are equal, also for each name that only one of them has.
TEST(Cost, TagsTellOperandsApart) {
  RulesRig rig(of_parts(R"({"type": "object", "oneOf": [)",
                        R"({"properties": {"kind": {"const": "k#"}, "x#": {"type": "string"}}, "required": ["kind"],
                            "additionalProperties": false})",
                        "]}")(100));
  MadeRules rules(rig);
  rules.make(12);
  EXPECT_EQ(rules.count(), 12U);
  EXPECT_LE(rig.algebra().total_steps(), 200'000U);
}

// Operands that differ by their tags are compared once, not again for each name that may come in one of them.
TEST(Cost, OperandsThatDifferAreComparedOnce) {
  RulesRig rig(of_parts(R"({"anyOf": [{"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"],
                            "additionalProperties": false}, {"type": "object", "oneOf": [)",
                        R"({"properties": {"kind": {"const": "k#"}, "x#": {"type": "string"}}, "required": ["kind"],
                            "additionalProperties": false})",
                        "]}]}")(160));
  MadeRules rules(rig);
  rules.make(6);
  EXPECT_EQ(rules.count(), 6U);
  EXPECT_LE(rig.algebra().total_steps(), 120'000U);
}

// One of many names must occur and no other: pairs of names are compared once, not again for each possible key.
TEST(Cost, ExactlyOneNameOfMany) {
  RulesRig rig(of_parts(R"({"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [)",
                        R"({"required": ["x#"]})", "]}")(80));
  MadeRules rules(rig);
  rules.make(6);
  EXPECT_EQ(rules.count(), 6U);
  EXPECT_LE(rig.algebra().total_steps(), 1'000'000U);
}

// The consequences of a decision are explored before the next disjunction is decided. Otherwise a contradiction deep
// below one disjunction would be found only after decisions about all others, which would be undone without result.
TEST(Cost, ExactlyOneOfAllInExactlyOneOfAll) {
  int leaves = 0;
  const std::function<std::string(int)> nest = [&](int depth) -> std::string {
    if (depth == 0) return R"({"required": ["x)" + std::to_string(leaves++) + "\"]}";
    const auto part = [&](const std::string&) { return nest(depth - 1); };
    return std::string(depth % 2 == 0 ? R"({"oneOf": [)" : R"({"allOf": [)") + joined(3, part) + "]}";
  };
  RulesRig rig(R"({"type": "object", "allOf": [)" + nest(6) + "]}");
  const FormulaId f = rig.algebra().shape(rig.root()).objects;
  const KeyClass key{rig.algebra().name("x0"), regex::ExprId::kNothing, {}};
  for (const Choice& choice : rig.witness().derivation().next_member(f, key)) {
    rig.algebra().reset_steps();
    EXPECT_TRUE(rig.witness().object_exists(choice.rest));
  }
  EXPECT_LE(rig.algebra().total_steps(), 200'000U);
}

// After the tag, each condition is decided once for each value, not once for each combination of earlier decisions.
TEST(Cost, ConditionsOnATagWithListedValues) {
  constexpr int kValues = 100;
  const std::string values = joined(kValues, [](const std::string& i) { return "\"k" + i + "\""; });
  RulesRig rig(of_parts(
      R"({"type": "object", "required": ["kind"], "properties": {"kind": {"enum": [)" + values + R"(]}}, "allOf": [)",
      R"({"if": {"properties": {"kind": {"const": "k#"}}}, "then": {"required": ["x#"]}})", "]}")(kValues));
  const FormulaId f = rig.algebra().shape(rig.root()).objects;
  rig.algebra().reset_steps();
  const std::uint64_t before = rig.algebra().total_steps();
  const KeyClass kind{rig.algebra().name("kind"), regex::ExprId::kNothing, {}};
  EXPECT_EQ(rig.witness().derivation().next_member(f, kind).size(), static_cast<std::size_t>(kValues));
  EXPECT_LE(rig.algebra().total_steps() - before, 200'000U);
}

// Returns the steps that it takes to find what may follow a first member with this name.
std::uint64_t steps_after_key(const std::string& schema, std::string_view name) {
  RulesRig rig(schema);
  const FormulaId f = rig.algebra().shape(rig.root()).objects;
  rig.algebra().reset_steps();
  const std::uint64_t before = rig.algebra().total_steps();
  KeyProbe probe(rig.algebra(), rig.witness(), f);
  const Derivation::KeyClasses classes = rig.witness().derivation().key_classes(f);
  const auto key = std::ranges::find_if(
      *classes, [&](const KeyClass& one) { return one.name.has_value() && rig.algebra().name(*one.name) == name; });
  EXPECT_NE(key, classes->end());
  EXPECT_FALSE(probe.choices(*key).empty());
  EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
  return rig.algebra().total_steps() - before;
}

// Closed alternatives with a name of their own each: after a name only its alternative is looked at, not all of them.
TEST(Cost, ClosedAlternativesByTheirNames) {
  for (const char* keyword : {"anyOf", "oneOf"}) {
    RulesRig rig(of_parts(std::string(R"({"type": "object", ")") + keyword + R"(": [)",
                          R"({"properties": {"p#": {"type": "integer", "minimum": #}}, "required": ["p#"],
                              "additionalProperties": false})",
                          "]}")(100));
    const FormulaId f = rig.algebra().shape(rig.root()).objects;
    KeyProbe probe(rig.algebra(), rig.witness(), f);
    const Derivation::KeyClasses classes = rig.witness().derivation().key_classes(f);
    for (const KeyClass& key : *classes) EXPECT_EQ(probe.may_begin_with(key), key.name.has_value());
    const std::uint64_t before = rig.algebra().total_steps();
    for (const KeyClass& key : *classes) {
      EXPECT_EQ(probe.choices(key).size(), key.name.has_value() ? 1U : 0U);
    }
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
    EXPECT_LE(rig.algebra().total_steps() - before, 5'000U) << keyword;
  }
}

// The text after each of n required names is that of the others, which is not searched for again after each name.
TEST(Cost, ShortTextsAfterRequiredNames) {
  constexpr int kNames = 100;
  const auto names = joined(kNames, [](const std::string& i) { return "\"p" + i + "\""; });
  RulesRig rig(R"({"type": "object", "properties": {"p7": {"type": "string"}, "o": {"enum": ["abc"]}}, "required": [)" +
               names + "]}");
  MadeRules rules(rig);
  rules.make(3);  // the value, the object, its first member: then the rules after each key are known
  const std::uint64_t before = rig.algebra().total_steps();
  std::vector<std::pair<std::uint32_t, std::string>> texts;
  for (const grammar::CfgRule& rule : rules.cfg().rules) {
    const auto text = rig.rules().short_text(rule.lazy.handle, grammar::kKeptTextBytes);
    ASSERT_TRUE(text.has_value() && text->is_whole());
    texts.emplace_back(rule.lazy.handle, text->text());
  }
  EXPECT_GE(texts.size(), static_cast<std::size_t>(kNames));
  EXPECT_LE(rig.algebra().total_steps() - before, 10'000U);
  for (std::size_t i = 0; i < texts.size(); i += 7) {  // as if it were searched for
    EXPECT_EQ(texts[i].second, rig.rules().short_text(texts[i].first, 1'000'000)->text());
  }
}

// Alternatives that a later member distinguishes, within another alternative: they are kept together until it comes.
TEST(Cost, NestedAlternativesThatALaterMemberTellsApart) {
  constexpr int kAlternatives = 24;
  const std::string kinds = joined(kAlternatives, [](const std::string& i) { return "\"k" + i + "\""; });
  const std::string schema =
      of_parts(R"({"required": ["kind"], "oneOf": [{"properties": {"kind": {"not": {"enum": [)" + kinds +
                   R"(]}}}}, {"oneOf": [)",
               R"({"properties": {"kind": {"const": "k#"}, "name": {"type": "string"}, "x#": {"type": "integer"}}})",
               "]}]}")(kAlternatives);
  EXPECT_LE(steps_after_key(schema, "name"), 100'000U);
  EXPECT_LE(steps_after_key(schema, "x7"), 100'000U);
}

// Conditions on a member that is not required: where one of them must not hold, the member is there.
TEST(Cost, ConditionsOnAMemberThatMayLack) {
  const std::string schema = of_parts(
      R"({"properties": {"kind": {"type": "string"}}, "allOf": [)",
      R"({"if": {"properties": {"kind": {"const": "k#"}}}, "then": {"properties": {"x#": {"type": "string"}}}})",
      R"(, {"if": {"properties": {"kind": {"const": "a"}}}, "then": {"properties": {"a": {"const": 1}}}}]})")(40);
  EXPECT_LE(steps_after_key(schema, "a"), 100'000U);
}

// Conditions on a constant, before and after the member that they are about: which of its values are left is told from the
// constants one by one, not from an expression of all that are excluded so far.
TEST(Cost, ManyConditionsOnConstants) {
  const std::string schema = of_parts(
      R"({"required": ["kind", "a"], "properties": {"kind": {"type": "string"}, "a": {"type": "object"}}, "allOf": [)",
      R"({"if": {"properties": {"kind": {"const": "k#"}}}, "then": {"properties": {"a": {"required": ["x#"]}}}})",
      "]}")(200);
  EXPECT_LE(steps_after_key(schema, "kind"), 200'000U);
  EXPECT_LE(steps_after_key(schema, "a"), 200'000U);
}

// An alternative that holds says which names are evaluated.
TEST(Cost, UnevaluatedPropertiesOfManyAlternatives) {
  const std::string schema = of_parts(
      R"({"unevaluatedProperties": false, "oneOf": [)",
      R"({"properties": {"kind": {"const": "k#"}, "x#": {}, "y#": {}, "z#": {}}, "required": ["kind"]})", "]}")(60);
  EXPECT_LE(steps_after_key(schema, "x7"), 100'000U);
  EXPECT_LE(steps_after_key(schema, "kind"), 100'000U);
}

// Alternatives that refer to one definition, in arrays.
TEST(Cost, ArraysThatReferToOneDefinition) {
  std::string schema = R"({"$ref": "#/$defs/d0", "$defs": {"d30": {"type": "array"})";
  for (int i = 0; i < 30; ++i) {
    const std::string next = R"({"allOf": [{"$ref": "#/$defs/d)" + std::to_string(i + 1) + "\"}, ";
    schema += ", \"d" + std::to_string(i) + R"(": {"anyOf": [)" + next + R"({"minItems": )" + std::to_string(i + 1) +
              "}]}, " + next + R"({"contains": {"const": )" + std::to_string(i) + "}}]}]}";
  }
  RulesRig rig(schema + "}}");
  EXPECT_FALSE(rig.witness().derivation().accepts(rig.algebra().shape(rig.root()).arrays));
  EXPECT_TRUE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.algebra().total_steps(), 10'000U);
}

// Patterns with equal requirements are merged, so that their combinations are not distinguished.
TEST(Cost, OverlappingPatternsOfOneSet) {
  RulesRig rig(of_parts(R"({"type": "object", "patternProperties": {)", R"("a#b": {"type": "string"})", "}}")(50));
  EXPECT_EQ(rig.witness().derivation().key_classes(rig.algebra().shape(rig.root()).objects)->size(), 2U);
  EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
}

// Overlapping patterns need products; the limit is exceeded before these take long.
TEST(Cost, OverlappingPatternsMeetALimitSoon) {
  RulesRig rig(of_parts(R"({"type": "object", "patternProperties": {)", R"("a#b": {"minLength": #})", "}}")(50));
  rig.witness().derivation().key_classes(rig.algebra().shape(rig.root()).objects);
  EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kSchemaSteps);
  EXPECT_LE(rig.exprs().node_count(), 300'000U);
}

// Whether a class of keys is empty is decided on the keys, not on their spellings in JSON.
TEST(Cost, ClassesOfKeysAreLookedIntoAsKeys) {
  RulesRig rig(of_parts(R"({"type": "object", "patternProperties": {)", R"("^x#_": {"minLength": #})", "}}")(50));
  EXPECT_EQ(rig.witness().derivation().key_classes(rig.algebra().shape(rig.root()).objects)->size(), 51U);
  EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
  EXPECT_LE(rig.exprs().node_count(), 20'000U);
}

// The size of a class is counted once, not again after each key.
TEST(Cost, LargeClassesOfKeysAreNotListed) {
  RulesRig rig(R"({"type": "object", "propertyNames": {"pattern": "^[0-9]{8}$"}})");
  FormulaId f = rig.algebra().shape(rig.root()).objects;
  constexpr int kUsed = 100;
  const std::size_t nodes = rig.exprs().node_count();
  for (int i = 0; i < kUsed; ++i) {
    f = rig.algebra().meet(f, rig.algebra().lacks(rig.algebra().name(std::to_string(10'000'000 + i * 7919))));
    rig.witness().derivation().key_classes(f);
  }
  EXPECT_LE(rig.exprs().node_count() - nodes, 100U * kUsed);
}

// The bounds alone show that no string has more and at most 30,000 characters.
TEST(Cost, LengthsAreCompared) {
  RulesRig rig(R"({"type": "string", "minLength": 1, "maxLength": 30000, "not": {"maxLength": 30000}})");
  EXPECT_FALSE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.exprs().node_count(), 500U);
}

// A short text of a long string is found by its content, not by a search through all spellings.
TEST(Cost, LongStringsAreSpelledOneWay) {
  RulesRig rig(R"({"type": "string", "minLength": 1000, "pattern": "^[a-z]+$"})");
  EXPECT_EQ(rig.member().size(), 1002U);
  EXPECT_LE(rig.exprs().node_count(), 15'000U);
}

// A promise that cannot be violated is found before all violations of the others are tried.
TEST(Cost, ImpossibleViolationsEndTheSearch) {
  const auto broken =
      of_parts(R"({"type": "object", "required": ["a", "b", "c", "d"], "properties": {"z": false}, "allOf": [)",
               R"({"not": {"additionalProperties": {"enum": [#]}}})",
               R"(, {"not": {"properties": {"z": {"type": "string"}}}}]})");
  RulesRig rig(broken(20));
  EXPECT_FALSE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.algebra().total_steps(), 5'000U);
}

// If each promised item and each value that must differ fits immediately, their permutations are not tried.
TEST(Cost, ItemsThatAreAskedForArePlaced) {
  const Family contained{"contained", of_parts(R"({"type": "array", "allOf": [)",
                                               R"({"contains": {"type": "string", "pattern": "a#b"}})", "]}")};
  const Family different{"different", [](int n) {
                           return R"({"type": "array", "uniqueItems": true, "minItems": )" + std::to_string(n) +
                                  R"(, "items": {"type": "object", "required": ["a"]}})";
                         }};
  for (const Family& family : {contained, different}) {
    SCOPED_TRACE(family.name);
    RulesRig rig(family.schema(50));
    EXPECT_TRUE(rig.witness().has_member(rig.root()));
    EXPECT_LE(rig.algebra().total_steps(), 100'000U);
  }
}

// The items after the first, after the second, ... share one list of sets, and the plans for them as well.
TEST(Cost, ListedItemsTakeMemoryOnce) {
  constexpr int kItems = 2'000;
  RulesRig rig(of_parts(R"({"type": "array", "minItems": 2000, "prefixItems": [)", R"({"const": #})", "]}")(kItems));
  FormulaId f = rig.algebra().shape(rig.root()).arrays;
  for (int i = 0; i < kItems; ++i) {
    EXPECT_TRUE(rig.witness().array_exists(f));
    const std::vector<Choice> choices = rig.witness().derivation().next_item(f);
    ASSERT_EQ(choices.size(), 1U);
    f = choices[0].rest;
  }
  EXPECT_TRUE(rig.witness().derivation().accepts(f));
  EXPECT_LE(rig.rules().memory_bytes(), 2'000U * kItems);
}

// Strings of a long enum are a few expressions, and objects are not rules each.
TEST(Cost, LongEnumsAreTables) {
  RulesRig strings(of_parts(R"({"enum": [)", R"("a long text # that is written out #")", "]}")(5'000));
  strings.algebra().shape(strings.root());
  EXPECT_LE(strings.exprs().node_count(), 1'000U);
  EXPECT_EQ(strings.member().size(), 37U);
  RulesRig objects(of_parts(R"({"enum": [)", R"({"id": #, "name": "name #"})", "]}")(5'000));
  MadeRules rules(objects);
  const std::uint64_t before = rules.work();
  rules.make(10);
  EXPECT_EQ(rules.count(), 1U);  // no other rules are mentioned
  EXPECT_LE(rules.work() - before, 500'000U);
}

// Returns "n" different words as JSON strings, each of 8 letters that tell nothing of the others.
std::vector<std::string> random_words(int n) {
  std::vector<std::string> words;
  std::uint64_t state = 1;
  for (int i = 0; i < n; ++i) {
    std::string word = "\"";
    for (int letter = 0; letter < 8; ++letter) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      word += static_cast<char>('a' + (state >> 33U) % 10);
    }
    words.push_back(word + '"');
  }
  return words;
}

// Returns the steps of searching a schema for a value and of writing one.
std::uint64_t work_of_value(const std::string& schema) {
  std::optional<RulesRig> rig(std::in_place, schema);
  {
    const base::Work::Call call(UINT64_MAX);
    EXPECT_NE(rig->member(), "none") << schema.substr(0, 100);
  }
  return base::Work::last_call();
}

// Values that must differ are counted, and taken from a list: a search for each, without those before it, would take the
// square of their number.
TEST(Cost, ValuesThatDifferAreListedOnce) {
  const auto list = [](int n, const char* before, const char* after) {
    std::string all;
    for (const std::string& word : random_words(n)) all += (all.empty() ? "" : ",") + (before + word + after);
    return all;
  };
  const auto of_items = [](const std::string& items, int least) {
    return R"({"type": "array", "uniqueItems": true, "minItems": )" + std::to_string(least) + R"(, "items": )" + items +
           "}";
  };
  const std::vector<Family> families{
      {"words", [&](int n) { return of_items(R"({"enum": [)" + list(n, "", "") + "]}", n * 9 / 10); }},
      {"alternatives",
       [&](int n) { return of_items(R"({"anyOf": [)" + list(n, R"({"const": )", "}") + "]}", n * 9 / 10); }},
      {"objects", [&](int n) { return of_items(R"({"enum": [)" + list(n, R"({"a": )", "}") + "]}", n * 9 / 10); }},
      {"arrays", [&](int n) { return of_items(R"({"enum": [)" + list(n, "[", "]") + "]}", n * 9 / 10); }},
      {"numbers",
       [&](int n) {
         return of_items(R"({"enum": [)" + joined(n, [](const std::string& i) { return "9" + i + "7.5"; }) + "]}",
                         n * 9 / 10);
       }},
      {"contained",
       [&](int n) {
         return R"({"type": "array", "uniqueItems": true, "contains": {"enum": [)" + list(n, "", "") +
                R"(]}, "minContains": )" + std::to_string(n * 9 / 10) + R"(, "minItems": )" + std::to_string(n) + "}";
       }},
      {"places",
       [&](int n) {
         return R"({"$defs": {"e": {"enum": [)" + list(n, "", "") +
                R"(]}}, "type": "array", "uniqueItems": true, "minItems": )" + std::to_string(n) +
                R"(, "prefixItems": [)" +
                joined(n, [](const std::string&) { return std::string(R"({"$ref": "#/$defs/e"})"); }) + "]}";
       }},
      {"names",
       [&](int n) {
         return R"({"type": "object", "propertyNames": {"enum": [)" + list(n, "", "") + R"(]}, "minProperties": )" +
                std::to_string(n * 9 / 10) + "}";
       }},
  };
  for (const Family& family : families) {
    SCOPED_TRACE(family.name);
    const std::uint64_t few = work_of_value(family.schema(200));
    EXPECT_LE(work_of_value(family.schema(800)), 6 * few + 20'000);
    EXPECT_LE(few, 100'000U);
  }
}

// The lists are complete, and what they have is valid.
TEST(Cost, AllValuesOfASetDiffer) {
  EXPECT_EQ(RulesRig(R"({"type": "array", "uniqueItems": true, "minItems": 8,
                         "items": {"enum": [null, true, 3, 1.5, "b", "a", [1], {"k": 1}]}})")
                .member(),
            R"([null,true,3,1.5,"a","b",[1],{"k":1}])");
  EXPECT_EQ(
      RulesRig(R"({"type": "array", "uniqueItems": true, "minItems": 3, "items": {"enum": ["a", "b"]}})").member(),
      "none");
  EXPECT_EQ(RulesRig(R"({"type": "array", "uniqueItems": true, "minItems": 6,
                         "items": {"type": "string", "pattern": "^(a|b[cd]?|[xy])$"}})")
                .member(),
            R"(["a","b","x","y","bc","bd"])");
  const auto bits = [](const char* least) {
    return RulesRig(R"({"type": "array", "uniqueItems": true, "minItems": )" + std::string(least) +
                    R"(, "items": {"type": "string", "pattern": "^[xy]{8}$"}})")
        .member();
  };
  EXPECT_EQ(std::ranges::count(bits("256"), ','), 255);
  EXPECT_EQ(bits("257"), "none");
}

// After an item, it is known without choosing values that the other items can differ as required.
TEST(Cost, ItemsThatDifferAreNotNamed) {
  RulesRig rig(R"({"type": "array", "uniqueItems": true, "minItems": 50,
                   "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}})");
  MadeRules rules(rig);
  rules.make(1);  // the value; this names one witness
  const std::uint64_t before = rules.work();
  rules.make(3);  // the array and its first item
  ASSERT_EQ(rules.count(), 3U);
  EXPECT_LE(rules.work() - before, 2'000U);
  Derivation& derivation = rig.witness().derivation();
  FormulaId f = rig.algebra().shape(rig.root()).arrays;
  for (int i = 0; i < 10; ++i) {
    const auto value = JsonDocument::parse("{\"a\": \"x" + std::to_string(i) + "\"}", Limits());
    f = derivation.with_value(derivation.next_item(f).at(0).rest, rig.algebra().constant(value->root()));
    EXPECT_TRUE(rig.witness().has_values_to_spare(f, 1));
  }
  EXPECT_LE(rules.work() - before, 10'000U);
}

// Of infinitely many strings some are left, whatever they look like.
TEST(Cost, StringsThatDifferAreNotNamed) {
  RulesRig rig(R"({"type": "array", "uniqueItems": true,
                   "items": {"type": "string", "pattern": "^(https?|ftp)://[a-z.]+/.*$"}})");
  MadeRules rules(rig);
  Derivation& derivation = rig.witness().derivation();
  FormulaId f = rig.algebra().shape(rig.root()).arrays;
  std::uint64_t before = 0;
  for (int i = 0; i < 10; ++i) {
    const auto value = JsonDocument::parse("\"ftp://a.b/" + std::to_string(i) + "\"", Limits());
    f = derivation.with_value(derivation.next_item(f).at(0).rest, rig.algebra().constant(value->root()));
    EXPECT_TRUE(rig.witness().has_values_to_spare(f, 1));
    if (i == 0) before = rules.work();
  }
  EXPECT_LE(rules.work() - before, 1'000U);
  // Four bits are used up.
  RulesRig bits(R"({"type": "array", "uniqueItems": true, "items": {"type": "string", "pattern": "^[xy]{2}$"}})");
  f = bits.algebra().shape(bits.root()).arrays;
  for (const char* text : {"\"xx\"", "\"xy\"", "\"yx\"", "\"yy\""}) {
    const auto value = JsonDocument::parse(text, Limits());
    EXPECT_FALSE(bits.witness().has_values_to_spare(bits.algebra().meet(f, bits.algebra().min_items(5)), 0));
    f = bits.witness().derivation().with_value(bits.witness().derivation().next_item(f).at(0).rest,
                                               bits.algebra().constant(value->root()));
  }
  EXPECT_FALSE(bits.witness().array_exists(bits.algebra().meet(f, bits.algebra().min_items(1))));
}

// One more array or object that must differ takes no longer than those before it.
TEST(Cost, ManyArraysAndObjectsThatDiffer) {
  struct Case {
    const char* items;
    const char* before;
    const char* after;
  };
  for (const auto& [items, before, after] : {
           Case{R"({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}},
                    "additionalProperties": false})",
                R"({"a": )", "}"},
           Case{R"({"type": "array", "items": {"type": "integer"}})", "[", "]"},
           Case{R"({"type": "array"})", "[[7, ", "]]"},
       }) {
    RulesRig rig(R"({"type": "array", "uniqueItems": true, "items": )" + std::string(items) + "}");
    Derivation& derivation = rig.witness().derivation();
    const FormulaId whole = rig.algebra().shape(rig.root()).arrays;
    FormulaId f = whole;
    std::uint64_t at_first = 0;
    for (int i = 1; i <= 2'000; ++i) {
      const std::uint64_t start = rig.algebra().total_steps();
      const auto value = JsonDocument::parse(before + std::to_string(i) + after, Limits());
      f = derivation.with_value(f, rig.algebra().constant(value->root()));
      for (const Choice& choice : derivation.next_item(f)) EXPECT_TRUE(rig.witness().has_member(choice.value));
      const std::uint64_t steps = rig.algebra().total_steps() - start;
      if (i <= 200) at_first = std::max(at_first, steps);
      if (i > 1'900) {
        ASSERT_LE(steps, 2 * at_first) << items << i;
      }
    }
  }
}

// If there are few values, or other requirements on the items, each value is examined.
TEST(Cost, ItemsThatDifferMayBeTooFew) {
  for (
      const char* const schema : {
          R"({"type": "array", "uniqueItems": true, "minItems": 3, "items": {"enum": [1, "a", {"b": 2}]}})",
          R"({"type": "array", "uniqueItems": true, "minItems": 3, "contains": {"const": 1}, "items": {"type": "integer"}})",
          R"({"type": "array", "uniqueItems": true, "maxItems": 3, "prefixItems": [{"const": 1}]})",
          R"({"type": "array", "minItems": 3, "items": {"type": "string"}})",
      }) {
    RulesRig rig(schema);
    EXPECT_FALSE(rig.witness().has_values_to_spare(rig.algebra().shape(rig.root()).arrays, 1)) << schema;
  }
}

// Disjoint sets show that more items are required than the array may have.
TEST(Cost, ItemsWithoutRoomAreCounted) {
  RulesRig rig(of_parts(R"({"type": "array", "maxItems": 29, "allOf": [)", R"({"contains": {"const": #}})", "]}")(30));
  EXPECT_FALSE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.algebra().total_steps(), 20'000U);
}

// Many keys of one class are not distinguished one by one.
TEST(Cost, CountsOfMembersAreSeen) {
  RulesRig rig(R"({"type": "object", "minProperties": 500})");
  EXPECT_TRUE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.exprs().node_count(), 1'000U);
}

// Parts of a schema are translated to expressions only when a text reaches them.
TEST(SchemaCost, PlainSchemasAreNotSpelledWhenTheyAreRead) {
  grammar::Grammar grammar(Limits().regex_nodes);
  const Limits limits;
  Reading reading{grammar, limits};
  const auto read = [&](int number) {
    const std::string i = std::to_string(number);
    const std::string schema = R"({"type": "object", "properties": {"name)" + i +
                               R"(": {"type": "string", "enum": ["x)" + i + R"("]}, "count": {"type": "integer"}},)" +
                               R"( "required": ["name)" + i + R"("], "additionalProperties": false})";
    return read_json_schema(schema, {}, Placement::kEmbedded, reading).has_value();
  };
  ASSERT_TRUE(read(0));
  const std::size_t nodes = grammar.exprs.node_count();
  for (int i = 1; i < 100; ++i) ASSERT_TRUE(read(i));
  EXPECT_EQ(grammar.exprs.node_count(), nodes);
}

// Many kinds of resources that refer to each other's definitions, as in Kubernetes: only what a text reaches is made.
TEST(Cost, ResourcesThatReferToEachOther) {
  constexpr int kKinds = 200;
  const std::string text(80, 'x');
  const auto property = [&](int kind, int i) {
    const std::string to = std::to_string((kind * 7 + i * 13 + 1) % kKinds);
    const std::string ref = R"({"$ref": "#/definitions/D)" + to + "\"}";
    const std::string said = R"("description": ")" + text + "\"";
    switch (i % 4) {
      case 0: return R"({"allOf": [)" + ref + "], " + said + "}";
      case 1: return R"({"type": "array", "items": )" + ref + ", " + said + "}";
      case 2: return R"({"oneOf": [{"type": ["string", "null"]}, {"type": "integer"}], )" + said + "}";
      default: return R"({"type": ["object", "null"], "additionalProperties": {"type": "string"}, )" + said + "}";
    }
  };
  const auto definition = [&](const std::string& kind) {
    return "\"D" + kind + R"(": {"type": "object", "properties": {)" +
           joined(8,
                  [&](const std::string& i) { return "\"p" + i + "\": " + property(std::stoi(kind), std::stoi(i)); }) +
           "}}";
  };
  const auto resource = [](const std::string& kind) {
    return R"({"type": "object", "required": ["kind", "spec"], "properties": {"kind": {"const": "K)" + kind +
           R"("}, "spec": {"$ref": "#/definitions/D)" + kind + "\"}}}";
  };
  const std::string schema =
      R"({"oneOf": [)" + joined(kKinds, resource) + R"(], "definitions": {)" + joined(kKinds, definition) + "}}";
  ASSERT_GT(schema.size(), 200'000U);
  RulesRig rig(schema);
  ASSERT_TRUE(rig.witness().has_member(rig.root()));
  MadeRules rules(rig);
  rules.make(20);
  EXPECT_EQ(rules.count(), 20U);
  EXPECT_LE(rules.work(), 2 * schema.size());
}

// The first rules of objects in the declared order take less than quadratic time, as those in any order do.
TEST(Cost, DeclaredOrderGrowsWithTheSchema) {
  const Family required = families()[1];
  // Alternatives that end with the same name, so each has an order of its own.
  const std::string kind =
      R"({"type": "object", "properties": {"kind": {"const": "k#"}, "x#": {"type": "string"}, "end": {}},
                               "required": ["kind", "x#"]})";
  const std::string closed = R"({"type": "object", "properties": {"x#": {"type": "string"}, "y#": {"type": "integer"}},
                                 "required": ["x#"], "additionalProperties": false})";
  for (const Family& family : {required, Family{"any of", of_parts(R"({"anyOf": [)", kind, "]}")},
                               Family{"one of", of_parts(R"({"oneOf": [)", kind, "]}")},
                               Family{"any of the closed", of_parts(R"({"anyOf": [)", closed, "]}")}}) {
    SCOPED_TRACE(family.name);
    for (const auto order : {JsonSchemaOptions::Order::kDeclared, JsonSchemaOptions::Order::kAny}) {
      std::uint64_t before = 0;
      for (const int n : {50, 100, 200}) {
        JsonSchemaOptions options;
        options.order = order;
        RulesRig rig(family.schema(n), options);
        MadeRules rules(rig);
        rules.make(12);
        ASSERT_EQ(rules.count(), 12U);
        EXPECT_LE(rules.work(), before == 0 ? 40'000 : before * 3) << n << " parts";
        before = rules.work();
      }
    }
  }
}

// Each member of a list in the declared order takes the same work, however many required ones come after it.
TEST(Cost, MembersOfAListInDeclaredOrder) {
  constexpr std::size_t kNames = 1'000;
  JsonSchemaOptions options;
  options.order = JsonSchemaOptions::Order::kDeclared;
  RulesRig rig(families()[1].schema(kNames), options);
  ASSERT_TRUE(rig.witness().has_member(rig.root()));
  const std::size_t formulas = rig.algebra().formula_count();
  MadeRules rules(rig);
  rules.make(2 * kNames);
  EXPECT_EQ(rules.count(), 2 * kNames);
  EXPECT_LE(rig.algebra().total_steps(), 100 * kNames);
  EXPECT_LE(rig.algebra().formula_count() - formulas, 10U);
}

// Bounds on items of a set are counted, not searched for, where an array would be too long for a search.
TEST(Cost, ManyItemsOfASetAndNoMore) {
  for (
      const char* const schema :
      {R"({"items": {"type": "integer"}, "contains": {"minimum": 5}, "minContains": #, "maxContains": #})",
       R"({"items": {"type": "integer"}, "contains": {"minimum": 5}, "minContains": #, "maxContains": #, "minItems": 1#})",
       R"({"contains": {"const": 1}, "maxContains": 3, "minItems": #})",
       R"({"allOf": [{"contains": {"type": "integer"}, "minContains": #, "maxContains": #},
                         {"contains": {"type": "number"}, "minContains": 0, "maxContains": #}]})"}) {
    std::string text = schema;
    for (std::size_t at = 0; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, "1000000");
    RulesRig rig(R"({"type": "array",)" + text.substr(1));
    EXPECT_TRUE(rig.witness().has_member(rig.root())) << schema;
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone) << schema;
    EXPECT_LE(rig.algebra().total_steps(), 1'000U) << schema;
  }
}

// A union of sets with divisors has their common divisor, so it is known to have integers alone without a search.
TEST(Cost, UnionsOfMultiplesHaveACommonDivisor) {
  RulesRig rig(R"({"type": "number", "allOf": [
                     {"oneOf": [{"multipleOf": 33}, {"multipleOf": 12}, {"multipleOf": 77}]},
                     {"oneOf": [{"allOf": [{"not": {"multipleOf": 6}}, {"not": {"multipleOf": 7}}]}, {"multipleOf": 44}]},
                     {"oneOf": [{"not": {"multipleOf": 11}}, {"multipleOf": 13}]}, {"not": {"multipleOf": 8}}]})",
               *schema_profile("serving"));
  MadeRules rules(rig);
  rules.make(1);
  EXPECT_EQ(rules.count(), 1U);
  EXPECT_LE(rig.exprs().node_count(), 10'000U);
}

// Of many bounds under `allOf` one interval remains; patterns are intersected once, not one after the other.
TEST(Cost, ListsOfConstraintsAreMetAtOnce) {
  for (const char* const part : {R"({"minimum": #})", R"({"maximum": 1#, "exclusiveMinimum": -1#})"}) {
    RulesRig rig(of_parts(R"({"type": "integer", "allOf": [)", part, "]}")(2'000));
    EXPECT_TRUE(rig.witness().has_member(rig.root()));
    EXPECT_LE(rig.exprs().node_count(), 200'000U);
    EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
  }
}

// An item that differs from n arrays or objects has n + 1 choices, not one for each combination of their parts.
TEST(Cost, ItemsThatDifferFromArrays) {
  const std::pair<const char*, const char*> kinds[] = {
      {R"({"type": "array", "items": {"type": "integer"}})", "[#, 7#, 3]"},
      {R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a", "b"]})",
       R"({"a": #, "b": "x#"})"},
  };
  for (const auto& [items, value] : kinds) {
    SCOPED_TRACE(items);
    RulesRig rig(std::string(R"({"type": "array", "uniqueItems": true, "items": )") + items + "}");
    ASSERT_TRUE(rig.witness().has_member(rig.root()));
    Algebra& algebra = rig.algebra();
    Derivation& derivation = rig.witness().derivation();
    FormulaId f = algebra.shape(rig.root()).arrays;
    constexpr std::size_t kItems = 100;
    for (std::size_t i = 0; i < kItems; ++i) {
      std::string text;
      for (const char c : std::string_view(value)) text += c == '#' ? std::to_string(i) : std::string(1, c);
      const auto constant = JsonDocument::parse(text, Limits());
      f = derivation.with_value(derivation.next_item(f).at(0).rest, algebra.constant(constant->root()));
      EXPECT_TRUE(rig.witness().has_values_to_spare(f, 1));
    }
    const SetId next = derivation.next_item(f).at(0).value;
    EXPECT_TRUE(rig.witness().has_member(next));
    const Shape shape = algebra.shape(next);
    if (shape.objects == FormulaId::kFalse) {
      EXPECT_EQ(derivation.next_item(shape.arrays).size(), kItems + 1);
    } else {
      const KeyClass a{algebra.name("a"), regex::ExprId::kNothing, {}};
      EXPECT_EQ(derivation.next_member(shape.objects, a).size(), kItems + 1);
    }
    EXPECT_LE(algebra.total_steps(), 60U * kItems * kItems);
  }
}

// Numbers of an `enum` are a trie of which each value adds a few nodes.
TEST(Cost, TwentyThousandNumbers) {
  constexpr unsigned kNumbers = 20'000;
  std::string numbers;
  for (unsigned i = 0; i < kNumbers; ++i) {
    numbers += (i == 0 ? "" : ",") + std::to_string(std::uint64_t{i} * 2'654'435'761U % 4'294'967'296U);
    if (i % 3 == 0) numbers += ".25";
  }
  RulesRig rig(R"({"enum": [)" + numbers + "]}");
  ASSERT_TRUE(rig.witness().has_member(rig.root()));
  EXPECT_LE(rig.exprs().node_count(), 20U * kNumbers);
  EXPECT_EQ(rig.algebra().limit_hit(), base::Limit::kNone);
}

TEST(Cost, TwentyThousandProperties) {
  constexpr int kNames = 20'000;
  RulesRig rig(of_parts(R"({"type": "object", "properties": {)", R"("p#": {"type": "string"})", "}}")(kNames));
  ASSERT_TRUE(rig.witness().has_member(rig.root()));
  MadeRules rules(rig);
  rules.make(5);
  EXPECT_EQ(rules.count(), 5U);
  EXPECT_LE(rules.work(), 30U * kNames);
}

}  // namespace
}  // namespace weir::frontend::json_schema
