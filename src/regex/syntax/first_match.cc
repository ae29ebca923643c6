#include "regex/syntax/first_match.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/utf8.h"
#include "regex/expr/expr.h"
#include "regex/syntax/parser_error.h"

namespace weir::regex {

namespace {

using Kind = Node::Kind;

// Rewrites one possessive quantifier or atomic group as first_match.h says.
class FirstMatchRewriter {
 public:
  FirstMatchRewriter(SyntaxTree& tree, const std::unordered_set<NodeId>& lazy, SourceRange where, const Limits& limits)
      : tree_(tree), lazy_(lazy), where_(where), limits_(limits) {}

  Result<NodeId> run(NodeId node) {
    // In a sequence, every part before the last must match texts of one length. Only the last part is rewritten.
    std::vector<NodeId> before;
    while (tree_[node].kind == Kind::kConcat) {
      if (length(node)) break;
      const auto parts = tree_.children_of(tree_[node]);
      for (const NodeId part : parts.first(parts.size() - 1)) {
        if (!length(part)) return refused();
        before.push_back(part);
      }
      const NodeId last = parts.back();
      disown(node);
      node = last;
    }
    Result<NodeId> last = keep(node);
    if (!last || before.empty()) return last;
    before.push_back(*last);
    return add(Kind::kConcat, before);
  }

 private:
  Result<NodeId> keep(NodeId node) {
    if (length(node)) return node;
    const Node given = tree_[node];
    if (given.kind == Kind::kAlternation) return keep_alternation(node);
    if (given.kind != Kind::kRepeat) return refused();
    const NodeId body = tree_.children_of(given)[0];
    const std::optional<std::uint64_t> size = length(body);
    if (!size || *size == 0) return refused();
    disown(node);
    if (lazy_.contains(node)) return repeat(body, given.min, given.min);
    if (given.max == kUnbounded) return ended(repeat(body, given.min, kUnbounded), body);
    const Result<NodeId> copied = copy(body);
    if (!copied) return copied;
    const NodeId most = repeat(*copied, given.max, given.max);
    const Result<NodeId> fewer = ended(repeat(body, given.min, given.max - 1), body);
    if (!fewer) return fewer;
    return add(Kind::kAlternation, {most, *fewer});
  }

  Result<NodeId> keep_alternation(NodeId node) {
    const auto children = tree_.children_of(tree_[node]);
    const std::vector<NodeId> branches(children.begin(), children.end());
    disown(node);
    std::vector<NodeId> kept;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (!length(branches[i])) return refused();
      std::vector<NodeId> parts;
      for (std::size_t before = 0; before < i; ++before) {
        const Result<NodeId> other = copy(branches[before]);
        if (!other) return other;
        parts.push_back(add(Kind::kNotLookAhead, {*other}));
      }
      parts.push_back(branches[i]);
      kept.push_back(parts.size() == 1 ? parts[0] : add(Kind::kConcat, parts));
    }
    return add(Kind::kAlternation, kept);
  }

  // Returns `node` followed by the assertion that no `body` follows.
  Result<NodeId> ended(NodeId node, NodeId body) {
    const Result<NodeId> copied = copy(body);
    if (!copied) return copied;
    return add(Kind::kConcat, {node, add(Kind::kNotLookAhead, {*copied})});
  }

  // Makes `node` an empty literal, so that its children can get another parent: a node has at most one parent.
  void disown(NodeId node) { tree_.nodes[static_cast<std::size_t>(node)] = {.where = where_}; }

  NodeId repeat(NodeId body, std::uint32_t min, std::uint32_t max) {
    const NodeId node = add(Kind::kRepeat, {body});
    tree_.nodes.back().min = min;
    tree_.nodes.back().max = max;
    return node;
  }

  NodeId add(Kind kind, const std::vector<NodeId>& children) {
    const auto begin = static_cast<std::uint32_t>(tree_.children.size());
    tree_.children.insert(tree_.children.end(), children.begin(), children.end());
    tree_.nodes.push_back(
        {.kind = kind, .begin = begin, .size = static_cast<std::uint32_t>(children.size()), .where = where_});
    return NodeId(static_cast<std::uint32_t>(tree_.nodes.size() - 1));
  }

