// Pass "look-ahead": what must follow a rule becomes what must follow its last terminals.
//
//   a (=x) ::= b c             a ::= b c'       with c' the terminal c, laying x on what follows
//   a (=x) ::= b d             a ::= b d'       with d' the rule d, its last symbols treated the same
//                                  | b'         where d may be empty
//
// WHY    The lexer lays conditions on the rest of the text when a lexeme ends, and the automaton follows them; nothing
//        above a terminal needs to know. Conditions of rules that end at the same place are intersected.
// HOW    A variant of a rule for each condition that is laid on it: its texts but the empty one, each production once
//        for each symbol that may be its last with text.
// LIMITS A rule with a look-ahead must not be empty: the condition would fall on whatever stands before it. Nor can it
//        end with a schema, whose terminals are not there yet. Variants multiply rules by conditions: grammar_symbols.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_
#define WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_

#include "grammar/draft.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Precondition: every rule derives a finite string. Errors: kUnsupported; kLimitExceeded (regex_nodes,
/// grammar_symbols).
Result<void> lay_look_aheads(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LOOK_AHEAD_H_
