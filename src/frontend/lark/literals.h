// Evaluates single words: strings, ranges of characters, tokens, `%regex`.
#ifndef WEIR_SRC_FRONTEND_LARK_LITERALS_H_
#define WEIR_SRC_FRONTEND_LARK_LITERALS_H_

#include <string>
#include <string_view>

#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

/// Returns the bytes of the string at `where`, ignoring its flag.
Result<std::string> string_bytes(std::string_view text, SourceRange where);

/// Returns the expression of the string at `where`, case-insensitive if it has the flag `i`.
Result<regex::ExprId> string_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where);
/// Returns the characters from `first` to `last`, which are strings of one character.
Result<regex::ExprId> range_expr(regex::ExprSet& exprs, std::string_view text, SourceRange first, SourceRange last);
/// Evaluates the JSON object at `where` after %regex: the substrings of a list of chunks.
Result<regex::ExprId> substring_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where,
                                     const Limits& limits);
Result<grammar::TokenSet> token_set(std::string_view text, SourceRange where);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_LITERALS_H_
