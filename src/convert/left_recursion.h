// Finds left recursion as llama.cpp defines (and refuses) it: a rule that can begin with itself, possibly after symbols
// that match the empty string.
#ifndef WEIR_SRC_CONVERT_LEFT_RECURSION_H_
#define WEIR_SRC_CONVERT_LEFT_RECURSION_H_

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::frontend::convert {

/// Errors: kUnsupported, for the first rule in the text that can begin with itself, or for the first unbounded repeat
/// of something nullable, which llama.cpp turns into such a rule.
Result<void> check_left_recursion(const grammar::Grammar& grammar);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_LEFT_RECURSION_H_
