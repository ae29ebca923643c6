// Pass "fold": regular parts of the grammar become single terminals.
//
//   string ::= "\"" char* "\""      one terminal instead of three rules
//   digit+ ("." digit+)?            the same, as part of a rule that is not regular
//   "{" ws pair                     `"{" ws` becomes one terminal, pair stays
//   "true" | "false" | object       `"true" | "false"` becomes one terminal, object stays
//
// WHY    The parser makes a row for each terminal that ends; a lexer state is cheaper than a row by far. Splitting text
//        into terminals is exact, so it does not matter to the language where the borders between terminals are.
// HOW    Bottom-up over nodes and the rules they refer to, in one post-order of depth-first search. A node is regular
//        if its parts are, which excludes tokens, lazy and greedy terminals and rules that are recursive (even where
//        their language is regular). What is not folded further becomes a terminal where it stands.
//        A rule is folded into those that use it, unless
//          - it is a capture, whose text must stay a part of its own, or has a look-ahead, or
//          - it is a unit (passes/weight.h), or
//          - it is used more than once and has more than kSharedLeaves leaves: copies of a big rule share no lexer
//            states.
//        A sequence or repeat of more than kSequenceLeaves leaves is cut into several terminals: residuals of a long
//        sequence of optional parts are as long as the sequence. Alternatives know no bound: an alternation of 10,000
//        words costs one step of that size, at its first byte. Regular alternatives of a choice become one terminal
//        wherever they stand; in a grammar with captures, where the order of alternatives has a meaning, those side by
//        side do.
#ifndef WEIR_SRC_GRAMMAR_PASSES_FOLD_H_
#define WEIR_SRC_GRAMMAR_PASSES_FOLD_H_

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

inline constexpr std::uint32_t kSharedLeaves = 64;
inline constexpr std::uint32_t kSequenceLeaves = 1'024;

/// A terminal that is a whole rule gets the rule's name; others are named after how they are written.
/// Errors: kLimitExceeded (regex_nodes). Cost: linear.
Result<void> fold_regular(Grammar& grammar);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_FOLD_H_
