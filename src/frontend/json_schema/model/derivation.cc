#include "frontend/json_schema/model/derivation.h"

#include <algorithm>
#include <unordered_set>

#include "base/stack.h"
#include "frontend/json_schema/model/formula_walk.h"
#include "frontend/json_schema/model/name_condition.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "regex/analysis/residuals.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

std::vector<std::uint32_t> copied(std::span<const std::uint32_t> operands) {
  return {operands.begin(), operands.end()};
}

// Returns true if the shape has either all arrays or none, and either all objects or none.
bool is_of_scalars(const Shape& shape) {
  const auto is_whole = [](FormulaId f) { return f == FormulaId::kFalse || f == FormulaId::kTrue; };
  return is_whole(shape.arrays) && is_whole(shape.objects);
}

}  // namespace

bool Derivation::accepts(FormulaId f) {
  const Formula node = algebra_.formula(f);
  if (!is_combination(node.kind)) return find_acceptance(node);
  if (const auto it = accepts_.find(static_cast<std::uint32_t>(f)); it != accepts_.end()) return it->second;
  return accepts_[static_cast<std::uint32_t>(f)] = base::with_stack([&] { return find_acceptance(node); });
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
    case FormulaKind::kMaxMembers:
    case FormulaKind::kInOrder: return true;
    case FormulaKind::kFalse:
    case FormulaKind::kNotArrays:
    case FormulaKind::kNotObjects: {
      const ConstantId empty = algebra_.constant(Constant{node.kind == FormulaKind::kNotObjects});
      return !algebra_.constant_sets().contains(ConstantSetId{node.operands[0]}, empty);
    }
    case FormulaKind::kNotItems:
    case FormulaKind::kMinItems:  // its count is at least 1
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
  if (!is_combination(node.kind)) {
    const std::vector<std::uint32_t> operands = copied(node.operands);
    return next.key == nullptr ? derive_array_atom(node.kind, operands, f)
                               : derive_object_atom(node.kind, operands, f, *next.key);
  }
  if (const auto it = next.known.find(static_cast<std::uint32_t>(f)); it != next.known.end()) return it->second;
  Choices choices = base::with_stack([&] { return derive_combination(f, next); });
  next.known.emplace(static_cast<std::uint32_t>(f), choices);
  return choices;
}

Derivation::Choices Derivation::derive_combination(FormulaId f, Next& next) {
  const Formula node = algebra_.formula(f);
  if (is_one_of(node.kind)) return derive_one_of(f, FormulaId::kTrue, next);
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

// Operands that no value satisfies together are alternatives, each with rules of its own. Otherwise they are not told
// apart yet: the values are split into cells, so that those of a cell are in the same choices of each operand, and after
// a value of a cell exactly one operand's rest holds. To write out that an operand holds and no other one does would
// take all ways in which each of the others fails.
Derivation::Choices Derivation::derive_one_of(FormulaId f, FormulaId context, Next& next) {
  const Formula node = algebra_.formula(f);
  const bool is_exact = node.kind == FormulaKind::kOneOf;
  const std::vector<std::uint32_t> operands = copied(node.operands);
  std::vector<FormulaId> alternatives;
  for (const std::uint32_t operand : operands) alternatives.push_back(FormulaId{operand});
  const FormulaId resolved = ask_.resolve(f, context);
  if (algebra_.out_of_steps()) return {};
  const bool is_plain = is_exact && resolved == algebra_.join(std::move(alternatives));
  // Two operands are as well written out: one holds and not the other. An item that wants_value() is about is not known
  // yet and counts as any item: right for a rest that must hold, wrong for one that must not.
  if (is_plain || operands.size() == 2 || wants_value(f)) return derive(resolved, next);
  struct Cell {
    SetId values;
    std::vector<FormulaId> rests;  // of each operand
  };
  std::vector<Cell> cells{{SetId::kAny, std::vector<FormulaId>(operands.size(), FormulaId::kFalse)}};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (const Choice& choice : derive(FormulaId{operands[i]}, next)) {
      const SetId others = algebra_.complement(choice.value);
      const std::size_t count = cells.size();
      for (std::size_t c = 0; c < count; ++c) {
        Cell inside = cells[c];
        inside.values = algebra_.meet(inside.values, choice.value);
        inside.rests[i] = algebra_.join(inside.rests[i], choice.rest);
        cells[c].values = algebra_.meet(cells[c].values, others);
        cells.push_back(std::move(inside));
      }
      std::erase_if(cells, [&](const Cell& cell) { return !ask_.may_have_member(cell.values); });
      if (!algebra_.step(cells.size() * operands.size())) return {};
      // Operands that the value distinguishes have a cell each; the other values have one.
      if (cells.size() > 2 * (operands.size() + 1)) return derive(resolved, next);
    }
  }
  Choices choices;
  for (const Cell& cell : cells) {
    const FormulaId rest = algebra_.one_of(cell.rests);
    choices.push_back({cell.values, is_exact ? rest : algebra_.complement(rest)});
  }
  simplify(choices);
  return choices;
}

