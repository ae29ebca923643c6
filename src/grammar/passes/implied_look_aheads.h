// Pass "look-ahead", first part: removes look-aheads that the grammar satisfies anyway.
//
// WHY    Authors write look-aheads as hints. XGrammar's JSON Schema converter, for example, states after each string
//        that a blank, a comma, a colon or a bracket follows. With a condition, computing a mask takes a walk of the
//        whole vocabulary; without one, the mask is composed from cached facts about terminals.
// HOW    Follows what the grammar allows after the rule, together with the residuals of the look-ahead, until each
//        residual is satisfied by any text. At the end of a rule the search continues after every use of that rule, not
//        only after the use that it came from. That considers more texts than the grammar has; if the condition holds
//        for all of them, it holds for the grammar. What one search has found of a position and a residual, the others use:
//        a grammar of a language has the same look-ahead after a hundred words.
// LIMITS Limits::regex_fuel pairs of a grammar position and a residual, for all look-aheads together. Look-aheads that
//        are not decided then are kept.
#ifndef WEIR_SRC_GRAMMAR_PASSES_IMPLIED_LOOK_AHEADS_H_
#define WEIR_SRC_GRAMMAR_PASSES_IMPLIED_LOOK_AHEADS_H_

#include "grammar/draft.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Precondition: every rule derives a finite string and is reachable.
[[gnu::noinline]] void drop_implied_look_aheads(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_IMPLIED_LOOK_AHEADS_H_
