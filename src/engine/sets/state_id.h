// StateId: the number of a state of a LazyAutomaton, or the reason why there is none.
#ifndef WEIR_SRC_ENGINE_SETS_STATE_ID_H_
#define WEIR_SRC_ENGINE_SETS_STATE_ID_H_

#include <cstdint>

#include "base/limit.h"

namespace weir::engine {

/// Ids below base::kLimitCount are not configurations: 0 is kDead, and each limit has a state that means that the limit
/// was met. So the result of a step names the limit without a second channel.
enum class StateId : std::uint32_t {
  kDead = 0,  ///< No string of the language has this prefix.
};

/// Returns the id as a number.
constexpr std::uint32_t raw(StateId state) { return static_cast<std::uint32_t>(state); }

/// Returns the state that means that `limit` was met.
constexpr StateId limit_state(base::Limit limit) { return StateId{static_cast<std::uint32_t>(limit)}; }

/// Returns the limit whose state this is; kNone for kDead and for configurations.
constexpr base::Limit limit_of(StateId state) {
  return raw(state) < base::kLimitCount ? static_cast<base::Limit>(raw(state)) : base::Limit::kNone;
}

/// Returns true if the state means that a limit was met.
constexpr bool is_limit(StateId state) { return raw(state) - 1 < base::kLimitCount - 1; }

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SETS_STATE_ID_H_
