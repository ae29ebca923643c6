// Escapes of PCRE2 that are not those of every dialect.
#include <algorithm>
#include <optional>

#include "regex/parser_scanner.h"

namespace weir::regex {

namespace {

constexpr CodePointRange kHorizontal[] = {{'\t', '\t'},     {' ', ' '},       {0xA0, 0xA0},
                                          {0x1680, 0x1680}, {0x180E, 0x180E}, {0x2000, 0x200A},
                                          {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
constexpr CodePointRange kVertical[] = {{'\n', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}};

Result<Escape> set_escape(CodePointSet set) { return Escape{.kind = Escape::Kind::kSet, .set = std::move(set)}; }

}  // namespace

/// Behind the backslash and `letter`. Nullopt, and no move, where the escape is that of every dialect, or a reference.
std::optional<Result<Escape>> Scanner::take_pcre_escape(char letter, std::size_t start, Place place) {
  if (is_digit(letter)) return take_pcre_number(letter, start, place);
  switch (letter) {
    case 'a': return Escape{.code_point = '\a'};
    case 'e': return Escape{.code_point = 0x1B};
    case 'h': return set_escape(CodePointSet(kHorizontal));
    case 'H': return set_escape(~CodePointSet(kHorizontal));
    case 'v': return set_escape(CodePointSet(kVertical));
    case 'V': return set_escape(~CodePointSet(kVertical));
    case 'x': return take_pcre_hex(start);
    case 'R':
      if (place == Place::kInClass) return std::nullopt;
      return Escape{.kind = Escape::Kind::kLineBreak};
    case 'N':
      if (is("{U+")) {
        pos_ += 2;  // behind the `U`; the `+` stands where a brace would
        return take_braced_hex(start).map([](char32_t c) { return Escape{.code_point = c}; });
      }
      if (place == Place::kInClass) return std::nullopt;
      return set_escape(~CodePointSet::of('\n'));
    case 'c': {
      if (byte() < ' ' || byte() > '~') return std::nullopt;
      const char control = byte();
      ++pos_;
      const bool is_lower = control >= 'a' && control <= 'z';
      return Escape{.code_point = static_cast<char32_t>((is_lower ? control - 'a' + 'A' : control) ^ 0x40)};
    }
    case 'o': {
      if (!is('{')) return std::nullopt;
      char32_t value = 0;
      ++pos_;
      const std::size_t first = pos_;
      for (; is_octal(byte()) && value <= base::kMaxCodePoint; ++pos_) {
        value = value * 8 + static_cast<char32_t>(byte() - '0');
      }
      if (pos_ > first && take('}') && value <= base::kMaxCodePoint && !is_surrogate(value)) {
        return Escape{.code_point = value};
      }
      return syntax_error(since(start), "octal digits of a code point and `}` are expected in the escape",
                          "write `\\o{101}`, say");
    }
    default: return std::nullopt;
  }
}

/// Two hexadecimal digits at most; none are NUL.
Result<Escape> Scanner::take_pcre_hex(std::size_t start) {
  if (is('{')) return take_hex('x', start, Place::kOutside);
  char32_t value = 0;
  for (int digits = 0; digits < 2 && is_hex(byte()); ++digits, ++pos_) {
    const char c = byte();
    value = value * 16 + static_cast<char32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return Escape{.code_point = value};
}

/// Behind the first digit. Outside of a class a number below 10, one that begins with 8 or 9, and one of so many groups
/// as stand before it is a reference; else up to three octal digits are a character.
std::optional<Result<Escape>> Scanner::take_pcre_number(char digit, std::size_t start, Place place) {
  if (place == Place::kOutside && digit != '0') {
    std::uint64_t number = 0;
    for (std::size_t i = start + 1; i < pattern_.size() && is_digit(pattern_[i]); ++i) {
      number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(pattern_[i] - '0'), UINT32_MAX);
    }
    if (number < 10 || digit >= '8' || number <= count_groups(pattern_.substr(0, start)).count) return std::nullopt;
  }
  if (!is_octal(digit)) return Escape{.code_point = static_cast<unsigned char>(digit)};
  auto value = static_cast<char32_t>(digit - '0');
  for (int digits = 1; digits < 3 && is_octal(byte()); ++digits, ++pos_) {
    value = value * 8 + static_cast<char32_t>(byte() - '0');
  }
  return Escape{.code_point = value};
}

}  // namespace weir::regex
