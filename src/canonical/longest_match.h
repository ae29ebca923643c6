// LongestMatch: which tokens may follow each other if a tokenizer takes the longest token at each place.
//
// HOW    Where a token was taken, no longer token may match. So the text must not reach the end of a longer token. A set
//        of nodes of the vocabulary's trie, the *obligations*, says which: for each earlier token, the node that the text
//        since its beginning spells, if longer tokens are below it.
// COST   A step: a walk from each obligation by the token's bytes. Sets are interned and never dropped.
// THREADS Sets that are known may be read from many threads without a lock. id_of() is called by one thread at a time.
#ifndef WEIR_SRC_CANONICAL_LONGEST_MATCH_H_
#define WEIR_SRC_CANONICAL_LONGEST_MATCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "base/segmented_array.h"
#include "regex/expr/byte_set.h"
#include "vocab/token_trie.h"

namespace weir::canonical {

class LongestMatch {
 public:
  /// `trie` must outlive the object.
  explicit LongestMatch(const vocab::TokenTrie& trie);

  /// The number of the empty set: that of the start of a text.
  static constexpr std::uint32_t kNoObligations = 0;

  /// Returns the number of a set of nodes, as append_after() appends them.
  std::uint32_t id_of(std::vector<std::uint32_t> nodes);
  /// Appends the obligations of set number `before` that remain after a token with these bytes, and the one that the
  /// token adds; ascending. Returns false if a longer token would have been taken.
  bool append_after(std::uint32_t before, std::string_view bytes, std::vector<std::uint32_t>& after) const;
  /// Clears in `tokens` those that may not follow obligations: append_after() would return false.
  void clear_longer(std::uint32_t id, std::span<std::uint32_t> tokens) const;
  /// Returns the bytes with which some longer token goes on.
  [[nodiscard]] regex::ByteSet longer_bytes(std::uint32_t id) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct NodeSet {
    const std::uint32_t* nodes = nullptr;
    std::uint32_t size = 0;
  };
  [[nodiscard]] std::span<const std::uint32_t> set(std::uint32_t id) const { return {sets_[id].nodes, sets_[id].size}; }

  const vocab::TokenTrie& trie_;
  base::WordInterner ids_;
  base::SegmentedArray<NodeSet> sets_;
  std::deque<std::vector<std::uint32_t>> storage_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_LONGEST_MATCH_H_
