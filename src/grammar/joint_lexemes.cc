#include "grammar/joint_lexemes.h"

#include "regex/analysis/members.h"

namespace weir::grammar {

using regex::ExprId;

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
