// The terminals of KBNF as expressions.
#ifndef WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_
#define WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_

#include <cstdint>
#include <string_view>

#include "frontend/kbnf/words.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::kbnf {

/// The node of a word that is quoted, or `any!`.
/// Errors: kSyntax, kUnsupported, kLimitExceeded, of escapes and of patterns, at their place in `text`.
Result<grammar::NodeId> terminal(std::string_view text, const Word& word, const Limits& limits,
                                 grammar::Grammar& grammar);

/// Any characters: any number of them, and one or more.
regex::ExprId any_text(regex::ExprSet& exprs);
regex::ExprId some_text(regex::ExprSet& exprs);
/// One or more characters, of at most `most` bytes together.
regex::ExprId bounded_text(regex::ExprSet& exprs, std::uint32_t most);

/// How `where` is shown as a terminal's name.
std::string terminal_name(std::string_view text, SourceRange where);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_TERMINALS_H_
