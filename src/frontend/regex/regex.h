// One regular expression as a grammar: a rule `root` of one terminal.
#ifndef WEIR_SRC_FRONTEND_REGEX_REGEX_H_
#define WEIR_SRC_FRONTEND_REGEX_REGEX_H_

#include <string_view>

#include "grammar/ir.h"
#include "regex/syntax.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

/// Errors: those of regex::parse_regex.
Result<grammar::Grammar> regex_grammar(std::string_view pattern, const regex::SyntaxOptions& options,
                                       const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_REGEX_REGEX_H_
