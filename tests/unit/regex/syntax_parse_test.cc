// Every construct of the syntax, with texts that match and texts that do not.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "regex/analysis/members.h"
#include "regex/expr/print.h"
#include "unit/regex/syntax_testing.h"

namespace weir::regex::syntax_parse_test {
namespace {

using testing::Pattern;
using namespace std::string_view_literals;

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> accepts;
  std::vector<std::string_view> rejects;
  std::string_view options = "";
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Pattern pattern(c.pattern, c.options);
    ASSERT_FALSE(pattern.failed()) << c.pattern << ": " << pattern.error().message;
    for (std::string_view text : c.accepts) EXPECT_TRUE(pattern.matches(text)) << c.pattern << " on `" << text << "`";
    for (std::string_view text : c.rejects) EXPECT_FALSE(pattern.matches(text)) << c.pattern << " on `" << text << "`";
  }
}

TEST(SyntaxParse, LiteralsAndAlternatives) {
  check({
      {"", {""}, {"a"}},
      {"abc", {"abc"}, {"", "ab", "abcd", "ABC"}},
      {"a|b|", {"a", "b", ""}, {"ab", "|"}},
      {"|a", {"", "a"}, {"|a"}},
      {"a(?:b|c)d", {"abd", "acd"}, {"ad", "abcd", "ab"}},
      {"()", {""}, {"()"}},
      {"(|a)b", {"b", "ab"}, {"a"}},
      {"你好|世界", {"你好", "世界"}, {"你", "好世"}},
      {"a\0b"sv, {"a\0b"sv}, {"ab", "a"}},
      {"a-b_c:d,e=f!g\"h'i@j%k`l;m<n>o#p&q~r/s", {"a-b_c:d,e=f!g\"h'i@j%k`l;m<n>o#p&q~r/s"}, {""}},
  });
}

TEST(SyntaxParse, Escapes) {
  check({
      {R"(\n\r\t\f\v\0)", {"\n\r\t\f\v\0"sv}, {"n"}},
      {R"(\x41\x7e)", {"A~"}, {"x41"}},
      {R"(\xe9)", {"é"}, {"\xE9"}},
      {R"(\u4f60\u597D)", {"你好"}, {}},
      {R"(\u{1F600}\u{000041}\x{1F601})", {"😀A😁"}, {}},
      {R"(\U0001F600)", {"😀"}, {}},
      {R"(\uD83D\uDE00)", {"😀"}, {"\xED\xA0\xBD\xED\xB8\x80"}},
      {R"(\u00e9\u0301)", {"é\u0301"}, {}},
      {R"(\cJ\cj\cA)", {"\n\n\x01"}, {}},
      {R"(\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/)", {"^$\\.*+?()[]{}|/"}, {}},
      {R"(\-\_\!\"\#\%\&\'\,\:\;\<\=\>\@\`\~\ )", {"-_!\"#%&',:;<=>@`~ "}, {}},
  });
}

TEST(SyntaxParse, ClassEscapesHaveTheMeaningOfEcma) {
  check({
      {R"(\d)", {"0", "9"}, {"a", "٣", ""}},
      {R"(\D)", {"a", "٣", "😀"}, {"0", "", "ab"}},
      {R"(\w)", {"a", "Z", "_", "5"}, {"é", "-", "你", "ſ"}},
      {R"(\W)", {"é", "-", "你", "ſ", "\n"}, {"a", "_"}},
      {R"(\s)",
       {" ", "\t", "\n", "\v", "\f", "\r", "\u00A0", "\uFEFF", "\u2028", "\u2029", "\u3000"},
       {"a", "\u0085", "\u200B"}},
      {R"(\S)", {"a", "\u0085", "\u200B"}, {" ", "\uFEFF"}},
      {R"((?u)\d)", {"0", "٣"}, {"a", "²"}},
      {R"((?u:\w)\w)", {"éa", "你_", "\u200Da"}, {"aé", "-a"}},
      {R"((?u)\s(?-u)\s)", {"\u0085 "}, {"\u0085\u0085", "\uFEFF "}},
      {R"((?u)\W)", {"-", "😀"}, {"é"}},
  });
}