Derivation::Choices Derivation::derive_conjunction(const std::vector<std::uint32_t>& operands, Next& next) {
  std::vector<FormulaId> atoms;
  for (const std::uint32_t operand : operands) {
    // An order would make a context for each name that has passed, and hardly helps to tell operands of `oneOf` apart.
    const FormulaKind kind = algebra_.formula(FormulaId{operand}).kind;
    if (!is_combination(kind) && kind != FormulaKind::kInOrder) atoms.push_back(FormulaId{operand});
  }
  const FormulaId context = algebra_.meet(std::move(atoms));
  // Factors with a single choice, which most are, are collected into one.
  std::vector<SetId> values;
  std::vector<FormulaId> rests;
  std::vector<Choices> factors;
  for (const std::uint32_t operand : operands) {
    FormulaId factor{operand};
    const FormulaKind kind = algebra_.formula(factor).kind;
    Choices choices = is_one_of(kind) ? derive_one_of(factor, context, next) : derive(factor, next);
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
  if (next.key != nullptr && factors.size() > kFewFactors) split_by_name(factors);
  // Factors with few choices first: they make choices of the others impossible.
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Choices& a, const Choices& b) { return a.size() < b.size(); });
  for (Choices& factor : factors) {
    if (factors.size() > kFewFactors) make_disjoint(factor);
    all = product(all, factor);
    if (all.size() > kFewChoices) drop_impossible(all, next.key != nullptr);
    if (all.empty() || algebra_.out_of_steps()) break;
  }
  return all;
}

// Factors such as those of `if {"properties": {"kind": {"const": ...}}}` are about this member only if a later member,
// `kind`, has certain values: a choice leaves any value to a rest that says so. In a product each combination of such rests
// would count, though a value of `kind` goes with few of them. So the values of `kind` are split into cells that decide
// each factor, and these factors become one, with a choice for each cell and one for objects without `kind`.
void Derivation::split_by_name(std::vector<Choices>& factors) {
  struct Conditional {
    std::size_t factor;
    NameCondition free;  // the rest after any value
    Choice bound;        // what else the object must be
  };
  std::map<NameId, std::vector<Conditional>> by_name;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i].size() != 2) continue;
    const bool is_first_free = factors[i][0].value == SetId::kAny;
    const Choice& free = factors[i][is_first_free ? 0 : 1];
    if (free.value != SetId::kAny) continue;
    if (const auto condition = name_condition(algebra_, free.rest)) {
      by_name[condition->name].push_back({i, *condition, factors[i][is_first_free ? 1 : 0]});
    }
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& entry) { return entry.second.size(); });
  if (most == by_name.end() || most->second.size() <= kFewFactors) return;
  const auto& [name, conditionals] = *most;

  struct Cell {
    SetId values;
    std::vector<const Choice*> bound;
  };
  std::vector<Cell> cells{{SetId::kAny, {}}};
  Cell without{SetId::kNone, {}};
  for (const Conditional& one : conditionals) {
    const SetId binding = algebra_.complement(one.free.values);
    if (!one.free.without) without.bound.push_back(&one.bound);
    const bool is_in_one_cell = algebra_.only_string(binding).has_value();
    const std::size_t count = cells.size();
    for (std::size_t c = 0; c < count; ++c) {
      const SetId values = algebra_.meet(cells[c].values, binding);
      if (!ask_.may_have_member(values)) continue;
      Cell inside{values, cells[c].bound};
      inside.bound.push_back(&one.bound);
      cells[c].values = algebra_.meet(cells[c].values, one.free.values);
      cells.push_back(std::move(inside));
      if (is_in_one_cell) break;
    }
    std::erase_if(cells, [&](const Cell& cell) { return !ask_.may_have_member(cell.values); });
    if (!algebra_.step(cells.size()) || cells.size() > 2 * (conditionals.size() + 1)) return;
  }
  Choices choices;
  const auto add = [&](const Cell& cell, FormulaId decided) {
    std::vector<SetId> values;
    std::vector<FormulaId> rests{decided};
    for (const Choice* choice : cell.bound) {
      values.push_back(choice->value);
      rests.push_back(choice->rest);
    }
    choices.push_back({algebra_.meet(std::move(values)), algebra_.meet(std::move(rests))});
  };
  for (const Cell& cell : cells) {
    const SetId values = evaluated(cell.values);
    add(cell, algebra_.meet(algebra_.has(name), algebra_.members({{{name, values, 0}}, {}, SetId::kAny})));
  }
  add(without, algebra_.lacks(name));
  simplify(choices);
  for (const Conditional& one : conditionals) factors[one.factor].clear();
  std::erase_if(factors, [](const Choices& factor) { return factor.empty(); });
  factors.push_back(std::move(choices));
}

