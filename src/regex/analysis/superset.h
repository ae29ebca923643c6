// A superset of an expression that has few residuals, for questions to which "nothing is in it" is an answer.
//
// EXAMPLE  `([a-z]{1,60}\.){1,99}` & `.{0,200}` & `.*-\.`   has a residual for each triple of counts. `([a-z]+\.)+` & `.*-\.`
//                                                          has three, and a search of these finds that it is empty.
//          `([a-z]{1,60}\.){1,99}` & `.*:.*`               All bytes of a member are in [a-z.], so that `:` is nothing: no
//                                                          search is needed.
#ifndef WEIR_SRC_REGEX_ANALYSIS_SUPERSET_H_
#define WEIR_SRC_REGEX_ANALYSIS_SUPERSET_H_

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns a superset of `e`: repeats lose their maximum, except {0,1}, machines that count lose their counts, and sets of
/// bytes lose those that no member of `e` has by the structure of `e`. What is in a complement or an assertion stays as it
/// is. Returns `e` if nothing changes, and if it has too many parts. Cost: linear in the parts.
ExprId with_loops(ExprSet& exprs, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_SUPERSET_H_
