// Pass "inline": replaces references to rules by the rules' contents, which saves the parser the completions of these
// rules.
//
//   a ::= b                    b replaces a everywhere (unit rules; b may be a terminal)
//   a ::= ""                   a is removed from productions
//   a ::= b c d, used once     `b c d` replaces a
//   a ::= b | c, used once     and as an entire alternative, `x ::= a | y`: becomes `x ::= b | c | y`
//
// CAPTURES  A capture is never inlined. A rule with one production of several symbols is not inlined either if it
//        reaches a capture: the parts of an alternative determine which reading of a text is reported
//        (capture_reading.h).
// HOW    Each production is rewritten with a stack. This terminates: a rule whose alternatives are moved keeps none,
//        and a cycle of rules that are replaced by their one production would derive no finite string.
#ifndef WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
#define WEIR_SRC_GRAMMAR_PASSES_INLINE_H_

#include "grammar/draft.h"

namespace weir::grammar {

/// Rules that are no longer used remain in the list; pass "emit" drops them. Precondition: every rule derives a finite
/// string. Cost: linear.
[[gnu::noinline]] void inline_rules(Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
