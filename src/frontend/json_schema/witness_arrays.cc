// Arrays: plans for conjunctions of atoms, and texts.
#include <algorithm>

#include "frontend/json_schema/witness.h"

namespace weir::frontend::json_schema {

std::string Witness::array_text(FormulaId f, const Layout& layout, std::uint32_t depth) {
  const ArrayPlan* found = array_plan(f);
  if (found == nullptr) return {};
  const ArrayPlan plan = *found;
  std::string out;
  for (const auto& [set, count] : plan) {
    const std::string item = text(set, layout, depth);
    for (std::uint64_t i = 0; i < count && out.size() <= algebra_.limits().completion_bytes; ++i) {
      if (!out.empty()) out += layout.comma(depth).text;
      out += item;
    }
  }
  return out;
}

const Witness::ArrayPlan* Witness::array_plan(FormulaId f) {
  if (f == FormulaId::kFalse) return nullptr;
  return remember(arrays_, f, [&](ArrayPlan& plan) {
    return any_conjunction({f}, {}, [&](FormulaId conjunction) { return plan_array(conjunction, plan = ArrayPlan{}); });
  });
}

template <typename Try>
bool Witness::any_conjunction(std::vector<FormulaId> pending, std::vector<FormulaId> atoms, const Try& try_one) {
  // Disjunctions last: what holds in any case may already show that none of them helps.
  std::vector<FormulaId> disjunctions;
  std::vector<FormulaId> choices_of_one;
  while (!pending.empty()) {
    if (!algebra_.step()) return false;
    const FormulaId f = pending.back();
    pending.pop_back();
    const Formula node = algebra_.formula(f);
    if (node.kind == FormulaKind::kFalse) return false;
    if (node.kind == FormulaKind::kAnd) {
      for (const std::uint32_t operand : node.operands) pending.push_back(FormulaId{operand});
    } else if (node.kind == FormulaKind::kOneOf || node.kind == FormulaKind::kNotOneOf) {
      choices_of_one.push_back(f);
    } else if (node.kind == FormulaKind::kOr) {
      disjunctions.push_back(f);
    } else {
      atoms.push_back(f);
    }
    if (pending.empty() && !choices_of_one.empty()) {
      pending.push_back(resolve(choices_of_one.back(), algebra_.meet(atoms)));
      choices_of_one.pop_back();
    }
  }
  if (disjunctions.empty()) {
    const FormulaId conjunction = algebra_.meet(atoms);
    // Merging atoms never makes disjunctions.
    return conjunction != FormulaId::kFalse && try_one(conjunction);
  }
  if (algebra_.meet(atoms) == FormulaId::kFalse) return false;
  const FormulaId first = disjunctions.back();
  disjunctions.pop_back();
  const auto span = algebra_.formula(first).operands;
  for (const std::uint32_t branch : std::vector<std::uint32_t>(span.begin(), span.end())) {
    std::vector<FormulaId> next = disjunctions;
    next.push_back(FormulaId{branch});
    if (any_conjunction(std::move(next), atoms, try_one)) return true;
    if (algebra_.out_of_steps()) return false;
  }
  return false;
}

Witness::ArrayAtoms Witness::array_atoms(FormulaId conjunction) {
  ArrayAtoms atoms;
  std::uint64_t positions = 0;
  for (const FormulaId id : atoms_of(conjunction)) {
    const Formula atom = algebra_.formula(id);
    switch (atom.kind) {
      case FormulaKind::kItems: atoms.map = algebra_.item_map(ItemMapId{atom.operands[0]}); break;
      case FormulaKind::kMinItems: atoms.min = atom.operands[0]; break;
      case FormulaKind::kMaxItems: atoms.max = atom.operands[0]; break;
      case FormulaKind::kUnique:
        atoms.is_unique = true;
        atoms.seen = algebra_.join(atoms.seen, SetId{atom.operands[0]});
        break;
      case FormulaKind::kTrue: break;
      case FormulaKind::kNotItems:
        atoms.has_obligation = atoms.has_alternatives = true;
        positions = std::max<std::uint64_t>(positions, algebra_.item_map(ItemMapId{atom.operands[0]}).prefix.size());
        ++atoms.needed;
        break;
      case FormulaKind::kMinContains:
        atoms.has_obligation = true;
        atoms.contained.emplace_back(SetId{atom.operands[0]}, atom.operands[1]);
        atoms.needed += atom.operands[1];
        break;
      case FormulaKind::kNotUnique:
        atoms.has_obligation = atoms.has_alternatives = true;
        atoms.needed += 2;
        break;
      default: atoms.has_obligation = atoms.has_alternatives = true; break;
    }
  }
  atoms.needed += std::max<std::uint64_t>(positions, atoms.map.prefix.size());
  return atoms;
}

// Whether there are as many different values as there must be: without this the search would try them in every order.
bool Witness::has_values_enough(const ArrayAtoms& atoms) {
  if (!atoms.is_unique) return true;
  const SetId fresh = algebra_.complement(atoms.seen);
  const bool all_alike = atoms.map.prefix.empty();
  if (all_alike && !has_members(algebra_.meet(atoms.map.rest, fresh), atoms.min)) return false;
  return std::all_of(atoms.contained.begin(), atoms.contained.end(), [&](const auto& contained) {
    const SetId allowed = all_alike ? atoms.map.rest : SetId::kAny;
    return has_members(algebra_.meet({contained.first, allowed, fresh}), contained.second);
  });
}

bool Witness::has_values_to_spare(FormulaId f, std::uint64_t more) {
  const auto is_combined = [&](FormulaId part) {
    const FormulaKind kind = algebra_.formula(part).kind;
    return kind <= FormulaKind::kNotOneOf && kind != FormulaKind::kTrue;
  };
  const std::vector<FormulaId> parts = atoms_of(f);
  if (std::any_of(parts.begin(), parts.end(), is_combined)) return false;
  const ArrayAtoms atoms = array_atoms(f);
  if (!atoms.is_unique || atoms.has_obligation || !atoms.map.prefix.empty()) return false;
  if (atoms.min > atoms.max || atoms.min > algebra_.limits().nesting) return false;
  return plainly_has_members(algebra_.meet(atoms.map.rest, algebra_.complement(atoms.seen)), atoms.min + more);
}

bool Witness::plan_array(FormulaId conjunction, ArrayPlan& plan) {
  const ArrayAtoms atoms = array_atoms(conjunction);
  if (atoms.min > atoms.max) return false;
  if (derivation_.accepts(conjunction)) return true;
  const bool may_repeat = !atoms.is_unique || (atoms.min <= 1 && atoms.seen == SetId::kNone);
  if (!atoms.has_obligation && may_repeat) {
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(atoms.min, atoms.map.prefix.size()); ++i) {
      if (!has_member(atoms.map.prefix[i])) return false;
      plan.emplace_back(atoms.map.prefix[i], 1);
    }
    if (atoms.min <= atoms.map.prefix.size()) return true;
    plan.emplace_back(atoms.map.rest, atoms.min - atoms.map.prefix.size());
    return has_member(atoms.map.rest);
  }
  if (place_items(atoms, Share::kNo, plan)) return true;
  if (!atoms.contained.empty() && place_items(atoms, Share::kYes, plan)) return true;
  plan.clear();
  if (algebra_.limit_hit() != base::Limit::kNone || !has_values_enough(atoms) || !has_room(atoms)) return false;
  // Short arrays first: where values must differ there is always one more to try.
  const std::uint64_t most = std::min(atoms.max, std::max(atoms.min, atoms.needed));
  const std::uint64_t nesting = algebra_.limits().nesting;
  for (std::uint64_t longest = std::max<std::uint64_t>(atoms.min, 1);; longest *= 2) {
    std::unordered_map<std::uint32_t, std::uint64_t> failed;
    bool was_cut = false;
    if (search_array(conjunction, std::min({longest, most, nesting}), failed, was_cut, plan)) return true;
    if (!was_cut || longest >= most || algebra_.limit_hit() != base::Limit::kNone) return false;
    if (longest >= nesting) {
      algebra_.report_limit(base::Limit::kNesting);
      return false;
    }
  }
}

