// Long enums of objects and arrays against the list of their texts, on which masks have to agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "weir/weir.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

// Returns the compact texts of a value: an object has one for each order of its members.
std::vector<std::string> texts_of(const Json& value) {
  if (!value.is_structured()) return {value.dump()};
  std::vector<std::size_t> order(value.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const char open = value.is_object() ? '{' : '[';
  const char close = value.is_object() ? '}' : ']';
  std::vector<std::string> all;
  do {
    std::vector<std::string> begun{{open}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto member = value.begin();
      std::advance(member, static_cast<std::ptrdiff_t>(order[i]));
      std::string before = i == 0 ? "" : ",";
      if (value.is_object()) before += Json(member.key()).dump() + ":";
      std::vector<std::string> longer;
      for (const std::string& text : begun) {
        for (const std::string& part : texts_of(*member)) longer.push_back(text + before + part);
      }
      begun = std::move(longer);
    }
    for (const std::string& text : begun) all.push_back(text + close);
  } while (value.is_object() && std::next_permutation(order.begin(), order.end()));
  return all;
}

// Options with which each value but an object has one text.
JsonSchemaOptions plain_options() {
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kNone;
  options.escapes = JsonSchemaOptions::Escapes::kRequired;
  options.exponents = false;
  options.integers = JsonSchemaOptions::Integers::kPlain;
  return options;
}

// Walks at random through both grammars and compares each mask.
void expect_same_masks(const CompiledGrammar& schema, const CompiledGrammar& list, const TokenizerInfo& tokenizer) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  std::vector<std::uint32_t> expected(mask.size());
  for (int walk = 0; walk < 60; ++walk) {
    GrammarMatcher matcher = GrammarMatcher::create(schema).value();
    GrammarMatcher other = GrammarMatcher::create(list).value();
    std::string text;
    while (!matcher.is_terminated()) {
      ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk) << text;
      ASSERT_EQ(other.fill_next_token_bitmask(expected), Step::kOk) << text;
      ASSERT_EQ(mask, expected) << text;
      std::vector<std::uint32_t> allowed;
      for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
        if (bitmask_get(mask, token)) allowed.push_back(token);
      }
      ASSERT_FALSE(allowed.empty()) << text;
      const std::uint32_t token = allowed[random() % allowed.size()];
      ASSERT_EQ(matcher.accept_token(token), Step::kOk);
      ASSERT_EQ(other.accept_token(token), Step::kOk);
      text += std::to_string(token) + " ";
    }
  }
}

void expect_texts(const std::function<Json(int)>& value, int count) {
  Json values = Json::array();
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    values.push_back(value(i));
    for (std::string& text : texts_of(values.back())) texts.push_back(std::move(text));
  }
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  GrammarCompiler compiler(tokenizer);
  const auto schema = compiler.compile_json_schema(Json{{"enum", values}}.dump(), plain_options());
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  const auto list = compiler.compile_choice(texts);
  ASSERT_TRUE(list.has_value()) << list.error().message;
  expect_same_masks(*schema, *list, tokenizer);
}

