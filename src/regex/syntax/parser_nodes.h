// TreeBuilder: creates the nodes of a SyntaxTree, including the subtrees for constructs that have no node kind of their
// own, such as `\R`.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_NODES_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_NODES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::regex {

class TreeBuilder {
 protected:
  NodeId add(Node node) {
    tree_.nodes.push_back(node);
    return NodeId(static_cast<std::uint32_t>(tree_.nodes.size() - 1));
  }
  NodeId add_parent(Node::Kind kind, std::span<const NodeId> children, SourceRange where);
  NodeId add_literal(std::string_view bytes, SourceRange where);
  NodeId add_repeat(NodeId body, std::uint32_t min, std::uint32_t max, SourceRange where);
  NodeId add_line_break(SourceRange where);
  NodeId add_inner_line_start(SourceRange where);
  NodeId add_class(CodePointSet set, SourceRange where, Node::Kind kind = Node::Kind::kClass);

  SyntaxTree tree_ = {};
  std::size_t class_ranges_ = 0;  ///< Total number of ranges in the tree's classes.

 private:
  ClassId class_id(CodePointSet set);

  std::unordered_multimap<std::uint64_t, ClassId> class_ids_ = {};  ///< By hash.
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_NODES_H_