  // Returns all nodes of the subtree. Children have smaller ids than their parents, so they come first in the set.
  [[nodiscard]] std::set<NodeId> subtree(NodeId root) const {
    std::set<NodeId> nodes{root};
    std::vector<NodeId> pending{root};
    while (!pending.empty()) {
      const Node& node = tree_[pending.back()];
      pending.pop_back();
      for (const NodeId child : tree_.children_of(node)) {
        if (nodes.insert(child).second) pending.push_back(child);
      }
    }
    return nodes;
  }

  // Copies a subtree, for a construct that needs it in two places: a node has exactly one parent.
  Result<NodeId> copy(NodeId root) {
    const std::set<NodeId> nodes = subtree(root);
    if (tree_.nodes.size() + nodes.size() > limits_.regex_nodes) {
      return limit_error(where_, "the regular expression is too large", "regex_nodes");
    }
    std::map<NodeId, NodeId> copies;
    for (const NodeId id : nodes) {
      Node node = tree_[id];
      if (node.kind != Kind::kLiteral) {
        const std::uint32_t begin = node.begin;
        node.begin = static_cast<std::uint32_t>(tree_.children.size());
        for (std::uint32_t i = 0; i < node.size; ++i) tree_.children.push_back(copies.at(tree_.children[begin + i]));
      }
      tree_.nodes.push_back(node);
      copies[id] = NodeId(static_cast<std::uint32_t>(tree_.nodes.size() - 1));
    }
    return copies.at(root);
  }

  // Returns the number of characters of every match of `root`; nullopt if matches may differ in length. Also nullopt
  // for intersections and complements, whose lengths are not computed, and for more than kUnbounded characters.
  [[nodiscard]] std::optional<std::uint64_t> length(NodeId root) const {
    std::map<NodeId, std::optional<std::uint64_t>> known;
    for (const NodeId id : subtree(root)) {
      const Node& node = tree_[id];
      const auto children = tree_.children_of(node);
      std::optional<std::uint64_t> sum = 0;
      switch (node.kind) {
        case Kind::kLiteral: sum = code_points(tree_.literal(node)); break;
        case Kind::kClass: sum = 1; break;
        case Kind::kConcat:
          for (const NodeId child : children)
            sum = sum && known[child] ? std::optional(*sum + *known[child]) : std::nullopt;
          break;
        case Kind::kAlternation:
          sum = known[children[0]];
          for (const NodeId child : children) sum = sum == known[child] ? sum : std::nullopt;
          break;
        case Kind::kRepeat: {
          const std::optional<std::uint64_t> body = known[children[0]];
          sum = body && (node.min == node.max || *body == 0) ? std::optional(*body * node.min) : std::nullopt;
          break;
        }
        case Kind::kIntersection:
        case Kind::kComplement: sum = std::nullopt; break;
        default: break;
      }
      if (sum && *sum > kUnbounded) sum = std::nullopt;
      known[id] = sum;
    }
    return known[root];
  }

  static std::uint64_t code_points(std::string_view text) {
    std::uint64_t count = 0;
    for (std::size_t pos = 0; pos < text.size(); ++count) {
      pos += std::max<std::size_t>(1, base::decode_utf8(text, pos).length);
    }
    return count;
  }

  [[nodiscard]] Result<NodeId> refused() const {
    return unsupported_error(where_,
                             "this possessive quantifier or atomic group is not supported: parts of it match texts of "
                             "different lengths, so its meaning depends on the order of a backtracking search",
                             "leave out `?>` or the last `+`");
  }

  SyntaxTree& tree_;
  const std::unordered_set<NodeId>& lazy_;
  const SourceRange where_;
  const Limits& limits_;
};

}  // namespace

Result<NodeId> rewrite_first_match(SyntaxTree& tree, NodeId node, const std::unordered_set<NodeId>& lazy,
                                   SourceRange where, const Limits& limits) {
  return FirstMatchRewriter(tree, lazy, where, limits).run(node);
}

}  // namespace weir::regex
