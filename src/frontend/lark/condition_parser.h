// What stands behind `::` and behind `%if`.
#ifndef WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_
#define WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_

#include <optional>

#include "frontend/lark/parameter.h"
#include "frontend/lark/word_reader.h"

namespace weir::frontend::lark {

/// At the word behind `::`. Nullopt: an error has been reported.
std::optional<ParameterExpr> parse_parameter(WordReader& reader);

/// At the word behind `%if`. No recursion.
std::optional<Condition> parse_condition(WordReader& reader);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_CONDITION_PARSER_H_
