// The parts of tokenizer.json that work on text: its normalizer and its pre-tokenizer.
//
// ERRORS kUnsupported with the name of a part that weir does not support. The reader then makes a tokenizer that has
//        masks, but whose tokenize() returns this error.
#ifndef WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_
#define WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_

#include <vector>

#include "vocab/normalizers/normalizer.h"
#include "vocab/readers/json_file.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"
#include "weir/error.h"

namespace weir::vocab {

/// Returns the steps of "normalizer"; none if it is null. "Precompiled" replaces the longest key, as SentencePiece
/// does. The Hugging Face library looks up grapheme clusters instead, so its result differs if a cluster begins with a
/// shorter key.
Result<std::vector<NormalizerPtr>> read_normalizers(const Json& normalizer);

/// Returns the error kUnsupported for a part that weir does not support.
[[nodiscard]] tl::unexpected<Error> unsupported(std::string message);

struct PreTokenizerParts {
  std::vector<PreTokenizerStepPtr> steps = {};
  /// True if the last step writes bytes in the byte-level alphabet. That step is not in `steps`: a model over bytes
  /// does not need it, and for any other model the caller appends make_byte_level_step().
  bool ends_with_byte_level = false;
};
/// Returns the steps of "pre_tokenizer"; none if it is null.
Result<PreTokenizerParts> read_pre_tokenizer(const Json& pre_tokenizer);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_PARTS_H_
