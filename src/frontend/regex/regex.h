// Reads one regular expression as a rule `root` with one terminal.
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

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_REGEX_REGEX_H_