TEST(SyntaxParse, Classes) {
  check({
      {"[abc]", {"a", "b", "c"}, {"d", "", "ab"}},
      {"[a-cx-z]", {"a", "c", "x"}, {"d", "-"}},
      {"[a-a]", {"a"}, {"b", "-"}},
      {"[^a-c]", {"d", "你", "\n", "😀"}, {"a", "b", "", "\xFF"}},
      {"[你-我]", {"你", "我", "佡"}, {"a", "你我", "佟", "戒"}},
      {"[😀-😂]", {"😀", "😁", "😂"}, {"😃", "\xF0\x9F\x98"}},
      {R"([\uD83D\uDE00-\uD83D\uDE02])", {"😀", "😁"}, {"😃"}},
      {"[-a]", {"-", "a"}, {"b"}},
      {"[a-]", {"-", "a"}, {"b"}},
      {"[^-a]", {"b"}, {"-", "a"}},
      {"[a^]", {"a", "^"}, {"b"}},
      {R"([\w-.])", {"a", "-", "."}, {"+", "/"}},
      {R"([a-\d])", {"a", "-", "7"}, {"b", "c"}},
      {R"([\d\s])", {"1", " "}, {"a"}},
      {R"([^\d\s])", {"a"}, {"1", " "}},
      {R"([\b])", {"\b"}, {"b"}},
      {R"([\]\\\-\[])", {"]", "\\", "-", "["}, {"a"}},
      {R"([\n\x41\u4f60\cA\0])", {"\n", "A", "你", "\x01", "\0"sv}, {"n"}},
      {R"([$.*+?(){}|/^])", {"$", ".", "*", "+", "?", "(", ")", "{", "}", "|", "/", "^"}, {"a"}},
      {"[+--]", {"+", ",", "-"}, {".", "*"}},
      {R"([!--\w])", {"!", "-", "a", "#"}, {"."}},
      {"[a&&b~~c]", {"a", "&", "b", "~", "c"}, {"d"}},
      {"[[]", {"["}, {"a"}},
      {"[^[]", {"a"}, {"["}},
      {"[]", {}, {"", "a", "]"}},
      {"[^]", {"a", "\n", "😀"}, {"", "ab", "\x80"}},
      {"a[]|b", {"b"}, {"a"}},
      {R"([\uD800-\uDFFFa])", {"a"}, {"\xED\xA0\x80"}},
      {R"([^\uD800-\uDFFF])", {"a", "😀"}, {"\xED\xA0\x80"}},
      {"[\0-\x1F]"sv, {"\0"sv, "\x1F"}, {" "}},
  });
}

TEST(SyntaxParse, PosixClasses) {
  check({
      {"[[:alpha:]]", {"a", "Z"}, {"1", "é", ":", "a]"}},
      {"[[:^alpha:]]", {"1", "é"}, {"a"}},
      {"[^[:alpha:]]", {"1", "é"}, {"a"}},
      {"[[:digit:]_[:upper:]]", {"1", "_", "A"}, {"a"}},
      {"[[:alnum:]]+", {"aZ09"}, {"_"}},
      {"[[:ascii:]]", {"\x7F", "\0"sv}, {"\u0080"}},
      {"[[:blank:]]", {" ", "\t"}, {"\n", "\u00A0"}},
      {"[[:cntrl:]]", {"\x1F", "\x7F"}, {" "}},
      {"[[:graph:]]", {"!", "~"}, {" "}},
      {"[[:lower:]]", {"a"}, {"A"}},
      {"[[:print:]]", {" ", "~"}, {"\n"}},
      {"[[:punct:]]", {"!", "@", "[", "`", "~"}, {"a", " "}},
      {"[[:space:]]", {"\v", " "}, {"a"}},
      {"[[:word:]]", {"_", "a"}, {"-"}},
      {"[[:xdigit:]]", {"f", "F", "0"}, {"g"}},
      {"(?i)[[:lower:]]", {"a", "A"}, {"1"}},
      {"[[:a]", {"[", ":", "a"}, {"b"}},
      {"[:;:]", {":", ";"}, {"a"}},
      {"[:alfa:]", {"a", ":"}, {"b"}},
  });
}

