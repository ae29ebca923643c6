// Completions: a shortest text that leads from a state to acceptance, with tokens where token terminals need them.
//
// HOW    Every symbol has a shortest text (completion_measure.h), so the rest of every item has one, too, and every
//        continuation has a cheapest entry. A state's shortest completion is the cheapest over its threads of: the
//        shortest member of a residual, or a token; then the rest of an item after it; then that item's continuation.
//        This ignores conditions (greedy terminals, look-ahead) and bounds on tokens. If the grammar has any, the
//        result is an estimate and has to be checked by stepping it. If the check fails, states are searched, first
//        those whose end is nearest by the grammar alone.
// COST   The grammar's size at the first use; then the depth of continuations below the state, and the length of the
//        result.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_COMPLETION_H_
#define WEIR_SRC_ENGINE_AUTOMATON_COMPLETION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limit.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/sets/stop_tokens.h"
#include "weir/matcher.h"

namespace weir::engine {

struct Completion {
  std::optional<std::vector<CompletionPart>> parts;  ///< None if there is no completion, or if `limit` was met.
  base::Limit limit = base::Limit::kNone;            ///< If it is kNone, `parts` is a shortest completion.
};

/// Steps an automaton along a completion.
class CompletionWalk {
 public:
  /// All must outlive it.
  CompletionWalk(SharedAutomaton& automaton, StateId from, TokenPosition position, const StopTokens& stops)
      : automaton_(automaton), stops_(&stops), state_(from), position_(position) {}
  /// Steps over one part. The state is then the one after `part`, kDead, or that of the limit that is returned.
  base::Limit step(const CompletionPart& part);
  /// Returns the state after the parts so far.
  [[nodiscard]] StateId state() const { return state_; }
  /// Returns the position of the next token.
  [[nodiscard]] TokenPosition position() const { return position_; }

 private:
  void step_token(std::uint32_t token);

  SharedAutomaton& automaton_;
  const StopTokens* stops_;
  StateId state_;
  TokenPosition position_;
};

/// Returns the shortest completion of `state` if conditions are ignored. Its tokens are none of `stops` if possible.
Completion estimate_completion(SharedAutomaton& automaton, StateId state, const StopTokens& stops);

/// Returns a completion of `state` with the fewest steps, where a byte is a step and so is a token. The search takes
/// texts first that are short by the grammar alone. If conditions refuse many of these, its time may be exponential in
/// their number, so it is limited by Limits::lookahead_threads.
Completion search_completion(SharedAutomaton& automaton, StateId state, TokenPosition position,
                             const StopTokens& stops);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_COMPLETION_H_