Derivation::Choices Derivation::derive_array_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands,
                                                  FormulaId self) {
  Algebra& a = algebra_;
  const std::uint32_t count = operands.back();
  switch (kind) {
    case FormulaKind::kItems:
    case FormulaKind::kNotItems: {
      const SetId first = lookup(a.item_map(ItemMapId{operands[0]}), 0);
      const FormulaId rest = a.items_after_first(kind, ItemMapId{operands[0]});
      if (kind == FormulaKind::kItems) return {{first, rest}};
      Choices choices{{a.complement(first), FormulaId::kTrue}, {SetId::kAny, rest}};
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
    // The value is not known here; with_value() adds it later.
    case FormulaKind::kUnique: return {{SetId{operands[0]}, self}};
    case FormulaKind::kNotUnique: {
      Choices choices{{SetId{operands[0]}, FormulaId::kTrue}, {SetId::kAny, self}};
      simplify(choices);
      return choices;
    }
    case FormulaKind::kNotArrays:
      return derive_constants(a.constant_sets().after(ConstantSetId{operands[0]}, std::size_t{0}));
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
        // The name cannot come again, so it no longer counts.
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
    case FormulaKind::kNotObjects:
      if (!key.name.has_value()) return {{SetId::kAny, FormulaId::kTrue}};
      return derive_constants(a.constant_sets().after(ConstantSetId{operands[0]}, *key.name));
    case FormulaKind::kInOrder: {
      const OrderId order{operands[0]};
      const std::uint32_t rank = key.name.has_value() ? a.rank(order, *key.name) : 0;
      if (rank != 0 && rank <= count) return {};
      const auto all = static_cast<std::uint32_t>(a.names_of(order).size());
      return {{SetId::kAny, a.in_order(order, rank == 0 ? all : rank)}};
    }
    default: return {};  // not about objects: there is no such object
  }
}

// If the value is that of a constant, only the rests of such constants are excluded from the rest; if it is none of
// them, no rest is.
Derivation::Choices Derivation::derive_constants(const ConstantSets::After& after) {
  Choices choices{{after.others, FormulaId::kTrue}};
  for (const auto& [rest, values] : algebra_.constant_sets().maps().entries(after.values_of_rest)) {
    choices.push_back({SetId{values}, algebra_.none_of(ConstantSetId{rest})});
  }
  algebra_.step(choices.size());
  simplify(choices);
  return choices;
}

Derivation::Choices Derivation::product(const Choices& x, const Choices& y) {
  Choices all;
  all.reserve(x.size() * y.size());
  // Of many choices few have the only string of one of two: the values of the others stay as they are.
  std::optional<std::string> text;
  std::size_t other = 0;
  for (std::size_t i = 0; i < 2 && x.size() > kFewChoices && y.size() == 2 && !text.has_value(); ++i) {
    other = 1 - i;
    if (algebra_.complement(y[i].value) == y[other].value) text = algebra_.only_string(y[i].value);
  }
  for (const Choice& a : x) {
    if (text.has_value() && !algebra_.has_string(a.value, *text)) {
      const FormulaId rest = algebra_.meet(a.rest, y[other].rest);
      if (rest != FormulaId::kFalse) all.push_back({a.value, rest});
      if (!algebra_.step()) return {};
      continue;
    }
    for (const Choice& b : y) {
      if (!algebra_.step()) return {};
      const Choice both{algebra_.meet(a.value, b.value), algebra_.meet(a.rest, b.rest)};
      if (both.value != SetId::kNone && both.rest != FormulaId::kFalse) all.push_back(both);
    }
  }
  if (all.size() > 1) simplify(all);
  return all;
}

// Drops choices whose value or rest has no member. Tests the rest for objects only: the rest of an array may be the
// array whose search is in progress.
void Derivation::drop_impossible(Choices& choices, bool are_members) {
  std::erase_if(choices, [&](const Choice& c) {
    return !ask_.may_have_member(c.value) || (are_members && !ask_.may_have_object(c.rest));
  });
  for (Choice& c : choices) c.value = evaluated(c.value);
}

// Returns a set of scalars as one shape, so that it is intersected as a single set instead of a list of sets.
SetId Derivation::evaluated(SetId set) {
  const Shape& shape = algebra_.shape(set);
  return is_of_scalars(shape) ? algebra_.evaluated(set) : set;
}

// If all sets of the choices differ in scalars only, makes the sets disjoint, so that each value is in one set. The
// rest for a value is then the union of the rests of all choices that had it.
void Derivation::make_disjoint(Choices& choices) {
  if (choices.size() < 2) return;
  const bool are_scalar = std::all_of(choices.begin(), choices.end(),
                                      [&](const Choice& c) { return is_of_scalars(algebra_.shape(c.value)); });
  if (!are_scalar) return;
  // The first cell has the values that no choice has covered yet.
  Choices cells{{SetId::kAny, FormulaId::kFalse}};
  for (const Choice& choice : choices) {
    const SetId value = algebra_.evaluated(choice.value);
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
  if (is_combination(node.kind)) {
    base::with_stack([&] {
      for (const std::uint32_t operand : copied(node.operands)) wants = wants || wants_value(FormulaId{operand});
    });
  }
  wants_value_.emplace(static_cast<std::uint32_t>(f), wants);
  return wants;
}

bool Derivation::wants_repeat(FormulaId f) {
  if (!wants_value(f)) return false;
  const Formula node = algebra_.formula(f);
  if (!is_combination(node.kind)) return node.kind == FormulaKind::kNotUnique;
  if (const auto it = wants_repeat_.find(static_cast<std::uint32_t>(f)); it != wants_repeat_.end()) return it->second;
  const bool wants = base::with_stack([&] {
    return std::ranges::any_of(node.operands, [&](std::uint32_t operand) { return wants_repeat(FormulaId{operand}); });
  });
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
        const SharedItemMap& map = algebra_.item_map(ItemMapId{atom.operands[0]});
        sets.insert(sets.end(), map.prefix.begin(), map.prefix.end());
        sets.push_back(map.rest);
        break;
      }
      case FormulaKind::kMinContains:
      case FormulaKind::kMaxContains:
      case FormulaKind::kUnique:
      case FormulaKind::kNotUnique: sets.push_back(SetId{atom.operands[0]}); break;
      case FormulaKind::kNotArrays:
        for (const ConstantId id : algebra_.constant_sets().members(ConstantSetId{atom.operands[0]})) {
          for (const auto& [index, value] : algebra_.constant(id).parts) sets.push_back(value);
        }
        break;
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
    return value ? algebra_.unique(algebra_.without(SetId{operands[0]}, {*value})) : f;
  }
  if (node.kind == FormulaKind::kNotUnique) {
    return algebra_.not_unique(value ? algebra_.join(SetId{operands[0]}, *value) : SetId::kAny);
  }
  if (const auto it = seen.known.find(static_cast<std::uint32_t>(f)); it != seen.known.end()) return it->second;
  const FormulaId result = base::with_stack([&] {
    if (node.kind != FormulaKind::kAnd && node.kind != FormulaKind::kOr) {
      return add_value(ask_.resolve(f, FormulaId::kTrue), seen);
    }
    std::vector<FormulaId> parts;
    for (const std::uint32_t operand : operands) parts.push_back(add_value(FormulaId{operand}, seen));
    return node.kind == FormulaKind::kAnd ? algebra_.meet(std::move(parts)) : algebra_.join(std::move(parts));
  });
  seen.known.emplace(static_cast<std::uint32_t>(f), result);
  return result;
}

