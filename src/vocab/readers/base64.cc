#include "vocab/readers/base64.h"

#include <array>
#include <cstdint>

namespace weir::vocab {

namespace {

constexpr std::uint8_t kBad = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  for (auto& value : values) value = kBad;
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

bool decode_base64(std::string_view text, std::string& out) {
  out.clear();
  if (text.size() % 4 != 0) return false;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint8_t value = kValues[static_cast<unsigned char>(text[at + i])];
      if (last && i >= 4 - padding) value = 0;
      if (value == kBad) return false;
      group = group << 6 | value;
    }
    const std::size_t bytes = last ? 3 - padding : 3;
    for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(group >> (16 - 8 * i) & 0xFF));
  }
  return true;
}

}  // namespace weir::vocab
