// Regular-expression text to expression. (Interface; the essay and the implementation belong to the regex subsystem.)
#ifndef WEIR_SRC_REGEX_SYNTAX_H_
#define WEIR_SRC_REGEX_SYNTAX_H_

#include <cstdint>
#include <string_view>

#include "regex/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

struct SyntaxOptions {
  bool ignore_case = false;  // i
  bool multi_line = false;   // m
  bool dot_all = false;      // s
  bool extended = false;     // x
  bool operators = false;    // & and ~ are operators
  bool search = false;       // the language of texts that contain a match; anchors tie it to the ends
};

/// The language of `pattern` over the bytes of valid UTF-8 text, as an expression of `exprs`.
/// Errors: kSyntax, kUnsupported (back-references, atomic groups, ...), kLimitExceeded (text_bytes, nesting, repeat_count,
/// regex_nodes); Error::where is a byte range of `pattern`.
Result<ExprId> parse_regex(ExprSet& exprs, std::string_view pattern, const SyntaxOptions& options, const Limits& limits);

/// One character class without its brackets' context, e.g. `[^你-我\n]` or `\d`, for grammars that have classes of their own.
/// `*pos` stands at the `[` or `\`, and behind the class afterwards.
Result<ExprId> parse_class(ExprSet& exprs, std::string_view pattern, std::size_t* pos, const SyntaxOptions& options);

/// The UTF-8 encodings of the code points in [first, last], surrogates left out.
ExprId utf8_range(ExprSet& exprs, char32_t first, char32_t last);

/// Any one code point, in UTF-8.
ExprId any_code_point(ExprSet& exprs);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_H_
