// Bounds of token indexes that no option sets. They decide how large an index is, and what is remembered while it is made.
#ifndef WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_
#define WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::token_languages {

/// Building an index, or the automaton over bytes that it is made of, may take so many times the steps of
/// Limits::call_work, because it is done once, by authors. Two large ones stay within it: `(a|b)*a(a|b){18}` with 524,288
/// states took 5.2 s of processor time, `.{0,3000}` with 27 million transitions 4.2 s (AMD EPYC, 2026-12-01). With 10 the
/// second is refused, with 5 both are.
inline constexpr std::uint64_t kIndexFactor = 20;
/// Tokens that are stored in groups, at 4 bytes each. Beyond this, groups are made for one state of the product at a
/// time.
inline constexpr std::size_t kMaxStoredTokens = std::size_t{1} << 23U;
/// Rounds in which states with equal ways are merged. A chain of equal states takes a round for each state; what is
/// left after the last round makes the index larger than it could be.
inline constexpr int kMaxMergeRounds = 256;

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_
