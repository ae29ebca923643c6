#include "frontend/ebnf/text.h"

#include <algorithm>
#include <optional>

#include "base/escape.h"
#include "base/utf8.h"
#include "regex/unicode/unicode.h"

namespace weir::frontend::ebnf {

namespace {

using base::hex_digit;
using regex::CodePointRange;
using regex::CodePointSet;

Error syntax_error(std::size_t start, std::size_t end, std::string message, std::string hint = {}) {
  return Error{ErrorCode::kSyntax, std::move(message), {start, end}, std::move(hint), {}};
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::string code_point_name(char32_t c) {
  std::string hex;
  for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) hex += "0123456789ABCDEF"[(c >> shift) & 15U];
  return "U+" + hex;
}

// Reads the contents of a literal or a class from `pos` to `end`, one character or escape at a time.
class Reader {
 public:
  Reader(std::string_view text, std::size_t pos, std::size_t end, Dialect dialect)
      : text_(text), pos_(pos), end_(end), dialect_(dialect) {}

  [[nodiscard]] Dialect dialect() const { return dialect_; }

  [[nodiscard]] bool done() const { return pos_ >= end_; }
  [[nodiscard]] std::size_t pos() const { return pos_; }
  [[nodiscard]] std::size_t left() const { return end_ - pos_; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return pos_ + ahead < end_ ? text_[pos_ + ahead] : '\0'; }
  void skip(std::size_t n) { pos_ += n; }
  [[nodiscard]] std::string_view since(std::size_t start) const { return text_.substr(start, pos_ - start); }

  /// Returns the next character or escape as a code point.
  Result<char32_t> next() {
    if (peek() != '\\') {
      const base::Decoded c = base::decode_utf8(text_, pos_);
      pos_ += c.length;
      return c.code_point;
    }
    const std::size_t start = pos_;
    Result<char32_t> c = escape();
    if (!c) return c;
    if (base::is_high_surrogate(*c) && peek() == '\\' && peek(1) == 'u') {
      const std::size_t before = pos_;
      const Result<char32_t> low = escape();
      if (low && base::is_low_surrogate(*low)) return base::join_surrogates(*c, *low);
      pos_ = before;
    }
    if (base::is_surrogate(*c)) {
      return tl::unexpected(syntax_error(start, pos_, "`" + std::string(since(start)) + "` is half of a surrogate pair",
                                         "write the character itself, or `\\u{...}` with its code point"));
    }
    return c;
  }

  /// Returns the text between braces, as in \p{...}; `start` is the start of the escape.
  Result<std::string_view> braced(std::size_t start) {
    const std::size_t close = text_.substr(0, end_).find('}', pos_);
    if (peek() != '{' || close == std::string_view::npos) {
      return tl::unexpected(syntax_error(start, pos_, "expected `{...}` after `" + std::string(since(start)) + "`"));
    }
    const std::string_view inside = text_.substr(pos_ + 1, close - pos_ - 1);
    pos_ = close + 1;
    return inside;
  }

 private:
  Result<char32_t> escape() {
    const std::size_t start = pos_;
    const char c = peek(1);
    pos_ = std::min(pos_ + 2, end_);
    switch (c) {
      case 'n': return U'\n';
      case 't': return U'\t';
      case 'r': return U'\r';
      case '0': return U'\0';
      case 'a': return U'\a';
      case 'b': return U'\b';
      case 'e': return U'\x1B';
      case 'f': return U'\f';
      case 'v': return U'\v';
      case 'x':
        if (dialect_ == Dialect::kXgrammar && peek() != '{') return long_hex(start);
        return peek() == '{' ? braced_hex(start) : hex(start, 2);
      case 'u': return peek() == '{' ? braced_hex(start) : hex(start, 4);
      case 'U': return hex(start, 8);
      default: break;
    }
    if (is_ascii_punctuation(c)) return static_cast<char32_t>(c);
    return unknown_escape(start);
  }

  Result<char32_t> unknown_escape(std::size_t start) {
    --pos_;
    pos_ += std::max<std::size_t>(1, base::decode_utf8(text_, pos_).length);
    const char c = text_[start + 1];
    std::string hint = "a backslash itself is written `\\\\`";
    if (c == 'd' || c == 'w' || c == 's' || c == 'p' || c == 'D' || c == 'W' || c == 'S' || c == 'P') {
      hint = dialect_ == Dialect::kWeir ? "classes stand in brackets, as in `[\\" + std::string(1, c) +
                                              (c == 'p' || c == 'P' ? "{...}" : "") + "]`"
                                        : "classes have no names here: write ranges, as in `[0-9]`";
    }
    return tl::unexpected(
        syntax_error(start, pos_, "unknown escape `" + base::escape_for_display(since(start)) + "`", std::move(hint)));
  }

