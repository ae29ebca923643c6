// Sets and shapes; formulas stand in algebra_formulas.cc.
#include <algorithm>

#include "base/utf8.h"
#include "frontend/json_schema/algebra.h"
#include "regex/syntax.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

Algebra::Algebra(regex::ExprSet& exprs, const NumberSpelling& spelling, const regex::JsonStringOptions& strings,
                 const Limits& limits, Schemas schemas)
    : exprs_(exprs),
      numbers_(exprs, spelling, limits),
      strings_(strings),
      limits_(limits),
      schemas_(std::move(schemas)),
      any_{Shape::kAllLiterals, numbers_.offered(), ExprId::kAllStrings, FormulaId::kTrue, FormulaId::kTrue} {
  intern_set(SetKind::kNone, {});
  intern_set(SetKind::kAny, {});
  intern_formula(FormulaKind::kFalse, {});
  intern_formula(FormulaKind::kTrue, {});
  shapes_[0] = Shape{};
  shapes_[1] = any_;
}

void Algebra::reset_steps() {
  steps_before_ += steps_;
  steps_ = 0;
  limit_hit_ = base::Limit::kNone;
  for (const SetId set : tainted_) shapes_[raw(set)].reset();
  tainted_.clear();
}

SetId Algebra::intern_set(SetKind kind, std::span<const std::uint32_t> operands) {
  std::vector<std::uint32_t> words{raw(kind)};
  words.insert(words.end(), operands.begin(), operands.end());
  const auto [id, is_new] = sets_.intern(words);
  if (is_new) shapes_.emplace_back();
  return SetId{id};
}

SetId Algebra::schema(SchemaId schema, ScopeId scope) {
  return intern_set(SetKind::kSchema, std::vector{raw(schema), raw(scope)});
}

SetId Algebra::set(const Shape& shape) {
  if (shape == Shape{}) return SetId::kNone;
  if (shape == any_) return SetId::kAny;
  const SetId id =
      intern_set(SetKind::kShape, std::vector<std::uint32_t>{shape.literals, raw(shape.numbers), raw(shape.strings),
                                                             raw(shape.arrays), raw(shape.objects)});
  shapes_[raw(id)] = shape;
  return id;
}

SetId Algebra::combine(SetKind kind, std::vector<SetId> sets) {
  const bool is_meet = kind == SetKind::kMeet;
  const SetId neutral = is_meet ? SetId::kAny : SetId::kNone;
  const SetId absorbing = is_meet ? SetId::kNone : SetId::kAny;
  std::vector<std::uint32_t> operands;
  for (const SetId set : sets) {
    if (set == absorbing) return absorbing;
    if (set == neutral) continue;
    const auto words = sets_[raw(set)];
    if (words[0] == raw(kind)) {
      operands.insert(operands.end(), words.begin() + 1, words.end());
    } else {
      operands.push_back(raw(set));
    }
  }
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  if (operands.empty()) return neutral;
  if (operands.size() == 1) return SetId{operands[0]};
  // What has been taken apart already is put together here and now; names of schemas stay names.
  const bool all_shapes = std::all_of(operands.begin(), operands.end(),
                                      [&](std::uint32_t operand) { return sets_[operand][0] == raw(SetKind::kShape); });
  if (all_shapes) {
    Shape shape = *shapes_[operands[0]];
    for (std::size_t i = 1; i < operands.size(); ++i) {
      shape = is_meet ? meet(shape, *shapes_[operands[i]]) : join(shape, *shapes_[operands[i]]);
    }
    return set(shape);
  }
  return intern_set(kind, operands);
}

SetId Algebra::meet(SetId a, SetId b) { return a == b ? a : combine(SetKind::kMeet, {a, b}); }
SetId Algebra::meet(std::vector<SetId> sets) { return combine(SetKind::kMeet, std::move(sets)); }
SetId Algebra::join(SetId a, SetId b) { return a == b ? a : combine(SetKind::kJoin, {a, b}); }
SetId Algebra::join(std::vector<SetId> sets) { return combine(SetKind::kJoin, std::move(sets)); }

SetId Algebra::complement(SetId a) {
  if (a == SetId::kNone) return SetId::kAny;
  if (a == SetId::kAny) return SetId::kNone;
  const auto words = sets_[raw(a)];
  if (words[0] == raw(SetKind::kComplement)) return SetId{words[1]};
  if (words[0] == raw(SetKind::kShape)) return set(complement(*shapes_[raw(a)]));
  return intern_set(SetKind::kComplement, std::vector{raw(a)});
}

