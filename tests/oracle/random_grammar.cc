#include "oracle/random_grammar.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace weir::oracle {
namespace {

constexpr std::string_view kAlphabet = "abc";  // a and b are used; c stands for every other character in complements
constexpr const char* kRuleNames[] = {"root", "x", "y"};

std::size_t below(std::minstd_rand& random, std::size_t bound) { return random() % bound; }

// A piece of EBNF text and the symbols that it denotes.
struct Piece {
  std::string text;
  std::vector<Symbol> symbols;
};

class NestedGenerator {
 public:
  explicit NestedGenerator(std::minstd_rand& random) : random_(random) {}

  GrammarCase generate(int depth) {
    const std::size_t rules = 1 + below(random_, 3);
    for (std::size_t rule = 0; rule < rules; ++rule) cfg_.add_rule(kRuleNames[rule]);
    user_rules_ = rules;
    std::string text;
    for (std::size_t rule = 0; rule < rules; ++rule) {
      text += std::string(kRuleNames[rule]) + " ::= " + alternatives(rule, depth) + "\n";
    }
    return {std::move(text), std::move(cfg_)};
  }

 private:
  // Adds the alternatives as productions of `rule`.
  std::string alternatives(std::size_t rule, int depth) {
    std::string text;
    for (std::size_t n = 1 + below(random_, 3); n > 0; --n) {
      Piece piece = sequence(depth);
      text += (text.empty() ? "" : " | ") + piece.text;
      cfg_.add(rule, std::move(piece.symbols));
    }
    return text;
  }

  Piece sequence(int depth) {
    Piece result;
    for (std::size_t n = 1 + below(random_, 3); n > 0; --n) {
      Piece piece = postfix(depth);
      result.text += (result.text.empty() ? "" : " ") + piece.text;
      result.symbols.insert(result.symbols.end(), piece.symbols.begin(), piece.symbols.end());
    }
    return result;
  }

  Piece postfix(int depth) {
    const Piece inner = atom(depth);
    const std::size_t min = below(random_, 3);
    switch (below(random_, 12)) {
      case 0: return repeated(inner, "?", 0, 1);
      case 1: return repeated(inner, "*", 0, kUnbounded);
      case 2: return repeated(inner, "+", 1, kUnbounded);
      case 3: {
        const std::size_t max = min + below(random_, 3);
        return repeated(inner, "{" + std::to_string(min) + "," + std::to_string(max) + "}", min, static_cast<int>(max));
      }
      case 4: return repeated(inner, "{" + std::to_string(min) + ",}", min, kUnbounded);
      default: return inner;
    }
  }

  Piece repeated(const Piece& inner, const std::string& suffix, std::size_t min, int max) {
    const std::size_t rule = fresh();
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < min; ++i) symbols.insert(symbols.end(), inner.symbols.begin(), inner.symbols.end());
    if (max == kUnbounded) {
      const std::size_t more = fresh();
      std::vector<Symbol> again = inner.symbols;
      again.push_back(Cfg::rule(more));
      cfg_.add(more, {});
      cfg_.add(more, std::move(again));
      symbols.push_back(Cfg::rule(more));
      cfg_.add(rule, std::move(symbols));
    } else {
      for (int n = static_cast<int>(min); n <= max; ++n) {
        cfg_.add(rule, symbols);
        symbols.insert(symbols.end(), inner.symbols.begin(), inner.symbols.end());
      }
    }
    return {inner.text + suffix, {Cfg::rule(rule)}};
  }

