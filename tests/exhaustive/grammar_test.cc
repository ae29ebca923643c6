// Compares thousands of small grammars, over vocabularies of overlapping tokens, with the Earley oracle.
#include <gtest/gtest.h>

#include "exhaustive/grammar_check.h"

namespace weir::testing {
namespace {

// The number of grammars of each family, and the length of texts. Each byte of length doubles the time. Nested grammars
// take about a hundred times as long as plain ones, so only a few of them have the longest texts.
constexpr int kPlain = 4000;
constexpr int kNested = 70;
constexpr int kNestedLong = 10;
constexpr std::size_t kLength = 6;
constexpr int kTinyCache = 100;  // grammars of each family with very small caches

oracle::Vocabulary overlapping() {
  return {{"a", "b", "ab", "ba", "aab", "bb", "aaa", "", "a", "abba", "", "c", "bbbb"}, {10}};
}

// Two stop tokens, one of which has bytes; stop tokens are not text.
oracle::Vocabulary two_stops() { return {{"", "b", "b", "a", "aba", "ab", "", "bba"}, {0, 2}}; }

void expect_worthwhile(const GrammarCheck& check) {
  const GrammarCheck::Counts& counts = check.counts();
  EXPECT_GT(counts.texts, counts.grammars * 3) << "the grammars have too few texts to tell anything";
  ::testing::Test::RecordProperty("texts", static_cast<int>(counts.texts));
  ::testing::Test::RecordProperty("unsatisfiable", static_cast<int>(counts.unsatisfiable));
}

// All grammars of one rule with one or two alternatives of up to three symbols. A symbol is "a", "b" or the rule.
TEST(ExhaustiveGrammar, AllOfOneRule) {
  const oracle::Symbol symbols[] = {oracle::Cfg::bytes("a"), oracle::Cfg::bytes("b"), oracle::Cfg::rule(0)};
  std::vector<std::vector<oracle::Symbol>> alternatives{{}};
  for (std::size_t i = 0; i < alternatives.size() && alternatives[i].size() < 3; ++i) {
    for (const oracle::Symbol& symbol : symbols) {
      alternatives.push_back(alternatives[i]);
      alternatives.back().push_back(symbol);
    }
  }
  ASSERT_EQ(alternatives.size(), 40U);
  GrammarCheck check(overlapping(), {}, kLength);
  for (std::size_t i = 0; i < alternatives.size() && !enough_failures(); ++i) {
    for (std::size_t k = i; k < alternatives.size() && !enough_failures(); ++k) {
      oracle::GrammarCase grammar;
      grammar.cfg.add_rule("root");
      grammar.cfg.add(0, alternatives[i]);
      if (k != i) grammar.cfg.add(0, alternatives[k]);
      grammar.ebnf = oracle::to_ebnf(grammar.cfg);
      check.check(grammar);
    }
  }
  EXPECT_EQ(check.counts().grammars, 820U);
}

TEST(ExhaustiveGrammar, Plain) {
  GrammarCheck check(overlapping(), {}, kLength);
  std::minstd_rand random(101);
  for (int i = 0; i < kPlain && !enough_failures(); ++i) check.check(oracle::random_plain_grammar(random));
  expect_worthwhile(check);
}

TEST(ExhaustiveGrammar, Nested) {
  std::minstd_rand random(102);
  GrammarCheck longer(overlapping(), {}, kLength);
  for (int i = 0; i < kNestedLong && !enough_failures(); ++i) longer.check(oracle::random_nested_grammar(random, 2));
  expect_worthwhile(longer);
  GrammarCheck check(overlapping(), {}, kLength - 1);
  for (int i = 0; i < kNested && !enough_failures(); ++i) check.check(oracle::random_nested_grammar(random, 2));
  expect_worthwhile(check);
}

TEST(ExhaustiveGrammar, StopTokensWithBytes) {
  GrammarCheck check(two_stops(), {}, kLength - 1);
  std::minstd_rand random(103);
  for (int i = 0; i < kTinyCache && !enough_failures(); ++i) check.check(oracle::random_plain_grammar(random));
}

// With tiny caches, states, rows and masks are often dropped and rebuilt; masks must not change.
TEST(ExhaustiveGrammar, TinyCache) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{20000}}) {
    GrammarCheck check(overlapping(), {.state_memory = bytes}, kLength - 2);
    std::minstd_rand random(104);
    for (int i = 0; i < kTinyCache && !enough_failures(); ++i) {
      check.check(oracle::random_plain_grammar(random));
      check.check(oracle::random_nested_grammar(random, 0));
    }
    if (bytes == 1) {
      EXPECT_GT(check.counts().flushes, 0U);
    }
  }
}

}  // namespace
}  // namespace weir::testing
