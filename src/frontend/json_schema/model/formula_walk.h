// Walks over the nodes of a formula. Formulas are hash-consed, so a node may occur in many places; it is visited once.
//
// COST   Linear in the number of different nodes.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "regex/expr/id_set.h"

namespace weir::frontend::json_schema {

/// Calls use() once for each atom or constant in the formula, and combined() once for each combination, in no particular
/// order. Neither may create formulas.
template <typename Use, typename Combined>
void for_each_atom(const Algebra& algebra, FormulaId f, const Use& use, const Combined& combined) {
  const Formula whole = algebra.formula(f);
  if (!is_combination(whole.kind)) return use(whole);
  const auto is_part_combined = [&](std::uint32_t operand) {
    return is_combination(algebra.formula(FormulaId{operand}).kind);
  };
  if (std::ranges::none_of(whole.operands, is_part_combined)) {  // most formulas are like this
    combined(whole);
    for (std::size_t i = 0; i < whole.operands.size(); ++i) {  // ascending; those of kOneOf may repeat
      const std::uint32_t operand = whole.operands[i];
      if (i == 0 || operand != whole.operands[i - 1]) use(algebra.formula(FormulaId{operand}));
    }
    return;
  }
  regex::IdSet seen;
  seen.insert(static_cast<std::uint32_t>(f));
  std::vector<FormulaId> open{f};
  while (!open.empty()) {
    const Formula node = algebra.formula(open.back());
    open.pop_back();
    if (!is_combination(node.kind)) {
      use(node);
      continue;
    }
    combined(node);
    for (const std::uint32_t operand : node.operands) {
      if (seen.insert(operand)) open.push_back(FormulaId{operand});
    }
  }
}

template <typename Use>
void for_each_atom(const Algebra& algebra, FormulaId f, const Use& use) {
  for_each_atom(algebra, f, use, [](const Formula&) {});
}

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_
