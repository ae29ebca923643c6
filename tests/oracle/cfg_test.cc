#include "oracle/cfg.h"

#include <gtest/gtest.h>

#include "oracle/earley.h"
#include "oracle/random_grammar.h"

namespace weir::oracle {
namespace {

// root ::= "a" root "b" | ""
Cfg balanced() {
  Cfg cfg;
  const std::size_t root = cfg.add_rule("root");
  cfg.add(root, {Cfg::bytes("a"), Cfg::rule(root), Cfg::bytes("b")});
  cfg.add(root, {});
  return cfg;
}

TEST(OracleCfg, EnumeratesAndRecognises) {
  const Cfg cfg = balanced();
  EXPECT_EQ(languages(cfg, 6)[0], (std::set<std::string>{"", "ab", "aabb", "aaabbb"}));
  EXPECT_TRUE(is_member(cfg, "aabb"));
  EXPECT_FALSE(is_member(cfg, "aab"));
  EXPECT_TRUE(is_viable_prefix(cfg, "aaaaaaaab"));
  EXPECT_FALSE(is_viable_prefix(cfg, "aba"));
  EXPECT_EQ(to_ebnf(cfg), "root ::= \"a\" root \"b\" | \"\"\n");
}

TEST(OracleCfg, UnproductiveRulesMakeNothingViable) {
  Cfg cfg;  // root ::= "a" x | "b";  x ::= "a" x
  const std::size_t root = cfg.add_rule("root");
  const std::size_t x = cfg.add_rule("x");
  cfg.add(root, {Cfg::bytes("a"), Cfg::rule(x)});
  cfg.add(root, {Cfg::bytes("b")});
  cfg.add(x, {Cfg::bytes("a"), Cfg::rule(x)});
  EXPECT_EQ(productive_rules(cfg), (std::vector<bool>{true, false}));
  EXPECT_EQ(reachable_rules(cfg), (std::vector<bool>{true, true}));
  EXPECT_EQ(reachable_rules(productive_part(cfg)), (std::vector<bool>{true, false}));
  EXPECT_FALSE(is_viable_prefix(cfg, "a"));
  EXPECT_TRUE(is_viable_prefix(cfg, "b"));
}

TEST(OracleCfg, CyclesHiddenLeftRecursionAndAmbiguity) {
  Cfg cfg;  // root ::= root | e root "a" | root root | "b";  e ::= "" | e e
  const std::size_t root = cfg.add_rule("root");
  const std::size_t e = cfg.add_rule("e");
  cfg.add(root, {Cfg::rule(root)});
  cfg.add(root, {Cfg::rule(e), Cfg::rule(root), Cfg::bytes("a")});
  cfg.add(root, {Cfg::rule(root), Cfg::rule(root)});
  cfg.add(root, {Cfg::bytes("b")});
  cfg.add(e, {});
  cfg.add(e, {Cfg::rule(e), Cfg::rule(e)});
  EXPECT_TRUE(is_member(cfg, "baabab"));
  EXPECT_FALSE(is_member(cfg, "ab"));
  EXPECT_FALSE(is_viable_prefix(cfg, "a"));
}

TEST(OracleCfg, RegexBecomesRules) {
  Cfg cfg;
  cfg.start = cfg.add_regex(both(complement(literal("ab")), repeat(set_of("ab"), 1, 2)), "abc");
  EXPECT_EQ(languages(cfg, 4)[cfg.start], (std::set<std::string>{"a", "b", "aa", "ba", "bb"}));
}

TEST(OracleEarley, PopRestores) {
  Earley earley(balanced());
  earley.push("aab");
  EXPECT_EQ(earley.next_bytes(), bytes_of("b"));
  earley.push("a");
  EXPECT_FALSE(earley.viable());
  earley.pop(2);
  EXPECT_EQ(earley.next_bytes(), bytes_of("ab"));
  earley.push("bb");
  EXPECT_TRUE(earley.member());
}

// Membership against the enumerated language, viability against the enumerated language of the prefix grammar.
void compare_with_enumeration(const GrammarCase& g, const std::vector<std::string>& strings, std::size_t length) {
  const std::set<std::string> members = languages(g.cfg, length)[g.cfg.start];
  const Cfg prefixes = prefix_grammar(g.cfg);
  const std::set<std::string> viable = languages(prefixes, length)[prefixes.start];
  Earley earley(g.cfg);
  for (const std::string& text : strings) {
    earley.restart(text);
    ASSERT_EQ(earley.member(), members.contains(text)) << g.ebnf << "on '" << text << "'";
    ASSERT_EQ(earley.viable(), viable.contains(text)) << g.ebnf << "on '" << text << "'";
    const ByteSet next = earley.next_bytes();
    for (const char byte : {'a', 'b', 'c'}) {
      if (text.size() < length) {
        ASSERT_EQ(next[static_cast<unsigned char>(byte)], viable.contains(text + byte))
            << g.ebnf << "on '" << text << "'";
      }
    }
  }
}

TEST(OracleEarley, AgreesWithEnumerationOnPlainGrammars) {
  std::minstd_rand random(1);
  const std::vector<std::string> strings = all_strings("ab", 5);
  for (int i = 0; i < 1500; ++i) compare_with_enumeration(random_plain_grammar(random), strings, 5);
}

TEST(OracleEarley, AgreesWithEnumerationOnNestedGrammars) {
  std::minstd_rand random(2);
  const std::vector<std::string> strings = all_strings("ab", 4);
  for (int i = 0; i < 150; ++i) compare_with_enumeration(random_nested_grammar(random, 2), strings, 4);
}

}  // namespace
}  // namespace weir::oracle
