// Printing of expressions for messages and debugging.
#ifndef WEIR_SRC_REGEX_EXPR_PRINT_H_
#define WEIR_SRC_REGEX_EXPR_PRINT_H_

#include <string>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns regex-like syntax; "..." replaces what is beyond 400 characters.
[[nodiscard]] std::string to_string(const ExprSet& exprs, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_PRINT_H_