TEST(SyntaxParse, ClassSetOperations) {
  check({
      {"[a-z&&[^aeiou]]", {"b", "z"}, {"a", "u", "&", "A"}, "o"},
      {"[a-z--[aeiou]]", {"b"}, {"a", "-"}, "o"},
      {"[a-f~~d-h]", {"a", "c", "g", "h"}, {"d", "f", "~"}, "o"},
      {"[a-z&&b-y--m]", {"b", "y"}, {"a", "m", "z"}, "o"},
      {"[ab[cd]ef]", {"a", "c", "f"}, {"[", "]", "g"}, "o"},
      {"[^a[b]]", {"c"}, {"a", "b"}, "o"},
      {"[^a-z&&[^b]]", {"b", "A"}, {"a", "c"}, "o"},
      {"[[a-c][[:digit:]]]", {"a", "1"}, {"d", ":"}, "o"},
      {R"([\w&&\D])", {"a", "_"}, {"1"}, "o"},
      {R"([\p{L}&&\p{ASCII}])", {"a"}, {"é"}, "o"},
      {"(?i)[a-z--k]", {"a", "J"}, {"k", "K", "\u212A"}, "o"},
      {"[a&b~c-]", {"a", "&", "b", "~", "c", "-"}, {"d"}, "o"},
      {"[[]&&a]", {}, {"a", ""}, "o"},
      {"[[^]&&a]", {"a"}, {"b"}, "o"},
  });
}

TEST(SyntaxParse, Properties) {
  check({
      {R"(\p{L}\pL)", {"aé", "你ﬁ"}, {"1a", "a1"}},
      {R"(\P{L}\PL)", {"1-"}, {"a1", "1a"}},
      {R"(\p{^L})", {"1"}, {"a"}},
      {R"(\P{^L})", {"a"}, {"1"}},
      {R"(\p{Lu}\p{Uppercase_Letter}\p{gc=Lu}\p{General_Category=Uppercase_Letter})", {"AÉΩЖ"}, {"AÉΩж"}},
      {R"(\p{uppercase letter}\p{LOWERCASE-LETTER})", {"Aa"}, {"aA"}},
      {R"(\p{LC})", {"a", "A", "ǅ"}, {"你"}},
      {R"(\p{L&})", {"a", "A"}, {"你"}},
      {R"(\p{Script=Greek}\p{sc=Grek}\p{Greek})", {"αΩᾳ"}, {"aαα"}},
      {R"(\p{Script_Extensions=Hiragana})", {"あ", "ー"}, {"ア"}},
      {R"(\p{sc=Hiragana})", {"あ"}, {"ー"}},
      {R"(\p{scx=Deva})", {"अ", "\u1CD0"}, {"a"}},
      {R"(\p{sc=Zzzz})", {"\u0378"}, {"a"}},
      {R"(\p{scx=Unknown})", {"\u0378"}, {"a"}},
      {R"(\p{Alphabetic}\p{Alpha})", {"aⅣ"}, {"a1"}},
      {R"(\p{White_Space})", {"\u0085", " "}, {"\uFEFF"}},
      {R"(\p{ID_Start}\p{XID_Continue})", {"a1", "你_"}, {"1a"}},
      {R"(\p{Emoji}\p{Emoji_Presentation})", {"1😀"}, {"😀1"}},
      {R"(\p{Extended_Pictographic})", {"😀", "©"}, {"1"}},
      {R"(\p{Any}\p{ASCII}\p{Assigned})", {"\u0378~a"}, {"a\u0080a", "aa\u0378"}},
      {R"(\p{Cn}\p{C}\p{Unassigned})", {"\u0378\x01\u0378"}, {"a\x01\u0378"}},
      {R"([\p{Lu}\p{Nd}])", {"A", "٣"}, {"a"}},
      {R"([^\p{L}])", {"1"}, {"a"}},
      {R"([\P{L}a])", {"1", "a"}, {"b"}},
      {R"(\p{Cs})", {}, {"\xED\xA0\x80", "a"}},
      {R"(\p{punct}\p{digit}\p{cntrl})", {"!1\x01"}, {}},
  });
}

