#include "grammar/passes/unused.h"

#include <utility>

#include "grammar/passes/live.h"

namespace weir::grammar {

void drop_unused(Grammar& grammar, std::vector<Warning>* warnings) {
  const Live live = find_live(grammar);
  std::vector<RuleId> moved(grammar.rules.size());
  std::vector<Rule> kept;
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    Rule& rule = grammar.rules[i];
    moved[i] = RuleId{static_cast<std::uint32_t>(kept.size())};
    if (live.rules[i]) {
      kept.push_back(std::move(rule));
    } else if (!rule.generated && !rule.absorbed && warnings != nullptr) {
      warnings->push_back({"rule `" + rule.name + "` is never used", rule.where, {}, "unused-rule"});
    }
  }
  for (std::size_t i = 0; i < grammar.nodes.size(); ++i) {
    Node& node = grammar.nodes[i];
    if (!live.nodes[i]) {
      node = Node{};
    } else if (node.kind == NodeKind::kRule) {
      node.payload = static_cast<std::uint32_t>(moved[node.payload]);
    }
  }
  grammar.start = moved[static_cast<std::uint32_t>(grammar.start)];
  grammar.rules = std::move(kept);
}

}  // namespace weir::grammar