std::string name_of(int i) { return "n" + std::to_string(i * 7919 % 1'000) + (i % 10 == 0 ? "\"ü\n" : ""); }

TEST(LongEnums, ObjectsHaveTheMasksOfTheirTexts) {
  expect_texts(
      [](int i) {
        return Json{{"id", i}, {"name", name_of(i)}, {"kind", i % 3 == 0 ? Json(nullptr) : Json(i % 2 == 0)}};
      },
      400);
}

TEST(LongEnums, ObjectsOfSeveralFormsHaveTheMasksOfTheirTexts) {
  expect_texts(
      [](int i) {
        if (i == 0) return Json::object();
        if (i % 4 == 0) return Json{{"id", i}};
        if (i % 4 == 1) return Json{{"id", -i}, {"at", Json{{"x", i % 7}, {"y", Json::array({i % 5, name_of(i)})}}}};
        if (i % 4 == 2) return Json{{"name", name_of(i)}, {"id", i / 2}};
        return Json{{"id", Json::array()}, {"name", i}};
      },
      600);
}

TEST(LongEnums, ArraysHaveTheMasksOfTheirTexts) {
  expect_texts(
      [](int i) {
        if (i == 0) return Json::array();
        if (i % 3 == 0) return Json::array({i % 17, Json::array({i, name_of(i)})});
        if (i % 3 == 1) return Json::array({name_of(i)});
        return Json::array({i % 17, i, Json{{"a", i}, {"b", true}}});
      },
      500);
}

TEST(LongEnums, StringsAreOneTableAndHaveTheMasksOfTheirTexts) {
  expect_texts(
      [](int i) { return Json(name_of(i) + std::string(static_cast<std::size_t>(i % 90), 'x') + std::to_string(i)); },
      2'000);
}

// Between tags, and for strings also in a notation without quotes.
TEST(LongEnums, BetweenTagsAllowTheirValuesOnly) {
  Json values = Json::array();
  for (int i = 0; i < 400; ++i) {
    values.push_back(Json{{"id", i % 50}, {"name", name_of(i)}});
    values.push_back(Json::array({i % 50, name_of(i)}));
    values.push_back("word " + name_of(i) + std::string(100, 'x') + std::to_string(i));
  }
  const Json schema{{"type", "object"}, {"properties", {{"a", {{"enum", values}}}}}, {"required", {"a"}}};
  const Json tag{{"format", {{"type", "json_schema"}, {"style", "qwen_xml"}, {"json_schema", schema}}}};
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto compiled = GrammarCompiler(tokenizer).compile_structural_tag(tag.dump());
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  const auto takes = [&](const Json& value) {
    GrammarMatcher matcher = GrammarMatcher::create(*compiled).value();
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return matcher.accept_string("<parameter=a>\n" + text + "\n</parameter>") == Step::kOk && matcher.is_completed();
  };
  for (std::size_t i = 0; i < values.size(); i += 7) {
    EXPECT_TRUE(takes(values[i])) << values[i];
    if (!values[i].is_object()) continue;
    EXPECT_TRUE(takes(Json{{"name", values[i]["name"]}, {"id", values[i]["id"]}}));
    EXPECT_FALSE(takes(Json{{"id", (values[i]["id"].get<int>() + 1) % 50}, {"name", values[i]["name"]}}));
  }
  std::mt19937 random(7);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  for (int walk = 0; walk < 60; ++walk) {
    GrammarMatcher matcher = GrammarMatcher::create(*compiled).value();
    ASSERT_EQ(matcher.accept_string(walk % 3 == 0   ? "<parameter=a>{\""
                                    : walk % 3 == 1 ? "<parameter=a>["
                                                    : ""),
              Step::kOk);
    std::string written = walk % 3 == 0 ? "{\"" : walk % 3 == 1 ? "[" : "";
    for (int i = 0; i < 300 && !matcher.is_completed(); ++i) {
      ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk) << written;
      std::vector<std::uint32_t> allowed;
      for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
        if (bitmask_get(mask, token)) allowed.push_back(token);
      }
      ASSERT_FALSE(allowed.empty()) << written;
      const std::uint32_t token = allowed[random() % allowed.size()];
      ASSERT_EQ(matcher.accept_token(token), Step::kOk) << written;
      written += tokenizer.token_bytes(token);
    }
    ASSERT_TRUE(matcher.is_completed()) << written;
    const std::size_t begin = walk % 3 == 2 ? written.find('>') + 1 : 0;
    const std::string value = written.substr(begin, written.find("</parameter>") - begin);
    const auto is_value = [&](const Json& one) {
      if (!one.is_string())
        return Json::accept(value) && Json(nlohmann::json::parse(value)) == Json(nlohmann::json(one));
      return value.find(one.get<std::string>()) != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(values, is_value)) << written;
  }
}

// A schema of alternatives against the enum of the values that it allows.
void expect_alternatives(const Json& schema, const Json& values) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  GrammarCompiler compiler(tokenizer);
  const auto alternatives = compiler.compile_json_schema(schema.dump(), plain_options());
  ASSERT_TRUE(alternatives.has_value()) << alternatives.error().message;
  const auto list = compiler.compile_json_schema(Json{{"enum", values}}.dump(), plain_options());
  ASSERT_TRUE(list.has_value()) << list.error().message;
  expect_same_masks(*alternatives, *list, tokenizer);
}

