// Ast: patterns with assertions (look-around, anchors, word boundaries), and their translation into expressions.
//
// Lowering (syntax.cc) turns a SyntaxTree without assertions directly into an expression. For other trees it builds an
// Ast, whose subtrees without assertions are expressions already, and calls translate().
#ifndef WEIR_SRC_REGEX_SYNTAX_AST_H_
#define WEIR_SRC_REGEX_SYNTAX_AST_H_

#include <cstdint>
#include <vector>

#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

struct Ast {
  enum class Kind : std::uint8_t {
    kExpr,           ///< `expr`, no children.
    kConcat,         ///< The children in sequence.
    kAlternation,    ///< One of the children.
    kRepeat,         ///< The only child, min to max times.
    kLookAhead,      ///< Zero width: the text that follows has a prefix in the only child's language.
    kNotLookAhead,   ///< Zero width: it has none.
    kLookBehind,     ///< Zero width: the text before has a suffix in the only child's language.
    kNotLookBehind,  ///< Zero width: it has none.
  };
  Kind kind = Kind::kExpr;
  ExprId expr = ExprId::kEpsilon;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  std::vector<Ast> children = {};
};

/// Returns the language of the texts that `ast` matches from end to end. An assertion sees the text before and after
/// its position, up to the ends of the text. Exact for every Ast: assertions may occur anywhere, in repeats and in one
/// another.
///
/// Errors  kLimitExceeded: `nesting` (more levels than kAstLevels or the limit, more than 50 assertions within one
///         another, or an expression beyond ExprSet::kMaxHeight), `regex_nodes`. Without a range: an Ast has no
///         positions.
/// Cost    An assertion becomes an intersection or a complement if there are only plain expressions between it and an
///         end of the text, or if it looks no farther than the plain expression beside it (assertions.cc). Otherwise
///         residuals record what it must remember: in the worst case exponentially many in the number of assertions,
///         created as texts reach them (context.cc).
/// Recursive in the levels of `ast`.
Result<ExprId> translate(ExprSet& exprs, const Ast& ast, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_AST_H_
