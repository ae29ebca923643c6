// Pass "unused": drops the rules that are not reachable from the start rule.
#ifndef WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_
#define WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// Appends a warning for each dropped rule, except rules that a terminal has absorbed (Rule::absorbed). The nodes of
/// dropped rules remain in the list as empty nodes.
void drop_unused(Grammar& grammar, std::vector<Warning>* warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_UNUSED_H_
