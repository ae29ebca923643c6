// Classes of characters that tokenizers ask for one at a time.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_CHARACTERS_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_CHARACTERS_H_

namespace weir::vocab {

/// The Unicode property White_Space.
constexpr bool is_white_space(char32_t c) noexcept {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_CHARACTERS_H_
