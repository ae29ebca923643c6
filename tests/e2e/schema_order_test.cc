// The declared order of members, compared with its definition: a text is in order if some alternative of the schema
// that its value satisfies lists the members in that order. The definition is applied to all orders of small objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

using Member = std::pair<std::string, int>;  // a name, and a value

/// A closed object: its properties in their order, each required or not, with the values from `least` to `most`.
struct Alternative {
  struct Property {
    std::string name;
    bool is_required = false;
    int least = 0;
    int most = 0;
  };
  std::vector<Property> properties;

  [[nodiscard]] std::string schema() const {
    std::string listed;
    std::string required;
    for (const Property& one : properties) {
      listed += (listed.empty() ? "" : ",") + ('"' + one.name) + R"(":{"type":"integer","minimum":)" +
                std::to_string(one.least) + R"(,"maximum":)" + std::to_string(one.most) + "}";
      if (one.is_required) required += (required.empty() ? "\"" : ",\"") + one.name + '"';
    }
    return R"({"type":"object","additionalProperties":false,"properties":{)" + listed + R"(},"required":[)" + required +
           "]}";
  }

  [[nodiscard]] bool is_valid(const std::vector<Member>& members) const {
    const auto has = [&](const Property& one) {
      return std::ranges::any_of(members, [&](const Member& m) { return m.first == one.name; });
    };
    const auto allows = [&](const Member& member) {
      return std::ranges::any_of(properties, [&](const Property& one) {
        return one.name == member.first && one.least <= member.second && member.second <= one.most;
      });
    };
    return std::ranges::all_of(members, allows) &&
           std::ranges::all_of(properties, [&](const Property& one) { return !one.is_required || has(one); });
  }

  [[nodiscard]] bool is_in_order(const std::vector<Member>& members) const {
    std::size_t next = 0;
    for (const Property& one : properties) {
      if (next < members.size() && members[next].first == one.name) ++next;
    }
    return next == members.size();
  }
};

std::string text_of(const std::vector<Member>& members) {
  std::string text;
  for (const auto& [name, value] : members) {
    text += (text.empty() ? "" : ",") + ('"' + name) + "\":" + std::to_string(value);
  }
  return "{" + text + "}";
}

template <typename Use>
void for_each_object(std::vector<Member>& members, std::vector<std::string> names, const Use& use) {
  use(members);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> others = names;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    for (const int value : {0, 1}) {
      members.emplace_back(names[i], value);
      for_each_object(members, others, use);
      members.pop_back();
    }
  }
}

std::vector<Alternative> random_alternatives(std::mt19937& random, const std::vector<std::string>& names) {
  std::vector<Alternative> alternatives(2 + random() % 2);
  for (Alternative& one : alternatives) {
    std::vector<std::string> own = names;
    std::ranges::shuffle(own, random);
    own.resize(1 + random() % names.size());
    for (const std::string& name : own) {
      const int least = static_cast<int>(random() % 2);
      one.properties.push_back({name, random() % 2 == 0, least, least + static_cast<int>(random() % 2)});
    }
  }
  return alternatives;
}

TEST(SchemaOrder, IsThatOfTheAlternative) {
  std::mt19937 random(20261129);
  JsonSchemaOptions options;
  options.order = JsonSchemaOptions::Order::kDeclared;
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  int accepted = 0;
  for (int round = 0; round < 60; ++round) {
    const std::vector<std::string> names = {"a", "b", "c"};
    const std::vector<Alternative> alternatives = random_alternatives(random, names);
    const bool is_one_of = round % 2 == 0;
    std::string schema = is_one_of ? R"({"oneOf":[)" : R"({"anyOf":[)";
    for (std::size_t i = 0; i < alternatives.size(); ++i) schema += (i == 0 ? "" : ",") + alternatives[i].schema();
    schema += "]}";
    SCOPED_TRACE(schema);
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema, options);
    if (!compiled) {
      EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
    }
    // An order that no alternative has may still be the text's, if alternatives do not disagree about their common names.
    std::vector<Member> members;
    for_each_object(members, names, [&](const std::vector<Member>& object) {
      const auto holding = std::ranges::count_if(alternatives, [&](const auto& one) { return one.is_valid(object); });
      const bool is_valid = is_one_of ? holding == 1 : holding > 0;
      const bool is_in_order = std::ranges::any_of(
          alternatives, [&](const auto& one) { return one.is_valid(object) && one.is_in_order(object); });
      bool found = false;
      if (compiled) {
        GrammarMatcher matcher(*compiled);
        found = matcher.accept_string(text_of(object)) == Step::kOk && matcher.is_completed();
      }
      EXPECT_EQ(found, is_valid && is_in_order) << text_of(object);
      accepted += found ? 1 : 0;
    });
  }
  EXPECT_GT(accepted, 200);
}

