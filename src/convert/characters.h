// Expressions over bytes as expressions over characters, for whoever has to write them down.
//
// WHAT   tree_of keeps an expression's operators: sequences, alternatives, counts, with classes of characters for sets
//        of bytes. states_of makes a finite automaton over characters of any expression, with intersections and
//        complements.
// HOW    Where a part of a sequence ends between two characters, it is a part of the sequence of characters; where
//        it may end within one (the first byte that `é` and `è` share), the expression is taken apart by whole
//        characters, along its derivatives.
// LIMITS The text that is matched has to be UTF-8, as it is for all that grammars can say.
#ifndef WEIR_SRC_CONVERT_CHARACTERS_H_
#define WEIR_SRC_CONVERT_CHARACTERS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "regex/expr/expr.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/code_point_set.h"

namespace weir::frontend::convert {

/// Nullopt where `e` has intersections, complements, assertions or machines, or more than `most_nodes` nodes are
/// needed. A node may have several parents.
std::optional<regex::SyntaxTree> tree_of(regex::ExprSet& exprs, regex::ExprId e, std::size_t most_nodes);

struct States {
  struct Step {
    regex::CodePointSet characters;
    std::size_t to = 0;
  };
  struct State {
    std::vector<Step> steps;
    bool accepts = false;
  };
  std::vector<State> states;  ///< The first is the one to begin with; each leads to one that accepts.
};

/// Nullopt where there are more than `most_states`, or `fuel` derivatives do not tell whether one accepts anything.
std::optional<States> states_of(regex::ExprSet& exprs, regex::ExprId e, std::size_t most_states, std::uint32_t fuel);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_CHARACTERS_H_
