// What stands in quotes: literals and patterns, with their escapes.
#ifndef WEIR_SRC_FRONTEND_KBNF_TEXT_H_
#define WEIR_SRC_FRONTEND_KBNF_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::kbnf {

/// A quoted text with its escapes carried out. Patterns have escapes of their own in what is left.
struct Unquoted {
  std::string text;
  std::vector<std::size_t> places = {};  ///< By byte of `text`, and of its end: where in the grammar it was written.

  /// The place in the grammar of a range of `text`.
  [[nodiscard]] SourceRange place(SourceRange range) const { return {places[range.start], places[range.end]}; }
};

/// The text in the quotes of the word at `where`, whatever stands before the first quote.
/// Error: kSyntax, an escape that is none.
Result<Unquoted> unquote(std::string_view grammar, SourceRange where);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_TEXT_H_
