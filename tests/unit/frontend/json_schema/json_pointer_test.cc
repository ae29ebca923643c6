#include "frontend/json_schema/source/json_pointer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

// The example document of RFC 6901, section 5.
constexpr const char* kDocument =
    R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8})";

TEST(JsonPointer, ExamplesOfTheRfc) {
  const JsonDocument document = *JsonDocument::parse(kDocument, Limits{});
  const std::vector<std::pair<const char*, int>> cases = {{"/", 0},     {"/a~1b", 1}, {"/c%d", 2},
                                                          {"/e^f", 3},  {"/g|h", 4},  {"/i\\j", 5},
                                                          {"/k\"l", 6}, {"/ ", 7},    {"/m~0n", 8}};
  for (const auto& [pointer, value] : cases) {
    const auto tokens = parse_pointer(pointer);
    ASSERT_TRUE(tokens.has_value()) << pointer;
    const JsonValue* found = find_pointer(document.root(), *tokens);
    ASSERT_NE(found, nullptr) << pointer;
    EXPECT_EQ(found->number(), Decimal(value)) << pointer;
    EXPECT_EQ(pointer_to(document.root(), *found), pointer);
  }
  EXPECT_EQ(find_pointer(document.root(), *parse_pointer("")), &document.root());
  EXPECT_EQ(find_pointer(document.root(), *parse_pointer("/foo"))->items().size(), 2U);
  EXPECT_EQ(find_pointer(document.root(), *parse_pointer("/foo/0"))->string(), "bar");
}

TEST(JsonPointer, FindsNothingWhereNothingIs) {
  const JsonDocument document = *JsonDocument::parse(kDocument, Limits{});
  for (const char* pointer : {"/x", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/", "/foo/0/0", "/foo/+1",
                              "/foo/1e0", "/foo/18446744073709551616", "//", "/foo/99999999999999999999999999"}) {
    EXPECT_EQ(find_pointer(document.root(), *parse_pointer(pointer)), nullptr) << pointer;
  }
}

TEST(JsonPointer, RefusesMalformed) {
  for (const auto& [pointer, at] :
       std::vector<std::pair<const char*, std::size_t>>{{"a", 0}, {"/~", 1}, {"/a~2", 2}, {"/~~0", 1}, {"#/a", 0}}) {
    const auto tokens = parse_pointer(pointer);
    ASSERT_FALSE(tokens.has_value()) << pointer;
    EXPECT_EQ(tokens.error().where.start, at) << pointer;
  }
}

TEST(JsonPointer, EveryKeyAndPlaceGoesThereAndBack) {
  const JsonDocument document = *JsonDocument::parse(
      R"({"~1": [[], [{"/": {"~": null}}, 1], {}], "é": {"": {"": [true]}}, "0": [0, [1, [2, [3]]]]})", Limits{});
  std::vector<std::pair<const JsonValue*, std::string>> work = {{&document.root(), ""}};
  std::size_t count = 0;
  while (!work.empty()) {
    const auto [value, pointer] = work.back();
    work.pop_back();
    ++count;
    EXPECT_EQ(pointer_to(document.root(), *value), pointer);
    EXPECT_EQ(pointer_at(document.root(), value->where()), pointer);
    EXPECT_EQ(find_pointer(document.root(), *parse_pointer(pointer)), value);
    for (const JsonMember& member : value->members()) {
      std::string child = pointer;
      append_to_pointer(child, member.key);
      EXPECT_EQ(pointer_at(document.root(), member.key_where), child);
      work.emplace_back(&member.value, child);
    }
    for (std::size_t i = 0; i < value->items().size(); ++i) {
      std::string child = pointer;
      append_to_pointer(child, i);
      work.emplace_back(&value->items()[i], child);
    }
  }
  EXPECT_EQ(count, 21U);
  const JsonDocument other = *JsonDocument::parse("{}", Limits{});
  EXPECT_EQ(pointer_to(document.root(), other.root()), "");
}

TEST(JsonPointer, PercentDecoding) {
  EXPECT_EQ(percent_decode("/c%25d%20%E4%bd%A0"), "/c%d 你");
  EXPECT_EQ(percent_decode("plain"), "plain");
  for (const auto& [text, at] :
       std::vector<std::pair<const char*, std::size_t>>{{"%", 0}, {"ab%4", 2}, {"%zz", 0}, {"a%2G", 1}}) {
    const Result<std::string> decoded = percent_decode(text);
    ASSERT_FALSE(decoded.has_value()) << text;
    EXPECT_EQ(decoded.error().where.start, at) << text;
  }
}

TEST(JsonPointer, FindsSlashesAndEscapesAtAnyOffset) {
  for (std::size_t size = 0; size < 18; ++size) {
    const std::string name(size, 'a');
    const auto tokens = parse_pointer("/" + name + "~1b~0/" + name + "/c");
    ASSERT_TRUE(tokens.has_value());
    EXPECT_EQ(*tokens, (std::vector<std::string>{name + "/b~", name, "c"}));
    const auto wrong = parse_pointer("/" + name + "~2");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().where.start, size + 1);
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
