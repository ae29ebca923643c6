// The complete SentencePiece tokenizer: its normalizer, then its model on the whole text.
//
// WHY    It does not use make_pipeline for three reasons: SentencePiece does not cut text before the model sees it;
//        both normalizer and model handle user-defined pieces; and the offset of an error in the normalized text can be
//        mapped to the caller's text.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_SENTENCEPIECE_SEGMENTER_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_SENTENCEPIECE_SEGMENTER_H_

#include <memory>
#include <span>
#include <string>

#include "vocab/normalizers/sentencepiece_normalizer.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/scored_pieces.h"
#include "vocab/vocabulary.h"

namespace weir::vocab {

/// Makes the tokenizer. Precondition: `model` is not null.
std::shared_ptr<const Segmenter> make_sentencepiece_segmenter(SentencePieceNormalizer normalizer,
                                                              std::shared_ptr<const PieceModel> model);

/// Makes SentencePiece's model type `char`: every character and every user-defined piece is a token.
/// Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_character_model(const ScoredPieces& pieces);

/// Makes SentencePiece's model type `word`: text is cut before every "▁", and each part is one token.
/// Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_word_model(const ScoredPieces& pieces);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SENTENCEPIECE_SEGMENTER_H_
