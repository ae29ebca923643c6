// Pass "cycles": warns of rules that can derive themselves, as in `a ::= a | "x"` or `a ::= a a | ""`. Changes nothing:
// the texts are those of the grammar without the cycle, though each has infinitely many readings.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_
#define WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_

#include <vector>

#include "grammar/draft.h"
#include "weir/error.h"

namespace weir::grammar {

/// One warning a cycle, at the first rule of the user's that is on it. Cost: linear.
void report_cycles(const Draft& draft, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_
