// Unigram: the segmentation with the highest sum of scores.
//
// WHAT   Of all ways to write a piece of text as a sequence of vocabulary entries the one whose scores (logarithms of
//        probabilities) add up to the most. A character that no entry covers may be taken alone, at a penalty.
// HOW    Viterbi from left to right over character boundaries; a PrefixTrie gives the entries that begin at one.
// COST   O(n * longest entry) for n bytes; 16 bytes of work space a byte.
// WHY    Sums are rounded as the original rounds them, because on sums that differ only by rounding its choice shows:
//        SentencePiece adds in float, Hugging Face in double.
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
  /// What a character without a piece costs. Default: 10 less than the lowest score of a kNormal piece.
  std::optional<double> unknown_score = std::nullopt;
};

/// Errors: kInvalidArgument as check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_unigram(const UnigramSpec& spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_UNIGRAM_H_
