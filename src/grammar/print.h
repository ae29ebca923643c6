// Grammars as text.
//
// WHAT   to_ebnf writes the IR in the dialect of docs/ebnf.md: text that can be read again as the same grammar. Authors
//        of front ends look at it, and `weir inspect` shows it for the passes on the IR. to_text does the same for a
//        Draft and a Cfg, with one line for each production and one for each terminal.
// LIMITS A terminal from a front end that has no EBNF for it (Terminal::text is empty) is shown as a regular expression
//        over bytes. That is for reading only; the EBNF front end need not accept it. An inner node that is used in
//        several places is written out in each of them, so the text is cut after kPrintLimit bytes.
#ifndef WEIR_SRC_GRAMMAR_PRINT_H_
#define WEIR_SRC_GRAMMAR_PRINT_H_

#include <string>
#include <unordered_map>

#include "grammar/cfg.h"
#include "grammar/draft.h"
#include "grammar/ir.h"
#include "grammar/search_bounds.h"

namespace weir::grammar {

/// Returns the grammar as EBNF: the start rule first, the others in the order of their positions in the source text,
/// then of their numbers.
std::string to_ebnf(const Grammar& grammar);

/// Texts of the expressions that were printed so far. A caller that prints many nodes passes the same map each time, so
/// that an expression which they share is printed once.
using ExprTexts = std::unordered_map<regex::ExprId, std::string>;

/// Returns one node as it would appear on the right-hand side of a rule. At most about `limit` bytes; a cut text ends
/// with "...".
std::string to_ebnf(const Grammar& grammar, NodeId node, std::size_t limit = kPrintLimit, ExprTexts* known = nullptr);

/// Returns the node with references replaced by the rules' bodies, in parentheses; used as Terminal::text. Empty if the
/// text would be longer than `limit`. Precondition: the node is not recursive.
std::string to_expanded_ebnf(const Grammar& grammar, NodeId node, std::size_t limit, ExprTexts* known = nullptr);

/// Returns the suffix for a repeat: `?`, `*`, `+`, `{2}`, `{2,}`, `{2,3}`.
std::string count_text(std::uint32_t min, std::uint32_t max);

/// Returns the shortest decimal number that is read as the same value again.
std::string temperature_text(float temperature);

/// Productions refer to terminals by name; the definitions of the terminals are listed after the rules.
std::string to_text(const Draft& draft);
std::string to_text(const Cfg& cfg);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PRINT_H_
