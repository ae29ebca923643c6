// Pass "simplify": operators that stand directly inside one another become one.
//
//   (a b) c, a | (b | c)       one sequence, one choice
//   (x?)*, (x+)?, (x*)+, ...   x*                (x?){m,n}  x{0,n}      (x+){m,n}  x{m,}
//   (x | "")*                  x*                x{1}       x           x{0}       ""
//   x ::= y+  y ::= z?         x ::= z*, likewise through rules that are one repetition of another rule
//
// WHY    Fewer rules later, and fewer readings of one text: (x?)* has infinitely many of the empty string. Pass "fold"
//        finds the neighbours that it can join only when they are in one sequence.
#ifndef WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_
#define WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_

#include "grammar/ir.h"

namespace weir::grammar {

/// Cost: linear.
void simplify(Grammar& grammar);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_
