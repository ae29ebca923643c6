// Compares schemas with many alternatives with a validator that follows the specification. They have too many `oneOf`,
// `if` and dependencies to be expanded.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "unit/frontend/json_schema/mini_validator.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

using namespace frontend::json_schema;  // NOLINT(google-build-using-namespace): the validator

/// A schema in two forms: compiled, and for the validator.
class Schema {
 public:
  explicit Schema(const std::string& text, const Limits& limits = {}) : store_(registry_, limits) {
    const Result<CompiledGrammar> compiled =
        GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(text);
    if (compiled) matcher_.emplace(*compiled);
    if (!compiled) is_unsatisfiable_ = compiled.error().code == ErrorCode::kUnsatisfiable;
    if (!compiled && !is_unsatisfiable_) ADD_FAILURE() << text << "\n" << compiled.error().message;
    root_ = store_.load(text, {}).value();
  }

  bool accepts(const std::string& instance) {
    if (!matcher_) return false;
    matcher_->reset();
    const Step step = matcher_->accept_string(instance);
    EXPECT_NE(step, Step::kLimitExceeded) << instance << ": " << matcher_->limit_message();
    return step == Step::kOk && matcher_->is_completed();
  }
  bool is_valid(const std::string& instance) {
    const Result<JsonDocument> document = JsonDocument::parse(instance, Limits{});
    return MiniValidator(store_).is_valid(root_, document->root());
  }

 private:
  SchemaRegistry registry_;
  SchemaStore store_;
  SchemaId root_{};
  std::optional<GrammarMatcher> matcher_;
  bool is_unsatisfiable_ = false;
};

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// Returns `count` results of `make`, separated by commas.
template <typename Make>
std::string list(int count, const Make& make) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + make(std::to_string(i));
  return out;
}

/// Returns objects of up to three members with these keys and values, in every order.
std::vector<std::string> objects(const std::vector<std::string>& keys, const std::vector<std::string>& values) {
  std::vector<std::vector<std::size_t>> orders{{}};
  for (std::size_t length = 0, from = 0; length < 3; ++length) {
    const std::size_t count = orders.size();
    for (; from < count; ++from) {
      for (std::size_t key = 0; key < keys.size(); ++key) {
        if (std::find(orders[from].begin(), orders[from].end(), key) != orders[from].end()) continue;
        orders.push_back(orders[from]);
        orders.back().push_back(key);
      }
    }
  }
  std::vector<std::string> out;
  for (const std::vector<std::size_t>& order : orders) {
    std::vector<std::string> texts{""};
    for (const std::size_t key : order) {
      std::vector<std::string> longer;
      for (const std::string& text : texts) {
        for (const std::string& value : values) {
          longer.push_back(text + (text.empty() ? "" : ", ") + quoted(keys[key]) + ": " + value);
        }
      }
      texts = std::move(longer);
    }
    for (const std::string& text : texts) out.push_back("{" + text + "}");
  }
  return out;
}

void expect_same_verdicts(const std::string& text, const std::vector<std::string>& instances) {
  Limits limits;
  limits.schema_steps = 1'000'000;
  Schema schema(text, limits);
  std::size_t valid = 0;
  for (const std::string& instance : instances) {
    const bool is_valid = schema.is_valid(instance);
    valid += is_valid ? 1 : 0;
    EXPECT_EQ(schema.accepts(instance), is_valid) << text << "\n" << instance;
  }
  EXPECT_GT(valid, 0U) << text;
  EXPECT_LT(valid, instances.size()) << text;
}

constexpr int kMany = 24;

TEST(SchemaAlternatives, TheDistinguishingMemberIsRequiredBesideOneOf) {
  const std::string branches = list(kMany, [](const std::string& i) {
    return R"({"properties": {"kind": {"const": "k)" + i + R"("}, "value": {"enum": [)" + i + R"(, true]}}})";
  });
  expect_same_verdicts(R"({"type": "object", "required": ["kind"], "oneOf": [)" + branches + "]}",
                       objects({"kind", "value", "x"}, {"\"k1\"", "\"k2\"", "1", "2", "true"}));
}

TEST(SchemaAlternatives, TheDistinguishingMemberIsNotRequired) {
  const std::string branches = list(kMany, [](const std::string& i) {
    return R"({"properties": {"kind": {"const": "k)" + i + R"("}, "text": {"type": "string"}}})";
  });
  expect_same_verdicts(R"({"type": "object", "oneOf": [)" + branches + "]}",
                       objects({"kind", "text", "x"}, {"\"k1\"", "\"k2\"", "1"}));
}

