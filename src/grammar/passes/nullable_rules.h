// Finds the rules that derive the empty text.
#ifndef WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_
#define WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_

#include <vector>

#include "grammar/draft.h"

namespace weir::grammar {

/// Returns a flag for each rule. Terminals may be nullable. Cost: linear. Each production counts its symbols that are
/// not yet known to be nullable, and each rule knows where it is used.
std::vector<bool> find_nullable_rules(const Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_
