#include "engine/bounds/completion_lengths.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace weir::engine {

using regex::ExprId;

namespace {

std::uint32_t raw(ExprId e) { return static_cast<std::uint32_t>(e); }

}  // namespace

std::optional<CompletionLengths::Lengths> CompletionLengths::of(regex::ExprSet& exprs, ExprId expr) {
  if (const auto known = lengths_.find(raw(expr)); known != lengths_.end()) return known->second;
  if (failed_residuals_ >= kMaxFailedResiduals) return std::nullopt;
  list(exprs, expr);
  return lengths_.try_emplace(raw(expr)).first->second;
}

void CompletionLengths::list(regex::ExprSet& exprs, ExprId expr) {
  std::vector<ExprId> residuals{expr};
  std::unordered_map<std::uint32_t, std::uint32_t> index{{raw(expr), 0}};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back;  // (a residual, a residual with a transition to it)
  std::vector<regex::ExprSet::Branch> branches;
  for (std::uint32_t i = 0; i < residuals.size(); ++i) {
    branches.clear();
    exprs.append_branches(residuals[i], branches);
    for (const regex::ExprSet::Branch& branch : branches) {
      if (branch.to == ExprId::kOverflow) {
        failed_residuals_ += kMaxFailedResiduals;  // the set is full
        return;
      }
      const auto [at, is_new] = index.try_emplace(raw(branch.to), static_cast<std::uint32_t>(residuals.size()));
      if (is_new) residuals.push_back(branch.to);
      back.emplace_back(at->second, i);
    }
    if (residuals.size() > kMaxResiduals) {
      failed_residuals_ += residuals.size();
      return;
    }
  }
  std::sort(back.begin(), back.end());
  constexpr std::uint32_t kFar = UINT32_MAX;
  std::vector<std::uint32_t> distance(residuals.size(), kFar);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < residuals.size(); ++i) {
    if (!exprs.nullable(residuals[i])) continue;
    distance[i] = 0;
    queue.push_back(i);
  }
  for (std::size_t q = 0; q < queue.size(); ++q) {
    for (auto edge = std::lower_bound(back.begin(), back.end(), std::pair{queue[q], 0U});
         edge != back.end() && edge->first == queue[q]; ++edge) {
      if (distance[edge->second] != kFar) continue;
      distance[edge->second] = distance[queue[q]] + 1;
      queue.push_back(edge->second);
    }
  }
  const std::uint32_t most = queue.empty() ? 0 : distance[queue.back()];
  for (std::uint32_t i = 0; i < residuals.size(); ++i) {
    if (distance[i] != kFar) lengths_.try_emplace(raw(residuals[i]), Lengths{distance[i], most});
  }
}

}  // namespace weir::engine
