#include "base/json/json_text.h"

#include <cstddef>
#include <cstdint>

#include "base/escape.h"
#include "base/utf8.h"

namespace weir::base {

namespace {

JsonEscape read_code_unit(std::string_view text) {
  if (!text.starts_with("\\u") || text.size() < 6) return {};
  JsonEscape escape{6, 0};
  for (const char c : text.substr(2, 4)) {
    if (hex_digit(c) < 0) return {};
    escape.code_point = escape.code_point * 16 + static_cast<char32_t>(hex_digit(c));
  }
  return escape;
}

}  // namespace

JsonEscape read_json_escape(std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (text.size() < 2 || text.front() != '\\') return {};
  if (const std::size_t i = kLetters.find(text[1]); i != std::string_view::npos) {
    return {2, static_cast<char32_t>(kMeanings[i])};
  }
  const JsonEscape first = read_code_unit(text);
  if (!is_high_surrogate(first.code_point)) return first;
  const JsonEscape second = read_code_unit(text.substr(first.length));
  if (!is_low_surrogate(second.code_point)) return first;
  return {first.length + second.length, join_surrogates(first.code_point, second.code_point)};
}

bool append_json_string(std::string_view inside, std::string& out) {
  char32_t last = 0;
  for (std::size_t pos = 0; pos < inside.size();) {
    const JsonEscape escape = read_json_escape(inside.substr(pos));
    if (inside[pos] != '\\') {
      out += inside[pos++];
    } else if (escape.length != 0) {
      append_utf8(out, escape.code_point);
      pos += escape.length;
    } else {
      return true;
    }
    last = escape.code_point;
  }
  return is_high_surrogate(last);
}

std::string json_string(std::string_view text) {
  constexpr std::string_view kShort = "\b\f\n\r\t";
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  const auto append_code_unit = [&](unsigned unit) {
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[unit >> shift & 15U];
  };
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t letter = kShort.find(text[i]);
    if (text[i] == '"' || text[i] == '\\') {
      out += {'\\', text[i]};
    } else if (letter != std::string_view::npos) {
      out += {'\\', "bfnrt"[letter]};
    } else if (byte(i) < 0x20) {
      append_code_unit(byte(i));
    } else if (byte(i) == 0xED && i + 2 < text.size() && byte(i + 1) >= 0xA0) {  // a surrogate
      append_code_unit(0xD000U | (byte(i + 1) & 0x3FU) << 6 | (byte(i + 2) & 0x3FU));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out + '"';
}

}  // namespace weir::base
