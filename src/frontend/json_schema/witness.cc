#include "frontend/json_schema/witness.h"

#include <algorithm>

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::uint32_t raw(SetId set) { return static_cast<std::uint32_t>(set); }

}  // namespace

bool Witness::has_member(SetId set) {
  if (set == SetId::kNone) return false;
  if (set == SetId::kAny) return true;
  if (raw(set) >= sets_.size()) sets_.resize(raw(set) + 1);
  const SetState state = sets_[raw(set)];
  if (state.verdict == Verdict::kYes) return true;
  if (state.verdict == Verdict::kNo) return false;
  if (state.verdict == Verdict::kOpen) {
    assumed_ = std::min(assumed_, state.depth);
    return false;
  }
  if (depth_ >= algebra_.limits().nesting) {
    algebra_.report_limit(base::Limit::kNesting);
    return false;
  }
  const std::uint32_t outer = std::exchange(assumed_, UINT32_MAX);
  const std::uint32_t depth = ++depth_;
  sets_[raw(set)] = {Verdict::kOpen, Part::kNone, depth};
  const Part part = find_member(set);
  const bool found = part != Part::kNone;
  --depth_;
  const bool is_final = assumed_ >= depth && algebra_.limit_hit() == base::Limit::kNone;
  sets_[raw(set)].part = part;
  sets_[raw(set)].verdict = found ? Verdict::kYes : is_final ? Verdict::kNo : Verdict::kUnknown;
  assumed_ = std::min(outer, found || assumed_ >= depth ? UINT32_MAX : assumed_);
  return found;
}

Witness::Part Witness::find_member(SetId set) {
  const Shape& shape = algebra_.shape(set);
  if (shape.literals != 0) return Part::kLiteral;
  if (algebra_.has_member(shape.numbers)) return Part::kNumber;
  if (algebra_.has_text(shape.strings)) return Part::kString;
  if (array_exists(shape.arrays)) return Part::kArray;
  return object_exists(shape.objects) ? Part::kObject : Part::kNone;
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

bool Witness::has_members(SetId set, std::uint64_t count) {
  if (count > 1 && has_short_strings(set, count)) return true;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!has_member(set)) return false;
    if (i + 1 < count) set = algebra_.meet(set, algebra_.complement(single(set)));
  }
  return true;
}

// Whether so many of the numerals are among the strings of the set: mostly all are, or none.
bool Witness::has_short_strings(SetId set, std::uint64_t count) {
  constexpr std::uint64_t kMisses = 16;
  const ExprId strings = algebra_.shape(set).strings;
  std::uint64_t missed = 0;
  for (std::uint64_t i = 0; i < count + missed; ++i) {
    if (!algebra_.exprs().matches(strings, std::to_string(i)) && ++missed > kMisses) return false;
    if (!algebra_.step()) return false;
  }
  return true;
}

SetId Witness::single(SetId set) {
  const Result<JsonDocument> value = JsonDocument::parse(text(set, Layout::compact(), 0), algebra_.limits());
  if (value) return algebra_.constant(value->root());
  algebra_.report_limit(base::Limit::kTextBytes);
  return set;
}

std::string Witness::text(SetId set, const Layout& layout, std::uint32_t depth) {
  if (set == SetId::kAny) return "null";
  if (!has_member(set)) return {};
  const Shape& shape = algebra_.shape(set);
  // The part in which the member was found: its plan names nothing that was found later, so this ends.
  const Part part = sets_[raw(set)].part;
  switch (part) {
    case Part::kNone: return {};
    case Part::kLiteral:
      if ((shape.literals & Shape::kNull) != 0) return "null";
      return (shape.literals & Shape::kTrue) != 0 ? "true" : "false";
    case Part::kNumber:
    case Part::kString: {
      const ExprId texts = part == Part::kNumber ? shape.numbers : algebra_.texts(shape.strings);
      if (auto member = algebra_.exprs().shortest_member(texts, algebra_.limits().regex_fuel))
        return *std::move(member);
      algebra_.report_limit(base::Limit::kRegexFuel);
      return {};
    }
    case Part::kArray: {
      const std::string items = array_text(shape.arrays, layout, depth + 1);
      const std::string open = layout.open('[').text;
      if (items.empty()) return open + "]";
      return open + layout.before_first(depth + 1).text + items + layout.close(']', depth).text;
    }
    case Part::kObject: {
      const std::string members = object_text(shape.objects, layout, depth + 1);
      const std::string open = layout.open('{').text;
      if (members.empty()) return open + "}";
      return open + layout.before_first(depth + 1).text + members + layout.close('}', depth).text;
    }
  }
  return {};
}

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

std::vector<FormulaId> Witness::atoms_of(FormulaId conjunction) const {
  const Formula node = algebra_.formula(conjunction);
  if (node.kind != FormulaKind::kAnd) return {conjunction};
  std::vector<FormulaId> atoms;
  for (const std::uint32_t operand : node.operands) atoms.push_back(FormulaId{operand});
  return atoms;
}

// Arrays.

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
        atoms.has_obligation = true;
        positions = std::max<std::uint64_t>(positions, algebra_.item_map(ItemMapId{atom.operands[0]}).prefix.size());
        ++atoms.needed;
        break;
      case FormulaKind::kMinContains:
        atoms.has_obligation = true;
        atoms.contained.emplace_back(SetId{atom.operands[0]}, atom.operands[1]);
        atoms.needed += atom.operands[1];
        break;
      case FormulaKind::kNotUnique:
        atoms.has_obligation = true;
        atoms.needed += 2;
        break;
      default: atoms.has_obligation = true; break;
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
  if (!has_values_enough(atoms)) return false;
  // Short arrays first: where values must differ there is always one more to try.
  const std::uint64_t most = std::min(atoms.max, std::max(atoms.min, atoms.needed));
  const std::uint64_t nesting = algebra_.limits().nesting;
  for (std::uint64_t longest = 1;; longest *= 2) {
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
  for (const Choice& choice : derivation_.next_item(f)) {
    const bool must_differ = derivation_.wants_value(choice.rest);
    SetId candidates = choice.value;
    // Of `longest` items, none needs more candidates: one of so many is not taken by the others.
    for (std::uint64_t tries = 0; tries < (must_differ ? longest : 1); ++tries) {
      if (!has_member(candidates)) break;
      const SetId value = must_differ ? single(candidates) : candidates;
      plan.emplace_back(value, 1);
      const FormulaId rest = must_differ ? derivation_.with_value(choice.rest, value) : choice.rest;
      if (search_array(rest, longest - 1, failed, was_cut, plan)) return true;
      plan.pop_back();
      if (algebra_.limit_hit() != base::Limit::kNone) return false;
      candidates = algebra_.meet(candidates, algebra_.complement(value));
    }
  }
  return false;
}

}  // namespace weir::frontend::json_schema
