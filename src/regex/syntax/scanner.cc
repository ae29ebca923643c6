#include "regex/syntax/scanner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/escape.h"

namespace weir::regex {

namespace {

Escape code_point_escape(char32_t code_point) { return {.code_point = code_point}; }

/// Escapes of other dialects that are refused, with a hint what to write instead.
struct Foreign {
  char letter;
  ErrorCode code;
  const char* message;
  const char* hint;
};
constexpr Foreign kForeign[] = {
    {'a', ErrorCode::kSyntax, "unknown escape `\\a`", "for the bell character write `\\x07`"},
    {'e', ErrorCode::kSyntax, "unknown escape `\\e`", "for the escape character write `\\x1B`"},
    {'h', ErrorCode::kSyntax, "unknown escape `\\h`", "for horizontal blanks write `[\\t\\p{Zs}]`"},
    {'H', ErrorCode::kSyntax, "unknown escape `\\H`", "for anything but horizontal blanks write `[^\\t\\p{Zs}]`"},
    {'N', ErrorCode::kSyntax, "unknown escape `\\N`", "for anything but a line end write `[^\\n]`"},
    {'R', ErrorCode::kSyntax, "unknown escape `\\R`", "for a line end write `(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])`"},
    {'V', ErrorCode::kSyntax, "unknown escape `\\V`",
     "for anything but a line end write `[^\\n-\\r\\x85\\u2028\\u2029]`"},
    {'Q', ErrorCode::kUnsupported, "quoting with `\\Q...\\E` is not supported", "escape each special character"},
    {'E', ErrorCode::kUnsupported, "quoting with `\\Q...\\E` is not supported", "escape each special character"},
    {'X', ErrorCode::kUnsupported, "`\\X` (a grapheme cluster) is not supported", ""},
    {'C', ErrorCode::kUnsupported, "`\\C` (one byte) is not supported: patterns are about characters",
     "write `(?s:.)`"},
    {'K', ErrorCode::kUnsupported, "`\\K` is not supported: a language has no start of a match to move",
     "write a look-behind, `(?<=...)`"},
    {'G', ErrorCode::kUnsupported, "`\\G` is not supported: there is no previous match", "write `^` or `\\A`"},
};

constexpr CodePointRange kHorizontal[] = {{'\t', '\t'},     {' ', ' '},       {0xA0, 0xA0},
                                          {0x1680, 0x1680}, {0x180E, 0x180E}, {0x2000, 0x200A},
                                          {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
constexpr CodePointRange kVertical[] = {{'\n', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}};

/// Returns the set of a property that PCRE2 alone has.
std::optional<CodePointSet> pcre_property(std::string_view name) {
  const auto is = [&](char second, char third) {
    return name.size() == 3 && (name[0] | ' ') == 'x' && (name[1] | ' ') == second && (name[2] | ' ') == third;
  };
  if (is('p', 's') || is('s', 'p')) return CodePointSet(kHorizontal) | CodePointSet(kVertical);
  if (is('w', 'd')) return word_characters(ClassMeaning::kPython);
  if (is('a', 'n')) return word_characters(ClassMeaning::kPython) - CodePointSet::of('_');
  if (is('u', 'c')) {
    return CodePointSet::of('$') | CodePointSet::of('@') | CodePointSet::of('`') | CodePointSet::range(0xA0, 0x10FFFF);
  }
  return std::nullopt;
}

}  // namespace

void Scanner::follow(Dialect dialect) {
  dialect_ = dialect;
  if (dialect == Dialect::kEcma262) ecma_ = count_groups(pattern_);
}

Result<char32_t> Scanner::take_code_point() {
  const base::Decoded decoded = base::decode_utf8(pattern_, pos_);
  if (decoded.length == 0) return syntax_error({pos_, pos_ + 1}, "the pattern is not valid UTF-8");
  pos_ += decoded.length;
  return decoded.code_point;
}

Result<Escape> Scanner::take_escape(Place place, const Flags& flags) {
  const std::size_t start = pos_;
  ++pos_;
  if (at_end()) return syntax_error(since(start), "the pattern ends with a backslash", "for a backslash write `\\\\`");
  const auto c = static_cast<unsigned char>(byte());
  if (c >= 0x80) {
    const auto code_point = take_code_point();
    if (!code_point) return tl::unexpected(code_point.error());
    if (dialect_ != Dialect::kWeir && dialect_ != Dialect::kRust) return code_point_escape(*code_point);
    return syntax_error(since(start), join({"unknown escape `", text_since(start), "`"}),
                        "write the character without the backslash");
  }
  ++pos_;
  const char letter = static_cast<char>(c);
  if (is_ecma()) {
    if (std::optional<Result<Escape>> escape = take_ecma_escape(letter, start, place)) return *std::move(escape);
  }
  if (dialect_ == Dialect::kRust) {
    if (std::optional<Result<Escape>> escape = take_rust_escape(letter, start, place, flags)) return *std::move(escape);
  }
  if (dialect_ == Dialect::kPython) {
    if (std::optional<Result<Escape>> escape = take_python_escape(letter, start, place)) return *std::move(escape);
  }
  if (dialect_ == Dialect::kPcre) {
    if (std::optional<Result<Escape>> escape = take_pcre_escape(letter, start, place)) return *std::move(escape);
  }
  if (is_digit(letter)) return take_digit(letter, start, place);
  if (is_letter(letter)) return take_escaped_letter(letter, start, place, flags);
  return code_point_escape(c);
}

Result<Escape> Scanner::take_escaped_letter(char letter, std::size_t start, Place place, const Flags& flags) {
  const auto assertion = [&](Escape::Kind kind) -> Result<Escape> {
    if (place == Place::kOutside) return Escape{.kind = kind};
    return syntax_error(since(start), join({"`", text_since(start), "` is no character and cannot stand in a class"}));
  };
  switch (letter) {
    case 'n': return code_point_escape('\n');
    case 'r': return code_point_escape('\r');
    case 't': return code_point_escape('\t');
    case 'f': return code_point_escape('\f');
    case 'v': return code_point_escape('\v');
    case 'd': return take_set("d", false, flags);
    case 'D': return take_set("d", true, flags);
    case 'w': return take_set("w", false, flags);
    case 'W': return take_set("w", true, flags);
    case 's': return take_set("s", false, flags);
    case 'S': return take_set("s", true, flags);
    case 'p': return take_property(false, start, flags);
    case 'P': return take_property(true, start, flags);
    case 'x':
    case 'u':
    case 'U': return take_hex(letter, start, place);
    case 'c': return take_control(start);
    case 'b': return place == Place::kInClass ? code_point_escape('\b') : assertion(Escape::Kind::kWordBoundary);
    case 'B': return assertion(Escape::Kind::kNotWordBoundary);
    case 'A': return assertion(Escape::Kind::kTextStart);
    case 'z': return assertion(Escape::Kind::kTextEnd);
    case 'Z': return assertion(Escape::Kind::kFinalLineEnd);
    default: return refuse_letter(letter, start);
  }
}

Result<Escape> Scanner::take_hex(char letter, std::size_t start, Place place) {
  Result<char32_t> value = 0;
  if (is('{') && (letter != 'U' || dialect_ == Dialect::kRust)) {
    value = take_braced_hex(start);
  } else {
    value = take_fixed_hex(letter == 'x' ? 2 : letter == 'u' ? 4 : 8, start);
  }
  if (!value) return tl::unexpected(value.error());
  if (letter == 'u' && rules().surrogate_pairs && base::is_high_surrogate(*value) && pattern_[start + 2] != '{' &&
      is("\\u") && !is('{', 2)) {
    const std::size_t second = pos_;
    pos_ += 2;
    const Result<char32_t> low = take_fixed_hex(4, second);
    if (low && base::is_low_surrogate(*low)) return code_point_escape(base::join_surrogates(*value, *low));
    pos_ = second;
  }
  return numbered(*value, start, place);
}

/// Returns the escape for the character with this number.
Result<Escape> Scanner::numbered(char32_t value, std::size_t start, Place place) const {
  if (value > base::kMaxCodePoint) {
    return syntax_error(since(start), "there is no such character: code points end at U+10FFFF");
  }
  if (place == Place::kOutside && base::is_surrogate(value)) {
    if (is_ecma()) return Escape{.kind = Escape::Kind::kSet};  // the empty set of characters
    return syntax_error(since(start), "a surrogate by itself is no character and never occurs in text",
                        "write the pair, `\\uD83D\\uDE00`, or the code point, `\\u{1F600}`");
  }
  return code_point_escape(value);
}

Result<char32_t> Scanner::take_braced_hex(std::size_t start) {
  ++pos_;
  std::uint32_t value = 0;
  const std::size_t first = pos_;
  for (int digit = 0; (digit = base::hex_digit(byte())) >= 0; ++pos_) {
    if (value <= base::kMaxCodePoint) value = value * 16 + static_cast<std::uint32_t>(digit);  // a larger one stays so
  }
  if (pos_ == first || !take('}')) {
    if (!at_end()) ++pos_;
    return syntax_error({start, std::min(pos_, size())}, "hexadecimal digits and `}` are expected in the escape",
                        "write `\\u{1F600}`, say");
  }
  return value;
}

Result<char32_t> Scanner::take_fixed_hex(std::size_t digits, std::size_t start) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < digits; ++i, ++pos_) {
    const int digit = base::hex_digit(byte());
    if (digit < 0) {
      const std::string letter(1, pattern_[start + 1]);
      return syntax_error(
          since(start), join({"`\\" + letter + "` needs " + std::to_string(digits) + " hexadecimal digits"}),
          letter == "U" ? std::string() : join({"or write `\\" + letter + "{...}` with any number of digits"}));
    }
    value = (value << 4) | static_cast<std::uint32_t>(digit);  // no overflow: at most eight digits
  }
  return value;
}

Result<Escape> Scanner::take_property(bool negated, std::size_t start, const Flags& flags) {
  std::size_t name = pos_;
  std::size_t length = 1;
  if (take('{')) {
    length = rest().find('}');
    if (length == std::string_view::npos) {
      return syntax_error(since(start), join({"`", text_since(start), "` is not closed"}),
                          "add `}` after the property's name");
    }
    if (is('^')) ++pos_, --length, negated = !negated;
    name = pos_;
    pos_ += length + 1;
  } else if (is_letter(byte())) {
    ++pos_;
  } else {
    return syntax_error(since(start), join({"a property is expected after `", text_since(start), "`"}),
                        "write `\\p{Letter}` or `\\p{Script=Greek}`, say");
  }
  if (negated && flags.is_bytes()) return refuse_bytes(since(start));
  if (rules().script_extensions) {
    if (std::optional<CodePointSet> own = pcre_property(pattern_.substr(name, length))) {
      return Escape{.kind = Escape::Kind::kSet, .set = negated ? ~*own : *std::move(own)};
    }
  }
  Result<Escape> escape = take_set(join({"p", pattern_.substr(name, length)}), negated, flags);
  if (!escape) {
    SourceRange& where = escape.error().where;
    where = {name + where.start, name + where.end};
  }
  return escape;
}

/// Returns the escape for the set `name`: "d", "w", "s", or "p" followed by the name of a property.
Result<Escape> Scanner::take_set(std::string_view name, bool negated, const Flags& flags) {
  std::string key = join({flags.ignore_case ? "i" : "-", flags.unicode ? "u" : "-", name});
  auto known = sets_.find(key);
  if (known == sets_.end()) {
    Result<CodePointSet> set = name[0] == 'd'   ? digit_characters(flags.meaning())
                               : name[0] == 'w' ? word_characters(flags.meaning())
                               : name[0] == 's' ? space_characters(flags.meaning())
                                                : unicode_property(name.substr(1));
    if (name[0] == 'p' && rules().script_extensions) {
      if (Result<CodePointSet> script = unicode_property(join({"scx=", name.substr(1)}))) set = std::move(script);
    }
    if (!set) return tl::unexpected(std::move(set.error()));
    if (sets_.size() >= kMaxSets) sets_.clear();
    known = sets_.emplace(std::move(key), flags.fold_named(*set)).first;
  }
  return Escape{.kind = Escape::Kind::kSet, .set = negated ? ~known->second : known->second};
}

Result<Escape> Scanner::take_control(std::size_t start) {
  if (!is_letter(byte())) {
    return syntax_error(since(start), "a letter is expected after `\\c`", "write `\\cJ` for a line feed, say");
  }
  const auto letter = static_cast<unsigned char>(byte());
  ++pos_;
  return code_point_escape(letter & 0x1FU);
}

Result<Escape> Scanner::take_digit(char digit, std::size_t start, Place place) {
  const bool more = is_digit(byte());
  while (is_digit(byte())) ++pos_;
  if (digit == '0' && !more) return code_point_escape(0);
  if (digit == '0' || place == Place::kInClass) {
    return syntax_error(since(start), "octal escapes are not supported", "write `\\x` and two hexadecimal digits");
  }
  return unsupported_error(since(start),
                           join({"the back-reference `", text_since(start), "` is not supported: it is not regular"}),
                           "for a character write `\\x` and two hexadecimal digits");
}

/// Skips the name or number of a reference. Precondition: after `\k` or `\g`.
void Scanner::skip_reference() {
  const char open = byte();
  const char close = open == '<' ? '>' : open == '{' ? '}' : open == '\'' ? '\'' : '\0';
  if (close != '\0') {
    const std::size_t end = rest().find(close, 1);
    if (end != std::string_view::npos) pos_ += end + 1;
    return;
  }
  if (is('-') || is('+')) ++pos_;
  while (is_digit(byte())) ++pos_;
}

Result<Escape> Scanner::refuse_letter(char letter, std::size_t start) {
  if (letter == 'k' || letter == 'g') {
    skip_reference();
    return unsupported_error(
        since(start), join({"the back-reference `", text_since(start), "` is not supported: it is not regular"}));
  }
  for (const Foreign& foreign : kForeign) {
    if (foreign.letter == letter)
      return tl::unexpected(Error{foreign.code, foreign.message, since(start), foreign.hint, {}});
  }
  return syntax_error(since(start), join({"unknown escape `", text_since(start), "`"}),
                      "for the letter itself write it without the backslash");
}

// --- ECMA-262 ---
//
// Escapes without flag u, by annex B (section B.1.2): nearly every unknown escape stands for the escaped character.
// Exception: `\u{...}` and `\p{...}` are read as with flag u. By annex B, `\u{60}` would be sixty letters u, which no
// pattern intends.

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

/// Parses an escape, after the backslash and `letter`. Returns nullopt and does not move if it is not special in this
/// dialect.
std::optional<Result<Escape>> Scanner::take_ecma_escape(char letter, std::size_t start, Place place) {
  if (is_digit(letter)) return take_octal(start, place);
  if (!is_letter(letter)) return std::nullopt;
  const bool in_class = place == Place::kInClass;
  const auto has_hex = [&](std::size_t digits) {
    std::size_t i = 0;
    while (i < digits && base::hex_digit(byte(i)) >= 0) ++i;
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
      --pos_;  // the backslash and the `c` are two characters
      return character('\\');
    case 'k':
      if (ecma_->has_names) return std::nullopt;
      break;
    default: break;
  }
  return character(static_cast<unsigned char>(letter));
}

/// Parses an escape, after its first digit. A number is a reference if the pattern has such a group. Otherwise up to
/// three octal digits, at most 0377, are a character, and `\8` and `\9` stand for the digits.
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

// --- PCRE2 ---

namespace {

Result<Escape> set_escape(CodePointSet set) { return Escape{.kind = Escape::Kind::kSet, .set = std::move(set)}; }

}  // namespace

/// Parses an escape, after the backslash and `letter`. Returns nullopt and does not move if it is not special in this
/// dialect, or is a reference.
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
        pos_ += 2;  // to the `+`, which take_braced_hex() skips like a brace
        const Result<char32_t> value = take_braced_hex(start);
        if (!value) return tl::unexpected(value.error());
        return numbered(*value, start, Place::kOutside);
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
      if (pos_ > first && take('}') && value <= base::kMaxCodePoint && !base::is_surrogate(value)) {
        return Escape{.code_point = value};
      }
      return syntax_error(since(start), "octal digits of a code point and `}` are expected in the escape",
                          "write `\\o{101}`, say");
    }
    default: return std::nullopt;
  }
}

