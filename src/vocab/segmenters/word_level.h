// WordLevel: a model in which a whole piece is one token, or the unknown token.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vocab/segmenters/pipeline.h"

namespace weir::vocab {

/// Makes the model. `tokens[i]` is the text of token i, empty if it is not part of the model. If there is no unknown
/// token, tokenizing a piece that is not a token is an error.
std::shared_ptr<const PieceModel> make_word_level(std::span<const std::string> tokens,
                                                  std::optional<std::uint32_t> unknown_token);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_
