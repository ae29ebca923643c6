// `oneOf` as a disjunction: each operand, and not the others.
//
// Written out that is n conjunctions of n, and everything that follows multiplies them. But operands mostly cannot hold
// together: a member that tells them apart has another value in each. Such operands need not exclude each other, and
// whether they can hold together is asked where the formula stands, for what makes the member required often stands
// beside `oneOf` and not in it. Operands that do overlap exclude only what the one that holds leaves open.
#include <algorithm>

#include "frontend/json_schema/witness.h"

namespace weir::frontend::json_schema {

FormulaId Witness::resolve(FormulaId f, FormulaId context) {
  const std::pair<FormulaId, FormulaId> key{f, context};
  const auto [it, is_new] = resolved_.try_emplace(key);
  if (it->second.has_value()) return *it->second;
  const Formula node = algebra_.formula(f);
  if (node.kind == FormulaKind::kNotOneOf) {
    const FormulaId result = algebra_.complement(resolve(algebra_.complement(f), context));
    if (algebra_.limit_hit() == base::Limit::kNone) {
      resolved_[key] = result;
    } else {
      resolved_.erase(key);
    }
    return result;
  }
  const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
  // Asked for while the operands are being compared, which a recursive schema does: then all exclude each other.
  const bool compares = is_new;
  std::vector<std::vector<FormulaId>> parts(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const FormulaId x{operands[i]};
    parts[i].push_back(x);
    for (std::size_t j = 0; j < i; ++j) {
      const FormulaId y{operands[j]};
      const FormulaId both = algebra_.meet({context, x, y});
      if (both == FormulaId::kFalse) continue;
      if (compares &&
          !may_have([&] { return algebra_.is_about_objects(both) ? object_exists(both) : array_exists(both); })) {
        continue;
      }
      parts[i].push_back(compares ? excluding(x, y, context) : algebra_.complement(y));
      parts[j].push_back(compares ? excluding(y, x, context) : algebra_.complement(x));
    }
  }
  std::vector<FormulaId> branches;
  for (std::vector<FormulaId>& part : parts) branches.push_back(algebra_.meet(std::move(part)));
  const FormulaId result = algebra_.join(std::move(branches));
  if (compares && algebra_.limit_hit() == base::Limit::kNone) {
    resolved_[key] = result;
  } else if (compares) {
    resolved_.erase(key);
  }
  return result;
}

// Where `holding` and `context` hold, the complement of `other`, without what they contradict.
FormulaId Witness::excluding(FormulaId holding, FormulaId other, FormulaId context) {
  const FormulaId complement = algebra_.complement(other);
  const auto atoms_of = [&](FormulaId f, FormulaKind whole) {
    const Formula node = algebra_.formula(f);
    if (node.kind != whole) return std::vector<FormulaId>{f};
    std::vector<FormulaId> atoms;
    for (const std::uint32_t operand : node.operands) atoms.push_back(FormulaId{operand});
    return atoms;
  };
  std::vector<PropertyMapId> kept;
  for (const FormulaId atom : atoms_of(algebra_.meet(holding, context), FormulaKind::kAnd)) {
    const Formula node = algebra_.formula(atom);
    if (node.kind == FormulaKind::kMembers) kept.push_back(PropertyMapId{node.operands[0]});
  }
  std::vector<FormulaId> reasons;
  for (const FormulaId reason : atoms_of(complement, FormulaKind::kOr)) {
    const Formula node = algebra_.formula(reason);
    const bool is_violation = node.kind == FormulaKind::kNotMembers && node.operands.size() == 1;
    reasons.push_back(is_violation ? violation(node, kept) : reason);
  }
  return algebra_.join(std::move(reasons));
}

// `broken`, a kNotMembers, among objects that keep the promises of the maps: only names whose values may break it count;
// of a name whose values all do it is enough that it is there.
FormulaId Witness::violation(const Formula& broken, const std::vector<PropertyMapId>& kept) {
  const PropertyMapId id{broken.operands[0]};
  const PropertyMap& map = algebra_.property_map(id);
  const auto whole = [&] { return algebra_.not_members(map, {}); };
  std::vector<PropertyMapId> known;
  for (const PropertyMapId promise : kept) {
    if (algebra_.property_map(promise).patterns.empty()) known.push_back(promise);
  }
  // A name of which only the promises speak would be one of the others here.
  if (known.empty() || !map.patterns.empty() || map.other != SetId::kAny) return whole();
  PropertyMap open{{}, {}, SetId::kAny};
  std::vector<FormulaId> reasons;
  for (const PropertyMap::Named& named : map.names) {
    std::vector<SetId> sets;
    const KeyClass key{named.name, regex::ExprId::kNothing, {}, 0};
    for (const PropertyMapId promise : known) {
      sets.push_back(derivation_.lookup(algebra_.property_map(promise), key));
    }
    const SetId value = algebra_.meet(std::move(sets));
    if (is_empty(algebra_.meet(value, algebra_.complement(named.set)))) continue;
    if (is_empty(algebra_.meet(value, named.set))) {
      reasons.push_back(algebra_.has(named.name));
    } else {
      open.names.push_back(named);
    }
  }
  reasons.push_back(algebra_.not_members(std::move(open), {}));
  return algebra_.join(std::move(reasons));
}

}  // namespace weir::frontend::json_schema
