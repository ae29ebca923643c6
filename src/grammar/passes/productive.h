// Pass "productive": removes what derives no finite string.
//
// WHAT   A rule such as `a ::= "x" a`, or a terminal whose expression matches nothing, can be entered but never be
//        left: a parser that offers it leads the model into a dead end. Alternatives that need one are removed, so
//        afterwards every node left derives at least one string.
//        Where the grammar keeps rules without an end (Grammar::keeps_endless), it is no dead end what can go on
//        forever: `a ::= "x" a` stays, and the text is never complete behind its first "x". `a ::= a "x"` goes: it
//        never comes to its first byte. A node that stays for that alone never ends, so what stands behind it in a
//        sequence is cut off. An alternative that needs what derives neither goes as a whole, though an earlier part of
//        it might go on forever.
// HOW    The least fixed point of "all parts of a sequence, one alternative of a choice", by counting: each node knows
//        how many of its parts are still open, and a node that is done tells its parents. Linear (Dowling & Gallier
//        1984). What can go on forever are the nodes without a finite string from which a cycle of such nodes is
//        reached that adds text on its way round: a strong component with an edge that text may stand before.
#ifndef WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
#define WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Warns of each rule that derives no finite string and of each terminal that matches nothing.
/// Errors: kUnsatisfiable when the start rule is such a rule; kLimitExceeded (regex_fuel, regex_nodes) when it
/// cannot be told whether a terminal matches anything; kUnsupported for a greedy terminal in a grammar that goes on
/// forever, where the search for a way to the end would find none.
Result<void> remove_unproductive(Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
