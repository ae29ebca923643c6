// Prefetcher: makes masks on a thread of its own, before matchers ask for them.
//
// WHY    After a token was accepted, the model computes for milliseconds before the next mask is asked for.
// HOW    A pending mask is a state, not a matcher, so the matchers may meanwhile step, roll back or be destroyed.
// INVARIANTS  Results do not depend on it: what it makes is what matchers would make. What needs far more than
//        kPieceWork steps (background_work.h) is left to the matcher, and so is a mask under a budget or bounds on
//        tokens.
// THREADS One thread at a time calls the members. Without threads nothing is made.
#ifndef WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_
#define WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_

#include <memory>
#include <vector>

#include "base/threads.h"
#include "engine/explore/automaton.h"

#if WEIR_HAS_THREADS
#include <thread>
#endif

namespace weir::engine {

/// A mask that is not known yet.
struct PendingMask {
  std::shared_ptr<Automaton> automaton;
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

  /// Makes these masks from now on, in place of those that are still to be made.
  void set(std::vector<PendingMask> pending);

#if WEIR_HAS_THREADS
 private:
  void serve();

  Mutex mutex_;
  Condition changed_;
  std::vector<PendingMask> pending_;  // the next one is the last
  bool ends_ = false;
  std::thread thread_;
#endif
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_PREFETCHER_H_
