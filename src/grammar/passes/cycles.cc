#include "grammar/passes/cycles.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace weir::grammar {

namespace {

// Nullable rules by rounds over a worklist, as in passes/emit.cc, but with terminals that may still be nullable.
std::vector<bool> find_nullable(const Draft& draft) {
  struct Place {
    std::uint32_t rule, production;
  };
  std::vector<std::vector<Place>> uses(draft.rules.size());
  std::vector<std::vector<std::uint32_t>> open(draft.rules.size());
  std::vector<bool> nullable(draft.rules.size(), false);
  std::vector<std::uint32_t> pending;
  const auto settle = [&](std::uint32_t rule) {
    if (nullable[rule]) return;
    nullable[rule] = true;
    pending.push_back(rule);
  };
  for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
    const std::vector<Production>& productions = draft.rules[r].productions;
    open[r].assign(productions.size(), 0);
    for (std::uint32_t p = 0; p < productions.size(); ++p) {
      for (const Symbol symbol : productions[p]) {
        const bool empty_terminal =
            symbol.kind() == Symbol::Kind::kTerminal && draft.exprs.nullable(draft.terminals[symbol.index()].expr);
        if (!empty_terminal) ++open[r][p];
        if (symbol.kind() == Symbol::Kind::kRule) uses[symbol.index()].push_back({r, p});
      }
      if (open[r][p] == 0) settle(r);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t rule = pending.back();
    pending.pop_back();
    for (const Place& place : uses[rule]) {
      if (--open[place.rule][place.production] == 0) settle(place.rule);
    }
  }
  return nullable;
}

// Edges from each rule to those that it can be replaced by: everything else in the production may be empty.
std::vector<std::vector<std::uint32_t>> unit_edges(const Draft& draft) {
  const std::vector<bool> nullable = find_nullable(draft);
  const auto may_be_empty = [&](Symbol symbol) {
    if (symbol.kind() == Symbol::Kind::kRule) return static_cast<bool>(nullable[symbol.index()]);
    return symbol.kind() == Symbol::Kind::kTerminal && draft.exprs.nullable(draft.terminals[symbol.index()].expr);
  };
  std::vector<std::vector<std::uint32_t>> edges(draft.rules.size());
  for (std::size_t r = 0; r < draft.rules.size(); ++r) {
    for (const Production& production : draft.rules[r].productions) {
      std::size_t filled = 0;
      for (const Symbol symbol : production) filled += may_be_empty(symbol) ? 0U : 1U;
      if (filled > 1) continue;
      for (const Symbol symbol : production) {
        if (symbol.kind() == Symbol::Kind::kRule && (filled == 0 || !may_be_empty(symbol))) {
          edges[r].push_back(symbol.index());
        }
      }
    }
  }
  return edges;
}

// Tarjan's strongly connected components, with a stack of our own; calls `visit` with the members of each component.
template <typename Visit>
void for_each_component(const std::vector<std::vector<std::uint32_t>>& edges, Visit visit) {
  struct Frame {
    std::uint32_t node;
    std::size_t next_edge;
  };
  constexpr std::uint32_t kNew = 0;
  std::vector<std::uint32_t> number(edges.size(), kNew);
  std::vector<std::uint32_t> low(edges.size(), 0);
  std::vector<bool> open(edges.size(), false);
  std::vector<std::uint32_t> path;
  std::vector<Frame> frames;
  std::uint32_t counter = 0;
  const auto enter = [&](std::uint32_t node) {
    number[node] = low[node] = ++counter;
    open[node] = true;
    path.push_back(node);
    frames.push_back({node, 0});
  };
  for (std::uint32_t root = 0; root < edges.size(); ++root) {
    if (number[root] != kNew) continue;
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t node = frames.back().node;
      if (frames.back().next_edge < edges[node].size()) {
        const std::uint32_t to = edges[node][frames.back().next_edge++];
        if (number[to] == kNew) {
          enter(to);
        } else if (open[to]) {
          low[node] = std::min(low[node], number[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      const auto begin = std::find(path.rbegin(), path.rend(), node).base() - 1;
      const std::vector<std::uint32_t> members(begin, path.end());
      path.erase(begin, path.end());
      for (const std::uint32_t member : members) open[member] = false;
      visit(members);
    }
  }
}

}  // namespace

void report_cycles(const Draft& draft, std::vector<Warning>& warnings) {
  const auto edges = unit_edges(draft);
  for_each_component(edges, [&](const std::vector<std::uint32_t>& members) {
    const std::uint32_t some = members.front();
    const bool loops = std::find(edges[some].begin(), edges[some].end(), some) != edges[some].end();
    if (members.size() == 1 && !loops) return;
    const DraftRule* first = nullptr;
    for (const std::uint32_t member : members) {
      const DraftRule& rule = draft.rules[member];
      if (!rule.generated && (first == nullptr || rule.where.start < first->where.start)) first = &rule;
    }
    if (first == nullptr) return;
    warnings.push_back({"rule `" + first->name + "` can derive itself", first->where,
                        "this does no harm, but the alternative that leads back adds no text"});
  });
}

}  // namespace weir::grammar
