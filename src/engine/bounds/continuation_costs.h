// ContinuationCosts: how far the end of a text is at least behind an item, by the grammar alone.
//
// HOW    What is left of the item costs what CompletionMeasure says; what its continuation resumes costs the least of
//        its entries'. Continuations are values that never change, and those that refer to one another are all there
//        when one of them is, so a cost once settled stays.
// COST   A few steps for each continuation that is new, once.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_BOUNDS_CONTINUATION_COSTS_H_
#define WEIR_SRC_ENGINE_BOUNDS_CONTINUATION_COSTS_H_

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "earley/row_table.h"
#include "engine/matcher/completion_measure.h"

namespace weir::engine {

class ContinuationCosts {
 public:
  /// Both must outlive it; the measure is up to date whenever this is asked.
  ContinuationCosts(CompletionMeasure& measure, const earley::RowTable& rows) : measure_(measure), rows_(rows) {}

  /// Looks at the continuations below some items. To be called before cost_of.
  void add(std::span<const earley::Entry> items);
  /// The least cost from an item's dot to the end of the text.
  [[nodiscard]] WayCost cost_of(const earley::Entry& entry);
  /// The entry of a continuation on that way.
  [[nodiscard]] earley::Entry best(earley::ContinuationId continuation) const { return below_.at(continuation).best; }
  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kLinks = 2 * sizeof(void*);  // of a hash map: the next node and a bucket
    return below_.size() * (sizeof(Below) + sizeof(earley::ContinuationId) + kLinks);
  }

 private:
  struct Below {
    std::vector<earley::Entry> entries;
    WayCost cost = kNoWay;
    earley::Entry best = earley::kAccept;
  };
  void relax(std::span<const earley::ContinuationId> added);

  CompletionMeasure& measure_;
  const earley::RowTable& rows_;
  std::unordered_map<earley::ContinuationId, Below> below_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_BOUNDS_CONTINUATION_COSTS_H_
