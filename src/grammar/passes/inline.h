// Pass "inline": replaces references to rules by the rules' contents where a rule would only cost the parser a
// completion.
//
//   a ::= b                    b replaces a everywhere (unit rules; b may be a terminal)
//   a ::= ""                   a is removed from productions
//   a ::= b c d, used once     `b c d` replaces a
//   a ::= b | c, used once     and as an entire alternative, `x ::= a | y`: becomes `x ::= b | c | y`
//   short generated rules with one production are copied, as far as Limits::grammar_symbols permits
//
// CAPTURES  Captures are never inlined. Rules with several symbols that reach a capture are not inlined either: which
//        reading of a text is reported depends on the parts of each alternative.
// HOW    Each production is rewritten with a stack. This terminates: rules that are replaced have one production each,
//        and a cycle of such rules would derive no finite string.
#ifndef WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
#define WEIR_SRC_GRAMMAR_PASSES_INLINE_H_

#include "grammar/draft.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Rules that are no longer used remain in the list; pass "emit" drops them. Precondition: every rule derives a finite
/// string. Cost: linear.
void inline_rules(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_INLINE_H_
