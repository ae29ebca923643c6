// What llama.cpp calls left recursion, and refuses: a rule that can begin with itself, be it behind what is empty.
#ifndef WEIR_SRC_CONVERT_LEFT_RECURSION_H_
#define WEIR_SRC_CONVERT_LEFT_RECURSION_H_

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::frontend::convert {

/// Errors: kUnsupported, for the first rule in the text that can begin with itself, or the first repetition without
/// bound of what may be empty, which llama.cpp makes such a rule of.
Result<void> check_left_recursion(const grammar::Grammar& grammar);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_LEFT_RECURSION_H_
