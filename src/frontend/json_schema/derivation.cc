#include "frontend/json_schema/derivation.h"

#include <algorithm>

#include "frontend/json_schema/formula_walk.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

std::vector<std::uint32_t> copied(std::span<const std::uint32_t> operands) {
  return {operands.begin(), operands.end()};
}

bool is_atom(FormulaKind kind) {
  return kind != FormulaKind::kAnd && kind != FormulaKind::kOr && kind != FormulaKind::kOneOf &&
         kind != FormulaKind::kNotOneOf;
}

// Of arrays and objects all, or none.
bool is_of_scalars(const Shape& shape) {
  const auto is_whole = [](FormulaId f) { return f == FormulaId::kFalse || f == FormulaId::kTrue; };
  return is_whole(shape.arrays) && is_whole(shape.objects);
}

}  // namespace

bool Derivation::accepts(FormulaId f) {
  const Formula node = algebra_.formula(f);
  if (is_atom(node.kind)) return find_acceptance(node);
  if (const auto it = accepts_.find(static_cast<std::uint32_t>(f)); it != accepts_.end()) return it->second;
  return accepts_[static_cast<std::uint32_t>(f)] = find_acceptance(node);
}

bool Derivation::find_acceptance(const Formula& node) {
  switch (node.kind) {
    case FormulaKind::kAnd:
      return std::all_of(node.operands.begin(), node.operands.end(),
                         [&](std::uint32_t o) { return accepts(FormulaId{o}); });
    case FormulaKind::kOr:
      return std::any_of(node.operands.begin(), node.operands.end(),
                         [&](std::uint32_t o) { return accepts(FormulaId{o}); });
    case FormulaKind::kOneOf:
    case FormulaKind::kNotOneOf: {
      const auto holding = std::count_if(node.operands.begin(), node.operands.end(),
                                         [&](std::uint32_t o) { return accepts(FormulaId{o}); });
      return (holding == 1) == (node.kind == FormulaKind::kOneOf);
    }
    case FormulaKind::kTrue:
    case FormulaKind::kItems:
    case FormulaKind::kMaxItems:
    case FormulaKind::kMaxContains:
    case FormulaKind::kUnique:
    case FormulaKind::kMembers:
    case FormulaKind::kLacks:
    case FormulaKind::kMaxMembers: return true;
    case FormulaKind::kFalse:
    case FormulaKind::kNotItems:
    case FormulaKind::kMinItems:  // at least one
    case FormulaKind::kMinContains:
    case FormulaKind::kNotUnique:
    case FormulaKind::kNotMembers:
    case FormulaKind::kHas:
    case FormulaKind::kMinMembers: return false;
  }
  return false;
}

std::vector<Choice> Derivation::next_item(FormulaId f) {
  Next next{nullptr};
  return derive(f, next);
}

std::vector<Choice> Derivation::next_member(FormulaId f, const KeyClass& key) {
  Next next{&key};
  return derive(f, next);
}

Derivation::Choices Derivation::derive(FormulaId f, Next& next) {
  algebra_.step();
  const Formula node = algebra_.formula(f);
  if (node.kind == FormulaKind::kFalse) return {};
  if (node.kind == FormulaKind::kTrue) return {{SetId::kAny, FormulaId::kTrue}};
  if (is_atom(node.kind)) {
    const std::vector<std::uint32_t> operands = copied(node.operands);
    return next.key == nullptr ? derive_array_atom(node.kind, operands, f)
                               : derive_object_atom(node.kind, operands, f, *next.key);
  }
  if (const auto it = next.known.find(static_cast<std::uint32_t>(f)); it != next.known.end()) return it->second;
  Choices choices = derive_combination(f, next);
  next.known.emplace(static_cast<std::uint32_t>(f), choices);
  return choices;
}

Derivation::Choices Derivation::derive_combination(FormulaId f, Next& next) {
  const Formula node = algebra_.formula(f);
  if (node.kind == FormulaKind::kOneOf || node.kind == FormulaKind::kNotOneOf) {
    return derive(ask_.resolve(f, FormulaId::kTrue), next);
  }
  const std::vector<std::uint32_t> operands = copied(node.operands);
  if (node.kind == FormulaKind::kAnd) return derive_conjunction(operands, next);
  Choices all;
  for (const std::uint32_t operand : operands) {
    const Choices some = derive(FormulaId{operand}, next);
    all.insert(all.end(), some.begin(), some.end());
  }
  simplify(all);
  return all;
}

