// AutomatonUse: a cursor's use of the current automaton of a Compiled.
//
// WHAT   A pointer to the automaton that the cursor's states belong to. The pointer keeps the automaton alive only
//        during calls: Compiled::install takes it from every user that waits, and a user that is in a call gives it up
//        when the call ends. The next call of such a user finds that it has no automaton, and its cursor restores its
//        history on the current one.
// WHY    Limits::state_memory would not bound anything if each of 10,000 matchers that wait kept the automaton of its
//        last use (docs/decisions/memory.md).
// HOW    Every user is in a list of its Compiled, under the Compiled's mutex. A user has a state: idle, in a call,
//        leaving (in a call, and its automaton has been replaced), taken. A call turns idle into in a call, and back;
//        install() turns idle into taken, and in a call into leaving. Both do so by compare-exchange, so exactly one of
//        them gets an idle user.
// INVARIANTS  Outside of calls a user has the current automaton, or none.
// COST   A call costs two compare-exchanges on a cache line that only the user's thread writes (docs/decisions/memory.md
//        has what that adds to a known mask). A count of references that every call changes would be one cache line for
//        all threads of a grammar. Making, copying and destroying a user takes the Compiled's mutex.
// THREADS One thread at a time. Compiled::install may take the automaton at any time, from any thread.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_AUTOMATON_USE_H_
#define WEIR_SRC_ENGINE_AUTOMATON_AUTOMATON_USE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/automaton/shared_automaton.h"

namespace weir::engine {

class Compiled;

class AutomatonUse {
 public:
  /// A user of the current automaton. Precondition: `compiled` outlives the user, and all users that are made of it.
  explicit AutomatonUse(Compiled& compiled);
  /// A second user of the same automaton, or of none.
  AutomatonUse(const AutomatonUse& other);
  /// Takes the place of `other`, which may only be destroyed.
  AutomatonUse(AutomatonUse&& other) noexcept;
  AutomatonUse& operator=(const AutomatonUse&) = delete;
  AutomatonUse& operator=(AutomatonUse&&) = delete;
  ~AutomatonUse();

  /// A call of the user, while it lives: nothing takes the automaton. Calls may be nested.
  class Call {
   public:
    explicit Call(AutomatonUse& use) : use_(use) { use_.enter(); }
    ~Call() { use_.leave(); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    AutomatonUse& use_;
  };

  // What follows requires a Call.
  /// Returns true if the automaton was taken while the user was waiting; then there is none until adopt().
  [[nodiscard]] bool was_taken() const { return state_.load(std::memory_order_relaxed) == State::kTaken; }
  [[nodiscard]] const std::shared_ptr<SharedAutomaton>& shared() const { return automaton_; }
  SharedAutomaton* operator->() const { return automaton_.get(); }
  SharedAutomaton& operator*() const { return *automaton_; }
  /// Uses another automaton from now on; with null, none, as if it had been taken.
  void adopt(std::shared_ptr<SharedAutomaton> automaton);

 private:
  friend class Compiled;
  enum class State : std::uint8_t { kIdle, kInCall, kLeaving, kTaken };

  void enter() {
    if (calls_++ != 0) return;
    State idle = State::kIdle;  // if it is kTaken, it stays so
    state_.compare_exchange_strong(idle, State::kInCall, std::memory_order_acquire, std::memory_order_acquire);
  }
  void leave() {
    if (--calls_ != 0) return;
    State in_call = State::kInCall;
    if (state_.compare_exchange_strong(in_call, State::kIdle, std::memory_order_release, std::memory_order_relaxed)) {
      return;
    }
    if (in_call == State::kLeaving) let_go();
  }
  void let_go();
  // Takes the automaton, or lets the call that is running do so. Requires the Compiled's mutex.
  void take();

  Compiled* compiled_;  // null if another user has taken its place
  std::shared_ptr<SharedAutomaton> automaton_;
  std::atomic<State> state_ = State::kIdle;
  std::uint32_t calls_ = 0;  // calls that are running, within each other
  AutomatonUse* previous_ = nullptr;
  AutomatonUse* next_ = nullptr;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_AUTOMATON_USE_H_
