// Quotations: all substrings of a given text, including the empty one.
//
// WHAT   The text is divided into units, and the language is the set of all sequences of consecutive units. A model
//        that may only quote cannot change a word.
// HOW    A suffix automaton over the units. Its states become expressions from the last to the first, so each state's
//        expression is made once, and the whole is an acyclic automaton in the form of an expression.
// COST   At most twice as many states as units and three times as many transitions. The number of expressions is about
//        the same, plus one for each further byte of the unit on each transition. Units that are prefixes of others
//        ("a", "ab") make states overlap and cost more.
// REFERENCES  Blumer et al., The smallest automaton recognizing the subwords of a text, Theoretical Computer Science
//        40, 1985.
#ifndef WEIR_SRC_FRONTEND_SUBSTRING_H_
#define WEIR_SRC_FRONTEND_SUBSTRING_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Returns the units of `text` in order; their concatenation is the text. Precondition: valid UTF-8.
std::vector<std::string_view> split_units(std::string_view text, SubstringUnit unit);

/// Returns the expression for every sequence of consecutive `units` and the empty string; kOverflow at the node limit.
regex::ExprId substring_of(regex::ExprSet& exprs, std::span<const std::string_view> units);

/// Adds a rule for the sequences of consecutive units of `text`, and returns it.
/// Errors: those of check_text; kLimitExceeded (regex_nodes).
std::optional<grammar::RuleId> read_substring(std::string_view text, SubstringUnit unit, Reading& reading);

/// Adds a rule for the sequences of consecutive `chunks`, and returns it. Errors: as read_substring.
std::optional<grammar::RuleId> read_substring_chunks(std::span<const std::string> chunks, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_SUBSTRING_H_