TEST(SchemaAlternatives, AListOfConditionsOnOneMember) {
  const std::string conditions = list(kMany, [](const std::string& i) {
    return R"({"if": {"properties": {"kind": {"const": "k)" + i + R"("}}, "required": ["kind"]},
               "then": {"properties": {"value": {"type": "object", "required": ["x)" +
           i + R"("]}}}})";
  });
  expect_same_verdicts(R"({"type": "object", "required": ["kind"], "allOf": [)" + conditions + "]}",
                       objects({"kind", "value"}, {"\"k1\"", "\"k2\"", R"({"x1": 1})", R"({"x2": 1, "x1": 2})", "{}"}));
}

TEST(SchemaAlternatives, DependenciesOnTheValuesOfOneMember) {
  const std::string dependencies = list(kMany, [](const std::string& i) {
    return quoted("p" + i) + R"(: {"properties": {"type": {"enum": ["all", "only)" + i + R"("]}}})";
  });
  expect_same_verdicts(R"({"type": "object", "dependentSchemas": {)" + dependencies + "}}",
                       objects({"type", "p1", "p2"}, {"\"all\"", "\"only1\"", "\"only2\"", "1"}));
}

// Makes small random schemas of the same kinds, nested.
class RandomSchema {
 public:
  explicit RandomSchema(std::uint32_t seed) : random_(seed) {}

  std::string make(int depth) {
    switch (depth == 0 ? below(3) : below(8)) {
      case 0: return R"({"properties": {)" + property() + "}}";
      case 1: return R"({"properties": {)" + property() + R"(}, "required": [)" + key() + "]}";
      case 2: return R"({"required": [)" + key() + R"(], "additionalProperties": )" + value() + "}";
      case 3: return R"({"allOf": [)" + some(depth) + "]}";
      case 4: return R"({"anyOf": [)" + some(depth) + "]}";
      case 5: return R"({"not": )" + make(depth - 1) + "}";
      case 6:
        return R"({"if": )" + make(depth - 1) + R"(, "then": )" + make(depth - 1) + R"(, "else": )" + make(depth - 1) +
               "}";
      default: return R"({"oneOf": [)" + some(depth) + R"(], "required": [)" + key() + "]}";
    }
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_()) % bound; }
  std::string key() { return quoted(std::string(1, static_cast<char>('a' + below(3)))); }
  std::string value() {
    static constexpr const char* kValues[] = {
        R"({"const": 1})", R"({"enum": [1, 2]})",  R"({"type": "string"})", R"({"not": {"const": 2}})", "true",
        "false",           R"({"type": "object"})"};
    return kValues[below(7)];
  }
  std::string property() { return key() + ": " + value(); }
  std::string some(int depth) {
    std::string out = make(depth - 1);
    for (std::uint32_t i = below(4); i > 0; --i) out += ", " + make(depth - 1);
    return out;
  }

  std::minstd_rand random_;
};

TEST(SchemaAlternatives, RandomCombinationsAgreeWithTheValidator) {
  const std::vector<std::string> instances = objects({"a", "b", "c"}, {"1", "2", "\"s\"", "{}"});
  std::size_t valid = 0;
  std::size_t invalid = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const std::string text = R"({"type": "object", "allOf": [)" + RandomSchema(seed).make(2) + "]}";
    Schema schema(text);
    for (std::size_t i = seed % 7; i < instances.size(); i += 7) {
      const bool is_valid = schema.is_valid(instances[i]);
      ++(is_valid ? valid : invalid);
      ASSERT_EQ(schema.accepts(instances[i]), is_valid) << text << "\n" << instances[i];
    }
  }
  EXPECT_GT(valid, 3000U);
  EXPECT_GT(invalid, 3000U);
}

TEST(SchemaAlternatives, TheLimitThatWasMetHasItsName) {
  const std::string branches =
      list(200, [](const std::string& i) { return R"({"type": "array", "contains": {"const": )" + i + "}}"; });
  Limits limits;
  limits.schema_steps = 2'000;
  const Result<CompiledGrammar> compiled = GrammarCompiler(TokenizerInfo::builtin(), limits)
                                               .compile_json_schema(R"({"items": {"allOf": [)" + branches + "]}}");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_string("[["), Step::kLimitExceeded);
  EXPECT_NE(matcher.limit_message().find("schema_steps"), std::string::npos) << matcher.limit_message();
}

}  // namespace
}  // namespace weir
