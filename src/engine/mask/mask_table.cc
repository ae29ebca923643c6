#include "engine/mask/mask_table.h"

#include <utility>

namespace weir::engine {

using base::Limit;

MaskResult MaskTable::of(StateId state, TokenPosition position, TokenTargets* targets) {
  std::atomic<const Mask*>& slot = automaton_.mask_slot(state, position);
  const Mask* mask = slot.load(std::memory_order_relaxed);
  if (mask != nullptr && targets == nullptr) return {mask};
  if (const Limit limit = builder_.build(state, position, targets); limit != Limit::kNone) return {nullptr, limit};
  Mask built = builder_.take();
  if (mask == nullptr) {
    mask = add(std::move(built));
    slot.store(mask, std::memory_order_release);
  }
  return {mask};
}

const Mask* MaskTable::add(Mask mask) {
  ++computed_;
  return store_.intern(std::move(mask));
}

}  // namespace weir::engine