/// Parses `\x` with at most two hexadecimal digits, or with braces. Without digits it is NUL.
Result<Escape> Scanner::take_pcre_hex(std::size_t start) {
  if (is('{')) return take_hex('x', start, Place::kOutside);
  char32_t value = 0;
  for (int digits = 0; digits < 2 && base::hex_digit(byte()) >= 0; ++digits, ++pos_) {
    value = value * 16 + static_cast<char32_t>(base::hex_digit(byte()));
  }
  return Escape{.code_point = value};
}

/// Parses an escape, after its first digit. Outside of classes, a number is a reference if it is below 10, begins with
/// 8 or 9, or is at most the number of groups before it. Otherwise up to three octal digits are a character.
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

// --- Python ---

/// Parses an escape, after the backslash and `letter`. Returns nullopt and does not move if it is not special in this
/// dialect, or is a reference.
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
  // A number is an octal escape of up to three digits if its first three digits are octal, if it begins with zero, or
  // if it is in a class. Other numbers are references.
  const bool three = is_octal(byte()) && is_octal(byte(1));
  if (letter != '0' && place == Place::kOutside && !three) return std::nullopt;
  auto value = static_cast<char32_t>(letter - '0');
  for (int digits = 1; digits < 3 && is_octal(byte()); ++digits, ++pos_) {
    value = value * 8 + static_cast<char32_t>(byte() - '0');
  }
  if (value <= 0377) return Escape{.code_point = value};
  return syntax_error(since(start), "an octal escape is at most `\\377`", "write `\\uHHHH`");
}

// --- Rust ---

tl::unexpected<Error> refuse_bytes(SourceRange where) {
  return unsupported_error(where, "without flag u this matches single bytes, which are no characters",
                           "leave out `-u`, or name the characters: `[\\x00-\\x7F]` are those of ASCII");
}

/// Parses an escape, after the backslash and `letter`. Returns nullopt and does not move if it is not special in this
/// dialect.
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
      // \x80 to \xFF: a single byte that is not a character.
      if (flags.is_bytes() && !is('{') && !at_end() && byte() >= '8') {
        pos_ = std::min(pos_ + 2, size());
        return refuse_bytes(since(start));
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace weir::regex
