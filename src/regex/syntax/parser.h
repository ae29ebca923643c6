// The parser of patterns: text to SyntaxTree.
//
// WHAT   Parses the syntax of docs/regex.md. All unsupported constructs are refused here, except `&` and `~` over
//        assertions (syntax.cc).
// HOW    One loop over the text with an explicit stack of open groups, so nesting does not use the call stack;
//        Limits::nesting bounds it for code that traverses the result recursively. A stack frame holds the finished
//        branches of the group, the finished operands of `&` in the last branch, and the terms of the last operand.
//        Consecutive plain characters become one literal.
// COST   Linear in the text, plus the construction of sets for properties and case-insensitive classes.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_H_

#include <string_view>

#include "regex/syntax/syntax.h"
#include "regex/syntax/syntax_tree.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

/// Returns the tree of `pattern`. Ignores SyntaxOptions::search. Errors: those of parse_regex().
Result<SyntaxTree> parse_pattern(std::string_view pattern, const SyntaxOptions& options, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_H_
