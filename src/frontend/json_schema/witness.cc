#include "frontend/json_schema/witness.h"

#include <algorithm>

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::uint32_t number_of(SetId set) { return static_cast<std::uint32_t>(set); }

}  // namespace

bool Witness::has_member(SetId set) {
  if (set == SetId::kNone) return false;
  if (set == SetId::kAny) return true;
  if (number_of(set) >= sets_.size()) sets_.resize(number_of(set) + 1);
  SetState& state = sets_[number_of(set)];
  switch (state.verdict) {
    case Verdict::kPlain:
    case Verdict::kYes: return true;
    case Verdict::kNo: return false;
    case Verdict::kOpen: assumed_ = std::min(assumed_, state.depth); return false;
    case Verdict::kUnknown: break;
  }
  if (!algebra_.plainly_has_member(set)) return look_for_member(set);
  state.verdict = Verdict::kPlain;
  return true;
}

bool Witness::look_for_member(SetId set) {
  if (depth_ >= algebra_.limits().nesting) {
    algebra_.report_limit(base::Limit::kNesting);
    return false;
  }
  const std::uint32_t outer = std::exchange(assumed_, UINT32_MAX);
  const std::uint32_t depth = ++depth_;
  sets_[number_of(set)] = {Verdict::kOpen, Part::kNone, depth};
  const Part part = find_member(set);
  const bool found = part != Part::kNone;
  --depth_;
  const bool is_final = assumed_ >= depth && algebra_.limit_hit() == base::Limit::kNone;
  sets_[number_of(set)].part = part;
  sets_[number_of(set)].verdict = found ? Verdict::kYes : is_final ? Verdict::kNo : Verdict::kUnknown;
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

bool Witness::has_members(SetId set, std::uint64_t count) {
  if (count > 1 && plainly_has_members(set, count)) return true;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!has_member(set)) return false;
    if (i + 1 < count) set = algebra_.meet(set, algebra_.complement(single(set)));
  }
  return true;
}

// Whether so many numerals are among the strings or numbers of the set, or may be the value of one member of an object.
bool Witness::plainly_has_members(SetId set, std::uint64_t count, std::uint32_t depth) {
  const Shape& shape = algebra_.shape(set);
  if (has_numerals(shape.strings, count) || has_numerals(shape.numbers, count)) return true;
  constexpr std::uint32_t kFewLevels = 4;
  if (shape.objects == FormulaId::kFalse || depth == kFewLevels) return false;
  const ObjectPlan* plan = object_plan(shape.objects);
  if (plan != nullptr && plan->members.empty()) {
    plan = object_plan(algebra_.meet(shape.objects, algebra_.min_members(1)));
  }
  if (plan == nullptr) return false;
  const std::vector<Member> members = plan->members;
  return std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return plainly_has_members(member.value, count, depth + 1); });
}

// Mostly all numerals match, or none.
bool Witness::has_numerals(ExprId texts, std::uint64_t count) {
  constexpr std::uint64_t kMisses = 16;
  std::uint64_t missed = 0;
  for (std::uint64_t i = 0; i < count + missed; ++i) {
    if (!algebra_.exprs().matches(texts, std::to_string(i)) && ++missed > kMisses) return false;
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
  if (sets_[number_of(set)].verdict == Verdict::kPlain) look_for_member(set);
  const Shape& shape = algebra_.shape(set);
  // The part in which the member was found: its plan names nothing that was found later, so this ends.
  const Part part = sets_[number_of(set)].part;
  switch (part) {
    case Part::kNone: return {};
    case Part::kLiteral:
      if ((shape.literals & Shape::kNull) != 0) return "null";
      return (shape.literals & Shape::kTrue) != 0 ? "true" : "false";
    case Part::kNumber: return scalar_text(shape.numbers);
    case Part::kString: return scalar_text(algebra_.texts(shape.strings));
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

// Searched for once: short texts of rules ask for it again and again.
std::string Witness::scalar_text(ExprId texts) {
  if (const auto it = scalar_texts_.find(texts); it != scalar_texts_.end()) return it->second;
  auto member = algebra_.exprs().any_shortest_member(texts, algebra_.limits().regex_fuel);
  if (!member) {
    algebra_.report_limit(base::Limit::kRegexFuel);
    return {};
  }
  constexpr std::size_t kLongestKept = 1'000;
  if (member->size() <= kLongestKept) {
    scalar_texts_.emplace(texts, *member);
    plan_bytes_ += sizeof(*scalar_texts_.begin()) + member->capacity();
  }
  return *std::move(member);
}

std::vector<FormulaId> Witness::atoms_of(FormulaId conjunction) const {
  const Formula node = algebra_.formula(conjunction);
  if (node.kind != FormulaKind::kAnd) return {conjunction};
  std::vector<FormulaId> atoms;
  for (const std::uint32_t operand : node.operands) atoms.push_back(FormulaId{operand});
  return atoms;
}

}  // namespace weir::frontend::json_schema
