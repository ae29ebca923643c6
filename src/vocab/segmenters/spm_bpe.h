// SentencePiece's BPE, which merges by score instead of by a list of merges.
//
// WHAT   A text starts as the sequence of its characters and user-defined pieces. The adjacent pair whose concatenation
//        is the piece with the highest score is merged, the leftmost one among equals, until no pair can be merged. A
//        remaining symbol that is not a piece is written in byte tokens. Llama 1 and 2, Phi-3, Mistral v1 to v3 and
//        Gemma 1 to 3 use it.
// HOW    Symbols are ranges of the text in a linked list, candidate pairs are in a heap, pieces in a hash table by
//        text.
// COST   O(n log n) for n bytes of text.
// INVARIANTS A symbol is never split again, except as in the original: at the end a symbol whose piece is kUnused is
//        replaced by the two symbols that it was merged from, recursively.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_

#include <memory>

#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/scored_pieces.h"

namespace weir::vocab {

/// Makes the model. Errors: those of check_scored_pieces.
Result<std::shared_ptr<const PieceModel>> make_spm_bpe(const ScoredPieces& pieces);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SPM_BPE_H_
