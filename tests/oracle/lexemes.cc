#include "oracle/lexemes.h"

namespace weir::oracle {
namespace {

// Entry i * n + j: the span [i, j) of a text of n - 1 bytes.
using Spans = std::vector<char>;

Spans fits(const LexTerminal& terminal, std::string_view text) {
  const std::size_t n = text.size() + 1;
  const Spans match = match_spans(*terminal.regex, text);
  Spans result = match;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      if (terminal.mode == Mode::kLazy) {
        for (std::size_t k = i; k < j; ++k) {
          if (match[i * n + k]) result[i * n + j] = 0;
        }
      } else if (terminal.mode == Mode::kGreedy) {
        for (std::size_t k = j + 1; k < n; ++k) {
          if (match[i * n + k]) result[i * n + j] = 0;
        }
      }
    }
  }
  return result;
}

Spans product(const Spans& left, const Spans& right, std::size_t n) {
  Spans result(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i; k < n; ++k) {
      for (std::size_t j = k; left[i * n + k] && j < n; ++j) {
        if (right[k * n + j]) result[i * n + j] = 1;
      }
    }
  }
  return result;
}

}  // namespace

namespace {

// Returns for each rule the spans that it derives.
std::vector<Spans> derived_spans(const LexGrammar& grammar, std::string_view text) {
  const std::size_t n = text.size() + 1;
  std::vector<Spans> terminals;
  for (const LexTerminal& t : grammar.terminals) terminals.push_back(fits(t, text));
  std::vector<std::vector<char>> may_end(grammar.rules, std::vector<char>(n, 1));
  for (std::size_t rule = 0; rule < grammar.look_aheads.size(); ++rule) {
    if (grammar.look_aheads[rule] == nullptr) continue;
    const Spans match = match_spans(*grammar.look_aheads[rule], text);
    for (std::size_t j = 0; j < n; ++j) {
      may_end[rule][j] = 0;
      for (std::size_t k = j; k < n; ++k) may_end[rule][j] |= match[j * n + k];
    }
  }
  std::vector<Spans> rules(grammar.rules, Spans(n * n, 0));
  for (bool changed = true; changed;) {
    changed = false;
    for (const LexProduction& p : grammar.productions) {
      Spans derived(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) derived[i * n + i] = 1;
      for (const LexSymbol& s : p.symbols) derived = product(derived, s.is_rule ? rules[s.id] : terminals[s.id], n);
      Spans& rule = rules[p.rule];
      for (std::size_t i = 0; i < derived.size(); ++i) {
        if (derived[i] && !rule[i] && may_end[p.rule][i % n]) rule[i] = 1, changed = true;
      }
    }
  }
  return rules;
}

}  // namespace

bool is_member(const LexGrammar& grammar, std::string_view text) {
  return derived_spans(grammar, text)[0][text.size()] != 0;
}

bool looks_ahead_of_nothing(const LexGrammar& grammar) {
  LexGrammar without = grammar;
  without.look_aheads.clear();
  const std::vector<Spans> rules = derived_spans(without, "");
  for (std::size_t rule = 0; rule < grammar.look_aheads.size(); ++rule) {
    if (grammar.look_aheads[rule] != nullptr && rules[rule][0] != 0) return true;
  }
  return false;
}

std::string to_ebnf(const LexGrammar& grammar, std::string_view universe) {
  const auto name = [](std::size_t rule) { return rule == 0 ? std::string("root") : "r" + std::to_string(rule); };
  std::string text;
  for (std::size_t rule = 0; rule < grammar.rules; ++rule) {
    std::string alternatives;
    for (const LexProduction& p : grammar.productions) {
      if (p.rule != rule) continue;
      alternatives += alternatives.empty() ? "" : " |";
      if (p.symbols.empty()) alternatives += " \"\"";
      for (const LexSymbol& s : p.symbols) {
        if (s.is_rule) {
          alternatives += " " + name(s.id);
          continue;
        }
        const LexTerminal& t = grammar.terminals[s.id];
        const std::string regex = "(" + print(*t.regex, Syntax::kEbnf, Groups::kNeeded, universe) + ")";
        alternatives += t.mode == Mode::kExact ? " " : t.mode == Mode::kLazy ? " @lazy" : " @greedy";
        alternatives += regex;
      }
    }
    text += name(rule) + " ::=" + alternatives;
    if (rule < grammar.look_aheads.size() && grammar.look_aheads[rule] != nullptr) {
      text += " (= " + print(*grammar.look_aheads[rule], Syntax::kEbnf, Groups::kNeeded, universe) + ")";
    }
    text += "\n";
  }
  return text;
}

}  // namespace weir::oracle
