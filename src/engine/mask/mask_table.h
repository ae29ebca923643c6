// MaskTable: the masks of states, each made when it is first needed.
//
// HOW    MaskBuilder computes a mask. Equal masks are stored once (MaskStore); the LazyAutomaton's state points at its mask.
// THREADS known() takes no lock. All else requires the LazyAutomaton's lock.
#ifndef WEIR_SRC_ENGINE_MASK_MASK_TABLE_H_
#define WEIR_SRC_ENGINE_MASK_MASK_TABLE_H_

#include <cstddef>
#include <cstdint>

#include "base/limit.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/explore/token_targets.h"
#include "engine/mask/mask_builder.h"
#include "engine/sets/mask.h"

namespace weir::engine {

struct MaskResult {
  const Mask* mask = nullptr;  ///< Null when a limit was met. Lives as long as the table.
  base::Limit limit = base::Limit::kNone;
};

class MaskTable {
 public:
  /// The arguments must outlive the table.
  MaskTable(LazyAutomaton& automaton, FactsCache& facts, BoundSearch& bound_search)
      : automaton_(automaton), builder_(automaton, facts, bound_search) {}

  /// Returns the mask of a state if it is known, otherwise null.
  [[nodiscard]] const Mask* known(StateId state, TokenPosition position) const {
    return automaton_.mask_slot(state, position).load(std::memory_order_acquire);
  }
  /// Returns the mask of the tokens allowed in `state`. Appends to `targets`, if it is not null, where the tokens lead;
  /// for that, a mask that is known is computed again.
  MaskResult of(StateId state, TokenPosition position, TokenTargets* targets = nullptr);
  /// Stores a mask that is not that of a state.
  const Mask* add(Mask mask);

  [[nodiscard]] std::uint64_t computed() const { return computed_; }                      ///< Masks so far.
  [[nodiscard]] std::uint64_t nodes_visited() const { return builder_.nodes_visited(); }  ///< Nodes of tries, for them.
  [[nodiscard]] std::size_t memory_bytes() const { return store_.memory_bytes() + builder_.memory_bytes(); }

 private:
  LazyAutomaton& automaton_;
  MaskBuilder builder_;
  MaskStore store_;
  std::uint64_t computed_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_MASK_TABLE_H_