TEST(SyntaxParse, DotAndLines) {
  check({
      {".",
       {"a", "你", "😀", "\u0085", "\0"sv, "\v"},
       {"\n", "\r", "\u2028", "\u2029", "", "ab", "\xFF", "\x80", "\xC3"}},
      {".", {"a", "\n", "\u2028"}, {"", "\xFF"}, "s"},
      {"(?s).", {"\n"}, {""}},
      {"(?s:.).", {"\na"}, {"a\n"}},
      {"(?-s).", {"a"}, {"\n"}, "s"},
  });
}

TEST(SyntaxParse, Quantifiers) {
  check({
      {"a?", {"", "a"}, {"aa"}},
      {"a*", {"", "a", "aaaa"}, {"b"}},
      {"a+", {"a", "aaaa"}, {""}},
      {"a??b*?c+?", {"abbcc", "c"}, {"ab"}},
      {"a{2}", {"aa"}, {"a", "aaa"}},
      {"a{2,}", {"aa", "aaaaa"}, {"a"}},
      {"a{2,3}", {"aa", "aaa"}, {"a", "aaaa"}},
      {"a{2,3}?b{1}?c{1,}?", {"aabc"}, {"abc"}},
      {"a{0}", {""}, {"a"}},
      {"a{0,0}b", {"b"}, {"ab"}},
      {"a{007}", {"aaaaaaa"}, {"a"}},
      {"ab*", {"a", "abb"}, {"abab"}},
      {"你+", {"你你"}, {"你\xBD\xA0"}},
      {"(?:ab)*", {"", "abab"}, {"aba"}},
      {"(a|b{2})+", {"abba", "bbbb"}, {"ab"}},
      {"(?:a*)*", {"", "aa"}, {"b"}},
      {"[ab]{2}", {"ab", "ba"}, {"a"}},
      {R"(\d{3}-\d{4})", {"555-1234"}, {"555-123"}},
      {"(?:a{1000000}){1000}", {}, {"aaa"}},
      {"a{1000000000}", {}, {"aaa"}},
  });
}

TEST(SyntaxParse, BracesAndBracketsThatAreCharacters) {
  check({
      {"{", {"{"}, {""}},
      {"}", {"}"}, {""}},
      {"]", {"]"}, {""}},
      {"a{", {"a{"}, {"a"}},
      {"a{b}", {"a{b}"}, {"ab"}},
      {"a{1", {"a{1"}, {"a"}},
      {"a{1,", {"a{1,"}, {"a"}},
      {"a{1,2", {"a{1,2"}, {"a"}},
      {"a{1,2x}", {"a{1,2x}"}, {"a"}},
      {"a{}", {"a{}"}, {"a"}},
      {"a{,}", {"a{,}"}, {"a"}},
      {"^{[a-z]+}$", {"{abc}"}, {"abc"}},
      {R"(\{"a":[0-9]+})", {R"({"a":17})"}, {R"({"a":})"}},
      {"{{2}", {"{{"}, {"{2}"}},
      {"{+", {"{", "{{"}, {""}},
      {"a]b}", {"a]b}"}, {}},
      {"[a]]", {"a]"}, {"]"}},
  });
}

TEST(SyntaxParse, Groups) {
  check({
      {"(a)(?:b)(?<name>c)(?P<name_2>d)(?<$x>e)(?<ñandú>f)", {"abcdef"}, {}},
      {"(?<a>x)|(?<a>y)", {"x", "y"}, {"xy"}},
      {"((((a))))", {"a"}, {"(a)"}},
      {"(?#comment)a(?#another (one)b", {"ab"}, {"a"}},
      {"a(?#between)+", {"a", "aa"}, {""}},
      {"(?#)", {""}, {"a"}},
  });
}

