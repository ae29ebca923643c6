// Pass "simplify": joins operators that are directly inside one another.
//
//   (a b) c, a | (b | c)       one sequence, one choice
//   (x?)*, (x+)?, (x*)+, ...   x*                (x?){m,n}  x{0,n}      (x+){m,n}  x{m,}
//   (x | "")*                  x*                x{1}       x           x{0}       ""
//   x ::= y+  y ::= z?         x ::= z*, also through rules that only repeat another rule
//
// WHY    Fewer rules later, and fewer derivations of one text: (x?)* has infinitely many of the empty string. Pass
//        "fold" joins neighbours only if they are in one sequence.
#ifndef WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_
#define WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_

#include "grammar/ir.h"

namespace weir::grammar {

/// Cost: linear.
[[gnu::noinline]] void simplify(Grammar& grammar);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_SIMPLIFY_H_
