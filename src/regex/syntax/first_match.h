// Possessive quantifiers and atomic groups: what a backtracking matcher takes first, and does not give back.
//
// WHAT   A tree for the texts of a node that such a matcher tries first. What it tries depends on order, which a
//        language has not; but where each part can match in one length only, "first" can be said by look-ahead:
//
//          x*+         x* (?!x)                          of a greedy repeat, as many as there are
//          x{m,n}+     x{n} | x{m,n-1} (?!x)
//          (?>x*?)     nothing: of a lazy one, as few as may be
//          (?>x|y|z)   x | (?!x) y | (?!x) (?!y) z       the first alternative that matches
//          (?>x y*)    x (?>y*)
//
//        with x, y and z of one length each, in characters. All else is refused.
#ifndef WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_
#define WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_

#include <unordered_set>

#include "regex/syntax/syntax_tree.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

/// Adds that tree's nodes to `tree` and returns its root. `lazy` has the repeats that try the least first. `where` is
/// the construct's. Errors: kUnsupported; kLimitExceeded (regex_nodes).
Result<NodeId> keep_first_match(SyntaxTree& tree, NodeId node, const std::unordered_set<NodeId>& lazy,
                                SourceRange where, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_
