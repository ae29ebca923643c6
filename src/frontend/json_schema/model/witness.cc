#include "frontend/json_schema/model/witness.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>

#include "base/node_bytes.h"
#include "base/stack.h"
#include "frontend/json_schema/model/declared_order.h"
#include "frontend/json_schema/model/object_search.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/model/value_list.h"
#include "regex/analysis/members.h"
#include "regex/analysis/residuals.h"

namespace weir::frontend::json_schema {

using base::CutText;
using regex::ExprId;

namespace {

constexpr std::uint32_t number_of(SetId set) { return static_cast<std::uint32_t>(set); }

}  // namespace

std::unique_ptr<ObjectSearch::Tables> Witness::take_tables() {
  free_tables_.reserve(kMaxKeptTables);  // keep_tables() runs in destructors, and must not allocate
  if (free_tables_.empty()) return std::make_unique<ObjectSearch::Tables>();
  std::unique_ptr<ObjectSearch::Tables> tables = std::move(free_tables_.back());
  free_tables_.pop_back();
  return tables;
}

void Witness::keep_tables(std::unique_ptr<ObjectSearch::Tables> tables) {
  if (free_tables_.size() == kMaxKeptTables || !tables->are_small()) return;
  tables->clear();
  free_tables_.push_back(std::move(tables));
}

bool Witness::has_member(SetId set) {
  if (set == SetId::kNone) return false;
  if (set == SetId::kAny) return true;
  if (number_of(set) >= sets_.size()) sets_.resize(number_of(set) + 1);
  SetState& state = sets_[number_of(set)];
  switch (state.verdict) {
    case Verdict::kPlain:
    case Verdict::kYes: return true;
    case Verdict::kNo: return false;
    case Verdict::kOpen: assumed_depth_ = std::min(assumed_depth_, state.depth); return false;
    case Verdict::kUnknown: break;
  }
  const std::optional<bool> known =
      algebra_.obviously_has_member(set) ? std::optional(true) : algebra_.operands_have_member(set);
  if (!known.has_value() || algebra_.limit_hit() != base::Limit::kNone) return look_for_member(set);
  sets_[number_of(set)].verdict = *known ? Verdict::kPlain : Verdict::kNo;
  return *known;
}

bool Witness::look_for_member(SetId set) {
  if (depth_ >= base::most_levels(algebra_.limits().nesting)) {
    algebra_.report_limit(base::Limit::kNesting);
    return false;
  }
  const std::uint32_t outer = std::exchange(assumed_depth_, UINT32_MAX);
  const std::uint32_t depth = ++depth_;
  sets_[number_of(set)] = {Verdict::kOpen, Part::kNone, depth};
  const Part part = base::with_stack([&] { return find_member(set); });
  const bool found = part != Part::kNone;
  --depth_;
  const bool is_final = assumed_depth_ >= depth && algebra_.limit_hit() == base::Limit::kNone;
  sets_[number_of(set)].part = part;
  sets_[number_of(set)].verdict = found ? Verdict::kYes : is_final ? Verdict::kNo : Verdict::kUnknown;
  assumed_depth_ = std::min(outer, found || assumed_depth_ >= depth ? UINT32_MAX : assumed_depth_);
  return found;
}

Witness::Part Witness::find_member(SetId set) {
  const Shape& shape = algebra_.shape(set);
  if (shape.literals != 0) return Part::kLiteral;
  if (algebra_.has_number(shape.numbers)) return Part::kNumber;
  if (algebra_.has_text(shape.strings)) {
    algebra_.note_string(set, shape.strings);
    return Part::kString;
  }
  if (array_exists(shape.arrays)) return Part::kArray;
  return object_exists(shape.objects) ? Part::kObject : Part::kNone;
}

std::uint64_t Witness::count_members(SetId set, std::uint64_t most) {
  if (most > 1 && plainly_has_members(set, most)) return most;
  const Shape& shape = algebra_.shape(set);
  const bool are_scalars = shape.arrays == FormulaId::kFalse && shape.objects == FormulaId::kFalse;
  if (most > 1 && are_scalars && shape.strings == ExprId::kNothing) {
    if (const auto integers = count_integers(shape.numbers)) {
      return std::min(most, *integers + static_cast<std::uint64_t>(std::popcount(shape.literals)));
    }
  }
  const bool are_strings = are_scalars && shape.literals == 0 && shape.numbers == ExprId::kNothing;
  if (most > 1 && are_strings && algebra_.exprs().max_length(shape.strings) != regex::kUnbounded) {
    const std::uint64_t count = std::min(derivation_.count_keys(shape.strings), most);
    const bool is_sure = algebra_.string_options().lone_surrogates == regex::LoneSurrogates::kForbidden;
    if (count == most || is_sure || algebra_.limit_hit() != base::Limit::kNone) return count;
  }
  for (std::uint64_t count = 0; count < most; ++count) {
    if (!has_member(set) || !algebra_.step() || algebra_.limit_hit() != base::Limit::kNone) return count;
    if (count + 1 < most) set = algebra_.without(set, {single(set)});
  }
  return most;
}

// A sufficient test for has_members(): returns true if the set has infinitely many strings, or if at least `count`
// numerals are among its strings or numbers, if `count` is large and its values are counted (count_listed), or likewise
// among the values of one item or member of its arrays or objects (to a depth of kMaxNumeralLevels).
bool Witness::plainly_has_members(SetId set, std::uint64_t count, std::uint32_t depth) {
  const Shape shape = algebra_.shape(set);
  if (numeral_digits(shape.strings, count) || numeral_digits(shape.numbers, count)) return true;
  if (count > kMaxSearchedKeys && has_infinitely_many_texts(shape.strings)) return true;
  if (count > kMaxSearchedItems && count < kMaxCountedKeys && count_listed(shape) >= count) return true;
  if (depth == kMaxNumeralLevels) return false;
  // All arrays or objects that differ in one value only, but for the constants, are members.
  if (const auto [objects, constants] = without_constants(shape.objects); objects != FormulaId::kFalse) {
    const ObjectPlan* plan = object_plan(objects);
    if (plan != nullptr && plan->members.empty()) {
      plan = object_plan(algebra_.meet(objects, algebra_.min_members(1)));
    }
    const std::vector<Member> members = plan == nullptr ? std::vector<Member>{} : plan->members;
    for (const Member& member : members) {
      if (plainly_has_members(member.value, count + algebra_.constant_sets().size(constants), depth + 1)) return true;
    }
  }
  const auto [arrays, constants] = without_constants(shape.arrays);
  if (arrays == FormulaId::kFalse || plain_arrays_ == kMaxNumeralLevels) return false;
  ++plain_arrays_;  // a plan of an array may ask the same about its items, and so on
  const StoredPlan* plan = array_plan(algebra_.meet(arrays, algebra_.min_items(1)));
  --plain_arrays_;
  const ArrayPlan items = plan == nullptr ? ArrayPlan{} : plan->items();
  return std::ranges::any_of(items, [&](const auto& item) {
    return plainly_has_members(item.set, count + algebra_.constant_sets().size(constants), depth + 1);
  });
}

Witness::WithoutConstants Witness::without_constants(FormulaId f) {
  WithoutConstants found{f, ConstantSetId::kEmpty};
  const auto is_of_constants = [&](FormulaId part) {
    const FormulaKind kind = algebra_.formula(part).kind;
    return kind == FormulaKind::kNotArrays || kind == FormulaKind::kNotObjects;
  };
  const Formula whole = algebra_.formula(f);
  const bool has_constants =
      whole.kind == FormulaKind::kAnd
          ? std::ranges::any_of(whole.operands, [&](auto part) { return is_of_constants(FormulaId{part}); })
          : is_of_constants(f);
  if (!has_constants) return found;
  std::vector<FormulaId> kept;
  for (const FormulaId part : atoms_of(f)) {
    if (!is_of_constants(part)) {
      kept.push_back(part);
    } else {
      const ConstantSetId constants{algebra_.formula(part).operands[0]};
      found.constants = algebra_.constant_sets().join(found.constants, constants);
    }
  }
  found.rest = algebra_.meet(kept);
  return found;
}

// A quick yes for objects that must differ from constants: plans the object without that, and lets one member with many
// values differ from all of them.
bool Witness::plan_beside_constants(FormulaId f, ObjectPlan& plan) {
  const auto [rest, constants] = without_constants(f);
  if (constants == ConstantSetId::kEmpty || rest == FormulaId::kFalse) return false;
  const std::uint64_t enough = algebra_.constant_sets().size(constants) + 1;
  const ObjectPlan* found = object_plan(rest);
  if (found != nullptr && found->members.empty() && !derivation_.accepts(f)) {
    found = object_plan(algebra_.meet(rest, algebra_.min_members(1)));
  }
  if (found == nullptr) return false;
  ObjectPlan made = *found;
  bool differs = made.members.empty();
  for (Member& member : made.members) {
    if (!member.key.name.has_value() || !plainly_has_members(member.value, enough)) continue;
    member.value = algebra_.meet(member.value, algebra_.constant_sets().after(constants, *member.key.name).others);
    differs = has_member(member.value);
    break;
  }
  if (!differs) return false;
  made.conjunction = algebra_.meet(made.conjunction, algebra_.none_of(constants));
  plan = std::move(made);
  return true;
}

bool Witness::plan_beside_constants(FormulaId f, ArrayPlan& plan) {
  const auto [rest, constants] = without_constants(f);
  if (constants == ConstantSetId::kEmpty || rest == FormulaId::kFalse || derivation_.accepts(f)) return false;
  const std::uint64_t enough = algebra_.constant_sets().size(constants) + 1;
  const StoredPlan* found = array_plan(algebra_.meet(rest, algebra_.min_items(1)));
  if (found == nullptr) return false;
  const ArrayPlan made = found->items();
  std::size_t index = 0;
  for (std::size_t i = 0; i < made.size(); index += made[i++].count) {
    const auto [set, count, differ] = made[i];
    if (!plainly_has_members(set, enough)) continue;
    const SetId values = algebra_.meet(set, algebra_.constant_sets().after(constants, index).others);
    if (!has_member(values)) continue;
    const SetId value = differ ? single(values) : values;
    plan.assign(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(i));
    plan.push_back({value});
    if (count > 1) plan.push_back({set, count - 1, differ});
    plan.insert(plan.end(), made.begin() + static_cast<std::ptrdiff_t>(i) + 1, made.end());
    for (Items& items : plan) {
      if (items.differ) items.set = algebra_.meet(items.set, algebra_.complement(value));
    }
    return true;
  }
  return false;
}

// A sufficient test: returns false if that takes more than a few residuals.
bool Witness::has_infinitely_many_texts(ExprId strings) {
  regex::ExprSet& exprs = algebra_.exprs();
  if (exprs.max_length(strings) != regex::kUnbounded) return false;
  const ExprId texts = exprs.intersection(strings, algebra_.lengths(0, regex::kUnbounded));
  return algebra_.step(kMaxPatternResiduals) && regex::is_infinite(exprs, texts, kMaxPatternResiduals);
}

// Returns the digits of the longest of `count` numerals that match, the shortest ones; nullopt if there may be fewer.
// Counts the numerals of 1, 2, ... digits by the residuals that they lead to, and follows the most frequent of these:
// mostly all numerals lead to the same few.
std::optional<std::uint32_t> Witness::numeral_digits(ExprId texts, std::uint64_t count) {
  regex::ExprSet& exprs = algebra_.exprs();
  using Prefixes = std::vector<std::pair<std::uint64_t, ExprId>>;  // residuals, each with the numerals that lead to it
  Prefixes prefixes{{1, texts}};
  std::uint64_t found = 0;
  for (std::uint32_t digits = 1; digits <= kMaxNumeralDigits && !prefixes.empty(); ++digits) {
    std::map<ExprId, std::uint64_t> longer;
    for (const auto& [number, residual] : prefixes) {
      for (char digit = '0'; digit <= '9'; ++digit) {
        const ExprId to = exprs.derivative(residual, static_cast<std::uint8_t>(digit));
        if (to == ExprId::kNothing || to == ExprId::kOverflow) continue;
        if (exprs.nullable(to)) found += number;
        if (found >= count) return digits;
        if (digits > 1 || digit != '0') longer[to] += number;  // no numeral of several digits begins with 0
      }
      if (!algebra_.step()) return std::nullopt;
    }
    prefixes.clear();
    for (const auto& [residual, number] : longer) prefixes.emplace_back(number, residual);
    if (prefixes.size() <= kMaxNumeralResiduals) continue;
    std::ranges::sort(prefixes, std::greater<>());
    prefixes.resize(kMaxNumeralResiduals);
  }
  return std::nullopt;
}

// Returns the number of literals, numbers with a plain text, strings, and listed arrays and objects, as far as they can be
// counted without a search. A lower bound on the number of values.
std::uint64_t Witness::count_listed(const Shape& shape) {
  std::uint64_t count = static_cast<std::uint64_t>(std::popcount(shape.literals));
  regex::ExprSet& exprs = algebra_.exprs();
  if (shape.strings != ExprId::kNothing) {
    count += derivation_.count_texts(exprs.intersection(shape.strings, algebra_.lengths(0, regex::kUnbounded)));
  }
  if (shape.numbers != ExprId::kNothing) {
    const ExprId numbers = algebra_.numbers().written(shape.numbers);
    count += derivation_.count_texts(exprs.intersection(numbers, algebra_.numbers().shortest_plain()));
  }
  for (const FormulaId f : {shape.arrays, shape.objects}) {
    if (const auto constants = algebra_.constants_of(f)) {
      algebra_.step(constants->size());
      count += constants->size();
    }
  }
  return algebra_.limit_hit() == base::Limit::kNone ? count : 0;
}

// Returns the number of values in a set of integers; nullopt if it is not known. Each integer has one text of digits.
std::optional<std::uint64_t> Witness::count_integers(ExprId numbers) {
  if (!algebra_.numbers().has_only_integers(numbers)) return std::nullopt;
  regex::ExprSet& exprs = algebra_.exprs();
  std::uint64_t count = 0;
  for (const bool is_negative : {false, true}) {
    std::map<ExprId, std::uint64_t> prefixes{{is_negative ? exprs.derivative(numbers, '-') : numbers, 1}};
    for (std::uint32_t digits = 1; !prefixes.empty(); ++digits) {
      if (digits > kMaxNumeralDigits || prefixes.size() > kMaxNumeralResiduals || !algebra_.step()) return std::nullopt;
      std::map<ExprId, std::uint64_t> longer;
      for (const auto& [residual, number] : prefixes) {
        for (char digit = '0'; digit <= '9'; ++digit) {
          if (digits == 1 && digit == '0' && is_negative) continue;
          const ExprId to = exprs.derivative(residual, static_cast<std::uint8_t>(digit));
          if (exprs.nullable(to)) count += number;
          if (to != ExprId::kNothing && (digits > 1 || digit != '0')) longer[to] += number;
        }
      }
      prefixes = std::move(longer);
    }
  }
  return count;
}

SetId Witness::single(SetId set) {
  const std::size_t most = algebra_.limits().text_bytes;
  CutText short_text = text(set, Layout::compact(), 0, std::min(most, kLongestUsualText));
  if (!short_text.is_whole() && short_text.length() <= most) {
    base::Work::charge(short_text.length() * kStepsOfLongValueByte);
    if (!base::Work::is_met()) short_text = text(set, Layout::compact(), 0, most);
  }
  base::Work::charge(short_text.text().size() / base::Work::kTextBytes);
  if (short_text.is_whole() && !base::Work::is_met()) {
    if (const auto value = JsonDocument::parse(short_text.text(), algebra_.limits())) {
      return algebra_.constant(value->root());
    }
  }
  algebra_.report_limit(base::Limit::kTextBytes);
  return set;
}

CutText Witness::text(SetId set, const Layout& layout, std::uint32_t depth, std::size_t most) {
  CutText out(most);
  if (set == SetId::kAny) out.add("null");
  if (set == SetId::kAny || !has_member(set)) return out;
  if (sets_[number_of(set)].verdict == Verdict::kPlain) look_for_member(set);
  const Shape& shape = algebra_.shape(set);
  // Use the part in which the search found the member: its plan refers only to members that were found before, so the
  // recursion terminates.
  const Part part = sets_[number_of(set)].part;
  switch (part) {
    case Part::kNone: break;
    case Part::kLiteral:
      out.add((shape.literals & Shape::kNull) != 0 ? "null" : (shape.literals & Shape::kTrue) != 0 ? "true" : "false");
      break;
    case Part::kNumber: return scalar_text(algebra_.numbers().written(shape.numbers), most);
    case Part::kString: {
      CutText text = scalar_text(algebra_.texts(shape.strings), most);
      return layout.is_yaml() ? spelled_in_yaml(text) : text;
    }
    case Part::kArray:
    case Part::kObject: return container_text(set, layout, depth, most);
  }
  return out;
}

// Memoised: the text of a value that is in others twice at each of n levels has 2^n parts.
CutText Witness::container_text(SetId set, const Layout& layout, std::uint32_t depth, std::size_t most) {
  const std::tuple key{set, layout.depth_of(depth), &layout == &Layout::compact()};
  CutText out(most);
  if (const auto known = container_texts_.find(key); known != container_texts_.end()) {
    const CutText& text = known->second;
    if (text.is_whole() || text.text().size() >= most) {
      out.add(text);
      return out;
    }
  }
  // After a limit nothing is stored, so parts that occur twice at each level would be visited 2^n times.
  if (algebra_.limit_hit() != base::Limit::kNone) return out;
  const Shape& shape = algebra_.shape(set);
  const bool is_array = sets_[number_of(set)].part == Part::kArray;
  const std::size_t written = std::max(most, kLongestKeptText);
  CutText whole(written);
  whole.add(layout.open(is_array ? '[' : '{', depth).text);
  const std::uint32_t within = layout.within(depth);
  const CutText inside = base::with_stack([&] {
    return is_array ? array_text(shape.arrays, layout, within, written)
                    : object_text(shape.objects, layout, within, written);
  });
  if (!inside.empty()) whole.add(layout.before_first(within).text);
  whole.add(inside);
  const char close = is_array ? ']' : '}';
  whole.add(inside.empty() ? std::string(1, close) : layout.close(close, within).text);
  base::Work::charge(whole.text().size() / kCopiedBytesForOneStep);
  if (algebra_.limit_hit() == base::Limit::kNone) {
    CutText kept(kLongestKeptText);
    kept.add(whole);
    const auto [slot, is_new] = container_texts_.try_emplace(key, std::move(kept));
    if (is_new) plan_bytes_ += base::node_bytes<decltype(container_texts_)>() + slot->second.text().capacity();
  }
  if (written == most) return whole;
  out.add(whole);
  return out;
}

// Memoised, because short texts of many rules contain the same scalars.
CutText Witness::scalar_text(ExprId texts, std::size_t most) {
  if (const auto it = scalar_texts_.find(texts); it != scalar_texts_.end()) return {it->second, most};
  auto member = regex::cut_shortest_member(algebra_.exprs(), texts, algebra_.limits().regex_fuel, most);
  if (!member) {
    algebra_.report_limit(base::Limit::kRegexFuel);
    return CutText(most);
  }
  if (member->is_whole() && member->length() <= kLongestKeptText) {
    scalar_texts_.emplace(texts, member->text());
    plan_bytes_ += sizeof(*scalar_texts_.begin()) + member->text().capacity();
  }
  return *std::move(member);
}

std::vector<FormulaId> Witness::atoms_of(FormulaId conjunction) const {
  const Formula node = algebra_.formula(conjunction);
  if (node.kind != FormulaKind::kAnd) return {conjunction};
  std::vector<FormulaId> atoms;
  atoms.reserve(node.operands.size());
  for (const std::uint32_t operand : node.operands) atoms.push_back(FormulaId{operand});
  return atoms;
}

// Arrays: plans for conjunctions of atoms, and texts.

CutText Witness::array_text(FormulaId f, const Layout& layout, std::uint32_t depth, std::size_t most) {
  CutText out(most);
  const StoredPlan* found = array_plan(f);
  if (found == nullptr) return out;
  const ArrayPlan plan = found->items();
  const std::string comma = layout.comma(depth).text;
  std::uint64_t number = 0;
  std::uint64_t different = 0;
  for (const Items& items : plan) different += items.differ ? items.count : 0;
  const bool are_numerals = std::ranges::all_of(
      plan, [&](const Items& items) { return !items.differ || numerals_of(items.set, different).has_value(); });
  DifferentValues values(algebra_, *this);
  for (auto [set, count, differ] : plan) {
    if (differ && are_numerals) {
      add_numerals({set, count, differ}, layout, depth, number, out);
      continue;
    }
    if (differ) {
      add_different_items({set, count, differ}, layout, depth, values, out);
      continue;
    }
    const CutText item = text(set, layout, depth, out.room());
    if (out.empty() && count > 0) {
      out.add(item);
      --count;
    }
    CutText next(comma, most);
    next.add(item);
    out.add(next, count);
  }
  return out;
}

const Witness::StoredPlan* Witness::array_plan(FormulaId f) {
  if (f == FormulaId::kFalse) return nullptr;
  return remember(arrays_, f, [&](StoredPlan& plan) {
    if (plan_beside_constants(f, plan.then)) return true;
    return any_conjunction({f}, {},
                           [&](FormulaId conjunction) { return plan_array(conjunction, plan = StoredPlan{}); });
  });
}

template <typename Try>
bool Witness::any_conjunction(std::vector<FormulaId> pending, std::vector<FormulaId> atoms, const Try& try_one) {
  // Disjunctions are split last: the atoms outside them may contradict each other already.
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
    } else if (is_one_of(node.kind)) {
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
    // meet() merges atoms, which never yields a disjunction, so this is a conjunction of atoms.
    return conjunction != FormulaId::kFalse && try_one(conjunction);
  }
  if (algebra_.meet(atoms) == FormulaId::kFalse) return false;
  const FormulaId first = disjunctions.back();
  disjunctions.pop_back();
  const auto span = algebra_.formula(first).operands;
  for (const std::uint32_t branch : std::vector<std::uint32_t>(span.begin(), span.end())) {
    std::vector<FormulaId> next = disjunctions;
    next.push_back(FormulaId{branch});
    if (base::with_stack([&] { return any_conjunction(std::move(next), atoms, try_one); })) return true;
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
        atoms.fresh = algebra_.meet(atoms.fresh, SetId{atom.operands[0]});
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
      case FormulaKind::kMaxContains:
        atoms.has_obligation = true;
        atoms.most_contained.emplace_back(SetId{atom.operands[0]}, atom.operands[1]);
        break;
      case FormulaKind::kNotUnique:
        atoms.has_obligation = atoms.has_alternatives = true;
        atoms.needed += 2;
        break;
      case FormulaKind::kNotArrays:
        atoms.has_obligation = atoms.has_alternatives = true;
        positions =
            std::max<std::uint64_t>(positions, algebra_.constant_sets().longest(ConstantSetId{atom.operands[0]}));
        ++atoms.needed;  // an array that is longer than all of them
        break;
      default: atoms.has_obligation = atoms.has_alternatives = true; break;
    }
  }
  atoms.needed += std::max<std::uint64_t>(positions, atoms.map.prefix.size());
  return atoms;
}

