// Base64, as tiktoken and tekken files write token bytes (RFC 4648, section 4).
#ifndef WEIR_SRC_VOCAB_READERS_BASE64_H_
#define WEIR_SRC_VOCAB_READERS_BASE64_H_

#include <string>
#include <string_view>

namespace weir::vocab {

/// Decodes `text` into `out`, which is overwritten. Returns false if `text` is not base64: its length is not a multiple
/// of four, or it has a character outside the alphabet or padding in the middle. Unused bits at the end are ignored.
bool decode_base64(std::string_view text, std::string& out);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_BASE64_H_
