#include "grammar/passes/nullable_rules.h"

#include <cstdint>

namespace weir::grammar {

std::vector<bool> find_nullable_rules(const Draft& draft) {
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

}  // namespace weir::grammar
