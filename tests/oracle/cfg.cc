#include "oracle/cfg.h"

#include <utility>

namespace weir::oracle {

std::size_t Cfg::add_rule(std::string name) {
  names.push_back(std::move(name));
  return names.size() - 1;
}

std::vector<Symbol> Cfg::text(std::string_view text) {
  std::vector<Symbol> symbols;
  for (const char& c : text) symbols.push_back(bytes(std::string_view(&c, 1)));
  return symbols;
}

std::size_t Cfg::add_regex(const RegexPtr& regex, std::string_view alphabet) {
  const Dfa dfa(regex, alphabet);
  const std::size_t base = names.size();
  for (Dfa::State state = 0; state < dfa.size(); ++state) add_rule("state" + std::to_string(base + state));
  for (Dfa::State state = 0; state < dfa.size(); ++state) {
    if (dfa.accepting(state)) add(base + state, {});
    for (const char& byte : alphabet) {
      add(base + state, {bytes(std::string_view(&byte, 1)), rule(base + dfa.step(state, byte))});
    }
  }
  return base;
}

std::vector<bool> productive_rules(const Cfg& cfg) {
  std::vector<bool> productive(cfg.names.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      bool all = true;
      for (const Symbol& s : p.symbols) all = all && (s.is_rule ? productive[s.rule] : s.bytes.any());
      if (all && !productive[p.rule]) productive[p.rule] = true, changed = true;
    }
  }
  return productive;
}

std::vector<bool> reachable_rules(const Cfg& cfg) {
  std::vector<bool> reachable(cfg.names.size(), false);
  reachable[cfg.start] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      if (!reachable[p.rule]) continue;
      for (const Symbol& s : p.symbols) {
        if (s.is_rule && !reachable[s.rule]) reachable[s.rule] = true, changed = true;
      }
    }
  }
  return reachable;
}

Cfg productive_part(const Cfg& cfg) {
  const std::vector<bool> productive = productive_rules(cfg);
  Cfg result;
  result.names = cfg.names;
  result.start = cfg.start;
  for (const Production& p : cfg.productions) {
    bool all = true;
    for (const Symbol& s : p.symbols) all = all && (s.is_rule ? productive[s.rule] : s.bytes.any());
    if (all) result.productions.push_back(p);
  }
  return result;
}

// Rule r + n derives the prefixes of rule r's strings: the empty prefix, and for r -> X1 ... Xk those that end inside
// or right after Xi, which begin with X1 ... X(i-1).
Cfg prefix_grammar(const Cfg& cfg) {
  Cfg result = productive_part(cfg);
  const std::size_t n = cfg.names.size();
  const std::vector<Production> productions = result.productions;
  for (std::size_t rule = 0; rule < n; ++rule) result.add_rule(cfg.names[rule] + "-prefix");
  for (const Production& p : productions) {
    result.add(p.rule + n, {});
    std::vector<Symbol> begin;
    for (const Symbol& s : p.symbols) {
      std::vector<Symbol> symbols = begin;
      symbols.push_back(s.is_rule ? Cfg::rule(s.rule + n) : s);
      result.add(p.rule + n, std::move(symbols));
      begin.push_back(s);
    }
  }
  result.start = cfg.start + n;
  return result;
}

namespace {

std::set<std::string> strings_of(const Symbol& symbol, const std::vector<std::set<std::string>>& of_rule) {
  if (symbol.is_rule) return of_rule[symbol.rule];
  std::set<std::string> result;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (symbol.bytes[byte]) result.insert(std::string(1, static_cast<char>(byte)));
  }
  return result;
}

std::set<std::string> concatenations(const std::set<std::string>& left, const std::set<std::string>& right,
                                     std::size_t length) {
  std::set<std::string> result;
  for (const std::string& x : left) {
    for (const std::string& y : right) {
      if (x.size() + y.size() <= length) result.insert(x + y);
    }
  }
  return result;
}

}  // namespace

std::vector<std::set<std::string>> languages(const Cfg& cfg, std::size_t length) {
  std::vector<std::set<std::string>> of_rule(cfg.names.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Production& p : cfg.productions) {
      std::set<std::string> strings{""};
      for (const Symbol& s : p.symbols) strings = concatenations(strings, strings_of(s, of_rule), length);
      const std::size_t before = of_rule[p.rule].size();
      of_rule[p.rule].merge(strings);
      changed = changed || of_rule[p.rule].size() != before;
    }
  }
  return of_rule;
}

namespace {

std::string quote(char c) {
  if (c == '"' || c == '\\') return std::string("\\") + c;
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  return std::string(1, c);
}

std::string class_of(const ByteSet& bytes) {
  std::string members;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (!bytes[byte]) continue;
    const char c = static_cast<char>(byte);
    members += c == ']' || c == '^' || c == '-' || c == '[' ? std::string("\\") + c : quote(c);
  }
  return "[" + members + "]";
}

}  // namespace

std::string to_ebnf(const Cfg& cfg) {
  const auto name = [&](std::size_t rule) { return rule == cfg.start ? std::string("root") : cfg.names[rule]; };
  std::string text;
  for (std::size_t rule = 0; rule < cfg.names.size(); ++rule) {
    std::string alternatives;
    for (const Production& p : cfg.productions) {
      if (p.rule != rule) continue;
      alternatives += alternatives.empty() ? " " : " | ";
      if (p.symbols.empty()) alternatives += "\"\"";
      for (std::size_t i = 0; i < p.symbols.size(); ++i) {
        if (i > 0) alternatives += " ";
        const Symbol& s = p.symbols[i];
        if (s.is_rule) {
          alternatives += name(s.rule);
        } else if (s.bytes.count() == 1) {
          alternatives += '"';
          alternatives += quote(static_cast<char>(s.bytes._Find_first()));
          alternatives += '"';
        } else {
          alternatives += class_of(s.bytes);
        }
      }
    }
    text += name(rule) + " ::=" + alternatives + "\n";
  }
  return text;
}

}  // namespace weir::oracle
