// Pass "look-ahead": turns the look-ahead of a rule into follow conditions on its last terminals.
//
//   a (=x) ::= b c             a ::= b c'       c' is the terminal c with the follow condition x
//   a (=x) ::= b d             a ::= b d'       d' is the rule d, with its last symbols treated in the same way
//                                  | b'         if d is nullable
//
// WHY    The lexer returns a terminal's condition on the rest of the text when a lexeme ends, and the automaton tracks
//        it, so the layers between need no support for look-ahead. Conditions of rules that end at the same position
//        are intersected.
// HOW    For each rule and each condition imposed on it, a variant of the rule is made. The variant derives the rule's
//        non-empty texts: each production is copied once for each symbol that may be the last one with text.
// LIMITS A rule with a look-ahead must not match the empty text, because the condition would then apply to the symbol
//        before it. It must not end with a schema, because a schema's terminals do not exist yet. Variants multiply
//        rules by conditions; Limits::grammar_symbols bounds them.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_
#define WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_

#include "grammar/draft.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Precondition: every rule derives a finite string. Errors: kUnsupported; kLimitExceeded (regex_nodes,
/// grammar_symbols).
[[gnu::noinline]] Result<void> impose_look_aheads(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_