// Returns false if there are fewer different values than the array needs. Without this test the search would try all
// orders of the values before it fails.
bool Witness::has_enough_values(const ArrayAtoms& atoms) {
  if (!atoms.is_unique) return true;
  const SetId fresh = atoms.fresh;
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
  return distinct_groups(array_atoms(f), more).has_value();
}

// Returns true if each set has a member. Remembers from where on the sets of a list have: the next question is mostly about
// a part of the same list with the same end.
bool Witness::have_members(std::span<const SetId> sets) {
  if (sets.empty()) return true;
  const SetId* const end = sets.data() + sets.size();
  const SetId*& known = members_from_.try_emplace(end, end).first->second;
  for (const SetId* set = sets.data(); set < known; ++set) {
    if (!has_member(*set)) return false;
  }
  if (algebra_.limit_hit() == base::Limit::kNone) known = std::min(known, sets.data());
  return true;
}

bool Witness::plan_array(FormulaId conjunction, StoredPlan& stored) {
  ArrayPlan& plan = stored.then;
  const ArrayAtoms atoms = array_atoms(conjunction);
  if (atoms.min > atoms.max || contains_too_many(atoms)) return false;
  if (derivation_.accepts(conjunction)) return true;
  const bool may_repeat = !atoms.is_unique || (atoms.min <= 1 && atoms.fresh == SetId::kAny);
  if (!atoms.has_obligation && may_repeat) {
    stored.first = atoms.map.prefix.first(std::min<std::uint64_t>(atoms.min, atoms.map.prefix.size()));
    if (!have_members(stored.first)) return false;
    if (atoms.min <= atoms.map.prefix.size()) return true;
    plan.push_back({atoms.map.rest, atoms.min - atoms.map.prefix.size()});
    return has_member(atoms.map.rest);
  }
  if (place_distinct(atoms, plan) || place_items(atoms, Share::kNo, plan)) return true;
  if (!atoms.contained.empty() && place_items(atoms, Share::kYes, plan)) return true;
  plan.clear();
  if (algebra_.limit_hit() != base::Limit::kNone || !has_enough_values(atoms) || !fits_max_items(atoms)) return false;
  // Iterative deepening: if values must differ there may always be another one to try, so bound the length first.
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

// Makes a plan greedily: puts each item that must be in a set at the first index where it fits, then chooses a value
// for each index if values must differ. Returns false if that fails, or if there are atoms of other kinds. An item may
// fulfil several kMinContains only with Share::kYes, since testing whether sets have a common member may be expensive.
bool Witness::place_items(const ArrayAtoms& atoms, Share share, ArrayPlan& plan) {
  plan.clear();
  const std::uint64_t most = std::min<std::uint64_t>(atoms.max, algebra_.limits().nesting);
  if (atoms.has_alternatives) return false;
  // With kMaxContains a search finds shorter arrays, unless they are too long for it.
  const bool is_searched =
      !atoms.most_contained.empty() && std::max(atoms.min, atoms.needed) <= algebra_.limits().nesting;
  if (!atoms.is_unique && atoms.map.prefix.empty() && share == Share::kNo && !is_searched) {
    return place_in_groups(atoms, plan);
  }
  if (!atoms.most_contained.empty()) return false;
  if (atoms.min > most) return false;
  std::vector<SetId> places(atoms.map.prefix.begin(), atoms.map.prefix.end());
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
  if (!atoms.is_unique) {
    for (const SetId place : places) plan.push_back({place});
    return std::ranges::all_of(places, [&](SetId place) { return has_member(place); });
  }
  DifferentValues values(algebra_, *this);
  for (const SetId place : places) {
    const auto value = values.next(algebra_.meet(place, atoms.fresh));
    if (!value) return false;
    plan.push_back({*value});
  }
  return algebra_.limit_hit() == base::Limit::kNone;
}

// Does so if all items have the same set and values may repeat: the items of each kMinContains come one after another, so
// their number does not matter. Where they can, they are outside of the set of a kMaxContains; else all of them count.
bool Witness::place_in_groups(const ArrayAtoms& atoms, ArrayPlan& plan) {
  std::vector<std::pair<SetId, std::uint64_t>> room = atoms.most_contained;
  std::uint64_t used = 0;
  const auto add = [&](SetId set, std::uint64_t count) {
    SetId values = algebra_.meet(atoms.map.rest, set);
    if (!algebra_.step() || !has_member(values)) return false;
    for (auto& [bound, left] : room) {
      const SetId outside = algebra_.meet(values, algebra_.complement(bound));
      if (has_member(outside)) {
        values = outside;
      } else if (left < count) {
        return false;
      } else {
        left -= count;
      }
    }
    plan.push_back({values, count});
    used += count;
    return true;
  };
  const bool has_all =
      std::ranges::all_of(atoms.contained, [&](const auto& one) { return add(one.first, one.second); });
  return has_all && (used >= atoms.min || add(SetId::kAny, atoms.min - used)) && used <= atoms.max;
}

// Returns true if more items must be in a set than may be in it, or in one that it is a part of.
bool Witness::contains_too_many(const ArrayAtoms& atoms) {
  return std::ranges::any_of(atoms.most_contained, [&](const auto& bound) {
    return std::ranges::any_of(atoms.contained, [&](const auto& part) {
      return part.second > bound.second && is_empty(algebra_.meet(part.first, algebra_.complement(bound.first)));
    });
  });
}

// Returns false if pairwise disjoint sets of kMinContains together require more items than an array may have.
bool Witness::fits_max_items(const ArrayAtoms& atoms) {
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

// Searches depth first along the derivation, for at most `longest` more items. `failed` stores for each formula the
// largest `longest` with which it failed; `was_cut` is set if the bound has stopped the search somewhere.
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
    plan.push_back({value});
    if (base::with_stack([&] { return search_array(rest, longest - 1, failed, was_cut, plan); })) return true;
    plan.pop_back();
    return false;
  };
  for (const Choice& choice : derivation_.next_item(f)) {
    if (!derivation_.wants_value(choice.rest)) {
      if (has_member(choice.value) && goes_on(choice.value, choice.rest)) return true;
      if (algebra_.limit_hit() != base::Limit::kNone) return false;
      continue;
    }
    // If two items must be equal, candidates are values that a later item may repeat. If items must differ, `longest`
    // candidates suffice: the other items use fewer values than that.
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

// `rest` is the formula that remains after an item. If it requires two equal items, returns the sets from which later
// items are taken: the item may be the first of the two if its value is in one of them. Returns kAny alone if the
// search for the sets takes too long, and no set if `rest` does not require equal items. Ignores items after which
// `is_viable` is false.
template <typename IsViable>
std::vector<SetId> Witness::repeatable_items(FormulaId rest, const IsViable& is_viable) {
  if (!derivation_.wants_repeat(rest)) return {};
  std::vector<SetId> sets;
  std::vector<FormulaId> places{derivation_.with_unknown_value(rest)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const Choice& choice : derivation_.next_item(places[i])) {
      const FormulaId after = derivation_.with_unknown_value(choice.rest);
      if (!has_member(choice.value) || !is_viable(after)) continue;
      if (std::find(sets.begin(), sets.end(), choice.value) == sets.end()) sets.push_back(choice.value);
      if (std::find(places.begin(), places.end(), after) == places.end()) places.push_back(after);
    }
    if (places.size() > kMaxRepeatPlaces || !algebra_.step()) return {SetId::kAny};
  }
  return sets;
}

std::optional<SetId> Witness::values_to_repeat(FormulaId rest) {
  if (!derivation_.wants_repeat(rest) || array_exists(rest)) return std::nullopt;
  return algebra_.join(repeatable_items(rest, [&](FormulaId after) { return array_exists(after); }));
}

// Objects: plans for conjunctions of atoms, and texts.

FormulaId Witness::in_declared_order(FormulaId f) {
  if (!algebra_.has_declared_order()) return f;
  const auto [known, is_new] = ordered_.try_emplace(f, f);
  if (!is_new) return known->second;
  const FormulaId ordered = json_schema::in_declared_order(
      algebra_, f, [this](FormulaId one_of) { return resolve(one_of, FormulaId::kTrue); });
  if (algebra_.limit_hit() != base::Limit::kNone) {
    ordered_.erase(f);
    return ordered;
  }
  return ordered_[f] = ordered;
}

// Returns the order in which members of an object of `f` are written that satisfies `conjunction`.
std::optional<OrderId> Witness::order_of_text(FormulaId f, FormulaId conjunction) {
  if (const std::optional<OrderId> order = object_atoms(conjunction).order) return order;
  if (const std::optional<OrderId> order = object_atoms(in_declared_order(f)).order) return order;
  return object_atoms(in_declared_order(conjunction)).order;  // that of the alternative
}

CutText Witness::object_text(FormulaId f, const Layout& layout, std::uint32_t depth, std::size_t most) {
  CutText out(most);
  const ObjectPlan* found = object_plan(f);
  if (found == nullptr) return out;
  ObjectPlan plan = *found;
  if (const std::optional<OrderId> order = order_of_text(f, plan.conjunction)) {
    std::ranges::stable_sort(plan.members, {}, [&](const Member& member) {
      const std::uint32_t rank = member.key.name.has_value() ? algebra_.rank(*order, *member.key.name) : 0;
      return rank - 1;  // members without a rank come last
    });
  }
  const Around around{layout.comma(depth).text, layout.colon().text};
  UsedKeys used;
  for (const Member& member : plan.members) {
    const CutText value = text(member.value, layout, depth, out.room());
    bool may_be_numerals = !member.key.name.has_value() && member.count > kMaxSearchedKeys;
    for (std::uint64_t i = 0; i < member.count; ++i) {
      if (may_be_numerals && i == kMaxSearchedKeys) {
        if (add_numeral_members(member, i, value, around, used, out)) break;
        may_be_numerals = false;
      }
      const std::string key = member.key.name.has_value() ? spelled_name(*member.key.name, layout)
                                                          : unused_key(member.key.keys, used, layout);
      if (key.empty()) return out;  // a limit was met
      if (!out.empty()) out.add(around.comma);
      out.add(key + around.colon);
      out.add(value);
    }
  }
  return out;
}

const Witness::ObjectPlan* Witness::object_plan(FormulaId f) {
  if (f == FormulaId::kFalse) return nullptr;
  return remember(objects_, f, [&](ObjectPlan& plan) {
    if (plan_beside_constants(f, plan)) return true;
    ObjectSearch search(algebra_, *this);
    return search.run(f, [&](FormulaId conjunction) { return plan_object(conjunction, plan = ObjectPlan{}); });
  });
}

std::optional<Witness::ObjectPlan> Witness::plan_within_fuel(FormulaId f, std::unordered_set<NameId> wanted) {
  ObjectPlan plan;
  ObjectSearch search(algebra_, *this);
  search.want(std::move(wanted));
  const bool found =
      search.run(f, [&](FormulaId conjunction) { return plan_object(conjunction, plan = ObjectPlan{}); });
  return found ? std::optional(std::move(plan)) : std::nullopt;
}

Witness::ObjectAtoms Witness::object_atoms(FormulaId conjunction) const {
  ObjectAtoms atoms;
  for (const FormulaId id : atoms_of(conjunction)) {
    const Formula atom = algebra_.formula(id);
    switch (atom.kind) {
      case FormulaKind::kMembers: atoms.maps.push_back(PropertyMapId{atom.operands[0]}); break;
      case FormulaKind::kNotMembers: {
        std::vector<NameId> apart;
        for (const std::uint32_t name : atom.operands.subspan(1)) apart.push_back(NameId{name});
        atoms.violations.emplace_back(PropertyMapId{atom.operands[0]}, std::move(apart));
        break;
      }
      case FormulaKind::kHas: atoms.names.push_back(NameId{atom.operands[0]}); break;
      case FormulaKind::kLacks: atoms.lacking.push_back(NameId{atom.operands[0]}); break;
      case FormulaKind::kInOrder: {
        atoms.order = OrderId{atom.operands[0]};
        const auto passed = std::span(algebra_.names_of(*atoms.order)).first(atom.operands[1]);
        atoms.lacking.insert(atoms.lacking.end(), passed.begin(), passed.end());
        break;
      }
      case FormulaKind::kNotObjects: atoms.has_constants = true; break;
      case FormulaKind::kMinMembers: atoms.min = atom.operands[0]; break;
      case FormulaKind::kMaxMembers: atoms.max = atom.operands[0]; break;
      default: break;
    }
  }
  // The atoms came in the order of their FormulaIds.
  std::sort(atoms.names.begin(), atoms.names.end());
  std::sort(atoms.lacking.begin(), atoms.lacking.end());
  return atoms;
}

SetId Witness::value_of(const ObjectAtoms& atoms, const KeyClass& key) const {
  if (atoms.maps.size() == 1) return derivation_.lookup(algebra_.property_map(atoms.maps[0]), key);
  std::vector<SetId> sets;
  for (const PropertyMapId map : atoms.maps) sets.push_back(derivation_.lookup(algebra_.property_map(map), key));
  return algebra_.meet(sets);
}

bool Witness::plan_object(FormulaId conjunction, ObjectPlan& plan) {
  plan.conjunction = conjunction;
  if (derivation_.accepts(conjunction)) return true;
  const ObjectAtoms atoms = object_atoms(conjunction);
  if (atoms.names.size() > atoms.max || atoms.min > atoms.max) return false;
  std::vector<ExprId> patterns;
  const auto add_patterns = [&](PropertyMapId map) {
    for (const auto& [pattern, set] : algebra_.property_map(map).patterns) patterns.push_back(pattern);
  };
  for (const PropertyMapId map : atoms.maps) add_patterns(map);
  for (const auto& [map, apart] : atoms.violations) add_patterns(map);
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  std::vector<Member> members;
  for (const NameId name : atoms.names) {
    if (!algebra_.step() || std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), name)) return false;
    KeyClass key = derivation_.class_of(name, patterns);
    const SetId value = value_of(atoms, key);
    if (!has_member(value)) return false;
    members.push_back({std::move(key), value});
  }
  if (!atoms.violations.empty() || members.size() < atoms.min) {
    const Derivation::KeyClasses classes = derivation_.key_classes(conjunction);
    std::vector<Violation> violations;
    if (!find_breaking_keys(atoms, *classes, violations)) return false;
    if (!place_violations(atoms, *classes, violations, 0, members)) return false;
  }
  if (!have_keys(members)) return false;
  plan.members = std::move(members);
  return true;
}

