// SentencePiece's normalizer: a table of replacements compiled into the model's file, and rules about white space.
//
// WHAT   CharsMap is the table: for a place in the text, the longest key that begins there and what replaces it (NFKC,
//        usually, with case folding in some models). SentencePieceNormalizer applies it and the rules: a space put in
//        front, runs of spaces made one, spaces written "▁".
// HOW    The table is a double array (Aoe, 1989; the layout is that of Darts-clone) beside a blob of strings that end
//        in zero bytes. It is used as it lies in the file: every step and every string is checked against its bounds,
//        since the file may be damaged.
// COST   One array access a byte of key; the normalizer is linear in the text.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_SENTENCEPIECE_NORMALIZER_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_SENTENCEPIECE_NORMALIZER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/normalizers/normalizer.h"
#include "vocab/segmenters/prefix_trie.h"
#include "weir/error.h"

namespace weir::vocab {

/// How SentencePiece writes a space: U+2581.
inline constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";

/// A compiled table of replacements.
class CharsMap {
 public:
  /// Replaces nothing.
  CharsMap() = default;
  /// From `precompiled_charsmap`: u32 size of the double array in bytes, the double array, the replacements.
  /// Errors: kInvalidArgument, with the offset in `blob`. An empty blob is a table that replaces nothing.
  static Result<CharsMap> from_blob(std::string_view blob);

  struct Match {
    std::size_t length = 0;  ///< Bytes replaced; 0: no key begins here.
    std::string_view replacement = {};
  };
  /// The longest key at `pos`. The replacement lives as long as this object.
  [[nodiscard]] Match longest_match(std::string_view text, std::size_t pos) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return units_.empty(); }

 private:
  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

/// The table alone, as a normalizing step (tokenizer.json's "Precompiled").
/// Errors: those of CharsMap::from_blob.
Result<NormalizerPtr> make_charsmap_normalizer(std::string_view blob);

struct SentencePieceRules {
  bool add_dummy_prefix = true;             ///< A space is put in front (behind, with whitespace_as_suffix).
  bool remove_extra_whitespaces = true;     ///< Runs of spaces become one, and none at the ends.
  bool escape_whitespaces = true;           ///< Spaces are written "▁".
  bool treat_whitespace_as_suffix = false;  ///< The dummy space goes to the end.
};

class SentencePieceNormalizer {
 public:
  /// `protected_texts` are taken as they stand, before the table sees them (user-defined pieces).
  SentencePieceNormalizer(CharsMap charsmap, const SentencePieceRules& rules, PrefixTrie protected_texts = {})
      : charsmap_(std::move(charsmap)), rules_(rules), protected_texts_(std::move(protected_texts)) {}

  /// The normalized text. `origins`, if given, receives for each byte of the result the offset in `text` that it comes
  /// from, and one more for the end. Bytes that are not valid UTF-8 are passed through.
  [[nodiscard]] std::string normalize(std::string_view text, std::vector<std::size_t>* origins = nullptr) const;

  /// The same as steps, but for the protected texts.
  [[nodiscard]] std::vector<NormalizerRecipe> recipe() const;

 private:
  /// What the text at one place becomes.
  struct Step {
    std::size_t length = 0;  ///< Bytes of the text.
    std::string_view replacement = {};
  };
  [[nodiscard]] Step step_at(std::string_view text, std::size_t pos) const;

  CharsMap charsmap_;
  SentencePieceRules rules_;
  PrefixTrie protected_texts_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_SENTENCEPIECE_NORMALIZER_H_
