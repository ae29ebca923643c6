// From SentencePiece's pieces, whatever file they came in, to a VocabularySource.
//
// WHAT   SentencePiece .model files and GGUF files of the models "llama" and "t5" say the same in two spellings; this
//        is what they have in common: the bytes and kinds of tokens, and the segmenter.
// WHY    Kinds: normal and user-defined pieces are text, byte pieces are one byte. The unknown piece and control pieces
//        are special. Unused pieces are kUnused: no text is ever tokenized into them.
//        What the vocabulary cannot write becomes the unknown token, as in the original, though decoding does not give
//        it back; without an unknown piece it is an error of tokenize().
#ifndef WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_SOURCE_H_
#define WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_SOURCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/normalizers/sentencepiece_normalizer.h"
#include "vocab/segmenters/scored_pieces.h"
#include "vocab/segmenters/unigram.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::vocab {

enum class SentencePieceAlgorithm : std::uint8_t { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };

struct SentencePieceTable {
  SentencePieceAlgorithm algorithm = SentencePieceAlgorithm::kUnigram;
  std::vector<std::string> texts = {};
  std::vector<double> scores = {};
  std::vector<PieceType> types = {};
  /// Whether characters without a piece are written in byte pieces.
  enum class ByteFallback : std::uint8_t {
    kNo,
    kYes,         ///< All 256 byte pieces must be there.
    kIfComplete,  ///< Where all 256 are there.
  };
  ByteFallback byte_fallback = ByteFallback::kNo;
  UnigramSpec::Sums unigram_sums = UnigramSpec::Sums::kFloat;
  SentencePieceRules rules = {};
  std::string_view charsmap = {};  ///< See CharsMap::from_blob.
};

/// The bytes that a piece adds to a text: "▁" is a space.
[[nodiscard]] std::string unescape_spaces(std::string_view text);

/// All but the stop tokens.
/// Errors: kInvalidArgument: byte pieces that are none, a damaged charsmap, tables of different lengths.
Result<VocabularySource> make_sentencepiece_source(const SentencePieceTable& table);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_SOURCE_H_