// Classes of keys that a formula does not distinguish.

namespace {

constexpr std::uint32_t raw(SetId set) { return static_cast<std::uint32_t>(set); }

}  // namespace

SetId Derivation::lookup(const PropertyMap& map, const KeyClass& key) const {
  bool found = false;
  SetId met = SetId::kAny;
  if (key.name.has_value()) {
    const auto at = std::lower_bound(map.names.begin(), map.names.end(), *key.name,
                                     [](const PropertyMap::Named& n, NameId name) { return n.name < name; });
    if (at != map.names.end() && at->name == *key.name) {
      if (map.patterns.empty()) return at->set;
      found = true;
      met = at->set;
    }
  }
  for (const auto& [pattern, set] : map.patterns) {
    if (!std::binary_search(key.patterns.begin(), key.patterns.end(), pattern)) continue;
    found = true;
    met = algebra_.meet(met, set);
  }
  return found ? met : map.other;
}

KeyClass Derivation::class_of(NameId name, std::span<const ExprId> patterns) {
  KeyClass key{name, ExprId::kNothing, {}};
  for (const ExprId pattern : patterns) {
    if (algebra_.exprs().matches(pattern, algebra_.name(name))) key.patterns.push_back(pattern);
  }
  return key;
}

const PropertyMap* Derivation::closed_map(FormulaId f) const {
  const Formula node = algebra_.formula(f);
  const auto closed = [&](const Formula& atom) -> const PropertyMap* {
    if (atom.kind != FormulaKind::kMembers) return nullptr;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    return map.other == SetId::kNone && map.patterns.empty() ? &map : nullptr;
  };
  if (node.kind != FormulaKind::kAnd) return closed(node);
  for (const std::uint32_t operand : node.operands) {
    if (const PropertyMap* map = closed(algebra_.formula(FormulaId{operand})); map != nullptr) return map;
  }
  return nullptr;
}

