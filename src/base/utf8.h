// Decoding and encoding of UTF-8, one code point at a time.
#ifndef WEIR_SRC_BASE_UTF8_H_
#define WEIR_SRC_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::base {

inline constexpr char32_t kMaxCodePoint = 0x10FFFF;

struct Decoded {
  char32_t code_point = 0;
  std::uint8_t length = 0;  ///< Bytes consumed; 0 at the end of the text and where it is not valid UTF-8.
};

/// Returns the code point at `pos`. Overlong forms, surrogates and values above U+10FFFF are not valid.
Decoded decode_utf8(std::string_view text, std::size_t pos) noexcept;

/// Appends the encoding of a code point. A surrogate is encoded in three bytes, which is not valid UTF-8.
/// Precondition: code_point <= kMaxCodePoint.
void append_utf8(std::string& out, char32_t code_point);

/// Returns the offset of the first byte that is not part of a valid character; npos if all of `text` is valid.
std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// Returns `bytes` in a form for messages. Printable characters are copied; control characters and invalid bytes become
/// \n, \r, \t or \xHH; hidden characters (is_hidden() in display_width.h) become \u{HHHH}. Input beyond `max_bytes` is
/// replaced by "…".
std::string escape_for_display(std::string_view bytes, std::size_t max_bytes = 60);

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_UTF8_H_
