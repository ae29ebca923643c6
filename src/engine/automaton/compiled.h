// Compiled: a program, and the automaton that has been explored for it so far. A CompiledGrammar points to one.
//
// WHY    Exploring only adds. When an automaton takes more than Limits::state_memory, a new one replaces it, as RE2 drops
//        its DFA cache. Single states are not evicted: a state is an integer that is stored in many places, and finding
//        these would cost more than exploring again what is needed.
// HOW    A cursor that finds the current automaton too large restores its history on a *successor*, in one call or in
//        several, and then installs it. install() takes the old automaton from all cursors that wait (AutomatonUse), so it
//        is destroyed when the last call that is running on it ends. A cursor whose automaton was taken restores its
//        history on the current one at its next call.
// COST   Besides the current automaton and its successor, at most one for each thread that is in a call is alive, and one
//        for each mask that is made in the background. install() visits every cursor.
// THREADS Safe to use from many threads.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_COMPILED_H_
#define WEIR_SRC_ENGINE_AUTOMATON_COMPILED_H_

#include <memory>

#include "base/threads.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/costs/program.h"

namespace weir::engine {

class AutomatonUse;

class Compiled {
 public:
  /// Makes a Compiled with a new automaton.
  /// Errors   kLimitExceeded: the start state exceeds a limit. kUnsatisfiable: greedy terminals or look-aheads leave no
  ///          text.
  static Result<std::shared_ptr<Compiled>> create(std::shared_ptr<const Program> program);

  [[nodiscard]] const Program& program() const { return *program_; }
  /// Returns the current automaton.
  [[nodiscard]] std::shared_ptr<SharedAutomaton> automaton() const;

  struct Successor {
    std::shared_ptr<SharedAutomaton> automaton;
    bool is_installed = false;  ///< True if it is the current automaton, which has replaced `old`.
  };
  /// Returns the automaton that has replaced `old`, or is to replace it: one automaton for all cursors that ask.
  Successor successor(const std::shared_ptr<SharedAutomaton>& old);
  /// Makes a successor the current automaton. No cursor that waits has the old one afterwards. Does nothing if `next` is
  /// not the successor any more.
  void install(const std::shared_ptr<SharedAutomaton>& next);
  /// Drops a successor that is of no use, so that the next one is new.
  void drop(const std::shared_ptr<SharedAutomaton>& next);

  [[nodiscard]] EngineStats stats() const;
  /// Returns the bytes in use by the current automaton and its successor. Cheap.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class AutomatonUse;

  explicit Compiled(std::shared_ptr<const Program> program);
  // These require the mutex.
  void add(AutomatonUse& use);
  void remove(AutomatonUse& use);

  std::shared_ptr<const Program> program_;
  mutable Mutex mutex_;
  std::shared_ptr<SharedAutomaton> automaton_;
  std::shared_ptr<SharedAutomaton> successor_;  // null unless some cursor restores its history on it
  std::uint32_t made_ = 1;                      // automata so far
  std::uint64_t flushes_ = 0;
  AutomatonUse* first_use_ = nullptr;  // of all cursors; a list by AutomatonUse::next_
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_COMPILED_H_
