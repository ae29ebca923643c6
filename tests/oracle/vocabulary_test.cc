#include "oracle/vocabulary.h"

#include <gtest/gtest.h>

#include "oracle/random_grammar.h"

namespace weir::oracle {
namespace {

TEST(OracleMask, TriesEveryToken) {
  Cfg cfg;  // root ::= "ab" root | "b"
  const std::size_t root = cfg.add_rule("root");
  cfg.add(root, {Cfg::bytes("a"), Cfg::bytes("b"), Cfg::rule(root)});
  cfg.add(root, {Cfg::bytes("b")});
  const Vocabulary vocabulary{{"a", "b", "", "ab", "aba", "bb", "b", "<end>"}, {7}};
  Earley earley(cfg);
  EXPECT_EQ(mask(earley, vocabulary), (std::vector<bool>{true, true, false, true, true, false, true, false}));
  earley.push("ab");
  EXPECT_EQ(mask(earley, vocabulary), (std::vector<bool>{true, true, false, true, true, false, true, false}));
  earley.push("b");
  EXPECT_EQ(mask(earley, vocabulary), (std::vector<bool>{false, false, false, false, false, false, false, true}));
}

TEST(OracleMask, SortedVocabularyAgrees) {
  std::minstd_rand random(9);
  const Vocabulary vocabulary{
      {"b", "a", "", "ab", "aba", "abb", "abbb", "bb", "a", "abbab", "c", "ca", "bbab", "<end>"}, {13}};
  const SortedVocabulary sorted(vocabulary);
  for (int i = 0; i < 300; ++i) {
    const GrammarCase g = random_plain_grammar(random);
    Earley earley(g.cfg);
    for (const std::string& text : all_strings("ab", 3)) {
      earley.restart(text);
      if (!earley.viable()) continue;
      ASSERT_EQ(sorted.mask(earley), mask(earley, vocabulary)) << g.ebnf << text;
      ASSERT_EQ(earley.size(), text.size());
    }
  }
}

// Every member that begins with the prefix continues with the forced bytes, and no longer string has that property.
TEST(OracleForced, IsTheLongestCommonContinuation) {
  std::minstd_rand random(4);
  constexpr std::size_t kLength = 6;
  for (int i = 0; i < 400; ++i) {
    const GrammarCase g = random_plain_grammar(random);
    const std::set<std::string> members = languages(g.cfg, kLength)[g.cfg.start];
    Earley earley(g.cfg);
    for (const std::string& text : all_strings("ab", 3)) {
      earley.restart(text);
      if (!earley.viable()) continue;
      const std::string forced = forced_bytes(earley, kLength);
      for (const std::string& member : members) {
        if (member.starts_with(text) && member.size() >= text.size() + forced.size()) {
          ASSERT_TRUE(member.starts_with(text + forced)) << g.ebnf << text;
        }
        ASSERT_FALSE(member.starts_with(text) && member.size() < text.size() + forced.size()) << g.ebnf << text;
      }
    }
  }
}

}  // namespace
}  // namespace weir::oracle
