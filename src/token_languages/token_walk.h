// for_each_token(): the tokens that a language of bytes allows in a state, with the states after them.
//
// HOW    One scan of the tokens' trie with a stack of states. A subtree is skipped at the first byte that cannot come.
#ifndef WEIR_SRC_TOKEN_LANGUAGES_TOKEN_WALK_H_
#define WEIR_SRC_TOKEN_LANGUAGES_TOKEN_WALK_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vocab/token_trie.h"
#include "weir/error.h"
#include "weir/token_dfa.h"

namespace weir::token_languages {

/// The trie of tokens given by their bytes; an empty one is left out.
/// Errors: kInvalidArgument if there are more tokens, or longer ones, than a trie holds.
Result<vocab::TokenTrie> trie_of(std::span<const std::string_view> tokens);

/// Errors: kInvalidArgument: no state, tables of the wrong size, a class or a target out of range.
Result<void> check(const ByteDfa& dfa);

/// Calls `use(token, state)` for each token that may come in `from`, in the order of the trie.
template <typename Use>
void for_each_token(const ByteDfa& language, const vocab::TokenTrie& trie, DfaState from, Use use) {
  const auto step = [&](DfaState& state, std::uint8_t byte) {
    state = language.step(state, byte);
    return state != DfaState::kNone;
  };
  trie.for_each_read(from, step, use);
}

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_TOKEN_WALK_H_
