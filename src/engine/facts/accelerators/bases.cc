#include "engine/facts/accelerators/bases.h"

#include "engine/facts/accelerators/character_steps.h"
#include "regex/analysis/contents.h"
#include "regex/analysis/text_horizon.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::engine {

using regex::ExprId;

std::uint32_t find_uncounted(ResidualTable& table) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const ExprId without = regex::without_counts(exprs, root, kMinCountedRounds);
  if (without == root || regex::equal_prefix_length(exprs, root, without).bytes < kMinCountedRounds)
    return ResidualTable::kDead;
  return table.add(without);
}

Base uncounted_text_base(ResidualTable& table) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const regex::Rounds rounds = regex::first_rounds(exprs, root);
  const bool has_bounds = rounds.min > 0 || rounds.max != regex::kUnbounded;
  if (rounds.max < kMinCountedRounds || !has_bounds) return {};
  Base base{.residual = table.add(regex::with_first_rounds(exprs, root, {})), .differs_in_counts = true};
  if (rounds.min > 0 && regex::is_json_repeat(exprs, root)) {
    base.unquoted = table.add(regex::with_first_rounds(exprs, root, {0, rounds.max}));
  }
  return base;
}

Base any_string_base(ResidualTable& table) {
  regex::ExprSet& exprs = table.exprs();
  const ExprId root = table.expr(table.root());
  const ExprId any = regex::with_any_contents(exprs, regex::any_code_point(exprs), root);
  if (any == ExprId::kNothing || any == root) return {};
  const std::uint32_t residual = table.add(any);
  return {.residual = residual, .unquoted = residual};
}

Base usual_loop_base(ResidualTable& table) {
  const std::uint32_t uncounted = find_uncounted(table);
  const bool is_counted = uncounted != ResidualTable::kDead;
  const std::uint32_t loop = CharacterSteps(table).usual_loop(is_counted ? uncounted : table.root());
  return {.residual = loop == table.root() ? ResidualTable::kDead : loop, .differs_in_counts = is_counted};
}

Base uncounted_base(ResidualTable& table) { return {.residual = find_uncounted(table), .differs_in_counts = true}; }

}  // namespace weir::engine
