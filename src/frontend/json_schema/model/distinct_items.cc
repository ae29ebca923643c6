// Witness: arrays of many items that must differ. How many values a set has is counted, not which they are.
#include <algorithm>
#include <string>

#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/model/value_list.h"
#include "frontend/json_schema/model/witness.h"

namespace weir::frontend::json_schema {

using base::CutText;
using regex::ExprId;

// Returns the sets that the items of a short array are taken from, if each has so many members that the items can be
// chosen one by one, without `more` values that are given: the items before a group have used as many of its values as
// they are at most. A sufficient test.
std::optional<Witness::ArrayPlan> Witness::distinct_groups(const ArrayAtoms& atoms, std::uint64_t more) {
  if (!atoms.is_unique || atoms.has_alternatives || !atoms.map.prefix.empty()) return std::nullopt;
  std::uint64_t contained = 0;
  for (const auto& [set, count] : atoms.contained) contained += count;
  const std::uint64_t total = std::max(atoms.min, contained);
  if (total > atoms.max) return std::nullopt;
  SetId others = atoms.map.rest;  // items that are there for the minimum number only
  for (const auto& [set, most] : atoms.most_contained) {
    if (contained > most) return std::nullopt;
    if (total > most) others = algebra_.meet(others, algebra_.complement(set));
  }
  ArrayPlan plan;
  for (const auto& [set, count] : atoms.contained) {
    plan.push_back({algebra_.meet(set, atoms.map.rest), count, true});
  }
  if (contained < total) plan.push_back({others, total - contained, true});
  std::uint64_t used = more;
  for (Items& items : plan) {
    // Each item of a text excludes one more value. The set without them is asked about only if it may be used up.
    const bool is_endless = has_strings_beside(items.set, atoms.fresh);
    items.set = algebra_.meet(items.set, atoms.fresh);
    used += items.count;
    if (!is_endless && !plainly_has_members(items.set, used)) return std::nullopt;
  }
  return plan;
}

// A sufficient test: returns true if the set has infinitely many strings, and all but finitely many of them are in `fresh`.
bool Witness::has_strings_beside(SetId set, SetId fresh) {
  if (!algebra_.exprs().is_cofinite(algebra_.shape(fresh).strings)) return false;
  const ExprId strings = algebra_.shape(set).strings;
  if (const auto known = infinite_.find(strings); known != infinite_.end()) return known->second;
  const bool is_infinite = has_infinitely_many_texts(strings);
  if (algebra_.limit_hit() == base::Limit::kNone) infinite_.emplace(strings, is_infinite);
  return is_infinite;
}

// Makes a plan of such groups, after items for the prefix. Returns false if few items are needed, which a search finds
// values for, or if the test does not suffice.
bool Witness::place_distinct(const ArrayAtoms& atoms, ArrayPlan& plan) {
  if (!atoms.is_unique || std::max(atoms.min, atoms.needed) <= kMaxSearchedItems) return false;
  ArrayAtoms after = atoms;
  const std::span<const SetId> prefix = after.map.prefix;
  if (!prefix.empty() && (atoms.has_obligation || prefix.size() >= atoms.min)) return false;
  plan.clear();
  DifferentValues values(algebra_, *this);
  std::vector<SetId> used;
  for (const SetId place : prefix) {
    const auto value = values.next(algebra_.meet(place, after.fresh));
    if (!value || algebra_.limit_hit() != base::Limit::kNone) return false;
    plan.push_back({*value});
    used.push_back(*value);
  }
  if (!used.empty()) after.fresh = algebra_.without(after.fresh, std::move(used));
  after.min -= std::min<std::uint64_t>(after.min, prefix.size());
  after.max -= prefix.size();  // no less than `min`
  after.map.prefix = {};
  const auto groups = distinct_groups(after, 0);
  if (!groups) return false;
  plan.insert(plan.end(), groups->begin(), groups->end());
  return true;
}

bool Witness::can_do_without(const ArrayPlan& plan, std::uint64_t more) {
  std::uint64_t total = more;
  for (const Items& items : plan) total += items.differ ? items.count : 0;
  return std::ranges::all_of(
      plan, [&](const Items& items) { return !items.differ || plainly_has_members(items.set, total); });
}

// Returns numbers or strings of which `count` are numerals, and the digits of these.
std::optional<Witness::Numerals> Witness::numerals_of(SetId set, std::uint64_t count) {
  const Shape shape = algebra_.shape(set);
  if (const auto digits = numeral_digits(shape.numbers, count)) return Numerals{shape.numbers, *digits, false};
  if (const auto digits = numeral_digits(shape.strings, count)) return Numerals{shape.strings, *digits, true};
  return std::nullopt;
}

// Adds different items of a set, numerals from `number` on, and sets `number` to one that is not used. Precondition: there
// are enough.
void Witness::add_numerals(const Items& items, const Layout& layout, std::uint32_t depth, std::uint64_t& number,
                           CutText& out) {
  const std::string comma = layout.comma(depth).text;
  const auto numerals = numerals_of(items.set, number + items.count);
  std::uint64_t left = items.count;
  for (; numerals && left > 0 && out.is_whole() && algebra_.step(); ++number) {
    const std::string numeral = std::to_string(number);
    if (!algebra_.exprs().matches(numerals->texts, numeral)) continue;
    if (!out.empty()) out.add(comma);
    out.add(numerals->are_strings ? '"' + numeral + '"' : numeral);
    --left;
  }
  add_unwritten_items(left, comma.size() + (numerals ? numerals->digits : kMaxNumeralDigits) + 2, out);
}

// Adds different items of a set that no item before has. The length of those that would have to be searched for is
// estimated: of n texts of an infinite language that a small automaton reads, each has at most n times as many bytes as
// that has states, besides those of a shortest one.
void Witness::add_different_items(const Items& items, const Layout& layout, std::uint32_t depth,
                                  DifferentValues& values, CutText& out) {
  const std::string comma = layout.comma(depth).text;
  const bool searches = items.count <= algebra_.limits().nesting;
  std::uint64_t left = items.count;
  while (left > 0 && out.is_whole()) {
    const auto value = searches ? values.next(items.set) : values.next_listed(items.set);
    if (!value) break;
    if (!out.empty()) out.add(comma);
    out.add(text(*value, layout, depth, out.room()));
    --left;
  }
  if (left == 0) return;
  add_unwritten_items(left, comma.size() + text(items.set, layout, depth, 0).length() + left * kMaxPatternResiduals,
                      out);
}

void Witness::add_unwritten_items(std::uint64_t count, std::uint64_t bytes, CutText& out) {
  out.add_unwritten(count > CutText::kMaxLength / bytes ? CutText::kMaxLength : count * bytes);
}

}  // namespace weir::frontend::json_schema
