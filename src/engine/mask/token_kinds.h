// TokenKinds: for each kind of characters the tokens that contain it.
//
// WHY    A pattern such as [a-z0-9_-]* takes a token if and only if it takes each of the token's characters. A walk of the
//        trie along such a pattern visits some twelve thousand nodes of o200k_base, or forty thousand if blanks are
//        among its characters. Here the sets of tokens with a character that the pattern rejects are joined, which is some
//        hundred passes over a bitmask at most.
// COST   A bitmask for each kind of which there are tokens and for each number of characters up to kMaxRuleCharacters
//        (o200k_base: 2.8 MB), and one pass over the bytes of all tokens.
// THREADS Immutable once built.
#ifndef WEIR_SRC_ENGINE_MASK_TOKEN_KINDS_H_
#define WEIR_SRC_ENGINE_MASK_TOKEN_KINDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/mask/mask.h"
#include "engine/search_bounds.h"
#include "vocab/character_set.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

/// What a language does with characters, wherever in a text they come: if a text consists of `taken` characters, at most
/// `most` of them, it is a viable prefix. A text with more of them is not, nor is one with a `rejected` character. Nothing
/// is said of texts with characters that are neither.
struct CharacterRule {
  static constexpr unsigned kAnyNumber = UINT32_MAX;
  vocab::CharacterSet taken, rejected;
  unsigned most = kAnyNumber;
};

class TokenKinds {
 public:
  /// For the tokens of `vocabulary` inside a text.
  explicit TokenKinds(const vocab::Vocabulary& vocabulary);

  struct Found {
    TokenBits ready;                  ///< Consist of taken characters, at most as many as may be taken.
    std::vector<std::uint32_t> left;  ///< Not covered by the rule; without those that contain `apart`. Ascending.
    bool is_worth_it = false;         ///< False if so many are left that a walk of the trie is less work.
  };
  /// Tells which tokens the rule takes, and of which it says nothing. Tokens with the kind `apart` are in neither list if
  /// the rule says nothing of that kind. Precondition: rule.most is kAnyNumber or at most kMaxRuleCharacters.
  [[nodiscard]] Found find(const CharacterRule& rule, vocab::CharacterKind apart) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  TokenBits all_;
  TokenBits odd_;  // tokens that are not valid UTF-8, or contain characters without a kind of their own
  std::array<TokenBits, vocab::kCharacterKinds> with_;           // by kind; empty if there are none
  std::array<TokenBits, kMaxRuleCharacters + 1> longer_than_{};  // by number of characters
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_TOKEN_KINDS_H_
