// Emptiness: does an expression have a member?
//
// COST   Mostly nothing is searched: constructors know it of expressions without `&`, `~`, contexts and machines. A search
//        explores derivatives; what it finds is stored for each expression that it visited.
#ifndef WEIR_SRC_REGEX_ANALYSIS_EMPTINESS_H_
#define WEIR_SRC_REGEX_ANALYSIS_EMPTINESS_H_

#include <cstdint>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns whether `e` has no member; kUnknown after `fuel` visited expressions, or at the node limit.
Emptiness emptiness(ExprSet& exprs, ExprId e, std::uint32_t fuel);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_EMPTINESS_H_