// For each kNotMembers atom, finds the classes whose members can violate its map. Sorts the atoms by the number of
// classes. Returns false if some map cannot be violated.
bool Witness::find_breaking_keys(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                                 std::vector<Violation>& violations) {
  for (const auto& [map_id, apart] : atoms.violations) {
    const PropertyMap& map = algebra_.property_map(map_id);
    Violation violation;
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      const KeyClass& key = classes[i];
      if (!algebra_.step()) return false;
      if (key.name.has_value() && (std::binary_search(apart.begin(), apart.end(), *key.name) ||
                                   std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), *key.name))) {
        continue;
      }
      const SetId breaks = algebra_.complement(derivation_.lookup(map, key));
      if (breaks == SetId::kNone || !has_member(algebra_.meet(value_of(atoms, key), breaks))) continue;
      violation.candidates.push_back(i);
      violation.breaks.push_back(breaks);
    }
    if (violation.candidates.empty()) return false;
    violations.push_back(std::move(violation));
  }
  std::stable_sort(violations.begin(), violations.end(),
                   [](const Violation& a, const Violation& b) { return a.candidates.size() < b.candidates.size(); });
  return true;
}

bool Witness::place_violations(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                               const std::vector<Violation>& violations, std::size_t next,
                               std::vector<Member>& members) {
  if (next == violations.size()) return fill_up(atoms, classes, members);
  const Violation& violation = violations[next];
  const auto place_others = [&] {
    return base::with_stack([&] { return place_violations(atoms, classes, violations, next + 1, members); });
  };
  const auto is_of = [](const Member& member, const KeyClass& key) {
    return member.key.name == key.name && (key.name.has_value() || member.key.keys == key.keys);
  };
  // Prefer a member that the plan already has: one member may violate several maps.
  for (std::size_t c = 0; c < violation.candidates.size(); ++c) {
    const KeyClass& key = classes[violation.candidates[c]];
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!is_of(members[i], key)) continue;
      const SetId old = members[i].value;
      const SetId value = algebra_.meet(old, violation.breaks[c]);
      if (!algebra_.step()) return false;
      if (!has_member(value)) continue;
      members[i].value = value;
      if (place_others()) return true;
      members[i].value = old;
    }
  }
  if (members.size() >= atoms.max) return false;
  for (std::size_t c = 0; c < violation.candidates.size(); ++c) {
    const KeyClass& key = classes[violation.candidates[c]];
    if (!algebra_.step()) return false;
    const bool is_there = std::any_of(members.begin(), members.end(), [&](const Member& m) { return is_of(m, key); });
    if (is_there && key.name.has_value()) continue;
    members.push_back({key, algebra_.meet(value_of(atoms, key), violation.breaks[c])});
    const std::size_t size = members.size();
    if (place_others()) return true;
    members.resize(size - 1);
  }
  return false;
}

