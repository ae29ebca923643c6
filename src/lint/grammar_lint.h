// What is allowed and compiles, but is probably not meant. For checks alone: compiling does not pay for it.
//
//   unreachable-alternative   every text of a regular alternative is one of those before it
//   overlapping-alternatives  a text is one of a regular alternative and of one before it, which does not have all
//                             of it
//   ambiguous-rule            a rule begins and ends with itself in one alternative
//   unbounded-whitespace      blanks may go on forever: models are known to write nothing else from there on
//
// LIMITS Of alternatives only those are compared whose language is regular, in choices of at most kMaxAlternatives,
//        and by a search that gives up early: what is reported is so, but not all that is so is reported.
#ifndef WEIR_SRC_LINT_GRAMMAR_LINT_H_
#define WEIR_SRC_LINT_GRAMMAR_LINT_H_

#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Appends to `warnings`. Precondition: every rule that is referred to is defined.
/// Cost: linear in the grammar, and some thousand expressions for each of kMaxQuestions questions at most.
void lint(Grammar grammar, const Limits& limits, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_LINT_GRAMMAR_LINT_H_
