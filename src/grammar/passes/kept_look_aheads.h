// Part of pass "look-ahead": look-aheads that the grammar keeps anyway are no conditions.
//
// WHY    Authors write them as hints: XGrammar's translator of JSON Schema says behind each string that a blank, a
//        comma, a colon or a bracket follows. With a condition a mask is one walk of the vocabulary; without, it is put
//        together from facts about terminals.
// HOW    What may stand behind the rule is followed through the grammar beside the residuals of the look-ahead, until
//        each is met. Where a rule ends, reading goes on behind every place where it stands, also behind those
//        that it was not entered from: more texts than there are, so what holds for them holds.
// LIMITS Limits::regex_fuel pairs of a place and a residual for all look-aheads together; those that are left stay.
#ifndef WEIR_SRC_GRAMMAR_PASSES_KEPT_LOOK_AHEADS_H_
#define WEIR_SRC_GRAMMAR_PASSES_KEPT_LOOK_AHEADS_H_

#include "grammar/draft.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Precondition: every rule derives a finite string, and is reachable.
void drop_kept_look_aheads(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_KEPT_LOOK_AHEADS_H_
