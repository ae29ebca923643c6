// Warnings about grammars that compile but probably do not mean what their author intended. Part of checks only;
// compiling does not run it.
//
//   unreachable-alternative   earlier alternatives match every text of this regular alternative
//   overlapping-alternatives  this regular alternative and an earlier one match a common text, and neither contains
//                             the other
//   ambiguous-rule            an alternative of a rule begins and ends with the rule itself
//   unbounded-whitespace      whitespace of unbounded length is allowed: some models then write nothing else
//
// LIMITS Compares only alternatives whose languages are regular, in choices and searches that are not large
//        (search_bounds.h). Every warning is correct, but some are missed.
#ifndef WEIR_SRC_LINT_GRAMMAR_LINT_H_
#define WEIR_SRC_LINT_GRAMMAR_LINT_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Appends to `warnings`. Precondition: every rule that is referred to is defined.
/// Cost: linear in the grammar, plus at most kMaxQuestions bounded searches.
void lint(Grammar grammar, const Limits& limits, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_LINT_GRAMMAR_LINT_H_
