#include "grammar/passes/rule_users.h"

#include <cstddef>
#include <cstdint>

namespace weir::grammar {

void mark_users(const Draft& draft, std::vector<bool>& marked) {
  std::vector<std::uint32_t> pending;
  for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
    if (marked[r]) pending.push_back(r);
  }
  if (pending.empty()) return;
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
      if (marked[user]) continue;
      marked[user] = true;
      pending.push_back(user);
    }
  }
}

std::vector<bool> find_capturing_rules(const Draft& draft) {
  std::vector<bool> capturing(draft.rules.size());
  for (std::size_t r = 0; r < capturing.size(); ++r) capturing[r] = draft.rules[r].is_captured();
  mark_users(draft, capturing);
  return capturing;
}

}  // namespace weir::grammar