  Result<char32_t> hex(std::size_t start, std::size_t digits) {
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++pos_) {
      const int digit = hex_digit(peek());
      if (digit < 0) {
        return tl::unexpected(syntax_error(
            start, pos_,
            "`" + std::string(text_.substr(start, 2)) + "` needs " + std::to_string(digits) + " hexadecimal digits"));
      }
      value = (value << 4) | static_cast<char32_t>(digit);
    }
    return checked(start, value);
  }

  // Reads as many digits as there are.
  Result<char32_t> long_hex(std::size_t start) {
    if (hex_digit(peek()) < 0) return hex(start, 1);
    char32_t value = 0;
    for (; hex_digit(peek()) >= 0; ++pos_) {
      if (value <= base::kMaxCodePoint) value = (value << 4) | static_cast<char32_t>(hex_digit(peek()));
    }
    return checked(start, value);
  }

  Result<char32_t> braced_hex(std::size_t start) {
    const Result<std::string_view> inside = braced(start);
    if (!inside) return tl::unexpected(inside.error());
    char32_t value = 0;
    for (const char c : *inside) {
      const int digit = hex_digit(c);
      if (digit < 0) value = 0x110000;
      if (value <= base::kMaxCodePoint) value = (value << 4) | static_cast<char32_t>(std::max(digit, 0));
    }
    if (inside->empty()) value = 0x110000;
    return checked(start, value);
  }

  Result<char32_t> checked(std::size_t start, char32_t value) {
    if (value <= base::kMaxCodePoint) return value;
    return tl::unexpected(syntax_error(start, pos_, "`" + base::escape_for_display(since(start)) + "` is no code point",
                                       "code points go from 0 to 10FFFF, in hexadecimal"));
  }

  std::string_view text_;
  std::size_t pos_;
  std::size_t end_;
  Dialect dialect_;
};

// Returns the set of a class escape (\d, \p{...}, ...) at the reader's position, or nothing if there is none.
Result<std::optional<CodePointSet>> class_escape(Reader& reader) {
  if (reader.peek() != '\\' || reader.dialect() != Dialect::kWeir) return std::nullopt;
  const char letter = reader.peek(1);
  const std::size_t start = reader.pos();
  CodePointSet set;
  switch (letter) {
    case 'd':
    case 'D': set = regex::digit_characters(regex::ClassMeaning::kEcma); break;
    case 'w':
    case 'W': set = regex::word_characters(regex::ClassMeaning::kEcma); break;
    case 's':
    case 'S': set = regex::space_characters(regex::ClassMeaning::kEcma); break;
    case 'p':
    case 'P': {
      reader.skip(2);
      const Result<std::string_view> name = reader.braced(start);
      if (!name) return tl::unexpected(name.error());
      Result<CodePointSet> property = regex::unicode_property(*name);
      if (!property) {
        Error error = std::move(property.error());
        error.where.start += start + 3;
        error.where.end += start + 3;
        return tl::unexpected(std::move(error));
      }
      return letter == 'P' ? ~*property : std::move(*property);
    }
    default: return std::nullopt;
  }
  reader.skip(2);
  return letter < 'a' ? ~set : std::move(set);
}

}  // namespace

Result<std::string> literal_bytes(std::string_view text, SourceRange where, Dialect dialect) {
  Reader reader(text, where.start + 1, where.end - 1, dialect);
  std::string bytes;
  while (!reader.done()) {
    const Result<char32_t> c = reader.next();
    if (!c) return tl::unexpected(c.error());
    base::append_utf8(bytes, *c);
  }
  return bytes;
}