// A plan without search, which mostly works: each item that must be in a set goes where it fits first; then values that
// must differ are taken one after the other. False where that does not work out, or something else is asked. An item
// may be in several sets only if `Share` says so: to see whether sets have a common member may take long.
bool Witness::place_items(const ArrayAtoms& atoms, Share share, ArrayPlan& plan) {
  plan.clear();
  const std::uint64_t most = std::min<std::uint64_t>(atoms.max, algebra_.limits().nesting);
  if (atoms.has_alternatives || atoms.min > most) return false;
  std::vector<SetId> places = atoms.map.prefix;
  std::vector<bool> is_full(places.size());
  std::size_t used = static_cast<std::size_t>(atoms.min);
  for (const auto& [set, count] : atoms.contained) {
    std::uint64_t left = count;
    for (std::size_t i = 0; left > 0; ++i) {
      if (i == most || !algebra_.step()) return false;
      if (i >= places.size()) places.resize(i + 1, atoms.map.rest);
      is_full.resize(places.size());
      if (is_full[i]) continue;
      const SetId both = algebra_.meet(places[i], set);
      if (!has_member(both)) continue;
      places[i] = both;
      is_full[i] = share == Share::kNo;
      used = std::max(used, i + 1);
      --left;
    }
  }
  places.resize(used, atoms.map.rest);
  SetId taken = atoms.seen;
  for (const SetId place : places) {
    const SetId open = atoms.is_unique ? algebra_.meet(place, algebra_.complement(taken)) : place;
    if (!has_member(open)) return false;
    const SetId value = atoms.is_unique ? single(open) : open;
    if (atoms.is_unique) taken = algebra_.join(taken, value);
    plan.emplace_back(value, 1);
    if (algebra_.limit_hit() != base::Limit::kNone) return false;
  }
  return true;
}

