// Walks over the nodes of a formula. Formulas are hash-consed, so a node may occur in many places; it is visited once.
//
// COST   Linear in the number of different nodes.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_

#include <cstdint>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "regex/expr/id_set.h"

namespace weir::frontend::json_schema {

/// Calls use() for each atom or constant in the formula, and combined() for each combination (kAnd, kOr, kOneOf,
/// kNotOneOf); for each once.
template <typename Use, typename Combined>
void for_each_atom(const Algebra& algebra, FormulaId f, const Use& use, const Combined& combined) {
  regex::IdSet seen;
  seen.insert(static_cast<std::uint32_t>(f));
  std::vector<FormulaId> open{f};
  while (!open.empty()) {
    const Formula node = algebra.formula(open.back());
    open.pop_back();
    switch (node.kind) {
      case FormulaKind::kAnd:
      case FormulaKind::kOr:
      case FormulaKind::kOneOf:
      case FormulaKind::kNotOneOf:
        combined(node);
        for (const std::uint32_t operand : node.operands) {
          if (seen.insert(operand)) open.push_back(FormulaId{operand});
        }
        break;
      default: use(node); break;
    }
  }
}

template <typename Use>
void for_each_atom(const Algebra& algebra, FormulaId f, const Use& use) {
  for_each_atom(algebra, f, use, [](const Formula&) {});
}

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_FORMULA_WALK_H_
