// Pass "dedupe": equal terminals, token sets and rules become one.
//
// WHY    Fewer symbols mean fewer kernels, so that more rows are the same row.
// CAPTURES  Rules of different captures, or different bounds on their tokens, are never joined. In a grammar with
// captures the order of alternatives says
//        which reading of a text is reported, so there rules with the same alternatives in another order are different,
//        too.
// HOW    Terminals by expression, mode and what must follow. Rules by congruence closure: a rule's signature is the set
//        of its productions, itself marked as such; rules of one signature are joined, whereupon those that use the
//        joined one are looked at again. So rules are equal that differ only in which of two equal rules they use, or
//        in their own name.
// REFERENCES  Downey, Sethi & Tarjan, "Variations on the common subexpression problem", 1980.
#ifndef WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_
#define WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_

#include "grammar/draft.h"

namespace weir::grammar {

/// Productions that a rule has twice, and `a ::= a`, are dropped. Rules that were joined with another stay behind
/// unused.
void dedupe(Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_
