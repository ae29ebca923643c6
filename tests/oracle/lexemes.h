// The lexeme oracle: grammars whose terminals define where their lexemes end; it tries every split of a text.
//
// WHAT   A LexGrammar is a context-free grammar whose symbols are rules and terminals; a terminal is a regex and a
//        mode. A text x is in the language iff x can be split into lexemes x[i, j) so that the terminals of a
//        derivation fit them in order, where terminal T fits x[i, j) iff T's regex matches x[i, j) and
//          kExact   (no further condition: all splits are tried);
//          kLazy    no x[i, k) with i <= k < j matches: the lexeme is the shortest match from its start;
//          kGreedy  no x[i, k) with k > j matches, up to the end of the whole text: it is the longest.
//        A rule with a look-ahead derives x[i, j) only if some x[j, k) matches the look-ahead.
//        "Fits" is a table over the spans of x, and so is "rule R derives x[i, j)", the least fixpoint of the
//        productions.
// HOW    The text after a greedy lexeme decides if it is one. So membership is a property of the whole text, and
//        viability is derived from members: w is viable iff some member begins with it.
#ifndef WEIR_TESTS_ORACLE_LEXEMES_H_
#define WEIR_TESTS_ORACLE_LEXEMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "oracle/regex.h"

namespace weir::oracle {

enum class Mode : std::uint8_t { kExact, kLazy, kGreedy };

struct LexTerminal {
  RegexPtr regex = {};
  Mode mode = Mode::kExact;
};

struct LexSymbol {
  bool is_rule = false;
  std::size_t id = 0;  ///< A rule or a terminal.
};

struct LexProduction {
  std::size_t rule = 0;
  std::vector<LexSymbol> symbols = {};
};

/// Rule 0 is the start.
struct LexGrammar {
  std::size_t rules = 1;
  std::vector<LexTerminal> terminals = {};
  std::vector<LexProduction> productions = {};
  std::vector<RegexPtr> look_aheads = {};  ///< By rule; null, or past the end: none.
};

bool is_member(const LexGrammar& grammar, std::string_view text);

/// Returns true if some rule with a look-ahead derives the empty text when look-aheads are ignored.
bool looks_ahead_of_nothing(const LexGrammar& grammar);

/// Returns the grammar in EBNF: rules root, r1, r2, ...; terminals in parentheses after @lazy or @greedy.
std::string to_ebnf(const LexGrammar& grammar, std::string_view universe);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_LEXEMES_H_
