// What escapes in texts are made of: hexadecimal digits, and halves of surrogate pairs.
#ifndef WEIR_SRC_BASE_ESCAPE_H_
#define WEIR_SRC_BASE_ESCAPE_H_

namespace weir::base {

/// Returns the value of a hexadecimal digit, or -1 if `c` is none.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool is_high_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
constexpr bool is_low_surrogate(char32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }
constexpr bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

/// Returns the code point that a high and a low surrogate stand for together.
constexpr char32_t join_surrogates(char32_t high, char32_t low) {
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_ESCAPE_H_
