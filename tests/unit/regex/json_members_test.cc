// Members of JSON strings that are read off the structure of their contents.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"
#include "unit/regex/pattern_test.h"

namespace weir::regex {
namespace {

using JsonMembers = PatternTest;

// If a shortest member has no escapes, it is read off the structure of the contents, and no derivatives are computed.
TEST_F(JsonMembers, WithoutEscapesAreReadOff) {
  for (const char* pattern : {"name", "", ".{3,}", "(long|word|a{4})", "[\\x00-a]\"?", "(ab*){1000}", "x[^a]?|yyy"}) {
    const ExprId e = exprs_.concat(json_string(exprs_, regex(pattern)), exprs_.literal(" :"));
    const std::size_t nodes = exprs_.node_count();
    ASSERT_TRUE(has_plain_member(exprs_, e, 100)) << pattern;
    std::string member;
    append_plain_member(exprs_, e, member);
    EXPECT_EQ(exprs_.node_count(), nodes) << pattern;
    EXPECT_TRUE(exprs_.matches(e, member)) << pattern << ": " << member;
    EXPECT_EQ(member.size(), shortest_member(exprs_, e, 200'000).value().size()) << pattern;
  }
  // This also works inside the text. It does not if a shortest member may need an escape or has a character outside
  // ASCII, nor inside an escape.
  for (const char* pattern : {"\"", "a\\x01", "é", "(\"|bb)"}) {
    EXPECT_FALSE(has_plain_member(exprs_, json_string(exprs_, regex(pattern)), 100)) << pattern;
  }
  ExprId rest = json_string(exprs_, regex("name"));
  for (const char* const text : {"\"", "n", "\\"}) {
    rest = exprs_.derivative(rest, static_cast<std::uint8_t>(*text));
    EXPECT_EQ(has_plain_member(exprs_, rest, 100), *text != '\\') << text;
  }
  // The search finishes an escape and reads off the rest. It does not examine other spellings of the rest.
  const std::size_t nodes = exprs_.node_count();
  EXPECT_EQ(any_shortest_member(exprs_, exprs_.derivative(json_string(exprs_, regex("\"[a-z]{50}")), '"'), 100).value(),
            "\\\"" + std::string(50, 'a') + "\"");
  EXPECT_LE(exprs_.node_count() - nodes, 20U);
  // The same set inside and outside of a string: `"` needs an escape only inside the string.
  const ExprId quote_or_a = exprs_.byte_set(ByteSet::of('"') | ByteSet::of('a'));
  std::string member;
  append_plain_member(exprs_, exprs_.concat(quote_or_a, json_string(exprs_, quote_or_a)), member);
  EXPECT_EQ(member, "a\"a\"");
}

// What an escape can become depends on the options. Where a letter has no escape, a string of letters has no member
// that begins with one.
TEST_F(JsonMembers, NoEscapeBeginsAtTheEndOfTheContents) {
  const ExprId rest = exprs_.concat(json_string_tail(exprs_, exprs_.literal("a")), exprs_.literal(":"));
  EXPECT_NE(exprs_.derivative(rest, '\\'), ExprId::kNothing);
  EXPECT_EQ(exprs_.derivative(exprs_.derivative(rest, 'a'), '\\'), ExprId::kNothing);
}

TEST_F(JsonMembers, WithinAnEscapeDependOnTheOptions) {
  for (const JsonEscapes escapes : {JsonEscapes::kAll, JsonEscapes::kShort, JsonEscapes::kRequired}) {
    const auto after = [&](const char* pattern, std::string_view text) {
      ExprId e = json_string(exprs_, regex(pattern), {.escapes = escapes});
      for (const char c : text) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
      return emptiness(exprs_, e, 100);
    };
    const Emptiness letters = escapes == JsonEscapes::kAll ? Emptiness::kNonEmpty : Emptiness::kEmpty;
    for (const char* text : {"\"\\", "\"\\u", "\"\\u0"}) {
      EXPECT_EQ(after("[a-z]{3}", text), letters) << text;
      EXPECT_EQ(after("\\x01[a-z]*", text), Emptiness::kNonEmpty) << text;
    }
    EXPECT_EQ(after("\"[a-z]*", "\"\\"), Emptiness::kNonEmpty);
    EXPECT_EQ(after("\"[a-z]*", "\"\\u"), letters);
  }
}

// No member of these contents can be read off. A search of the contents finds one, which is then known in all states of
// the decoder; a search of the texts makes an expression for each spelling of each character.
TEST_F(JsonMembers, OfSearchedContentsAreKnownWithinEscapes) {
  const ExprId contents = regex("([^/]+\\.)+[^/.]+&.{10,100}");
  for (const JsonEscapes escapes : {JsonEscapes::kAll, JsonEscapes::kShort, JsonEscapes::kRequired}) {
    const ExprId string = json_string_tail(exprs_, contents, {.escapes = escapes});
    for (const char* text : {"", "a", "ab.c", "\\", "a\\", "ab.c\\", "ab.cd\\u", "ab.cde\\u0", "ab.cdef\\u002"}) {
      ExprId e = string;
      for (const char c : std::string_view(text)) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
      const bool is_all = escapes == JsonEscapes::kAll;
      if (!is_all && std::string_view(text).find("\\u") != std::string_view::npos) continue;
      const std::size_t nodes = exprs_.node_count();
      EXPECT_EQ(emptiness(exprs_, e, 1'000), Emptiness::kNonEmpty) << text;
      EXPECT_LE(exprs_.node_count() - nodes, 60U) << text;
    }
  }
}

// Only texts beyond ASCII, none that is UTF-8, none with the character that is being read, and a JSON string in another.
TEST_F(JsonMembers, AreJudgedRightlyWhereNoTextIsFound) {
  const auto after = [&](ExprId contents, std::string_view text) {
    ExprId e = json_string(exprs_, contents);
    for (const char c : text) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
    return emptiness(exprs_, e, 10'000);
  };
  const ExprId wide = exprs_.intersection(regex("[à-ÿ]+é[à-ÿ]*"), regex(".{3,9}"));
  for (const char* text : {"\"", "\"à", "\"\\", "\"\\u", "\"\\u00e"})
    EXPECT_EQ(after(wide, text), Emptiness::kNonEmpty) << text;
  EXPECT_EQ(after(wide, "\"\\u002"), Emptiness::kEmpty);
  const ExprId broken = exprs_.concat(regex("[ab]{2,8}&~(a*)"), exprs_.byte_set(ByteSet::of(0x80)));
  for (const char* text : {"\"", "\"b", "\"\\", "\"b\\u0"}) EXPECT_EQ(after(broken, text), Emptiness::kEmpty) << text;
  const ExprId nested = json_string(exprs_, regex("[ab]{2,8}&~(a*)"));
  for (const char* text : {"\"", "\"\\\"b", "\"\\", "\"\\\"b\\"})
    EXPECT_EQ(after(nested, text), Emptiness::kNonEmpty) << text;
  const ExprId ends = json_string(exprs_, regex("[ab]{2,8}&~(b*|.*a.*)"));
  EXPECT_EQ(after(ends, "\""), Emptiness::kEmpty);
}

}  // namespace
}  // namespace weir::regex
