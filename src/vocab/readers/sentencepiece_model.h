// SentencePiece's .model files: a protocol buffer, ModelProto, of pieces and how they were trained.
//
// WHAT   The entry point is read_sentencepiece_model in readers.h; here stands what its parts need to be tested alone.
// HOW    ModelProto: 1 pieces (1 piece, 2 score, 3 type), 2 trainer_spec, 3 normalizer_spec, 5 denormalizer_spec. Other
//        fields are skipped. Of a field that comes twice the last counts, as in all protocol buffers.
// ERRORS kInvalidArgument: truncated or malformed, no pieces. kUnsupported: a denormalizer, since decoding is then no
//        longer one token after the other.
#ifndef WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_MODEL_H_
#define WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_MODEL_H_

#include <string>
#include <string_view>

#include "vocab/readers/readers.h"
#include "vocab/readers/sentencepiece_source.h"
#include "weir/error.h"

namespace weir::vocab {

struct SentencePieceModelFile {
  SentencePieceTable table;
  std::string end_piece = "</s>";  ///< Name of the end-of-sequence piece.
};

/// `data` must outlive the result. Errors: as above, without the file's name.
Result<SentencePieceModelFile> parse_sentencepiece_model(std::string_view data);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_MODEL_H_
