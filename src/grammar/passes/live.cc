#include "grammar/passes/live.h"

namespace weir::grammar {

Live find_live(const Grammar& grammar) {
  Live live{std::vector<bool>(grammar.nodes.size(), false), std::vector<bool>(grammar.rules.size(), false)};
  std::vector<NodeId> pending;
  const auto reach = [&](NodeId id) {
    const auto index = static_cast<std::uint32_t>(id);
    if (live.nodes[index]) return;
    live.nodes[index] = true;
    pending.push_back(id);
  };
  const auto reach_rule = [&](RuleId id) {
    live.rules[static_cast<std::uint32_t>(id)] = true;
    reach(grammar.rule(id).body);
  };
  reach_rule(grammar.start);
  while (!pending.empty()) {
    const Node& node = grammar.node(pending.back());
    pending.pop_back();
    if (node.kind == NodeKind::kRule) reach_rule(RuleId{node.payload});
    for (const NodeId child : grammar.children_of(node)) reach(child);
  }
  return live;
}

}  // namespace weir::grammar
