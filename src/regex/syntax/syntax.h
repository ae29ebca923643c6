// Regular-expression text to expression. The language itself is described, for its users, in docs/regex.md.
//
// WHAT   A pattern denotes a set of byte strings, all of them valid UTF-8: the texts that it matches from end to end,
//        or, with SyntaxOptions::search, the texts that contain a match.
// HOW    parser.h reads the text into a tree (syntax_tree.h); scanner.h, parser_class.h, parser_group.h and
//        parser_quantifier.h know escapes, classes, group heads and quantifiers. Classes are sets of code points
//        (code_point_set.h, unicode.h), which become byte expressions in utf8_ranges.h. The tree then becomes an
//        expression bottom-up; where it has assertions it becomes an Ast, for translate().
// WHY    No construct is approximated: what is not regular is refused with its place and a reason. An assertion that
//        turns out to be about the ends of the text (`^...$` in most patterns) is dissolved here and costs nothing.
// LIMITS text_bytes, nesting, repeat_count, regex_nodes. No recursion: depth costs memory only.
#ifndef WEIR_SRC_REGEX_SYNTAX_SYNTAX_H_
#define WEIR_SRC_REGEX_SYNTAX_SYNTAX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "regex/expr/expr.h"
#include "regex/syntax/dialect.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

struct SyntaxOptions {
  Dialect dialect = Dialect::kWeir;
  bool ignore_case = false;  ///< Flag i.
  bool multi_line = false;   ///< Flag m.
  bool dot_all = false;      ///< Flag s.
  bool extended = false;     ///< Flag x.
  bool operators = false;    ///< `&` and `~` are operators, and classes have nested classes and set operations.
  bool search = false;       ///< The language of texts that contain a match; anchors tie it to the ends.
};

/// The language of `pattern` over the bytes of valid UTF-8 text, as an expression of `exprs`.
/// Errors: kSyntax, kUnsupported (back-references, atomic groups, ...), kLimitExceeded (text_bytes, nesting,
/// repeat_count, regex_nodes); Error::where is a byte range of `pattern`.
Result<ExprId> parse_regex(ExprSet& exprs, std::string_view pattern, const SyntaxOptions& options,
                           const Limits& limits);

/// Any one code point, in UTF-8.
ExprId any_code_point(ExprSet& exprs);

/// What to say of an operation of `exprs` that came to kOverflow, at `where`: kLimitExceeded, `regex_nodes` or
/// `nesting`.
Error overflow_error(const ExprSet& exprs, SourceRange where);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SYNTAX_H_
