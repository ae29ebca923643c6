#include "engine/accelerators/bases.h"

#include "engine/accelerators/character_steps.h"
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

Base BaseSearch::uncounted_text() {
  regex::ExprSet& exprs = table_.exprs();
  const ExprId root = table_.expr(table_.root());
  const regex::Rounds rounds = regex::first_rounds(exprs, root);
  const bool has_bounds = rounds.min > 0 || rounds.max != regex::kUnbounded;
  if (rounds.max < kMinCountedRounds || !has_bounds) return {};
  Base base{.residual = table_.add(regex::with_first_rounds(exprs, root, {})), .differs_in_counts = true};
  if (rounds.min > 0 && regex::is_json_repeat(exprs, root)) {
    base.unquoted = table_.add(regex::with_first_rounds(exprs, root, {0, rounds.max}));
  }
  return base;
}

Base BaseSearch::any_string() {
  regex::ExprSet& exprs = table_.exprs();
  const ExprId root = table_.expr(table_.root());
  const ExprId any = regex::with_any_contents(exprs, regex::any_code_point(exprs), root);
  if (any == ExprId::kNothing || any == root) return {};
  const std::uint32_t residual = table_.add(any);
  return {.residual = residual, .unquoted = residual};
}

Base BaseSearch::usual_loop() {
  const bool is_counted = without_counts() != ResidualTable::kDead;
  const std::uint32_t loop = CharacterSteps(table_).usual_loop(is_counted ? without_counts() : table_.root());
  return {.residual = loop == table_.root() ? ResidualTable::kDead : loop, .differs_in_counts = is_counted};
}

Base BaseSearch::uncounted() { return {.residual = without_counts(), .differs_in_counts = true}; }

std::uint32_t BaseSearch::without_counts() {
  if (!without_counts_) without_counts_ = find_uncounted(table_);
  return *without_counts_;
}

}  // namespace weir::engine