// The text that is offered as a short completion is in the order of its alternative, too.
// What a reference leads to counts at the place of the reference, wherever `$defs` stands.
TEST(SchemaOrder, ReferencesCountAtTheirPlace) {
  const std::string number = R"({"type": "integer"})";
  const std::string defs = R"("$defs": {"x": {"properties": {"x": )" + number + R"(}}, "y": {"properties": {"y": )" +
                           number + R"(}}, "xy": {"allOf": [{"$ref": "#/$defs/y"}, {"$ref": "#/$defs/x"}]}})";
  const std::string own = R"("properties": {"a": )" + number + R"(})";
  const std::pair<std::string, std::string> cases[] = {
      {own + R"(, "$ref": "#/$defs/x")", "ax"},
      {R"("$ref": "#/$defs/x", )" + own, "xa"},
      {R"("allOf": [{"$ref": "#/$defs/y"}, {)" + own + R"(}, {"$ref": "#/$defs/x"}])", "yax"},
      {R"("allOf": [{"$ref": "#/$defs/xy"}], )" + own, "yxa"},
      {own + R"(, "anyOf": [{"$ref": "#/$defs/xy"}, {"$ref": "#/$defs/y"}])", "ayx"},
      {own + R"(, "if": {"$ref": "#/$defs/y"}, "then": {"$ref": "#/$defs/x"})", "ayx"},
      {own + R"(, "not": {"allOf": [{"$ref": "#/$defs/y"}, {"required": ["q"]}]})", "ay"},
  };
  JsonSchemaOptions options;
  options.order = JsonSchemaOptions::Order::kDeclared;
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  for (const auto& [keywords, names] : cases) {
    for (const bool is_first : {true, false}) {
      const std::string parts = is_first ? defs + ", " + keywords : keywords + ", " + defs;
      const std::string schema = R"({"type": "object", )" + parts + "}";
      const auto compiled = compiler.compile_json_schema(schema, options);
      ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
      std::string order = names;
      std::ranges::sort(order);
      do {
        std::vector<Member> members;
        for (const char name : order) members.emplace_back(std::string(1, name), 1);
        GrammarMatcher matcher(*compiled);
        const bool is_accepted = matcher.accept_bytes(text_of(members)) == Step::kOk && matcher.is_completed();
        EXPECT_EQ(is_accepted, order == names) << schema << order;
      } while (std::ranges::next_permutation(order).found);
    }
  }
}

TEST(SchemaOrder, OfCompletions) {
  JsonSchemaOptions options;
  options.order = JsonSchemaOptions::Order::kDeclared;
  const char* const schema = R"({"type":"object","properties":{"act":{"anyOf":[
      {"type":"object","properties":{"user":{"type":"string"},"mail":{"type":"string"}},"required":["user","mail","x"]},
      {"type":"object","properties":{"id":{"const":1},"mail":{"const":"m"}},"required":["id","mail"]}]}},
      "required":["act"]})";
  const Result<CompiledGrammar> compiled =
      GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema, options);
  ASSERT_TRUE(compiled) << compiled.error().message;
  for (const char* const begin : {"", "{\"act\":", "{\"act\":{\"id\":", "{\"act\":{\"user\":\"\","}) {
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_string(begin), Step::kOk) << begin;
    const auto completion = matcher.shortest_completion();
    ASSERT_TRUE(completion) << begin;
    EXPECT_EQ(matcher.accept_string(*completion), Step::kOk) << begin << *completion;
    EXPECT_TRUE(matcher.is_completed());
  }
}

}  // namespace
}  // namespace weir
