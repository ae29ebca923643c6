#include "grammar/passes/cycles.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/strong_components.h"
#include "grammar/passes/nullable_rules.h"

namespace weir::grammar {

namespace {

// Returns edges from each rule to the rules that it can be replaced by, that is, where the rest of the production may
// be empty.
std::vector<std::vector<std::uint32_t>> unit_edges(const Draft& draft) {
  const std::vector<bool> nullable = find_nullable_rules(draft);
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

}  // namespace

void report_cycles(const Draft& draft, std::vector<Warning>& warnings) {
  const auto edges = unit_edges(draft);
  for (const std::vector<std::uint32_t>& members : base::strong_components(edges)) {
    const std::uint32_t some = members.front();
    const bool loops = std::find(edges[some].begin(), edges[some].end(), some) != edges[some].end();
    if (members.size() == 1 && !loops) continue;
    const DraftRule* first = nullptr;
    for (const std::uint32_t member : members) {
      const DraftRule& rule = draft.rules[member];
      if (!rule.generated && (first == nullptr || rule.where.start < first->where.start)) first = &rule;
    }
    if (first == nullptr) continue;
    warnings.push_back({"rule `" + first->name + "` can derive itself", first->where,
                        "this does no harm, but the alternative that leads back adds no text", "circular-rule"});
  }
}

}  // namespace weir::grammar
