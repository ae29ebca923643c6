// Makes a VocabularySource from SentencePiece's pieces.
//
// WHAT   SentencePiece .model files and GGUF files of the models "llama" and "t5" hold the same data in two formats.
//        Their readers fill a SentencePieceTable; make_sentencepiece_source derives the bytes and kinds of the tokens
//        and the segmenter.
// HOW    Normal and user-defined pieces are text, byte pieces are one byte. The unknown piece and control pieces are
//        special. Unused pieces are kUnused: no text is ever tokenized into them.
//        As in the original, characters that the vocabulary cannot write become the unknown token, although decoding
//        cannot restore them; without an unknown piece they are an error of tokenize().
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
    kYes,         ///< Yes; it is an error if one of the 256 byte pieces is missing.
    kIfComplete,  ///< Only if there are all 256 byte pieces.
  };
  ByteFallback byte_fallback = ByteFallback::kNo;
  UnigramSpec::Sums unigram_sums = UnigramSpec::Sums::kFloat;
  SentencePieceRules rules = {};
  std::string_view charsmap = {};  ///< See CharsMap::from_blob.
};

/// Returns `text` with each "▁" replaced by a space: the bytes that a piece decodes to.
[[nodiscard]] std::string unescape_spaces(std::string_view text);

/// Makes a source without stop tokens.
/// Errors: kInvalidArgument: invalid or missing byte pieces, a damaged charsmap, tables of different lengths.
Result<VocabularySource> make_sentencepiece_source(const SentencePieceTable& table);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_SOURCE_H_