// False where more items are asked for than an array may have: of sets no two of which have a common member.
bool Witness::has_room(const ArrayAtoms& atoms) {
  std::vector<SetId> apart;
  std::uint64_t count = 0;
  for (const auto& [set, least] : atoms.contained) {
    const auto is_apart = [&](SetId other) { return algebra_.step() && is_empty(algebra_.meet(set, other)); };
    if (!std::all_of(apart.begin(), apart.end(), is_apart)) continue;
    apart.push_back(set);
    count += least;
  }
  return count <= atoms.max;
}

// Depth first along the derivation, for at most `longest` more items. `failed` says with how many a formula failed.
bool Witness::search_array(FormulaId f, std::uint64_t longest, std::unordered_map<std::uint32_t, std::uint64_t>& failed,
                           bool& was_cut, ArrayPlan& plan) {
  if (derivation_.accepts(f)) return true;
  if (!algebra_.step()) return false;
  if (longest == 0) {
    was_cut = true;
    return false;
  }
  const auto [known, is_new] = failed.try_emplace(static_cast<std::uint32_t>(f), longest);
  if (!is_new && known->second >= longest) return false;
  known->second = longest;
  const auto goes_on = [&](SetId value, FormulaId rest) {
    plan.emplace_back(value, 1);
    if (search_array(rest, longest - 1, failed, was_cut, plan)) return true;
    plan.pop_back();
    return false;
  };
  for (const Choice& choice : derivation_.next_item(f)) {
    if (!derivation_.wants_value(choice.rest)) {
      if (has_member(choice.value) && goes_on(choice.value, choice.rest)) return true;
      if (algebra_.limit_hit() != base::Limit::kNone) return false;
      continue;
    }
    // A value that may come again, where two must be equal. Of `longest` items that differ, none needs more candidates
    // than so many: one of them is not taken by the others.
    std::vector<SetId> candidates;
    for (const SetId later : repeatable_items(choice.rest, [](FormulaId) { return true; })) {
      candidates.push_back(algebra_.meet(choice.value, later));
    }
    const std::size_t repeats = candidates.size();
    candidates.resize(repeats + longest, choice.value);
    SetId taken = SetId::kNone;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const SetId open = i < repeats ? candidates[i] : algebra_.meet(candidates[i], algebra_.complement(taken));
      if (!has_member(open)) {
        if (i < repeats) continue;
        break;
      }
      const SetId value = single(open);
      taken = algebra_.join(taken, value);
      if (goes_on(value, derivation_.with_value(choice.rest, value))) return true;
      if (algebra_.limit_hit() != base::Limit::kNone) return false;
    }
  }
  return false;
}

// Where two items must be equal: the sets that the items are taken from which may come, behind one that is the first of
// the two; all values, where those sets are too many. None where nothing of the kind is asked.
template <typename IsViable>
std::vector<SetId> Witness::repeatable_items(FormulaId rest, const IsViable& is_viable) {
  constexpr std::size_t kMostPlaces = 64;
  if (!derivation_.wants_repeat(rest)) return {};
  std::vector<SetId> sets;
  std::vector<FormulaId> places{derivation_.with_unknown_value(rest)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const Choice& choice : derivation_.next_item(places[i])) {
      const FormulaId behind = derivation_.with_unknown_value(choice.rest);
      if (!has_member(choice.value) || !is_viable(behind)) continue;
      if (std::find(sets.begin(), sets.end(), choice.value) == sets.end()) sets.push_back(choice.value);
      if (std::find(places.begin(), places.end(), behind) == places.end()) places.push_back(behind);
    }
    if (places.size() > kMostPlaces || !algebra_.step()) return {SetId::kAny};
  }
  return sets;
}

std::optional<SetId> Witness::values_to_repeat(FormulaId rest) {
  if (!derivation_.wants_repeat(rest) || array_exists(rest)) return std::nullopt;
  return algebra_.join(repeatable_items(rest, [&](FormulaId behind) { return array_exists(behind); }));
}

}  // namespace weir::frontend::json_schema