Derivation::KeyClasses Derivation::key_classes(FormulaId f) {
  if (const auto known = key_classes_.find(static_cast<std::uint32_t>(f)); known != key_classes_.end())
    return known->second;
  key_names_.clear();
  key_patterns_.clear();
  for_each_atom(algebra_, f, [&](const Formula& atom) {
    if (atom.kind == FormulaKind::kHas || atom.kind == FormulaKind::kLacks)
      key_names_.push_back(NameId{atom.operands[0]});
    if (atom.kind == FormulaKind::kNotObjects) {
      for (const std::uint32_t name : algebra_.constant_sets().names(ConstantSetId{atom.operands[0]})) {
        key_names_.push_back(NameId{name});
      }
    }
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    for (const PropertyMap::Named& named : map.names) key_names_.push_back(named.name);
    for (const auto& [pattern, set] : map.patterns) key_patterns_.push_back(pattern);
    algebra_.step(map.names.size());
  });
  std::ranges::sort(key_names_);
  key_names_.erase(std::ranges::unique(key_names_).begin(), key_names_.end());
  const PropertyMap* closed = closed_map(f);
  if (closed != nullptr) {
    const auto allows = [&](NameId name) {
      const auto found = std::ranges::lower_bound(closed->names, name, {}, &PropertyMap::Named::name);
      return found != closed->names.end() && found->name == name && found->set != SetId::kNone;
    };
    std::erase_if(key_names_, [&](NameId name) { return !allows(name); });
  }
  std::sort(key_patterns_.begin(), key_patterns_.end());
  key_patterns_.erase(std::unique(key_patterns_.begin(), key_patterns_.end()), key_patterns_.end());
  key_words_.assign(1, static_cast<std::uint32_t>(key_names_.size()));
  for (const NameId name : key_names_) key_words_.push_back(static_cast<std::uint32_t>(name));
  key_words_.push_back(closed == nullptr ? 1 : 0);
  for (const ExprId pattern : key_patterns_) key_words_.push_back(static_cast<std::uint32_t>(pattern));
  KeyClasses classes;
  if (const auto source = class_sources_.find(key_words_)) {
    classes = classes_by_source_[*source];
  } else {
    classes = std::make_shared<const std::vector<KeyClass>>(split_keys(key_names_, key_patterns_, closed == nullptr));
    if (algebra_.limit_hit() != base::Limit::kNone) return classes;  // they may be incomplete
    class_count_ += classes->size();
    class_sources_.intern(key_words_);
    classes_by_source_.push_back(classes);
  }
  key_classes_.emplace(static_cast<std::uint32_t>(f), classes);
  return classes;
}

std::vector<KeyClass> Derivation::split_keys(const std::vector<NameId>& names, const std::vector<ExprId>& patterns,
                                             bool with_others) {
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<KeyClass> classes;
  std::vector<ExprId> literals;
  for (const NameId name : names) {
    classes.push_back(class_of(name, patterns));
    if (with_others) literals.push_back(algebra_.literal(name));
    algebra_.step(1 + patterns.size());
  }
  if (!with_others) return classes;
  const ExprId unlisted = exprs.complement(exprs.alternation(literals));
  const auto add_listed = [&](const std::vector<NameId>& listed, const std::vector<ExprId>& matched) {
    for (const NameId name : listed) {
      if (std::ranges::binary_search(names, name)) continue;
      classes.push_back({name, ExprId::kNothing, matched});
    }
  };
  for (const PatternClass& part : split_by_patterns(patterns)) {
    if (part.listed.has_value()) {
      add_listed(*part.listed, part.patterns);
      continue;
    }
    KeyClass key{{}, exprs.intersection(unlisted, part.keys), part.patterns};
    const bool is_large = part.count > kMaxListedKeys + names.size();
    if (!is_large && is_empty(key.keys)) continue;
    const auto listed = is_large || part.count == 0 ? std::nullopt : list_keys(key.keys);
    if (listed.has_value()) {
      add_listed(*listed, key.patterns);
    } else {
      classes.push_back(std::move(key));
    }
  }
  return classes;
}

