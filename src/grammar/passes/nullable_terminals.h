// Pass "nullable": makes terminals that do not match the empty string.
//
//   exact T    becomes a rule T' | ε with T' = T without the empty string; removed if T matches only the empty string.
//              Longest T is treated in the same way.
//   lazy T     is removed: its first match is always the empty one (a warning says so). Shortest T is treated likewise.
//   greedy T   is an error: it matches the empty string only where no longer match follows, which no production says
#ifndef WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_
#define WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_

#include <vector>

#include "grammar/draft.h"
#include "weir/error.h"

namespace weir::grammar {

/// Errors: kUnsupported; kLimitExceeded (regex_nodes).
[[gnu::noinline]] Result<void> split_nullable_terminals(Draft& draft, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_
