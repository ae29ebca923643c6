// EBNF text to grammar IR.
//
// WHAT   A superset of llama.cpp's GBNF and of the core of XGrammar's EBNF, with regular expressions, intersection,
//        complement, token terminals and lazy and greedy terminals: docs/ebnf.md. The same reader serves those two
//        languages themselves, as dialects (dialect.h): docs/gbnf.md, docs/xgrammar.md.
// HOW    words.h splits the text, text.h reads what stands in quotes and brackets, parser.h builds the IR; then
//        undefined rules are looked for, and the operands of `&`, `~`, @lazy and @greedy become expressions
//        (grammar/regular.h), which needs all rules.
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

/// Adds the rules of `text`; the one named `start` is returned.
/// Errors: kSyntax; kInvalidArgument (an undefined rule, no rule `start`); kUnsupported (a recursive operand of `&` or
/// `~`, a construct of a regular expression); kLimitExceeded (text_bytes, nesting, repeat_count, regex_nodes).
std::optional<grammar::RuleId> read_ebnf(std::string_view text, std::string_view start, Reading& reading);

/// The same of llama.cpp's GBNF. A rule that is defined again counts for nothing, with a warning.
std::optional<grammar::RuleId> read_gbnf(std::string_view text, std::string_view start, Reading& reading);

/// What all dialects have in common. `extension` may be null where the dialect needs none.
std::optional<grammar::RuleId> read_dialect(std::string_view text, std::string_view start, ebnf::Dialect dialect,
                                            ebnf::Extension* extension, Reading& reading);

/// The same as a grammar of its own.
Result<grammar::Grammar> parse_ebnf(std::string_view text, std::string_view start, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_EBNF_EBNF_H_
