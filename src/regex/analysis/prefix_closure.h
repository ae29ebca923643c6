// The prefix closure of an expression.
#ifndef WEIR_SRC_REGEX_ANALYSIS_PREFIX_CLOSURE_H_
#define WEIR_SRC_REGEX_ANALYSIS_PREFIX_CLOSURE_H_

#include <optional>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns the prefix closure of `e`: all prefixes of its members. Returns nullopt if `e` contains an intersection,
/// complement, assertion or machine.
std::optional<ExprId> prefix_closure(ExprSet& exprs, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_PREFIX_CLOSURE_H_
