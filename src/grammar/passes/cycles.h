// Pass "cycles": warns of rules that can derive themselves, as in `a ::= a | "x"` or `a ::= a a | ""`. Changes nothing:
// a cycle does not change the language, but gives each text infinitely many derivations.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_
#define WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_

#include <vector>

#include "grammar/draft.h"
#include "weir/error.h"

namespace weir::grammar {

/// Appends one warning for each cycle, located at the first user-written rule on the cycle. Cost: linear.
[[gnu::noinline]] void report_cycles(const Draft& draft, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CYCLES_H_
