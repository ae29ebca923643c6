// What single words mean: strings, ranges of characters, regular expressions, tokens, `%regex`.
#ifndef WEIR_SRC_FRONTEND_LARK_LITERALS_H_
#define WEIR_SRC_FRONTEND_LARK_LITERALS_H_

#include <string>
#include <string_view>

#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

/// The bytes of the string at `where`, its flag aside.
Result<std::string> string_bytes(std::string_view text, SourceRange where);

/// The string at `where`; in any case where its flag says so.
Result<regex::ExprId> string_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where);
/// The characters from one string, which is one character, to the other.
Result<regex::ExprId> range_expr(regex::ExprSet& exprs, std::string_view text, SourceRange first, SourceRange last);
Result<regex::ExprId> regex_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where, const Limits& limits);
/// The JSON object at `where` behind %regex: substrings of a list of chunks.
Result<regex::ExprId> substring_expr(regex::ExprSet& exprs, std::string_view text, SourceRange where,
                                     const Limits& limits);
Result<grammar::TokenSet> token_set(std::string_view text, SourceRange where);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_LITERALS_H_
