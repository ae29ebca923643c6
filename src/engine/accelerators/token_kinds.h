// TokenKinds: for each kind of characters the tokens that contain it.
//
// WHY    A pattern such as [a-z0-9_-]* takes a token if and only if it takes each of the token's characters. A walk of the
//        trie along such a pattern visits some twelve thousand nodes of o200k_base, or forty thousand if blanks are
//        among its characters. Here the sets of tokens with other characters are joined, some twenty passes over a
//        bitmask, since eight kinds next to each other are also joined in advance.
// COST   A bitmask for each kind of which there are tokens, for eight kinds each, and for each number of characters up to
//        kMaxRuleCharacters (o200k_base: 3.9 MB); one pass over the bytes of all tokens.
// THREADS Immutable once built.
#ifndef WEIR_SRC_ENGINE_ACCELERATORS_TOKEN_KINDS_H_
#define WEIR_SRC_ENGINE_ACCELERATORS_TOKEN_KINDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/accelerators/character_rule.h"
#include "engine/search_bounds.h"
#include "engine/sets/mask.h"
#include "vocab/character_set.h"
#include "vocab/token_trie.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

class TokenKinds {
 public:
  /// For the tokens of `vocabulary` inside a text.
  explicit TokenKinds(const vocab::Vocabulary& vocabulary);

  /// One of three groups: tokens with a control character, or that begin or end within a character; tokens with a
  /// backslash; tokens with a quote. Rules about JSON strings say nothing of them, so each group has a trie of its own. A
  /// token is in the first group that fits.
  struct Apart {
    vocab::CharacterSet kinds;  ///< A rule that decides about all of these decides about each token of the group.
    TokenBits tokens;
    vocab::TokenTrie trie;
    /// Returns true if the rule says nothing of some token of the group.
    [[nodiscard]] bool is_open(const CharacterRule& rule) const {
      vocab::CharacterSet known = rule.taken;
      known |= rule.rejected;
      return !known.contains_all(kinds);
    }
  };
  [[nodiscard]] const std::array<Apart, 3>& apart() const { return apart_; }

  /// Returns the tokens that are viable prefixes by the rule, without the groups that are open. Precondition: rule.most
  /// and rule.known are kAnyNumber or at most kMaxRuleCharacters; rule.known may also be kLongRuleCharacters.
  [[nodiscard]] TokenBits ready(const CharacterRule& rule) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  TokenBits all_;
  std::array<Apart, 3> apart_;
  static constexpr std::size_t kGroup = 8;
  std::array<TokenBits, vocab::kCharacterKinds> with_;                 // by kind; empty if there are none
  std::array<TokenBits, vocab::kCharacterKinds / kGroup> with_group_;  // joined for kGroup kinds
  std::array<TokenBits, kMaxRuleCharacters + 1> longer_than_{};        // by number of characters
  TokenBits long_;                                                     // more than kLongRuleCharacters
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_ACCELERATORS_TOKEN_KINDS_H_
