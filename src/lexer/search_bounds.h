// Bounds of what a lexer keeps. They bound time and memory, and change no result.
#ifndef WEIR_SRC_LEXER_SEARCH_BOUNDS_H_
#define WEIR_SRC_LEXER_SEARCH_BOUNDS_H_

#include <cstddef>

namespace weir::lexer {

/// Items from which on a state takes their derivatives from a table. Of 1,000 names that begin alike, all are in progress in
/// each state, and each set of names that are left has other states: in the profile `serving` a text of 1,000 members takes
/// 0.6 s in place of 1.9 s (30 November 2026, beside 0a130f1d, AMD EPYC).
inline constexpr std::size_t kManyItems = 32;
/// Places of that table for each item of the largest state: names are followed for some 20 bytes.
inline constexpr std::size_t kPlacesForItem = 32;
/// The most places, 0.4 MB.
inline constexpr std::size_t kMostDerivatives = std::size_t{1} << 15U;
/// Items with known derivatives that take the time of one step (base/work.h): 6 ns each.
inline constexpr std::size_t kKnownItemsForOneStep = 8;

}  // namespace weir::lexer

#endif  // WEIR_SRC_LEXER_SEARCH_BOUNDS_H_
