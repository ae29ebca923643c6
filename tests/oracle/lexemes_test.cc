#include "oracle/lexemes.h"

#include <gtest/gtest.h>

#include "oracle/random_grammar.h"

namespace weir::oracle {
namespace {

// root ::= A B with A = /a+/ in `mode` and B = /ab/
LexGrammar plus_then_ab(Mode mode) {
  return {
      1, {{repeat(set_of("a"), 1, kUnbounded), mode}, {literal("ab"), Mode::kExact}}, {{0, {{false, 0}, {false, 1}}}}};
}

TEST(OracleLexemes, ModesByDefinition) {
  EXPECT_TRUE(is_member(plus_then_ab(Mode::kExact), "aab"));
  EXPECT_TRUE(is_member(plus_then_ab(Mode::kExact), "aaaab"));
  EXPECT_FALSE(is_member(plus_then_ab(Mode::kExact), "ab"));
  EXPECT_TRUE(is_member(plus_then_ab(Mode::kLazy), "aab"));
  EXPECT_FALSE(is_member(plus_then_ab(Mode::kLazy), "aaab"));
  // The greedy lexeme would have to take the `a` of `ab` too.
  EXPECT_FALSE(is_member(plus_then_ab(Mode::kGreedy), "aab"));
  EXPECT_FALSE(is_member(plus_then_ab(Mode::kGreedy), "aaab"));
}

TEST(OracleLexemes, GreedyLooksPastTheNextLexeme) {
  // A = /a(bab)?/ greedy, then /b/, then /[ab]*/: after `ab` the text `ab` would make A's lexeme longer.
  const RegexPtr a = concat(set_of("a"), repeat(literal("bab"), 0, 1));
  const LexGrammar grammar{
      1,
      {{a, Mode::kGreedy}, {set_of("b"), Mode::kExact}, {repeat(set_of("ab"), 0, kUnbounded), Mode::kExact}},
      {{0, {{false, 0}, {false, 1}, {false, 2}}}}};
  EXPECT_TRUE(is_member(grammar, "ab"));
  EXPECT_TRUE(is_member(grammar, "aba"));
  EXPECT_FALSE(is_member(grammar, "abab"));
  EXPECT_TRUE(is_member(grammar, "ababb"));  // A takes `abab`
  EXPECT_TRUE(is_member(grammar, "abaa"));
}

// With exact terminals only, the lexeme oracle's grammars are ordinary context-free grammars.
TEST(OracleLexemes, ExactModeAgreesWithCfg) {
  std::minstd_rand random(3);
  const std::vector<std::string> strings = all_strings("ab", 5);
  for (int i = 0; i < 300; ++i) {
    LexGrammar grammar = random_lexeme_grammar(random);
    for (LexTerminal& t : grammar.terminals) t.mode = Mode::kExact;
    Cfg cfg;
    for (std::size_t rule = 0; rule < grammar.rules; ++rule) cfg.add_rule("r");
    std::vector<std::size_t> terminals;
    for (const LexTerminal& t : grammar.terminals) terminals.push_back(cfg.add_regex(t.regex, "abc"));
    for (const LexProduction& p : grammar.productions) {
      std::vector<Symbol> symbols;
      for (const LexSymbol& s : p.symbols) symbols.push_back(Cfg::rule(s.is_rule ? s.id : terminals[s.id]));
      cfg.add(p.rule, symbols);
    }
    const std::set<std::string> members = languages(cfg, 5)[0];
    for (const std::string& text : strings) ASSERT_EQ(is_member(grammar, text), members.contains(text)) << text;
  }
}

}  // namespace
}  // namespace weir::oracle