bool Witness::fill_up(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes, std::vector<Member>& members) {
  const std::size_t size = members.size();
  std::uint64_t count = size;
  for (const KeyClass& key : classes) {
    if (count >= atoms.min) return true;
    if (!algebra_.step()) break;
    if (key.name.has_value()) {
      if (std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), *key.name)) continue;
      if (std::any_of(members.begin(), members.end(), [&](const Member& m) { return m.key.name == key.name; }))
        continue;
    }
    const SetId value = value_of(atoms, key);
    if (!has_member(value)) continue;
    if (key.name.has_value()) {
      members.push_back({key, value});
      ++count;
      continue;
    }
    // Add as many members as are missing, or as the class has keys.
    Shape keys;
    keys.strings = key.keys;
    std::uint64_t taken = 0;
    for (const Member& m : members) taken += m.key.keys == key.keys ? m.count : 0;
    const std::uint64_t wanted = taken + atoms.min - count;
    const std::uint64_t available = count_members(algebra_.set(keys), wanted);
    if (available <= taken) continue;
    members.push_back({key, value, available - taken});
    count += available - taken;
  }
  if (count >= atoms.min) return true;
  members.resize(size);
  return false;
}

// Returns true if each class has at least as many keys as `members` has members of it, and each name has a JSON text.
bool Witness::have_keys(const std::vector<Member>& members) {
  std::map<ExprId, std::uint64_t> counts;
  for (const Member& member : members) {
    if (!member.key.name.has_value()) {
      counts[member.key.keys] += member.count;
    } else if (!algebra_.has_text(algebra_.literal(*member.key.name))) {
      return false;
    }
  }
  return std::all_of(counts.begin(), counts.end(), [&](const auto& class_and_count) {
    Shape keys;
    keys.strings = class_and_count.first;
    return has_members(algebra_.set(keys), class_and_count.second);
  });
}

