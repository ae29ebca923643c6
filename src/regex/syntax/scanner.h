// Scanner: a position in a pattern, and the parser of escapes. The parsers of patterns and of classes use it.
#ifndef WEIR_SRC_REGEX_SYNTAX_SCANNER_H_
#define WEIR_SRC_REGEX_SYNTAX_SCANNER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "regex/syntax/dialect.h"
#include "regex/syntax/parser_error.h"
#include "regex/unicode/code_point_set.h"
#include "regex/unicode/unicode.h"
#include "weir/error.h"

namespace weir::regex {

/// The flags that are in effect at a position of a pattern.
struct Flags {
  bool ignore_case = false;
  bool multi_line = false;
  bool dot_all = false;
  bool extended = false;
  bool unicode = false;
  bool ungreedy = false;  ///< Quantifiers are lazy, and those followed by `?` are greedy.
  const DialectRules* rules = &rules_of(Dialect::kWeir);

  [[nodiscard]] ClassMeaning meaning() const { return unicode ? rules->with_unicode : rules->without_unicode; }
  /// Returns true if classes match single bytes, and only ASCII letters have cases.
  [[nodiscard]] bool is_bytes() const { return rules->bytes_without_unicode && !unicode; }
  /// Returns what a class with the members `set` matches: under flag i, also their case variants.
  [[nodiscard]] CodePointSet fold(CodePointSet set) const {
    if (!ignore_case) return set;
    return has_ascii_cases() ? ascii_case_closure(set) : case_closure(set, rules->cases);
  }
  /// Returns the same for a named set, such as `\w`, to which flag i does not apply in every dialect.
  [[nodiscard]] CodePointSet fold_named(CodePointSet set) const {
    return rules->cases_of_sets ? fold(std::move(set)) : set;
  }
  [[nodiscard]] bool has_ascii_cases() const {
    return !unicode && (rules->bytes_without_unicode || rules->ascii_cases_without_unicode);
  }
  /// Returns the characters that end a line for `.`, `^` and `$`.
  [[nodiscard]] CodePointSet line_ends() const {
    return rules->line_feed_only ? CodePointSet::of('\n') : line_terminators();
  }
};

/// The meaning of an escape.
struct Escape {
  enum class Kind : std::uint8_t {
    kCodePoint,
    kSet,
    kTextStart,        // \A
    kTextEnd,          // \z
    kFinalLineEnd,     // \Z
    kWordBoundary,     // \b
    kNotWordBoundary,  // \B
    kLineBreak,        // \R: CR LF, which is never split, or one of PCRE's line ends
  };
  Kind kind = Kind::kCodePoint;
  char32_t code_point = 0;  ///< May be a surrogate in a class, but not outside of classes.
  CodePointSet set = {};    ///< Under flag i, includes case variants.
};

class Scanner {
 public:
  explicit Scanner(std::string_view pattern, std::size_t pos = 0) : pattern_(pattern), pos_(pos) {}

  /// Selects the dialect in which escapes are read.
  void follow(Dialect dialect);
  [[nodiscard]] bool is_ecma() const { return ecma_.has_value(); }
  [[nodiscard]] const DialectRules& rules() const { return rules_of(dialect_); }

  [[nodiscard]] bool at_end() const { return pos_ >= pattern_.size(); }
  [[nodiscard]] std::size_t pos() const { return pos_; }
  [[nodiscard]] std::size_t size() const { return pattern_.size(); }
  void set_pos(std::size_t pos) { pos_ = pos; }
  void advance(std::size_t bytes) { pos_ += bytes; }
  [[nodiscard]] SourceRange since(std::size_t start) const { return {start, pos_}; }
  /// Returns the text from `start` to the current position, escaped for messages.
  [[nodiscard]] std::string text_since(std::size_t start) const {
    return base::escape_for_display(pattern_.substr(start, pos_ - start));
  }
  [[nodiscard]] std::string_view rest() const { return pattern_.substr(pos_); }

  /// Returns true if the byte at `offset` from the current position exists and equals `byte`.
  [[nodiscard]] bool is(char byte, std::size_t offset = 0) const {
    return offset < pattern_.size() - pos_ && pattern_[pos_ + offset] == byte;
  }
  [[nodiscard]] bool is(std::string_view text) const { return rest().substr(0, text.size()) == text; }
  /// Returns the byte at `offset` from the current position; 0 after the end.
  [[nodiscard]] char byte(std::size_t offset = 0) const {
    return offset < pattern_.size() - pos_ ? pattern_[pos_ + offset] : '\0';
  }
  bool take(char byte) {
    if (!is(byte)) return false;
    ++pos_;
    return true;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    pos_ += text.size();
    return true;
  }
  /// Reads one code point. Errors: kSyntax (not valid UTF-8). Precondition: !at_end().
  Result<char32_t> take_code_point();

  enum class Place : std::uint8_t { kOutside, kInClass };
  /// Parses an escape. Precondition: at a backslash. Leaves the position after the escape; unspecified on error.
  Result<Escape> take_escape(Place place, const Flags& flags);

 private:
  /// Facts about the whole pattern on which the meaning of an escape depends.
  struct EcmaGroups {
    std::uint32_t count = 0;
    bool has_names = false;
  };

  // ECMA-262 and, for count_groups(), PCRE2.
  [[nodiscard]] static EcmaGroups count_groups(std::string_view pattern);
  std::optional<Result<Escape>> take_ecma_escape(char letter, std::size_t start, Place place);
  std::optional<Result<Escape>> take_octal(std::size_t start, Place place);
  // Rust.
  std::optional<Result<Escape>> take_rust_escape(char letter, std::size_t start, Place place, const Flags& flags);

  // Python.
  std::optional<Result<Escape>> take_python_escape(char letter, std::size_t start, Place place);
  // PCRE2.
  std::optional<Result<Escape>> take_pcre_escape(char letter, std::size_t start, Place place);
  std::optional<Result<Escape>> take_pcre_number(char digit, std::size_t start, Place place);
  Result<Escape> take_pcre_hex(std::size_t start);

  Result<Escape> take_escaped_letter(char letter, std::size_t start, Place place, const Flags& flags);
  Result<Escape> take_hex(char letter, std::size_t start, Place place);
  [[nodiscard]] Result<Escape> numbered(char32_t value, std::size_t start, Place place) const;
  Result<char32_t> take_braced_hex(std::size_t start);
  Result<char32_t> take_fixed_hex(std::size_t digits, std::size_t start);
  Result<Escape> take_set(std::string_view name, bool negated, const Flags& flags);
  Result<Escape> take_property(bool negated, std::size_t start, const Flags& flags);
  Result<Escape> take_control(std::size_t start);
  Result<Escape> take_digit(char digit, std::size_t start, Place place);
  Result<Escape> refuse_letter(char letter, std::size_t start);
  void skip_reference();

  /// Sets are cached, because looking up and folding a property takes up to a millisecond. The cache is small, because
  /// a few bytes of pattern can name a set of some kilobytes.
  static constexpr std::size_t kMaxSets = 64;

  std::string_view pattern_;
  std::size_t pos_;
  std::map<std::string, CodePointSet> sets_ = {};
  Dialect dialect_ = Dialect::kWeir;
  std::optional<EcmaGroups> ecma_ = {};
};

/// Returns the error for a class that, without flag u, matches bytes that are not characters.
tl::unexpected<Error> refuse_bytes(SourceRange where);

constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SCANNER_H_
