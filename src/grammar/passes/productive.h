// Pass "productive": removes what derives no finite string.
//
// WHAT   A rule such as `a ::= "x" a`, or a terminal whose language is empty, is a dead end: a parser that enters it
//        cannot finish. Alternatives that need one are removed, so every remaining node derives at least one string.
//        Where the grammar keeps endless rules (Grammar::keeps_endless), a rule that can continue forever is not a dead
//        end: `a ::= "x" a` stays, and the text is never complete after its first "x". `a ::= a "x"` is removed,
//        because it never reads a byte. A node that is kept only because it can continue forever never ends, so the
//        parts after it in a sequence are removed. An alternative with a part that derives neither a finite string nor
//        endless text is removed, even if an earlier part could continue forever.
// HOW    A least fixed point: a sequence needs all its parts, a choice needs one alternative. Each node counts its
//        missing parts, and a node that is done notifies its parents. Linear (Dowling & Gallier 1984). The nodes that
//        can continue forever are those without a finite string that reach a cycle of such nodes that adds text: a
//        strong component with an edge that can have text before it.
#ifndef WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
#define WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Appends a warning for each rule that derives no finite string and each terminal whose language is empty.
/// Errors: kUnsatisfiable if the start rule is such a rule; kLimitExceeded (regex_fuel, regex_nodes) if the search
/// cannot decide whether a terminal's language is empty; kUnsupported for a greedy terminal in a grammar that may go on
/// forever, where the engine's search for a way to the end would find none.
Result<void> remove_unproductive(Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_PRODUCTIVE_H_