std::string Witness::spelled_name(NameId name, const Layout& layout) {
  if (const auto it = spelled_names_.find(name); it != spelled_names_.end()) return it->second;
  const std::string& text = algebra_.name(name);
  CutText found = scalar_text(algebra_.texts(algebra_.exprs().literal(text)), SIZE_MAX);
  const std::string spelled = layout.is_yaml() ? spelled_in_yaml(found).text() : found.text();
  if (spelled.empty()) return {};
  plan_bytes_ += sizeof(*spelled_names_.begin()) + spelled.capacity();
  return spelled_names_.emplace(name, spelled).first->second;
}

// Returns the JSON text of a short key of a class that no member of the object has yet; empty if a limit was met.
std::string Witness::unused_key(ExprId keys, UsedKeys& used, const Layout& layout) {
  Shape shape;
  shape.strings = keys;
  const auto of_class = used.try_emplace(keys, algebra_, *this, algebra_.set(shape)).first;
  const auto value = of_class->second.rest.next();
  if (!value) return {};
  const CutText key = text(*value, Layout::compact(), 0, algebra_.limits().text_bytes);
  if (!key.is_whole()) algebra_.report_limit(base::Limit::kTextBytes);
  of_class->second.texts.insert(key.text());
  return layout.is_yaml() ? spelled_in_yaml(key).text() : key.text();
}

