// Expressions with assertions: they describe spans of a text, not strings, until whole_text() makes a language of them.
// Use translate() (ast.h), which calls these functions and ExprSet::assertion().
#ifndef WEIR_SRC_REGEX_SYNTAX_ASSERTIONS_H_
#define WEIR_SRC_REGEX_SYNTAX_ASSERTIONS_H_

#include <span>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Concatenates `parts`. An assertion that cannot look beyond the plain expression beside it becomes an intersection
/// with that expression.
ExprId sequence(ExprSet& exprs, std::span<const ExprId> parts);
/// Returns the language of the texts that `e` matches from end to end.
ExprId whole_text(ExprSet& exprs, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_ASSERTIONS_H_
