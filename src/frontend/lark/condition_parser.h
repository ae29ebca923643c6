// Parses parameters (after `::`) and conditions (after `%if`).
#ifndef WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_
#define WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_

#include <optional>

#include "frontend/lark/parameter.h"
#include "frontend/lark/word_reader.h"

namespace weir::frontend::lark {

/// Parses from the word after `::`. Returns nothing if an error was reported.
std::optional<ParameterExpr> parse_parameter(WordReader& reader);

/// Parses from the word after `%if`. Returns nullopt if an error was reported. Nested conditions do not use
/// the call stack.
std::optional<Condition> parse_condition(WordReader& reader);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_