const std::vector<Derivation::PatternClass>& Derivation::split_by_patterns(const std::vector<ExprId>& patterns) {
  const auto [it, is_new] = pattern_classes_.try_emplace(patterns);
  if (!is_new) return it->second;
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<PatternClass> parts{{algebra_.any_shape().strings, {}}};
  for (const ExprId pattern : patterns) {
    std::vector<PatternClass> split;
    for (PatternClass& part : parts) {
      PatternClass inside{exprs.intersection(part.keys, pattern), part.patterns};
      const bool overlaps = !is_empty(inside.keys);
      if (overlaps) {
        algebra_.step(part.patterns.size() * kStepsOfOverlap);
        part.keys = exprs.difference(part.keys, pattern);
        inside.patterns.push_back(pattern);
        split.push_back(std::move(inside));
      }
      if (!overlaps || !is_empty(part.keys)) split.push_back(std::move(part));
      if (!algebra_.step()) break;
    }
    parts = std::move(split);
    if (algebra_.out_of_steps()) break;
  }
  for (PatternClass& part : parts) {
    if (exprs.max_length(part.keys) == regex::kUnbounded) continue;
    part.count = count_keys(part.keys);
    if (part.count != 0 && part.count <= kMaxListedKeys) part.listed = list_keys(part.keys);
  }
  if (algebra_.limit_hit() == base::Limit::kNone) {
    class_count_ += parts.size();
    return it->second = std::move(parts);
  }
  pattern_classes_.erase(it);
  return unfinished_parts_ = std::move(parts);
}

ExprId Derivation::matching(const std::vector<ExprId>& matched, const std::vector<ExprId>& all) {
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<ExprId> parts;
  for (const ExprId pattern : all) {
    const bool matches = std::binary_search(matched.begin(), matched.end(), pattern);
    parts.push_back(matches ? pattern : exprs.complement(pattern));
  }
  parts.push_back(algebra_.any_shape().strings);
  return exprs.intersection(parts);
}

// Counts paths through the derivatives.
std::uint64_t Derivation::count_keys(ExprId keys) {
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId texts = exprs.intersection(keys, algebra_.lengths(0, regex::kUnbounded));
  if (exprs.max_length(texts) == regex::kUnbounded) return 0;
  std::uint64_t count = 0;
  std::vector<regex::ExprSet::Branch> branches;
  for (std::map<ExprId, std::uint64_t> ways{{texts, 1}}; !ways.empty();) {
    std::map<ExprId, std::uint64_t> longer;
    for (const auto& [rest, number] : ways) {
      if (exprs.nullable(rest)) count += number;
      branches.clear();
      exprs.append_branches(rest, branches);
      for (const auto& branch : branches) {
        std::uint64_t& more = longer[branch.to];
        more = std::min(kMaxCountedKeys, more + number * branch.bytes.size());
      }
    }
    if (count >= kMaxCountedKeys || !algebra_.step(longer.size())) break;
    ways = std::move(longer);
  }
  return std::min(count, kMaxCountedKeys);
}

