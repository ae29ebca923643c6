// Quantifiers: `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, each with a `?` behind it or without.
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
  bool question = false;    ///< Behind it stands `?`: the least that will do is tried first.
  bool possessive = false;  ///< Behind it stands `+`: what was taken is kept.
};

/// Whether a quantifier may stand here; a `{` may also be a character.
inline bool at_quantifier(const Scanner& scanner) {
  return scanner.is('*') || scanner.is('+') || scanner.is('?') || scanner.is('{');
}

/// The quantifier that stands here; nothing, and no move, when there is none.
/// Errors: kSyntax, kUnsupported (possessive quantifiers), kLimitExceeded (repeat_count).
Result<std::optional<Quantifier>> take_quantifier(Scanner& scanner, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_QUANTIFIER_H_
