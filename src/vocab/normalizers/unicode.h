// Unicode normalization and classes of characters, for the normalizers that tokenizers use.
//
// HOW    Tables made by tools/make_normalization_tables.py from the Unicode character database; sorted arrays, binary
//        searched, behind a fast path for text in which nothing can change.
// COST   A few searches a character outside the fast path; O(n log n) for n combining marks in a row.
// REFERENCES Unicode Standard Annex 15, "Unicode normalization forms".
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::vocab {

enum class NormalizationForm : std::uint8_t { kNfc, kNfd, kNfkc, kNfkd };

/// The text in a normalization form. Bytes that are not valid UTF-8 stay as they are and part what is around them.
[[nodiscard]] std::string normalize_unicode(std::string_view text, NormalizationForm form);

/// Each character's full lower case, without regard to what is around it (a sigma at the end of a word stays "σ").
[[nodiscard]] std::string lowercase_unicode(std::string_view text);

/// The property White_Space.
[[nodiscard]] constexpr bool is_white_space(char32_t c) noexcept {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}
/// General category M.
[[nodiscard]] bool is_mark(char32_t c) noexcept;
/// General category Mn.
[[nodiscard]] bool is_nonspacing_mark(char32_t c) noexcept;
/// General categories Cc, Cf and Co.
[[nodiscard]] bool is_control_or_format(char32_t c) noexcept;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_H_
