// A slow matcher on syntax trees that implements the definition of each construct. It is the oracle for constructs that
// other engines lack, and shows if the parser or the translation is wrong.
#ifndef WEIR_TESTS_UNIT_REGEX_SYNTAX_TREE_MATCHER_H_
#define WEIR_TESTS_UNIT_REGEX_SYNTAX_TREE_MATCHER_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/unicode.h"

namespace weir::regex::testing {

/// Matches one text of valid UTF-8 of at most 62 bytes. A set of positions is a bit set.
class TreeMatcher {
 public:
  TreeMatcher(const SyntaxTree& tree, std::string_view text) : tree_(tree), text_(text) {}

  [[nodiscard]] bool matches() { return has(ends(tree_.root, 0), text_.size()); }
  [[nodiscard]] bool contains_match() {
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (is_boundary(i) && ends(tree_.root, i) != 0) return true;
    }
    return false;
  }

 private:
  using Set = std::uint64_t;
  static Set one(std::size_t i) { return Set{1} << i; }
  static bool has(Set set, std::size_t i) { return ((set >> i) & 1) != 0; }
  [[nodiscard]] bool is_boundary(std::size_t i) const {
    return i == text_.size() || (static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U;
  }

  /// Returns the ends of matches of `id` that begin at `i`.
  Set ends(NodeId id, std::size_t i) {
    const auto key = std::make_pair(static_cast<std::uint32_t>(id), i);
    const auto known = memo_.find(key);
    if (known != memo_.end()) return known->second;
    const Set set = compute(tree_[id], i);
    memo_.emplace(key, set);
    return set;
  }

  Set from_all(NodeId id, Set starts) {
    Set out = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (has(starts, i)) out |= ends(id, i);
    }
    return out;
  }

  /// Returns true if a match of `id` ends at `i`.
  bool ends_at(NodeId id, std::size_t i) {
    for (std::size_t start = 0; start <= i; ++start) {
      if (is_boundary(start) && has(ends(id, start), i)) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_word(ClassId cls, char32_t c) const {
    return tree_.classes[static_cast<std::size_t>(cls)].contains(c);
  }
  [[nodiscard]] bool word_at(ClassId cls, std::size_t i) const {
    return i < text_.size() && is_word(cls, base::decode_utf8(text_, i).code_point);
  }
  [[nodiscard]] bool word_before(ClassId cls, std::size_t i) const {
    if (i == 0) return false;
    do --i;
    while (!is_boundary(i));
    return word_at(cls, i);
  }
  [[nodiscard]] bool line_terminator_at(std::size_t i) const {
    return line_terminators().contains(base::decode_utf8(text_, i).code_point);
  }
  [[nodiscard]] bool line_start(std::size_t i) const {
    if (i == 0) return true;
    do --i;
    while (!is_boundary(i));
    return line_terminator_at(i);
  }

  Set repeat(const Node& node, std::size_t i) {
    const NodeId body = tree_.children_of(node)[0];
    Set reached = one(i);
    // The number of rounds suffices: the sets of positions repeat after finitely many rounds, and bounds in tests are
    // small.
    for (std::uint32_t k = 0; k < node.min; ++k) reached = from_all(body, reached);
    Set out = reached;
    for (std::uint32_t k = node.min; k < node.max; ++k) {
      const Set more = out | from_all(body, out);
      if (more == out) break;
      out = more;
    }
    return out;
  }

  Set compute(const Node& node, std::size_t i) {
    const auto children = tree_.children_of(node);
    const auto if_true = [&](bool holds) { return holds ? one(i) : 0; };
    Set out = 0;
    switch (node.kind) {
      case Node::Kind::kLiteral: return text_.substr(i).starts_with(tree_.literal(node)) ? one(i + node.size) : 0;
      case Node::Kind::kClass: return word_at(node.cls, i) ? one(i + base::decode_utf8(text_, i).length) : 0;
      case Node::Kind::kConcat:
        out = one(i);
        for (NodeId child : children) out = from_all(child, out);
        return out;
      case Node::Kind::kAlternation:
        for (NodeId child : children) out |= ends(child, i);
        return out;
      case Node::Kind::kIntersection:
        out = ~Set{0};
        for (NodeId child : children) out &= ends(child, i);
        return out;
      case Node::Kind::kComplement:
        for (std::size_t j = i; j <= text_.size(); ++j) {
          if (is_boundary(j)) out |= one(j);
        }
        return out & ~ends(children[0], i);
      case Node::Kind::kRepeat: return repeat(node, i);
      case Node::Kind::kLookAhead: return if_true(ends(children[0], i) != 0);
      case Node::Kind::kNotLookAhead: return if_true(ends(children[0], i) == 0);
      case Node::Kind::kLookBehind: return if_true(ends_at(children[0], i));
      case Node::Kind::kNotLookBehind: return if_true(!ends_at(children[0], i));
      case Node::Kind::kTextStart: return if_true(i == 0);
      case Node::Kind::kTextEnd: return if_true(i == text_.size());
      case Node::Kind::kFinalLineEnd: return if_true(i == text_.size() || text_.substr(i) == "\n");
      case Node::Kind::kLineStart: return if_true(line_start(i));
      case Node::Kind::kLineEnd: return if_true(i == text_.size() || line_terminator_at(i));
      case Node::Kind::kWordBoundary: return if_true(word_before(node.cls, i) != word_at(node.cls, i));
      case Node::Kind::kNotWordBoundary: return if_true(word_before(node.cls, i) == word_at(node.cls, i));
    }
    return 0;
  }

  const SyntaxTree& tree_;
  std::string_view text_;
  std::map<std::pair<std::uint32_t, std::size_t>, Set> memo_;
};

}  // namespace weir::regex::testing

#endif  // WEIR_TESTS_UNIT_REGEX_SYNTAX_TREE_MATCHER_H_
