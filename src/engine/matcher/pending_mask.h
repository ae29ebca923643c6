// PendingMask: the mask that a matcher will be asked for, which may be made before.
//
// WHY    After a token was accepted, the model computes for milliseconds before the next mask is asked for.
// HOW    A pending mask is a state, not a matcher, so the matcher may meanwhile step, roll back or be destroyed.
// INVARIANTS  Results do not change: only masks are made that matchers would make. Masks that need far more than
//        kMaxPieceWork steps (background_work.h) are left to the matcher. Masks under a budget or bounds on tokens are
//        never pending (Cursor::pending_mask).
#ifndef WEIR_SRC_ENGINE_MATCHER_PENDING_MASK_H_
#define WEIR_SRC_ENGINE_MATCHER_PENDING_MASK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/automaton/shared_automaton.h"

namespace weir::engine {

struct PendingMask {
  std::shared_ptr<SharedAutomaton> automaton;
  StateId state{};
  TokenPosition position{};
  bool is_known = false;
  bool is_for_row = false;                  ///< The state's mask is the matcher's, but for single tokens.
  std::vector<std::uint32_t> refused = {};  ///< Tokens of the mask that the matcher refuses.
  std::uint64_t number = 0;                 ///< The matcher's History::number, unless more tokens differ.
};

/// Returns the mask, and makes it if it is not known. Returns null if `turn` is another one than `own` before a piece
/// of the work, if a limit is met, or if the work is too long for being done in advance. Threads that wait for the
/// automaton go first after each piece.
const Mask* make_in_advance(const PendingMask& pending, const std::atomic<std::uint32_t>& turn, std::uint32_t own);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_PENDING_MASK_H_
