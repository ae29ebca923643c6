#include "base/json/json_value.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace weir::base {
namespace {

JsonDocument read(std::string_view text) {
  Result<JsonDocument> document = JsonDocument::parse(text, Limits{});
  EXPECT_TRUE(document.has_value()) << text << (document ? "" : ": " + document.error().message);
  return document ? std::move(*document) : *JsonDocument::parse("null", Limits{});
}

Error refuse(std::string_view text, const Limits& limits = {}) {
  const Result<JsonDocument> document = JsonDocument::parse(text, limits);
  EXPECT_FALSE(document.has_value()) << text;
  return document ? Error{} : document.error();
}

std::string at(std::string_view text, SourceRange where) {
  return std::string(text.substr(where.start, where.end - where.start));
}

TEST(JsonValue, KeepsOrderAndPlaces) {
  const std::string text = "\xEF\xBB\xBF {\"b\": [1, true ,null], \"a\" : {\"x\":\"y\"}, \"\":-1.5e3}\n";
  const JsonDocument document = read(text);
  const JsonValue& root = document.root();
  ASSERT_EQ(root.members().size(), 3U);
  EXPECT_EQ(root.members()[0].key, "b");
  EXPECT_EQ(at(text, root.members()[0].key_where), "\"b\"");
  EXPECT_EQ(at(text, root.members()[0].value.where()), "[1, true ,null]");
  EXPECT_EQ(root.members()[1].key, "a");
  EXPECT_EQ(root.members()[2].key, "");
  EXPECT_EQ(at(text, root.find("")->where()), "-1.5e3");
  EXPECT_EQ(root.find("")->number(), Decimal(-1500));
  const JsonValue& array = *root.find("b");
  ASSERT_EQ(array.items().size(), 3U);
  EXPECT_EQ(at(text, array.items()[1].where()), "true");
  EXPECT_TRUE(array.items()[1].boolean());
  EXPECT_TRUE(array.items()[2].is(JsonType::kNull));
  EXPECT_EQ(root.find("a")->find("x")->string(), "y");
  EXPECT_EQ(root.find("c"), nullptr);
  EXPECT_EQ(array.find("x"), nullptr);
  EXPECT_TRUE(array.members().empty());
  EXPECT_EQ(at(text, root.where()), text.substr(4, text.size() - 5));
}

TEST(JsonValue, DecodesStrings) {
  const JsonDocument document = read(R"(["", "\"\\\/\b\f\n\r\t", "\u0041\u00e9\u4F60\uD83d\ude00", "é你", "\u0000"])");
  const auto items = document.root().items();
  EXPECT_EQ(items[0].string(), "");
  EXPECT_EQ(items[1].string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(items[2].string(), "Aé你😀");
  EXPECT_EQ(items[3].string(), "é你");
  EXPECT_EQ(items[4].string(), std::string_view("\0", 1));
  EXPECT_EQ(document.lone_surrogate(), std::nullopt);
}

TEST(JsonValue, FindsWhatEndsAStringAtAnyOffset) {
  for (std::size_t before = 0; before < 18; ++before) {
    for (std::size_t after = 0; after < 18; ++after) {
      const std::string first(before, 'a'), rest(after, 'b');
      EXPECT_EQ(read('"' + first + "\\n" + rest + '"').root().string(), first + '\n' + rest);
      EXPECT_EQ(read('"' + first + "\xC3\xA9" + rest + '"').root().string(), first + "\xC3\xA9" + rest);
      EXPECT_EQ(refuse('"' + first + '\n' + rest + '"').where.start, before + 1);
      EXPECT_EQ(refuse('"' + first + '"' + rest + '"').where.start, before + 2);
    }
    EXPECT_EQ(refuse('"' + std::string(before, 'a')).where.start, before + 1);
  }
}

TEST(JsonValue, KeepsLoneSurrogatesAndTells) {
  const JsonDocument document = read(R"(["\ud800", "\udc00x", "\ud800\ud83d\ude00", "\ud800A"])");
  EXPECT_EQ(document.lone_surrogate(), 2U);
  const auto items = document.root().items();
  EXPECT_EQ(items[0].string(), "\xED\xA0\x80");
  EXPECT_EQ(items[1].string(), "\xED\xB0\x80x");
  EXPECT_EQ(items[2].string(), "\xED\xA0\x80😀");
  EXPECT_EQ(items[3].string(),
            "\xED\xA0\x80"
            "A");
}

TEST(JsonValue, TheLastOfEqualKeysCounts) {
  const std::string text = R"({"a": 1, "b": 2, "\u0061": 3, "a": 4})";
  const JsonDocument document = read(text);
  ASSERT_EQ(document.root().members().size(), 2U);
  EXPECT_EQ(document.root().find("a")->number(), Decimal(4));
  EXPECT_EQ(document.root().find("b")->number(), Decimal(2));
  ASSERT_EQ(document.duplicate_keys().size(), 2U);
  EXPECT_EQ(document.duplicate_keys()[0].overridden.start, text.find("\"a\""));
  EXPECT_EQ(at(text, document.duplicate_keys()[1].overridden), "\"\\u0061\"");
  for (const DuplicateKey& key : document.duplicate_keys()) EXPECT_EQ(key.overriding.start, text.rfind("\"a\""));
}

TEST(JsonValue, TheLastOfEqualKeysCountsInLargeObjects) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i) text += "\"k" + std::to_string(i * i % 100) + "\": " + std::to_string(i) + ", ";
  const JsonDocument document = read(text + "\"end\": 0}");
  std::map<std::string, int> last;
  for (int i = 0; i < 300; ++i) last["k" + std::to_string(i * i % 100)] = i;
  ASSERT_EQ(document.root().members().size(), last.size() + 1);
  for (const auto& [key, value] : last) EXPECT_EQ(document.root().find(key)->number(), Decimal(value)) << key;
  EXPECT_EQ(document.duplicate_keys().size(), 300 - last.size());
}

