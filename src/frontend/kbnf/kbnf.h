// KBNF text to grammar IR: the language of Formatron's kbnf crate.
//
// WHAT   EBNF whose terminals are literals, regular expressions, regular expressions that end at the first match
//        (`#e`), texts without a match (`#ex`), and quotations (`#substrs`). docs/kbnf.md is the reference and lists
//        every difference from kbnf.
// HOW    words.h splits the text into words, text.h reads quoted texts, terminals.h makes terminals of them, parser.h
//        builds the IR. `except!` is composed of `~` and `&` (grammar/regular.h), because its operand may be a rule
//        that is defined later.
// COST   Linear in the text, plus the cost of its regular expressions. No recursion.
#ifndef WEIR_SRC_FRONTEND_KBNF_KBNF_H_
#define WEIR_SRC_FRONTEND_KBNF_KBNF_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend {

/// Adds the rules of `text`, and returns the one named `start`. Reports each rule that cannot be read and each
/// undefined name, up to kMaxErrors errors.
/// Errors: kSyntax; kInvalidArgument (an undefined rule, no rule `start`); kUnsupported (a recursive operand of
/// `except!`, a construct of a regular expression); kLimitExceeded (text_bytes, nesting, repeat_count, regex_nodes).
std::optional<grammar::RuleId> read_kbnf(std::string_view text, std::string_view start, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_KBNF_KBNF_H_
