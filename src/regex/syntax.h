// Regular-expression text to expression. The language itself is described, for its users, in docs/regex.md.
//
// WHAT   A pattern denotes a set of byte strings, all of them valid UTF-8: the texts that it matches from end to end,
//        or, with SyntaxOptions::search, the texts that contain a match.
// HOW    parser.h reads the text into a tree (syntax_tree.h); parser_scanner.h, parser_class.h, parser_group.h and
//        parser_quantifier.h know escapes, classes, group heads and quantifiers. Classes are sets of code points
//        (code_point_set.h, unicode.h), which become byte expressions in utf8_ranges.h. The tree then becomes an
//        expression bottom-up; where it has assertions it becomes an Ast, for translate().
// WHY    No construct is approximated: what is not regular is refused with its place and a reason. An assertion that
//        turns out to be about the ends of the text (`^...$` in most patterns) is dissolved here and costs nothing.
// LIMITS text_bytes, nesting, repeat_count, regex_nodes. No recursion: depth costs memory only.
#ifndef WEIR_SRC_REGEX_SYNTAX_H_
#define WEIR_SRC_REGEX_SYNTAX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "regex/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

struct SyntaxOptions {
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

/// One character class by itself, e.g. `[^你-我\n]` or `\d`, for grammars that have classes of their own. `*pos` stands
/// at the `[` or `\`, and behind the class afterwards; on errors it has not moved. An escape of one character, `\n`, is
/// a class of one. Only ignore_case and operators have a meaning here. `pattern` need not be valid UTF-8 elsewhere.
/// Errors: as for parse_regex; kInvalidArgument when neither `[` nor `\` stands at `*pos`.
Result<ExprId> parse_class(ExprSet& exprs, std::string_view pattern, std::size_t* pos, const SyntaxOptions& options);

/// The UTF-8 encodings of the code points in [first, last], surrogates left out. kNothing when first > last.
/// Precondition: last <= 0x10FFFF.
ExprId utf8_range(ExprSet& exprs, char32_t first, char32_t last);

/// Any one code point, in UTF-8.
ExprId any_code_point(ExprSet& exprs);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_H_
