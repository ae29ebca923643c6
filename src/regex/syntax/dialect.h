// Dialects of regular expressions, and their differences as data.
//
// WHY    Most constructs mean the same in every dialect. The differences are fields of DialectRules, so that parsers
//        test a field instead of comparing dialects, and a dialect is described in one place (dialect.cc). Only escapes
//        have code for each dialect (scanner.cc).
#ifndef WEIR_SRC_REGEX_SYNTAX_DIALECT_H_
#define WEIR_SRC_REGEX_SYNTAX_DIALECT_H_

#include <cstdint>

#include "regex/unicode/unicode.h"

namespace weir::regex {

/// Selects the meaning of constructs on which dialects differ.
enum class Dialect : std::uint8_t {
  kWeir,     ///< Weir's own: constructs that dialects read differently are refused.
  kEcma262,  ///< ECMA-262 with its annex B, and `\u{...}` and `\p{...}` as with flag u.
  kRust,     ///< Rust's regex crate.
  kPython,   ///< Python's re for patterns of type str.
  kPcre,     ///< PCRE2 with its option UTF.
};

/// The meaning of `{,n}` and of bounds with blanks, such as `{1, 2}`.
enum class OddBraces : std::uint8_t {
  kRefused,     ///< A syntax error.
  kCharacters,  ///< Literal characters.
  kNoMinimum,   ///< `{,n}` is `{0,n}`; bounds with blanks are literal characters.
};

struct DialectRules {
  ClassMeaning with_unicode = ClassMeaning::kUnicode;  ///< Meaning of `\d`, `\w`, `\s` and `\b` with flag u.
  ClassMeaning without_unicode = ClassMeaning::kEcma;  ///< The same without flag u.
  bool unicode = false;                                ///< Flag u is set at the beginning of a pattern.
  bool bytes_without_unicode = false;        ///< Without flag u, classes match bytes; only ASCII letters have cases.
  bool ascii_cases_without_unicode = false;  ///< Without flag u, flag i applies to ASCII letters only.
  bool line_feed_only = false;               ///< LF is the only line end of `.`, and of `^` and `$` with flag m.
  bool class_operations = false;             ///< Nested classes, `&&`, `--` and `~~` are available.
  bool leading_bracket_is_member = false;    ///< A `]` at the beginning of a class is a member: `[]a]`, `[^]a]`.
  bool blanks_in_classes_extended = false;   ///< Flag x ignores blanks in classes, too.
  bool stacked_quantifiers = false;          ///< `a**` is allowed, and `a++` is `(?:a+)+`.
  OddBraces odd_braces = OddBraces::kRefused;
  CaseMeaning cases = CaseMeaning::kUnicode;  ///< Which characters flag i makes equal.
  bool cases_of_sets = true;                  ///< Flag i also applies to `\w` and `\p{...}`.
  bool dollar_before_last_line_feed = false;  ///< Without flag m, `$` also matches before a final line feed.
  bool line_after_last_line_feed = true;      ///< With flag m, `^` also matches after a final line feed.
  bool possessive = false;                    ///< `a++` and `(?>...)` are available (first_match.h).
  bool not_boundary_needs_text = false;       ///< `\B` does not match in the empty text.
  bool ascii_blanks = false;                  ///< Flag x ignores ASCII blanks only.
  bool quoting = false;                       ///< `\Q...\E` is available.
  bool brackets_are_characters = false;       ///< `]` outside of classes and `[` in classes are always characters.
  bool posix_classes = true;                  ///< `[[:alpha:]]` is available.
  bool script_extensions = false;             ///< `\p{Greek}` is `\p{scx=Greek}`.
  bool surrogate_pairs = true;                ///< `\uD83D\uDE00` is one character.
  bool perl_groups = false;                   ///< `(?|...)`, `(?'name'...)`, `(?^i)` and flag U are available.
  bool ascii_flag = false;                    ///< Flag a clears flag u.
  const char* idle_flags = "";                ///< Flags that are ignored because they do not change the language.
};

const DialectRules& rules_of(Dialect dialect);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_DIALECT_H_
