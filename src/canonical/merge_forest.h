// MergeForest: decides which tokens may be adjacent in a piece of text that a tokenizer merges.
//
// The basic idea: whether two tokens may be neighbours depends on the two alone, and the tokens that may not follow one
// are a few intervals of an order of all tokens.
//
// WHAT   A piece starts as units (bytes or characters). Then the adjacent pair with the lowest rank is merged, the
//        leftmost one of equal ranks, until no pair has a merge. Symbol t is *made* if its own units merge to it. Then
//          (pairs)  t1 … tk is what its units merge to iff all ti are made and each two neighbours are *compatible*:
//                   the units of ti and ti+1 together merge to ti ti+1.
//        Proof: order merges by (rank, position). Before the first merge across a border between tokens, the units of
//        each token merge as if they were alone, because this order, restricted to a part of the text, is the order of
//        the part. That first merge depends only on the right end of one token and the left end of the next, so it also
//        happens in the pair alone. The proof assumes nothing about merges: a merge may come before one that it needs,
//        two merges may make one token, and ranks may be equal.
// WHY    Because of this, canonical sequences depend on the last token, not on the text. A symbol that is not made
//        never appears while a text is merged, by the same argument, so merges with such a part are left out.
//
// HOW    Each made symbol has two parts, those of its last merge. e(t), the *time* of t, is the greatest rank within
//        its derivation (-1 for a unit): t is made in the phase e(t), in which no greater rank has been needed yet.
//        On the right spine of l (l, its right part, the right part of that, …) symbol x is consumed at d(x) = e(its
//        parent); l itself never is. Likewise y on r's left spine.
//          (test)   l r is incompatible iff some merge (x, y) of rank m has max(e(x), e(y)) < min(d(x), d(y)), m < d(x)
//                   and m <= d(y). If the ranks of (x, y) and of the merge that consumes x are equal, the latter wins,
//                   because it is further left; against the merge that consumes y, (x, y) wins.
//        If x or y is made in the phase in which one of them is consumed (a merge before one that it needs), the order
//        within the phase decides, and the test merges the two tokens. In real vocabularies this happens 0.03 to 0.1
//        times for all successors of a token together.
//          (rows)   Number symbols in preorder of the forest in which t's parent is its left part; children are in the
//                   order of descending time. For fixed x and (x, y) the r that the test refuses are one interval:
//                   those with y on their left spine that consume it at max(m, max(e(x), e(y)) + 1) or later. So what
//                   may not follow l is a union of intervals, one for each merge that begins on l's right spine in
//                   time.
//
// COST   o200k_base has 446,000 merges, in 17 MB. The pair test is one lookup for each pair of the spines that a filter
//        of bits does not exclude.
// THREADS Immutable once built.
#ifndef WEIR_SRC_CANONICAL_MERGE_FOREST_H_
#define WEIR_SRC_CANONICAL_MERGE_FOREST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "vocab/recipe.h"
#include "weir/error.h"

namespace weir::canonical {

/// A token, by its id; or, from the vocabulary's size on, a character that is part of tokens and none itself.
enum class SymbolId : std::uint32_t { kNone = UINT32_MAX };

class MergeForest {
 public:
  /// `in_order`: tokens by their texts, which a vocabulary's trie knows; where tokens are missing they are sorted here.
  /// Precondition: recipe.other_model is empty; ids are below `vocab_size`.
  /// Errors   kUnsupported: byte tokens that merge; pieces that merges pass through and undo.
  static Result<MergeForest> build(const vocab::MergeRecipe& recipe, std::uint32_t vocab_size,
                                   std::span<const std::uint32_t> in_order = {});

  /// Returns the number of tokens and further characters.
  [[nodiscard]] std::uint32_t symbol_count() const { return static_cast<std::uint32_t>(nodes_.size() - 1); }
  [[nodiscard]] bool is_made(SymbolId s) const { return nodes_[index(s)].time != kNever; }
  /// Returns the symbol of a unit, which is a byte or a character in UTF-8; kNone if no token contains it.
  [[nodiscard]] SymbolId unit(std::string_view text) const;
  /// Returns the characters that are symbols but not tokens: the symbols from the vocabulary's size on.
  [[nodiscard]] std::span<const std::string_view> further_characters() const { return further_characters_; }
  /// Returns the tokens of the model that merges do not make, ascending.
  [[nodiscard]] std::span<const std::uint32_t> unmade() const { return unmade_; }

  /// Returns true if the units of `l r` merge to `l r`. Precondition: both are made.
  [[nodiscard]] bool is_compatible(SymbolId l, SymbolId r) const;

  /// Returns the made symbols in preorder.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  /// Calls `use(begin, end)` with intervals of order() that together are all r with which l is not compatible.
  /// Intervals may overlap. Precondition: l is made.
  template <typename Use>
  void for_each_forbidden(SymbolId l, Use use) const;

  /// Sets `ends` to the same set as disjoint intervals that do not touch, ascending: begin and end of each.
  void list_forbidden(SymbolId l, std::vector<std::uint32_t>& ends) const;

  /// Appends the units of a made symbol.
  void append_units(SymbolId s, std::vector<SymbolId>& units) const;
  /// Merges the symbols by the definition, one merge at a time. Cost: quadratic.
  void merge(std::vector<SymbolId>& symbols) const;

