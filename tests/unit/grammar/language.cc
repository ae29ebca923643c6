#include "language.h"
#include "regex/analysis/members.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weir::grammar::testing {

namespace {

Language concatenated(const Language& a, const Language& b, std::size_t max_length) {
  Language out;
  for (const std::string& x : a) {
    for (const std::string& y : b) {
      if (x.size() + y.size() <= max_length) out.insert(x + y);
    }
  }
  return out;
}

// Returns the character that represents the token set or terminal `name`. It is a hash of the name; the few names in
// these tests have different hashes.
char opaque_character(const std::string& name) {
  unsigned sum = 0;
  for (const char c : name) sum = (sum * 31 + static_cast<unsigned char>(c)) % 127;
  return static_cast<char>(128 + sum);
}

Language terminal_language(regex::ExprSet& exprs, const Terminal& terminal, std::size_t max_length) {
  if (terminal.mode != base::LexemeMode::kExact) {
    const char mode = terminal.mode == base::LexemeMode::kLazy ? 'L' : 'G';
    return {
        std::string(1, opaque_character(mode + regex::shortest_member(exprs, terminal.expr, 1000).value_or("none")))};
  }
  Language out;
  Language level{""};
  for (std::size_t length = 0;; ++length) {
    for (const std::string& s : level) {
      if (exprs.matches(terminal.expr, s)) out.insert(s);
    }
    if (length == max_length) return out;
    level = concatenated(level, {"a", "b", "c"}, max_length);
  }
}

Language token_language(const TokenSet& set) {
  std::string name = set.complement ? "!" : "";
  for (const auto& [first, last] : set.ranges) name += std::to_string(first) + "-" + std::to_string(last) + ",";
  for (const std::string& n : set.names) name += n + ",";
  return {std::string(1, opaque_character(name))};
}

Language repeated(const Language& part, std::uint32_t min, std::uint32_t max, std::size_t max_length) {
  Language power{""};
  for (std::uint32_t i = 0; i < min; ++i) power = concatenated(power, part, max_length);
  Language out = power;
  for (std::uint32_t i = min; i < max; ++i) {
    power = concatenated(power, part, max_length);
    const std::size_t before = out.size();
    out.insert(power.begin(), power.end());
    if (out.size() == before && i > min + max_length) return out;
  }
  return out;
}

}  // namespace

Language language(const Grammar& grammar, std::size_t max_length) {
  regex::ExprSet exprs = grammar.exprs;
  std::vector<Language> terminals;
  for (const Terminal& t : grammar.terminals) terminals.push_back(terminal_language(exprs, t, max_length));
  std::vector<Language> rules(grammar.rules.size());
  std::vector<Language> nodes(grammar.nodes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {  // children come before their parents
      const Node& node = grammar.nodes[i];
      const auto children = grammar.children_of(node);
      const auto child = [&](std::size_t k) -> const Language& { return nodes[static_cast<std::size_t>(children[k])]; };
      Language now;
      switch (node.kind) {
        case NodeKind::kEmpty: now = {""}; break;
        case NodeKind::kTerminal: now = terminals[node.payload]; break;
        case NodeKind::kTokens: now = token_language(grammar.token_sets[node.payload]); break;
        case NodeKind::kRule: now = rules[node.payload]; break;
        case NodeKind::kLazy: ADD_FAILURE() << "a lazy rule's language is not in the grammar"; break;
        case NodeKind::kSequence:
          now = {""};
          for (std::size_t k = 0; k < children.size(); ++k) now = concatenated(now, child(k), max_length);
          break;
        case NodeKind::kChoice:
          for (std::size_t k = 0; k < children.size(); ++k) now.insert(child(k).begin(), child(k).end());
          break;
        case NodeKind::kRepeat: now = repeated(child(0), node.min, node.max, max_length); break;
      }
      nodes[i] = std::move(now);
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
      const Language& body = nodes[static_cast<std::size_t>(grammar.rules[r].body)];
      if (!grammar.rules[r].defined || body.size() == rules[r].size()) continue;
      rules[r] = body;
      changed = true;
    }
  }
  return rules.at(static_cast<std::size_t>(grammar.start));
}

std::vector<Language> rule_languages(const Cfg& cfg, std::size_t max_length) {
  regex::ExprSet exprs = cfg.exprs;
  std::vector<Language> terminals;
  for (const Terminal& t : cfg.terminals) terminals.push_back(terminal_language(exprs, t, max_length));
  std::vector<Language> rules(cfg.rules.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      const std::size_t before = rules[r].size();
      for (ItemId item : cfg.rules[r].productions) {
        Language now{""};
        for (; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
          const Symbol symbol = cfg.symbol(item);
          const Language part = symbol.kind() == Symbol::Kind::kTerminal ? terminals[symbol.index()]
                                : symbol.kind() == Symbol::Kind::kTokens
                                    ? token_language(cfg.token_sets[symbol.index()])
                                    : rules[symbol.index()];
          now = concatenated(now, part, max_length);
        }
        rules[r].insert(now.begin(), now.end());
      }
      changed = changed || rules[r].size() != before;
    }
  }
  return rules;
}

Language language(const Cfg& cfg, std::size_t max_length) {
  return rule_languages(cfg, max_length).at(static_cast<std::size_t>(cfg.start));
}

std::vector<bool> productive_rules(const Grammar& grammar) {
  regex::ExprSet exprs = grammar.exprs;
  std::vector<bool> rules(grammar.rules.size(), false);
  std::vector<bool> nodes(grammar.nodes.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = grammar.nodes[i];
      const auto children = grammar.children_of(node);
      const auto is_productive = [&](NodeId id) { return static_cast<bool>(nodes[static_cast<std::size_t>(id)]); };
      switch (node.kind) {
        case NodeKind::kTerminal:
          nodes[i] = regex::shortest_member(exprs, grammar.terminals[node.payload].expr, 1000).has_value();
          break;
        case NodeKind::kRule: nodes[i] = rules[node.payload]; break;
        case NodeKind::kSequence: nodes[i] = std::all_of(children.begin(), children.end(), is_productive); break;
        case NodeKind::kChoice: nodes[i] = std::any_of(children.begin(), children.end(), is_productive); break;
        case NodeKind::kRepeat: nodes[i] = node.min == 0 || is_productive(children[0]); break;
        default: nodes[i] = true; break;
      }
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (rules[r] || !grammar.rules[r].defined || !nodes[static_cast<std::size_t>(grammar.rules[r].body)]) continue;
      rules[r] = true;
      changed = true;
    }
  }
  return rules;
}

}  // namespace weir::grammar::testing
