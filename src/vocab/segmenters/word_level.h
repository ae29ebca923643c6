// WordLevel: a piece is a token, or unknown.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vocab/segmenters/pipeline.h"

namespace weir::vocab {

/// `tokens[i]` is the text of token i, empty where it is no part of the model. Without an unknown token a piece that is
/// no token is an error.
std::shared_ptr<const PieceModel> make_word_level(std::span<const std::string> tokens,
                                                  std::optional<std::uint32_t> unknown_token);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_WORD_LEVEL_H_
