#include "frontend/kbnf/text.h"

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"

namespace weir::frontend::kbnf {

namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

class Reader {
 public:
  Reader(std::string_view text, std::size_t pos, std::size_t end) : text_(text.substr(0, end)), pos_(pos) {}

  Result<Unquoted> run() {
    Unquoted out;
    while (pos_ < text_.size()) {
      const std::size_t start = pos_;
      if (peek() == '\\') {
        const bool is_octal_number = is_octal(peek(1)) && peek(1) != '0';
        const Result<char32_t> c = escape();
        if (!c) return tl::unexpected(c.error());
        if (is_octal_number) out.octal.push_back({start, pos_});
        base::append_utf8(out.text, *c);
      } else {
        out.text += text_[pos_++];
      }
      out.places.resize(out.text.size(), start);
    }
    out.places.push_back(pos_);
    return out;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }

  Result<char32_t> escape() {
    const std::size_t start = pos_;
    const char c = peek(1);
    pos_ = std::min(pos_ + 2, text_.size());
    switch (c) {
      case 't': return U'\t';
      case 'n': return U'\n';
      case 'r': return U'\r';
      case 'b': return U'\b';
      case 'f': return U'\f';
      case '\\':
      case '\'':
      case '"':
      case '/': return static_cast<char32_t>(c);
      case 'x': return hex(start, 2);
      case 'u': return peek() == '{' ? braced_hex(start) : hex(start, 4);
      default: break;
    }
    if (is_octal(c)) return octal(c);
    --pos_;
    pos_ += base::decode_utf8(text_, pos_).length;
    return unknown(start);
  }

  // Reads the rest of an octal escape whose first digit is `first`: at most three digits, and a value of at most 0377.
  char32_t octal(char first) {
    auto value = static_cast<char32_t>(first - '0');
    const int most = first <= '3' ? 3 : 2;
    for (int digits = 1; digits < most && is_octal(peek()); ++digits) {
      value = value * 8 + static_cast<char32_t>(text_[pos_++] - '0');
    }
    return value;
  }

  Result<char32_t> hex(std::size_t start, int digits) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i, ++pos_) {
      const int digit = base::hex_digit(peek());
      if (digit < 0) {
        return fail(start, "`" + std::string(text_.substr(start, 2)) + "` needs " + std::to_string(digits) +
                               " hexadecimal digits");
      }
      value = (value << 4) | static_cast<char32_t>(digit);
    }
    return checked(start, value);
  }

  Result<char32_t> braced_hex(std::size_t start) {
    const std::size_t close = text_.find('}', pos_);
    if (close == std::string_view::npos) return fail(start, "expected `{...}` after `\\u`");
    bool is_number = close > pos_ + 1;
    char32_t value = 0;
    for (++pos_; pos_ < close; ++pos_) {
      const int digit = base::hex_digit(peek());
      is_number = is_number && digit >= 0;
      if (value <= base::kMaxCodePoint) value = (value << 4) | static_cast<char32_t>(std::max(digit, 0));
    }
    ++pos_;
    return checked(start, is_number ? value : base::kMaxCodePoint + 1);
  }

  Result<char32_t> checked(std::size_t start, char32_t value) {
    if (value <= base::kMaxCodePoint && !base::is_surrogate(value)) return value;
    return fail(start,
                "`" + base::escape_for_display(text_.substr(start, pos_ - start)) +
                    (base::is_surrogate(value) ? "` is half of a surrogate pair" : "` is no code point"),
                "write the character itself, or `\\u{...}` with its code point");
  }

  // Returns the error for an unknown escape. The quoted text is unescaped before the pattern in it is parsed, so an
  // escape of the pattern is written with two backslashes. The hint says so.
  Result<char32_t> unknown(std::size_t start) {
    const std::string escape = base::escape_for_display(text_.substr(start, pos_ - start));
    return fail(start, "unknown escape `" + escape + "`",
                "a backslash itself is written `\\\\`: in a regular expression `\\" + escape + "`");
  }

  [[nodiscard]] Result<char32_t> fail(std::size_t start, std::string message, std::string hint = {}) const {
    return tl::unexpected(
        Error{ErrorCode::kSyntax, std::move(message), {start, std::max(pos_, start + 1)}, std::move(hint), {}});
  }

  std::string_view text_;
  std::size_t pos_;
};

}  // namespace

Result<Unquoted> unquote(std::string_view grammar, SourceRange where) {
  const std::size_t quote = grammar.find_first_of("\"'", where.start);
  return Reader(grammar, quote + 1, where.end - 1).run();
}

}  // namespace weir::frontend::kbnf
