// Dialects of regular expressions, and what they disagree about, as data.
//
// WHY    Most of a pattern means the same everywhere. What does not is a row of switches for the parsers, so that none
//        of them compares dialects, and a dialect can be read off one place. Escapes alone have code by dialect
//        (parser_scanner_ecma.cc).
#ifndef WEIR_SRC_REGEX_DIALECT_H_
#define WEIR_SRC_REGEX_DIALECT_H_

#include <cstdint>

#include "regex/unicode.h"

namespace weir::regex {

/// Where texts of one spelling mean different things.
enum class Dialect : std::uint8_t {
  kWeir,     ///< What dialects disagree about is refused.
  kEcma262,  ///< As ECMA-262 reads it with its annex B, but `\u{...}` and `\p{...}` as with flag u.
  kRust,     ///< As Rust's regex crate reads it.
};

struct DialectRules {
  ClassMeaning with_unicode = ClassMeaning::kUnicode;  ///< Of `\d`, `\w`, `\s` and `\b` with flag u,
  ClassMeaning without_unicode = ClassMeaning::kEcma;  ///< and without.
  bool unicode = false;                                ///< Flag u at the beginning.
  bool bytes_without_unicode = false;       ///< Without flag u classes are of bytes, and case is that of ASCII.
  bool line_feed_only = false;              ///< `.`, and `^` and `$` with flag m, know LF as a line end alone.
  bool class_operations = false;            ///< Classes in classes, `&&`, `--`, `~~`.
  bool leading_bracket_is_member = false;   ///< `[]a]` and `[^]a]`.
  bool blanks_in_classes_extended = false;  ///< With flag x blanks in classes are left out, too.
  bool stacked_quantifiers = false;         ///< `a**`, and `a++` is `(?:a+)+`.
};

const DialectRules& rules_of(Dialect dialect);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_DIALECT_H_