// Adds the members of a class from number `from` on, all with this value, with numerals as keys. Returns false, and adds
// nothing, if the class may have too few numerals.
bool Witness::add_numeral_members(const Member& member, std::uint64_t from, const CutText& value, const Around& around,
                                  UsedKeys& used, CutText& out) {
  const std::set<std::string>& taken = used.at(member.key.keys).texts;
  const auto digits = numeral_digits(member.key.keys, member.count + taken.size());
  if (!digits) return false;
  std::uint64_t left = member.count - from;
  for (std::uint64_t number = 0; left > 0 && out.is_whole() && algebra_.step(); ++number) {
    const std::string numeral = std::to_string(number);
    const std::string key = '"' + numeral + '"';
    if (taken.contains(key) || !algebra_.exprs().matches(member.key.keys, numeral)) continue;
    if (!out.empty()) out.add(around.comma);
    out.add(key + around.colon);
    out.add(value);
    --left;
  }
  const std::uint64_t bytes = around.comma.size() + around.colon.size() + value.length() + *digits + 2;
  out.add_unwritten(left > CutText::kMaxLength / bytes ? CutText::kMaxLength : left * bytes);
  return true;
}

// resolve() rewrites `oneOf` as a disjunction of conjunctions: one operand holds, and the others do not.
//
// Written out in full, these are n conjunctions of n formulas each, which every later product multiplies. Four
// observations avoid that:
// - Mostly two operands cannot hold together, because some member has different values in them. Such operands need not
//   exclude each other. Whether two can hold together is tested together with `context`: often the keyword that
//   requires the member stands beside `oneOf`, not in it.
// - If two operands overlap, the branch of each requires the complement of the other, without those disjuncts of the
//   complement that the branch contradicts anyway (excluding()).
// - If the member is a *tag*, that is, a required member with few values in each operand, only operands with a common
//   value of the tag are compared (with_common_tags()).
// - A known result for a weaker context is used (resolved_for_weaker_context()) if many pairs remain, or if no two
//   operands can hold together even there. That is often possible, because keys are searched one at a time, each search
//   with a context of its own.

