// Pass "check": every rule that is referred to is defined. Changes nothing; front ends run it too, so that an error in
// a grammar's text is known before a tokenizer is.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
#define WEIR_SRC_GRAMMAR_PASSES_CHECK_H_

#include <cstddef>
#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// An error for each undefined rule in the order of the text, at its first use, with the nearest name as a hint and a
/// fix. Looks at the rules from `first_rule` on.
std::vector<Error> undefined_rules(const Grammar& grammar, std::size_t first_rule = 0);

/// Looks at the rules from `first_rule` on.
/// Errors: kInvalidArgument, the first of undefined_rules.
Result<void> check_defined(const Grammar& grammar, std::size_t first_rule = 0);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
