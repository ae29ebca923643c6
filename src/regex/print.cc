#include "regex/expr.h"

namespace weir::regex {

std::string ExprSet::to_string(ExprId e) const { return "expression " + std::to_string(static_cast<std::uint32_t>(e)); }

}  // namespace weir::regex