TEST(JsonValue, LargeObjectsFindEveryKey) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i)
    text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i * 7919 % 1000) + "\":" + std::to_string(i);
  const JsonDocument document = read(text + "}");
  for (int i = 0; i < 1000; ++i) {
    const JsonValue* value = document.root().find("k" + std::to_string(i * 7919 % 1000));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->number(), Decimal(i));
  }
  EXPECT_EQ(document.root().find("k1000"), nullptr);
  EXPECT_EQ(document.root().members()[1].key, "k919");
}

TEST(JsonValue, EqualityIsByValueAndUnordered) {
  const std::vector<std::vector<const char*>> classes = {
      {"1", "1.0", "1e0"},
      {"\"1\""},
      {"true"},
      {"false"},
      {"null"},
      {"0", "-0"},
      {"[]"},
      {"{}"},
      {"\"\""},
      {"[1,2]", "[1.0, 2e0]"},
      {"[2,1]"},
      {"[1]"},
      {"[[1]]"},
      {R"({"a":1,"b":[{"x":1,"y":2}]})", R"({"b":[{"y":2.0,"x":1}],"\u0061":1})"},
      {R"({"a":1})"},
      {R"({"a":1,"b":1})"},
      {R"({"a":1,"b":2})"},
      {R"({"a":2,"b":1})"},
      {R"("\u00e9")", "\"é\""},
      {R"("e\u0301")"}};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const char* a : classes[i]) {
      for (std::size_t j = 0; j < classes.size(); ++j) {
        for (const char* b : classes[j]) {
          const JsonDocument x = read(a);
          const JsonDocument y = read(b);
          EXPECT_EQ(x.root() == y.root(), i == j) << a << " " << b;
          EXPECT_EQ(x.root().hash() == y.root().hash(), i == j) << a << " " << b;
        }
      }
    }
  }
}

