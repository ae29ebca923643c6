// A shortest way that takes a state to acceptance: texts, and tokens that token terminals take as a whole.
//
// HOW    Every symbol has a shortest way (completion_measure.h), so every item has one of what is left of it, and
//        every continuation the cheapest of its entries. A state's shortest completion is the cheapest over its threads
//        of: the shortest member of a residual, or a token; the rest of an item behind it, its continuation. Conditions
//        of greedy terminals, and bounds on tokens, are left out: where a grammar has any, the way is an estimate, to
//        be checked by stepping it; where it fails, states are searched, first those that the grammar alone makes near
//        to the end.
// COST   The grammar's size at the first use; then the depth of continuations below the state, and the length of the
//        way.
#ifndef WEIR_SRC_ENGINE_MATCHER_COMPLETION_H_
#define WEIR_SRC_ENGINE_MATCHER_COMPLETION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limit.h"
#include "engine/explore/automaton.h"

namespace weir::engine {

struct Completion {
  std::optional<std::vector<CompletionPart>> parts;  ///< None: `limit` says why.
  base::Limit limit = base::Limit::kNone;            ///< Without it the way, where there is one, is a shortest one.
};

/// A walk along a completion.
class CompletionWalk {
 public:
  CompletionWalk(Automaton& automaton, StateId from, TokenPosition position)
      : automaton_(automaton), state_(from), position_(position) {}
  /// Moves on; the state is then behind `part`, kDead, or the limit's that is returned.
  base::Limit step(const CompletionPart& part);
  [[nodiscard]] StateId state() const { return state_; }

 private:
  void step_token(std::uint32_t token);

  Automaton& automaton_;
  StateId state_;
  TokenPosition position_;
};

/// The shortest way for `state` but for conditions.
Completion estimate_completion(Automaton& automaton, StateId state);

/// A way for `state` with the fewest steps, where a byte is a step and so is a token. Ways that seem short by the
/// grammar alone come first; where conditions turn many of those away, it takes a time that is exponential in their
/// number at worst, hence Limits::lookahead_threads.
Completion search_completion(Automaton& automaton, StateId state, TokenPosition position);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_COMPLETION_H_
