// The SentencePiece tokenizer as a whole: its normalizer, then its model over the whole text.
//
// WHY    Not make_pipeline: SentencePiece does not cut text before the model sees it, user-defined pieces reach into
//        normalizer and model alike, and an error in normalized text can be traced to the place in the caller's.
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

std::shared_ptr<const Segmenter> make_sentencepiece_segmenter(SentencePieceNormalizer normalizer,
                                                              std::shared_ptr<const PieceModel> model);

/// SentencePiece's model type `char`: every character, and every user-defined piece, is a token.
/// Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_character_model(const ScoredPieces& pieces);

/// SentencePiece's model type `word`: text is cut before every "▁", and what lies between two cuts is one token.
/// Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_word_model(const ScoredPieces& pieces);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SENTENCEPIECE_SEGMENTER_H_
