// A shortest text that takes a state to acceptance.
//
// HOW    Every terminal has a shortest member, so every rule has a shortest text (found by rounds, as in Bellman-Ford), every
//        item what is left of it, every continuation the cheapest of its entries. A state's shortest completion is
//        the cheapest over its threads of: the shortest member of a residual, the rest of an item behind it, its
//        continuation. Conditions of greedy terminals are left out of the estimate; the text is then checked by stepping it, and
//        where it fails, states are searched breadth first.
// COST   Grammar size once, the depth of continuations below the state, and the length of the text.
#ifndef WEIR_SRC_ENGINE_COMPLETION_H_
#define WEIR_SRC_ENGINE_COMPLETION_H_

#include <optional>
#include <string>

#include "engine/automaton.h"

namespace weir::engine {

/// None when the way to the end needs a token terminal, or none was found within Limits.
std::optional<std::string> shortest_completion(Automaton& automaton, StateId state);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COMPLETION_H_
