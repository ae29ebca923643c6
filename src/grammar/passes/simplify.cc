#include "grammar/passes/simplify.h"

#include <vector>

#include "grammar/passes/live.h"

namespace weir::grammar {

namespace {

class Simplifier {
 public:
  explicit Simplifier(Grammar& grammar)
      : grammar_(grammar),
        live_(find_live(grammar)),
        count_(grammar.nodes.size()),
        renamed_(count_),
        parents_(count_) {}

  void run() {
    count_parents();
    for (std::size_t i = 0; i < count_; ++i) {
      if (live_.nodes[i]) join_through_rules(grammar_.nodes[i]);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      renamed_[i] = NodeId{static_cast<std::uint32_t>(i)};
      if (live_.nodes[i] && !joins_parent(i)) renamed_[i] = rebuilt(renamed_[i]);
    }
    for (Rule& rule : grammar_.rules) rule.body = renamed_[static_cast<std::uint32_t>(rule.body)];
  }

 private:
  // The number of parents of each node (a rule is a parent of its body), and the kind of the last one.
  struct Parents {
    std::uint32_t count = 0;
    NodeKind kind = NodeKind::kEmpty;
  };

  void count_parents() {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!live_.nodes[i]) continue;
      for (const NodeId child : grammar_.children_of(grammar_.nodes[i])) {
        Parents& parents = parents_[static_cast<std::uint32_t>(child)];
        ++parents.count;
        parents.kind = grammar_.nodes[i].kind;
      }
    }
    for (const Rule& rule : grammar_.rules) {
      Parents& parents = parents_[static_cast<std::uint32_t>(rule.body)];
      ++parents.count;
      parents.kind = NodeKind::kRule;
    }
  }

  // Returns true if a repeat of `inner` is one repeat, because the possible counts have no gaps.
  [[nodiscard]] static bool joins_repeat(const Node& inner) {
    return inner.kind == NodeKind::kRepeat && inner.min <= 1 && (inner.max == 1 || inner.max == regex::kUnbounded);
  }
  static void join_counts(const Node& inner, std::uint32_t& min, std::uint32_t& max) {
    if (inner.min == 0) min = 0;
    if (inner.max == regex::kUnbounded) max = regex::kUnbounded;
  }

  // If the repeated rule is itself a repeat of a rule, repeats that inner rule instead, in place. Rules may form a
  // cycle, so the number of steps is bounded.
  void join_through_rules(Node& repeat) {
    if (repeat.kind != NodeKind::kRepeat || repeat.max == 0) return;
    const NodeId child = grammar_.children_of(repeat)[0];
    if (parents_[static_cast<std::uint32_t>(child)].count > 1) return;
    Node& reference = grammar_.nodes[static_cast<std::uint32_t>(child)];
    for (std::size_t steps = 0; steps < grammar_.rules.size() && reference.kind == NodeKind::kRule; ++steps) {
      const Rule& rule = grammar_.rules[reference.payload];
      if (rule.is_marked() || rule.follow != regex::ExprId::kAllStrings) return;
      const Node& body = grammar_.node(rule.body);
      if (!joins_repeat(body)) return;
      const Node& inner = grammar_.node(grammar_.children_of(body)[0]);
      if (inner.kind != NodeKind::kRule) return;
      join_counts(body, repeat.min, repeat.max);
      reference.payload = inner.payload;
    }
  }

  // Returns true if the node's parts are moved into its only parent, a node of the same kind.
  [[nodiscard]] bool joins_parent(std::size_t i) const {
    const NodeKind kind = grammar_.nodes[i].kind;
    return (kind == NodeKind::kSequence || kind == NodeKind::kChoice) && parents_[i].count == 1 &&
           parents_[i].kind == kind;
  }

  NodeId rebuilt(NodeId id) {
    const Node node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kSequence:
      case NodeKind::kChoice: return rebuilt_list(id, node);
      case NodeKind::kRepeat: return rebuilt_repeat(id, node);
      default: return id;
    }
  }

  NodeId rebuilt_list(NodeId id, const Node& node) {
    const bool is_sequence = node.kind == NodeKind::kSequence;
    parts_.clear();
    stack_.assign(1, id);
    bool changed = false;
    bool has_empty = false;
    while (!stack_.empty()) {
      const NodeId at = stack_.back();
      stack_.pop_back();
      if (at == id || joins_parent(static_cast<std::uint32_t>(at))) {
        const auto children = grammar_.children_of(grammar_.node(at));
        stack_.insert(stack_.end(), children.rbegin(), children.rend());
        changed = changed || at != id;
        continue;
      }
      const NodeId part = renamed_[static_cast<std::uint32_t>(at)];
      const bool superfluous = part == NodeId::kEmpty && (is_sequence || has_empty);
      has_empty = has_empty || part == NodeId::kEmpty;
      changed = changed || part != at || superfluous;
      if (!superfluous) parts_.push_back(part);
    }
    if (!changed) return id;
    return is_sequence ? grammar_.add_sequence(parts_, node.where) : grammar_.add_choice(parts_, node.where);
  }

  NodeId rebuilt_repeat(NodeId id, const Node& node) {
    const NodeId before = grammar_.children_of(node)[0];
    NodeId child = renamed_[static_cast<std::uint32_t>(before)];
    std::uint32_t min = node.min;
    std::uint32_t max = node.max;
    if (max == 0 || child == NodeId::kEmpty) return NodeId::kEmpty;
    const NodeId without_empty = without_empty_alternative(child);
    if (without_empty != child) {
      child = without_empty;
      min = 0;
    }
    // The child is simplified already, so its own child is not such a repeat.
    const Node inner = grammar_.node(child);
    if (joins_repeat(inner)) {
      join_counts(inner, min, max);
      child = grammar_.children_of(inner)[0];
    }
    if (min == 1 && max == 1) return child;
    if (child == before && min == node.min && max == node.max) return id;
    return grammar_.add_repeat(child, min, max, node.where);
  }

  NodeId without_empty_alternative(NodeId id) {
    const Node node = grammar_.node(id);
    if (node.kind != NodeKind::kChoice) return id;
    parts_.clear();
    for (const NodeId child : grammar_.children_of(node)) {
      if (child != NodeId::kEmpty) parts_.push_back(child);
    }
    return parts_.size() == node.child_count ? id : grammar_.add_choice(parts_, node.where);
  }

  Grammar& grammar_;
  Live live_;
  std::size_t count_;  // nodes before the pass
  std::vector<NodeId> renamed_;
  std::vector<Parents> parents_;
  std::vector<NodeId> parts_;
  std::vector<NodeId> stack_;
};

}  // namespace

void simplify(Grammar& grammar) { Simplifier(grammar).run(); }

}  // namespace weir::grammar
