// Pass "lower": nested operators to rules, IR to Draft.
//
//   (a | b) c       r.1 c                  with r.1 ::= a | b
//   x?              r.1                    with r.1 ::= x | ε
//   x*              r.1                    with r.1 ::= x r.1 | ε
//   x+              x r.1                  with r.1 as for x*
//   x{2,4}          x x r.2                with r.2 ::= x r.1 | ε and r.1 ::= x | ε
//
// WHY    Right recursion: a waiting entry whose dot would stand at the end is replaced by whom it would resume, so the
//        row behind the second element of a list is the row behind the first (Leo 1991), and `x+` needs no rule of its
//        own. Chains, not a doubling scheme: that would have fewer rules but put a logarithm of waiting entries into
//        each row.
// HOW    A list of jobs "the productions of this rule are that node"; what is nested becomes another job. Equal repeats
//        of one symbol share their chain. A node that is used in several places becomes a rule instead of being copied.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LOWER_H_
#define WEIR_SRC_GRAMMAR_PASSES_LOWER_H_

#include "grammar/draft.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// The rules keep their ids; those made here follow, named after the rule that they came from.
/// Errors: kLimitExceeded (grammar_symbols), found before the memory is taken.
Result<Draft> lower(Grammar grammar, const Limits& limits);

/// What to say of a grammar with more symbols than allowed.
Error too_many_symbols(const Limits& limits, SourceRange where);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LOWER_H_
