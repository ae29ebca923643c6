// trie: the union of many texts, each with an expression that follows it.
//
// WHY    As an alternation of literals, first all bytes of each text become expressions, and then the law of common heads
//        takes them apart again. That was two thirds of compiling an `enum` of 2,400 names.
// HOW    The texts are sorted; each fork is closed, as an alternation, when the last text that passes through it has been
//        read. The result has the form that the alternation would have.
// COST   Sorting; then a node for each byte that texts do not share at their beginning. No recursion.
#ifndef WEIR_SRC_REGEX_EXPR_TRIE_H_
#define WEIR_SRC_REGEX_EXPR_TRIE_H_

#include <string_view>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

struct TextBefore {
  std::string_view text;
  ExprId after = ExprId::kEpsilon;
};

/// Returns the union of the texts, each followed by its expression; kNothing if there are none, kOverflow as for
/// ExprSet::literal(). Texts may occur several times.
ExprId trie(ExprSet& exprs, std::vector<TextBefore> texts);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_TRIE_H_
