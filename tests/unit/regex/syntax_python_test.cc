// The dialect of Python's re: what tests/python/test_regex_dialect.py, which compares with re itself, cannot tell,
// because it leaves out what weir refuses. The results are those of Python 3.11.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/regex/syntax_testing.h"

namespace weir::regex::syntax_python_test {
namespace {

using testing::Pattern;
using namespace std::string_view_literals;

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> in;
  std::vector<std::string_view> out;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Pattern pattern(c.pattern, "y");
    ASSERT_FALSE(pattern.failed()) << c.pattern << ": " << pattern.error().message;
    for (const std::string_view text : c.in) EXPECT_TRUE(pattern.matches(text)) << c.pattern << " :: " << text;
    for (const std::string_view text : c.out) EXPECT_FALSE(pattern.matches(text)) << c.pattern << " :: " << text;
  }
}

TEST(SyntaxPython, OctalNumbers) {
  check({
      {R"(\0\08)", {"\0\0008"sv}, {"\0"sv}},
      {R"(\012\0123)", {"\n\n3"}, {}},
      {R"(\101\1011)", {"AA1"}, {}},
      {R"(\377)", {"ÿ"}, {"\x1F"}},
      {R"([\1\12\101])", {"\x01", "\n", "A"}, {"1", "2"}},
  });
}

TEST(SyntaxPython, OtherEscapes) {
  check({
      {R"(\a\x41\u0041\U00000041)", {"\aAAA"}, {}},
      {R"([\a])", {"\a"}, {"a"}},
      {R"(a\Z)", {"a"}, {"a\n"}},
      {R"(\é\-)", {"é-"}, {}},
  });
}

TEST(SyntaxPython, ClassesAndCases) {
  check({
      {R"(\w)", {"a", "_", "é", "²", "Ⅷ", "٣"}, {"-", "\u0301", "‿"}},
      {R"((?a:\w))", {"a", "_"}, {"é", "²"}},
      {R"((?a)\w\d)", {"a1"}, {"é1", "a٣"}},
      {R"(\d)", {"1", "٣"}, {"²"}},
      {R"(\s)", {" ", "\x1C", "\x1F", "\u0085", "\u3000"}, {"\u200B", "\uFEFF", "\x1B"}},
      {"(?i)i", {"i", "I", "İ", "ı"}, {"l"}},
      {"(?i)I", {"i", "I", "İ", "ı"}, {"l"}},
      {"(?i)ı", {"i", "I", "İ", "ı"}, {"l"}},
      {"(?i)[A-K]", {"i", "I", "İ", "ı"}, {"l"}},
      {"(?i)[^A-K]", {"l"}, {"i", "I", "İ", "ı"}},
      {"(?i)ΐ", {"\u0390", "\u1FD3"}, {"\u1FE3"}},
      {"(?i)ΰ", {"\u03B0", "\u1FE3"}, {"\u1FD3"}},
      {"(?i)[ﬅ]", {"ﬅ", "ﬆ"}, {"ﬄ"}},
      {"(?i)s", {"s", "S", "ſ"}, {"ß"}},
      {"(?ia)s", {"s", "S"}, {"ſ"}},
  });
}

TEST(SyntaxPython, RefusesWhatPythonRefuses) {
  struct Refused {
    std::string_view pattern;
    SourceRange where;
    std::string_view message;
  };
  for (const Refused& c : std::vector<Refused>{{R"(a\400)", {1, 5}, "at most `\\377`"},
                                               {R"([\400])", {1, 5}, "at most `\\377`"},
                                               {R"(\x{41})", {0, 2}, "no braces in Python"},
                                               {R"(\u{41})", {0, 2}, "no braces in Python"},
                                               {R"([\Z])", {1, 3}, "cannot stand in a class"},
                                               {R"(\x4)", {0, 3}, "needs 2 hexadecimal digits"},
                                               {R"([\8])", {1, 3}, "octal escapes"},
                                               {R"((?-a:b))", {3, 4}, "unknown flag `a`"},
                                               {R"(a{2,1})", {1, 6}, "out of order"}}) {
    Pattern pattern(c.pattern, "y");
    ASSERT_TRUE(pattern.failed()) << c.pattern;
    EXPECT_EQ(pattern.error().code, ErrorCode::kSyntax) << c.pattern << ": " << pattern.error().message;
    EXPECT_EQ(pattern.error().where, c.where)
        << c.pattern << ": " << pattern.error().where.start << ", " << pattern.error().where.end;
    EXPECT_NE(pattern.error().message.find(c.message), std::string_view::npos) << pattern.error().message;
  }
}

TEST(SyntaxPython, RefusesWhatIsNotRegularOrNotKnown) {
  for (const std::string_view pattern : {R"((a)\1)", R"((a)\12)", R"((a)\18)", R"(\19)", R"((?P<n>a)(?P=n))",
                                         R"(\N{DIGIT ONE})", R"([\N{DIGIT ONE}])", R"((a)?(?(1)b|c))"}) {
    Pattern parsed(pattern, "y");
    ASSERT_TRUE(parsed.failed()) << pattern;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUnsupported) << pattern << ": " << parsed.error().message;
  }
}

}  // namespace
}  // namespace weir::regex::syntax_python_test
