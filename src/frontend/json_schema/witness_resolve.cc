// `oneOf` as a disjunction: each operand, and not the others.
//
// Written out that is n conjunctions of n, and everything that follows multiplies them. But operands mostly cannot hold
// together: a member that tells them apart has another value in each. Such operands need not exclude each other, and
// whether they can hold together is asked where the formula stands, for what makes the member required often stands
// beside `oneOf` and not in it. Operands that do overlap exclude only what the one that holds leaves open. Where the
// member is a *tag*, a required one that has few values in each operand, only operands with a common value are
// compared. Where no tag leaves many pairs, what was found for a place where less is known serves, too: keys are asked
// for one by one, and each is a place of its own.
#include <algorithm>
#include <map>
#include <numeric>

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
  for (std::size_t i = 0; i < operands.size(); ++i) parts[i].push_back(FormulaId{operands[i]});
  const auto compare = [&](std::size_t i, std::size_t j) {
    const FormulaId x{operands[i]};
    const FormulaId y{operands[j]};
    const FormulaId both = algebra_.meet({context, x, y});
    if (both == FormulaId::kFalse) return;
    if (compares &&
        !may_have([&] { return algebra_.is_about_objects(both) ? object_exists(both) : array_exists(both); })) {
      return;
    }
    parts[i].push_back(compares ? excluding(x, y, context) : algebra_.complement(y));
    parts[j].push_back(compares ? excluding(y, x, context) : algebra_.complement(x));
  };
  const std::vector<std::vector<std::uint32_t>> neighbours = with_common_tags(operands, context);
  std::size_t pairs = 0;
  for (const std::vector<std::uint32_t>& near : neighbours) pairs += near.size();
  constexpr std::size_t kManyPairs = 100;
  if (compares && pairs > kManyPairs) {
    if (const auto known = resolved_for_less(f, context, pairs)) return *(resolved_[key] = known);
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (const std::uint32_t j : neighbours[i]) compare(i, j);
  }
  std::vector<FormulaId> branches;
  for (std::vector<FormulaId>& part : parts) branches.push_back(algebra_.meet(std::move(part)));
  const FormulaId result = algebra_.join(std::move(branches));
  if (compares && algebra_.limit_hit() == base::Limit::kNone) {
    resolved_[key] = result;
    if (pairs > kManyPairs) resolved_pairs_[f].push_back({context, pairs});
  } else if (compares) {
    resolved_.erase(key);
  }
  return result;
}

// What `f` was found to be where only a part of the context was known, if there were no more pairs to compare.
std::optional<FormulaId> Witness::resolved_for_less(FormulaId f, FormulaId context, std::size_t pairs) {
  const auto it = resolved_pairs_.find(f);
  if (it == resolved_pairs_.end()) return std::nullopt;
  const std::vector<FormulaId> here = atoms_of(context);  // ascending, as those of every context
  for (const ResolvedPairs& other : it->second) {
    algebra_.step();
    if (other.pairs > pairs) continue;
    const std::vector<FormulaId> there = atoms_of(other.context);
    const bool is_less =
        other.context == FormulaId::kTrue || std::includes(here.begin(), here.end(), there.begin(), there.end());
    if (is_less) return resolved_.at({f, other.context});
  }
  return std::nullopt;
}

// For each operand those before it with which it may hold together, as far as tags tell.
std::vector<std::vector<std::uint32_t>> Witness::with_common_tags(const std::vector<std::uint32_t>& operands,
                                                                  FormulaId context) {
  const auto count = static_cast<std::uint32_t>(operands.size());
  std::vector<std::vector<TagValue>> tags(count);
  std::vector<Tagged> kinds(count, Tagged::kNo);
  find_tags(operands, context, tags, kinds);
  std::vector<std::vector<std::uint32_t>> neighbours(count);
  std::map<TagValue, std::vector<std::uint32_t>> by_tag;
  std::vector<std::uint32_t> untagged;
  std::vector<std::uint32_t> possible;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (kinds[i] == Tagged::kImpossible) continue;
    std::vector<std::uint32_t>& near = neighbours[i];
    near = kinds[i] == Tagged::kYes ? untagged : possible;
    possible.push_back(i);
    if (kinds[i] == Tagged::kNo) untagged.push_back(i);
    for (const TagValue& value : tags[i]) {
      std::vector<std::uint32_t>& others = by_tag[value];
      if (kinds[i] == Tagged::kYes) near.insert(near.end(), others.begin(), others.end());
      others.push_back(i);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
  }
  return neighbours;
}

