// SyntaxTree: a pattern as it was parsed, with flags applied, before it becomes an expression.
//
// WHY    A tree between text and expressions keeps the two hard parts apart: the parser knows no expressions, and
//        whoever reads the tree knows no flags, escapes or group syntax. It also lets the meaning of `&` and `~` over
//        assertions depend on the place where they stand, which is known only when the whole pattern has been read.
// HOW    Nodes in one array, children before their parents, so that a loop over the array is a walk and no depth of
//        nesting can exhaust the stack.
#ifndef WEIR_SRC_REGEX_SYNTAX_SYNTAX_TREE_H_
#define WEIR_SRC_REGEX_SYNTAX_SYNTAX_TREE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::regex {

enum class NodeId : std::uint32_t {};
enum class ClassId : std::uint32_t {};

struct Node {
  enum class Kind : std::uint8_t {
    kLiteral,          ///< The bytes SyntaxTree::literal(node); empty for the empty pattern.
    kClass,            ///< One character of the class `cls`.
    kConcat,           ///< Children one behind another; at least two.
    kAlternation,      ///< One of the children; at least two.
    kIntersection,     ///< What all children match; at least two.
    kComplement,       ///< Valid text that the child does not match.
    kRepeat,           ///< The child, min to max times.
    kLookAhead,        ///< The child matches here; zero width, as all that follow.
    kNotLookAhead,     //
    kLookBehind,       ///< The child matches up to here.
    kNotLookBehind,    //
    kTextStart,        ///< \A, ^
    kTextEnd,          ///< \z, $
    kFinalLineEnd,     ///< \Z: the end, or a newline and the end.
    kLineStart,        ///< ^ with flag m, line ends being the characters of the class `cls`.
    kLineEnd,          ///< $ with flag m, likewise.
    kWordBoundary,     ///< \b, word characters being those of the class `cls`.
    kNotWordBoundary,  ///< \B
  };
  Kind kind = Kind::kLiteral;
  ClassId cls = {};
  std::uint32_t min = 0;
  std::uint32_t max = 0;    ///< May be kUnbounded.
  std::uint32_t begin = 0;  ///< Of the children in SyntaxTree::children, or of the literal in SyntaxTree::text.
  std::uint32_t size = 0;   ///< Children, or bytes.
  bool lazy = false;        ///< Of a repeat: a backtracking matcher tries the least first.
  SourceRange where = {};   ///< In the pattern.
};

struct SyntaxTree {
  std::vector<Node> nodes = {};
  std::vector<NodeId> children = {};
  std::vector<CodePointSet> classes = {};
  std::string text = {};
  NodeId root = {};

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::span<const NodeId> children_of(const Node& node) const {
    if (node.kind == Node::Kind::kLiteral) return {};  // `begin` and `size` are of the text.
    return std::span(children).subspan(node.begin, node.size);
  }
  [[nodiscard]] std::string_view literal(const Node& node) const {
    return std::string_view(text).substr(node.begin, node.size);
  }
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SYNTAX_TREE_H_
