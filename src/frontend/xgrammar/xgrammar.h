// XGrammar's EBNF to grammar IR: docs/xgrammar.md.
//
// HOW    A dialect of the EBNF reader, which reads a macro or a list of options as one word and calls this front end
//        for its meaning: arguments.h parses the arguments of a macro, macros.cc makes nodes of them, options.cc reads
//        options.
#ifndef WEIR_SRC_FRONTEND_XGRAMMAR_XGRAMMAR_H_
#define WEIR_SRC_FRONTEND_XGRAMMAR_XGRAMMAR_H_

#include <optional>
#include <string_view>

#include "frontend/ebnf/parser.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::frontend {

/// Adds the rules of `text`, and returns the one named `start`.
/// Errors: as read_ebnf; kUnsupported for options that have no meaning here.
std::optional<grammar::RuleId> read_xgrammar(std::string_view text, std::string_view start, Reading& reading);

namespace xgrammar {

/// Returns the node of the macro call at `where`.
Result<grammar::NodeId> read_macro(std::string_view text, SourceRange where,
                                   const ebnf::Extension::RuleNamed& rule_named, Reading& reading);

/// Returns the options of rule `rule` in the brackets at `where`.
Result<ebnf::RuleOptions> read_options(std::string_view text, std::string_view rule, SourceRange where,
                                       Reading& reading);

}  // namespace xgrammar

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_XGRAMMAR_XGRAMMAR_H_
