#include <algorithm>
#include <vector>

#include "base/stack.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"
#include "regex/syntax/assertions.h"
#include "regex/syntax/ast.h"
#include "regex/syntax/parser_error.h"
#include "regex/syntax/syntax.h"

namespace weir::regex {

namespace {

class Translator {
 public:
  Translator(ExprSet& exprs, const Limits& limits) : exprs_(exprs), levels_(std::min(limits.nesting, kAstLevels)) {}

  /// Returns `ast` as an expression with assertions.
  Result<ExprId> translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions);

 private:
  ExprId combine(const Ast& ast, std::span<const ExprId> parts);

  ExprSet& exprs_;
  std::uint32_t levels_;
};

Result<ExprId> Translator::translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions) {
  if (ast.kind == Ast::Kind::kExpr) return ast.expr;
  if (ast.kind >= Ast::Kind::kLookAhead) ++assertions;
  if (level > levels_ || assertions > kAssertionNesting)
    return limit_error({}, "look-around is nested too deeply", "nesting");
  std::vector<ExprId> parts;
  parts.reserve(ast.children.size());
  for (const Ast& child : ast.children) {
    Result<ExprId> part = base::with_stack([&] { return translate(child, level + 1, assertions); });
    if (!part) return part;
    parts.push_back(*part);
  }
  return combine(ast, parts);
}

ExprId Translator::combine(const Ast& ast, std::span<const ExprId> parts) {
  switch (ast.kind) {
    case Ast::Kind::kExpr: break;
    case Ast::Kind::kConcat: return sequence(exprs_, parts);
    case Ast::Kind::kAlternation: return exprs_.alternation(parts);
    case Ast::Kind::kRepeat: return exprs_.repeat(parts[0], ast.min, ast.max);
    case Ast::Kind::kLookAhead: return exprs_.assertion(Look::kAhead, parts[0]);
    case Ast::Kind::kNotLookAhead: return exprs_.assertion(Look::kNotAhead, parts[0]);
    case Ast::Kind::kLookBehind: return exprs_.assertion(Look::kBehind, parts[0]);
    case Ast::Kind::kNotLookBehind: return exprs_.assertion(Look::kNotBehind, parts[0]);
  }
  return ast.expr;
}

}  // namespace

Result<ExprId> translate(ExprSet& exprs, const Ast& ast, const Limits& limits) {
  const Result<ExprId> e = Translator(exprs, limits).translate(ast, 0, 0);
  if (!e) return e;
  const ExprId language = whole_text(exprs, *e);
  if (language != ExprId::kOverflow) return language;
  return tl::unexpected(overflow_error(exprs, {}));
}

}  // namespace weir::regex
