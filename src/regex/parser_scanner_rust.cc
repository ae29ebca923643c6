// Escapes of Rust's regex crate that are not those of every dialect.
#include <algorithm>
#include <optional>

#include "regex/parser_scanner.h"

namespace weir::regex {

tl::unexpected<Error> refuse_bytes(SourceRange where) {
  return unsupported_error(where, "without flag u this matches single bytes, which are no characters",
                           "leave out `-u`, or name the characters: `[\\x00-\\x7F]` are those of ASCII");
}

/// Behind the backslash and `letter`. Nullopt, and no move, where the escape is that of every dialect.
std::optional<Result<Escape>> Scanner::take_rust_escape(char letter, std::size_t start, Place place,
                                                        const Flags& flags) {
  const auto word_edge = [&]() -> Result<Escape> {
    return unsupported_error(since(start), join({"the word boundary `", text_since(start), "` is not supported"}),
                             "where a word begins is `\\b(?=\\w)`, where it ends `\\b(?<=\\w)`");
  };
  switch (letter) {
    case 'a': return Escape{.code_point = '\a'};
    case '<':
    case '>': return word_edge();
    case 'b':
      if (place == Place::kInClass || !is('{')) return std::nullopt;
      while (!at_end() && !take('}')) ++pos_;
      return word_edge();
    case 'D':
    case 'W':
    case 'S':
      if (flags.is_bytes()) return refuse_bytes(since(start));
      return std::nullopt;
    case 'x':
      // A byte that is no character by itself.
      if (flags.is_bytes() && !is('{') && !at_end() && byte() >= '8') {
        pos_ = std::min(pos_ + 2, size());
        return refuse_bytes(since(start));
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace weir::regex
