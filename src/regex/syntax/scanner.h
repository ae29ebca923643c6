// Scanner: a place in a pattern, and the escapes that may stand there. Used by the parsers of patterns and of classes.
#ifndef WEIR_SRC_REGEX_SYNTAX_SCANNER_H_
#define WEIR_SRC_REGEX_SYNTAX_SCANNER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "regex/syntax/dialect.h"
#include "regex/syntax/parser_error.h"
#include "regex/unicode/code_point_set.h"
#include "regex/unicode/unicode.h"
#include "weir/error.h"

namespace weir::regex {

/// The flags in force at a place of a pattern.
struct Flags {
  bool ignore_case = false;
  bool multi_line = false;
  bool dot_all = false;
  bool extended = false;
  bool unicode = false;
  bool ungreedy = false;  ///< Quantifiers are lazy, and those with a `?` greedy.
  const DialectRules* rules = &rules_of(Dialect::kWeir);

  [[nodiscard]] ClassMeaning meaning() const { return unicode ? rules->with_unicode : rules->without_unicode; }
  /// Whether classes are of single bytes, and only ASCII's letters have two cases.
  [[nodiscard]] bool is_bytes() const { return rules->bytes_without_unicode && !unicode; }
  /// What a class matches that names the members of `set`.
  [[nodiscard]] CodePointSet fold(const CodePointSet& set) const {
    if (!ignore_case) return set;
    return has_ascii_cases() ? ascii_case_closure(set) : case_closure(set, rules->cases);
  }
  /// The same of a set with a name.
  [[nodiscard]] CodePointSet fold_named(const CodePointSet& set) const {
    return rules->cases_of_sets ? fold(set) : set;
  }
  [[nodiscard]] bool has_ascii_cases() const {
    return !unicode && (rules->bytes_without_unicode || rules->ascii_cases_without_unicode);
  }
  /// The line ends of `.`, `^` and `$`.
  [[nodiscard]] CodePointSet line_ends() const {
    return rules->line_feed_only ? CodePointSet::of('\n') : line_terminators();
  }
};

/// What a backslash and the characters behind it stand for.
struct Escape {
  enum class Kind : std::uint8_t {
    kCodePoint,
    kSet,
    kTextStart,        // \A
    kTextEnd,          // \z
    kFinalLineEnd,     // \Z
    kWordBoundary,     // \b
    kNotWordBoundary,  // \B
    kLineBreak,        // \R: CR LF, which is taken whole, or one of PCRE's line ends
  };
  Kind kind = Kind::kCodePoint;
  char32_t code_point = 0;  ///< May be a surrogate in a class, never outside of one.
  CodePointSet set = {};    ///< Case is ignored already where flags say so.
};

class Scanner {
 public:
  explicit Scanner(std::string_view pattern, std::size_t pos = 0) : pattern_(pattern), pos_(pos) {}

  /// Reads escapes as `dialect` does.
  void follow(Dialect dialect);
  [[nodiscard]] bool is_ecma() const { return ecma_.has_value(); }
  [[nodiscard]] const DialectRules& rules() const { return rules_of(dialect_); }

  [[nodiscard]] bool at_end() const { return pos_ >= pattern_.size(); }
  [[nodiscard]] std::size_t pos() const { return pos_; }
  [[nodiscard]] std::size_t size() const { return pattern_.size(); }
  void set_pos(std::size_t pos) { pos_ = pos; }
  void advance(std::size_t bytes) { pos_ += bytes; }
  [[nodiscard]] SourceRange since(std::size_t start) const { return {start, pos_}; }
  /// For messages.
  [[nodiscard]] std::string text_since(std::size_t start) const {
    return base::escape_for_display(pattern_.substr(start, pos_ - start));
  }
  [[nodiscard]] std::string_view rest() const { return pattern_.substr(pos_); }

  /// Whether the byte at `offset` from here is there and equal to `byte`.
  [[nodiscard]] bool is(char byte, std::size_t offset = 0) const {
    return offset < pattern_.size() - pos_ && pattern_[pos_ + offset] == byte;
  }
  [[nodiscard]] bool is(std::string_view text) const { return rest().substr(0, text.size()) == text; }
  /// The byte at `offset` from here; 0 behind the end.
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
  /// Error: kSyntax, not valid UTF-8. Precondition: !at_end().
  Result<char32_t> take_code_point();

  enum class Place : std::uint8_t { kOutside, kInClass };
  /// Precondition: at a backslash. Afterwards behind the escape, or anywhere on error.
  Result<Escape> take_escape(Place place, const Flags& flags);

 private:
  /// What the meaning of an escape depends on, anywhere in the pattern.
  struct EcmaGroups {
    std::uint32_t count = 0;
    bool has_names = false;
  };

  // scanner.cc
  [[nodiscard]] static EcmaGroups count_groups(std::string_view pattern);
  std::optional<Result<Escape>> take_ecma_escape(char letter, std::size_t start, Place place);
  std::optional<Result<Escape>> take_octal(std::size_t start, Place place);
  // scanner.cc
  std::optional<Result<Escape>> take_rust_escape(char letter, std::size_t start, Place place, const Flags& flags);

  // scanner.cc
  std::optional<Result<Escape>> take_python_escape(char letter, std::size_t start, Place place);
  // scanner.cc
  std::optional<Result<Escape>> take_pcre_escape(char letter, std::size_t start, Place place);
  std::optional<Result<Escape>> take_pcre_number(char digit, std::size_t start, Place place);
  Result<Escape> take_pcre_hex(std::size_t start);

  Result<Escape> take_escaped_letter(char letter, std::size_t start, Place place, const Flags& flags);
  Result<Escape> take_hex(char letter, std::size_t start, Place place);
  Result<char32_t> take_braced_hex(std::size_t start);
  Result<char32_t> take_fixed_hex(std::size_t digits, std::size_t start);
  Result<Escape> take_set(std::string_view name, bool negated, const Flags& flags);
  Result<Escape> take_property(bool negated, std::size_t start, const Flags& flags);
  Result<Escape> take_control(std::size_t start);
  Result<Escape> take_digit(char digit, std::size_t start, Place place);
  Result<Escape> refuse_letter(char letter, std::size_t start);
  void skip_reference();

  /// Sets are kept, because a property takes up to a millisecond to look up and fold; not too many, because a few bytes
  /// of pattern name a set of some kilobytes.
  static constexpr std::size_t kMaxSets = 64;

  std::string_view pattern_;
  std::size_t pos_;
  std::map<std::string, CodePointSet> sets_ = {};
  Dialect dialect_ = Dialect::kWeir;
  std::optional<EcmaGroups> ecma_ = {};
};

/// Without flag u a class may be of bytes that are no characters.
tl::unexpected<Error> refuse_bytes(SourceRange where);

constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }
constexpr bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SCANNER_H_
