// StateId: names a state of an Automaton, or says why there is none.
#ifndef WEIR_SRC_ENGINE_EXPLORE_STATE_ID_H_
#define WEIR_SRC_ENGINE_EXPLORE_STATE_ID_H_

#include <cstdint>

#include "base/limit.h"

namespace weir::engine {

/// The ids below base::kLimitCount are no configurations: kDead, and for each limit the state of having met it, so that
/// a step's result says which limit it was without a second channel.
enum class StateId : std::uint32_t {
  kDead = 0,  ///< No string of the language begins so.
};

constexpr std::uint32_t raw(StateId state) { return static_cast<std::uint32_t>(state); }

constexpr StateId limit_state(base::Limit limit) { return StateId{static_cast<std::uint32_t>(limit)}; }

/// The limit whose state this is; kNone for kDead and for configurations.
constexpr base::Limit limit_of(StateId state) {
  return raw(state) < base::kLimitCount ? static_cast<base::Limit>(raw(state)) : base::Limit::kNone;
}

constexpr bool is_limit(StateId state) { return raw(state) - 1 < base::kLimitCount - 1; }

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_STATE_ID_H_
