#include "regex/analysis/residuals.h"

#include <algorithm>
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

}  // namespace weir::regex