FormulaId Witness::resolve(FormulaId f, FormulaId context) {
  const auto known = resolved_.find({f, context});
  if (known != resolved_.end() && known->second.has_value()) return *known->second;
  return base::with_stack([&] { return find_disjunction(f, context); });
}

FormulaId Witness::find_disjunction(FormulaId f, FormulaId context) {
  const std::pair<FormulaId, FormulaId> key{f, context};
  const bool is_new = resolved_.try_emplace(key).second;
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
  if (is_new) {
    if (const auto known = resolved_for_weaker_context(f, context, 0)) return *(resolved_[key] = known);
  }
  const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
  // A recursive schema resolves the same formula again while its operands are being compared. This inner call compares
  // nothing; each operand excludes all others.
  const bool compares = is_new;
  std::vector<std::vector<FormulaId>> parts(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) parts[i].push_back(FormulaId{operands[i]});
  const std::vector<Names> names = names_of(operands);
  bool are_disjoint = true;
  // Two operands of which each requires one name exclude each other with an atom, which costs less than a comparison.
  const auto requires_a_name = [&](FormulaId operand) { return algebra_.formula(operand).kind == FormulaKind::kHas; };
  const auto compare = [&](std::size_t i, std::size_t j) {
    if (lack_common_names(names[i], names[j])) return;
    const FormulaId x{operands[i]};
    const FormulaId y{operands[j]};
    if (requires_a_name(x) && requires_a_name(y)) {
      algebra_.step();
      are_disjoint = false;
      parts[i].push_back(algebra_.complement(y));
      parts[j].push_back(algebra_.complement(x));
      return;
    }
    const FormulaId both = algebra_.meet({context, x, y});
    if (both == FormulaId::kFalse) return;
    if (compares &&
        !may_have([&] { return algebra_.is_about_objects(both) ? object_exists(both) : array_exists(both); })) {
      return;
    }
    are_disjoint = false;
    parts[i].push_back(compares ? excluding(x, y, context) : algebra_.complement(y));
    parts[j].push_back(compares ? excluding(y, x, context) : algebra_.complement(x));
  };
  const std::vector<std::vector<std::uint32_t>> neighbours = with_common_tags(operands, context);
  std::size_t pairs = 0;
  for (const std::vector<std::uint32_t>& near : neighbours) pairs += near.size();
  if (compares && pairs > kManyOperandPairs) {
    if (const auto known = resolved_for_weaker_context(f, context, pairs)) return *(resolved_[key] = known);
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (const std::uint32_t j : neighbours[i]) {
      if (algebra_.out_of_steps()) break;  // all pairs would seem to have common members; the result is not used
      compare(i, j);
    }
  }
  std::vector<FormulaId> branches;
  for (std::vector<FormulaId>& part : parts) branches.push_back(algebra_.meet(std::move(part)));
  const FormulaId result = algebra_.join(std::move(branches));
  if (compares && algebra_.limit_hit() == base::Limit::kNone) {
    resolved_[key] = result;
    if (are_disjoint) pairs = 0;
    std::vector<ResolvedPairs>& known = resolved_pairs_[f];
    if ((are_disjoint || pairs > kManyOperandPairs) && known.size() < kMaxKnownContexts) {
      known.push_back({context, pairs});
    }
  } else if (compares) {
    resolved_.erase(key);
  }
  return result;
}

