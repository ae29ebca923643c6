// Dialects of regular expressions, and what they disagree about, as data.
//
// WHY    Most of a pattern means the same everywhere. What does not is a row of switches for the parsers, so that none
//        of them compares dialects, and a dialect can be read off one place. Escapes alone have code by dialect
//        (scanner.cc, scanner.cc, scanner.cc, scanner.cc).
#ifndef WEIR_SRC_REGEX_SYNTAX_DIALECT_H_
#define WEIR_SRC_REGEX_SYNTAX_DIALECT_H_

#include <cstdint>

#include "regex/unicode/unicode.h"

namespace weir::regex {

/// Where texts of one spelling mean different things.
enum class Dialect : std::uint8_t {
  kWeir,     ///< What dialects disagree about is refused.
  kEcma262,  ///< As ECMA-262 reads it with its annex B, but `\u{...}` and `\p{...}` as with flag u.
  kRust,     ///< As Rust's regex crate reads it.
  kPython,   ///< As Python's re reads a str.
  kPcre,     ///< As PCRE2 reads it with its option UTF.
};

/// What `{,n}`, and bounds with blanks, are.
enum class OddBraces : std::uint8_t {
  kRefused,
  kCharacters,
  kNoLeast,  ///< `{,n}` is `{0,n}`; with blanks they are characters.
};

struct DialectRules {
  ClassMeaning with_unicode = ClassMeaning::kUnicode;  ///< Of `\d`, `\w`, `\s` and `\b` with flag u,
  ClassMeaning without_unicode = ClassMeaning::kEcma;  ///< and without.
  bool unicode = false;                                ///< Flag u at the beginning.
  bool bytes_without_unicode = false;        ///< Without flag u classes are of bytes, and case is that of ASCII.
  bool ascii_cases_without_unicode = false;  ///< Without flag u flag i is about ASCII's letters.
  bool line_feed_only = false;               ///< `.`, and `^` and `$` with flag m, know LF as a line end alone.
  bool class_operations = false;             ///< Classes in classes, `&&`, `--`, `~~`.
  bool leading_bracket_is_member = false;    ///< `[]a]` and `[^]a]`.
  bool blanks_in_classes_extended = false;   ///< With flag x blanks in classes are left out, too.
  bool stacked_quantifiers = false;          ///< `a**`, and `a++` is `(?:a+)+`.
  OddBraces odd_braces = OddBraces::kRefused;
  CaseMeaning cases = CaseMeaning::kUnicode;  ///< Which characters flag i makes equal.
  bool cases_of_sets = true;                  ///< Flag i applies to `\w`, `\p{...}` and `[:alpha:]`, too.
  bool dollar_before_last_line_feed = false;  ///< `$` holds there without flag m, too.
  bool line_behind_last_line_feed = true;     ///< With flag m `^` holds there.
  bool possessive = false;                    ///< `a++` and `(?>...)`, where they can be said otherwise.
  bool inside_needs_text = false;             ///< `\B` does not hold in the empty text.
  bool ascii_blanks = false;                  ///< Flag x leaves out those of ASCII alone.
  bool quoting = false;                       ///< `\Q...\E`.
  bool brackets_are_characters = false;       ///< `]` outside of classes, and `[` in them, wherever they stand.
  bool posix_classes = true;                  ///< `[[:alpha:]]`.
  bool script_extensions = false;             ///< `\p{Greek}` is `\p{scx=Greek}`.
  bool surrogate_pairs = true;                ///< `\uD83D\uDE00` is one character.
  bool perl_groups = false;                   ///< `(?|...)`, about numbers of groups only; `(?'name'...)`; `(?^i)`.
  bool ascii_flag = false;                    ///< Flag a takes flag u back.
  const char* idle_flags = "";                ///< Flags that mean nothing to a language.
};

const DialectRules& rules_of(Dialect dialect);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_DIALECT_H_