Result<CodePointSet> class_set(std::string_view text, SourceRange where, Dialect dialect) {
  Reader reader(text, where.start + 1, where.end - 1, dialect);
  const bool negated = reader.peek() == '^';
  if (negated) reader.skip(1);
  if (reader.done() && negated && dialect == Dialect::kXgrammar) {
    return CodePointSet::all() - CodePointSet::range(0xD800, 0xDFFF);
  }
  if (reader.done()) {
    return tl::unexpected(syntax_error(where.start, where.end, "empty character class",
                                       negated ? "any character is written `.`" : "a bracket is written `[\\]]`"));
  }
  std::vector<CodePointRange> ranges;
  CodePointSet named;
  while (!reader.done()) {
    const std::size_t start = reader.pos();
    Result<std::optional<CodePointSet>> escape = class_escape(reader);
    if (!escape) return tl::unexpected(escape.error());
    if (*escape) {
      named = named | **escape;
      continue;
    }
    const Result<char32_t> first = reader.next();
    if (!first) return tl::unexpected(first.error());
    char32_t last = *first;
    if (reader.peek() == '-' && reader.left() > 1) {  // a dash at the end is a literal dash
      reader.skip(1);
      const Result<std::optional<CodePointSet>> set = class_escape(reader);
      if (!set) return tl::unexpected(set.error());
      if (*set) {
        return tl::unexpected(
            syntax_error(start, reader.pos(), "a range cannot end with a class", "a dash of its own is written `\\-`"));
      }
      const Result<char32_t> bound = reader.next();
      if (!bound) return tl::unexpected(bound.error());
      last = *bound;
      if (last < *first) {
        const std::string shown = base::escape_for_display(reader.since(start));
        return tl::unexpected(syntax_error(
            start, reader.pos(),
            "range `" + shown + "` goes backwards: " + code_point_name(*first) + " is above " + code_point_name(last),
            "a dash of its own is written `\\-`"));
      }
    }
    ranges.push_back({*first, last});
  }
  CodePointSet set = CodePointSet(std::move(ranges)) | named;
  if (negated) set = ~set;
  set = set - CodePointSet::range(0xD800, 0xDFFF);
  if (set.is_empty()) {
    return tl::unexpected(syntax_error(where.start, where.end, "the character class matches no character"));
  }
  return set;
}

namespace {

void skip_blanks(Reader& reader) {
  while (reader.peek() == ' ' || reader.peek() == '\t' || reader.peek() == '\n' || reader.peek() == '\r') {
    reader.skip(1);
  }
}

Result<std::uint32_t> token_id(Reader& reader) {
  const std::size_t first = reader.pos();
  std::uint64_t id = 0;
  for (; reader.peek() >= '0' && reader.peek() <= '9'; reader.skip(1)) {
    id = std::min<std::uint64_t>(id * 10 + static_cast<std::uint64_t>(reader.peek() - '0'), UINT32_MAX);
  }
  if (reader.pos() == first) {
    const std::size_t end = first + (reader.done() ? 0 : 1);
    return tl::unexpected(syntax_error(first, end, "expected a token id",
                                       "token sets are written `<[7]>` or `<[1-5, 9]>`, names `<name>`"));
  }
  if (id == UINT32_MAX) return tl::unexpected(syntax_error(first, reader.pos(), "token id out of range"));
  return static_cast<std::uint32_t>(id);
}

// Reads one id or a range of ids.
Result<std::pair<std::uint32_t, std::uint32_t>> token_ids(Reader& reader) {
  const std::size_t start = reader.pos();
  const Result<std::uint32_t> first = token_id(reader);
  if (!first) return tl::unexpected(first.error());
  const std::size_t end = reader.pos();
  skip_blanks(reader);
  if (reader.peek() != '-') return std::pair{*first, *first};
  reader.skip(1);
  skip_blanks(reader);
  const Result<std::uint32_t> last = token_id(reader);
  if (!last) return tl::unexpected(last.error());
  if (*last >= *first) return std::pair{*first, *last};
  return tl::unexpected(syntax_error(start, std::max(end, reader.pos()), "range of token ids goes backwards"));
}

// Reads a quoted name. Precondition: the closing quote exists.
Result<std::string> token_name(Reader& reader, std::string_view text) {
  const std::size_t start = reader.pos();
  reader.skip(1);
  while (!reader.done() && reader.peek() != '"') reader.skip(reader.peek() == '\\' ? 2 : 1);
  reader.skip(1);
  return literal_bytes(text, {start, reader.pos()});
}

}  // namespace

Result<grammar::TokenSet> token_set(std::string_view text, const Word& word) {
  const std::string_view written = text.substr(word.where.start, word.where.end - word.where.start);
  grammar::TokenSet set;
  set.name = written;
  set.where = word.where;
  set.complement = written.front() == '!';
  const std::size_t angle = set.complement ? 1 : 0;
  if (word.kind == WordKind::kTokenName) {
    set.names.emplace_back(written.substr(angle));  // the brackets are part of the name
    return set;
  }
  Reader reader(text, word.where.start + angle + 2, word.where.end - 2, Dialect::kWeir);
  for (;;) {
    skip_blanks(reader);
    if (reader.peek() == '"') {
      Result<std::string> name = token_name(reader, text);
      if (!name) return tl::unexpected(std::move(name.error()));
      set.names.push_back(std::move(*name));
    } else {
      const auto ids = token_ids(reader);
      if (!ids) return tl::unexpected(ids.error());
      set.ranges.push_back(*ids);
    }
    skip_blanks(reader);
    if (reader.done()) return set;
    if (reader.peek() != ',') {
      return tl::unexpected(syntax_error(reader.pos(), reader.pos() + 1, "expected `,` or `]>` in a token set"));
    }
    reader.skip(1);
  }
}

}  // namespace weir::frontend::ebnf
