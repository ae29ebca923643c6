// Converts expressions over bytes into expressions over characters, so that they can be written as text.
//
// WHAT   tree_of keeps the operators of an expression (sequences, alternatives, counts) and replaces byte sets by
//        character classes. states_of makes a finite automaton over characters from any expression, including
//        intersections and complements.
// HOW    If a part of a sequence always ends between two characters, it stays a part of the sequence. If it may end
//        within a character (such as the first byte that `é` and `è` share), the expression is divided by whole
//        characters, using its derivatives.
// LIMITS The matched text must be UTF-8, which is true for everything that grammars can express.
#ifndef WEIR_SRC_CONVERT_CHARACTERS_H_
#define WEIR_SRC_CONVERT_CHARACTERS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "regex/expr/expr.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/code_point_set.h"

namespace weir::frontend::convert {

/// Returns the expression as a tree, in which a node may have several parents. Returns nullopt if `e` contains
/// intersections, complements, assertions or special machines, or if more than `most_nodes` nodes are needed.
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
  std::vector<State> states;  ///< The first one is the start state. Each state leads to an accepting one.
};

/// Returns a finite automaton for the expression. Returns nullopt if it has more than `most_states` states, or if
/// `fuel` derivatives cannot decide whether a state's language is empty.
std::optional<States> states_of(regex::ExprSet& exprs, regex::ExprId e, std::size_t most_states, std::uint32_t fuel);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_CHARACTERS_H_
