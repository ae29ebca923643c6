// The byte-level alphabet: GPT-2's encoding of the 256 bytes as 256 printable characters.
//
// WHAT   A byte that is a printable ASCII or Latin-1 character is encoded as that character. The 68 other bytes, in
//        ascending order, are encoded as U+0100, U+0101, ... So a space becomes "Ġ" (U+0120), a newline "Ċ" (U+010A).
// WHY    Files that store tokens as text (tokenizer.json, merges.txt, GGUF) write byte-level tokens in this alphabet.
// REFERENCES Radford et al., "Language models are unsupervised multitask learners" (2019), the code published with it.
#ifndef WEIR_SRC_VOCAB_BYTE_LEVEL_H_
#define WEIR_SRC_VOCAB_BYTE_LEVEL_H_

#include <optional>
#include <string>
#include <string_view>

namespace weir::vocab {

/// Returns the bytes that `text` encodes, or nullopt if `text` contains a character outside the alphabet.
[[nodiscard]] std::optional<std::string> decode_byte_level(std::string_view text);

/// Returns `bytes` written in the alphabet.
[[nodiscard]] std::string encode_byte_level(std::string_view bytes);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_BYTE_LEVEL_H_
