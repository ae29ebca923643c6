// Unigram: tokenizes text into the pieces with the highest sum of scores.
//
// WHAT   Of all sequences of pieces that spell the text, the result is the one with the highest sum of scores, which
//        are logarithms of probabilities. A character that no piece covers may be a symbol of its own, at a penalty.
// HOW    Viterbi's algorithm from left to right over character boundaries; a PrefixTrie finds the pieces that begin at
//        a boundary.
// COST   O(n * longest piece) for n bytes; 16 bytes of work space for each byte.
// WHY    Sums are rounded as in the original implementations, because rounding decides between sequences whose exact
//        sums are almost equal: SentencePiece adds in float, Hugging Face in double.
// REFERENCES Kudo, "Subword regularization: improving neural network translation models with multiple subword
//        candidates" (ACL 2018).
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_UNIGRAM_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_UNIGRAM_H_

#include <memory>
#include <optional>

#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/scored_pieces.h"

namespace weir::vocab {

struct UnigramSpec {
  enum class Sums : std::uint8_t {
    kFloat,   ///< SentencePiece.
    kDouble,  ///< Hugging Face tokenizers.
  };
  ScoredPieces pieces = {};
  Sums sums = Sums::kFloat;
  /// The score of a character without a piece. Default: 10 less than the lowest score of a kNormal piece.
  std::optional<double> unknown_score = std::nullopt;
};

/// Makes the model. Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_unigram(const UnigramSpec& spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_UNIGRAM_H_
