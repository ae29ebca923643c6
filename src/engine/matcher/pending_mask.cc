#include "engine/matcher/pending_mask.h"

#include "engine/automaton/background_work.h"

namespace weir::engine {

const Mask* make_in_advance(const PendingMask& pending, const std::atomic<std::uint32_t>& turn, std::uint32_t own) {
  SharedAutomaton& automaton = *pending.automaton;
  if (automaton.is_mask_known(pending.state, pending.position)) {
    return automaton.mask(pending.state, pending.position).mask;
  }
  const Limits& limits = automaton.program().limits;
  if (automaton.memory_bytes() > limits.state_memory) return nullptr;
  const Mask* mask = nullptr;
  in_pieces(automaton, limits.call_work, [&] {
    if (turn.load(std::memory_order_relaxed) != own) return true;
    const MaskResult result = automaton.mask(pending.state, pending.position);
    mask = result.mask;
    return result.limit != base::Limit::kCallWork;
  });
  return mask;
}

}  // namespace weir::engine