// Each text leads to one residual, so the texts of a residual are the empty one, if it is nullable, and those of its
// residuals. A residual that leads to itself and has a text has infinitely many.
std::uint64_t Derivation::count_texts(ExprId texts) {
  regex::ExprSet& exprs = algebra_.exprs();
  struct Open {
    ExprId e;
    std::uint64_t count;
    std::vector<regex::ExprSet::Branch> branches;
  };
  std::vector<Open> path;
  std::unordered_set<ExprId> on_path;
  const auto enter = [&](ExprId e) {
    path.push_back({e, exprs.nullable(e) ? 1U : 0U, {}});
    on_path.insert(e);
    if (algebra_.has_member(e)) exprs.append_branches(e, path.back().branches);
  };
  if (const auto known = text_counts_.find(texts); known != text_counts_.end()) return known->second;
  enter(texts);
  for (std::size_t visits = 1; visits <= kMaxCountedResiduals && algebra_.limit_hit() == base::Limit::kNone;) {
    Open& top = path.back();
    if (top.branches.empty()) {
      const std::uint64_t count = top.count;
      on_path.erase(top.e);
      text_counts_.emplace(top.e, count);
      path.pop_back();
      if (path.empty()) return count;
      const std::size_t ways = path.back().branches.back().bytes.size();
      path.back().count = std::min(kMaxCountedKeys, path.back().count + ways * count);
      path.back().branches.pop_back();
      continue;
    }
    const auto& [bytes, to] = top.branches.back();
    if (const auto known = text_counts_.find(to); known != text_counts_.end()) {
      top.count = std::min(kMaxCountedKeys, top.count + bytes.size() * known->second);
      top.branches.pop_back();
    } else if (on_path.contains(to)) {
      if (algebra_.has_member(to)) top.count = kMaxCountedKeys;
      top.branches.pop_back();
    } else {
      ++visits;
      if (!algebra_.step()) return 0;
      enter(to);
    }
  }
  return 0;
}

bool Derivation::is_empty(ExprId keys) { return !algebra_.has_text(keys); }

// Returns the keys if there are at most kMaxListedKeys, shortest first.
std::optional<std::vector<NameId>> Derivation::list_keys(ExprId keys) {
  regex::ExprSet& exprs = algebra_.exprs();
  struct Prefix {
    std::string text;
    ExprId rest;
  };
  std::vector<NameId> listed;
  std::vector<std::pair<std::uint8_t, ExprId>> steps;
  std::vector<regex::ExprSet::Branch> branches;
  std::vector<Prefix> longer;
  for (std::vector<Prefix> open{{"", keys}}; !open.empty(); std::swap(open, longer)) {
    longer.clear();
    for (const auto& [text, rest] : open) {
      if (exprs.nullable(rest)) {
        if (listed.size() == kMaxListedKeys) return std::nullopt;
        // A member that is not UTF-8 has no JSON text.
        if (!is_empty(exprs.literal(text))) listed.push_back(algebra_.name(text));
      }
      branches.clear();
      exprs.append_branches(rest, branches);
      steps.clear();
      for (const auto& branch : branches) {
        if (!algebra_.has_member(branch.to)) continue;
        branch.bytes.for_each([&](std::uint8_t byte) { steps.emplace_back(byte, branch.to); });
      }
      std::ranges::sort(steps);
      for (const auto& [byte, to] : steps) longer.push_back({text + static_cast<char>(byte), to});
      if (longer.size() > kMaxListedKeys || !algebra_.step()) return std::nullopt;
    }
  }
  return listed;
}

bool Derivation::is_prefix_of_other(ExprId open, NameId name) {
  const auto [known, is_new] = goes_on_.try_emplace({open, name}, false);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  ExprId after = open;
  const std::string& text = algebra_.name(name);
  for (const char c : text) after = exprs.derivative(after, static_cast<std::uint8_t>(c));
  const ExprId longer = exprs.difference(after, ExprId::kEpsilon);
  const bool goes_on = algebra_.has_text(exprs.concat(exprs.literal(text), longer));
  if (algebra_.limit_hit() == base::Limit::kNone) {
    known->second = goes_on;
  } else {
    goes_on_.erase(known);
  }
  return goes_on;
}

// Returns the printable ASCII characters that change nothing if they are added to a text: the pattern matches the longer
// text if and only if it matches the text. Returns none if the pattern has too many residuals. For a search, such as
// net_[a-z]+, these are the characters that no match ends with.
const regex::ByteSet& Derivation::neutral_characters(ExprId pattern) {
  const auto [known, is_new] = neutral_characters_.try_emplace(pattern);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  const regex::Residuals residuals = regex::list_residuals(exprs, pattern, kMaxPatternResiduals);
  algebra_.step(residuals.all.size());
  if (residuals.distances.empty()) return known->second;
  regex::ByteSet neutral = regex::ByteSet::range(0x20, 0x7E);
  std::vector<regex::ExprSet::Branch> branches;
  for (const ExprId residual : residuals.all) {
    regex::ByteSet to_nullable;
    branches.clear();
    exprs.append_branches(residual, branches);
    for (const auto& branch : branches) {
      if (exprs.nullable(branch.to)) to_nullable |= branch.bytes;
    }
    neutral &= exprs.nullable(residual) ? to_nullable : ~to_nullable;
  }
  return known->second = neutral;
}

