// Residuals: all residuals of an expression, with their distances to the end.
//
// COST   One call of append_branches() for each residual, then a breadth-first search backwards from those that are
//        nullable.
#ifndef WEIR_SRC_REGEX_ANALYSIS_RESIDUALS_H_
#define WEIR_SRC_REGEX_ANALYSIS_RESIDUALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

struct Residuals {
  std::vector<ExprId> all;  ///< The expression itself is the first.
  /// For each residual the length of its shortest member, or kUnbounded if it has none. Empty if the listing stopped
  /// because there are too many residuals or a derivative met a limit.
  std::vector<std::uint32_t> distances = {};
  /// The greatest distance of a residual with a member, 0 if none has one; kUnbounded if the listing stopped.
  std::uint32_t farthest = kUnbounded;
};

/// Lists the residuals of `e`. Stops when there are more than `most`; the list may exceed that by the derivatives of
/// one residual.
Residuals list_residuals(ExprSet& exprs, ExprId e, std::size_t most);
/// Returns true if `e` has infinitely many members. False also if it has more than `most` residuals, or if a limit is met.
bool is_infinite(ExprSet& exprs, ExprId e, std::size_t most);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_RESIDUALS_H_
