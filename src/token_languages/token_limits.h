// The errors that building automata over tokens has in common.
#ifndef WEIR_SRC_TOKEN_LANGUAGES_TOKEN_LIMITS_H_
#define WEIR_SRC_TOKEN_LANGUAGES_TOKEN_LIMITS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "vocab/token_trie.h"
#include "weir/error.h"

namespace weir::token_languages {

/// `what` exceeds the field `limit` of Limits: "an automaton over tokens".
inline tl::unexpected<Error> limit_error(const std::string& what, const std::string& limit) {
  return tl::unexpected(Error{
      ErrorCode::kLimitExceeded, what + " exceeds the limit `" + limit + "`", {}, "raise Limits::" + limit, limit});
}
inline tl::unexpected<Error> states_error(const std::string& what) { return limit_error(what, "token_dfa_states"); }
inline tl::unexpected<Error> transitions_error(const std::string& what) {
  return limit_error(what, "token_dfa_transitions");
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
