// Pass "fold": turns regular parts of the grammar into single terminals.
//
//   string ::= "\"" char* "\""      one terminal instead of three rules
//   digit+ ("." digit+)?            the same, as part of a rule that is not regular
//   "{" ws pair                     `"{" ws` becomes one terminal, pair remains
//   "true" | "false" | object       `"true" | "false"` becomes one terminal, object remains
//
// WHY    The parser makes a row for each terminal that ends, and a lexer state is much cheaper than a row. Splitting
//        text into terminals is exact, so the language does not depend on where the boundaries between terminals are.
// HOW    Bottom-up over nodes and the rules they refer to, in one depth-first post-order. A node is regular if all its
//        parts are. Tokens, lazy rules, lazy and greedy terminals and recursive rules (even those with a regular
//        language) are not regular. A maximal regular node becomes a terminal.
//        A rule is folded into its users, unless
//          - it is a capture, has a token limit or a temperature (its text must stay separate), or has a look-ahead, or
//          - it is a unit (passes/loops.h), or
//          - it is used more than once and has more than kSharedLeaves leaves: copies of a large rule would not share
//            lexer states.
//        A sequence or repeat with more than kSequenceLeaves leaves is cut into several terminals, because residuals of
//        a long sequence of optional parts are as long as the sequence. Choices have no such limit: an alternation of
//        10,000 words costs one step of that size, at its first byte. All regular alternatives of a choice become one
//        terminal. In a grammar with captures, where the order of alternatives matters, only adjacent ones do.
#ifndef WEIR_SRC_GRAMMAR_PASSES_FOLD_H_
#define WEIR_SRC_GRAMMAR_PASSES_FOLD_H_

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// A terminal that is an entire rule gets the rule's name; other terminals are named after their spelling.
/// Errors: kLimitExceeded (regex_nodes). Cost: linear.
[[gnu::noinline]] Result<void> fold_regular(Grammar& grammar);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_FOLD_H_
