// Thresholds of tries and tokenizers that no option sets. They decide time and memory, and change no result.
#ifndef WEIR_SRC_VOCAB_SEARCH_BOUNDS_H_
#define WEIR_SRC_VOCAB_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::vocab {

/// Nodes of a trie from which on the first two levels have an index: the nodes of these levels are so far apart in a
/// larger one that a walk along them waits for memory.
inline constexpr std::size_t kMinIndexedNodes = 1'024;
/// Nodes of a subtree from which on its set of kinds of characters is stored. Most nodes of a trie are within smaller
/// ones, and walking those takes no longer.
inline constexpr std::uint32_t kMinSummarizedNodes = 4;
/// Tokens up to which an insertion sort is less work than counting into 256 buckets.
inline constexpr std::size_t kMaxInsertionSorted = 32;
/// Symbols of a text up to which a scan of all pairs finds the best merge faster than a heap.
inline constexpr std::size_t kScanSymbols = 48;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEARCH_BOUNDS_H_
