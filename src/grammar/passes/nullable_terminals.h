// Pass "nullable": no terminal matches the empty string afterwards.
//
//   exact T    becomes a rule T' | ε with T' = T without the empty string, or nothing where T is just that
//   lazy T     becomes nothing: its first match is the empty one, always (a warning says so)
//   greedy T   is refused: it matches the empty string only where no longer match follows, and that is no production
#ifndef WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_
#define WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_

#include <vector>

#include "grammar/draft.h"
#include "weir/error.h"

namespace weir::grammar {

/// Errors: kUnsupported; kLimitExceeded (regex_nodes).
Result<void> split_nullable_terminals(Draft& draft, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_NULLABLE_TERMINALS_H_