TEST(SyntaxParse, Flags) {
  check({
      {"(?i)a", {"a", "A"}, {"b"}},
      {"(?i:a)b", {"ab", "Ab"}, {"AB"}},
      {"a(?i)b|c", {"ab", "aB", "c", "C"}, {"Ab"}},
      {"(a(?i)b)c", {"aBc"}, {"aBC"}},
      {"(?i)a(?-i)b", {"Ab"}, {"AB"}},
      {"(?i)a(?-i:b)c", {"AbC"}, {"ABC"}},
      {"(?is-m).", {"\n"}, {}},
      {"(?si:a.)", {"A\n"}, {}},
      {"(?i-i)a", {"a"}, {"A"}},
      {"(?-i)a", {"a"}, {"A"}, "i"},
      {"(?x) a b # comment\n c", {"abc"}, {"a b c"}},
      {"(?x: a b ) c", {"ab c"}, {"abc"}},
      {" a\t[ b]\\ \\#\n# to the end", {"ab #", "a  #"}, {"a"}, "x"},
      {"a +\u2028b\u0085", {"aab"}, {"a b"}, "x"},
      {"(?x)a(?-x) #", {"a #"}, {"a"}},
      {"a # comment without an end", {"a"}, {}, "x"},
      {"a#b", {"a#b"}, {"a"}},
  });
}

TEST(SyntaxParse, IgnoringCase) {
  check({
      {"abc", {"abc", "ABC", "aBc"}, {"abd"}, "i"},
      {"k", {"k", "K", "\u212A"}, {"x"}, "i"},
      {"\u212A", {"k", "K", "\u212A"}, {}, "i"},
      {"s", {"s", "S", "ſ"}, {}, "i"},
      {"[r-t]", {"s", "S", "ſ", "R"}, {"q"}, "i"},
      {"[^k]", {"j", "J"}, {"k", "K", "\u212A"}, "i"},
      {"é", {"é", "É"}, {"e"}, "i"},
      {"σ", {"σ", "ς", "Σ"}, {}, "i"},
      {"ß", {"ß", "ẞ"}, {"ss", "SS"}, "i"},
      {"ǆ", {"ǆ", "ǅ", "Ǆ"}, {}, "i"},
      {"ж{2}", {"жж", "жЖ"}, {"ж"}, "i"},
      {"𐐀", {"𐐀", "𐐨"}, {}, "i"},
      {"İ", {"İ"}, {"i", "I", "ı"}, "i"},
      {"i", {"i", "I"}, {"İ", "ı"}, "i"},
      {R"(\x6b)", {"K", "\u212A"}, {}, "i"},
      {R"(\p{Lu})", {"A", "a"}, {"1"}, "i"},
      {R"(\P{Lu})", {"1"}, {"A", "a"}, "i"},
      {R"([\p{Ll}&&\p{Greek}])", {"Α", "α"}, {"a"}, "io"},
      {R"(\w)", {"k", "\u212A", "ſ"}, {"é"}, "i"},
      {R"(\W)", {"é"}, {"\u212A", "ſ", "k"}, "i"},
      {"a1_", {"A1_"}, {}, "i"},
  });
}

TEST(SyntaxParse, AnchorsAtTheEndsOfTheText) {
  check({
      {"^abc$", {"abc"}, {"", "abcd"}},
      {R"(\Aabc\z)", {"abc"}, {"abc\n"}},
      {"^a|b$", {"a", "b"}, {"ab"}},
      {"^^a$$", {"a"}, {}},
      {"^$", {""}, {"a"}},
      {"^", {""}, {"a"}},
      {"abc", {"abc", "xabcx", "你abc\n"}, {"ab", "abc\xFF"}, "f"},
      {"^abc", {"abc", "abcx"}, {"xabc", "\nabc"}, "f"},
      {"abc$", {"abc", "xabc"}, {"abcx", "abc\n"}, "f"},
      {"^abc$", {"abc"}, {"abcx", "xabc"}, "f"},
      {"^a|b$", {"a", "ax", "xb", "b"}, {"xa", "bx"}, "f"},
      {"", {"", "a"}, {"\xFF"}, "f"},
      {"^", {"", "a"}, {"\x80"}, "f"},
      {"$", {"", "a"}, {"\x80"}, "f"},
      {"a*", {"", "b"}, {"\xC3"}, "f"},
      {"[]", {}, {"", "a"}, "f"},
  });
}