Derivation::Choices Derivation::derive_conjunction(const std::vector<std::uint32_t>& operands, Next& next) {
  std::vector<FormulaId> atoms;
  for (const std::uint32_t operand : operands) {
    if (is_atom(algebra_.formula(FormulaId{operand}).kind)) atoms.push_back(FormulaId{operand});
  }
  const FormulaId context = algebra_.meet(std::move(atoms));
  // Most factors leave no choice: together they are one.
  std::vector<SetId> values;
  std::vector<FormulaId> rests;
  std::vector<Choices> factors;
  for (const std::uint32_t operand : operands) {
    FormulaId factor{operand};
    const FormulaKind kind = algebra_.formula(factor).kind;
    if (kind == FormulaKind::kOneOf || kind == FormulaKind::kNotOneOf) factor = ask_.resolve(factor, context);
    Choices choices = derive(factor, next);
    if (choices.empty() || algebra_.out_of_steps()) return {};
    if (choices.size() == 1) {
      if (choices[0].value != SetId::kAny) values.push_back(choices[0].value);
      rests.push_back(choices[0].rest);
    } else {
      factors.push_back(std::move(choices));
    }
  }
  Choices all{{algebra_.meet(std::move(values)), algebra_.meet(std::move(rests))}};
  if (all[0].value == SetId::kNone || all[0].rest == FormulaId::kFalse) return {};
  // Few choices first: the more is known, the more of the others is impossible.
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Choices& a, const Choices& b) { return a.size() < b.size(); });
  constexpr std::size_t kFewFactors = 3;
  constexpr std::size_t kFewChoices = 8;
  for (Choices& factor : factors) {
    if (factors.size() > kFewFactors) tell_apart(factor);
    all = product(all, factor);
    if (all.size() > kFewChoices) drop_impossible(all, next.key != nullptr);
    if (all.empty() || algebra_.out_of_steps()) break;
  }
  return all;
}

Derivation::Choices Derivation::derive_array_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands,
                                                  FormulaId self) {
  Algebra& a = algebra_;
  const std::uint32_t count = operands.back();
  switch (kind) {
    case FormulaKind::kItems:
    case FormulaKind::kNotItems: {
      ItemMap map = a.item_map(ItemMapId{operands[0]});
      const SetId first = lookup(map, 0);
      if (!map.prefix.empty()) map.prefix.erase(map.prefix.begin());
      if (kind == FormulaKind::kItems) return {{first, a.items(std::move(map))}};
      Choices choices{{a.complement(first), FormulaId::kTrue}, {SetId::kAny, a.not_items(std::move(map))}};
      simplify(choices);
      return choices;
    }
    case FormulaKind::kMinItems: return {{SetId::kAny, a.min_items(count - 1)}};
    case FormulaKind::kMaxItems:
      if (count == 0) return {};
      return {{SetId::kAny, a.max_items(count - 1)}};
    case FormulaKind::kMinContains: {
      const SetId set{operands[0]};
      return {{set, a.min_contains(set, count - 1)}, {SetId::kAny, self}};
    }
    case FormulaKind::kMaxContains: {
      const SetId set{operands[0]};
      Choices choices{{a.complement(set), self}};
      if (count > 0) choices.push_back({set, a.max_contains(set, count - 1)});
      simplify(choices);
      return choices;
    }
    // The value is not known here; with_value() adds it when it is.
    case FormulaKind::kUnique: return {{a.complement(SetId{operands[0]}), self}};
    case FormulaKind::kNotUnique: {
      Choices choices{{SetId{operands[0]}, FormulaId::kTrue}, {SetId::kAny, self}};
      simplify(choices);
      return choices;
    }
    default: return {};  // not about arrays: there is no such array
  }
}