TEST(SchemaConstants, AlternativesThatListValuesAreAnEnum) {
  for (const int count : {3, 400}) {
    Json values = Json::array();
    Json titled = Json::array();
    Json typed = Json::array();
    Json repeated = Json::array();
    Json once = Json::array();
    for (int i = 0; i < count; ++i) {
      const Json value = i % 5 == 0   ? Json(i)
                         : i % 5 == 1 ? Json(i + 0.5)
                         : i % 5 == 2 ? Json(name_of(i))
                         : i % 5 == 3 ? Json::array({i})
                                      : Json{{"a", i}};
      const char* const types[] = {"integer", "number", "string", "array", "object"};
      values.push_back(value);
      titled.push_back(Json{{"const", value}, {"title", "number " + std::to_string(i)}, {"x-order", i}});
      typed.push_back(Json{{"type", types[i % 5]}, {"enum", Json::array({value})}});
      repeated.push_back(Json{{"const", value}});
      if (i % 2 == 0) repeated.push_back(Json{{"type", types[i % 5]}, {"const", value}});
      if (i % 2 != 0) once.push_back(value);
    }
    expect_alternatives(Json{{"oneOf", titled}}, values);
    expect_alternatives(Json{{"anyOf", titled}}, values);
    expect_alternatives(Json{{"oneOf", typed}}, values);
    expect_alternatives(Json{{"anyOf", repeated}}, values);
    expect_alternatives(Json{{"oneOf", repeated}}, once);
    Json others = titled;
    others.push_back(Json{{"type", "null"}});
    values.push_back(nullptr);
    expect_alternatives(Json{{"oneOf", others}}, values);
    // {"a":4} is among the 400 values already, and then two alternatives allow it.
    others.push_back(
        Json{{"type", "object"}, {"properties", {{"a", {{"const", 4}}}}}, {"required", {"a"}}, {"maxProperties", 1}});
    if (count == 3) {
      values.push_back(Json{{"a", 4}});
    } else {
      values.erase(4);
    }
    expect_alternatives(Json{{"oneOf", others}}, values);
  }
}

// What other keywords leave of a long enum, by the kind of value.
TEST(SchemaConstants, OtherKeywordsLeaveAnEnum) {
  Json values = Json::array();
  for (int i = 0; i < 320; ++i) {
    values.push_back(i);
    values.push_back(name_of(i) + std::string(210, 'x') + std::to_string(i));
    values.push_back(Json::array({i, name_of(i)}));
    values.push_back(i % 3 == 0 ? Json{{"a", i}} : Json{{"b", i}, {"c", name_of(i)}});
  }
  const auto those = [&](const std::function<bool(const Json&, std::size_t)>& is_left) {
    Json left = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_left(values[i], i)) left.push_back(values[i]);
    }
    return left;
  };
  const auto is_some = [](const Json&, std::size_t i) { return i / 4 % 5 == 0; };
  const Json some = those(is_some);
  const Json others = those([&](const Json& value, std::size_t i) { return !is_some(value, i); });
  expect_alternatives(Json{{"enum", values}, {"not", {{"enum", some}}}}, others);
  Json another = some;
  another.push_back("another");
  expect_alternatives(Json{{"allOf", {Json{{"enum", values}}, Json{{"enum", another}}}}}, some);
  expect_alternatives(Json{{"enum", values}, {"type", {"integer", "object"}}},
                      those([](const Json& value, std::size_t) { return value.is_object() || value.is_number(); }));
  expect_alternatives(Json{{"enum", values}, {"required", {"b"}}, {"pattern", "^n1"}, {"minimum", 30}, {"maxItems", 1}},
                      those([](const Json& value, std::size_t) {
                        if (value.is_object()) return value.contains("b");
                        if (value.is_string()) return value.get<std::string>().starts_with("n1");
                        return value.is_number() && value.get<int>() >= 30;
                      }));
}

// The parser goes on with the sets of constants that compiling has made.
TEST(SchemaConstants, ConstantsThatAreExcluded) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const auto takes = [&](const char* schema, std::string_view text) {
    const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_json_schema(schema, plain_options());
    EXPECT_TRUE(compiled.has_value()) << schema;
    GrammarMatcher matcher(*compiled);
    return matcher.accept_string(text) == Step::kOk && matcher.is_completed();
  };
  const char* const objects = R"({"not": {"enum": [{"d": 1}, {"c": 1}]}})";
  EXPECT_TRUE(takes(objects, R"({"c":2})"));
  EXPECT_TRUE(takes(objects, R"({"c":1,"d":1})"));
  EXPECT_FALSE(takes(objects, R"({"c":1})"));
  const char* const nested =
      R"({"not": {"anyOf": [{"type": "integer"}, {"enum": [{"a": 0, "c": 1}, {"b": 0}, [1]]}]}})";
  EXPECT_TRUE(takes(nested, R"({"b":0,"a":0})"));
  EXPECT_TRUE(takes(nested, "[1,1]"));
  EXPECT_FALSE(takes(nested, R"({"c":1,"a":0})"));
  EXPECT_FALSE(takes(nested, "[1]"));
}

}  // namespace
}  // namespace weir
