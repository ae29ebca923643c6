// Compiled: a program and the automaton explored for it so far; what a CompiledGrammar points at.
//
// WHY    Exploring only ever adds. When an automaton is over Limits::state_memory a new one takes its place and the old
//        one goes with the last cursor that leaves it, as RE2 drops its DFA cache. Nothing is evicted piecemeal: a
//        state is an integer in many places, and finding them all would cost more than exploring what is needed again.
//        So a cursor that is not used keeps the automaton that it was last used on alive, and with it all that was
//        explored there.
// THREADS Safe to use from many threads.
#ifndef WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
#define WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_

#include <memory>
#include <mutex>

#include "engine/explore/automaton.h"
#include "engine/explore/program.h"

namespace weir::engine {

class Compiled {
 public:
  /// Errors: kLimitExceeded when the state before any text is too large; kUnsatisfiable when greedy terminals or
  /// look-aheads leave no text.
  static Result<std::shared_ptr<Compiled>> create(std::shared_ptr<const Program> program);

  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] std::shared_ptr<Automaton> automaton() const;

  struct Replacement {
    std::shared_ptr<Automaton> automaton;
    bool is_new = false;  ///< Made now, not by another cursor before.
  };
  /// The automaton that takes the place of `old`.
  Replacement replace(const std::shared_ptr<Automaton>& old);

  [[nodiscard]] EngineStats stats() const;
  /// Bytes held by what is explored now. Cheap.
  [[nodiscard]] std::size_t memory_bytes() const { return automaton()->memory_bytes(); }

 private:
  explicit Compiled(std::shared_ptr<const Program> program);

  std::shared_ptr<const Program> program_;
  mutable std::mutex mutex_;
  std::shared_ptr<Automaton> automaton_;
  std::uint64_t flushes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_COMPILED_H_
