// EBNF text to grammar IR. (Interface; the essay and the implementation belong to the front end.)
#ifndef WEIR_SRC_FRONTEND_EBNF_EBNF_H_
#define WEIR_SRC_FRONTEND_EBNF_EBNF_H_

#include <string_view>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

Result<grammar::Grammar> parse_ebnf(std::string_view text, std::string_view start, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_EBNF_EBNF_H_
