// The rules of arrays: which items may come, and what they leave.
#include <utility>
#include <vector>

#include "frontend/json_schema/schema_rules.h"

namespace weir::frontend::json_schema {

const std::vector<SchemaRules::Item>& SchemaRules::items_of(FormulaId f) {
  const auto [it, is_new] = items_.try_emplace(static_cast<std::uint32_t>(f));
  if (!is_new) return it->second;
  std::vector<Item> viable;
  if (!leave_open(f, viable)) {
    viable.clear();
    for (const Choice& choice : witness_.derivation().next_item(f)) add_item(choice, viable);
  }
  return items_[static_cast<std::uint32_t>(f)] = std::move(viable);
}

// Adds what of a choice can be finished. Where items must differ, the value may be one that what follows needs: such
// values are found among those of a plan for what follows, for a value outside the plan leaves the plan as it is.
void SchemaRules::add_item(const Choice& choice, std::vector<Item>& out) {
  Derivation& derivation = witness_.derivation();
  if (!witness_.has_member(choice.value)) return;
  const auto can_be_finished = [&](FormulaId f) {
    return witness_.has_values_to_spare(f, 0) || witness_.array_exists(f);
  };
  if (!can_be_finished(derivation.with_unknown_value(choice.rest))) return;
  if (!derivation.wants_value(choice.rest)) {
    out.push_back({choice.value, choice.rest});
    return;
  }
  const FormulaId more = algebra_.meet(choice.rest, algebra_.min_items(1));
  SetId value = choice.value;
  if (derivation.wants_both(choice.rest)) {
    // The same value may help one part of the formula and spoil another.
    const SetId fitting = fitting_values(value, choice.rest);
    const SetId goes_on = fitting_values(fitting, more);
    const SetId ends = algebra_.meet(fitting, algebra_.complement(goes_on));
    if (witness_.has_member(goes_on)) out.push_back({goes_on, choice.rest});
    if (witness_.has_member(ends)) out.push_back({ends, algebra_.meet(choice.rest, algebra_.max_items(0))});
    return;
  }
  if (const auto repeated = witness_.values_to_repeat(choice.rest)) {
    value = fitting_values(algebra_.meet(value, *repeated), choice.rest);
  }
  // The values in `value` that the rest cannot do without.
  const auto needed = [&](FormulaId rest) {
    std::vector<SetId> found;
    if (witness_.has_values_to_spare(rest, 1)) return found;
    const Witness::ArrayPlan* known = witness_.array_plan(rest);
    if (known == nullptr) return found;
    const Witness::ArrayPlan plan = *known;
    // A second array, of other values altogether, shows that no value is needed.
    std::vector<SetId> planned_values;
    for (const auto& [planned, count] : plan) planned_values.push_back(witness_.single(planned));
    const FormulaId others = algebra_.unique(algebra_.join(std::move(planned_values)));
    if (witness_.array_exists(algebra_.meet(rest, others))) return found;
    for (const auto& [planned, count] : plan) {
      const SetId one = witness_.single(planned);
      if (witness_.has_member(algebra_.meet(value, one)) && !witness_.array_exists(derivation.with_value(rest, one))) {
        found.push_back(one);
      }
      if (!algebra_.step()) break;
    }
    return found;
  };
  for (const SetId one : needed(choice.rest)) value = algebra_.meet(value, algebra_.complement(one));
  std::vector<SetId> last;
  if (can_be_finished(more)) last = needed(more);
  for (const SetId one : last) {
    value = algebra_.meet(value, algebra_.complement(one));
    out.push_back({one, algebra_.meet(choice.rest, algebra_.max_items(0))});
  }
  if (witness_.has_member(value)) out.push_back({value, choice.rest});
}

// Those of the values behind which the array can be finished. Values that the rest does not tell apart are alike in
// this, so one of them is tried.
SetId SchemaRules::fitting_values(SetId values, FormulaId rest) {
  std::vector<SetId> alike{values};
  for (const SetId set : witness_.derivation().item_sets(rest)) {
    const SetId others = algebra_.complement(set);
    std::vector<SetId> split;
    for (const SetId some : alike) {
      if (!algebra_.step(alike.size())) return values;
      for (const SetId part : {algebra_.meet(some, set), algebra_.meet(some, others)}) {
        if (witness_.has_member(part)) split.push_back(part);
      }
    }
    alike = std::move(split);
  }
  std::erase_if(alike, [&](SetId some) {
    return !witness_.array_exists(witness_.derivation().with_value(rest, witness_.single(some)));
  });
  return algebra_.join(std::move(alike));
}

// Many sets that some item must be in each: whichever of them an item is in, the array goes on behind it, or the item
// is in all of them and the last one. False where there are few such sets, or where an item that is in none of them
// would leave no room for them.
bool SchemaRules::leave_open(FormulaId f, std::vector<Item>& out) {
  constexpr std::size_t kFew = 3;
  const Formula node = algebra_.formula(f);
  if (node.kind != FormulaKind::kAnd || witness_.derivation().wants_value(f)) return false;
  std::vector<FormulaId> contained;
  std::vector<FormulaId> others;
  std::vector<SetId> sets;
  bool once = true;
  for (const std::uint32_t operand : node.operands) {
    const Formula part = algebra_.formula(FormulaId{operand});
    if (part.kind <= FormulaKind::kNotOneOf) return false;  // it may have such sets, too
    if (part.kind != FormulaKind::kMinContains) {
      others.push_back(FormulaId{operand});
      continue;
    }
    contained.push_back(FormulaId{operand});
    sets.push_back(SetId{part.operands[0]});
    once = once && part.operands[1] == 1;
  }
  if (contained.size() <= kFew) return false;
  const FormulaId all = algebra_.meet(std::move(contained));
  for (const Choice& choice : witness_.derivation().next_item(algebra_.meet(std::move(others)))) {
    if (!witness_.has_member(choice.value) || !witness_.array_exists(choice.rest)) continue;
    const FormulaId open = algebra_.meet(choice.rest, all);
    if (!witness_.array_exists(open)) return false;
    out.push_back({choice.value, open, true});
    if (!once || !witness_.derivation().accepts(choice.rest)) continue;
    sets.push_back(choice.value);
    const SetId last = algebra_.meet(sets);
    sets.pop_back();
    if (witness_.has_member(last)) out.push_back({last, algebra_.meet(choice.rest, algebra_.max_items(0))});
  }
  return true;
}

// What an open rest asks behind a value that has become known.
FormulaId SchemaRules::behind_item(FormulaId open, SetId value) {
  const Formula node = algebra_.formula(open);
  std::vector<std::uint32_t> operands{static_cast<std::uint32_t>(open)};
  if (node.kind == FormulaKind::kAnd) operands.assign(node.operands.begin(), node.operands.end());
  std::vector<FormulaId> parts;
  for (const std::uint32_t operand : operands) {
    const Formula part = algebra_.formula(FormulaId{operand});
    parts.push_back(FormulaId{operand});
    if (part.kind != FormulaKind::kMinContains) continue;
    const SetId set{part.operands[0]};
    const std::uint32_t count = part.operands[1];
    if (witness_.has_member(algebra_.meet(value, set))) parts.back() = algebra_.min_contains(set, count - 1);
  }
  return algebra_.meet(std::move(parts));
}

// What it asks at least.
FormulaId SchemaRules::behind_any_item(FormulaId open) { return behind_item(open, SetId::kAny); }

void SchemaRules::make_item(FormulaId f, std::uint32_t depth, grammar::GrowingCfg& out) {
  const std::vector<Item> items = items_of(f);
  for (const Item& item : items) {
    const Kind behind = item.is_open ? Kind::kOpenItems : Kind::kItems;
    out.produce(std::vector{lazy(Kind::kValue, static_cast<std::uint32_t>(item.value), depth, out),
                            lazy(behind, static_cast<std::uint32_t>(item.rest), depth, out)});
  }
}

}  // namespace weir::frontend::json_schema
