// The dialect of Rust's regex crate.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/regex/syntax_testing.h"

namespace weir::regex::syntax_rust_test {
namespace {

using testing::Pattern;

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> in;
  std::vector<std::string_view> out;
  std::string_view letters = "r";
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Pattern pattern(c.pattern, c.letters);
    ASSERT_FALSE(pattern.failed()) << c.pattern << ": " << pattern.error().message;
    for (const std::string_view text : c.in) EXPECT_TRUE(pattern.matches(text)) << c.pattern << " :: " << text;
    for (const std::string_view text : c.out) EXPECT_FALSE(pattern.matches(text)) << c.pattern << " :: " << text;
  }
}

TEST(SyntaxRust, ClassesAreUnicodeOrAscii) {
  check({
      {R"(\d)", {"1", "٣"}, {"x"}},
      {R"(\w)", {"a", "é", "你", "\u0301"}, {"-"}},
      {R"(\s)", {" ", "\u00A0", "\u0085"}, {"\uFEFF"}},
      {R"((?-u:\d\w\s))", {"1a ", "0_\v"}, {"٣a ", "1é ", "1a\u00A0"}},
      {R"((?-u)\d(?u:\d))", {"1٣"}, {"٣1"}},
      {R"((?i)k)", {"k", "K", "\u212A"}, {}},
      {R"((?i-u)k[s])", {"KS", "ks"}, {"\u212As", "k\u017F"}},
      {R"(\bé\b)", {"é"}, {}},
  });
}

TEST(SyntaxRust, LineEndsAreLineFeeds) {
  check({
      {".", {"\r", "\u2028", "a"}, {"\n"}},
      {"(?s).", {"\n"}, {}},
      {"(?m)a$.^b", {}, {"a\nb", "a\rb"}},
      {"(?ms)a$.^b", {"a\nb"}, {"a\rb", "a\u2028b"}},
      {"a$", {"a"}, {"a\n"}},
      {"a$", {"a", "ba"}, {"a\n"}, "rf"},
  });
}

TEST(SyntaxRust, SetOperations) {
  check({
      {R"([a-z&&[^b]])", {"a", "c"}, {"b"}},
      {R"([\w--\d])", {"a", "é"}, {"1"}},
      {R"([a-f~~d-h])", {"a", "g"}, {"e"}},
      {R"([a[bc]][[:alpha:]--b])", {"ba"}, {"bb"}},
      {R"([]a])", {"]", "a"}, {"b"}},
      {R"([^]a])", {"b"}, {"]", "a"}},
      {R"([]-a])", {"]", "^", "a"}, {"b"}},
      {"(?x)[ a \n # not this\n b ]", {"a", "b"}, {" ", "#", "n", "\n"}},
      {"(?x)[ a - c ]", {"b"}, {"-", " "}},
  });
}

TEST(SyntaxRust, QuantifiersAfterQuantifiers) {
  check({
      {"a**", {"", "aaa"}, {"b"}},
      {"a++b", {"ab", "aab"}, {"b"}},
      {"a{2}{3}", {"aaaaaa"}, {"aaaaa"}},
      {"a?+", {"", "aa"}, {}},
      {"a+?", {"a", "aa"}, {""}},
      {"(?U)a+?(?U:b*)", {"aab"}, {""}},
  });
}

TEST(SyntaxRust, Escapes) {
  check({
      {R"(\a\x41\u0042\u{43}\U00000044\U{45})", {"\aABCDE"}, {}},
      {R"((?-u)\x41\x7F\x{42})",
       {"A\x7F"
        "B"},
       {}},
      {R"(\xE9)", {"é"}, {}},
      {R"([\a])", {"\a"}, {"a"}},
      {R"(\&\~\-\#\ \_)", {"&~-# _"}, {}},
      {R"(\p{Greek}\pL\PL)", {"αa1"}, {"aa1"}},
      {R"((?P<n>a)(?<m>b))", {"ab"}, {}},
  });
}

TEST(SyntaxRust, WhatIsRefused) {
  struct Refused {
    std::string_view pattern;
    std::string_view says;
    SourceRange where;
  };
  const Refused cases[] = {
      {R"((?-u).)", "single bytes", {5, 6}},       {R"((?-u)[^a])", "single bytes", {5, 9}},
      {R"((?-u)\W)", "single bytes", {5, 7}},      {R"((?-u)[\D])", "single bytes", {6, 8}},
      {R"((?-u)\xFF)", "single bytes", {5, 9}},    {R"(a\b{start})", "word boundary `\\b{start}`", {1, 10}},
      {R"((?-u)a\P{L})", "single bytes", {6, 11}}, {R"((?-u)[\p{^L}])", "single bytes", {6, 12}},
      {R"(\<a)", "word boundary `\\<`", {0, 2}},   {R"((a)\1)", "back-reference", {3, 5}},
  };
  for (const Refused& c : cases) {
    const Pattern pattern(c.pattern, "r");
    ASSERT_TRUE(pattern.failed()) << c.pattern;
    EXPECT_EQ(pattern.error().code, ErrorCode::kUnsupported) << c.pattern;
    EXPECT_NE(pattern.error().message.find(c.says), std::string::npos) << pattern.error().message;
    EXPECT_EQ(pattern.error().where, c.where)
        << c.pattern << ": " << pattern.error().where.start << ", " << pattern.error().where.end;
  }
}

TEST(SyntaxRust, UnknownPropertiesAreShownWhereTheyStand) {
  for (const std::string_view pattern : {R"((?u:)a\p{Nope})", R"((?-u)a\p{Nope})", R"((?-u)[\p{Nope}])"}) {
    const Pattern parsed(pattern, "r");
    ASSERT_TRUE(parsed.failed()) << pattern;
    EXPECT_EQ(parsed.error().code, ErrorCode::kSyntax) << pattern;
    EXPECT_EQ(parsed.error().where, (SourceRange{9, 13})) << pattern << ": " << parsed.error().where.start;
  }
}

}  // namespace
}  // namespace weir::regex::syntax_rust_test
