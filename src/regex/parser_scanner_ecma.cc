// Escapes as ECMA-262 reads them without flag u: its annex B (section B.1.2), in which nearly all that is not an escape
// stands for itself. `\u{...}` and `\p{...}` are taken as with flag u, for nobody means sixty times the letter u.
#include <algorithm>
#include <optional>

#include "regex/parser_scanner.h"

namespace weir::regex {

namespace {

Result<Escape> character(char32_t code_point) { return Escape{.code_point = code_point}; }

}  // namespace

Scanner::EcmaGroups Scanner::count_groups(std::string_view pattern) {
  EcmaGroups groups;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (c == '[' || c == ']') {
      in_class = c == '[';
    } else if (c == '(' && !in_class) {
      const std::string_view head = pattern.substr(i + 1, 3);
      const bool is_look_behind = head == "?<=" || head == "?<!";
      const bool has_name = !is_look_behind && (head.starts_with("?<") || head == "?P<");
      if (has_name || !head.starts_with('?')) ++groups.count;
      groups.has_names = groups.has_names || has_name;
    }
  }
  return groups;
}

/// Behind the backslash and `letter`. Nullopt, and no move, where the escape is that of every dialect, or none at all.
std::optional<Result<Escape>> Scanner::take_ecma_escape(char letter, std::size_t start, Place place) {
  if (is_digit(letter)) return take_octal(start, place);
  if (!is_letter(letter)) return std::nullopt;
  const bool in_class = place == Place::kInClass;
  const auto has_hex = [&](std::size_t digits) {
    std::size_t i = 0;
    while (i < digits && is_hex(byte(i))) ++i;
    return i == digits;
  };
  switch (letter) {
    case 'n':
    case 'r':
    case 't':
    case 'f':
    case 'v':
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 's':
    case 'S':
    case 'b': return std::nullopt;
    case 'B':
      if (!in_class) return std::nullopt;
      break;
    case 'p':
    case 'P':
      if (is('{')) return std::nullopt;
      return syntax_error(since(start), "dialects differ on whether this is a property",
                          "write the property's name in braces, `\\p{L}`");
    case 'x':
      if (has_hex(2)) return std::nullopt;
      break;
    case 'u':
      if (is('{') || has_hex(4)) return std::nullopt;
      break;
    case 'c':
      if (is_letter(byte())) return std::nullopt;
      if (in_class && (is_digit(byte()) || is('_'))) {
        const auto control = static_cast<unsigned char>(byte());
        ++pos_;
        return character(control & 0x1FU);
      }
      --pos_;  // The backslash is a character, and so is the `c`.
      return character('\\');
    case 'k':
      if (ecma_->has_names) return std::nullopt;
      break;
    default: break;
  }
  return character(static_cast<unsigned char>(letter));
}

/// Behind the first digit. A number is a reference if there is such a group; else up to three octal digits, at most
/// 0377, are a character, and 8 and 9 are themselves.
std::optional<Result<Escape>> Scanner::take_octal(std::size_t start, Place place) {
  const char first = pattern_[start + 1];
  if (place == Place::kOutside && first != '0') {
    std::uint64_t number = 0;
    for (std::size_t i = start + 1; i < pattern_.size() && is_digit(pattern_[i]); ++i) {
      number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(pattern_[i] - '0'), UINT32_MAX);
    }
    if (number <= ecma_->count) return std::nullopt;
  }
  if (!is_octal(first)) return character(static_cast<unsigned char>(first));
  auto value = static_cast<char32_t>(first - '0');
  const std::size_t most = first <= '3' ? 3 : 2;
  for (std::size_t digits = 1; digits < most && is_octal(byte()); ++digits, ++pos_) {
    value = value * 8 + static_cast<char32_t>(byte() - '0');
  }
  return character(value);
}

}  // namespace weir::regex
