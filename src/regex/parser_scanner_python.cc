// Escapes of Python's re that are not those of every dialect.
#include <optional>

#include "regex/parser_scanner.h"

namespace weir::regex {

/// Behind the backslash and `letter`. Nullopt, and no move, where the escape is that of every dialect, or a reference.
std::optional<Result<Escape>> Scanner::take_python_escape(char letter, std::size_t start, Place place) {
  switch (letter) {
    case 'a': return Escape{.code_point = '\a'};
    case 'Z':
      if (place == Place::kInClass) return std::nullopt;
      return Escape{.kind = Escape::Kind::kTextEnd};
    case 'x':
    case 'u':
      if (!is('{')) return std::nullopt;
      return syntax_error(since(start), join({"`", text_since(start), "` has no braces in Python"}),
                          "write `\\xHH`, `\\uHHHH` or `\\UHHHHHHHH`");
    case 'N':
      return unsupported_error(since(start), "characters by their names are not supported",
                               "write `\\uHHHH` or `\\UHHHHHHHH`");
    default: break;
  }
  if (!is_octal(letter)) return std::nullopt;
  // Of a number the first three digits are an octal escape, if they are octal; so are those behind a zero, and in a
  // class.
  const bool three = is_octal(byte()) && is_octal(byte(1));
  if (letter != '0' && place == Place::kOutside && !three) return std::nullopt;
  auto value = static_cast<char32_t>(letter - '0');
  for (int digits = 1; digits < 3 && is_octal(byte()); ++digits, ++pos_) {
    value = value * 8 + static_cast<char32_t>(byte() - '0');
  }
  if (value <= 0377) return Escape{.code_point = value};
  return syntax_error(since(start), "an octal escape is at most `\\377`", "write `\\uHHHH`");
}

}  // namespace weir::regex
