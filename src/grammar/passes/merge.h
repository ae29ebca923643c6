// Pass "merge": joins neighbouring terminals of a production into one, since inlining creates new neighbours. It does
// what pass "fold" does within a rule, with the same exceptions: only exact terminals without look-ahead, no units, no
// copies of large terminals.
#ifndef WEIR_SRC_GRAMMAR_PASSES_MERGE_H_
#define WEIR_SRC_GRAMMAR_PASSES_MERGE_H_

#include "grammar/draft.h"
#include "weir/error.h"

namespace weir::grammar {

/// Errors: kLimitExceeded (regex_nodes). Cost: linear.
[[gnu::noinline]] Result<void> merge_terminals(Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_MERGE_H_
