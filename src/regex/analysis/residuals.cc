#include "regex/analysis/residuals.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "regex/expr/id_set.h"

namespace weir::regex {

Residuals list_residuals(ExprSet& exprs, ExprId e, std::size_t most) {
  Residuals found{{e}};
  IdSet numbers;
  numbers.insert(static_cast<std::uint32_t>(e));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back;  // (a residual, a residual with a transition to it)
  std::vector<ExprSet::Branch> branches;
  for (std::uint32_t i = 0; i < found.all.size(); ++i) {
    branches.clear();
    exprs.append_branches(found.all[i], branches);
    for (const ExprSet::Branch& branch : branches) {
      if (branch.to == ExprId::kOverflow) return found;
      const auto [to, is_new] = numbers.number(static_cast<std::uint32_t>(branch.to));
      if (is_new) found.all.push_back(branch.to);
      back.emplace_back(to, i);
    }
    if (found.all.size() > most) return found;
  }
  std::sort(back.begin(), back.end());
  found.distances.assign(found.all.size(), kUnbounded);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < found.all.size(); ++i) {
    if (!exprs.nullable(found.all[i])) continue;
    found.distances[i] = 0;
    queue.push_back(i);
  }
  for (std::size_t q = 0; q < queue.size(); ++q) {
    for (auto edge = std::lower_bound(back.begin(), back.end(), std::pair{queue[q], 0U});
         edge != back.end() && edge->first == queue[q]; ++edge) {
      if (found.distances[edge->second] != kUnbounded) continue;
      found.distances[edge->second] = found.distances[queue[q]] + 1;
      queue.push_back(edge->second);
    }
  }
  found.farthest = queue.empty() ? 0 : found.distances[queue.back()];
  return found;
}

// The language is infinite if a residual with members leads back to itself. To see that, removes residuals to which none of
// the others leads until there are no such ones: is any left?
bool is_infinite(ExprSet& exprs, ExprId e, std::size_t most) {
  if (exprs.max_length(e) != kUnbounded) return false;
  const Residuals found = list_residuals(exprs, e, most);
  std::unordered_map<ExprId, std::uint32_t> arrivals;  // transitions to each residual with members
  for (std::size_t i = 0; i < found.distances.size(); ++i) {
    if (found.distances[i] != kUnbounded) arrivals.emplace(found.all[i], 0);
  }
  std::vector<ExprSet::Branch> branches;
  const auto for_each_next = [&](ExprId residual, const auto& use) {
    branches.clear();
    exprs.append_branches(residual, branches);
    for (const ExprSet::Branch& branch : branches) {
      if (const auto to = arrivals.find(branch.to); to != arrivals.end()) use(*to);
    }
  };
  for (const auto& [residual, count] : arrivals) {
    for_each_next(residual, [](auto& to) { ++to.second; });
  }
  std::vector<ExprId> open;
  for (const auto& [residual, count] : arrivals) {
    if (count == 0) open.push_back(residual);
  }
  std::size_t removed = 0;
  for (; removed < open.size(); ++removed) {
    for_each_next(open[removed], [&](auto& to) {
      if (--to.second == 0) open.push_back(to.first);
    });
  }
  return removed < arrivals.size();
}

}  // namespace weir::regex
