#include "convert/occurrences.h"

#include <optional>
#include <span>

#include "regex/expr/expr.h"

namespace weir::frontend::convert {

using grammar::NodeId;
using grammar::NodeKind;

bool NumberSet::unite(const NumberSet& other) {
  bool changed = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    changed = changed || (other.words_[i] & ~words_[i]) != 0;
    words_[i] |= other.words_[i];
  }
  return changed;
}

void NumberSet::intersect(const NumberSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}

Occurrences::Occurrences(const grammar::Grammar& grammar, const grammar::Live& live,
                         const std::vector<bool>& is_left_out)
    : grammar_(grammar), live_(live), is_left_out_(is_left_out), number_(grammar.nodes.size(), 0) {
  for (std::size_t i = 0; i < grammar.nodes.size(); ++i) {
    const NodeKind kind = grammar.nodes[i].kind;
    if (!live.nodes[i] || (kind != NodeKind::kTerminal && kind != NodeKind::kTokens)) continue;
    number_[i] = nodes_.size();
    nodes_.push_back(NodeId{static_cast<std::uint32_t>(i)});
  }
  nullable_.assign(grammar.nodes.size(), false);
  first_.assign(grammar.nodes.size(), NumberSet(nodes_.size()));
  follow_ = first_;
  const auto to_fixpoint = [&](const auto& visit) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < grammar.nodes.size(); ++i) changed = visit(i) || changed;
    }
  };
  to_fixpoint([&](std::size_t i) { return live.nodes[i] && add_first(i); });
  to_fixpoint([&](std::size_t i) {
    const std::size_t parents_first = grammar.nodes.size() - 1 - i;
    return live.nodes[parents_first] && add_follow(parents_first);
  });
}

bool Occurrences::add_first(std::size_t i) {
  const grammar::Node& node = grammar_.nodes[i];
  const auto children = grammar_.children_of(node);
  const auto of = [](NodeId id) { return static_cast<std::size_t>(id); };
  NumberSet first = first_[i];
  bool nullable = false;
  switch (node.kind) {
    case NodeKind::kEmpty:
    case NodeKind::kLazy: nullable = true; break;
    case NodeKind::kTerminal:
    case NodeKind::kTokens: first.add(number_[i]); break;
    case NodeKind::kRule:
      nullable = is_left_out_[node.payload] || nullable_[of(grammar_.rules[node.payload].body)];
      if (!is_left_out_[node.payload]) first.unite(first_[of(grammar_.rules[node.payload].body)]);
      break;
    case NodeKind::kRepeat:
      nullable = node.min == 0 || nullable_[of(children[0])];
      first.unite(first_[of(children[0])]);
      break;
    case NodeKind::kChoice:
      for (const NodeId child : children) {
        nullable = nullable || nullable_[of(child)];
        first.unite(first_[of(child)]);
      }
      break;
    case NodeKind::kSequence:
      nullable = true;
      for (const NodeId child : children) {
        if (nullable) first.unite(first_[of(child)]);
        nullable = nullable && nullable_[of(child)];
      }
      break;
  }
  const bool changed = nullable != nullable_[i];
  nullable_[i] = nullable;
  return first_[i].unite(first) || changed;
}

bool Occurrences::add_follow(std::size_t i) {
  const grammar::Node& node = grammar_.nodes[i];
  const auto children = grammar_.children_of(node);
  NumberSet after = follow_[i];
  bool changed = false;
  switch (node.kind) {
    case NodeKind::kRule:
      return !is_left_out_[node.payload] && add(grammar_.rules[node.payload].body, after);
    case NodeKind::kRepeat:
      if (node.max > 1) after.unite(first(children[0]));
      return add(children[0], after);
    case NodeKind::kChoice:
      for (const NodeId child : children) changed = add(child, after) || changed;
      return changed;
    case NodeKind::kSequence:
      for (std::size_t c = children.size(); c-- > 0;) {
        changed = add(children[c], after) || changed;
        NumberSet before = first(children[c]);
        if (is_nullable(children[c])) before.unite(after);
        after = before;
      }
      return changed;
    default: return false;
  }
}

std::vector<NumberSet> Occurrences::allowed_together() const {
  std::vector<std::optional<NumberSet>> known(grammar_.nodes.size());  // of nodes with a parent that was visited
  const auto meet = [&](NodeId child, const NumberSet& with) {
    std::optional<NumberSet>& one = known[static_cast<std::size_t>(child)];
    one.has_value() ? one->intersect(with) : static_cast<void>(one = with);
  };
  const NumberSet nothing(count());
  for (const grammar::Rule& rule : grammar_.rules) meet(rule.body, nothing);
  for (std::size_t i = grammar_.nodes.size(); i-- > 0;) {
    const grammar::Node& node = grammar_.nodes[i];
    if (!live_.nodes[i]) continue;
    NumberSet here = known[i].value_or(nothing);
    here.unite(first_[i]);
    const auto children = grammar_.children_of(node);
    for (std::size_t c = 0; c < children.size(); ++c) {
      NumberSet with = first(children[c]);
      if (node.kind == NodeKind::kChoice || (node.kind == NodeKind::kSequence && c == 0)) with = here;
      if (node.kind == NodeKind::kSequence && c > 0) {
        const grammar::Node& before = grammar_.node(children[c - 1]);
        const bool is_loop = before.kind == NodeKind::kRepeat && before.max == regex::kUnbounded;
        if (is_loop) with.unite(first(children[c - 1]));
      }
      meet(children[c], with);
    }
  }
  std::vector<NumberSet> out;
  for (const NodeId id : nodes_) {
    out.push_back(known[static_cast<std::size_t>(id)].value_or(nothing));
    out.back().add(out.size() - 1);
  }
  return out;
}

}  // namespace weir::frontend::convert
