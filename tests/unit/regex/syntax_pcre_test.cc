// Compares the dialect of PCRE2 with PCRE2 itself.
#include <gtest/gtest.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "unit/regex/syntax_testing.h"

namespace weir::regex::syntax_pcre_test {
namespace {

using testing::Pattern;

class Pcre {
 public:
  Pcre(std::string_view pattern, bool search) : anchors_(search ? 0 : PCRE2_ANCHORED | PCRE2_ENDANCHORED) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    // PCRE2 10.42 treats `.` and `\R` as disjoint and makes `.*` in `.*\R` possessive, although both match CR. So
    // automatic possessive quantifiers are switched off.
    const std::uint32_t options = PCRE2_UTF | PCRE2_NO_AUTO_POSSESS;
    code_.reset(pcre2_compile(bytes(pattern), pattern.size(), options, &error, &offset, nullptr));
    if (code_) data_.reset(pcre2_match_data_create_from_pattern(code_.get(), nullptr));
  }
  [[nodiscard]] bool valid() const { return code_ != nullptr; }
  /// Returns true if `text` matches, or nullopt if PCRE2 meets a limit.
  [[nodiscard]] std::optional<bool> matches(std::string_view text) const {
    const int rc = pcre2_match(code_.get(), bytes(text), text.size(), 0, anchors_, data_.get(), nullptr);
    if (rc > 0) return true;
    return rc == PCRE2_ERROR_NOMATCH ? std::optional(false) : std::nullopt;
  }