Derivation::Choices Derivation::derive_object_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands,
                                                   FormulaId self, const KeyClass& key) {
  Algebra& a = algebra_;
  const std::uint32_t count = operands.back();
  switch (kind) {
    case FormulaKind::kMembers: return {{lookup(a.property_map(PropertyMapId{operands[0]}), key), self}};
    case FormulaKind::kNotMembers: {
      const PropertyMap& map = a.property_map(PropertyMapId{operands[0]});
      const SetId violation = a.complement(lookup(map, key));
      if (violation == SetId::kNone) return {{SetId::kAny, self}};
      FormulaId rest = self;
      if (key.name.has_value()) {
        // The name will not come again.
        std::vector<NameId> apart;
        for (std::size_t i = 1; i < operands.size(); ++i) apart.push_back(NameId{operands[i]});
        apart.push_back(*key.name);
        rest = a.not_members(map, std::move(apart));
      }
      Choices choices{{violation, FormulaId::kTrue}, {SetId::kAny, rest}};
      simplify(choices);
      return choices;
    }
    case FormulaKind::kHas: return {{SetId::kAny, key.name == NameId{operands[0]} ? FormulaId::kTrue : self}};
    case FormulaKind::kLacks:
      if (key.name == NameId{operands[0]}) return {};
      return {{SetId::kAny, self}};
    case FormulaKind::kMinMembers: return {{SetId::kAny, a.min_members(count - 1)}};
    case FormulaKind::kMaxMembers:
      if (count == 0) return {};
      return {{SetId::kAny, a.max_members(count - 1)}};
    default: return {};  // not about objects: there is no such object
  }
}

Derivation::Choices Derivation::product(const Choices& x, const Choices& y) {
  // Most factors do not care for the value, or not for the rest.
  Choices all;
  all.reserve(x.size() * y.size());
  for (const Choice& a : x) {
    for (const Choice& b : y) {
      if (!algebra_.step()) return {};
      const Choice both{algebra_.meet(a.value, b.value), algebra_.meet(a.rest, b.rest)};
      if (both.value != SetId::kNone && both.rest != FormulaId::kFalse) all.push_back(both);
    }
  }
  if (all.size() > 1) simplify(all);
  return all;
}

// Rests are asked for objects only: an array's rest may be the array itself, which is being looked into. Sets of
// scalars that are left are put together: else the next factor would meet each of them with all factors before.
void Derivation::drop_impossible(Choices& choices, bool are_members) {
  std::erase_if(choices, [&](const Choice& c) {
    return !ask_.may_have_member(c.value) || (are_members && !ask_.may_have_object(c.rest));
  });
  for (Choice& c : choices) {
    const Shape& shape = algebra_.shape(c.value);
    if (is_of_scalars(shape)) c.value = algebra_.set(shape);
  }
}

// Makes choices that ask for scalars only disjoint: a value is then in one set, with all that it may be followed by.
void Derivation::tell_apart(Choices& choices) {
  if (choices.size() < 2) return;
  const bool are_scalar = std::all_of(choices.begin(), choices.end(),
                                      [&](const Choice& c) { return is_of_scalars(algebra_.shape(c.value)); });
  if (!are_scalar) return;
  // The first cell is what no choice has taken yet.
  Choices cells{{SetId::kAny, FormulaId::kFalse}};
  for (const Choice& choice : choices) {
    const SetId value = algebra_.set(algebra_.shape(choice.value));
    const SetId others = algebra_.complement(value);
    const std::size_t count = cells.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Choice cell = cells[i];
      cells[i].value = algebra_.meet(cell.value, others);
      cells.push_back({algebra_.meet(cell.value, value), algebra_.join(cell.rest, choice.rest)});
    }
    const auto is_empty = [&](const Choice& c) { return !ask_.may_have_member(c.value); };
    cells.erase(std::remove_if(cells.begin() + 1, cells.end(), is_empty), cells.end());
    if (!algebra_.step(cells.size()) || cells.size() > choices.size() + 2) return;
  }
  choices = std::move(cells);
  simplify(choices);
}

void Derivation::simplify(Choices& choices) {
  std::erase_if(choices, [](const Choice& c) { return c.value == SetId::kNone || c.rest == FormulaId::kFalse; });
  if (choices.size() < 2) return;
  std::map<SetId, std::vector<FormulaId>> rests;
  for (const Choice& c : choices) rests[c.value].push_back(c.rest);
  std::map<FormulaId, std::vector<SetId>> values;
  for (auto& [value, parts] : rests) values[algebra_.join(std::move(parts))].push_back(value);
  choices.clear();
  for (auto& [rest, parts] : values) choices.push_back({algebra_.join(std::move(parts)), rest});
}

