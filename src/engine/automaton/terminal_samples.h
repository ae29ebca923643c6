// Samples of a terminal: some of its members, the likeliest first.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_TERMINAL_SAMPLES_H_
#define WEIR_SRC_ENGINE_AUTOMATON_TERMINAL_SAMPLES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::engine {

/// Returns at most `most` members of `e`; none if no member is found with little work. The first is a shortest member,
/// with a word or a number inserted where `e` allows any, and with a blank at its end if it ends with a comma or colon
/// and `e` allows the blank. The others are short, and each reaches a residual that those before it do not reach.
/// Cost: some derivatives for each byte of the members.
std::vector<std::string> sample_members(regex::ExprSet& exprs, regex::ExprId e, std::size_t most);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_TERMINAL_SAMPLES_H_
