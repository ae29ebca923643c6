// Finds the rules that are captures or reach one.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_
#define WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_

#include <vector>

#include "grammar/draft.h"

namespace weir::grammar {

/// Returns a flag for each rule. Cost: linear.
std::vector<bool> find_capturing_rules(const Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CAPTURING_RULES_H_
