// Bounds and rates of rows that no option sets. They bound time and memory, and change no result.
#ifndef WEIR_SRC_EARLEY_SEARCH_BOUNDS_H_
#define WEIR_SRC_EARLEY_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::earley {

/// Frames that a row may be in, up to which each is told where it ends (row_table.h). A row in more is within none.
inline constexpr std::size_t kMaxInsides = 8;
/// Items of a row from which on its builder's buffers are freed after it: few rows have more, and they would be kept
/// for all rows.
inline constexpr std::size_t kMaxKeptItems = 1'024;
/// Entries that are sorted in the time of one step (base/work.h).
inline constexpr std::size_t kSortedEntriesForOneStep = 2;

}  // namespace weir::earley

#endif  // WEIR_SRC_EARLEY_SEARCH_BOUNDS_H_
