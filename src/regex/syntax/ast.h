// The tree that the regex parser hands to the translator where a pattern has assertions (look-around, anchors, word
// boundaries); subtrees without assertions are expressions already.
#ifndef WEIR_SRC_REGEX_SYNTAX_AST_H_
#define WEIR_SRC_REGEX_SYNTAX_AST_H_

#include <cstdint>
#include <vector>

#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

/// Levels of an Ast: it is walked, and destroyed, by recursion.
inline constexpr std::uint32_t kAstLevels = 1'000;

struct Ast {
  enum class Kind : std::uint8_t {
    kExpr,           ///< `expr`, no children.
    kConcat,         ///< Children one behind another.
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

/// The set of whole texts that `ast` matches from end to end. Assertions see the whole text: what lies before the match
/// of their place and what follows it, and nothing outside. Exact for every Ast: assertions may stand anywhere, in
/// loops and in one another.
///
/// Errors  kLimitExceeded: `nesting` (more levels than kAstLevels or the limit, more than 50 assertions within one
///         another, or an expression beyond ExprSet::kMaxHeight), `regex_nodes`. No range: an Ast knows no places.
/// Cost    Where plain expressions alone stand between an assertion and an end of the text, or it looks no farther than
///         the plain expression beside it, nothing is left of it but `&` and `~` (translate.cc). Otherwise there are
///         residuals for what it must remember: at worst exponentially many in the number of assertions, made as texts
///         reach them (context.cc).
/// Recursion is on the levels of `ast`.
Result<ExprId> translate(ExprSet& exprs, const Ast& ast, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_AST_H_
