// TokenView: the tokens at one position, in the form in which walks of a vocabulary need them.
#ifndef WEIR_SRC_ENGINE_SETS_TOKEN_VIEW_H_
#define WEIR_SRC_ENGINE_SETS_TOKEN_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "engine/sets/state_id.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

/// The position of a token: the leading-space rule makes the first token of a text different.
enum class TokenPosition : std::uint8_t { kInside = 0, kFirst = 1 };
inline constexpr std::size_t kTokenPositions = 2;

/// A state and the position of the next token.
struct StateAt {
  StateId state{};
  TokenPosition position = TokenPosition::kInside;
  friend bool operator==(const StateAt&, const StateAt&) = default;
  [[nodiscard]] std::uint64_t hash() const { return base::hash_mix(static_cast<std::uint64_t>(position), raw(state)); }
};

/// Returns the position after `token` at `position`. Special and unused tokens are not part of the text, so the token
/// after a first one of these is still the first. Precondition: `token` is not a first token in
/// Vocabulary::first_empty_tokens.
TokenPosition position_after_token(const vocab::Vocabulary& vocabulary, std::uint32_t token, TokenPosition position);
/// Returns the position after a first token that has no bytes there (Vocabulary::first_empty_tokens).
TokenPosition position_after_empty(const vocab::Vocabulary& vocabulary);

/// The tokens at `position`: their trie, the summary of its subtrees, and each token's bytes there.
struct TokenView {
  TokenView(const vocab::Vocabulary& vocabulary, TokenPosition position);
  [[nodiscard]] std::string_view bytes_of(std::uint32_t token) const;

  const vocab::Vocabulary& vocabulary;
  TokenPosition position;
  const vocab::TokenTrie& trie;
  const vocab::TrieSummary& summary;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SETS_TOKEN_VIEW_H_
