// "Did you mean ...?": finds the known name that is nearest to an unknown one.
#ifndef WEIR_SRC_GRAMMAR_SUGGEST_H_
#define WEIR_SRC_GRAMMAR_SUGGEST_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "grammar/ir.h"

namespace weir::grammar {

/// Returns the number of letters to change, insert, delete or swap with the next one, ignoring ASCII case. If that is
/// more than `bound`, returns some number greater than `bound`. Cost: quadratic in the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound);

/// Returns the name nearest to `name` by edit distance (ignoring ASCII case), or an empty string if none is within a
/// third of the length of `name`. Cost: linear in the number of names, quadratic in their lengths.
std::string nearest_name(std::span<const std::string_view> names, std::string_view name);

/// Returns a hint with the name of the nearest defined rule, or an empty string if none is near.
std::string did_you_mean(const Grammar& grammar, std::string_view name);
/// The same for any names.
std::string did_you_mean(std::span<const std::string_view> names, std::string_view name);
/// The same, but if no name is near, the hint is `introduction` with all names: "there are `a`, `b`".
std::string did_you_mean(std::span<const std::string_view> names, std::string_view name, std::string introduction);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_SUGGEST_H_
