// How vocabularies spell tokens as text: the bytes that a spelling stands for, and the names of tokens that end an
// output.
#ifndef WEIR_SRC_VOCAB_TOKEN_SPELLING_H_
#define WEIR_SRC_VOCAB_TOKEN_SPELLING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/tokenizer_info.h"

namespace weir::vocab {

/// Returns the byte that the name of a byte token denotes ("<0x0A>" is 10), or nullopt for any other name.
[[nodiscard]] std::optional<std::uint8_t> parse_byte_token(std::string_view name) noexcept;

/// Replaces a token's spelling by the bytes that it stands for.
void decode_spelling(TokenSpelling spelling, std::string& token);

/// Returns true if `name` usually denotes the end of an output: `</s>`, `<|endoftext|>`, `<|eot_id|>`, `<|im_end|>`,
/// `<end_of_turn>`, ...
[[nodiscard]] bool is_usual_stop_name(std::string_view name) noexcept;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TOKEN_SPELLING_H_
