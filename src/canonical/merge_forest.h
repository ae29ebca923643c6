// MergeForest: which tokens may stand side by side in a piece of text that a tokenizer merges.
//
// WHAT   A piece starts as units (bytes or characters); again and again the adjacent pair with the lowest rank is
//        merged, of equal ranks the leftmost. Symbol t is *made* if its own units merge to it. Then
//          (pairs)  t1 … tk is what its units merge to iff all ti are made and each two neighbours are *compatible*:
//                   the units of ti and ti+1 together merge to ti ti+1.
//        Proof: order merges by (rank, place). Up to the first merge across an edge between tokens, each token's units
//        merge as if alone, since that order restricted to a stretch is the stretch's own; and that first merge sees
//        only the right end of one token and the left end of the next, so it happens in the pair alone, too. Nothing is
//        assumed of the merges: one may stand before a merge that it needs, two may make one token, ranks may be equal.
// WHY    So canonical sequences need the last token, not the text. A symbol that is not made appears in no merging at
//        all, by the same argument, and merges with such a part are left out.
//
// HOW    Each made symbol has two parts, those of its last merge. e(t), the *time* of t, is the greatest rank within
//        its derivation (-1 for a unit): t is made in the phase e(t), in which no greater rank has been needed yet.
//        On the right spine of l (l, its right part, the right part of that, …) symbol x is consumed at d(x) = e(its
//        parent); l itself never is. Likewise y on r's left spine.
//          (test)   l r is incompatible iff some merge (x, y) of rank m has max(e(x), e(y)) < min(d(x), d(y)), m < d(x)
//                   and m <= d(y). A tie with x's own merge goes to that merge, which stands further left; a tie with
//                   y's goes to the crossing one, likewise.
//        Where a symbol is made in the phase in which it or the other one is consumed (a merge before one that it
//        needs), the order within the phase decides, and the two tokens are merged to see: in real vocabularies 0.03 to
//        0.1 times for all successors of a token together.
//          (rows)   Number symbols in preorder of the forest in which t's parent is its left part, children by falling
//                   time. For fixed x and (x, y) the r that the test refuses are one interval: those with y on their
//                   left spine that consume it at max(m, max(e(x), e(y)) + 1) or later. So what may not follow l is a
//                   union of intervals, one for each merge that begins on l's right spine in time.
//
// COST   o200k_base has 446,000 merges, in 17 MB. The pair test is one look-up for each pair of the spines that a filter of
//        bits lets pass.
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

  /// Tokens and further characters.
  [[nodiscard]] std::uint32_t symbol_count() const { return static_cast<std::uint32_t>(nodes_.size() - 1); }
  [[nodiscard]] bool is_made(SymbolId s) const { return nodes_[index(s)].time != kNever; }
  /// The symbol of a unit, a byte or a character in UTF-8; kNone if no token has it.
  [[nodiscard]] SymbolId unit(std::string_view text) const;
  /// The characters that are symbols and no tokens: those of the symbols from the vocabulary's size on.
  [[nodiscard]] std::span<const std::string_view> further_characters() const { return further_characters_; }
  /// Tokens of the model that merges do not make, ascending.
  [[nodiscard]] std::span<const std::uint32_t> unmade() const { return unmade_; }

  /// Whether `l r` is what its units merge to. Precondition: both are made.
  [[nodiscard]] bool is_compatible(SymbolId l, SymbolId r) const;

  /// Made symbols in preorder.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  /// Calls `use(begin, end)` with stretches of order() that together are all r with which l is not compatible.
  /// Stretches may overlap. Precondition: l is made.
  template <typename Use>
  void for_each_forbidden(SymbolId l, Use use) const;

  /// Sets `ends` to the same as stretches that do not touch, ascending: where each begins and ends.
  void list_forbidden(SymbolId l, std::vector<std::uint32_t>& ends) const;

  /// The units of a made symbol.
  void append_units(SymbolId s, std::vector<SymbolId>& units) const;
  /// What these symbols merge to: the definition, one merge at a time. Quadratic.
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
