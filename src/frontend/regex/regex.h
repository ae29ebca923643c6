// Reads regular expressions: one as a rule `root` with one terminal, and those between slashes in other grammars.
#ifndef WEIR_SRC_FRONTEND_REGEX_REGEX_H_
#define WEIR_SRC_FRONTEND_REGEX_REGEX_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "regex/syntax/syntax.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Converts the public options to those of the regular-expression parser.
regex::SyntaxOptions regex_syntax(const RegexOptions& options);

/// Errors: those of regex::parse_regex.
std::optional<grammar::RuleId> read_regex(std::string_view pattern, const regex::SyntaxOptions& options,
                                          Reading& reading);

/// A pattern between slashes, `/a+/i`, without them.
struct SlashedRegex {
  std::string_view pattern;
  regex::SyntaxOptions options;
};

/// Reads the flags of a pattern between slashes, which is the range `where` of `text`. Error: kSyntax for another flag than
/// i, m, s and x, and u in the dialect of Rust.
Result<SlashedRegex> read_slashes(std::string_view text, SourceRange where, regex::Dialect dialect);

/// Returns the language of a pattern between slashes, `/a+/i`, which is the range `where` of `text`.
/// Errors: those of read_slashes and of regex::parse_regex, with ranges of `text`.
Result<regex::ExprId> slashed_regex(regex::ExprSet& exprs, std::string_view text, SourceRange where,
                                    regex::Dialect dialect, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_REGEX_REGEX_H_
