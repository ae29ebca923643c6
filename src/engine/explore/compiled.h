// Compiled: a program, and the automaton that has been explored for it so far. A CompiledGrammar points to one.
//
// WHY    Exploring only adds. When an automaton takes more than Limits::state_memory, a new one replaces it, as RE2 drops
//        its DFA cache. Single states are not evicted: a state is an integer that is stored in many places, and finding
//        these would cost more than exploring again what is needed.
// HOW    replace() takes the old automaton from all cursors that wait (AutomatonUse), so it is destroyed when the last
//        call that is running on it ends. A cursor whose automaton was taken restores its history on the current one at
//        its next call.
// COST   Besides the current automaton, at most one for each thread that is in a call is alive, and one for each mask
//        that is made in the background. replace() visits every cursor.
// THREADS Safe to use from many threads.
#ifndef WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
#define WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_

#include <memory>

#include "base/threads.h"
#include "engine/explore/automaton.h"
#include "engine/explore/program.h"

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
  [[nodiscard]] std::shared_ptr<Automaton> automaton() const;

  struct Replacement {
    std::shared_ptr<Automaton> automaton;
    bool is_new = false;  ///< True if this call made it, false if another cursor's call did.
  };
  /// Returns the automaton that replaces `old`; makes one if `old` is the current one. No cursor that waits has `old`
  /// afterwards.
  Replacement replace(const std::shared_ptr<Automaton>& old);

  [[nodiscard]] EngineStats stats() const;
  /// Returns the bytes in use by the current automaton. Cheap.
  [[nodiscard]] std::size_t memory_bytes() const { return automaton()->memory_bytes(); }

 private:
  friend class AutomatonUse;

  explicit Compiled(std::shared_ptr<const Program> program);
  // These require the mutex.
  void add(AutomatonUse& use);
  void remove(AutomatonUse& use);

  std::shared_ptr<const Program> program_;
  mutable Mutex mutex_;
  std::shared_ptr<Automaton> automaton_;
  std::uint64_t flushes_ = 0;
  AutomatonUse* first_use_ = nullptr;  // of all cursors; a list by AutomatonUse::next_
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