  [[nodiscard]] std::size_t merge_count() const { return right_of_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::int32_t kUnit = -1;                                         // the time of a unit
  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::min();  // not made
  static constexpr std::int32_t kForever = std::numeric_limits<std::int32_t>::max();
  static constexpr std::uint32_t kNone = UINT32_MAX;
  enum class Crossing : std::uint8_t { kNo, kYes, kUndecided };

  struct Merge {
    std::uint32_t left, right, result;
    std::int32_t rank;
  };

  MergeForest() = default;
  static std::size_t index(SymbolId s) { return static_cast<std::size_t>(s); }

  // Building. The steps are called in this order.
  struct Ways {
    std::vector<Merge> all;
    std::vector<std::uint32_t> begin;  // of the merges that give a symbol
    void group();
  };
  Result<void> list_units(const vocab::MergeRecipe& recipe, std::uint32_t vocab_size);
  void list_concatenations(const vocab::MergeRecipe& recipe, std::span<const std::uint32_t> in_order, Ways& ways) const;
  Result<void> list_pairs(const vocab::MergeRecipe& recipe, Ways& ways) const;
  void index_merges(const Ways& ways);
  void find_parts(const vocab::MergeRecipe& recipe, const Ways& ways);
  void load_soon(std::span<const std::uint32_t> by_length, std::size_t n, const Ways& ways) const;
  [[nodiscard]] bool makes(std::uint32_t left, std::uint32_t right, std::uint32_t result) const;
  void number(std::span<const std::uint32_t> by_length);

  // The merge of two symbols: an index into rank_of_ and right_of_, or kNone.
  [[nodiscard]] std::uint32_t find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t hash = base::hash_mix(0, std::uint64_t{left} << 32 | right);
    if ((filter_[(hash & filter_mask_) / 64] >> (hash % 64) & 1) == 0) return kNone;
    for (std::size_t i = (hash >> 16) & slot_mask_;; i = (i + 1) & slot_mask_) {
      const std::uint32_t k = slots_[i];
      if (k == kNone) return kNone;
      if (right_of_[k] == right && nodes_[left].merges <= k && k < nodes_[left + 1].merges) return k;
    }
  }
  [[nodiscard]] Crossing crossing(std::uint32_t l, std::uint32_t r, bool ignores_whole) const;
  [[nodiscard]] std::uint32_t end_of_children(std::uint32_t s, std::int32_t time) const;

  std::uint32_t vocab_size_ = 0;
  // Side by side, for they are looked at together.
  struct Node {
    std::uint32_t left = kNone, right = kNone;  // parts; none of units
    std::int32_t time = kNever;
    std::uint32_t merges = 0;  // the first merge with this left part; they are ordered by that, then by rank
  };
  std::vector<Node> nodes_;  // by symbol, and one more
  std::vector<std::int32_t> rank_of_;
  std::vector<std::uint32_t> right_of_, result_of_;
  // Open addressing over merges. Not a base::FlatTable: half of its size, as slots store no hash, and never grows.
  std::vector<std::uint32_t> slots_;
  std::size_t slot_mask_ = 0;
  std::vector<std::uint64_t> filter_;  // a bit is set if some merge has its hash
  std::uint64_t filter_mask_ = 0;
  // The forest of left parts.
  std::vector<std::uint32_t> order_, position_;
  std::vector<std::uint32_t> child_begin_;
  std::vector<std::int32_t> child_time_;  // falling among the children of one symbol
  std::vector<std::uint32_t> child_end_;  // after the child's subtree, in order_
  std::vector<std::uint32_t> unmade_;
  std::vector<std::uint32_t> byte_units_;                                // by byte
  std::vector<std::string_view> further_characters_;                     // views, too
  std::unordered_map<std::string_view, std::uint32_t> character_units_;  // views of the recipe's texts
};

template <typename Use>
void MergeForest::for_each_forbidden(SymbolId l, Use use) const {
  std::int32_t consumed = kForever;
  for (std::uint32_t x = static_cast<std::uint32_t>(l);;) {
    for (std::uint32_t k = nodes_[x].merges; k < nodes_[x + 1].merges && rank_of_[k] <= consumed; ++k) {
      const std::uint32_t y = right_of_[k];
      if (nodes_[y].time == kNever) continue;
      const std::int32_t rank = rank_of_[k];
      const std::int32_t both = std::max(nodes_[x].time, nodes_[y].time);
      if (both > consumed || (rank == consumed && both < consumed)) continue;
      // Those that consume y so late that the crossing merge comes first.
      const std::uint32_t certain = both < consumed ? end_of_children(y, std::max(rank, both + 1)) : position_[y];
      if (certain > position_[y]) use(position_[y], certain);
      // Those where the order within one phase decides.
      if (both < consumed && both < rank) continue;
      const std::uint32_t open = end_of_children(y, std::max(rank, both));
      for (std::uint32_t at = certain; at < open; ++at) {
        if (!is_compatible(l, SymbolId{order_[at]})) use(at, at + 1);
      }
    }
    if (nodes_[x].left == kNone) return;
    consumed = nodes_[x].time;
    x = nodes_[x].right;
  }
}

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_MERGE_FOREST_H_