TEST(SyntaxParse, AnchorsElsewhere) {
  check({
      {"a^b", {}, {"ab", "a^b"}},
      {"a$b", {}, {"ab", "a$b"}},
      {"(^a|b)c", {"ac", "bc"}, {"xac"}},
      {"(^a|b)c", {"ac", "xbc", "bcx"}, {"xac"}, "f"},
      {"(?:^|,)a(?:,|$)", {"a", "x,a", "a,x", ",a,"}, {"xa", "ax"}, "f"},
      {"(?:a|^)*b", {"b", "aab"}, {"a"}},
      {"x*^y", {"y"}, {"xy"}},
      {"a$|b", {"a", "b"}, {"ab"}},
      {"(a$)?b?", {"a", "b", ""}, {"ab"}},
      {"^*a", {"a"}, {"^a"}},
      {"(?m)a$^b", {}, {"ab", "a\nb"}},
      {"(?m)a$\n^b", {"a\nb"}, {"ab"}},
      {"(?m)a$[^]^b", {"a\nb", "a\rb", "a\u2028b", "a\u2029b"}, {"a\vb", "axb", "a\u0085b"}},
      {"^a$", {"a", "b\na\nc", "a\r", "\u2028a"}, {"ba", "b\nab"}, "mf"},
      {"^a$", {"a"}, {"b\na\nc"}, "f"},
      {R"(\Aa\z)", {"a"}, {"b\na"}, "mf"},
      {R"(a\Z)", {"a"}, {"a\n"}},
      {R"(a\Z\n)", {"a\n"}, {"a"}},
      {R"(a\Z)", {"a", "a\n", "ba"}, {"a\n\n", "a\nb", "ab"}, "f"},
      {R"(a\z)", {"a", "ba"}, {"a\n"}, "f"},
  });
}

TEST(SyntaxParse, WordBoundaries) {
  check({
      {R"(\bfoo\b)", {"foo", "a foo b", "foo-", "éfoo"}, {"afoo", "foo_", "foos"}, "f"},
      {R"((?u)\bfoo\b)", {"foo", "-foo"}, {"éfoo"}, "f"},
      {R"(\Boo\b)", {"foo"}, {"oo", "fooo1", "-oo"}, "f"},
      {R"(a\bb)", {}, {"ab", "a b"}},
      {R"(a\b b)", {"a b"}, {"ab"}},
      {R"(a\Bb)", {"ab"}, {"a b"}},
      {R"(\b)", {}, {"", "a"}},
      {R"(\B)", {""}, {"a"}},
      {R"(\ba\b)", {"a"}, {"aa"}},
      {R"((?:\b\w+\b ?)+)", {"ab cd", "ab "}, {"ab  cd"}},
  });
}

TEST(SyntaxParse, LookAround) {
  check({
      {"(?=a).*", {"a", "ab"}, {"", "ba"}},
      {"(?!a).*", {"", "ba"}, {"a", "ab"}},
      {".*(?<=a)", {"a", "ba"}, {"", "ab"}},
      {".*(?<!a)", {"", "ab"}, {"a", "ba"}},
      {"(?!.*--)[a-z-]+", {"a-b", "-"}, {"a--b", "--"}},
      {"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).{4,}", {"aB3x", "0aaA"}, {"aB3", "aaaa", "aB3\n"}},
      {"foo(?!bar).*", {"foo", "fooba", "foobaz"}, {"foobar", "foobarx"}},
      {"(?<=a+)b", {}, {"b", "ab"}},
      {"a+(?<=aa)b", {"aab"}, {"ab"}},
      {"(?:(?!end).)*end", {"end", "a end"}, {"end end", "a"}},
      {"(?:a(?!c)|b(?=c)|c)*", {"", "abc", "bc", "aa"}, {"ac", "b", "ab"}},
      {"(?!(?!a)).", {"a"}, {"b"}},
      {"(?=(?<=^)a)a", {"a"}, {}},
      {"(?=a){0}b", {"b"}, {}},
      {"(?=a)?b", {"b"}, {}},
      {"(?=a)*a", {"a"}, {}},
      {"(?=b)+a", {}, {"a", "b"}},
      {"(?<=^|,)a(?=,|$)", {"a", "b,a", "a,b"}, {"ba", "ab"}, "f"},
      {"(?<!你)好", {"好", "我好"}, {"你好"}, "f"},
      {"^(?!(?:con|nul)$)[a-z]+$", {"cons", "a"}, {"con", "nul", ""}, "f"},
      {"(?!)", {}, {"", "a"}},
      {"(?=)a", {"a"}, {}},
      {"(?i)(?=A)a(?<=A)", {"a", "A"}, {"b"}},
  });
}

