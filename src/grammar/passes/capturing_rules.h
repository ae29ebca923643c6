// Which rules hold a capture: are one, or lead to one.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_
#define WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_

#include <vector>

#include "grammar/draft.h"

namespace weir::grammar {

/// By rule. Cost: linear.
std::vector<bool> find_capturing_rules(const Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_
