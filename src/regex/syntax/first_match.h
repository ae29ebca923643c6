// Possessive quantifiers and atomic groups: a backtracking matcher keeps the first match that it finds for them.
//
// WHAT   Rewrites such a construct as a tree for the matches that the matcher would keep. These depend on the order in
//        which it tries, which a language does not have. But if each part matches texts of one length only, they can be
//        expressed with look-ahead:
//
//          x*+         x* (?!x)                          a greedy repeat takes as many as possible
//          x{m,n}+     x{n} | x{m,n-1} (?!x)
//          (?>x*?)     the empty text                    a lazy repeat takes as few as possible
//          (?>x|y|z)   x | (?!x) y | (?!x) (?!y) z       the first alternative that matches
//          (?>x y*)    x (?>y*)
//
//        Each of x, y and z matches texts of one length, in characters. All other constructs are refused.
#ifndef WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_
#define WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_

#include <unordered_set>

#include "regex/syntax/syntax_tree.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::regex {

/// Adds the nodes of the rewritten tree for `node` to `tree` and returns its root. `lazy` holds the lazy repeats,
/// `where` is the range of the construct. Errors: kUnsupported; kLimitExceeded (regex_nodes).
Result<NodeId> rewrite_first_match(SyntaxTree& tree, NodeId node, const std::unordered_set<NodeId>& lazy,
                                   SourceRange where, const Limits& limits);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_FIRST_MATCH_H_
