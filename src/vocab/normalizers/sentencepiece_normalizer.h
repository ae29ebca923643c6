// SentencePiece's normalizer: a table of replacements from the model's file, and rules for white space.
//
// WHAT   CharsMap is the table. For an offset of the text it finds the longest key that begins there and its
//        replacement. Usually it is NFKC, in some models with case folding. SentencePieceNormalizer applies the table
//        and the rules: insert a space at the start, collapse runs of spaces, write spaces as "▁".
// HOW    The table is a double array (Aoe, 1989; in the layout of Darts-clone) and a blob of zero-terminated strings.
//        It is used in the form in which the file has it. Since the file may be damaged, every step and every string is
//        checked against the table's bounds.
// COST   One array access for each byte of a key; the normalizer is linear in the text.
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

/// SentencePiece's representation of a space: U+2581.
inline constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";

/// A compiled table of replacements.
class CharsMap {
 public:
  /// Makes a table that replaces nothing.
  CharsMap() = default;
  /// Reads a model's `precompiled_charsmap`: the size of the double array in bytes (u32), the double array, the
  /// replacements. An empty blob gives a table that replaces nothing.
  /// Errors: kInvalidArgument, with the offset in `blob`.
  static Result<CharsMap> from_blob(std::string_view blob);

  struct Match {
    std::size_t length = 0;  ///< Number of bytes to replace; 0: no key begins at this offset.
    std::string_view replacement = {};
  };
  /// Returns the longest key at `pos`. The replacement is valid as long as this object.
  [[nodiscard]] Match longest_match(std::string_view text, std::size_t pos) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return units_.empty(); }

 private:
  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

/// Makes a normalizer that applies only the table (tokenizer.json's "Precompiled").
/// Errors: those of CharsMap::from_blob.
Result<NormalizerPtr> make_charsmap_normalizer(std::string_view blob);

struct SentencePieceRules {
  bool add_dummy_prefix = true;             ///< Insert a space at the start of the text.
  bool remove_extra_whitespaces = true;     ///< Collapse runs of spaces into one, and remove them at the ends.
  bool escape_whitespaces = true;           ///< Write spaces as "▁".
  bool treat_whitespace_as_suffix = false;  ///< add_dummy_prefix appends the space at the end instead.
};

class SentencePieceNormalizer {
 public:
  /// `protected_texts` (the user-defined pieces) are not changed where they occur in the text.
  SentencePieceNormalizer(CharsMap charsmap, const SentencePieceRules& rules, PrefixTrie protected_texts = {})
      : charsmap_(std::move(charsmap)), rules_(rules), protected_texts_(std::move(protected_texts)) {}

  /// Returns the normalized text. If `origins` is not null, it receives for each byte of the result the offset in
  /// `text` from which the byte comes, and one more for the end. Bytes that are not valid UTF-8 are copied unchanged.
  [[nodiscard]] std::string normalize(std::string_view text, std::vector<std::size_t>* origins = nullptr) const;

  /// Returns what normalize() does as a list of steps. The protected texts are not in it.
  [[nodiscard]] std::vector<NormalizerRecipe> recipe() const;

 private:
  /// The replacement of the text at one offset.
  struct Step {
    std::size_t length = 0;  ///< Number of bytes to replace.
    std::string_view replacement = {};
  };
  [[nodiscard]] Step step_at(std::string_view text, std::size_t pos) const;

  CharsMap charsmap_;
  SentencePieceRules rules_;
  PrefixTrie protected_texts_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_SENTENCEPIECE_NORMALIZER_H_
