// Quantifiers: `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, each optionally followed by `?` (lazy) or `+` (possessive).
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_QUANTIFIER_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_QUANTIFIER_H_

#include <cstdint>
#include <optional>

#include "regex/syntax/scanner.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

struct Quantifier {
  std::uint32_t min = 0;
  std::uint32_t max = 0;    ///< May be kUnbounded.
  bool question = false;    ///< Followed by `?`: the smallest count is tried first.
  bool possessive = false;  ///< Followed by `+`: the first match is kept (first_match.h).
};

/// Returns true if the scanner is at the first character of a quantifier. A `{` may also be a literal character.
inline bool at_quantifier(const Scanner& scanner) {
  return scanner.is('*') || scanner.is('+') || scanner.is('?') || scanner.is('{');
}

/// Parses the quantifier at the scanner's position. Returns nullopt and does not move if there is none.
/// Errors: kSyntax, kUnsupported (possessive quantifiers), kLimitExceeded (repeat_count).
Result<std::optional<Quantifier>> take_quantifier(Scanner& scanner, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_QUANTIFIER_H_
