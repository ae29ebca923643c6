// Random small grammars for the tests of budgets of tokens, in EBNF and in the oracle's form. Seeded.
#ifndef WEIR_TESTS_EXHAUSTIVE_BUDGET_CASES_H_
#define WEIR_TESTS_EXHAUSTIVE_BUDGET_CASES_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oracle/bounded.h"

namespace weir::testing {

struct BudgetCase {
  oracle::BoundedCfg grammar;
  std::string ebnf;
};

// Returns a grammar of one to three rules, each with one to three alternatives of up to four symbols. A symbol is "a",
// "b", a rule or, if there are `words`, `[ab]+`.
inline BudgetCase budget_case(std::minstd_rand& random, bool has_words) {
  static constexpr const char* kNames[] = {"root", "x", "y"};
  BudgetCase out;
  const std::size_t rules = 1 + random() % 3;
  for (std::size_t rule = 0; rule < rules; ++rule) out.grammar.cfg.add_rule(kNames[rule]);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    out.grammar.bounds.emplace_back(std::nullopt);
    out.ebnf += std::string(kNames[rule]) + " ::= ";
    for (std::size_t alternatives = 1 + random() % 3, i = 0; i < alternatives; ++i) {
      if (i > 0) out.ebnf += " | ";
      std::vector<oracle::Symbol> symbols;
      std::string text;
      for (std::size_t count = random() % 5; count > 0; --count) {
        const std::size_t drawn = random() % (3 + rules + (has_words ? 2 : 0));
        symbols.push_back(drawn < 3 ? oracle::Cfg::bytes(drawn == 0 ? "b" : "a")
                                    : oracle::Cfg::rule(std::min(drawn - 3, rules)));
        text += drawn < 3           ? (drawn == 0 ? "\"b\" " : "\"a\" ")
                : drawn < 3 + rules ? std::string(kNames[drawn - 3]) + " "
                                    : "[ab]+ ";
      }
      out.ebnf += text.empty() ? "\"\"" : text;
      out.grammar.cfg.add(rule, std::move(symbols));
    }
    out.ebnf += "\n";
  }
  if (has_words) {
    const std::size_t word = out.grammar.cfg.add_rule("word");
    out.grammar.bounds.emplace_back(std::nullopt);
    out.grammar.cfg.add(word, {oracle::Cfg::bytes("ab")});
    out.grammar.cfg.add(word, {oracle::Cfg::bytes("ab"), oracle::Cfg::rule(word)});
  }
  return out;
}

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_BUDGET_CASES_H_
