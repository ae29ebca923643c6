// Turns the terminals of KBNF into expressions.
#ifndef WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_
#define WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/kbnf/words.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::kbnf {

/// Returns the node of a quoted word or of `any!`.
/// Errors in escapes and patterns, at their positions in `text`: kSyntax, kUnsupported, kLimitExceeded. Warnings are
/// appended.
Result<grammar::NodeId> terminal(std::string_view text, const Word& word, const Limits& limits,
                                 grammar::Grammar& grammar, std::vector<Warning>& warnings);

/// Any number of characters, and one or more characters.
regex::ExprId any_text(regex::ExprSet& exprs);
regex::ExprId some_text(regex::ExprSet& exprs);
/// One or more characters with at most `most` bytes in total.
regex::ExprId bounded_text(regex::ExprSet& exprs, std::uint32_t most);

/// Returns the text at `where` as the name of a terminal.
std::string terminal_name(std::string_view text, SourceRange where);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_
