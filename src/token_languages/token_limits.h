// The errors that building automata over tokens has in common.
#ifndef WEIR_SRC_TOKEN_LANGUAGES_TOKEN_LIMITS_H_
#define WEIR_SRC_TOKEN_LANGUAGES_TOKEN_LIMITS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/limit_error.h"
#include "token_languages/search_bounds.h"
#include "vocab/token_trie.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::token_languages {

/// `what` has too many states: "an automaton over tokens".
inline tl::unexpected<Error> states_error(std::string_view what) {
  return tl::unexpected(base::limit_error(what, "token_dfa_states"));
}
/// `what` has too many transitions.
inline tl::unexpected<Error> transitions_error(std::string_view what) {
  return tl::unexpected(base::limit_error(what, "token_dfa_transitions"));
}

/// Returns how many steps building an index, or an automaton over bytes, may take.
inline std::uint64_t index_work(const Limits& limits) {
  return limits.call_work > UINT64_MAX / kIndexFactor ? UINT64_MAX : limits.call_work * kIndexFactor;
}
/// `what` takes more of them.
inline tl::unexpected<Error> work_error(std::string_view what) {
  return tl::unexpected(base::limit_error(what, "call_work"));
}

inline tl::unexpected<Error> invalid_argument(std::string message) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message)});
}

/// Tables by token id are as long as the greatest id, so ids are bounded as those of a vocabulary are.
inline bool is_token_id(std::uint32_t id) { return id < vocab::kMaxTokens; }
inline tl::unexpected<Error> token_id_error(std::uint32_t id) {
  return invalid_argument("token " + std::to_string(id) + " is above the greatest id, " +
                          std::to_string(vocab::kMaxTokens - 1));
}

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_TOKEN_LIMITS_H_
