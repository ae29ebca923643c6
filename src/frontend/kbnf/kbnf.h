// KBNF text to grammar IR: the language of Formatron's kbnf crate.
//
// WHAT   EBNF whose terminals are literals, regular expressions, regular expressions that end early, texts without a
//        match, and quotations. docs/kbnf.md is the reference, with every difference from kbnf.
// HOW    words.h splits the text, text.h reads what stands in quotes, terminals.h makes terminals of it, parser.h
//        builds the IR. `except!` is made of `~` and `&` (grammar/regular.h), because what it leaves out may be a rule
//        that is defined later.
// COST   Linear in the text, and what its regular expressions cost. No recursion.
#ifndef WEIR_SRC_FRONTEND_KBNF_KBNF_H_
#define WEIR_SRC_FRONTEND_KBNF_KBNF_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend {

/// Adds the rules of `text`; the one named `start` is returned. Of rules that cannot be read and of names that are not
/// defined each is an error, up to kMaxErrors.
/// Errors: kSyntax; kInvalidArgument (a rule that is not defined, no rule `start`); kUnsupported (a recursive operand
/// of `except!`, a construct of a regular expression); kLimitExceeded (text_bytes, nesting, repeat_count, regex_nodes).
std::optional<grammar::RuleId> read_kbnf(std::string_view text, std::string_view start, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_KBNF_KBNF_H_
