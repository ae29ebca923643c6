// Finds the nodes and rules that are reachable from the start rule.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LIVE_H_
#define WEIR_SRC_GRAMMAR_PASSES_LIVE_H_

#include <vector>

#include "grammar/ir.h"

namespace weir::grammar {

struct Live {
  std::vector<bool> nodes;
  std::vector<bool> rules;
};

/// Precondition: every live rule is defined (passes/check.h). Cost: linear.
Live find_live(const Grammar& grammar);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LIVE_H_
