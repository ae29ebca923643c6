// Which rules derive the empty text.
#ifndef WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_
#define WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_

#include <vector>

#include "grammar/draft.h"

namespace weir::grammar {

/// By rule. Terminals may match the empty text. Each production counts its symbols that are not known to be nullable,
/// each rule knows where it is used, so the cost is linear.
std::vector<bool> find_nullable_rules(const Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_NULLABLE_RULES_H_