const Shape& Algebra::shape(SetId set) {
  if (!shapes_[raw(set)].has_value()) {
    const Shape shape = evaluate(set);
    shapes_[raw(set)] = shape;
    if (limit_hit() != base::Limit::kNone) tainted_.push_back(set);
  }
  return *shapes_[raw(set)];
}

Shape Algebra::evaluate(SetId set) {
  const auto span = sets_[raw(set)];
  const std::vector<std::uint32_t> words(span.begin(), span.end());
  step(words.size());
  switch (static_cast<SetKind>(words[0])) {
    case SetKind::kSchema: return schemas_.shape(SchemaId{words[1]}, ScopeId{words[2]});
    case SetKind::kComplement: return complement(shape(SetId{words[1]}));
    case SetKind::kMeet:
    case SetKind::kJoin: {
      Shape result = shape(SetId{words[1]});
      for (std::size_t i = 2; i < words.size(); ++i) {
        const Shape& next = shape(SetId{words[i]});
        result = static_cast<SetKind>(words[0]) == SetKind::kMeet ? meet(result, next) : join(result, next);
      }
      return result;
    }
    case SetKind::kNone:
    case SetKind::kAny:
    case SetKind::kShape: break;  // known from the beginning
  }
  return {};
}

Shape Algebra::meet(const Shape& a, const Shape& b) {
  return {static_cast<std::uint8_t>(a.literals & b.literals), numbers_.meet(a.numbers, b.numbers),
          meet_strings(a.strings, b.strings), meet(a.arrays, b.arrays), meet(a.objects, b.objects)};
}

Shape Algebra::meet(const std::vector<Shape>& shapes) {
  Shape all = any_;
  std::vector<FormulaId> arrays;
  std::vector<FormulaId> objects;
  for (const Shape& shape : shapes) {
    all.literals &= shape.literals;
    all.numbers = numbers_.meet(all.numbers, shape.numbers);
    all.strings = meet_strings(all.strings, shape.strings);
    arrays.push_back(shape.arrays);
    objects.push_back(shape.objects);
  }
  all.arrays = meet(std::move(arrays));
  all.objects = meet(std::move(objects));
  return all;
}

Shape Algebra::join(const Shape& a, const Shape& b) {
  return {static_cast<std::uint8_t>(a.literals | b.literals), numbers_.join(a.numbers, b.numbers),
          exprs_.alternation(a.strings, b.strings), join(a.arrays, b.arrays), join(a.objects, b.objects)};
}

Shape Algebra::complement(const Shape& a) {
  return {static_cast<std::uint8_t>(~a.literals & Shape::kAllLiterals), numbers_.complement(a.numbers),
          complement_of_strings(a.strings), complement(a.arrays), complement(a.objects)};
}

// Lengths are kept apart from other languages: what is too long for a bound would be found character by character.

ExprId Algebra::lengths(std::uint32_t min, std::uint32_t max) {
  return min > max ? ExprId::kNothing : lengths(Lengths{{min, max}});
}

ExprId Algebra::lengths(Lengths intervals) {
  std::vector<ExprId> parts;
  for (const auto& [min, max] : intervals) {
    parts.push_back(exprs_.repeat(regex::any_code_point(exprs_), min, max));
  }
  const ExprId e = exprs_.alternation(parts);
  if (e != ExprId::kNothing && e != ExprId::kOverflow) lengths_.try_emplace(e, std::move(intervals));
  return e;
}

ExprId Algebra::meet_strings(ExprId a, ExprId b) {
  const auto x = lengths_.find(a);
  const auto y = x == lengths_.end() ? x : lengths_.find(b);
  if (y == lengths_.end()) return exprs_.intersection(a, b);
  Lengths both;
  for (const auto& [least, most] : x->second) {
    for (const auto& [min, max] : y->second) {
      if (std::max(least, min) <= std::min(most, max)) both.emplace_back(std::max(least, min), std::min(most, max));
    }
  }
  return lengths(std::move(both));
}

// Of lengths, among the texts of characters: all that counts.
ExprId Algebra::complement_of_strings(ExprId a) {
  const auto it = lengths_.find(a);
  if (it == lengths_.end()) return exprs_.complement(a);
  Lengths gaps;
  std::uint32_t next = 0;
  for (const auto& [min, max] : it->second) {
    if (min > next) gaps.emplace_back(next, min - 1);
    if (max == regex::kUnbounded) return lengths(std::move(gaps));
    next = max + 1;
  }
  gaps.emplace_back(next, regex::kUnbounded);
  return lengths(std::move(gaps));
}

SetId Algebra::constant(const JsonValue& value) { return set(shape_of_constant(value)); }

