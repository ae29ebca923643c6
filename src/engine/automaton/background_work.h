// in_pieces: does work on an automaton in the background, and gives way to threads that wait for its lock.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_BACKGROUND_WORK_H_
#define WEIR_SRC_ENGINE_AUTOMATON_BACKGROUND_WORK_H_

#include <algorithm>
#include <cstdint>

#include "base/threads.h"
#include "base/work.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/search_bounds.h"

#if WEIR_HAS_THREADS
#include <thread>
#endif

namespace weir::engine {

struct WorkDone {
  std::uint64_t steps = 0;
  bool is_whole = false;  ///< False if the work was left out.
};

/// Calls `piece` until it returns true, at most kMaxPieceAttempts times and with at most kMaxPieceWork steps each time,
/// `most` steps in all. After each call other threads go first. What a call has found is kept, so most pieces that need
/// more steps are done after a few calls; the others are left out.
template <typename Piece>
WorkDone in_pieces(const SharedAutomaton& automaton, std::uint64_t most, Piece piece) {
  std::uint64_t left = most;
  WorkDone done;
  for (int attempt = 0; attempt < kMaxPieceAttempts && !done.is_whole && left != 0; ++attempt) {
    {
      const base::Work::Call call(std::min(left, kMaxPieceWork));
      done.is_whole = piece();
    }
    left -= std::min(left, base::Work::last_call());
#if WEIR_HAS_THREADS
    while (automaton.waiting() != 0) std::this_thread::yield();
#else
    static_cast<void>(automaton);
#endif
  }
  done.steps = most - left;
  return done;
}

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_BACKGROUND_WORK_H_
