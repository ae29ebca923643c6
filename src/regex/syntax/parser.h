// The parser of patterns: text to SyntaxTree.
//
// WHAT   The syntax of docs/regex.md. Everything that is refused is refused here, but for `&` and `~` over assertions.
// HOW    One loop over the text with a stack of open groups, so that nesting costs memory and no stack; Limits::nesting
//        bounds it for those who walk the result by recursion. A frame holds the group's branches, of the last branch
//        the operands of `&`, of the last operand the sequence of terms. Plain characters are gathered into one
//        literal.
// COST   Linear in the text, but for the sets of properties and of ignored case.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_H_

#include <string_view>

#include "regex/syntax/syntax.h"
#include "regex/syntax/syntax_tree.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

/// Errors: as for parse_regex, but for regex_nodes. SyntaxOptions::search has no meaning here.
Result<SyntaxTree> parse_pattern(std::string_view pattern, const SyntaxOptions& options, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_H_
