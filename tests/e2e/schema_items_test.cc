// Compares arrays whose items must be distinct, or must not be, with brute force: random schemas with few values and
// few items, over texts of digits.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rounds.h"
#include "unit/frontend/json_schema/mini_validator.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

using namespace frontend::json_schema;  // NOLINT(google-build-using-namespace): the validator

constexpr std::size_t kLongest = 4;

/// Returns all arrays of up to kLongest of the digits 1 to 3.
std::vector<std::string> arrays() {
  std::vector<std::string> inside{""};
  for (std::size_t i = 0, length = 0; length < kLongest; ++length) {
    for (const std::size_t end = inside.size(); i < end; ++i) {
      for (const char digit : {'1', '2', '3'}) inside.push_back(inside[i] + (inside[i].empty() ? "" : ",") + digit);
    }
  }
  for (std::string& text : inside) text = "[" + text + "]";
  return inside;
}

class RandomArrays {
 public:
  explicit RandomArrays(std::uint32_t seed) : random_(seed) {}

  std::string make() {
    return R"({"type": "array", "maxItems": )" + std::to_string(1 + below(kLongest)) +
           R"(, "items": {"enum": [1, 2, 3]}, "allOf": [{"prefixItems": [{"enum": [1, 2, 3]}, {"enum": [1, 2, 3]},
               {"enum": [1, 2, 3]}, {"enum": [1, 2, 3]}]}, )" +
           part(2) + ", " + part(2) + "]}";
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_()) % bound; }
  std::string values() {
    static constexpr const char* kSets[] = {R"({"const": 1})",     R"({"const": 2})",     R"({"enum": [1, 2]})",
                                            R"({"enum": [2, 3]})", R"({"enum": [1, 3]})", "true"};
    return kSets[below(6)];
  }
  std::string part(int depth) {
    switch (depth == 0 ? below(5) : below(8)) {
      case 0: return R"({"uniqueItems": true})";
      case 1: return R"({"not": {"uniqueItems": true}})";
      case 2: return R"({"prefixItems": [)" + values() + ", " + values() + ", " + values() + "]}";
      case 3: return R"({"contains": )" + values() + R"(, "minContains": )" + std::to_string(below(3)) + "}";
      case 4: return R"({"minItems": )" + std::to_string(below(4)) + "}";
      case 5: return R"({"anyOf": [)" + part(depth - 1) + ", " + part(depth - 1) + "]}";
      case 6: return R"({"oneOf": [)" + part(depth - 1) + ", " + part(depth - 1) + "]}";
      default: return R"({"not": )" + part(depth - 1) + "}";
    }
  }

  std::minstd_rand random_;
};

std::set<std::string> valid_texts(const std::string& schema) {
  static const std::vector<std::string> kAll = arrays();
  const Limits limits;
  SchemaRegistry registry;
  SchemaStore store(registry, limits);
  const SchemaId root = store.load(schema, {}).value();
  std::set<std::string> valid;
  for (const std::string& text : kAll) {
    const Result<JsonDocument> document = JsonDocument::parse(text, limits);
    if (MiniValidator(store).is_valid(root, document->root())) valid.insert(text);
  }
  return valid;
}

// Checks that after each prefix of a valid text, a character is allowed iff some valid text has it there.
void expect_same_beginnings(GrammarMatcher& matcher, const std::set<std::string>& valid, const std::string& schema) {
  std::vector<std::string> open{""};
  while (!open.empty()) {
    const std::string before = open.back();
    open.pop_back();
    matcher.reset();
    ASSERT_EQ(matcher.accept_bytes(before), Step::kOk);
    ASSERT_EQ(matcher.is_completed(), valid.contains(before)) << schema << "\n" << before;
    for (const char c : std::string_view("[],123")) {
      const std::string text = before + c;
      const auto first = valid.lower_bound(text);
      const bool begins_one = first != valid.end() && first->starts_with(text);
      ASSERT_EQ(matcher.longest_viable_prefix({&c, 1}) == 1, begins_one) << schema << "\n" << text;
      if (begins_one) open.push_back(text);
    }
  }
}

TEST(SchemaItems, MayBeginIffSomeArrayDoes) {
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kNone;
  std::size_t satisfiable = 0;
  for (std::uint32_t seed = 1; seed <= tests::rounds(1000U) && !HasFatalFailure(); ++seed) {
    const std::string schema = RandomArrays(seed).make();
    const std::set<std::string> valid = valid_texts(schema);
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema, options);
    ASSERT_EQ(compiled.has_value(), !valid.empty()) << schema << "\n" << (compiled ? "" : compiled.error().message);
    if (!compiled) continue;
    ++satisfiable;
    GrammarMatcher matcher(*compiled);
    expect_same_beginnings(matcher, valid, schema);
  }
  EXPECT_GT(satisfiable, tests::rounds(500U));
}

// The value that must occur again is one of many and occurs late in the array.
TEST(SchemaItems, AValueThatMustComeAgain) {
  const std::string schema = R"({"type": "array", "prefixItems": [{"type": "integer"}, {"const": 50}], "maxItems": 2,
                                 "not": {"uniqueItems": true}})";
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.longest_viable_prefix("[1"), 1U);
  EXPECT_EQ(matcher.longest_viable_prefix("[50, 50]"), 8U);
}

// Many values may occur again; only some of them satisfy the other keywords.
TEST(SchemaItems, SomeOfManyValuesThatMustComeAgain) {
  const std::string schema =
      R"({"type": "array", "items": {"type": "integer", "minimum": 10, "maximum": 99}, "maxItems": 2,
      "not": {"uniqueItems": true}, "oneOf": [
        {"oneOf": [{"contains": {"maximum": 39}, "minContains": 2}, {"prefixItems": [true, {"maximum": 69}]}]},
        {"oneOf": [{"not": {"uniqueItems": true}}, {"prefixItems": [{"maximum": 69}, {"not": {"minimum": 40, "maximum": 69}}]}]}]})";
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  for (int value = 10; value < 100; ++value) {
    const bool one = (value <= 39) != (value <= 69);
    const bool other = value >= 40;
    EXPECT_EQ(matcher.longest_viable_prefix("[" + std::to_string(value) + ",") == 4, one != other) << value;
  }
}

// Another part of the schema may forbid the value that would make two items equal.
TEST(SchemaItems, ValuesThatMustAndMustNotComeAgain) {
  const std::string schema = R"({"type": "array", "maxItems": 4, "items": {"enum": [1, 2, 3]}, "uniqueItems": true,
                                 "oneOf": [{"minItems": 3}, {"uniqueItems": true}]})";
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kNone;
  const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_json_schema(schema, options);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.longest_viable_prefix("[3,2]"), 5U);
  EXPECT_EQ(matcher.longest_viable_prefix("[3,2,"), 4U);
}

}  // namespace
}  // namespace weir
