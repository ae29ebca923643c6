// Translation of a regular expression's text into an expression. docs/regex.md describes the syntax for users.
//
// WHAT   A pattern denotes a set of byte strings, all of them valid UTF-8: the texts that it matches from end to end
//        or, with SyntaxOptions::search, the texts that contain a match.
// HOW    parser.h parses the text into a tree (syntax_tree.h); scanner.h, parser_class.h, parser_group.h and
//        parser_quantifier.h parse escapes, classes, group heads and quantifiers. Classes are sets of code points
//        (code_point_set.h, unicode.h), which utf8_ranges.h turns into byte expressions. The tree is then lowered
//        bottom-up to an expression; subtrees with assertions become an Ast, for translate().
// WHY    No construct is approximated: a construct that is not regular is refused with its range and a reason. An
//        assertion about an end of the text, as `^` and `$` in most patterns, is resolved here and costs nothing.
// LIMITS text_bytes, nesting, repeat_count, regex_nodes. No recursion, except in translate() (ast.h).
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
  bool operators = false;    ///< `&` and `~` are operators; classes may have nested classes and set operations.
  bool search = false;       ///< The language is that of the texts that contain a match.
};

/// Returns the language of `pattern` over valid UTF-8 text as an expression of `exprs`.
/// Errors: kSyntax, kUnsupported (back-references, atomic groups, ...), kLimitExceeded (text_bytes, nesting,
/// repeat_count, regex_nodes); Error::where is a byte range of `pattern`.
Result<ExprId> parse_regex(ExprSet& exprs, std::string_view pattern, const SyntaxOptions& options,
                           const Limits& limits);

/// Returns the error for an operation of `exprs` that returned kOverflow: kLimitExceeded with the limit `regex_nodes`
/// or `nesting`, at `where`.
Error overflow_error(const ExprSet& exprs, SourceRange where);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SYNTAX_H_
