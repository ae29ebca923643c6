// A shortest text that takes a state to acceptance.
//
// HOW    Every symbol has a shortest text (completion_measure.h), so every item has one of what is left of it, and
//        every continuation the cheapest of its entries. A state's shortest completion is the cheapest over its threads
//        of: the shortest member of a residual, the rest of an item behind it, its continuation. Conditions of greedy
//        terminals are left out: where a grammar has any, the text is an estimate, to be checked by stepping it; where
//        it fails, states are searched breadth first.
// COST   The grammar's size at the first use; then the depth of continuations below the state, and the length of the
//        text.
#ifndef WEIR_SRC_ENGINE_COMPLETION_H_
#define WEIR_SRC_ENGINE_COMPLETION_H_

#include <optional>
#include <string>

#include "base/limit.h"
#include "engine/automaton.h"

namespace weir::engine {

struct Completion {
  std::optional<std::string> text;         ///< None: the way to the end needs a token terminal, or `limit` says why.
  base::Limit limit = base::Limit::kNone;  ///< Without it, and with a text, the text is a shortest one.
};

/// The shortest text for `state` but for conditions.
Completion estimate_completion(Automaton& automaton, StateId state);

/// The shortest text for `state`, by stepping: exponential in its length at worst, hence Limits::lookahead_threads.
Completion search_completion(Automaton& automaton, StateId state);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COMPLETION_H_