// The tag's values in each operand; the tag is a name that most of them require.
void Witness::find_tags(const std::vector<std::uint32_t>& operands, FormulaId context,
                        std::vector<std::vector<TagValue>>& tags, std::vector<Tagged>& kinds) {
  constexpr std::size_t kFew = 4;
  if (operands.size() <= kFew) return;
  std::vector<ObjectAtoms> atoms(operands.size());
  std::map<NameId, std::size_t> required;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const FormulaId here = algebra_.meet(context, FormulaId{operands[i]});
    if (!algebra_.step()) return;
    if (here == FormulaId::kFalse) kinds[i] = Tagged::kImpossible;
    if (here == FormulaId::kFalse || !algebra_.is_about_objects(here)) continue;
    atoms[i] = object_atoms(here);
    for (const NameId name : atoms[i].names) ++required[name];
  }
  std::vector<std::pair<std::size_t, NameId>> names;
  for (const auto& [name, times] : required) names.emplace_back(times, name);
  std::sort(names.rbegin(), names.rend());
  if (names.size() > kFew) names.resize(kFew);
  std::size_t most = 0;
  for (const auto& [times, name] : names) {
    std::vector<std::vector<TagValue>> values(operands.size());
    std::vector<Tagged> tagged = kinds;
    for (Tagged& kind : tagged) {
      if (kind == Tagged::kYes) kind = Tagged::kNo;
    }
    std::size_t listed = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!std::binary_search(atoms[i].names.begin(), atoms[i].names.end(), name)) continue;
      if (list_scalars(algebra_.shape(value_of(atoms[i], key_of(atoms[i], name))), values[i])) {
        tagged[i] = Tagged::kYes;
        ++listed;
      } else {
        values[i].clear();
      }
    }
    if (listed <= most) continue;
    most = listed;
    tags = std::move(values);
    kinds = std::move(tagged);
  }
}

// The class of a name among the patterns of the maps.
KeyClass Witness::key_of(const ObjectAtoms& atoms, NameId name) {
  std::vector<regex::ExprId> patterns;
  for (const PropertyMapId map : atoms.maps) {
    for (const auto& [pattern, set] : algebra_.property_map(map).patterns) patterns.push_back(pattern);
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return derivation_.class_of(name, patterns);
}

// Lists the values of a shape that has few, all of them strings, literals or one number; or returns false.
bool Witness::list_scalars(const Shape& shape, std::vector<TagValue>& values) {
  if (shape.arrays != FormulaId::kFalse || shape.objects != FormulaId::kFalse) return false;
  for (const std::uint8_t literal : {Shape::kNull, Shape::kTrue, Shape::kFalse}) {
    if ((shape.literals & literal) != 0) values.emplace_back("", literal);
  }
  regex::ExprSet& exprs = algebra_.exprs();
  if (shape.numbers != regex::ExprId::kNothing) {
    constexpr std::uint32_t kFuel = 100;  // of a number that is a constant
    const auto text = exprs.shortest_member(shape.numbers, kFuel);
    const auto number = text ? Decimal::parse(*text, algebra_.limits()) : tl::unexpected(Error{});
    const auto texts = number ? algebra_.numbers().value(*number) : tl::unexpected(Error{});
    if (!texts || *texts != shape.numbers) return false;
    values.emplace_back(*text, 0);
  }
  constexpr std::uint32_t kMostVisits = 200;
  constexpr std::uint8_t kString = 8;
  std::uint32_t visits = 0;
  std::vector<std::pair<regex::ExprId, std::string>> open{{shape.strings, ""}};
  std::vector<regex::ExprSet::Branch> branches;
  while (!open.empty()) {
    const auto [e, text] = std::move(open.back());
    open.pop_back();
    if (exprs.max_length(e) == regex::kUnbounded || ++visits > kMostVisits || !algebra_.step()) return false;
    if (exprs.nullable(e)) values.emplace_back(text, kString);
    branches.clear();
    exprs.append_branches(e, branches);
    for (const auto& [bytes, to] : branches) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (bytes.contains(static_cast<std::uint8_t>(byte))) open.emplace_back(to, text + static_cast<char>(byte));
      }
      if (open.size() > kMostVisits) return false;
    }
  }
  return true;
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

// `broken`, a kNotMembers, among objects that keep the promises of the maps: only names whose values may break it
// count; of a name whose values all do it is enough that it is there.
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
