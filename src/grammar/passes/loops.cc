#include "grammar/passes/loops.h"

#include <algorithm>
#include <utility>

#include "base/work.h"
#include "grammar/search_bounds.h"

namespace weir::grammar {

using regex::ExprId;

Loops LoopFinder::loops_of(const Terminal& terminal) {
  // Literals have no loops, and most terminals are literals.
  if (terminal.text.starts_with('"') || terminal.text.starts_with('\'')) return {};
  const auto [found, is_new] = known_.try_emplace(static_cast<std::uint32_t>(terminal.expr));
  if (is_new) found->second = explore(terminal.expr);
  return found->second;
}

Loops LoopFinder::explore(ExprId expr) {
  states_.assign(1, {expr});
  for (std::uint32_t at = 0; at < states_.size() && !base::Work::is_met(); ++at) expand(at);
  Loops loops;
  loops.wide = !states_[0].wide.empty();
  for (const State& first : states_) {
    for (const std::uint32_t second : first.wide) {
      for (const std::uint32_t third : states_[second].wide) {
        const bool can_end = exprs_.nullable(first.expr) || exprs_.nullable(states_[second].expr) ||
                             exprs_.nullable(states_[third].expr);
        (can_end ? loops.open : loops.closed) = true;
      }
    }
  }
  return loops;
}

// Adds the states that `at` leads to, and records those that many bytes lead to.
void LoopFinder::expand(std::uint32_t at) {
  branches_.clear();
  exprs_.append_branches(states_[at].expr, branches_);
  std::vector<std::pair<std::uint32_t, std::size_t>> reached;  // state, number of bytes
  for (const auto& [bytes, next] : branches_) {
    if (next == ExprId::kOverflow) continue;
    const auto known = std::find_if(states_.begin(), states_.end(), [&](const State& s) { return s.expr == next; });
    const auto state = static_cast<std::uint32_t>(known - states_.begin());
    if (known == states_.end()) {
      if (states_.size() == kMaxLoopStates) continue;
      states_.push_back({next});
    }
    const auto entry = std::find_if(reached.begin(), reached.end(), [&](const auto& r) { return r.first == state; });
    if (entry == reached.end()) {
      reached.emplace_back(state, bytes.size());
    } else {
      entry->second += bytes.size();
    }
  }
  for (const auto& [state, bytes] : reached) {
    if (bytes >= kMinWideBytes) states_[at].wide.push_back(state);
  }
}

Loops loops_of_sequence(Loops first, Loops second, bool nullable) {
  Loops loops;
  loops.wide = first.wide && second.wide;
  loops.open = second.open || (first.open && nullable);
  loops.closed = first.closed || second.closed || (first.open && !nullable);
  return loops;
}

Loops loops_of_choice(Loops a, Loops b) { return {a.wide || b.wide, a.open || b.open, a.closed || b.closed}; }

Loops loops_of_repeat(Loops body, std::uint32_t max) {
  Loops loops = body;
  loops.open = body.open || (body.wide && max > 1);
  return loops;
}

}  // namespace weir::grammar
