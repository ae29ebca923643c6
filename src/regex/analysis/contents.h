// What the contents of a JSON string are known to include: all texts, all but finitely many, or very
// many.
#ifndef WEIR_SRC_REGEX_ANALYSIS_CONTENTS_H_
#define WEIR_SRC_REGEX_ANALYSIS_CONTENTS_H_

#include <cstdint>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns true if every text over `character` is a viable prefix of `e`, as with a search for a word anywhere in a
/// text. If `e` begins with a JSON string, the text is its contents. False may also mean unknown: only some residuals
/// are explored (search_bounds.h), once for each expression. Precondition: `character` is an expression of single
/// characters, the same in all calls.
[[nodiscard]] bool continues_any_text(ExprSet& exprs, ExprId character, ExprId e);
/// Returns true if `e` begins with a JSON string whose contents are known to include all strings from some length on,
/// as "none of these keys" does.
[[nodiscard]] bool has_cofinite_contents(const ExprSet& exprs, ExprId e);
/// A number of strings that a text cannot use up: more than it has items.
inline constexpr std::uint64_t kManyTexts = std::uint64_t{1} << 40U;
/// Returns true if `e` begins with a JSON string, between two of its characters, and at least kManyTexts contents may
/// follow, as with `[a-z]+` and `.{0,50}`. False may also mean unknown: few residuals are explored, once for each
/// expression.
[[nodiscard]] bool has_many_contents(ExprSet& exprs, ExprId e);
/// If `e` begins with a JSON string, and has_cofinite_contents() or continues_any_text() is true, returns `e` with that
/// string replaced by a string of any contents. A text without a quote is then a viable prefix of both or of neither.
/// Returns kNothing in all other cases, and if the contents are all byte strings, need not be UTF-8, or begin with a
/// JSON string.
ExprId with_any_contents(ExprSet& exprs, ExprId character, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_CONTENTS_H_
