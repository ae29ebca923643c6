// Base64, as tiktoken and tekken files write token bytes (RFC 4648, section 4).
#ifndef WEIR_SRC_VOCAB_READERS_BASE64_H_
#define WEIR_SRC_VOCAB_READERS_BASE64_H_

#include <string>
#include <string_view>

namespace weir::vocab {

/// Decodes `text` into `out`, which is overwritten. False if it is not base64: a length that is no multiple of four, a
/// character outside the alphabet, padding in the middle. Bits behind the last byte are not looked at.
bool decode_base64(std::string_view text, std::string& out);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_BASE64_H_