TEST(SyntaxParse, Operators) {
  check({
      {"a&b", {"a&b"}, {"a"}},
      {"~a", {"~a"}, {"b"}},
      {"a&a", {"a"}, {"a&a", ""}, "o"},
      {"[a-z]+&.{3}", {"abc"}, {"ab", "abcd", "ab1"}, "o"},
      {"[a-z]+&~(?:if|else)", {"i", "iff", "elses"}, {"if", "else", "", "1"}, "o"},
      {"~a", {"", "b", "aa", "你", "\n"}, {"a", "\xFF"}, "o"},
      {"~a*", {"b", "ab", "~"}, {"", "a", "aa"}, "o"},
      {"(~a)*", {"", "aa", "ba"}, {"a", "\xFF"}, "o"},
      {"~~a", {"a"}, {"", "b"}, "o"},
      {"~~~a", {"", "b"}, {"a"}, "o"},
      {"~ab", {"b", "bb", "aab"}, {"ab", "a"}, "o"},
      {"~(ab)", {"", "a", "abc"}, {"ab"}, "o"},
      {"a|b&c|d", {"a", "d"}, {"b", "c"}, "o"},
      {"a&a|b&b", {"a", "b"}, {"ab"}, "o"},
      {"a~bc", {"ac", "abbc"}, {"abc"}, "o"},
      {R"(\~a\&)", {"~a&"}, {}, "o"},
      {"~[]", {"", "a", "你"}, {"\x80", "a\xE4\xBD"}, "o"},
      {"~[^]", {"", "ab"}, {"a", "\xE4"}, "o"},
      {"~(?s:.*)", {}, {"", "a", "\xFF"}, "o"},
      {"()&a*", {""}, {"a"}, "o"},
      {"~a&~b", {"", "c"}, {"a", "b"}, "o"},
      {"(a|b)&~b", {"a"}, {"b"}, "o"},
      {"[a-z]+&~(?:if)", {"x if y"}, {"1", ""}, "of"},
      {"^a.*&.*b$", {"ab", "axb"}, {"a", "xab"}, "o"},
      {R"(\w+&~(.*\bno\b.*))", {"yes", "nope"}, {"no"}, "o"},
      {R"(~(.*\bno\b.*))", {"yes", "nope", "a nob"}, {"no", "a no b"}, "o"},
      {R"(a|~(\b.*)|[b]&b\b)", {"a", "", "-x", "b"}, {"c", "bc"}, "o"},
      {"~\t# blanks\na", {"b"}, {"a"}, "ox"},
  });
}

TEST(SyntaxParse, ComplementOfEveryTextIsNothing) {
  Pattern pattern("~(?s:.*)", "o");
  EXPECT_EQ(emptiness(pattern.exprs(), pattern.id(), 1000), Emptiness::kEmpty);
}

TEST(SyntaxParse, SearchPatternsWithBothAnchorsAreAsSmallAsWithout) {
  Pattern anchored("^[a-z]+$", "f");
  Pattern plain("[a-z]+");
  EXPECT_EQ(to_string(anchored.exprs(), anchored.id()), to_string(plain.exprs(), plain.id()));
}

}  // namespace
}  // namespace weir::regex::syntax_parse_test
