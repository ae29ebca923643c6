#include "oracle/regex.h"

#include <gtest/gtest.h>

namespace weir::oracle {
namespace {

TEST(OracleRegex, MatchesByDefinition) {
  const RegexPtr a = set_of("a");
  const RegexPtr b = set_of("b");
  EXPECT_FALSE(matches(*nothing(), ""));
  EXPECT_TRUE(matches(*empty(), ""));
  EXPECT_FALSE(matches(*empty(), "a"));
  EXPECT_TRUE(matches(*concat(a, b), "ab"));
  EXPECT_FALSE(matches(*concat(a, b), "ba"));
  EXPECT_TRUE(matches(*complement(a), "aa"));
  EXPECT_FALSE(matches(*complement(a), "a"));
  EXPECT_TRUE(matches(*both(repeat(a, 2, kUnbounded), repeat(set_of("ab"), 0, 3)), "aaa"));
  EXPECT_FALSE(matches(*both(repeat(a, 2, kUnbounded), repeat(set_of("ab"), 0, 3)), "aaaa"));
  EXPECT_TRUE(matches(*repeat(literal("ab"), 2, 2), "abab"));
  EXPECT_FALSE(matches(*repeat(literal("ab"), 2, 2), "ab"));
  EXPECT_TRUE(matches(*repeat(a, 0, 0), ""));
  EXPECT_FALSE(matches(*repeat(a, 0, 0), "a"));
  // A nullable child may use up counts without text.
  EXPECT_TRUE(matches(*repeat(repeat(a, 0, 1), 3, 4), ""));
  EXPECT_TRUE(matches(*repeat(repeat(a, 0, 1), 3, 4), "aaaa"));
  EXPECT_FALSE(matches(*repeat(repeat(a, 0, 1), 3, 4), "aaaaa"));
}

TEST(OracleRegex, SpansAreMatchesOfSubstrings) {
  std::minstd_rand random(11);
  for (int i = 0; i < 200; ++i) {
    const RegexPtr regex = random_regex(random, 7, {set_of("a"), set_of("b")});
    const std::string text = "abbab";
    const std::vector<char> spans = match_spans(*regex, text);
    for (std::size_t from = 0; from <= text.size(); ++from) {
      for (std::size_t to = from; to <= text.size(); ++to) {
        ASSERT_EQ(spans[from * 6 + to] != 0, matches(*regex, text.substr(from, to - from))) << regex->key;
      }
    }
  }
}

// Two matchers that share only the tree agree on every small regex and string, and liveness is exact.
void compare_matchers(const RegexPtr& regex, const std::vector<std::string>& strings) {
  const Dfa dfa(regex, "abc");
  for (const std::string& text : strings) {
    ASSERT_EQ(dfa.accepting(dfa.run(text)), matches(*regex, text)) << regex->key << " on " << text;
    if (matches(*regex, text)) {
      for (std::size_t n = 0; n <= text.size(); ++n) ASSERT_TRUE(dfa.live(dfa.run(text.substr(0, n)))) << regex->key;
    }
  }
}

TEST(OracleRegex, DerivativesAgreeWithSpansOnAllSmallRegexes) {
  const std::vector<RegexPtr> leaves{set_of("a"), set_of("b"), empty()};
  const std::vector<std::string> strings = all_strings("abc", 4);
  for (int size = 1; size <= 4; ++size) {
    for (const RegexPtr& regex : all_regexes(size, leaves)) compare_matchers(regex, strings);
  }
}

TEST(OracleRegex, DerivativesAgreeWithSpansOnLargerOnes) {
  std::minstd_rand random(5);
  const std::vector<std::string> strings = all_strings("ab", 6);
  for (int i = 0; i < 1500; ++i)
    compare_matchers(random_regex(random, 12, {set_of("a"), set_of("b"), set_of("ab"), nothing()}), strings);
}

TEST(OracleRegex, LivenessIsEmptiness) {
  const RegexPtr any = repeat(set_of("abc"), 0, kUnbounded);
  const Dfa none(complement(any), "abc");
  EXPECT_FALSE(none.live(none.start()));
  const Dfa word(literal("ab"), "abc");
  EXPECT_TRUE(word.live(word.run("ab")));
  EXPECT_FALSE(word.live(word.run("aba")));
  const Dfa both_ends(both(concat(set_of("a"), any), concat(any, set_of("b"))), "abc");
  EXPECT_TRUE(both_ends.live(both_ends.run("ac")));
  EXPECT_FALSE(both_ends.live(both_ends.run("c")));
}

TEST(OracleRegex, Prints) {
  const RegexPtr a = set_of("a");
  const RegexPtr regex = both(complement(concat(a, set_of("bc"))), repeat(set_of("abc"), 2, 3));
  EXPECT_EQ(print(*regex, Syntax::kRegex, Groups::kAll, "abc"), "(?:(?:~(?:a[^a]))&(?:.{2,3}))");
  EXPECT_EQ(print(*regex, Syntax::kRegex, Groups::kNeeded, "abc"), "~(?:a[^a])&.{2,3}");
  EXPECT_EQ(print(*regex, Syntax::kEbnf, Groups::kAll, "abc"), "((~(\"a\" [^a]))&(.{2,3}))");
  EXPECT_EQ(print(*regex, Syntax::kEbnf, Groups::kNeeded, "abc"), "~(\"a\" [^a])&.{2,3}");
  const auto terse = [](const RegexPtr& r) { return print(*r, Syntax::kRegex, Groups::kNeeded, "abc"); };
  EXPECT_EQ(terse(concat(complement(a), repeat(a, 0, kUnbounded))), "~aa*");
  EXPECT_EQ(terse(complement(repeat(a, 0, kUnbounded))), "~a*");
  EXPECT_EQ(terse(repeat(complement(a), 0, kUnbounded)), "(?:~a)*");
  EXPECT_EQ(terse(repeat(repeat(a, 0, 1), 2, 2)), "(?:a?){2}");
  EXPECT_EQ(terse(concat(either(a, empty()), both(a, concat(a, a)))), "(?:a|(?:))(?:a&aa)");
  EXPECT_EQ(terse(either(both(a, a), either(a, nothing()))), "a&a|a|(?:a&b)");
}

TEST(OracleRegex, EnumerationCounts) {
  const std::vector<RegexPtr> leaves{set_of("a"), set_of("b"), empty()};
  EXPECT_EQ(all_regexes(1, leaves).size(), 3U);
  EXPECT_EQ(all_regexes(2, leaves).size(), 12U);
  EXPECT_EQ(all_regexes(3, leaves).size(), 75U);  // 4 * 12 + 3 * 3 * 3
  EXPECT_EQ(all_strings("ab", 3).size(), 15U);
}

}  // namespace
}  // namespace weir::oracle
