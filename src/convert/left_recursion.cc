#include "convert/left_recursion.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/strong_components.h"
#include "regex/expr/expr.h"

namespace weir::frontend::convert {

namespace {

using grammar::Node;
using grammar::NodeId;
using grammar::NodeKind;

std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }

bool may_be_empty(const grammar::Grammar& grammar, const Node& node, const std::vector<bool>& known) {
  const auto children = grammar.children_of(node);
  const auto empty = [&](NodeId child) { return static_cast<bool>(known[index(child)]); };
  switch (node.kind) {
    case NodeKind::kEmpty: return true;
    case NodeKind::kTerminal: return grammar.exprs.nullable(grammar.terminals[node.payload].expr);
    case NodeKind::kTokens:
    case NodeKind::kLazy: return false;
    case NodeKind::kRule: return empty(grammar.rules[node.payload].body);
    case NodeKind::kSequence: return std::all_of(children.begin(), children.end(), empty);
    case NodeKind::kChoice: return std::any_of(children.begin(), children.end(), empty);
    case NodeKind::kRepeat: return node.min == 0 || empty(children[0]);
  }
  return false;
}

std::vector<bool> find_empty(const grammar::Grammar& grammar) {
  std::vector<bool> known(grammar.nodes.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] || !may_be_empty(grammar, grammar.nodes[i], known)) continue;
      known[i] = changed = true;
    }
  }
  return known;
}

// Returns the rules that texts of a body can begin with.
std::vector<std::uint32_t> leftmost(const grammar::Grammar& grammar, NodeId body, const std::vector<bool>& empty) {
  std::vector<std::uint32_t> rules;
  std::vector<NodeId> pending = {body};
  while (!pending.empty()) {
    const Node& node = grammar.node(pending.back());
    pending.pop_back();
    if (node.kind == NodeKind::kRule) rules.push_back(node.payload);
    for (const NodeId child : grammar.children_of(node)) {
      pending.push_back(child);
      if (node.kind == NodeKind::kSequence && !empty[index(child)]) break;
    }
  }
  return rules;
}

tl::unexpected<Error> refused(const std::string& what, SourceRange where) {
  return tl::unexpected(
      Error{ErrorCode::kUnsupported, "GBNF has no way to say " + what, where, "llama.cpp refuses left recursion"});
}

}  // namespace

Result<void> check_left_recursion(const grammar::Grammar& grammar) {
  const std::vector<bool> empty = find_empty(grammar);
  for (const Node& node : grammar.nodes) {
    const bool endless = node.kind == NodeKind::kRepeat && node.max == regex::kUnbounded;
    if (endless && empty[index(grammar.children_of(node)[0])]) {
      return refused("an unbounded repetition of a part that may be empty", node.where);
    }
  }
  std::vector<std::vector<std::uint32_t>> edges;
  for (const grammar::Rule& rule : grammar.rules) edges.push_back(leftmost(grammar, rule.body, empty));
  const grammar::Rule* first = nullptr;
  for (const std::vector<std::uint32_t>& members : base::strong_components(edges)) {
    const std::uint32_t some = members.front();
    const bool loops = std::find(edges[some].begin(), edges[some].end(), some) != edges[some].end();
    if (members.size() == 1 && !loops) continue;
    for (const std::uint32_t member : members) {
      const grammar::Rule& rule = grammar.rules[member];
      if (first == nullptr || rule.where.start < first->where.start) first = &rule;
    }
  }
  if (first == nullptr) return {};
  return refused("rule `" + first->name + "`, which can begin with itself", first->where);
}

}  // namespace weir::frontend::convert
