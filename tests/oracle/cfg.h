// The context-free oracle: grammars over bytes, and their languages by enumeration.
//
// WHAT   A Cfg is a list of productions `rule -> symbol ...`; a symbol is a rule or a set of bytes. Its language is the
//        set of byte strings that derive from the start rule. All grammars are supported: ambiguous, cyclic, nullable,
//        left-recursive.
//        - `languages` computes, for every rule, all its strings up to a length, as the least fixpoint of the
//          productions read as equations between sets;
//        - `productive_part` removes the productions that contain a rule without strings;
//        - `prefix_grammar` is the textbook grammar of all prefixes.
//        Enumeration checks the Earley oracle (earley.h) independently; enumerating the prefix grammar checks the
//        Earley oracle's viable prefixes.
// LIMITS Only for tests: a few rules, languages of some hundred strings.
#ifndef WEIR_TESTS_ORACLE_CFG_H_
#define WEIR_TESTS_ORACLE_CFG_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/regex.h"

namespace weir::oracle {

struct Symbol {
  bool is_rule = false;
  std::size_t rule = 0;  ///< If is_rule.
  ByteSet bytes = {};    ///< Otherwise.
};

struct Production {
  std::size_t rule = 0;
  std::vector<Symbol> symbols = {};
};

class Cfg {
 public:
  std::size_t add_rule(std::string name);
  void add(std::size_t rule, std::vector<Symbol> symbols) { productions.push_back({rule, std::move(symbols)}); }

  /// Adds rules for the regex's language over `alphabet`, one for each state of its automaton; returns the first.
  std::size_t add_regex(const RegexPtr& regex, std::string_view alphabet);

  static Symbol rule(std::size_t id) { return {.is_rule = true, .rule = id}; }
  static Symbol bytes(std::string_view set) { return {.bytes = bytes_of(set)}; }
  /// Returns the symbols of a string, one for each byte.
  static std::vector<Symbol> text(std::string_view text);

  std::vector<std::string> names;
  std::vector<Production> productions;
  std::size_t start = 0;
};

/// Returns for each rule true if it derives some string.
std::vector<bool> productive_rules(const Cfg& cfg);

/// Returns for each rule true if it occurs in some derivation of the start rule.
std::vector<bool> reachable_rules(const Cfg& cfg);

/// Returns a grammar of the same languages without the productions that derive no string.
Cfg productive_part(const Cfg& cfg);

/// Returns a grammar of { x : xy in L(cfg) for some y }.
Cfg prefix_grammar(const Cfg& cfg);

/// Returns for each rule its strings of at most `length` bytes.
std::vector<std::set<std::string>> languages(const Cfg& cfg, std::size_t length);

/// Returns the grammar in EBNF: a line `name ::= alternative | ...` for each rule; the start rule is named "root". Byte
/// sets are written as literals and classes of printable ASCII. Precondition: every rule has a production.
std::string to_ebnf(const Cfg& cfg);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_CFG_H_
