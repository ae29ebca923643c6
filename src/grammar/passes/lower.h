// Pass "lower": turns nested operators into rules, IR to Draft.
//
//   (a | b) c       r.1 c                  with r.1 ::= a | b
//   x?              r.1                    with r.1 ::= x | ε
//   x*              r.1                    with r.1 ::= x r.1 | ε
//   x+              x r.1                  with r.1 as for x*
//   x{2,4}          x x r.2                with r.2 ::= x r.1 | ε and r.1 ::= x | ε
//
// WHY    Repeats become right recursion: the Earley layer replaces a waiting item whose dot would be at the end by the
//        items that it would resume. So the row after the second element of a list is the row after the first (Leo
//        1991), and `x+` needs no rule of its own. Bounded repeats become chains. A doubling scheme would have fewer
//        rules but add a logarithmic number of waiting items to each row.
// HOW    A work list of jobs "the productions of this rule are that node"; nested nodes become further jobs. Equal
//        repeats of one symbol share their chain. A node that is used in several places becomes a rule instead of being
//        copied.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LOWER_H_
#define WEIR_SRC_GRAMMAR_PASSES_LOWER_H_

#include "grammar/draft.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Rules keep their ids. Rules made here follow them and are named after the rule that they come from.
/// Errors: kLimitExceeded (grammar_symbols), detected before the memory is allocated.
[[gnu::noinline]] Result<Draft> lower(Grammar grammar, const Limits& limits);

/// Returns the error for a grammar with more symbols than allowed.
Error too_many_symbols(const Limits& limits, SourceRange where);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LOWER_H_
