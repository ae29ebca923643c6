#include "frontend/json_schema/model/name_condition.h"

#include <vector>

#include "base/stack.h"

namespace weir::frontend::json_schema {

namespace {

std::optional<NameCondition> combined(Algebra& algebra, FormulaKind kind, const std::vector<std::uint32_t>& operands) {
  std::optional<NameCondition> all;
  for (const std::uint32_t operand : operands) {
    const auto one = name_condition(algebra, FormulaId{operand});
    if (!one || (all && one->name != all->name)) return std::nullopt;
    if (!all) {
      all = one;
    } else if (kind == FormulaKind::kAnd) {
      all = {one->name, all->without && one->without, algebra.meet(all->values, one->values)};
    } else {
      all = {one->name, all->without || one->without, algebra.join(all->values, one->values)};
    }
  }
  return all;
}

}  // namespace

std::optional<NameCondition> name_condition(Algebra& algebra, FormulaId f) {
  algebra.step();
  const Formula node = algebra.formula(f);
  switch (node.kind) {
    case FormulaKind::kHas: return NameCondition{NameId{node.operands[0]}, false, SetId::kAny};
    case FormulaKind::kLacks: return NameCondition{NameId{node.operands[0]}, true, SetId::kNone};
    case FormulaKind::kMembers:
    case FormulaKind::kNotMembers: {
      const PropertyMap::Named* only = algebra.property_map(PropertyMapId{node.operands[0]}).only_name();
      if (only == nullptr || node.operands.size() > 1) return std::nullopt;
      if (node.kind == FormulaKind::kMembers) return NameCondition{only->name, true, only->set};
      return NameCondition{only->name, false, algebra.complement(only->set)};
    }
    case FormulaKind::kAnd:
    case FormulaKind::kOr: {
      const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
      return base::with_stack([&] { return combined(algebra, node.kind, operands); });
    }
    default: return std::nullopt;
  }
}

}  // namespace weir::frontend::json_schema
