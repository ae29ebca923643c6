// SentencePiece's .model files: a protocol buffer, ModelProto, of pieces and training parameters.
//
// WHAT   The entry point is read_sentencepiece_model in readers.h. This header declares its first step, so that tests
//        can call it alone.
// HOW    ModelProto: 1 pieces (1 piece, 2 score, 3 type), 2 trainer_spec, 3 normalizer_spec, 5 denormalizer_spec. Other
//        fields are skipped. If a field occurs twice, the last value is used, as in all protocol buffers.
// ERRORS kInvalidArgument: truncated or malformed, no pieces. kUnsupported: a denormalizer, because tokens can then not
//        be decoded independently of each other.
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
  std::string end_piece = "</s>";  ///< The name of the end-of-sequence piece.
};

/// Parses a file. `data` must outlive the result. Errors: as above, without the file's name.
Result<SentencePieceModelFile> parse_sentencepiece_model(std::string_view data);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_SENTENCEPIECE_MODEL_H_
