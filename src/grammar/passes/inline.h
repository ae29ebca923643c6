// Pass "inline": rules that only cost the parser a completion are put where they are used.
//
//   a ::= b                    b stands for a everywhere (unit rules; b may be a terminal)
//   a ::= ""                   a is left out
//   a ::= b c d, used once     its symbols stand in the other production
//   a ::= b | c, used once     as an alternative of its own, `x ::= a | y`: becomes `x ::= b | c | y`
//   short rules that a pass made, of a single production, are copied, as long as the grammar_symbols suffice
//
// CAPTURES  Captures are not put anywhere. Nor is a rule of several symbols that leads to one: which reading of a text
//        is reported depends on what is one part of an alternative.
// HOW    A production is rewritten with a stack. That ends because the rules that are put in place everywhere have one
//        production each, and a cycle of such rules derives no finite string.
#ifndef WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
#define WEIR_SRC_GRAMMAR_PASSES_INLINE_H_

#include "grammar/draft.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Rules that are used no more stay behind; pass "emit" drops them. Precondition: every rule derives a finite string.
/// Cost: linear.
void inline_rules(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
