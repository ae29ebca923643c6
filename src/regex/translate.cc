#include "regex/ast.h"

namespace weir::regex {

Result<ExprId> translate(ExprSet& exprs, const Ast& ast, const Limits& limits) {
  std::vector<ExprId> parts;
  if (ast.kind == Ast::Kind::kExpr) return ast.expr;
  for (const Ast& child : ast.children) {
    const Result<ExprId> part = translate(exprs, child, limits);
    if (!part) return part;
    parts.push_back(*part);
  }
  switch (ast.kind) {
    case Ast::Kind::kConcat: return exprs.concat(parts);
    case Ast::Kind::kAlternation: return exprs.alternation(parts);
    case Ast::Kind::kRepeat: return exprs.repeat(parts[0], ast.min, ast.max);
    default: return tl::unexpected(Error{ErrorCode::kUnsupported, "look-around inside this pattern"});
  }
}

}  // namespace weir::regex
