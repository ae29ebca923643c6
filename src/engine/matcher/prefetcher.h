// Prefetcher: makes masks on a thread of its own, before matchers ask for them.
//
// WHY    After a token was accepted, the model computes for milliseconds before the next mask is asked for.
// HOW    A pending mask is a state, not a matcher, so the matchers may meanwhile step, roll back or be destroyed.
// INVARIANTS  Prefetching does not change results: it computes masks that matchers would compute. It leaves masks that
//        need far more than kMaxPieceWork steps (background_work.h) to the matcher. Masks under a budget or bounds on
//        tokens are never passed to it (Cursor::pending_mask).
// THREADS Members must not be called concurrently. In a build without threads no mask is computed.
#ifndef WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_
#define WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_

#include <memory>
#include <vector>

#include "base/threads.h"
#include "engine/automaton/shared_automaton.h"

#if WEIR_HAS_THREADS
#include <thread>
#endif

namespace weir::engine {

/// A mask that is not known yet.
struct PendingMask {
  std::shared_ptr<SharedAutomaton> automaton;
  StateId state{};
  TokenPosition position{};
};

class Prefetcher {
 public:
  Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  /// Waits for the mask that is being made.
  ~Prefetcher();

  /// Makes `pending` the list of masks to compute, in this order. Drops those of the previous list that are not begun.
  void set(std::vector<PendingMask> pending);

#if WEIR_HAS_THREADS
 private:
  void serve();

  Mutex mutex_;
  Condition changed_;
  std::vector<PendingMask> pending_;  // in reverse order: the last element is computed next
  bool ends_ = false;
  std::thread thread_;
#endif
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_
