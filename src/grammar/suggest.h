// "Did you mean ...?": the name that is nearest to one that is none.
#ifndef WEIR_SRC_GRAMMAR_SUGGEST_H_
#define WEIR_SRC_GRAMMAR_SUGGEST_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "grammar/ir.h"

namespace weir::grammar {

/// How many letters to change, leave out, put in or swap with the next one, letter case aside; something above `bound`
/// where it is more. Cost: quadratic in the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound);

/// The name nearest to `name` by edit distance, or an empty string when none is near (at most a third of the name's
/// bytes away, letter case aside). Cost: linear in the names, quadratic in their lengths.
std::string nearest_name(std::span<const std::string_view> names, std::string_view name);

/// A hint naming the defined rule nearest to `name`, or an empty string when none is near.
std::string did_you_mean(const Grammar& grammar, std::string_view name);
/// The same among any names.
std::string did_you_mean(std::span<const std::string_view> names, std::string_view name);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_SUGGEST_H_
