// Pass "unused": drops the rules that the start rule does not lead to.
#ifndef WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_
#define WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// Warns of each rule dropped, unless a terminal has absorbed it. Nodes of dropped rules stay behind, emptied.
void drop_unused(Grammar& grammar, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_
