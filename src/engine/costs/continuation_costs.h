// ContinuationCosts: a lower bound on the cost of a text from an item to the end, or to a place outside of bounded rules
// (RowTable::is_outside), by the grammar alone.
//
// HOW    The cost of an item is the cost of its remaining symbols (CompletionMeasure) plus that of its continuation,
//        which is the least cost of the continuation's entries. A known cost never changes: continuations are
//        immutable, and those that refer to each other are created together.
// COST   A few steps for each new continuation, once.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_COSTS_CONTINUATION_COSTS_H_
#define WEIR_SRC_ENGINE_COSTS_CONTINUATION_COSTS_H_

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/node_bytes.h"
#include "earley/row_table.h"
#include "engine/costs/completion_measure.h"

namespace weir::engine {

class ContinuationCosts {
 public:
  /// Costs to the end. Both arguments must outlive the object. The caller keeps the measure up to date.
  ContinuationCosts(CompletionMeasure& measure, const earley::RowTable& rows) : measure_(measure), rows_(rows) {}
  /// Costs to a place outside.
  struct Outside {};
  ContinuationCosts(CompletionMeasure& measure, earley::RowTable& rows, Outside /*tag*/)
      : measure_(measure), rows_(rows), bounds_(&rows) {}

  /// Computes the costs of the continuations of `items` and of all that follow from them. Required before cost_of and
  /// best. What was computed before the measure settled its rules anew is forgotten.
  void add(std::span<const earley::Entry> items);
  /// Returns the least cost from an item's dot to the end of the text, or to a place outside.
  [[nodiscard]] WayCost cost_of(const earley::Entry& entry);
  /// Returns the entry of a continuation that has the least cost.
  [[nodiscard]] earley::Entry best(earley::ContinuationId continuation) const { return below_.at(continuation).best; }
  [[nodiscard]] std::size_t memory_bytes() const { return base::node_bytes(below_); }

 private:
  struct Below {
    std::vector<earley::Entry> entries;
    WayCost cost = kNoWay;
    earley::Entry best = earley::kAccept;
  };
  void relax(std::span<const earley::ContinuationId> added);

  CompletionMeasure& measure_;
  const earley::RowTable& rows_;
  earley::RowTable* bounds_ = nullptr;  // says what is outside; null for costs to the end
  std::unordered_map<earley::ContinuationId, Below> below_;
  std::uint32_t settlings_ = 0;  // of the measure, when the costs were computed
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_CONTINUATION_COSTS_H_
