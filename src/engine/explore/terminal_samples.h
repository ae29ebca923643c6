// Samples of a terminal: some of its texts, of which the first is what a text is likely to have.
#ifndef WEIR_SRC_ENGINE_EXPLORE_TERMINAL_SAMPLES_H_
#define WEIR_SRC_ENGINE_EXPLORE_TERMINAL_SAMPLES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::engine {

/// Returns at most `most` members of `e`. The first is a shortest member with a word or a number where any may be, and
/// with a blank after a comma or colon at its end if there may be one. The others are short; each has a residual that
/// those before it do not have. None if no member is found with little work.
/// Cost: some derivatives for each byte of the members.
std::vector<std::string> sample_members(regex::ExprSet& exprs, regex::ExprId e, std::size_t most);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_TERMINAL_SAMPLES_H_
