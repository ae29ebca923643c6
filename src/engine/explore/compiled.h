// Compiled: a program, and the automaton that has been explored for it so far. A CompiledGrammar points to one.
//
// WHY    Exploring only adds. When an automaton exceeds Limits::state_memory, a new one replaces it, and the old one is
//        destroyed with the last cursor that leaves it, as RE2 drops its DFA cache. Single states are not evicted: a
//        state is an integer that is stored in many places, and finding these would cost more than exploring again what
//        is needed. So a cursor that is not used keeps alive the automaton that it last used, with everything explored
//        there.
// THREADS Safe to use from many threads.
#ifndef WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
#define WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_

#include <memory>

#include "base/threads.h"
#include "engine/explore/automaton.h"
#include "engine/explore/program.h"

namespace weir::engine {

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
  /// Returns the automaton that replaces `old`; makes one if `old` is the current one.
  Replacement replace(const std::shared_ptr<Automaton>& old);

  [[nodiscard]] EngineStats stats() const;
  /// Returns the bytes in use by the current automaton. Cheap.
  [[nodiscard]] std::size_t memory_bytes() const { return automaton()->memory_bytes(); }

 private:
  explicit Compiled(std::shared_ptr<const Program> program);

  std::shared_ptr<const Program> program_;
  mutable Mutex mutex_;
  std::shared_ptr<Automaton> automaton_;
  std::uint64_t flushes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
