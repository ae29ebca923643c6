// Reads quoted texts, which are literals or patterns, and replaces their escapes.
#ifndef WEIR_SRC_FRONTEND_KBNF_TEXT_H_
#define WEIR_SRC_FRONTEND_KBNF_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::kbnf {

/// A quoted text with its escapes replaced. A pattern may contain further escapes, of the regular expression.
struct Unquoted {
  std::string text;
  std::vector<SourceRange> octal = {};   ///< Escapes such as `\1`, which look like references to groups.
  std::vector<std::size_t> places = {};  ///< For each byte of `text` and for its end, the position in the grammar.

  /// Returns the range in the grammar for a range of `text`.
  [[nodiscard]] SourceRange place(SourceRange range) const { return {places[range.start], places[range.end]}; }
};

/// Returns the text in the quotes of the word at `where`; what is before the first quote is ignored.
/// Errors: kSyntax for an unknown escape.
Result<Unquoted> unquote(std::string_view grammar, SourceRange where);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_TEXT_H_