bool Derivation::allow_longer_keys(std::span<const ExprId> patterns) {
  regex::ByteSet neutral = regex::ByteSet::range(0x20, 0x7E);
  for (const ExprId pattern : patterns) {
    neutral &= neutral_characters(pattern);
    if (neutral.is_empty()) return false;
  }
  return true;
}

bool Derivation::has_last_keys(ExprId keys) {
  const auto [known, is_new] = has_last_keys_.try_emplace(keys, true);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId texts = exprs.intersection(keys, algebra_.lengths(0, regex::kUnbounded));
  if (exprs.max_length(texts) != regex::kUnbounded) {
    const bool has_some = !is_empty(texts);
    if (algebra_.limit_hit() == base::Limit::kNone) return known->second = has_some;
    has_last_keys_.erase(keys);
    return true;
  }
  std::unordered_set<ExprId> visited{texts};
  std::vector<ExprId> open{texts};
  while (!open.empty()) {
    const ExprId rest = open.back();
    open.pop_back();
    if (exprs.nullable(rest) && !algebra_.has_member(exprs.difference(rest, ExprId::kEpsilon))) return true;
    std::vector<regex::ExprSet::Branch> branches;
    exprs.append_branches(rest, branches);
    for (const auto& branch : branches) {
      if (visited.insert(branch.to).second) open.push_back(branch.to);
    }
    if (!algebra_.step() || visited.size() > kMaxLastKeyResiduals) return true;
  }
  return known->second = false;
}

bool Derivation::may_violate_map(FormulaId f) {
  bool breaks = false;
  for_each_atom(
      algebra_, f,
      [&](const Formula& atom) {
        breaks = breaks || atom.kind == FormulaKind::kNotMembers || atom.kind == FormulaKind::kNotObjects;
      },
      [&](const Formula& node) { breaks = breaks || is_one_of(node.kind); });
  return breaks;
}

// Two classes have the same kind if the same patterns match them and the maps have the same sets for their names. A
// name that kHas, kLacks, kNotMembers or kInOrder mentions has a kind of its own.
std::vector<std::uint32_t> Derivation::key_kinds(FormulaId f, const std::vector<KeyClass>& classes) {
  struct Said {
    NameId name;
    std::uint32_t map, set;  // what a map says of the name; kItself: it has a kind of its own
  };
  std::vector<Said> said;
  bool all_differ = false;  // some kNotMembers covers unlisted names: it excludes each name after use, listed or not
  constexpr std::uint32_t kItself = UINT32_MAX;
  for_each_atom(algebra_, f, [&](const Formula& atom) {
    if (atom.kind == FormulaKind::kHas || atom.kind == FormulaKind::kLacks) {
      said.push_back({NameId{atom.operands[0]}, kItself, 0});
    }
    if (atom.kind == FormulaKind::kNotObjects) {
      for (const std::uint32_t name : algebra_.constant_sets().names(ConstantSetId{atom.operands[0]})) {
        said.push_back({NameId{name}, kItself, 0});
      }
    }
    if (atom.kind == FormulaKind::kInOrder) {
      for (const NameId name : algebra_.names_of(OrderId{atom.operands[0]})) said.push_back({name, kItself, 0});
    }
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    const bool is_broken = atom.kind == FormulaKind::kNotMembers;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    all_differ = all_differ || (is_broken && (map.other != SetId::kAny || !map.patterns.empty()));
    for (const PropertyMap::Named& named : map.names) {
      if (named.set == map.other && map.patterns.empty() && !is_broken) continue;
      if (is_broken && named.set == SetId::kAny) continue;
      said.push_back({named.name, is_broken ? kItself : atom.operands[0], raw(named.set)});
    }
  });
  std::ranges::stable_sort(said, {}, &Said::name);
  std::vector<std::uint32_t> kinds;
  base::WordInterner numbers;
  std::vector<std::uint32_t> words;
  for (const KeyClass& key : classes) {
    words.assign(1, static_cast<std::uint32_t>(key.patterns.size()));
    for (const ExprId pattern : key.patterns) words.push_back(static_cast<std::uint32_t>(pattern));
    if (key.name.has_value()) {
      const auto of_name = std::ranges::equal_range(said, *key.name, {}, &Said::name);
      if (all_differ || std::ranges::find(of_name, kItself, &Said::map) != of_name.end()) {
        words.assign({kItself, static_cast<std::uint32_t>(*key.name)});
      } else {
        for (const Said& one : of_name) words.insert(words.end(), {one.map, one.set});
      }
    }
    kinds.push_back(numbers.intern(words).first);
  }
  return kinds;
}

}  // namespace weir::frontend::json_schema
