#include "grammar/passes/capturing_rules.h"

#include <cstdint>

namespace weir::grammar {

std::vector<bool> find_capturing_rules(const Draft& draft) {
  std::vector<bool> capturing(draft.rules.size(), false);
  std::vector<std::uint32_t> pending;
  for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
    if (!draft.rules[r].is_captured()) continue;
    capturing[r] = true;
    pending.push_back(r);
  }
  if (pending.empty()) return capturing;
  std::vector<std::vector<std::uint32_t>> users(draft.rules.size());
  for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
    for (const Production& production : draft.rules[r].productions) {
      for (const Symbol symbol : production) {
        if (symbol.kind() == Symbol::Kind::kRule) users[symbol.index()].push_back(r);
      }
    }
  }
  while (!pending.empty()) {
    const std::uint32_t rule = pending.back();
    pending.pop_back();
    for (const std::uint32_t user : users[rule]) {
      if (capturing[user]) continue;
      capturing[user] = true;
      pending.push_back(user);
    }
  }
  return capturing;
}

}  // namespace weir::grammar