TEST(JsonValue, LargeObjectsAreEqualWhateverTheirOrder) {
  std::string up = "{";
  std::string down = "{";
  for (int i = 0; i < 100; ++i) {
    up += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":" + std::to_string(i);
    down += (i == 0 ? "\"" : ",\"") + std::to_string(99 - i) + "\":" + std::to_string(99 - i);
  }
  EXPECT_EQ(read(up + "}").root(), read(down + "}").root());
  EXPECT_EQ(read(up + "}").root().hash(), read(down + "}").root().hash());
  EXPECT_FALSE(read(up + "}").root() == read(down + ",\"x\":1}").root());
}

TEST(JsonValue, RefusesWithThePlace) {
  struct Case {
    std::string text;
    std::size_t at;
  };
  for (const Case& c : std::vector<Case>{{"", 0},
                                         {" ", 1},
                                         {"[1,]", 2},
                                         {"[1 2]", 3},
                                         {"[", 1},
                                         {"{\"a\":1,}", 6},
                                         {"{a:1}", 1},
                                         {"{\"a\" 1}", 5},
                                         {"{\"a\":}", 5},
                                         {"{\"a\":1", 6},
                                         {"tru", 0},
                                         {"nul", 0},
                                         {"1 2", 2},
                                         {"01", 0},
                                         {"[-]", 2},
                                         {"\"\t\"", 1},
                                         {"\"a", 2},
                                         {"\"\\x\"", 1},
                                         {"\"\\u12g4\"", 1},
                                         {"\"\\ud800\\u\"", 7},
                                         {"'a'", 0},
                                         {"\"a\xFF\"", 2},
                                         {"[\xC0\x80]", 1},
                                         {"// x\n1", 0},
                                         {"\v1", 0},
                                         {"NaN", 0},
                                         {"\xEF\xBB\xBF\xEF\xBB\xBF"
                                          "1",
                                          3}}) {
    const Error error = refuse(c.text);
    EXPECT_EQ(error.code, ErrorCode::kSyntax) << c.text;
    EXPECT_EQ(error.where.start, c.at) << c.text << ": " << error.message;
    EXPECT_LE(error.where.end, c.text.size()) << c.text;
    EXPECT_FALSE(error.message.empty());
  }
}

TEST(JsonValue, ATrailingComma) {
  for (const auto& [text, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"[1 , ]", "a comma before `]`"}, {"{\"a\",}", "expected `:`"}, {"{\"a\":1,}", "a comma before `}`"}}) {
    const Error error = refuse(text);
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.hint.empty(), error.message[0] == 'e');
    EXPECT_EQ(std::string_view(text)[error.where.start], ',');
  }
}

TEST(JsonValue, Limits) {
  Limits limits;
  limits.nesting = 3;
  EXPECT_TRUE(JsonDocument::parse("[[{\"a\":1}]]", limits).has_value());
  Error error = refuse("[[[[1]]]]", limits);
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(error.limit, "nesting");
  EXPECT_EQ(error.where.start, 3U);
  limits.text_bytes = 4;
  EXPECT_EQ(refuse("12345", limits).limit, "text_bytes");
  limits = {};
  limits.number_digits = 2;
  error = refuse("[1, 234]", limits);
  EXPECT_EQ(error.limit, "number_digits");
  EXPECT_EQ(error.where, (SourceRange{4, 7}));
  EXPECT_EQ(refuse(std::string(100'000, '['), Limits{}).limit, "nesting");
}

TEST(JsonValue, ValuesStayWhereTheyAreWhenTheDocumentMoves) {
  JsonDocument document = read("[\"a\\n\", 12]");
  const JsonValue* first = &document.root().items()[0];
  const JsonDocument moved = std::move(document);
  EXPECT_EQ(&moved.root().items()[0], first);
  EXPECT_EQ(first->string(), "a\n");
}

}  // namespace
}  // namespace weir::base
