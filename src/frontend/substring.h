// Quotations: every stretch of a given text, the empty one included.
//
// WHAT   A text is cut into units, and the language is that of all runs of units as they follow one another in it: a
//        model that may only quote cannot change a word.
// HOW    A suffix automaton over the units, whose states become expressions from the last to the first; so a state's
//        expression is written down once, and the whole is an acyclic automaton in the form of an expression.
// COST   States are at most twice the units, transitions three times; expressions about as many, and one for each
//        further byte of a unit on each transition. Units of which one begins another ("a", "ab")
//        make the states overlap, and cost more.
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

/// The units of `text`, in order; together they are the text. Precondition: valid UTF-8.
std::vector<std::string_view> split_units(std::string_view text, SubstringUnit unit);

/// Every run of `units`, and the empty string. kOverflow at the node limit.
regex::ExprId substring_of(regex::ExprSet& exprs, std::span<const std::string_view> units);

/// Adds a rule for the runs of units of `text`, and returns it.
/// Errors: those of check_text; kLimitExceeded (regex_nodes).
std::optional<grammar::RuleId> read_substring(std::string_view text, SubstringUnit unit, Reading& reading);

/// Adds a rule for the runs of `chunks`, and returns it. Errors: as read_substring.
std::optional<grammar::RuleId> read_substring_chunks(std::span<const std::string> chunks, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_SUBSTRING_H_
