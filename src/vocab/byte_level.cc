#include "vocab/byte_level.h"

#include <cstdint>

#include "base/utf8.h"

namespace weir::vocab {

namespace {

// The bytes that are not encoded as the character of the same number are 0x00-0x20, 0x7F-0xA0 and 0xAD.
constexpr std::uint32_t character_of(std::uint32_t byte) {
  if (byte <= 0x20) return 0x100 + byte;
  if (byte >= 0x7F && byte <= 0xA0) return 0x121 + (byte - 0x7F);
  return byte == 0xAD ? 0x143 : byte;
}

// Returns 256 for a character outside the alphabet.
constexpr std::uint32_t byte_of(std::uint32_t character) {
  if (character < 0x100) return character_of(character) == character ? character : 256;
  if (character <= 0x120) return character - 0x100;
  if (character <= 0x142) return character - 0x121 + 0x7F;
  return character == 0x143 ? 0xAD : 256;
}

}  // namespace

std::optional<std::string> decode_byte_level(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const auto unit = static_cast<unsigned char>(text[pos]);
    const base::Decoded d = unit < 0x80 ? base::Decoded{unit, 1} : base::decode_utf8(text, pos);
    const std::uint32_t byte = byte_of(d.code_point);
    if (d.length == 0 || byte > 0xFF) return std::nullopt;
    bytes[size++] = static_cast<char>(byte);
    pos += d.length;
  }
  bytes.resize(size);
  return bytes;
}

std::string encode_byte_level(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) base::append_utf8(text, character_of(static_cast<unsigned char>(byte)));
  return text;
}

}  // namespace weir::vocab
