#include "base/utf8.h"

#include <array>

#include "base/byte_blocks.h"
#include "base/display_width.h"

namespace weir::base {

Decoded decode_utf8(std::string_view text, std::size_t pos) noexcept {
  if (pos >= text.size()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[pos + i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::uint8_t length = 0;
  char32_t code_point = 0;
  char32_t smallest = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, code_point = lead & 0x1FU, smallest = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, code_point = lead & 0x0FU, smallest = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, code_point = lead & 0x07U, smallest = 0x10000;
  } else {
    return {};
  }
  if (text.size() - pos < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code_point = (code_point << 6) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || code_point > kMaxCodePoint || surrogate) return {};
  return {code_point, length};
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t v) { out.push_back(static_cast<char>(v)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t pos = 0; (pos = skip_ascii(text, pos)) < text.size();) {
    const Decoded d = decode_utf8(text, pos);
    if (d.length == 0) return pos;
    pos += d.length;
  }
  return std::string_view::npos;
}

namespace {

constexpr std::array<char, 17> kHex = {"0123456789ABCDEF"};

// "\u{202E}"
void append_escape(std::string& out, char32_t c) {
  out += "\\u{";
  bool leading = true;
  for (int shift = 20; shift >= 0; shift -= 4) {
    const unsigned digit = (c >> shift) & 15U;
    leading = leading && digit == 0 && shift > 0;
    if (!leading) out += kHex[digit];
  }
  out += '}';
}

}  // namespace

std::string escape_for_display(std::string_view bytes, std::size_t max_bytes) {
  std::string out;
  for (std::size_t pos = 0; pos < bytes.size();) {
    if (pos >= max_bytes) return out + "…";
    const Decoded d = decode_utf8(bytes, pos);
    const auto byte = static_cast<std::uint8_t>(bytes[pos]);
    const bool control = d.code_point < 0x20 || (d.code_point >= 0x7F && d.code_point < 0xA0);
    if (d.length != 0 && !control) {
      if (is_hidden(d.code_point)) {
        append_escape(out, d.code_point);
      } else {
        out.append(bytes.substr(pos, d.length));
      }
      pos += d.length;
      continue;
    }
    switch (byte) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
    ++pos;
  }
  return out;
}

}  // namespace weir::base