  Piece atom(int depth) {
    switch (below(random_, depth > 0 ? 10U : 7U)) {
      case 0: return {"\"a\"", Cfg::text("a")};
      case 1: return {"\"b\"", Cfg::text("b")};
      case 2: return {"\"ab\"", Cfg::text("ab")};
      case 3: return {"[ab]", {Cfg::bytes("ab")}};
      case 4:
      case 5: {
        const std::size_t rule = below(random_, user_rules_);
        return {kRuleNames[rule], {Cfg::rule(rule)}};
      }
      case 6: {
        const RegexPtr regex =
            random_regex(random_, 1 + static_cast<int>(below(random_, 6)), {set_of("a"), set_of("b"), set_of("ab")});
        const Groups groups = below(random_, 2) == 0 ? Groups::kAll : Groups::kNeeded;
        const std::string text = "(" + print(*regex, Syntax::kEbnf, groups, kAlphabet) + ")";
        return {text, {Cfg::rule(cfg_.add_regex(regex, kAlphabet))}};
      }
      default: {
        const std::size_t rule = fresh();
        return {"(" + alternatives(rule, depth - 1) + ")", {Cfg::rule(rule)}};
      }
    }
  }

  std::size_t fresh() { return cfg_.add_rule("group" + std::to_string(cfg_.names.size())); }

  std::minstd_rand& random_;
  Cfg cfg_;
  std::size_t user_rules_ = 0;
};

}  // namespace

GrammarCase random_plain_grammar(std::minstd_rand& random) {
  GrammarCase result;
  const std::size_t rules = 1 + below(random, 3);
  for (std::size_t rule = 0; rule < rules; ++rule) result.cfg.add_rule(kRuleNames[rule]);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    for (std::size_t n = 1 + below(random, 3); n > 0; --n) {
      std::vector<Symbol> symbols;
      for (std::size_t k = below(random, 4); k > 0; --k) {
        const std::size_t symbol = below(random, rules + 2);
        symbols.push_back(symbol == 0 ? Cfg::bytes("a") : symbol == 1 ? Cfg::bytes("b") : Cfg::rule(symbol - 2));
      }
      result.cfg.add(rule, std::move(symbols));
    }
  }
  result.ebnf = to_ebnf(result.cfg);
  return result;
}

GrammarCase random_nested_grammar(std::minstd_rand& random, int depth) {
  return NestedGenerator(random).generate(depth);
}

LexGrammar random_lexeme_grammar(std::minstd_rand& random) {
  LexGrammar grammar;
  const std::vector<RegexPtr> leaves{set_of("a"), set_of("b"), set_of("ab")};
  const std::size_t terminals = 2 + below(random, 2);
  while (grammar.terminals.size() < terminals) {
    const RegexPtr regex = random_regex(random, 1 + static_cast<int>(below(random, 5)), leaves);
    const Mode mode = static_cast<Mode>(below(random, 3));
    if (mode == Mode::kGreedy && matches(*regex, "")) continue;  // weir supports no such terminals
    grammar.terminals.push_back({regex, mode});
  }
  // Rule 0 may refer to rule 1, which contains only terminals.
  grammar.rules = 2;
  for (std::size_t rule = 0; rule < 2; ++rule) {
    for (std::size_t n = 1 + below(random, 2); n > 0; --n) {
      LexProduction production{rule, {}};
      for (std::size_t k = 1 + below(random, 3); k > 0; --k) {
        if (rule == 0 && below(random, 4) == 0) {
          production.symbols.push_back({true, 1});
        } else {
          production.symbols.push_back({false, below(random, terminals)});
        }
      }
      grammar.productions.push_back(std::move(production));
    }
  }
  return grammar;
}

LexGrammar random_look_ahead_grammar(std::minstd_rand& random) {
  LexGrammar grammar = random_lexeme_grammar(random);
  const std::vector<RegexPtr> leaves{set_of("a"), set_of("b"), set_of("ab")};
  const std::size_t choice = 1 + below(random, 3);
  for (std::size_t rule = 0; rule < 2; ++rule) {
    const bool has_one = ((choice >> rule) & 1U) != 0;
    const RegexPtr regex = random_regex(random, 1 + static_cast<int>(below(random, 4)), leaves);
    grammar.look_aheads.push_back(has_one ? regex : nullptr);
  }
  return grammar;
}

}  // namespace weir::oracle
