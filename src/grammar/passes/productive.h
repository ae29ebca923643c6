// Pass "productive": removes what derives no finite string.
//
// WHAT   A rule such as `a ::= "x" a`, or a terminal whose expression matches nothing, can be entered but never be
//        left: a parser that offers it leads the model into a dead end. Alternatives that need one are removed, so
//        afterwards every node left derives at least one string.
// HOW    The least fixed point of "all parts of a sequence, one alternative of a choice", by counting: each node knows
//        how many of its parts are still open, and a node that is done tells its parents. Linear (Dowling & Gallier
//        1984).
#ifndef WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
#define WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Warns of each rule that derives no finite string and of each terminal that matches nothing.
/// Errors: kUnsatisfiable when the start rule is such a rule; kLimitExceeded (regex_fuel, regex_nodes) when it
/// cannot be told whether a terminal matches anything.
Result<void> remove_unproductive(Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
