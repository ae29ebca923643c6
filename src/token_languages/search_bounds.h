// Bounds of token indexes that no option sets. They decide how large an index is, and what is remembered while it is made.
#ifndef WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_
#define WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_

#include <cstddef>

namespace weir::token_languages {

/// Tokens that are stored in groups, at 4 bytes each. Beyond this, groups are made for one state of the product at a
/// time.
inline constexpr std::size_t kMaxStoredTokens = std::size_t{1} << 23U;
/// Rounds in which states with equal ways are merged. A chain of equal states takes a round for each state; what is
/// left after the last round makes the index larger than it could be.
inline constexpr int kMaxMergeRounds = 256;

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_SEARCH_BOUNDS_H_