Shape Algebra::shape_of_constant(const JsonValue& value) {
  Shape shape;
  step();
  switch (value.type()) {
    case JsonType::kNull: shape.literals = Shape::kNull; break;
    case JsonType::kBoolean: shape.literals = value.boolean() ? Shape::kTrue : Shape::kFalse; break;
    case JsonType::kString: shape.strings = exprs_.literal(value.string()); break;
    case JsonType::kNumber: {
      const Result<ExprId> texts = numbers_.value(value.number());
      if (texts) {
        shape.numbers = *texts;
      } else {
        report_limit(base::Limit::kRepeatCount);
      }
      break;
    }
    case JsonType::kArray: {
      ItemMap map{{}, SetId::kNone};
      for (const JsonValue& item : value.items()) map.prefix.push_back(constant(item));
      const std::uint64_t count = map.prefix.size();
      shape.arrays = meet(items(std::move(map)), min_items(count));
      break;
    }
    case JsonType::kObject: {
      PropertyMap map{{}, {}, SetId::kNone};
      std::vector<FormulaId> parts;
      for (const JsonMember& member : value.members()) {
        const NameId id = name(member.key);
        map.names.push_back({id, constant(member.value), 0});
        parts.push_back(has(id));
      }
      parts.push_back(members(std::move(map)));
      shape.objects = meet(std::move(parts));
      break;
    }
  }
  return shape;
}

bool Algebra::plainly_has_member(SetId set) const {
  const auto words = sets_[raw(set)];
  return SetKind{words[0]} == SetKind::kSchema && schemas_.is_plain(SchemaId{words[1]});
}

bool Algebra::has_member(ExprId e) {
  if (e == ExprId::kNothing) return false;
  if (const auto it = has_member_.find(raw(e)); it != has_member_.end()) return it->second;
  // Expressions that are made on the way are what takes time.
  constexpr std::uint64_t kStepsAnExpression = 4;
  const std::size_t before = exprs_.node_count();
  const regex::Emptiness emptiness = exprs_.emptiness(e, limits_.regex_fuel);
  step((exprs_.node_count() - before) * kStepsAnExpression);
  if (emptiness == regex::Emptiness::kUnknown) {
    report_limit(exprs_.is_full() ? base::Limit::kRegexNodes : base::Limit::kRegexFuel);
    return false;
  }
  return has_member_[raw(e)] = emptiness == regex::Emptiness::kNonEmpty;
}

// Texts are made of expressions many times as large as those of the strings. Mostly a string is at hand; else one of
// characters is looked for, which always has a text.
bool Algebra::has_text(ExprId strings) {
  if (strings == ExprId::kNothing) return false;
  if (exprs_.has_plain_text(strings)) return true;
  constexpr std::uint32_t kFewExpressions = 1'000;
  constexpr std::uint32_t kShort = 200'000;
  if (exprs_.min_length(strings) <= kShort && exprs_.has_plain_member(strings, kFewExpressions)) {
    std::string member;
    exprs_.append_plain_member(strings, member);
    if (base::find_invalid_utf8(member) == std::string_view::npos) return true;
  }
  if (has_member(exprs_.intersection(strings, lengths(0, regex::kUnbounded)))) return true;
  if (limit_hit() != base::Limit::kNone || strings_.lone_surrogates == regex::LoneSurrogates::kForbidden) return false;
  return has_member(texts(strings));
}

std::size_t Algebra::memory_bytes() const {
  // What is interned stands twice, as words and taken apart; a node of a hash map is some 40 bytes.
  constexpr std::size_t kNode = 40;
  return sets_.memory_bytes() + shapes_.size() * sizeof(std::optional<Shape>) + formulas_.memory_bytes() +
         2 * (item_map_ids_.memory_bytes() + property_map_ids_.memory_bytes()) +
         (has_member_.size() + complements_.size() + names_.size()) * kNode + literals_.capacity() * sizeof(ExprId);
}

NameId Algebra::name(std::string_view text) {
  if (const auto it = name_ids_.find(text); it != name_ids_.end()) return it->second;
  const NameId id{static_cast<std::uint32_t>(names_.size())};
  names_.emplace_back(text);
  name_ids_.emplace(names_.back(), id);
  return id;
}

regex::ExprId Algebra::literal(NameId id) {
  if (raw(id) >= literals_.size()) literals_.resize(names_.size(), ExprId::kNothing);
  ExprId& known = literals_[raw(id)];
  if (known == ExprId::kNothing || known == ExprId::kOverflow) known = exprs_.literal(name(id));
  return known;
}

}  // namespace weir::frontend::json_schema
