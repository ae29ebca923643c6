// Unicode normalization and character classes, for the normalizers of tokenizers.
//
// HOW    A fast path copies text that normalization cannot change. For other text, the tables are sorted arrays that
//        are searched binarily; tools/make_normalization_tables.py generates them from the Unicode character database.
// COST   Outside the fast path a few searches for each character; O(n log n) for n combining marks in a row.
// REFERENCES Unicode Standard Annex 15, "Unicode normalization forms".
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::vocab {

enum class NormalizationForm : std::uint8_t { kNfc, kNfd, kNfkc, kNfkd };

/// Returns `text` in a normalization form. Bytes that are not valid UTF-8 are unchanged, and the texts before and after
/// them are normalized separately.
[[nodiscard]] std::string normalize_unicode(std::string_view text, NormalizationForm form);

/// Returns `text` with each character replaced by its full lower case, regardless of context (a final sigma becomes
/// "σ").
[[nodiscard]] std::string lowercase_unicode(std::string_view text);

/// Returns true for characters with the property White_Space.
[[nodiscard]] constexpr bool is_white_space(char32_t c) noexcept {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}
/// Returns true for general category M.
[[nodiscard]] bool is_mark(char32_t c) noexcept;
/// Returns true for general category Mn.
[[nodiscard]] bool is_nonspacing_mark(char32_t c) noexcept;
/// Returns true for general categories Cc, Cf and Co.
[[nodiscard]] bool is_control_or_format(char32_t c) noexcept;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_
