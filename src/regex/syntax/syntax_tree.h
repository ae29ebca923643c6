// SyntaxTree: a parsed pattern with flags applied, before it becomes an expression.
//
// WHY    The tree separates two concerns: the parser does not deal with expressions, and the code that reads the tree
//        does not deal with flags, escapes and group syntax. Also, operands of `&` and `~` may contain assertions only
//        where they span the whole text, which is known only after the whole pattern has been parsed.
// HOW    Nodes are stored in one array, children before their parents. A loop over the array is a traversal, so deep
//        nesting cannot overflow the call stack.
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
    kConcat,           ///< The children in sequence; at least two.
    kAlternation,      ///< One of the children; at least two.
    kIntersection,     ///< The texts that all children match; at least two.
    kComplement,       ///< The valid UTF-8 texts that the child does not match.
    kRepeat,           ///< The child, min to max times.
    kLookAhead,        ///< The child matches from here on. This kind and all that follow have zero width.
    kNotLookAhead,     //
    kLookBehind,       ///< The child matches up to here.
    kNotLookBehind,    //
    kTextStart,        ///< \A, ^
    kTextEnd,          ///< \z, $
    kFinalLineEnd,     ///< \Z: the end, or before a final newline.
    kLineStart,        ///< ^ with flag m; the class `cls` holds the characters that end a line.
    kLineEnd,          ///< $ with flag m; the class `cls` holds the characters that end a line.
    kWordBoundary,     ///< \b; the class `cls` holds the word characters.
    kNotWordBoundary,  ///< \B
  };
  Kind kind = Kind::kLiteral;
  ClassId cls = {};
  std::uint32_t min = 0;
  std::uint32_t max = 0;    ///< May be kUnbounded.
  std::uint32_t begin = 0;  ///< Index of the first child in SyntaxTree::children; of a literal, in SyntaxTree::text.
  std::uint32_t size = 0;   ///< Number of children; for a literal, of bytes.
  bool lazy = false;        ///< For a repeat: true if a backtracking matcher tries the smallest count first.
  SourceRange where = {};   ///< Range in the pattern.
};

struct SyntaxTree {
  std::vector<Node> nodes = {};
  std::vector<NodeId> children = {};
  std::vector<CodePointSet> classes = {};
  std::string text = {};
  NodeId root = {};

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::span<const NodeId> children_of(const Node& node) const {
    if (node.kind == Node::Kind::kLiteral) return {};  // `begin` and `size` refer to the text
    return std::span(children).subspan(node.begin, node.size);
  }
  [[nodiscard]] std::string_view literal(const Node& node) const {
    return std::string_view(text).substr(node.begin, node.size);
  }
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_SYNTAX_TREE_H_
