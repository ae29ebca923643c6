#include "vocab/byte_level.h"

#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace weir::vocab {

namespace {

constexpr bool stands_for_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

struct Alphabet {
  std::array<char16_t, 256> character{};   // indexed by byte
  std::array<std::int16_t, 0x144> byte{};  // indexed by character; -1: not in the alphabet
};

constexpr Alphabet kAlphabet = [] {
  Alphabet alphabet;
  for (auto& byte : alphabet.byte) byte = -1;
  char16_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char16_t c = stands_for_itself(byte) ? static_cast<char16_t>(byte) : next++;
    alphabet.character[byte] = c;
    alphabet.byte[c] = static_cast<std::int16_t>(byte);
  }
  return alphabet;
}();

}  // namespace

std::optional<std::string> decode_byte_level(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded d = base::decode_utf8(text, pos);
    if (d.length == 0 || d.code_point >= kAlphabet.byte.size() || kAlphabet.byte[d.code_point] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(kAlphabet.byte[d.code_point]));
    pos += d.length;
  }
  return bytes;
}

std::string encode_byte_level(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) base::append_utf8(text, kAlphabet.character[static_cast<unsigned char>(byte)]);
  return text;
}

}  // namespace weir::vocab
