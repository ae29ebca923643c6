#include "frontend/json_schema/derivation.h"

#include <algorithm>
#include <unordered_set>

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

}  // namespace

bool Derivation::accepts(FormulaId f) {
  const Formula node = algebra_.formula(f);
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

std::vector<Choice> Derivation::next_item(FormulaId f) { return derive(f, nullptr); }
std::vector<Choice> Derivation::next_member(FormulaId f, const KeyClass& key) { return derive(f, &key); }

Derivation::Choices Derivation::derive(FormulaId f, const KeyClass* key) {
  algebra_.step();
  const Formula node = algebra_.formula(f);
  const std::vector<std::uint32_t> operands = copied(node.operands);
  switch (node.kind) {
    case FormulaKind::kFalse: return {};
    case FormulaKind::kOneOf:
    case FormulaKind::kNotOneOf: return derive(ask_.resolve(f, FormulaId::kTrue), key);
    case FormulaKind::kTrue: return {{SetId::kAny, FormulaId::kTrue}};
    case FormulaKind::kOr: {
      Choices all;
      for (const std::uint32_t operand : operands) {
        const Choices some = derive(FormulaId{operand}, key);
        all.insert(all.end(), some.begin(), some.end());
      }
      simplify(all);
      return all;
    }
    case FormulaKind::kAnd: return derive_conjunction(operands, key);
    default: break;
  }
  return key == nullptr ? derive_array_atom(node.kind, operands, f) : derive_object_atom(node.kind, operands, f, *key);
}

Derivation::Choices Derivation::derive_conjunction(const std::vector<std::uint32_t>& operands, const KeyClass* key) {
  std::vector<FormulaId> atoms;
  for (const std::uint32_t operand : operands) {
    if (is_atom(algebra_.formula(FormulaId{operand}).kind)) atoms.push_back(FormulaId{operand});
  }
  const FormulaId context = algebra_.meet(std::move(atoms));
  std::vector<Choices> factors;
  for (const std::uint32_t operand : operands) {
    FormulaId factor{operand};
    const FormulaKind kind = algebra_.formula(factor).kind;
    if (kind == FormulaKind::kOneOf || kind == FormulaKind::kNotOneOf) factor = ask_.resolve(factor, context);
    factors.push_back(derive(factor, key));
    if (factors.back().empty() || algebra_.out_of_steps()) return {};
  }
  // What leaves no choice first: the more is known, the more of the others is impossible.
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Choices& a, const Choices& b) { return a.size() < b.size(); });
  const auto many = std::count_if(factors.begin(), factors.end(), [](const Choices& c) { return c.size() > 1; });
  constexpr std::ptrdiff_t kFewFactors = 3;
  constexpr std::size_t kFewChoices = 8;
  Choices all{{SetId::kAny, FormulaId::kTrue}};
  for (Choices& factor : factors) {
    if (many > kFewFactors) tell_apart(factor);
    all = product(all, factor);
    if (all.size() > kFewChoices) drop_impossible(all, key != nullptr);
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

// Rests are asked for objects only: an array's rest may be the array itself, which is being looked into.
void Derivation::drop_impossible(Choices& choices, bool are_members) {
  std::erase_if(choices, [&](const Choice& c) {
    return !ask_.may_have_member(c.value) || (are_members && !ask_.may_have_object(c.rest));
  });
}

// Makes choices that ask for scalars only disjoint: a value is then in one set, with all that it may be followed by.
void Derivation::tell_apart(Choices& choices) {
  if (choices.size() < 2) return;
  const auto is_whole = [](FormulaId f) { return f == FormulaId::kFalse || f == FormulaId::kTrue; };
  const bool are_scalar = std::all_of(choices.begin(), choices.end(), [&](const Choice& c) {
    const Shape& shape = algebra_.shape(c.value);
    return is_whole(shape.arrays) && is_whole(shape.objects);
  });
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

SetId Derivation::lookup(const PropertyMap& map, const KeyClass& key) const {
  bool found = false;
  std::vector<SetId> sets;
  if (key.name.has_value()) {
    const auto at = std::lower_bound(map.names.begin(), map.names.end(), *key.name,
                                     [](const PropertyMap::Named& n, NameId name) { return n.name < name; });
    if (at != map.names.end() && at->name == *key.name) {
      found = true;
      sets.push_back(at->set);
    }
  }
  for (const auto& [pattern, set] : map.patterns) {
    if (!std::binary_search(key.patterns.begin(), key.patterns.end(), pattern)) continue;
    found = true;
    sets.push_back(set);
  }
  if (!found) return map.other;
  return sets.size() == 1 ? sets[0] : algebra_.meet(std::move(sets));
}

void Derivation::collect_keys(FormulaId f, std::map<NameId, std::uint32_t>& names, std::vector<ExprId>& patterns) {
  std::unordered_set<std::uint32_t> seen{static_cast<std::uint32_t>(f)};
  std::vector<FormulaId> open{f};
  const auto add_name = [&](NameId name, std::uint32_t order) {
    const auto [it, is_new] = names.try_emplace(name, order);
    if (!is_new && order != 0) it->second = it->second == 0 ? order : std::min(it->second, order);
  };
  while (!open.empty()) {
    const Formula node = algebra_.formula(open.back());
    open.pop_back();
    switch (node.kind) {
      case FormulaKind::kAnd:
      case FormulaKind::kOr:
      case FormulaKind::kOneOf:
      case FormulaKind::kNotOneOf:
        for (const std::uint32_t operand : node.operands) {
          if (seen.insert(operand).second) open.push_back(FormulaId{operand});
        }
        break;
      case FormulaKind::kHas:
      case FormulaKind::kLacks: add_name(NameId{node.operands[0]}, 0); break;
      case FormulaKind::kMembers:
      case FormulaKind::kNotMembers: {
        const PropertyMap& map = algebra_.property_map(PropertyMapId{node.operands[0]});
        for (const PropertyMap::Named& named : map.names) add_name(named.name, named.order);
        for (const auto& [pattern, set] : map.patterns) patterns.push_back(pattern);
        algebra_.step(map.names.size());
        break;
      }
      default: break;
    }
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
}

bool Derivation::is_empty(ExprId keys) { return !algebra_.has_text(keys); }

const std::vector<KeyClass>& Derivation::key_classes(FormulaId f) {
  const auto [it, is_new] = key_classes_.try_emplace(static_cast<std::uint32_t>(f));
  if (!is_new) return it->second;
  std::map<NameId, std::uint32_t> names;
  std::vector<ExprId> patterns;
  collect_keys(f, names, patterns);
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<KeyClass> classes;
  std::vector<ExprId> literals;
  for (const auto& [name, order] : names) {
    KeyClass key{name, ExprId::kNothing, {}, order};
    for (const ExprId pattern : patterns) {
      if (exprs.matches(pattern, algebra_.name(name))) key.patterns.push_back(pattern);
    }
    literals.push_back(exprs.literal(algebra_.name(name)));
    classes.push_back(std::move(key));
    algebra_.step();
  }
  std::vector<KeyClass> others{{{}, exprs.complement(exprs.alternation(literals)), {}, 0}};
  for (const ExprId pattern : patterns) {
    std::vector<KeyClass> split;
    for (KeyClass& key : others) {
      KeyClass inside{{}, exprs.intersection(key.keys, pattern), key.patterns, 0};
      inside.patterns.push_back(pattern);
      const ExprId outside = exprs.difference(key.keys, pattern);
      if (!is_empty(inside.keys)) split.push_back(std::move(inside));
      key.keys = outside;
      if (!is_empty(outside)) split.push_back(std::move(key));
      if (!algebra_.step()) break;
    }
    others = std::move(split);
  }
  for (KeyClass& key : others) {
    if (!list_keys(key, classes)) classes.push_back(std::move(key));
  }
  it->second = std::move(classes);
  if (algebra_.limit_hit() == base::Limit::kNone) return it->second;
  unfinished_ = std::move(it->second);
  key_classes_.erase(it);
  return unfinished_;
}

// The keys of a class one by one, each a class of its own, where there are few.
bool Derivation::list_keys(const KeyClass& key, std::vector<KeyClass>& classes) {
  regex::ExprSet& exprs = algebra_.exprs();
  if (exprs.max_length(key.keys) == regex::kUnbounded) return false;
  std::vector<std::string> listed;
  ExprId left = key.keys;
  while (!is_empty(left)) {
    if (listed.size() == kListedKeys) return false;
    const auto text = exprs.shortest_member(left, algebra_.limits().regex_fuel);
    if (!text.has_value() || !algebra_.step()) return false;
    left = exprs.difference(left, exprs.literal(*text));
    // Bytes that are no text have no JSON string.
    if (!is_empty(exprs.literal(*text))) listed.push_back(*text);
  }
  for (const std::string& text : listed) {
    classes.push_back({algebra_.name(text), ExprId::kNothing, key.patterns, 0});
  }
  return true;
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

FormulaId Derivation::with_value(FormulaId f, SetId value) { return add_value(f, value); }
FormulaId Derivation::with_unknown_value(FormulaId f) { return add_value(f, std::nullopt); }

FormulaId Derivation::add_value(FormulaId f, std::optional<SetId> value) {
  if (!wants_value(f)) return f;
  const Formula node = algebra_.formula(f);
  const std::vector<std::uint32_t> operands = copied(node.operands);
  switch (node.kind) {
    case FormulaKind::kOneOf:
    case FormulaKind::kNotOneOf: return add_value(ask_.resolve(f, FormulaId::kTrue), value);
    case FormulaKind::kUnique: return value ? algebra_.unique(algebra_.join(SetId{operands[0]}, *value)) : f;
    case FormulaKind::kNotUnique:
      return algebra_.not_unique(value ? algebra_.join(SetId{operands[0]}, *value) : SetId::kAny);
    case FormulaKind::kAnd:
    case FormulaKind::kOr: {
      std::vector<FormulaId> parts;
      for (const std::uint32_t operand : operands) parts.push_back(add_value(FormulaId{operand}, value));
      return node.kind == FormulaKind::kAnd ? algebra_.meet(std::move(parts)) : algebra_.join(std::move(parts));
    }
    default: return f;
  }
}

}  // namespace weir::frontend::json_schema
