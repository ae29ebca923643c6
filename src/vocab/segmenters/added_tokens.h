// AddedTokens: finds the added tokens in a text, which are not part of the model.
//
// HOW    Leftmost, then longest: of the added tokens that begin at the leftmost possible byte the longest one is taken,
//        and the search continues after it.
// COST   One table lookup for each byte at which no added token can begin.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_ADDED_TOKENS_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_ADDED_TOKENS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/prefix_trie.h"

namespace weir::vocab {

class AddedTokens {
 public:
  /// Tokens with an empty text are ignored; of tokens with equal texts the first is used.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  [[nodiscard]] bool empty() const noexcept { return trie_.empty(); }
  [[nodiscard]] const std::vector<AddedToken>& tokens() const noexcept { return tokens_; }

  /// A part of a text: an added token, or the text between two of them.
  struct Section {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<std::uint32_t> id = std::nullopt;
  };
  /// Returns the sections of `text` in order. None is empty, and together they are the whole text.
  [[nodiscard]] std::vector<Section> cut(std::string_view text) const;

  /// Returns the length of the longest prefix of `text` that no added token can touch, for any continuation of `text`.
  /// Precondition: `text` is valid UTF-8.
  [[nodiscard]] std::size_t settled(std::string_view text) const;

 private:
  std::vector<AddedToken> tokens_;
  PrefixTrie trie_;
  std::array<bool, 256> first_bytes_{};
  bool any_strips_left_ = false;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_ADDED_TOKENS_H_
