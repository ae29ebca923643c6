#include <algorithm>
#include <string>

#include "regex/ast.h"

namespace weir::regex {

namespace {

/// Assertions within assertions, beyond which nobody can say what a pattern means.
constexpr std::uint32_t kAssertionNesting = 50;
/// Levels of a tree; the expressions that carry assertions are walked by recursion.
constexpr std::uint32_t kLevels = 1000;

class Translator {
 public:
  Translator(ExprSet& exprs, const Limits& limits) : exprs_(exprs), levels_(std::min(limits.nesting, kLevels)) {}

  /// `ast` as an expression with assertions.
  Result<ExprId> translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions);

 private:
  ExprId combine(const Ast& ast, std::span<const ExprId> parts);

  ExprSet& exprs_;
  std::uint32_t levels_;
};

Error too_deep() {
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.message = "look-around is nested too deeply";
  error.limit = "nesting";
  return error;
}

Result<ExprId> Translator::translate(const Ast& ast, std::uint32_t level, std::uint32_t assertions) {
  if (ast.kind == Ast::Kind::kExpr) return ast.expr;
  if (ast.kind >= Ast::Kind::kLookAhead) ++assertions;
  if (level > levels_ || assertions > kAssertionNesting) return tl::unexpected(too_deep());
  std::vector<ExprId> parts;
  parts.reserve(ast.children.size());
  for (const Ast& child : ast.children) {
    Result<ExprId> part = translate(child, level + 1, assertions);
    if (!part) return part;
    parts.push_back(*part);
  }
  return combine(ast, parts);
}

ExprId Translator::combine(const Ast& ast, std::span<const ExprId> parts) {
  switch (ast.kind) {
    case Ast::Kind::kExpr: break;
    case Ast::Kind::kConcat: return exprs_.sequence(parts);
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
  const ExprId language = exprs.whole_text(*e);
  if (language != ExprId::kOverflow) return language;
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.message = "the pattern needs more expressions than allowed";
  error.limit = "regex_nodes";
  return tl::unexpected(std::move(error));
}

}  // namespace weir::regex
