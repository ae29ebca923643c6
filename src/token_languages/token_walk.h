// TokenWalk: the tokens that a language of bytes allows in a state, with the states after them.
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
/// Errors: kInvalidArgument where they are more, or longer, than a trie holds.
Result<vocab::TokenTrie> trie_of(std::span<const std::string_view> tokens);

/// Errors: kInvalidArgument: no state, tables of the wrong size, a class or a target out of range.
Result<void> check(const ByteDfa& dfa);

/// Calls `use(token, state)` for each token that may come in `from`, in the order of the trie.
template <typename Use>
void for_each_token(const ByteDfa& language, const vocab::TokenTrie& trie, DfaState from, std::vector<DfaState>& stack,
                    Use use) {
  stack.assign(trie.max_depth() + std::size_t{1}, DfaState::kNone);
  stack[0] = from;
  const auto nodes = trie.nodes();
  for (std::size_t i = 0; i < nodes.size();) {
    const vocab::TrieNode& node = nodes[i];
    const DfaState to = language.step(stack[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (to == DfaState::kNone) {
      i += node.subtree_size;
      continue;
    }
    stack[node.depth] = to;
    for (const std::uint32_t token : trie.tokens_at(node)) use(token, to);
    ++i;
  }
}

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_TOKEN_WALK_H_