bool Derivation::wants_value(FormulaId f) {
  if (const auto it = wants_value_.find(static_cast<std::uint32_t>(f)); it != wants_value_.end()) return it->second;
  const Formula node = algebra_.formula(f);
  bool wants = node.kind == FormulaKind::kUnique || node.kind == FormulaKind::kNotUnique;
  if (node.kind == FormulaKind::kAnd || node.kind == FormulaKind::kOr || node.kind == FormulaKind::kOneOf ||
      node.kind == FormulaKind::kNotOneOf) {
    for (const std::uint32_t operand : copied(node.operands)) wants = wants || wants_value(FormulaId{operand});
  }
  wants_value_.emplace(static_cast<std::uint32_t>(f), wants);
  return wants;
}

bool Derivation::wants_repeat(FormulaId f) {
  if (!wants_value(f)) return false;
  const Formula node = algebra_.formula(f);
  if (is_atom(node.kind)) return node.kind == FormulaKind::kNotUnique;
  if (const auto it = wants_repeat_.find(static_cast<std::uint32_t>(f)); it != wants_repeat_.end()) return it->second;
  const bool wants = std::any_of(node.operands.begin(), node.operands.end(),
                                 [&](std::uint32_t operand) { return wants_repeat(FormulaId{operand}); });
  wants_repeat_.emplace(static_cast<std::uint32_t>(f), wants);
  return wants;
}

bool Derivation::wants_both(FormulaId f) {
  if (!wants_repeat(f)) return false;
  bool wants = false;
  for_each_atom(algebra_, f, [&](const Formula& atom) { wants = wants || atom.kind == FormulaKind::kUnique; });
  return wants;
}

std::vector<SetId> Derivation::item_sets(FormulaId f) {
  std::vector<SetId> sets;
  for_each_atom(algebra_, f, [&](const Formula& atom) {
    switch (atom.kind) {
      case FormulaKind::kItems:
      case FormulaKind::kNotItems: {
        const ItemMap& map = algebra_.item_map(ItemMapId{atom.operands[0]});
        sets.insert(sets.end(), map.prefix.begin(), map.prefix.end());
        sets.push_back(map.rest);
        break;
      }
      case FormulaKind::kMinContains:
      case FormulaKind::kMaxContains:
      case FormulaKind::kUnique:
      case FormulaKind::kNotUnique: sets.push_back(SetId{atom.operands[0]}); break;
      default: break;
    }
  });
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

FormulaId Derivation::with_value(FormulaId f, SetId value) {
  Seen seen{value};
  return add_value(f, seen);
}

FormulaId Derivation::with_unknown_value(FormulaId f) {
  Seen seen{std::nullopt};
  return add_value(f, seen);
}

FormulaId Derivation::add_value(FormulaId f, Seen& seen) {
  if (!wants_value(f)) return f;
  const Formula node = algebra_.formula(f);
  const std::vector<std::uint32_t> operands = copied(node.operands);
  const std::optional<SetId>& value = seen.value;
  if (node.kind == FormulaKind::kUnique) {
    return value ? algebra_.unique(algebra_.join(SetId{operands[0]}, *value)) : f;
  }
  if (node.kind == FormulaKind::kNotUnique) {
    return algebra_.not_unique(value ? algebra_.join(SetId{operands[0]}, *value) : SetId::kAny);
  }
  if (const auto it = seen.known.find(static_cast<std::uint32_t>(f)); it != seen.known.end()) return it->second;
  FormulaId result{};
  if (node.kind == FormulaKind::kAnd || node.kind == FormulaKind::kOr) {
    std::vector<FormulaId> parts;
    for (const std::uint32_t operand : operands) parts.push_back(add_value(FormulaId{operand}, seen));
    result = node.kind == FormulaKind::kAnd ? algebra_.meet(std::move(parts)) : algebra_.join(std::move(parts));
  } else {
    result = add_value(ask_.resolve(f, FormulaId::kTrue), seen);
  }
  seen.known.emplace(static_cast<std::uint32_t>(f), result);
  return result;
}

}  // namespace weir::frontend::json_schema
