// Pass "check": every rule that is referred to is defined. Changes nothing; front ends run it too, so that an error in
// a grammar's text is known before a tokenizer is.
#ifndef WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
#define WEIR_SRC_GRAMMAR_PASSES_CHECK_H_

#include <cstddef>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

/// Looks at the rules from `first_rule` on.
/// Errors: kInvalidArgument for the first undefined rule in the order of the text, with the nearest name as a hint.
Result<void> check_defined(const Grammar& grammar, std::size_t first_rule = 0);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_CHECK_H_
