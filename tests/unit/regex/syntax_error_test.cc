// Every error: its code, range and message.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "unit/regex/syntax_testing.h"

namespace weir::regex::syntax_error_test {
namespace {

using testing::Pattern;
using namespace std::string_view_literals;

struct Case {
  std::string_view pattern;
  SourceRange where;
  std::string_view message;    ///< A part of the message.
  std::string_view hint = "";  ///< A part of the hint.
  std::string_view options = "";
};

void check(const std::vector<Case>& cases, ErrorCode code) {
  for (const Case& c : cases) {
    Pattern pattern(c.pattern, c.options);
    ASSERT_TRUE(pattern.failed()) << c.pattern;
    const Error& error = pattern.error();
    EXPECT_EQ(error.code, code) << c.pattern << ": " << error.message;
    EXPECT_EQ(error.where, c.where) << c.pattern << ": " << error.where.start << ", " << error.where.end;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << c.pattern << ": " << error.message;
    EXPECT_NE(error.hint.find(c.hint), std::string::npos) << c.pattern << ": " << error.hint;
    EXPECT_LE(error.where.end, c.pattern.size());
    EXPECT_TRUE(error.limit.empty());
  }
}

TEST(SyntaxErrors, Groups) {
  check(
      {
          {"a(b", {1, 2}, "group is not closed", "`)`"},
          {"((a)", {0, 1}, "group is not closed"},
          {"a)b", {1, 2}, "no group is open", "\\)"},
          {"(?", {0, 2}, "flags are not closed"},
          {"(?)", {0, 3}, "flags are expected", "i, m, s, u and x"},
          {"(?:a", {0, 1}, "group is not closed"},
          {"(?-)a", {0, 4}, "flags are expected"},
          {"(?i-:a)", {0, 5}, "flags are expected"},
          {"(?q)a", {2, 3}, "unknown flag `q`", "i, m, s, u and x"},
          {"(?a)a", {2, 3}, "unknown flag `a`", "i, m, s, u and x"},
          {"(?你)a", {2, 5}, "unknown flag `你`"},
          {"(?--i)a", {3, 4}, "unknown flag `-`"},
          {"(?^i)a", {2, 3}, "unknown flag `^`"},
          {"(?i", {0, 3}, "flags are not closed"},
          {"a(?#b", {1, 4}, "comment is not closed"},
          {"(?<>a)", {0, 4}, "name is empty", "(?:"},
          {"(?<1>a)", {3, 4}, "`1` cannot stand here"},
          {"(?<a-b>c)", {4, 5}, "`-` cannot stand here"},
          {"(?<a", {0, 4}, "name is not closed", "`>`"},
          {"(?P<a b>c)", {5, 6}, "` ` cannot stand here"},
          {"(?'a'b)", {0, 3}, "unknown kind of group", "(?<name>"},
          {"(?Pa)", {0, 3}, "unknown kind of group"},
      },
      ErrorCode::kSyntax);
}

TEST(SyntaxErrors, Quantifiers) {
  check(
      {
          {"*", {0, 1}, "`*` has nothing to repeat", "backslash"},
          {"a|+", {2, 3}, "`+` has nothing to repeat"},
          {"(?)", {0, 3}, ""},
          {"(?:?)", {3, 4}, "`?` has nothing to repeat"},
          {"{2}", {0, 3}, "`{2}` has nothing to repeat"},
          {"(?i)*", {4, 5}, "has nothing to repeat"},
          {"a**", {2, 3}, "after another", "(?:...)*"},
          {"a{2}{3}", {4, 7}, "after another", "(?:...){3}"},
          {"a???", {3, 4}, "after another"},
          {"a+ ?", {3, 4}, "after another", "", "x"},
          {"a{3,2}", {1, 6}, "out of order", "{2,3}"},
          {"a{,2}", {1, 5}, "dialects differ", "{0,2}"},
          {"a{ 1,2 }", {1, 8}, "dialects differ", "{1,2}"},
          {"a{1 }", {1, 5}, "dialects differ", "{1}"},
          {"a{1, }", {1, 6}, "dialects differ", "{1,}"},
          {"{,2}", {0, 4}, "dialects differ"},
      },
      ErrorCode::kSyntax);
}

TEST(SyntaxErrors, Escapes) {
  check(
      {
          {"a\\", {1, 2}, "ends with a backslash", "\\\\"},
          {"[a\\", {2, 3}, "ends with a backslash"},
          {"\\q", {0, 2}, "unknown escape `\\q`", "without the backslash"},
          {"\\a", {0, 2}, "unknown escape `\\a`", "\\x07"},
          {"\\e", {0, 2}, "unknown escape", "\\x1B"},
          {"\\h\\H", {0, 2}, "unknown escape", "\\p{Zs}"},
          {"\\N", {0, 2}, "unknown escape", "[^\\n]"},
          {"\\R", {0, 2}, "unknown escape", "\\r\\n"},
          {"\\V", {0, 2}, "unknown escape"},
          {"a\\你", {1, 5}, "unknown escape", "without the backslash"},
          {"[\\y]", {1, 3}, "unknown escape"},
          {"[\\B]", {1, 3}, "cannot stand in a class"},
          {"[\\A]", {1, 3}, "cannot stand in a class"},
          {"\\x4", {0, 3}, "needs 2 hexadecimal digits", "\\x{...}"},
          {"\\xg1", {0, 2}, "needs 2 hexadecimal digits"},
          {"\\u12", {0, 4}, "needs 4 hexadecimal digits", "\\u{...}"},
          {"\\U0001F60", {0, 9}, "needs 8 hexadecimal digits"},
          {"\\u{}", {0, 4}, "hexadecimal digits and `}` are expected"},
          {"\\u{12", {0, 5}, "hexadecimal digits and `}` are expected"},
          {"\\u{1G}", {0, 5}, "hexadecimal digits and `}` are expected"},
          {"\\u{110000}", {0, 10}, "code points end at U+10FFFF"},
          {"\\x{FFFFFFFFFFFFFFFFFF}", {0, 22}, "code points end at U+10FFFF"},
          {"\\U00110000", {0, 10}, "code points end at U+10FFFF"},
          {"a\\uD83D", {1, 7}, "surrogate", "\\uD83D\\uDE00"},
          {"\\uDE00", {0, 6}, "surrogate"},
          {"\\uD83D\\u0041", {0, 6}, "surrogate"},
          {"\\uD83D\\uDE0", {0, 6}, "surrogate"},
          {"\\u{D83D}\\u{DE00}", {0, 8}, "surrogate"},
          {"\\c", {0, 2}, "a letter is expected", "\\cJ"},
          {"\\c1", {0, 2}, "a letter is expected"},
          {"\\07", {0, 3}, "octal", "\\x"},
          {"[\\1]", {1, 3}, "octal", "\\x"},
          {"[\\07]", {1, 4}, "octal"},
      },
      ErrorCode::kSyntax);
}

TEST(SyntaxErrors, Properties) {
  check(
      {
          {"\\p", {0, 2}, "a property is expected", "\\p{Letter}"},
          {"\\p1", {0, 2}, "a property is expected"},
          {"a\\p{L", {1, 4}, "not closed", "`}`"},
          {"\\p{}", {3, 3}, "unknown Unicode property ``"},
          {"\\p{Uppercas}", {3, 11}, "unknown Unicode property `Uppercas`", "`Uppercase`"},
          {"\\p{Grek_}\\p{Greeek}", {12, 18}, "unknown Unicode property `Greeek`", "`Greek`"},
          {"\\P{^Lettr}", {4, 9}, "unknown Unicode property `Lettr`", "`Letter`"},
          {"\\pX", {2, 3}, "unknown Unicode property `X`"},
          {"\\p{Script=Latn1}", {10, 15}, "unknown value `Latn1` of the Unicode property `Script`", "`Latn`"},
          {"\\p{gc=Greek}", {6, 11}, "unknown value `Greek`"},
          {"\\p{Scripts=Greek}", {3, 10}, "unknown Unicode property `Scripts`", "Script_Extensions"},
          {"\\p{Alphabetic=Yes}", {3, 13}, "has no values"},
          {"\\p{Script}", {3, 9}, "needs a value", "=Latin"},
          {"\\p{gc}", {3, 5}, "needs a value", "=Lu"},
          {"[\\p{Nope}]", {4, 8}, "unknown Unicode property `Nope`"},
          {"\\p{\n}", {3, 4}, "unknown Unicode property `\\n`"},
      },
      ErrorCode::kSyntax);
  check(
      {
          {"\\p{Age=6.0}", {3, 6}, "`Age` is not supported", "General_Category"},
          {"\\p{Block=ASCII}", {3, 8}, "`Block` is not supported"},
          {"\\p{RGI_Emoji}", {3, 12}, "`RGI_Emoji` is not supported"},
      },
      ErrorCode::kUnsupported);
}

TEST(SyntaxErrors, Classes) {
  check(
      {
          {"a[bc", {1, 2}, "class is not closed", "`]`"},
          {"[", {0, 1}, "class is not closed"},
          {"[^", {0, 1}, "class is not closed"},
          {"[a-", {0, 1}, "class is not closed"},
          {"[z-a]", {1, 4}, "range is out of order", "smaller"},
          {"[\\x62-\\x61]", {1, 10}, "range is out of order"},
          {"[[:alfa:]]", {1, 9}, "unknown POSIX class `[:alfa:]`", "xdigit"},
          {"a[:alpha:]", {1, 10}, "outside of brackets", "[[:alpha:]]"},
          {"[:^digit:]+", {0, 10}, "outside of brackets", "[[:^digit:]]"},
          {"[[a]b]", {5, 6}, "a class that has ended before", "operators"},
          {"[a-z&&[^aeiou]]", {14, 15}, "a class that has ended before", "operators"},
          {"[]a]", {3, 4}, "a class that has ended before", "\\]"},
          {"[^]a]", {4, 5}, "a class that has ended before"},
          {"[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]", {0, 15}, "only surrogates", "\\u{10000}-\\u{10FFFF}"},
          {"[a&&]", {2, 4}, "nothing on one side", "\\&", "o"},
          {"[&&a]", {1, 3}, "nothing on one side", "", "o"},
          {"[a--~~b]", {2, 4}, "nothing on one side", "", "o"},
          {"[a-[b]]", {2, 3}, "a range cannot end with a class", "\\-", "o"},
          {"[a[b]", {0, 1}, "class is not closed", "", "o"},
          {"[a[b", {2, 3}, "class is not closed", "", "o"},
          {"[]a]", {3, 4}, "a class that has ended before", "empty class", "o"},
      },
      ErrorCode::kSyntax);
}

TEST(SyntaxErrors, Operators) {
  check(
      {
          {"&a", {0, 1}, "`&` has nothing on one side", "\\&", "o"},
          {"a&", {1, 2}, "`&` has nothing on one side", "()", "o"},
          {"a&&b", {2, 3}, "`&` has nothing on one side", "", "o"},
          {"(a&)b", {2, 3}, "`&` has nothing on one side", "", "o"},
          {"a&|b", {1, 2}, "`&` has nothing on one side", "", "o"},
          {"~", {0, 1}, "`~` has nothing to complement", "\\~", "o"},
          {"a~", {1, 2}, "`~` has nothing to complement", "", "o"},
          {"(~)", {1, 2}, "`~` has nothing to complement", "", "o"},
          {"~|a", {0, 1}, "`~` has nothing to complement", "", "o"},
          {"a~&b", {1, 2}, "`~` has nothing to complement", "", "o"},
          {"~~", {1, 2}, "`~` has nothing to complement", "", "o"},
          {"~(?i)a", {0, 1}, "`~` has nothing to complement", "", "o"},
          {"~*", {1, 2}, "`*` has nothing to repeat", "", "o"},
      },
      ErrorCode::kSyntax);
  check(
      {
          {"a~(b$)c", {3, 5}, "`~` over anchors", "spans the whole text", "o"},
          {"a(b&c\\b)", {4, 7}, "`&` over anchors", "spans the whole text", "o"},
          {"~^a", {1, 2}, "`~` over anchors", "", "of"},
      },
      ErrorCode::kUnsupported);
}

TEST(SyntaxErrors, NotRegular) {
  check(
      {
          {"(a)\\1", {3, 5}, "back-reference `\\1`", "\\x"},
          {"(a)\\12b", {3, 6}, "back-reference `\\12`"},
          {"(?<n>a)\\k<n>b", {7, 12}, "back-reference `\\k<n>`"},
          {"\\k{n}", {0, 5}, "back-reference"},
          {"\\k'n'", {0, 5}, "back-reference"},
          {"\\kn", {0, 2}, "back-reference"},
          {"\\k<n", {0, 2}, "back-reference"},
          {"\\g{-1}a", {0, 6}, "back-reference"},
          {"\\g-12a", {0, 5}, "back-reference"},
          {"(?P<n>a)(?P=n)b", {8, 14}, "back-references"},
          {"a(?>b)", {1, 4}, "atomic groups", "(?:"},
          {"(?|a|b)", {0, 3}, "branch-reset"},
          {"(a)?(?(1)b|c)", {4, 7}, "conditionals"},
          {"a(?R)?b", {1, 5}, "recursion", "grammar"},
          {"(a(?1)?b)", {2, 6}, "calls of a group"},
          {"(a(?+1)?b)", {2, 7}, "calls of a group"},
          {"(a(?-1)?b)", {2, 7}, "calls of a group"},
          {"(?0)", {0, 4}, "calls of a group"},
          {"(?&n)", {0, 5}, "calls of a group"},
          {"(?P>n)", {0, 6}, "calls of a group"},
          {"(?C1)", {0, 5}, "callouts"},
          {"(?{code})", {0, 3}, "code"},
          {"(??{code})", {0, 4}, "code"},
          {"(*UTF8)a", {0, 7}, "verbs", "\\*"},
          {"a++", {1, 3}, "possessive quantifier `++`", "remove"},
          {"a*+", {1, 3}, "possessive"},
          {"a?+", {1, 3}, "possessive"},
          {"a{2,3}+", {1, 7}, "possessive quantifier `{2,3}+`"},
          {"a\\Kb", {1, 3}, "`\\K`", "look-behind"},
          {"\\Ga", {0, 2}, "`\\G`", "\\A"},
          {"\\X", {0, 2}, "grapheme"},
          {"\\C", {0, 2}, "one byte"},
          {"a\\Qb\\E", {1, 3}, "quoting", "escape each"},
      },
      ErrorCode::kUnsupported);
}

TEST(SyntaxErrors, InvalidUtf8) {
  check(
      {
          {"a\xFF", {1, 2}, "not valid UTF-8", "\\x"},
          {"[\xC3]", {1, 2}, "not valid UTF-8"},
          {"你\xED\xA0\x80", {3, 4}, "not valid UTF-8"},
          {"a\xF0\x9F", {1, 2}, "not valid UTF-8"},
      },
      ErrorCode::kSyntax);
}

void check_limit(std::string_view pattern, const Limits& limits, std::string_view name, SourceRange where,
                 std::string_view options = "") {
  Pattern refused(pattern, options, limits);
  ASSERT_TRUE(refused.failed()) << pattern.substr(0, 40);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded) << refused.error().message;
  EXPECT_EQ(refused.error().limit, name);
  EXPECT_EQ(refused.error().where, where) << refused.error().where.start << ", " << refused.error().where.end;
}

TEST(SyntaxLimits, EachIsNamedAndTheLargestAllowedPasses) {
  Limits limits;
  limits.text_bytes = 4;
  EXPECT_FALSE(Pattern("abcd", "", limits).failed());
  check_limit("abcde", limits, "text_bytes", {4, 5});

  limits = {};
  limits.nesting = 2;
  EXPECT_FALSE(Pattern("((a))(?:(?=b)b)", "", limits).failed());
  check_limit("a(([b](c)))", limits, "nesting", {6, 7});
  EXPECT_FALSE(Pattern("[a[b[c]]]", "o", limits).failed());
  check_limit("[a[b[c[d]]]]", limits, "nesting", {6, 7}, "o");

  // Nested look-around meets the limit earlier, and the range of the error is the whole pattern.
  std::string nested = "a";
  for (int i = 0; i < 60; ++i) nested = "(?=" + nested + ")";
  check_limit("b|" + nested, {}, "nesting", {0, 243});

  limits = {};
  limits.repeat_count = 100;
  EXPECT_FALSE(Pattern("a{100}b{0,100}c{100,}", "", limits).failed());
  check_limit("a{101}", limits, "repeat_count", {2, 5});
  check_limit("a{1,101}", limits, "repeat_count", {4, 7});
  check_limit("a{101,}", limits, "repeat_count", {2, 5});
  check_limit("a{18446744073709551617}", limits, "repeat_count", {2, 22});

  limits = {};
  limits.repeat_count = UINT32_MAX;
  EXPECT_FALSE(Pattern("a{4294967294}", "", limits).failed());
  check_limit("a{4294967295}", limits, "repeat_count", {2, 12});
  check_limit("a{4294967296}", limits, "repeat_count", {2, 12});
  check_limit("a{99999999999999999999999999999999999999}", limits, "repeat_count", {2, 40});

  limits = {};
  limits.regex_nodes = 60;
  check_limit("abcdefghijklmnopqrstuvwxyz0123456789", limits, "regex_nodes", {0, 36});
  check_limit("\\p{L}a", limits, "regex_nodes", {5, 6});
  check_limit(std::string(200, '.'), limits, "regex_nodes", {61, 200});
}

TEST(SyntaxLimits, AssertionsEndTheNestingEarlierByThatName) {
  Limits limits;
  limits.nesting = 2'000'000;
  const auto nested = [](int levels) {
    std::string pattern = "a(?=b)";
    for (int i = 0; i < levels; ++i) pattern = "(?:" + pattern + ")+b";
    return pattern;
  };
  EXPECT_FALSE(Pattern(nested(200), "", limits).failed());
  const std::string high = nested(300);
  check_limit(high, limits, "nesting", {0, high.size()});
}

TEST(SyntaxLimits, DeepAssertionsNeedNoStack) {
  Limits limits;
  limits.nesting = 2'000'000;
  using Parts = std::pair<std::string_view, std::string_view>;
  for (const auto& [inner, close] : {Parts{"(?=b)", ")*"}, Parts{"\\b", "c)+"}, Parts{"(?<!x)", ")"}}) {
    std::string open;
    std::string closed;
    for (int i = 0; i < 200'000; ++i) open += "(?:a|", closed += close;
    Pattern pattern(open + std::string(inner) + closed, "", limits);
    ASSERT_TRUE(pattern.failed());
    EXPECT_EQ(pattern.error().limit, "nesting");
  }
}

TEST(SyntaxLimits, DeepNestingNeedsNoStack) {
  Limits limits;
  limits.nesting = 2'000'000;
  std::string open;
  std::string close;
  for (int i = 0; i < 300'000; ++i) open += "(?:a|", close += ")*";
  Pattern deep(open + "b" + close, "", limits);
  ASSERT_FALSE(deep.failed()) << deep.error().message;
  std::string tildes(300'001, '~');
  Pattern complement(tildes + "a", "o", limits);
  ASSERT_FALSE(complement.failed());
  EXPECT_FALSE(complement.matches("a"));
  std::string brackets(300'000, '[');
  Pattern classes(brackets + "a" + std::string(300'000, ']'), "o", limits);
  ASSERT_FALSE(classes.failed()) << classes.error().message;
  EXPECT_TRUE(classes.matches("a"));
}

// The parser returns for any text, and the range of an error lies inside the text.
TEST(SyntaxErrors, EveryPrefixAndEveryTwoCharacterChangeIsHandled) {
  const std::string text = R"((?i:a|[^b-\d[:alpha:]\]]{2,3}?)(?<n>\p{Lu})\u{1F600}\uD83D\uDE00(?<!x)\b(?#c)~c&.$)";
  const std::string_view odd = "()[]{}\\|*+?^$-:<>=!&~#\x01\xFFzP";
  for (const char* options : {"", "x", "iomsf"}) {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      for (char c : odd) {
        for (const bool truncated : {false, true}) {
          const std::string changed = text.substr(0, i) + c + (truncated || i == text.size() ? "" : text.substr(i + 1));
          const Result<ExprId> parsed = [&] {
            ExprSet exprs(1'000'000);
            return parse_regex(exprs, changed, testing::options_of(options), Limits());
          }();
          if (parsed) continue;
          EXPECT_NE(parsed.error().code, ErrorCode::kInternal) << changed;
          EXPECT_LE(parsed.error().where.start, parsed.error().where.end) << changed;
          EXPECT_LE(parsed.error().where.end, changed.size()) << changed;
          EXPECT_FALSE(parsed.error().message.empty()) << changed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::regex::syntax_error_test