std::vector<Witness::Names> Witness::names_of(const std::vector<std::uint32_t>& operands) const {
  std::vector<Names> names(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (const FormulaId part : atoms_of(FormulaId{operands[i]})) {
      const Formula atom = algebra_.formula(part);
      if (atom.kind == FormulaKind::kHas) names[i].required.push_back(NameId{atom.operands[0]});
      if (atom.kind != FormulaKind::kMembers) continue;
      const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
      if (map.patterns.empty() && map.other == SetId::kNone) names[i].allowed = &map;
    }
  }
  return names;
}

// Returns true if one of the two requires a name that the other does not allow. Most alternatives differ so.
bool Witness::lack_common_names(const Names& x, const Names& y) {
  const auto forbids = [&](const Names& one, const Names& other) {
    return one.allowed != nullptr && std::ranges::any_of(other.required, [&](NameId name) {
             return !std::ranges::binary_search(one.allowed->names, name, {}, &PropertyMap::Named::name);
           });
  };
  return forbids(x, y) || forbids(y, x);
}

// Returns a known result for `f` whose context is a part of this one, if it took no more than `pairs` comparisons.
std::optional<FormulaId> Witness::resolved_for_weaker_context(FormulaId f, FormulaId context, std::size_t pairs) {
  const auto it = resolved_pairs_.find(f);
  if (it == resolved_pairs_.end()) return std::nullopt;
  // Ascending, as for every context. No formula is made here.
  const auto atoms_of = [&](const std::uint32_t& conjunction) {
    const Formula node = algebra_.formula(FormulaId{conjunction});
    return node.kind == FormulaKind::kAnd ? node.operands : std::span(&conjunction, 1);
  };
  const auto whole = static_cast<std::uint32_t>(context);
  const std::span<const std::uint32_t> here = atoms_of(whole);
  for (const ResolvedPairs& other : it->second) {
    algebra_.step();
    if (other.pairs > pairs) continue;
    const auto part = static_cast<std::uint32_t>(other.context);
    if (other.context == FormulaId::kTrue || std::ranges::includes(here, atoms_of(part))) {
      return resolved_.at({f, other.context});
    }
  }
  return std::nullopt;
}

// Returns for each operand the earlier ones that may hold together with it: those that do not have a different tag.
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

// Chooses as tag, among the kMaxTagNames names that most operands require, the one whose values can be listed in most
// operands. Sets `tags` to its values in each operand, and `kinds` to what is known of the operand.
void Witness::find_tags(const std::vector<std::uint32_t>& operands, FormulaId context,
                        std::vector<std::vector<TagValue>>& tags, std::vector<Tagged>& kinds) {
  if (operands.size() <= kMaxTagNames) return;
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
  if (names.size() > kMaxTagNames) names.resize(kMaxTagNames);
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

// Returns the class of a name, with the patterns of the maps that match it.
KeyClass Witness::key_of(const ObjectAtoms& atoms, NameId name) {
  std::vector<regex::ExprId> patterns;
  for (const PropertyMapId map : atoms.maps) {
    for (const auto& [pattern, set] : algebra_.property_map(map).patterns) patterns.push_back(pattern);
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return derivation_.class_of(name, patterns);
}

// Appends all values of a shape to `values`. Returns false if the shape has arrays or objects, more than one number, or
// too many strings; `values` is then incomplete.
bool Witness::list_scalars(const Shape& shape, std::vector<TagValue>& values) {
  if (shape.arrays != FormulaId::kFalse || shape.objects != FormulaId::kFalse) return false;
  for (const std::uint8_t literal : {Shape::kNull, Shape::kTrue, Shape::kFalse}) {
    if ((shape.literals & literal) != 0) values.emplace_back("", literal);
  }
  regex::ExprSet& exprs = algebra_.exprs();
  if (shape.numbers != regex::ExprId::kNothing) {
    const auto text = regex::shortest_member(exprs, shape.numbers, kNumberFuel);
    const auto number = text ? Decimal::parse(*text, algebra_.limits()) : tl::unexpected(Error{});
    const auto texts = number ? algebra_.numbers().value(*number) : tl::unexpected(Error{});
    if (!texts || *texts != shape.numbers) return false;
    values.emplace_back(*text, 0);
  }
  constexpr std::uint8_t kString = 8;
  std::uint32_t visits = 0;
  std::vector<std::pair<regex::ExprId, std::string>> open{{shape.strings, ""}};
  std::vector<regex::ExprSet::Branch> branches;
  while (!open.empty()) {
    auto [e, text] = std::move(open.back());
    open.pop_back();
    if (exprs.max_length(e) == regex::kUnbounded || ++visits > kMaxListedVisits || !algebra_.step()) return false;
    if (exprs.nullable(e)) values.emplace_back(text, kString);
    branches.clear();
    exprs.append_branches(e, branches);
    if (branches.size() == 1 && branches[0].bytes.size() == 1) {  // usual: within a word
      text += static_cast<char>(branches[0].bytes.first());
      open.emplace_back(branches[0].to, std::move(text));
      continue;
    }
    for (const auto& [bytes, to] : branches) {
      bytes.for_each([&, &next = to](std::uint8_t byte) { open.emplace_back(next, text + static_cast<char>(byte)); });
      if (open.size() > kMaxListedVisits) return false;
    }
  }
  return true;
}

// Returns a formula that is equivalent to the complement of `other` wherever `holding` and `context` hold, without the
// disjuncts that these contradict.
FormulaId Witness::excluding(FormulaId holding, FormulaId other, FormulaId context) {
  const FormulaId complement = algebra_.complement(other);
  const auto atoms_of = [&](FormulaId f, FormulaKind whole) {
    const Formula node = algebra_.formula(f);
    if (node.kind != whole) return std::vector<FormulaId>{f};
    std::vector<FormulaId> atoms;
    atoms.reserve(node.operands.size());
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

// Returns a formula that is equivalent to `broken`, a kNotMembers, for objects that satisfy the maps in `kept`. It
// lists only names whose values may violate the map; if all values of a name do, the formula only requires the name
// (kHas).
FormulaId Witness::violation(const Formula& broken, const std::vector<PropertyMapId>& kept) {
  const PropertyMapId id{broken.operands[0]};
  const PropertyMap& map = algebra_.property_map(id);
  const auto whole = [&] { return algebra_.not_members(map, {}); };
  std::vector<PropertyMapId> known;
  for (const PropertyMapId promise : kept) {
    if (algebra_.property_map(promise).patterns.empty()) known.push_back(promise);
  }
  // Give up unless the map constrains listed names only, and some map in `kept` has no patterns.
  if (known.empty() || !map.patterns.empty() || map.other != SetId::kAny) return whole();
  PropertyMap open{{}, {}, SetId::kAny};
  std::vector<FormulaId> reasons;
  for (const PropertyMap::Named& named : map.names) {
    SetId value = SetId::kAny;
    for (const PropertyMapId promise : known) {
      value = algebra_.meet(value, derivation_.lookup(algebra_.property_map(promise), {.name = named.name}));
    }
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
