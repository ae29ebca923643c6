// Grammars as text.
//
// WHAT   to_ebnf writes the IR in the dialect of docs/ebnf.md: text that, read again, is the same grammar. It is what a
//        front end's author looks at, and what `weir inspect` shows of the passes that work on the IR. to_text does the
//        same for a Draft and for a Cfg, a line a production and a line a terminal.
// LIMITS A terminal made by a front end that knows no EBNF for it (Terminal::text is empty) is shown as a regular
//        expression over bytes, for people: it need not be readable by the EBNF front end. An inner node that is used
//        in several places is written out in each, so the text is cut after kPrintLimit bytes.
#ifndef WEIR_SRC_GRAMMAR_PRINT_H_
#define WEIR_SRC_GRAMMAR_PRINT_H_

#include <string>

#include "grammar/cfg.h"
#include "grammar/draft.h"
#include "grammar/ir.h"

namespace weir::grammar {

inline constexpr std::size_t kPrintLimit = std::size_t{16} << 20;

/// The start rule first, then the others in the order of their places in the text, then of their numbers.
std::string to_ebnf(const Grammar& grammar);

/// One node alone, as it would stand on a rule's right-hand side. At most `limit` bytes; cut texts end with "...".
std::string to_ebnf(const Grammar& grammar, NodeId node, std::size_t limit = kPrintLimit);

/// The same with references replaced by what they refer to, in parentheses: a Terminal::text. Empty when it would be
/// longer than `limit`. Precondition: the node is not recursive.
std::string to_expanded_ebnf(const Grammar& grammar, NodeId node, std::size_t limit);

/// The sign of a repeat, behind what is repeated: `?`, `*`, `+`, `{2}`, `{2,}`, `{2,3}`.
std::string count_text(std::uint32_t min, std::uint32_t max);

/// The shortest number that is read as this one again.
std::string temperature_text(float temperature);

/// Terminals by name; what the names stand for is listed below the rules.
std::string to_text(const Draft& draft);
std::string to_text(const Cfg& cfg);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PRINT_H_
