// UTF-8, one code point at a time.
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
  std::uint8_t length = 0;  ///< Bytes consumed; 0 when the text at this place is not valid UTF-8 or ends.
};

/// The code point at `pos`. Strict: no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded decode_utf8(std::string_view text, std::size_t pos) noexcept;

/// Appends the encoding of a code point. Precondition: code_point <= kMaxCodePoint. Surrogates are encoded as they are.
void append_utf8(std::string& out, char32_t code_point);

/// Offset of the first byte that does not belong to a valid character; npos if all is valid.
std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// For messages: printable text as it is, everything else as \n, \t, \xHH, and what is hidden (display_width.h) as
/// \u{HHHH}; at most `max_bytes` of the input, then "…".
std::string escape_for_display(std::string_view bytes, std::size_t max_bytes = 60);

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_UTF8_H_
