// SentencePiece's BPE: merges by score, not by a list.
//
// WHAT   A piece of text starts as its characters, user-defined pieces taken whole; again and again the adjacent pair
//        whose concatenation is the piece with the highest score is merged, the leftmost among equals. What then is no
//        piece is written in bytes. Llama 1 and 2, Phi-3, Mistral v1 to v3, Gemma 1 to 3.
// HOW    Symbols are ranges of the text in a linked list, candidate pairs in a heap, pieces in a hash table by text.
// COST   O(n log n) for n bytes of text.
// INVARIANTS A symbol is never split again, save one case of the original: a symbol whose piece is kUnused is undone
//        into the two that it was merged from, and so on.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_

#include <memory>

#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/scored_pieces.h"

namespace weir::vocab {

/// Errors: kInvalidArgument as check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_spm_bpe(const ScoredPieces& pieces);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_
