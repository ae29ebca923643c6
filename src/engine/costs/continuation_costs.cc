#include "engine/costs/continuation_costs.h"

#include <utility>

namespace weir::engine {

using earley::ContinuationId;
using earley::Entry;

void ContinuationCosts::add(std::span<const Entry> items) {
  if (settlings_ != measure_.settlings()) below_.clear();
  settlings_ = measure_.settlings();
  std::vector<ContinuationId> added;
  std::vector<ContinuationId> open;
  for (const Entry& item : items) {
    if (item != earley::kAccept && !below_.contains(item.continuation)) open.push_back(item.continuation);
  }
  while (!open.empty()) {
    const ContinuationId c = open.back();
    open.pop_back();
    const auto [below, is_new] = below_.try_emplace(c);
    if (!is_new) continue;
    if (bounds_ != nullptr && bounds_->is_outside(c)) {
      below->second.cost = {};
      continue;
    }
    added.push_back(c);
    const auto entries = rows_.entries(c);
    below->second.entries.assign(entries.begin(), entries.end());
    for (const Entry& entry : below->second.entries) {
      if (entry != earley::kAccept) open.push_back(entry.continuation);
    }
  }
  relax(added);
}

// The deepest continuations were found last. Going backwards therefore needs one round for a chain of continuations.
void ContinuationCosts::relax(std::span<const ContinuationId> added) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = added.size(); i-- > 0;) {
      Below& below = below_[added[i]];
      for (const Entry& entry : below.entries) {
        const WayCost cost = cost_of(entry);
        if (cost >= below.cost) continue;
        below.cost = cost;
        below.best = entry;
        changed = true;
      }
    }
  }
  for (const ContinuationId c : added) below_[c].entries = {};
}

WayCost ContinuationCosts::cost_of(const Entry& entry) {
  if (entry == earley::kAccept) return {};
  const WayCost after = below_[entry.continuation].cost;
  return earley::is_fence(entry) ? after : measure_.cost_of_suffix(entry.item) + after;
}

}  // namespace weir::engine
