#include "grammar/joint_lexemes.h"

#include <algorithm>

#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"

namespace weir::grammar {

using regex::ExprId;

bool competition_is_by_bytes(const regex::ExprSet& exprs, const std::vector<Terminal>& terminals) {
  return std::ranges::none_of(terminals, [&](const Terminal& terminal) {
    return base::competes(terminal.mode) && regex::is_json_content(exprs, terminal.expr);
  });
}

std::optional<ExprId> JointLexemes::derive(ExprId residual, std::uint8_t byte) {
  if (fuel_ == 0) return std::nullopt;
  --fuel_;
  const ExprId left = exprs_.derivative(residual, byte);
  if (left == ExprId::kOverflow) return std::nullopt;
  const regex::Emptiness emptiness = regex::emptiness(exprs_, left, emptiness_fuel_);
  if (emptiness == regex::Emptiness::kUnknown) return std::nullopt;
  return emptiness == regex::Emptiness::kEmpty ? ExprId::kNothing : left;
}

bool JointLexemes::step(const State& state, std::uint8_t byte, State& next) {
  for (const auto& [terminal, residual] : state) {
    const std::optional<ExprId> left = derive(residual, byte);
    if (!left) return false;
    if (*left != ExprId::kNothing) next.emplace_back(terminal, *left);
  }
  return true;
}

}  // namespace weir::grammar
