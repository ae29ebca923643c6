// EBNF text to grammar IR.
//
// WHAT   A superset of llama.cpp's GBNF and of the core of XGrammar's EBNF, with regular expressions, intersection,
//        complement, token terminals, and lazy and greedy terminals: docs/ebnf.md. The same reader also reads those two
//        languages themselves, as dialects (dialect.h): docs/gbnf.md, docs/xgrammar.md.
// HOW    words.h splits the text into words, text.h reads the contents of quotes and brackets, parser.h builds the IR.
//        Then undefined rules are reported, and the operands of `&`, `~`, @lazy and @greedy become expressions
//        (grammar/regular.h), which requires that all rules have been read.
// COST   Linear in the text. No recursion.
#ifndef WEIR_SRC_FRONTEND_EBNF_EBNF_H_
#define WEIR_SRC_FRONTEND_EBNF_EBNF_H_

#include <optional>
#include <string_view>

#include "frontend/ebnf/parser.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

/// Adds the rules of `text`, and returns the one named `start`.
/// Errors: kSyntax; kInvalidArgument (an undefined rule, no rule `start`); kUnsupported (a recursive operand of `&` or
/// `~`, a construct of a regular expression); kLimitExceeded (text_bytes, nesting, repeat_count, regex_nodes).
std::optional<grammar::RuleId> read_ebnf(std::string_view text, std::string_view start, Reading& reading);

/// The same for llama.cpp's GBNF. If a rule is defined again, the earlier definition is ignored with a warning.
std::optional<grammar::RuleId> read_gbnf(std::string_view text, std::string_view start, Reading& reading);

/// The common implementation for all dialects. `extension` may be null if the dialect needs none.
std::optional<grammar::RuleId> read_dialect(std::string_view text, std::string_view start, ebnf::Dialect dialect,
                                            ebnf::Extension* extension, Reading& reading);

/// Reads the text as a grammar of its own.
Result<grammar::Grammar> parse_ebnf(std::string_view text, std::string_view start, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_EBNF_EBNF_H_
