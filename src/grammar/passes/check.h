// Pass "check": verifies that every rule that is referred to is defined. Changes nothing. Front ends run it too, so
// that errors in a grammar are reported before a tokenizer is known.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
#define WEIR_SRC_GRAMMAR_PASSES_CHECK_H_

#include <cstddef>
#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// Returns an error for each undefined rule, located at its first use, in text order; with the nearest defined name as
/// a hint and a fix. Considers the rules from `first_rule` on.
std::vector<Error> undefined_rules(const Grammar& grammar, std::size_t first_rule = 0);

/// Considers the rules from `first_rule` on.
/// Errors: kInvalidArgument, the first error of undefined_rules.
Result<void> check_defined(const Grammar& grammar, std::size_t first_rule = 0);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
