#include "engine/automaton/automaton_use.h"

#include <utility>

#include "engine/automaton/compiled.h"

namespace weir::engine {

AutomatonUse::AutomatonUse(Compiled& compiled) : compiled_(&compiled) {
  const MutexLock lock(compiled_->mutex_);
  automaton_ = compiled_->automaton_;
  compiled_->add(*this);
}

AutomatonUse::AutomatonUse(const AutomatonUse& other) : compiled_(other.compiled_) {
  const MutexLock lock(compiled_->mutex_);
  if (other.automaton_ == compiled_->automaton_) {
    automaton_ = other.automaton_;
  } else {
    state_.store(State::kTaken, std::memory_order_relaxed);
  }
  compiled_->add(*this);
}

AutomatonUse::AutomatonUse(AutomatonUse&& other) noexcept : AutomatonUse(std::as_const(other)) {
  std::shared_ptr<SharedAutomaton> dropped;  // destroyed after the lock
  const MutexLock lock(compiled_->mutex_);
  compiled_->remove(other);
  dropped = std::move(other.automaton_);
  other.compiled_ = nullptr;
}

AutomatonUse::~AutomatonUse() {
  if (compiled_ == nullptr) return;
  const MutexLock lock(compiled_->mutex_);
  compiled_->remove(*this);
}

void AutomatonUse::adopt(std::shared_ptr<SharedAutomaton> automaton) {
  {
    const MutexLock lock(compiled_->mutex_);
    std::swap(automaton_, automaton);
    const State with = automaton_ == compiled_->automaton_ ? State::kInCall : State::kLeaving;
    state_.store(automaton_ == nullptr ? State::kTaken : with, std::memory_order_relaxed);
  }
  // `automaton`, the old one, is destroyed after the lock.
}

// Precondition: kLeaving, so no other thread touches the automaton.
void AutomatonUse::let_go() {
  automaton_.reset();
  state_.store(State::kTaken, std::memory_order_release);
}

void AutomatonUse::take() {
  State state = state_.load(std::memory_order_relaxed);
  for (;;) {
    if (state != State::kIdle && state != State::kInCall) return;
    const State next = state == State::kIdle ? State::kTaken : State::kLeaving;
    if (state_.compare_exchange_weak(state, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      if (next == State::kTaken) automaton_.reset();
      return;
    }
  }
}

}  // namespace weir::engine
