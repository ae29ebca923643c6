// The parts of tokenizer.json that work on text: its normalizer and its pre-tokenizer.
//
// ERRORS kUnsupported with the name of a part that weir does not have; the reader then makes a tokenizer whose masks
//        work and whose tokenize() gives this message.
#ifndef WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_
#define WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_

#include <vector>

#include "vocab/normalizers/normalizer.h"
#include "vocab/readers/json_file.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"
#include "weir/error.h"

namespace weir::vocab {

/// The steps of "normalizer"; none if it is null. "Precompiled" replaces as SentencePiece does, the longest key first;
/// the library's own code goes by grapheme clusters and differs where one begins with a shorter key.
Result<std::vector<NormalizerPtr>> read_normalizers(const Json& normalizer);

/// What a reader answers to a part that weir does not have.
[[nodiscard]] tl::unexpected<Error> unsupported(std::string message);

struct PreTokenizerParts {
  std::vector<PreTokenizerStepPtr> steps = {};
  /// The last step writes bytes in the byte-level alphabet. It is not among `steps`, for a model over bytes needs no
  /// such writing; any other appends make_byte_level_step().
  bool ends_with_byte_level = false;
};
/// The steps of "pre_tokenizer"; none if it is null.
Result<PreTokenizerParts> read_pre_tokenizer(const Json& pre_tokenizer);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_
