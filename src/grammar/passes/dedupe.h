// Pass "dedupe": merges equal terminals, equal token sets and equal rules.
//
// WHY    Fewer symbols mean fewer kernels, so more rows are equal.
// CAPTURES  Rules with different captures, token limits or temperatures are never merged. In a grammar with captures
//        the order of alternatives determines which reading of a text is reported, so there two rules whose
//        alternatives differ in order are different.
// HOW    Terminals are compared by expression, mode, follow condition and temperature. Rules are merged by congruence
//        closure. The signature of a rule is the set of its productions, in which references to the rule itself have a
//        special mark. Rules with equal signatures are merged, and the rules that use a merged rule are examined again.
//        So two rules are also equal if they differ only in which of two equal rules they use, or in references to
//        themselves.
// REFERENCES  Downey, Sethi & Tarjan, "Variations on the common subexpression problem", 1980.
#ifndef WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_
#define WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_

#include "grammar/draft.h"

namespace weir::grammar {

/// Also drops repeated productions of a rule, and productions `a ::= a`. Merged rules remain in the list, unused.
void dedupe(Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_DEDUPE_H_
