// AddedTokens: finds in a text the tokens that stand outside the model.
//
// HOW    Leftmost, then longest: at each place the longest added token that begins there; behind it the search goes on.
// COST   A table look-up a byte where nothing begins.
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
  /// Tokens without text are ignored; of tokens with equal text the first counts.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  [[nodiscard]] bool empty() const noexcept { return trie_.empty(); }
  [[nodiscard]] const std::vector<AddedToken>& tokens() const noexcept { return tokens_; }

  /// A part of a text: an added token, or what lies between.
  struct Section {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<std::uint32_t> id = std::nullopt;
  };
  /// Sections in order; none is empty. They cover the text.
  [[nodiscard]] std::vector<Section> cut(std::string_view text) const;

  /// How many bytes of `text` are before every added token, whatever follows them. Precondition: valid UTF-8.
  [[nodiscard]] std::size_t settled(std::string_view text) const;

 private:
  std::vector<AddedToken> tokens_;
  PrefixTrie trie_;
  std::array<bool, 256> first_bytes_{};
  bool any_strips_left_ = false;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_ADDED_TOKENS_H_
