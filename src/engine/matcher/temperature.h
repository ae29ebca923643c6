// The temperature that a grammar asks for in a state (grammar::Rule::temperature).
#ifndef WEIR_SRC_ENGINE_MATCHER_TEMPERATURE_H_
#define WEIR_SRC_ENGINE_MATCHER_TEMPERATURE_H_

#include <optional>

#include "engine/automaton/shared_automaton.h"
#include "engine/sets/state_id.h"

namespace weir::engine {

/// Returns the highest temperature of the terminals and token sets that are in progress or may come next, or nullopt if
/// none of them has one.
/// Cost     Linear in the terminals in progress.
std::optional<float> temperature_at(SharedAutomaton& automaton, StateId state);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_TEMPERATURE_H_
