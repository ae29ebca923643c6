#include "engine/costs/completion_lengths.h"

#include "engine/search_bounds.h"
#include "regex/analysis/residuals.h"

namespace weir::engine {

using regex::ExprId;

namespace {

std::uint32_t raw(ExprId e) { return static_cast<std::uint32_t>(e); }

}  // namespace

std::optional<CompletionLengths::Lengths> CompletionLengths::of(regex::ExprSet& exprs, ExprId expr) {
  if (const auto known = lengths_.find(raw(expr)); known != lengths_.end()) return known->second;
  if (failed_residuals_ >= kMaxFailedLengthResiduals) return std::nullopt;
  list(exprs, expr);
  return lengths_.try_emplace(raw(expr)).first->second;
}

void CompletionLengths::list(regex::ExprSet& exprs, ExprId expr) {
  const auto [residuals, distances, farthest] = regex::list_residuals(exprs, expr, kMaxListedResiduals);
  if (distances.empty()) {
    // The list is incomplete: there are too many residuals, or the set of expressions is full. If it is full, no other
    // expression has to be tried.
    failed_residuals_ += residuals.size() > kMaxListedResiduals ? residuals.size() : kMaxFailedLengthResiduals;
    return;
  }
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (distances[i] != regex::kUnbounded) lengths_.try_emplace(raw(residuals[i]), Lengths{distances[i], farthest});
  }
}

}  // namespace weir::engine