 private:
  static PCRE2_SPTR bytes(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }
  struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  std::uint32_t anchors_;
  std::unique_ptr<pcre2_code, Free> code_;
  std::unique_ptr<pcre2_match_data, Free> data_;
};

/// Compares a pattern on all texts, as a whole match and as a search. Returns the number of comparisons.
std::size_t compare(const std::string& pattern, const std::vector<std::string>& texts) {
  std::size_t compared = 0;
  for (const bool search : {false, true}) {
    const Pcre theirs(pattern, search);
    Pattern ours(pattern, search ? "pf" : "p");
    if (!theirs.valid() || (ours.failed() && ours.error().code == ErrorCode::kUnsupported)) continue;
    EXPECT_FALSE(ours.failed()) << pattern << ": " << ours.error().message;
    for (const std::string& text : texts) {
      const std::optional<bool> expected = theirs.matches(text);
      if (!expected) continue;
      ++compared;
      EXPECT_EQ(ours.matches(text), *expected)
          << pattern << " on " << ::testing::PrintToString(text) << (search ? " searched" : "");
    }
  }
  return compared;
}

TEST(SyntaxPcre, EachConstruct) {
  const std::vector<std::string> texts = {"",       "a",      "b",
                                          "A",      "1",      "8",
                                          "\n",     "\r",     "\r\n",
                                          "a\n",    "\na",    "a\n\n",
                                          "a\nb",   "a\r",    "\v",
                                          "\f",     "\x85",   "\u0085",
                                          "\u00A0", "\u2028", " ",
                                          "\t",     "\u3000", "\u180E",
                                          "é",      "É",      "ſ",
                                          "s",      "S",      "k",
                                          "\u212A", "ß",      "ẞ",
                                          "İ",      "i",      "ı",
                                          "α",      "\u0342", "١",
                                          "_",      "-",      "]",
                                          "[",      "^",      "\\",
                                          "a*",     "a]",     "aa",
                                          "ab",     "abc",    "aab",
                                          "abab",   "a{,2}",  "a{1, 2}",
                                          "{",      "}",      std::string(1, '\0'),
                                          "\x01",   "\x1b",   "\x07",
                                          "\x7f",   "\b",     "Q",
                                          "E",      "a b",    "a#",
                                          "\x80",   "\u200e", "\u205f",
                                          "aaa"};
  const std::vector<std::string> patterns = {R"(\w)",
                                             R"(\W)",
                                             R"(\d)",
                                             R"(\D)",
                                             R"(\s)",
                                             R"(\S)",
                                             R"(\h)",
                                             R"(\H)",
                                             R"(\v)",
                                             R"(\V)",
                                             R"(\R)",
                                             R"(\R\n)",
                                             R"(a\R)",
                                             R"(\R+)",
                                             R"(\N)",
                                             R"(.)",
                                             R"((?s).)",
                                             R"([\h\v])",
                                             R"([^\h])",
                                             R"(a$)",
                                             R"(a$\n)",
                                             R"(a\Z)",
                                             R"(a\Z\n)",
                                             R"(a\z)",
                                             R"(\Aa)",
                                             R"((?m)^a$)",
                                             R"((?m)a\n^)",
                                             R"((?m)^\n)",
                                             R"((?m)\n^\n)",
                                             R"((?m)a$\n)",
                                             R"((?m)^)",
                                             R"((?m)$)",
                                             R"(\x)",
                                             R"(\x1)",
                                             R"(\x1b)",
                                             R"(\x{e9})",
                                             R"(\o{101})",
                                             R"(\101)",
                                             R"(\0)",
                                             R"(\01)",
                                             R"(\11)",
                                             R"([\1])",
                                             R"([\8])",
                                             R"(\cA)",
                                             R"(\c[)",
                                             R"(\c?)",
                                             R"(\ca)",
                                             R"(\a|\e)",
                                             R"([\b])",
                                             R"(\N{U+41})",
                                             R"(\Qa*\E)",
                                             R"(a\Q*\E)",
                                             R"(\Qa)",
                                             R"(\Qab\E+)",
                                             R"(a\E+)",
                                             R"(a\Q\E+)",
                                             R"([\Q^]\E]+)",
                                             R"([\E]a])",
                                             R"([^\E]a])",
                                             R"([\Q\E^a])",
                                             R"([\E^\Q]\E])",
                                             R"([\E^^])",
                                             R"(\p{Xan})",
                                             R"(\P{xwd})",
                                             R"(\p{^Xsp})",
                                             R"([\p{Xps}a])",
                                             R"((?i)\p{Xuc})",
                                             R"([\Qa-z\E]+)",
                                             R"([a\Q-\Ez]+)",
                                             R"((?x)a \Q \Eb)",
                                             R"([]a]+)",
                                             R"([^]a])",
                                             R"([[a])",
                                             R"([a]])",
                                             R"(])",
                                             R"(})",
                                             R"({)",
                                             R"(a{,2})",
                                             R"(a{1, 2})",
                                             R"(a{2})",
                                             R"(a{1,2})",
                                             R"([[:alpha:]])",
                                             R"([[:^alpha:]])",
                                             R"([[:space:]])",
                                             R"((?i)[[:upper:]])",
                                             R"((?i)[^[:upper:]])",
                                             R"([[:punct:]])",
                                             R"([[:word:]-])",
                                             R"(\p{Greek})",
                                             R"(\p{Script=Greek})",
                                             R"(\p{sc:Greek})",
                                             R"(\p{scx:Greek})",
                                             R"(\p{Lu})",
                                             R"(\pL)",
                                             R"(\p{^L})",
                                             R"(\PL)",
                                             R"(\p{L&})",
                                             R"(\p{Any})",
                                             R"((?i)\p{Lu})",
                                             R"((?i)\P{Lu})",
                                             R"((?i)[\p{Lu}b])",
                                             R"((?i)s)",
                                             R"((?i)[s])",
                                             R"((?i)[^s])",
                                             R"((?i)k)",
                                             R"((?i)é)",
                                             R"((?i)ß)",
                                             R"((?i)i)",
                                             R"((?i)İ)",
                                             R"((?i)\w)",
                                             R"((?i:a)b)",
                                             R"((?i)a(?-i)b)",
                                             R"((?-i)a)",
                                             R"((?^i)a)",
                                             R"((?i)(?^)a)",
                                             R"((?s)a(?^:.)b)",
                                             R"((?x)(?^)a b)",
                                             R"((?m)(?^:^a$)\n)",
                                             R"((?i)(?^m)a$\n)",
                                             R"((?ix) a # b)",
                                             R"((?x)a b)",
                                             R"((?U)a+)",
                                             R"((?n)(a))",
                                             R"((?J)(?<n>a)(?<n>b))",
                                             R"((?<n>a)(?P<m>b)(?'k'c))",
                                             R"((?|(a)|(b)))",
                                             R"((?#c)a)",
                                             R"(\ba\b)",
                                             R"(\B)",
                                             R"(\bé)",
                                             R"(a++b)",
                                             R"(a++a)",
                                             R"(a*+)",
                                             R"(a?+a)",
                                             R"([ab]++b)",
                                             R"((?:ab)++a)",
                                             R"(a{1,2}+a)",
                                             R"(a{2}+a)",
                                             R"((?>a|ab)c)",
                                             R"((?>ab|a)c)",
                                             R"((?>ab|a)b)",
                                             R"((?>a+)a)",
                                             R"((?>a+?)a)",
                                             R"((?>a*?)a)",
                                             R"((?>ba*)a)",
                                             R"((?U)(?>a+)a)",
                                             R"((?>a)b)",
                                             R"((?>)a)",
                                             R"((?>(?=a)a*)b)",
                                             R"((?<=a)b)",
                                             R"((?<!a)b)",
                                             R"(\é)",
                                             R"(\_)",
                                             R"(a||b)",
                                             R"(()a)",
                                             R"((?i)[a-\xff])",
                                             R"([\x{80}-\x{ff}])"};
  std::size_t compared = 0;
  for (const std::string& pattern : patterns) compared += compare(pattern, texts);
  EXPECT_GT(compared, patterns.size() * texts.size());
}

// compare() leaves out what weir does not support, so it would not notice if these were refused.
TEST(SyntaxPcre, FirstMatchesOfPartsOfOneLengthAreSupported) {
  for (const char* const pattern : {"a++b", "a*+", "a?+a", "[ab]++b", "(?:ab)++a", "a{1,2}+a", "(?>a|ab)c", "(?>a+?)a",
                                    "(?>ba*)a", "(?>bab*)b", "(?>ab(?:c|d)*)e", "(?>(?=a)a*)b"}) {
    const Pattern ours(pattern, "p");
    EXPECT_FALSE(ours.failed()) << pattern << ": " << (ours.failed() ? ours.error().message : "");
  }
}

// The same for quotes, which may be empty or stand in a class, and for numbers of characters.
TEST(SyntaxPcre, QuotesAndOctalNumbersAreSupported) {
  struct Case {
    const char* pattern;
    const char* match;
    const char* no_match;
  };
  for (const auto& [pattern, match, no_match] :
       {Case{R"([\Q^]\E]+)", "^]", "Q"}, Case{R"([a\Q-\Ez]+)", "a-z", "m"}, Case{R"(a\Q\E+)", "aa", "Q"},
        Case{R"(\Qab\E+)", "abb", "abab"}, Case{R"(a\Eb)", "ab", "aEb"}, Case{R"(\0123)", "\n3", "S"},
        Case{R"([\101])", "A", "1"}, Case{R"(\10)", "\b", "0"}, Case{R"(\11)", "\t", "1"}, Case{R"(\o{12})", "\n", "o"},
        Case{R"(\N{U+41})", "A", "N"}}) {
    Pattern ours(pattern, "p");
    ASSERT_FALSE(ours.failed()) << pattern << ": " << ours.error().message;
    EXPECT_TRUE(ours.matches(match)) << pattern;
    EXPECT_FALSE(ours.matches(no_match)) << pattern;
  }
}

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string pattern(int size) {
    if (size <= 1) return leaf();
    const int left = 1 + below(size - 1);
    switch (below(7)) {
      case 0: return "(?:" + pattern(left) + "|" + pattern(size - left) + ")";
      case 1: return "(?:" + pattern(size - 1) + ")" + quantifier();
      case 2: return "(?>" + pattern(size - 1) + ")";
      case 3: return (below(2) == 0 ? "(?=" : "(?!") + pattern(left) + ")" + pattern(size - left);
      default: return pattern(left) + pattern(size - left);
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  std::string one_of(const std::vector<std::string>& list) { return list[random_() % list.size()]; }
  std::string leaf() {
    const std::string atom = one_of({"a", "b", "[ab]", "[^a]", ".", "\\n", "\\R", "\\N", "^", "$", "\\Z", "\\b", "ab",
                                     "(?m:^)", "(?m:$)", "\\v", "\\Qa\\E"});
    return below(3) == 0 && atom.front() != '^' && atom.front() != '$' ? atom + quantifier() : atom;
  }
  std::string quantifier() {
    return one_of({"*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{1,2}+", "{2,}+", "{1,2}?"});
  }

  std::mt19937 random_;
};

TEST(SyntaxPcre, RandomPatterns) {
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; texts[i].size() < 4; ++i) {
    for (const char* c : {"a", "b", "\n"}) texts.push_back(texts[i] + c);
  }
  texts.insert(texts.end(), {"\r\n", "\r", "a\r\n", "\r\n\n", "b\r\r\n"});
  std::size_t compared = 0;
  for (std::uint32_t seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    compared += compare(Generator(seed).pattern(1 + static_cast<int>(seed % 6)), texts);
  }
  EXPECT_GT(compared, 1500 * texts.size());
}

TEST(SyntaxPcre, RefusesWhatIsNotRegular) {
  for (const std::string_view pattern :
       {R"((a)\1)", R"((?<n>a)\k<n>)", R"((?P=n))", R"((?R))", R"((?1))", R"((?(1)a|b))", R"(\Ka)", R"(\G)", R"(\X)",
        R"(\C)", R"((*ACCEPT))", R"((?>a|a*b)c)", R"((?:a|bc)++)", R"((?xx)a)"}) {
    Pattern ours(pattern, "p");
    ASSERT_TRUE(ours.failed()) << pattern;
    EXPECT_EQ(ours.error().code, ErrorCode::kUnsupported) << pattern << ": " << ours.error().message;
  }
}

// compare() leaves out what PCRE2 refuses, so it would not notice if weir read it.
TEST(SyntaxPcre, RefusesWhatPcreRefuses) {
  for (const char* const pattern :
       {R"(\o{})", R"(\o{8})", R"(\o{12)", R"(\o{154000})", R"(\o{4200000})", R"(\x{d800})", R"(\x{110000})",
        R"((?i^)a)", R"((?^-i)a)", R"((?a)a)", R"([b-a])", R"(a{2,1})", R"((?<n>a)", R"(\p{Nope})", R"([[:alfa:]])",
        R"(\N{U+110000})", R"([\N{U+D800}])", R"(\N{U+})"}) {
    EXPECT_FALSE(Pcre(pattern, false).valid()) << pattern;
    Pattern ours(pattern, "p");
    ASSERT_TRUE(ours.failed()) << pattern;
    EXPECT_EQ(ours.error().code, ErrorCode::kSyntax) << pattern << ": " << ours.error().message;
  }
}

}  // namespace
}  // namespace weir::regex::syntax_pcre_test
