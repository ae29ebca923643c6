// The byte-level alphabet: GPT-2's spelling of the 256 bytes as 256 printable characters.
//
// WHAT   Printable ASCII and Latin-1 stand for themselves; the 68 other bytes, in order, for U+0100, U+0101, ... So a
//        space is written "Ġ" (U+0120) and a newline "Ċ" (U+010A).
// WHY    Files that keep tokens as text (tokenizer.json, merges.txt, GGUF) write byte-level tokens in it.
// REFERENCES Radford et al., "Language models are unsupervised multitask learners" (2019), the code published with it.
#ifndef WEIR_SRC_VOCAB_BYTE_LEVEL_H_
#define WEIR_SRC_VOCAB_BYTE_LEVEL_H_

#include <optional>
#include <string>
#include <string_view>

namespace weir::vocab {

/// The bytes that `text` spells; nullopt if some character is not in the alphabet.
[[nodiscard]] std::optional<std::string> decode_byte_level(std::string_view text);

/// The spelling of `bytes`.
[[nodiscard]] std::string encode_byte_level(std::string_view bytes);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_BYTE_LEVEL_H_
