#include "engine/matcher/prefetcher.h"

#include <algorithm>
#include <utility>

#include "engine/automaton/background_work.h"

#if WEIR_HAS_THREADS
#include <system_error>
#endif

namespace weir::engine {

#if WEIR_HAS_THREADS

Prefetcher::Prefetcher() {
  // If the system refuses a thread, nothing is made.
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error&) {
  }
}

Prefetcher::~Prefetcher() {
  {
    const MutexLock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Prefetcher::set(std::vector<PendingMask> pending) {
  if (!thread_.joinable()) return;
  std::reverse(pending.begin(), pending.end());
  const bool has_work = !pending.empty();
  {
    const MutexLock lock(mutex_);
    std::swap(pending_, pending);  // the old ones are destroyed after the lock
  }
  if (has_work) changed_.notify_one();
}

void Prefetcher::serve() {
  MutexLock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !pending_.empty(); });
    if (ends_) return;
    PendingMask next = std::move(pending_.back());
    pending_.pop_back();
    lock.unlock();
    SharedAutomaton& automaton = *next.automaton;
    const Limits& limits = automaton.program().limits;
    if (automaton.memory_bytes() <= limits.state_memory) {
      in_pieces(automaton, limits.call_work,
                [&] { return automaton.mask(next.state, next.position).limit != base::Limit::kCallWork; });
    }
    next.automaton.reset();  // may be the last owner, so not under the lock
    lock.lock();
  }
}

#else

Prefetcher::Prefetcher() = default;
Prefetcher::~Prefetcher() = default;
void Prefetcher::set(std::vector<PendingMask> /*pending*/) {}

#endif

}  // namespace weir::engine
