// Keys that an object has used: a prefix is allowed only if an unused key has it.
#include <gtest/gtest.h>

#include <string>

#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

struct Place {
  const char* before;
  const char* next;
  bool may_come;
};

void expect_places(const std::string& schema, std::initializer_list<Place> places) {
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  for (const Place& place : places) {
    matcher.reset();
    ASSERT_EQ(matcher.accept_string(place.before), Step::kOk) << schema << "\n" << place.before;
    const Step step = matcher.accept_string(place.next);
    EXPECT_EQ(step, place.may_come ? Step::kOk : Step::kRefused) << schema << "\n" << place.before << place.next;
    EXPECT_TRUE(matcher.shortest_completion().has_value()) << schema << "\n" << place.before << place.next;
  }
}

TEST(SchemaKeys, BesideAPatternThatNoNameGoesOnIn) {
  expect_places(R"({"type": "object", "properties": {"$f": {}, "$g": {}}, "patternProperties": {"^[a-z]+$": {}},
                    "additionalProperties": false})",
                {{R"({"$f":1,"x":1,")", "$", true},
                 {R"({"$f":1,"x":1,")", "$f", false},
                 {R"({"$g":1,"$f":1,"x":1,")", "$", false},
                 {R"({"$g":1,"$f":1,"x":1,")", "x", true},
                 {R"({"$g":1,"$f":1,"x":1,")", R"(x")", false}});
}

TEST(SchemaKeys, BesideAPatternThatNamesGoOnIn) {
  expect_places(R"({"type": "object", "properties": {"ab": {}, "x": {}}, "patternProperties": {"^a[a-z]+$": {}},
                    "additionalProperties": false})",
                {{R"({"ab":1,"x":1,")", "a", true},
                 {R"({"ab":1,"x":1,")", "ab", true},
                 {R"({"ab":1,"x":1,")", R"(ab")", false},
                 {R"({"ab":1,"x":1,")", R"(abc")", true},
                 {R"({"ab":1,"x":1,")", "x", false}});
}

TEST(SchemaKeys, ThatPropertyNamesAllows) {
  expect_places(
      R"({"type": "object", "properties": {"name": {"type": "integer"}}, "propertyNames": {"pattern": "^(name|x[0-9]*)$"}})",
      {{R"({"x1":1,")", "n", true}, {R"({"name":1,")", "n", false}, {R"({"name":1,"x1":1,")", "x", true}});
}

// The shortest completion finishes a key with the shortest key of many. It does not follow escapes in the other keys,
// and does not make the rules after them.
TEST(SchemaKeys, CompletionOfOneOfMany) {
  constexpr int kNames = 2'000;
  std::string schema = R"({"type": "object", "additionalProperties": false, "properties": {"last": {"type": "null"})";
  for (int i = 0; i < kNames; ++i) {
    const std::string number = std::to_string(i);
    schema += ", \"long name " + number + R"(": {"type": "string", "pattern": "^[a-z]{2}#)" + number + "$\"}";
  }
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema + "}}");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_string(R"({"\u00)"), Step::kOk);
  const std::uint64_t nodes = compiled->stats().regex_nodes;
  EXPECT_EQ(matcher.shortest_completion(), "6Cast\":null}");
  EXPECT_LE(compiled->stats().regex_nodes - nodes, 5U * kNames);
}

// Among completions of equal length, that of the first key is chosen, so that the positions of an object share the
// continuation.
TEST(SchemaKeys, CompletionOfTheFirstOfTwo) {
  const auto compiled =
      GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(R"({"type": "object", "additionalProperties": false,
                                                     "properties": {"long": {"const": 1}, "ab": {"const": 123}}})");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_string(R"({")"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), R"(long":1})");
}

}  // namespace
}  // namespace weir
