// Sets and shapes first, then formulas.
#include "frontend/json_schema/model/algebra.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "base/node_bytes.h"
#include "base/stack.h"
#include "base/utf8.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/unicode/utf8_ranges.h"

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

void Algebra::offer_strings(ExprId strings) {
  any_.strings = strings;
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
  words_.assign(1, raw(kind));
  words_.insert(words_.end(), operands.begin(), operands.end());
  const auto [id, is_new] = sets_.intern(words_);
  if (is_new) shapes_.emplace_back();
  return SetId{id};
}

SetId Algebra::schema(SchemaId schema, ScopeId scope) {
  return intern_set(SetKind::kSchema, std::array{raw(schema), raw(scope)});
}

SetId Algebra::set(const Shape& shape) {
  if (shape == Shape{}) return SetId::kNone;
  if (shape == any_) return SetId::kAny;
  const SetId id =
      intern_set(SetKind::kShape, std::array<std::uint32_t, 5>{shape.literals, raw(shape.numbers), raw(shape.strings),
                                                               raw(shape.arrays), raw(shape.objects)});
  shapes_[raw(id)] = shape;
  return id;
}

// Returns the set of a shape that was computed from `operands`, and notes that if it is asked to. Only older sets are
// origins, so that no set is made from itself.
SetId Algebra::set_from(const Shape& shape, SetKind how, std::span<const std::uint32_t> operands) {
  const SetId id = set(shape);
  const bool is_shape = SetKind{sets_[raw(id)][0]} == SetKind::kShape;
  if (keeps_origins_ && is_shape && std::ranges::all_of(operands, [&](std::uint32_t one) { return one < raw(id); })) {
    if (const auto [origin, is_new] = origins_.try_emplace(raw(id)); is_new) origin->second = intern_set(how, operands);
  }
  return id;
}

SetId Algebra::evaluated(SetId a) { return set_from(shape(a), SetKind::kMeet, std::array{raw(a)}); }

SetId Algebra::combine(SetKind kind, std::span<const SetId> sets) {
  const bool is_meet = kind == SetKind::kMeet;
  const SetId neutral = is_meet ? SetId::kAny : SetId::kNone;
  const SetId absorbing = is_meet ? SetId::kNone : SetId::kAny;
  // The operands of a combination are ascending. One set more is inserted, since combining many sets one after another
  // would sort all of them each time.
  const auto is_combined = [&](SetId set) { return sets_[raw(set)][0] == raw(kind); };
  std::array<SetId, 2> two{};
  const bool is_binary = sets.size() == 2;
  if (is_binary && is_combined(sets[1])) {
    two = {sets[1], sets[0]};
    sets = two;
  }
  if (std::ranges::find(sets, absorbing) != sets.end()) return absorbing;
  regex::ScratchPool<std::uint32_t>::Lease lease(free_words_);
  std::vector<std::uint32_t>& operands = *lease;
  for (const SetId set : sets) {
    if (set == neutral) continue;
    if (is_combined(set)) {
      const auto combined = sets_[raw(set)].subspan(1);
      operands.insert(operands.end(), combined.begin(), combined.end());
    } else {
      const auto at = is_binary ? std::ranges::lower_bound(operands, raw(set)) : operands.end();
      operands.insert(at, raw(set));
    }
  }
  if (!is_binary || is_combined(sets[1])) std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  if (operands.empty()) return neutral;
  if (operands.size() == 1) return SetId{operands[0]};
  bool all_shapes = true;
  for (const std::uint32_t operand : operands) {
    const auto words = sets_[operand];
    all_shapes = all_shapes && SetKind{words[0]} == SetKind::kShape;
    // A set and its complement have no value in common, and together all values.
    if (SetKind{words[0]} == SetKind::kComplement && std::ranges::binary_search(operands, words[1])) return absorbing;
  }
  // Shapes are combined at once. If an operand is not evaluated yet, the combination stays unevaluated.
  return all_shapes ? combine_shapes(kind, operands) : intern_set(kind, operands);
}

// Memoised, but for long combinations, which would take more memory than they save time, and while origins are noted.
SetId Algebra::combine_shapes(SetKind kind, std::span<const std::uint32_t> operands) {
  const auto combined = [&] {
    regex::ScratchPool<Shape>::Lease shapes(free_shapes_);
    for (const std::uint32_t operand : operands) shapes->push_back(*shapes_[operand]);
    return set_from(kind == SetKind::kMeet ? meet(*shapes) : join(*shapes), kind, operands);
  };
  if (operands.size() > kMaxKnownOperands || keeps_origins_) return combined();
  words_.assign(1, raw(kind));
  words_.insert(words_.end(), operands.begin(), operands.end());
  const std::uint32_t id = shape_combinations_.intern(words_).first;
  if (id == combined_shapes_.size()) combined_shapes_.emplace_back();
  if (!combined_shapes_[id].has_value()) {
    const SetId set = combined();
    if (limit_hit() != base::Limit::kNone) return set;
    combined_shapes_[id] = set;
  }
  return *combined_shapes_[id];
}

SetId Algebra::meet(SetId a, SetId b) {
  if (a == b || b == SetId::kAny) return a;
  return a == SetId::kAny ? b : combine(SetKind::kMeet, std::array{a, b});
}
SetId Algebra::join(SetId a, SetId b) { return a == b ? a : combine(SetKind::kJoin, std::array{a, b}); }

SetId Algebra::complement(SetId a) {
  if (a == SetId::kNone) return SetId::kAny;
  if (a == SetId::kAny) return SetId::kNone;
  const auto words = sets_[raw(a)];
  if (words[0] == raw(SetKind::kComplement)) return SetId{words[1]};
  if (words[0] == raw(SetKind::kShape)) {
    return set_from(complement(*shapes_[raw(a)]), SetKind::kComplement, std::array{raw(a)});
  }
  return intern_set(SetKind::kComplement, std::array{raw(a)});
}

// The complement of one array or object is an atom, so that those of several can be joined.
SetId Algebra::without(SetId a, std::vector<SetId> values) {
  if (values.size() > 1) return meet(a, complement(join(std::move(values))));
  const auto others = [&](FormulaId f) {
    const auto known = constant_of_.find(f);
    return known == constant_of_.end() ? complement(f) : none_of(std::vector{known->second});
  };
  const Shape value = shape(values[0]);
  Shape left = shape(a);
  left.literals &= static_cast<std::uint8_t>(~value.literals);
  left.numbers = numbers_.difference(left.numbers, value.numbers);
  if (value.strings != ExprId::kNothing) left.strings = exprs_.difference(left.strings, value.strings);
  left.arrays = meet(left.arrays, others(value.arrays));
  left.objects = meet(left.objects, others(value.objects));
  return set(left);
}

const Shape& Algebra::shape(SetId set) {
  if (!shapes_[raw(set)].has_value()) {
    const Shape shape = base::with_stack([&] { return evaluate(set); });
    shapes_[raw(set)] = shape;
    if (limit_hit() != base::Limit::kNone) tainted_.push_back(set);
  }
  return *shapes_[raw(set)];
}

Shape Algebra::evaluate(SetId set) {
  const auto span = sets_[raw(set)];
  regex::ScratchPool<std::uint32_t>::Lease words(free_words_);
  words->assign(span.begin(), span.end());
  step(words->size());
  switch (static_cast<SetKind>((*words)[0])) {
    case SetKind::kSchema: {
      last_schema_ = SchemaId{(*words)[1]};
      return schemas_.shape(SchemaId{(*words)[1]}, ScopeId{(*words)[2]});
    }
    case SetKind::kComplement: return complement(shape(SetId{(*words)[1]}));
    case SetKind::kMeet:
    case SetKind::kJoin: {
      if (const auto shape = meet_with_string(unevaluated_operands(set))) return *shape;
      regex::ScratchPool<Shape>::Lease shapes(free_shapes_);
      for (std::size_t i = 1; i < words->size(); ++i) shapes->push_back(shape(SetId{(*words)[i]}));
      return static_cast<SetKind>((*words)[0]) == SetKind::kMeet ? meet(*shapes) : join(*shapes);
    }
    case SetKind::kNone:
    case SetKind::kAny:
    case SetKind::kShape: break;  // their shapes are stored when they are made
  }
  return {};
}

Shape Algebra::meet(const Shape& a, const Shape& b) {
  return {static_cast<std::uint8_t>(a.literals & b.literals), numbers_.meet(a.numbers, b.numbers),
          meet_strings(std::array{a.strings, b.strings}), meet(a.arrays, b.arrays), meet(a.objects, b.objects)};
}

Shape Algebra::meet(std::span<const Shape> shapes) {
  Shape all = any_;
  regex::ScratchPool<ExprId>::Lease numbers(free_exprs_);
  regex::ScratchPool<ExprId>::Lease strings(free_exprs_);
  regex::ScratchPool<FormulaId>::Lease arrays(free_formulas_);
  regex::ScratchPool<FormulaId>::Lease objects(free_formulas_);
  for (const Shape& shape : shapes) {
    all.literals &= shape.literals;
    numbers->push_back(shape.numbers);
    strings->push_back(shape.strings);
    arrays->push_back(shape.arrays);
    objects->push_back(shape.objects);
  }
  all.numbers = numbers_.meet(*numbers);
  all.strings = meet_strings(*strings);
  all.arrays = meet(*arrays);
  all.objects = meet(*objects);
  return all;
}

Shape Algebra::join(std::span<const Shape> shapes) {
  Shape any;
  regex::ScratchPool<ExprId>::Lease numbers(free_exprs_);
  regex::ScratchPool<ExprId>::Lease strings(free_exprs_);
  regex::ScratchPool<FormulaId>::Lease arrays(free_formulas_);
  regex::ScratchPool<FormulaId>::Lease objects(free_formulas_);
  for (const Shape& shape : shapes) {
    any.literals |= shape.literals;
    if (shape.numbers != ExprId::kNothing) numbers->push_back(shape.numbers);
    strings->push_back(shape.strings);
    arrays->push_back(shape.arrays);
    objects->push_back(shape.objects);
  }
  any.numbers = numbers_.join(*numbers);
  any.strings = exprs_.alternation(*strings);
  any.arrays = join(*arrays);
  any.objects = join(*objects);
  return any;
}

Shape Algebra::complement(const Shape& a) {
  return {static_cast<std::uint8_t>(~a.literals & Shape::kAllLiterals), numbers_.complement(a.numbers),
          complement_of_strings(a.strings), complement(a.arrays), complement(a.objects)};
}

// Languages that are defined by their lengths alone are combined as intervals. Otherwise a contradiction between a
// minimum and a maximum length would only be found by deriving character by character.

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

ExprId Algebra::meet_strings(std::span<const ExprId> sets) {
  regex::ScratchPool<ExprId>::Lease lease(free_exprs_);
  std::vector<ExprId>& others = *lease;
  std::optional<Lengths> all;
  for (const ExprId set : sets) {
    const auto found = lengths_.find(set);
    if (found == lengths_.end()) {
      others.push_back(set);
    } else if (!all.has_value()) {
      all = found->second;
    } else {
      Lengths both;
      for (const auto& [least, most] : *all) {
        for (const auto& [min, max] : found->second) {
          if (std::max(least, min) <= std::min(most, max)) both.emplace_back(std::max(least, min), std::min(most, max));
        }
      }
      all = std::move(both);
    }
  }
  if (all.has_value() && all->size() == 1 && all->front().first > kMaxFollowedLength && others.size() == 1) {
    const auto [min, max] = all->front();
    if (const auto counted = with_length(others[0], min, max)) return *counted;
  }
  if (all.has_value()) others.push_back(lengths(*std::move(all)));
  return others.size() == 1 ? others[0] : exprs_.intersection(others);
}

// Returns the members of `e` that have `min` to `max` characters, if `e` is a repeat of one or a few characters beside
// single characters: the bounds are then those of the repeat. An intersection would be followed character by character.
std::optional<ExprId> Algebra::with_length(ExprId e, std::uint32_t min, std::uint32_t max) {
  const ExprId character = regex::any_code_point(exprs_);
  const auto is_character = [&](ExprId part) {
    return regex::emptiness(exprs_, exprs_.difference(part, character), kPlainMemberFuel) == regex::Emptiness::kEmpty;
  };
  const auto length_of_body = [&](ExprId body) {  // 0: not known
    std::uint32_t length = 0;
    for (; body != ExprId::kEpsilon; body = exprs_.tail(body)) {
      if (length == kMaxPlainParts || !is_character(exprs_.head(body))) return std::uint32_t{0};
      ++length;
    }
    return length;
  };
  std::vector<ExprId> parts;
  std::optional<std::size_t> repeat;
  std::uint32_t step = 1;  // characters of a round
  for (; e != ExprId::kEpsilon; e = exprs_.tail(e)) {
    const ExprId part = exprs_.head(e);
    const bool is_repeat = exprs_.kind(part) == regex::ExprKind::kRepeat;
    if (is_repeat && repeat.has_value()) return std::nullopt;
    if (!is_repeat && !is_character(part)) return std::nullopt;
    if (is_repeat) step = length_of_body(exprs_.counted(part).body);
    if (is_repeat) repeat = parts.size();
    if (step == 0) return std::nullopt;
    if (parts.size() == kMaxPlainParts) return std::nullopt;
    parts.push_back(part);
  }
  if (!repeat.has_value()) return std::nullopt;
  const auto beside = static_cast<std::uint32_t>(parts.size() - 1);
  const regex::ExprSet::Counted n = exprs_.counted(parts[*repeat]);
  const std::uint32_t least = std::max(n.min, (min - beside - 1) / step + 1);  // `min` is larger
  const std::uint32_t most = max == regex::kUnbounded ? n.max : std::min(n.max, (max - beside) / step);
  if (least > most) return ExprId::kNothing;
  parts[*repeat] = exprs_.repeat(n.body, least, most);
  return exprs_.concat(parts);
}

// For a language of lengths, returns its complement among strings of UTF-8 characters; no other strings have a JSON
// text.
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

ExprId Algebra::numbers_or_limit(const Result<ExprId>& numbers) {
  if (numbers) return *numbers;
  const bool is_full = numbers.error().limit == base::field_name(base::Limit::kRegexNodes);
  report_limit(is_full ? base::Limit::kRegexNodes : base::Limit::kRepeatCount);
  return ExprId::kNothing;
}

SetId Algebra::constant(const JsonValue& value) {
  return set(base::with_stack([&] { return shape_of_constant(value); }));
}

Shape Algebra::shape_of_constant(const JsonValue& value) {
  Shape shape;
  step();
  switch (value.type()) {
    case JsonType::kNull: shape.literals = Shape::kNull; break;
    case JsonType::kBoolean: shape.literals = value.boolean() ? Shape::kTrue : Shape::kFalse; break;
    case JsonType::kString: shape.strings = exprs_.literal(value.string()); break;
    case JsonType::kNumber: {
      shape.numbers = numbers_or_limit(numbers_.value(value.number()));
      break;
    }
    case JsonType::kArray: {
      Constant array;
      for (const JsonValue& item : value.items()) array.parts.emplace_back(NameId{}, constant(item));
      shape.arrays = formula_of(array);
      constant_of_.try_emplace(shape.arrays, constant(std::move(array)));
      break;
    }
    case JsonType::kObject: {
      Constant object{.is_object = true};
      for (const JsonMember& member : value.members())
        object.parts.emplace_back(name(member.key), constant(member.value));
      std::ranges::sort(object.parts);
      shape.objects = formula_of(object);
      constant_of_.try_emplace(shape.objects, constant(std::move(object)));
      break;
    }
  }
  return shape;
}

FormulaId Algebra::formula_of(const Constant& constant) {
  if (!constant.is_object) {
    ItemMap map{{}, SetId::kNone};
    for (const auto& [index, value] : constant.parts) map.prefix.push_back(value);
    return meet(items(std::move(map)), min_items(constant.parts.size()));
  }
  PropertyMap map{{}, {}, SetId::kNone};
  std::vector<FormulaId> parts;
  for (const auto& [name, value] : constant.parts) {
    map.names.push_back({name, value, 0});
    parts.push_back(has(name));
  }
  parts.push_back(members(std::move(map)));
  return meet(std::move(parts));
}

ConstantId Algebra::constant(Constant constant) {
  words_.assign(1, constant.is_object ? 1 : 0);
  for (const auto& [name, value] : constant.parts) words_.insert(words_.end(), {raw(name), raw(value)});
  const auto [id, is_new] = constant_ids_.intern(words_);
  if (is_new) constants_.push_back(std::move(constant));
  return ConstantId{id};
}

FormulaId Algebra::none_of(std::vector<ConstantId> constants) {
  std::ranges::sort(constants);
  constants.erase(std::ranges::unique(constants).begin(), constants.end());
  return none_of(constant_sets_.of(constants));
}

FormulaId Algebra::none_of(ConstantSetId constants) {
  if (constants == ConstantSetId::kEmpty) return FormulaId::kTrue;
  const bool is_of_objects = constant_sets_.is_of_objects(constants);
  return atom(is_of_objects ? FormulaKind::kNotObjects : FormulaKind::kNotArrays, {raw(constants)});
}

FormulaId Algebra::spelled_out(const Formula& f) {
  std::vector<FormulaId> all;
  for (const ConstantId id : constant_sets_.members(ConstantSetId{f.operands[0]})) {
    PropertyMap map{{}, {}, SetId::kNone};
    std::vector<FormulaId> ways;
    for (const auto& [name, value] : constant(id).parts) {
      map.names.push_back({name, value, 0});
      ways.push_back(lacks(name));
    }
    ways.push_back(not_members(std::move(map), {}));
    all.push_back(join(std::move(ways)));
    if (!step(ways.size())) break;
  }
  return meet(std::move(all));
}

// Returns the arrays or objects that satisfy `f`, if it is a disjunction of constants.
std::optional<std::vector<ConstantId>> Algebra::constants_of(const Formula& f) const {
  std::vector<ConstantId> constants;
  if (f.kind != FormulaKind::kOr) return std::nullopt;
  for (const std::uint32_t operand : f.operands) {
    const auto known = constant_of_.find(FormulaId{operand});
    if (known == constant_of_.end()) return std::nullopt;
    constants.push_back(known->second);
  }
  return constants;
}

std::optional<SchemaId> Algebra::schema_of(SetId set) const {
  for (;;) {
    const auto words = sets_[raw(set)];
    if (words[0] == raw(SetKind::kSchema)) return SchemaId{words[1]};
    if (words[0] == raw(SetKind::kShape)) return std::nullopt;
    const auto next = std::find_if(words.begin() + 1, words.end(),
                                   [&](std::uint32_t operand) { return sets_[operand][0] != raw(SetKind::kShape); });
    if (next == words.end()) return std::nullopt;
    set = SetId{*next};
  }
}

// Returns the JSON text of the only value of a set; nullopt if it may have several, or none.
std::optional<std::string> Algebra::value_text(SetId set, unsigned depth) {
  const Shape only = shape(set);
  const auto is_all = [&only](Shape part) { return part == only; };
  const auto text = [this](ExprId texts) { return regex::shortest_member(exprs_, texts, limits_.regex_fuel); };
  if (depth == kMaxTextDepth || only == Shape{}) return std::nullopt;
  if (is_all({.literals = Shape::kNull})) return "null";
  if (is_all({.literals = Shape::kTrue})) return "true";
  if (is_all({.literals = Shape::kFalse})) return "false";
  if (is_all({.strings = only.strings})) {
    const std::optional<std::string> string = regex::shortest_member(exprs_, only.strings, limits_.regex_fuel);
    if (!string || exprs_.literal(*string) != only.strings) return std::nullopt;
    return text(texts(only.strings));
  }
  if (is_all({.numbers = only.numbers})) {
    std::optional<std::string> number = text(only.numbers);
    const auto value = Decimal::parse(number.value_or(""), limits_);
    const auto all = value ? numbers_.value(*value) : ExprId::kNothing;
    return all && *all == only.numbers ? number : std::nullopt;
  }
  const bool is_object = is_all({.objects = only.objects});
  if (!is_object && !is_all({.arrays = only.arrays})) return std::nullopt;
  const auto known = constant_of_.find(is_object ? only.objects : only.arrays);
  if (known == constant_of_.end()) return std::nullopt;
  std::string out;
  for (const auto& [key, value] : constant(known->second).parts) {
    const std::optional<std::string> inner = value_text(value, depth + 1);
    const std::optional<std::string> before = is_object ? text(texts(literal(key))) : "";
    if (!inner || !before) return std::nullopt;
    out += (out.empty() ? "" : ", ") + *before + (is_object ? ": " : "") + *inner;
  }
  return is_object ? "{" + out + "}" : "[" + out + "]";
}

// Returns the operands of a combination, including those of operands of the same kind. A meet of many sets is made from two
// at a time, and each list in a text is a level of nesting, so its text is one list.
std::vector<SetId> Algebra::operands_in_text(SetId set, unsigned depth) {
  const SetKind kind{sets_[raw(set)][0]};
  std::vector<SetId> operands;
  std::vector<std::uint32_t> open{raw(set)};
  std::unordered_set<std::uint32_t> seen;
  while (!open.empty()) {
    const std::uint32_t one = open.back();
    open.pop_back();
    if (!seen.insert(one).second) continue;
    const auto words = sets_[one];
    const auto known = origins_.find(one);
    const SetId origin = known == origins_.end() ? SetId::kNone : known->second;  // value_text() may move the entries
    if (one == raw(set) || (SetKind{words[0]} == kind && kind != SetKind::kComplement)) {
      open.insert(open.end(), words.begin() + 1, words.end());
    } else if (SetKind{sets_[raw(origin)][0]} == kind && kind != SetKind::kComplement &&
               !value_text(SetId{one}, depth)) {
      open.push_back(raw(origin));
    } else {
      operands.push_back(SetId{one});
    }
  }
  return operands;
}

std::optional<std::string> Algebra::text_of(SetId set, const SchemaText& text_of_schema, unsigned depth) {
  const auto words = sets_[raw(set)];
  const SetKind kind{words[0]};
  if (kind == SetKind::kNone) return "false";
  if (kind == SetKind::kAny) return "true";
  if (kind == SetKind::kSchema) {
    if (words[2] != raw(ScopeId::kEmpty)) return std::nullopt;
    return text_of_schema(SchemaId{words[1]});
  }
  if (depth == kMaxTextDepth) return std::nullopt;
  if (kind == SetKind::kShape) {
    if (const std::optional<std::string> value = value_text(set, depth)) return R"({"enum": [)" + *value + "]}";
    const auto origin = origins_.find(raw(set));
    return origin == origins_.end() ? std::nullopt : text_of(origin->second, text_of_schema, depth);
  }
  std::string list;
  for (const SetId operand : operands_in_text(set, depth)) {
    const std::optional<std::string> part = text_of(operand, text_of_schema, depth + 1);
    if (!part || !step(1 + part->size() / kTextBytesOfStep)) return std::nullopt;
    list += (list.empty() ? "" : ", ") + *part;
  }
  if (kind == SetKind::kComplement) return R"({"not": )" + list + "}";
  return (kind == SetKind::kMeet ? R"({"allOf": [)" : R"({"anyOf": [)") + list + "]}";
}

bool Algebra::obviously_has_member(SetId set) const {
  if (any_.strings != ExprId::kAllStrings) return false;
  const auto words = sets_[raw(set)];
  return SetKind{words[0]} == SetKind::kSchema && schemas_.is_plain(SchemaId{words[1]});
}

// A search that excludes one value after another asks of many intersections whether they have a member. Each one has an
// operand more than the one before, and evaluating it makes an expression of all of them.

// Returns the operands of an intersection of many sets that has not been evaluated; of other sets none.
std::vector<SetId> Algebra::unevaluated_operands(SetId set) const {
  const auto words = sets_[raw(set)];
  std::vector<SetId> operands;
  if (SetKind{words[0]} != SetKind::kMeet || words.size() <= kMinOperandsToAsk || shapes_[raw(set)].has_value()) {
    return operands;
  }
  for (const std::uint32_t operand : words.subspan(1)) operands.push_back(SetId{operand});
  return operands;
}

std::optional<bool> Algebra::operands_have_member(SetId set) {
  const std::vector<SetId> operands = unevaluated_operands(set);
  if (operands.empty() || !step(operands.size())) return std::nullopt;
  std::uint8_t literals = Shape::kAllLiterals;
  for (const SetId operand : operands) {
    const auto words = sets_[raw(operand)];
    const bool is_complement = SetKind{words[0]} == SetKind::kComplement;
    const std::uint8_t of_operand = shape(is_complement ? SetId{words[1]} : operand).literals;
    literals &= static_cast<std::uint8_t>(is_complement ? ~of_operand : of_operand);
  }
  if (limit_hit() != base::Limit::kNone) return std::nullopt;
  if (literals != 0) return true;
  if (const auto shape = meet_with_string(operands)) return *shape != Shape{};
  if (has_noted_string_ && have_string(operands, noted_string_)) return true;
  return std::nullopt;
}

// Returns the intersection if one of the sets has one string only.
std::optional<Shape> Algebra::meet_with_string(std::span<const SetId> operands) {
  for (const SetId operand : operands) {
    if (const auto text = only_string(operand)) return have_string(operands, *text) ? shape(operand) : Shape{};
  }
  return std::nullopt;
}

// Returns true if all sets have the string. Complements are not evaluated.
bool Algebra::have_string(std::span<const SetId> operands, std::string_view text) {
  return std::ranges::all_of(operands, [&](SetId operand) {
    const auto words = sets_[raw(operand)];
    const bool is_complement = SetKind{words[0]} == SetKind::kComplement;
    return exprs_.matches(shape(is_complement ? SetId{words[1]} : operand).strings, text) != is_complement;
  });
}

std::optional<std::string> Algebra::only_string(SetId set) {
  if (SetKind{sets_[raw(set)][0]} == SetKind::kComplement) return std::nullopt;
  Shape value = shape(set);
  ExprId rest = std::exchange(value.strings, ExprId::kNothing);
  if (rest == ExprId::kNothing || value != Shape{} || exprs_.max_length(rest) > kMaxAskedBytes) return std::nullopt;
  std::string text;
  for (; rest != ExprId::kEpsilon; rest = exprs_.tail(rest)) {
    const ExprId head = exprs_.head(rest);
    if (exprs_.kind(head) != regex::ExprKind::kByteSet || exprs_.bytes(head).size() != 1) return std::nullopt;
    text.push_back(static_cast<char>(exprs_.bytes(head).first()));
  }
  return base::find_invalid_utf8(text) == std::string_view::npos ? std::optional(text) : std::nullopt;
}

void Algebra::note_string(SetId set, ExprId strings) {
  const auto words = sets_[raw(set)];
  if (SetKind{words[0]} != SetKind::kMeet || words.size() <= kMinOperandsToAsk) return;
  if (exprs_.min_length(strings) > kMaxAskedBytes || !regex::has_plain_member(exprs_, strings, kPlainMemberFuel))
    return;
  std::string text;
  regex::append_plain_member(exprs_, strings, text);
  if (text.size() > kMaxAskedBytes || base::find_invalid_utf8(text) != std::string_view::npos) return;
  noted_string_ = std::move(text);
  has_noted_string_ = true;
}

bool Algebra::has_member(ExprId e) {
  if (e == ExprId::kNothing) return false;
  if (const auto it = has_member_.find(raw(e)); it != has_member_.end()) return it->second;
  const std::size_t before = exprs_.node_count();
  const regex::Emptiness emptiness = regex::emptiness(exprs_, e, limits_.regex_fuel);
  steps_ += (exprs_.node_count() - before) * kStepsOfExpression;  // the call's work counts them when they are made
  if (emptiness == regex::Emptiness::kUnknown) {
    report_limit(exprs_.is_full() ? base::Limit::kRegexNodes : base::Limit::kRegexFuel);
    return false;
  }
  return has_member_[raw(e)] = emptiness == regex::Emptiness::kNonEmpty;
}

// The expression of the JSON texts is many times larger than that of the strings, so it is tried last. First comes a
// quick test for a string without escapes, then a search for a string in UTF-8, which always has a text.
bool Algebra::has_text(ExprId strings) {
  if (strings == ExprId::kNothing) return false;
  if (exprs_.has_plain_text(strings)) return true;
  if (exprs_.min_length(strings) <= kMaxPlainMemberBytes &&
      regex::has_plain_member(exprs_, strings, kPlainMemberFuel)) {
    std::string member;
    regex::append_plain_member(exprs_, strings, member);
    if (base::find_invalid_utf8(member) == std::string_view::npos) return true;
  }
  if (has_member(exprs_.intersection(strings, lengths(0, regex::kUnbounded)))) return true;
  if (limit_hit() != base::Limit::kNone || strings_.lone_surrogates == regex::LoneSurrogates::kForbidden) return false;
  return has_member(texts(strings));
}

std::size_t Algebra::memory_bytes() const {
  // Maps are stored twice, as interned words and as structs.
  return sets_.memory_bytes() + shapes_.size() * sizeof(std::optional<Shape>) + formulas_.memory_bytes() +
         combinations_.memory_bytes() + combined_.capacity() * sizeof(std::optional<FormulaId>) +
         shape_combinations_.memory_bytes() + combined_shapes_.capacity() * sizeof(std::optional<SetId>) +
         2 * (item_map_ids_.memory_bytes() + property_map_ids_.memory_bytes()) + 4 * order_ids_.memory_bytes() +
         base::node_bytes(has_member_) + complements_.capacity() * sizeof(FormulaId) + base::node_bytes(origins_) +
         names_.size() * sizeof(std::string) + literals_.capacity() * sizeof(ExprId) + name_bytes_ +
         constant_sets_.memory_bytes();
}

NameId Algebra::name(std::string_view text) {
  if (const auto it = name_ids_.find(text); it != name_ids_.end()) return it->second;
  const NameId id{static_cast<std::uint32_t>(names_.size())};
  names_.emplace_back(text);
  name_bytes_ += sizeof(std::string) + text.size();
  name_ids_.emplace(names_.back(), id);
  return id;
}

regex::ExprId Algebra::literal(NameId id) {
  if (raw(id) >= literals_.size()) literals_.resize(names_.size(), ExprId::kNothing);
  ExprId& known = literals_[raw(id)];
  if (known == ExprId::kNothing || known == ExprId::kOverflow) known = exprs_.literal(name(id));
  return known;
}

// Formulas: boolean combinations, without negation, of atoms about arrays and objects.

Formula Algebra::formula(FormulaId f) const {
  const auto words = formulas_[raw(f)];
  return {static_cast<FormulaKind>(words[0]), words.subspan(1)};
}

// Descends to the first atom. Operands are atoms or combinations; those of kOneOf and kNotOneOf may also be constants.
bool Algebra::is_about_objects(FormulaId f) const {
  for (;;) {
    const Formula node = formula(f);
    if (node.kind > FormulaKind::kNotOneOf) return node.kind >= FormulaKind::kMembers;
    const auto part = std::find_if(node.operands.begin(), node.operands.end(), [](std::uint32_t operand) {
      return operand != raw(FormulaId::kTrue) && operand != raw(FormulaId::kFalse);
    });
    if (part == node.operands.end()) return false;
    f = FormulaId{*part};
  }
}

FormulaId Algebra::intern_formula(FormulaKind kind, std::span<const std::uint32_t> operands) {
  words_.assign(1, raw(kind));
  words_.insert(words_.end(), operands.begin(), operands.end());
  return FormulaId{formulas_.intern(words_).first};
}

FormulaId Algebra::atom(FormulaKind kind, std::initializer_list<std::uint32_t> operands) {
  return intern_formula(kind, {operands.begin(), operands.size()});
}

// No text has 2^32 items or members, so larger counts make the atom constant.
FormulaId Algebra::counted(FormulaKind kind, std::uint64_t count) {
  const bool is_least = kind == FormulaKind::kMinItems || kind == FormulaKind::kMinMembers;
  if (count == 0 && is_least) return FormulaId::kTrue;
  if (count > UINT32_MAX) return is_least ? FormulaId::kFalse : FormulaId::kTrue;
  return atom(kind, {static_cast<std::uint32_t>(count)});
}

FormulaId Algebra::min_contains(SetId set, std::uint64_t count) {
  if (count == 0) return FormulaId::kTrue;
  if (set == SetId::kNone || count > UINT32_MAX) return FormulaId::kFalse;
  if (set == SetId::kAny) return min_items(count);
  return atom(FormulaKind::kMinContains, {raw(set), static_cast<std::uint32_t>(count)});
}

FormulaId Algebra::max_contains(SetId set, std::uint64_t count) {
  if (set == SetId::kNone || count > UINT32_MAX) return FormulaId::kTrue;
  if (set == SetId::kAny) return max_items(count);
  if (count == 0) return items({{}, complement(set)});
  return atom(FormulaKind::kMaxContains, {raw(set), static_cast<std::uint32_t>(count)});
}

OrderId Algebra::order(std::vector<NameId> names) {
  words_.clear();
  for (const NameId name : names) words_.push_back(raw(name));
  const auto [id, is_new] = order_ids_.intern(words_);
  if (is_new) {
    NameOrder& order = orders_.emplace_back();
    for (std::uint32_t i = 0; i < names.size(); ++i) order.ranks.emplace_back(names[i], i + 1);
    std::ranges::sort(order.ranks);
    order.names = std::move(names);
  }
  return OrderId{id};
}

std::uint32_t Algebra::rank(OrderId order, NameId name) const {
  const auto& ranks = orders_[raw(order)].ranks;
  const auto found = std::ranges::lower_bound(ranks, name, {}, &std::pair<NameId, std::uint32_t>::first);
  return found != ranks.end() && found->first == name ? found->second : 0;
}

ItemMapId Algebra::intern(ItemMap map) {
  while (!map.prefix.empty() && map.prefix.back() == map.rest) map.prefix.pop_back();
  // If no value is possible at some index, the array ends before it, and later sets do not matter.
  const auto none = std::find(map.prefix.begin(), map.prefix.end(), SetId::kNone);
  if (none != map.prefix.end()) {
    map.prefix.erase(none, map.prefix.end());
    map.rest = SetId::kNone;
  }
  // From the end: a map is its first set and the map of the later items.
  auto [id, is_new] = item_map_ids_.intern(std::array{raw(map.rest)});
  if (is_new) {
    item_maps_.push_back({{}, map.rest});
    item_map_tails_.push_back(ItemMapId{id});
  }
  std::span<const SetId> list;
  for (std::size_t i = map.prefix.size(); i-- > 0;) {
    const std::uint32_t tail = id;
    std::tie(id, is_new) = item_map_ids_.intern(std::array{raw(map.prefix[i]), tail});
    if (!is_new) continue;
    if (list.empty()) list = item_lists_.emplace_back(map.prefix);
    item_maps_.push_back({list.subspan(i), map.rest});
    item_map_tails_.push_back(ItemMapId{tail});
  }
  return ItemMapId{id};
}

FormulaId Algebra::about_items(FormulaKind kind, ItemMapId map) {
  const SharedItemMap& interned = item_map(map);
  if (!interned.prefix.empty() || interned.rest != SetId::kAny) return atom(kind, {raw(map)});
  return kind == FormulaKind::kItems ? FormulaId::kTrue : FormulaId::kFalse;
}

FormulaId Algebra::items(ItemMap map) { return about_items(FormulaKind::kItems, intern(std::move(map))); }

// Patterns with the same set are merged into one, because keys are split by all combinations of overlapping patterns.
PropertyMapId Algebra::intern(PropertyMap map) {
  std::sort(map.names.begin(), map.names.end());
  if (map.patterns.size() > 1) {
    std::map<SetId, std::vector<regex::ExprId>> patterns;
    for (const auto& [pattern, set] : map.patterns) patterns[set].push_back(pattern);
    map.patterns.clear();
    for (auto& [set, languages] : patterns) {
      map.patterns.emplace_back(languages.size() == 1 ? languages[0] : exprs_.alternation(languages), set);
    }
    std::sort(map.patterns.begin(), map.patterns.end());
  }
  regex::ScratchPool<std::uint32_t>::Lease lease(free_words_);
  std::vector<std::uint32_t>& words = *lease;
  words.assign({raw(map.other), static_cast<std::uint32_t>(map.names.size())});
  for (const PropertyMap::Named& named : map.names) {
    words.insert(words.end(), {raw(named.name), raw(named.set), static_cast<std::uint32_t>(named.order),
                               static_cast<std::uint32_t>(named.order >> 32U)});
    has_declared_order_ = has_declared_order_ || named.order != 0;
  }
  for (const auto& [pattern, set] : map.patterns) words.insert(words.end(), {raw(pattern), raw(set)});
  const auto [id, is_new] = property_map_ids_.intern(words);
  if (is_new) property_maps_.push_back(std::move(map));
  return PropertyMapId{id};
}

namespace {

bool allows_all(const PropertyMap& map) {
  return map.other == SetId::kAny &&
         std::all_of(map.names.begin(), map.names.end(),
                     [](const PropertyMap::Named& n) { return n.set == SetId::kAny; }) &&
         std::all_of(map.patterns.begin(), map.patterns.end(), [](const auto& p) { return p.second == SetId::kAny; });
}

bool constrains_nothing(const PropertyMap& map) {
  return allows_all(map) &&
         std::all_of(map.names.begin(), map.names.end(), [](const PropertyMap::Named& n) { return n.order == 0; });
}

}  // namespace

FormulaId Algebra::members(PropertyMap map) {
  if (constrains_nothing(map)) return FormulaId::kTrue;
  // A name for which no value is possible is excluded: kLacks.
  std::vector<FormulaId> parts;
  if (map.other == SetId::kAny && map.patterns.empty()) {
    std::erase_if(map.names, [&](const PropertyMap::Named& named) {
      const bool is_lacking = named.set == SetId::kNone && named.order == 0;
      if (is_lacking) parts.push_back(lacks(named.name));
      return is_lacking;
    });
  }
  if (!constrains_nothing(map)) parts.push_back(atom(FormulaKind::kMembers, {raw(intern(std::move(map)))}));
  return parts.size() == 1 ? parts[0] : meet(std::move(parts));
}

FormulaId Algebra::not_members(PropertyMap map, std::vector<NameId> apart) {
  // The set of a name in `apart` does not count, so it is widened to kAny. If the map constrains listed names only,
  // that says it all, and `apart` is not needed.
  for (PropertyMap::Named& named : map.names) {
    if (std::find(apart.begin(), apart.end(), named.name) != apart.end()) named.set = SetId::kAny;
  }
  if (map.other == SetId::kAny && map.patterns.empty()) apart.clear();
  if (allows_all(map)) return FormulaId::kFalse;
  std::vector<std::uint32_t> operands{raw(intern(std::move(map)))};
  for (const NameId name : apart) operands.push_back(raw(name));
  std::sort(operands.begin() + 1, operands.end());
  operands.erase(std::unique(operands.begin() + 1, operands.end()), operands.end());
  return intern_formula(FormulaKind::kNotMembers, operands);
}

const PropertyMap::Named* PropertyMap::only_name() const {
  if (!patterns.empty() || other != SetId::kAny) return nullptr;
  const auto counts = [](const Named& named) { return named.set != SetId::kAny; };
  const auto only = std::ranges::find_if(names, counts);
  const bool is_alone = only != names.end() && std::find_if(only + 1, names.end(), counts) == names.end();
  return is_alone ? &*only : nullptr;
}

std::optional<FormulaId> Algebra::broken_by_one_name(const Formula& f) {
  if (f.kind != FormulaKind::kNotMembers) return std::nullopt;
  const PropertyMap::Named* only = property_map(PropertyMapId{f.operands[0]}).only_name();
  if (only == nullptr) return std::nullopt;
  const NameId name = only->name;
  return meet(has(name), members({{{name, complement(only->set), 0}}, {}, SetId::kAny}));
}

ItemMap Algebra::meet(const SharedItemMap& a, const SharedItemMap& b) {
  ItemMap both{{}, meet(a.rest, b.rest)};
  for (std::size_t i = 0; i < std::max(a.prefix.size(), b.prefix.size()); ++i) {
    both.prefix.push_back(meet(i < a.prefix.size() ? a.prefix[i] : a.rest, i < b.prefix.size() ? b.prefix[i] : b.rest));
  }
  return both;
}

// Returns one map that is equivalent to both, if they have the same patterns; else nullopt. Other maps could only be
// merged by matching all names against all patterns, mostly without use.
std::optional<PropertyMap> Algebra::meet(const PropertyMap& a, const PropertyMap& b) {
  const auto same_pattern = [](const auto& x, const auto& y) { return x.first == y.first; };
  if (!std::equal(a.patterns.begin(), a.patterns.end(), b.patterns.begin(), b.patterns.end(), same_pattern)) {
    return std::nullopt;
  }
  // A name that only one of them lists would have to be matched against the patterns.
  const auto same_name = [](const PropertyMap::Named& x, const PropertyMap::Named& y) { return x.name == y.name; };
  if (!a.patterns.empty() && !std::equal(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(), same_name)) {
    return std::nullopt;
  }
  PropertyMap both{{}, {}, meet(a.other, b.other)};
  both.names.reserve(std::max(a.names.size(), b.names.size()));
  auto x = a.names.begin();
  auto y = b.names.begin();
  while (x != a.names.end() || y != b.names.end()) {
    step();
    if (y == b.names.end() || (x != a.names.end() && x->name < y->name)) {
      both.names.push_back({x->name, meet(x->set, b.other), x->order});
      ++x;
    } else if (x == a.names.end() || y->name < x->name) {
      both.names.push_back({y->name, meet(y->set, a.other), y->order});
      ++y;
    } else {
      // A map that does not order the name leaves it where the other one has it.
      const bool has_both = x->order != 0 && y->order != 0;
      both.names.push_back(
          {x->name, meet(x->set, y->set), has_both ? std::min(x->order, y->order) : x->order | y->order});
      ++x;
      ++y;
    }
  }
  for (std::size_t i = 0; i < a.patterns.size(); ++i) {
    both.patterns.emplace_back(a.patterns[i].first, meet(a.patterns[i].second, b.patterns[i].second));
  }
  return both;
}

FormulaId Algebra::meet(FormulaId a, FormulaId b) { return a == b ? a : combine(FormulaKind::kAnd, std::array{a, b}); }
FormulaId Algebra::join(FormulaId a, FormulaId b) { return a == b ? a : combine(FormulaKind::kOr, std::array{a, b}); }

FormulaId Algebra::combine(FormulaKind kind, std::span<const FormulaId> formulas) {
  step(formulas.size());
  const FormulaId neutral = kind == FormulaKind::kAnd ? FormulaId::kTrue : FormulaId::kFalse;
  const FormulaId absorbing = kind == FormulaKind::kAnd ? FormulaId::kFalse : FormulaId::kTrue;
  if (std::ranges::find(formulas, absorbing) != formulas.end()) return absorbing;
  regex::ScratchPool<FormulaId>::Lease operands(free_formulas_);
  flatten(kind, formulas, *operands);
  if (operands->empty()) return neutral;
  if (operands->size() == 1) return operands->front();
  if (operands->size() > kMaxKnownOperands) return combine_operands(kind, *operands);
  words_.assign(1, raw(kind));
  for (const FormulaId f : *operands) words_.push_back(raw(f));
  const std::uint32_t id = combinations_.intern(words_).first;
  if (id == combined_.size()) combined_.emplace_back();
  if (!combined_[id].has_value()) {
    const FormulaId result = combine_operands(kind, *operands);
    if (limit_hit() != base::Limit::kNone) return result;
    combined_[id] = result;
  }
  return *combined_[id];
}

// Appends the operands of a combination of `formulas`, ascending. Precondition: `operands` is empty.
void Algebra::flatten(FormulaKind kind, std::span<const FormulaId> formulas, std::vector<FormulaId>& operands) const {
  const FormulaId neutral = kind == FormulaKind::kAnd ? FormulaId::kTrue : FormulaId::kFalse;
  for (const FormulaId f : formulas) {
    if (f == neutral) continue;
    const Formula node = formula(f);
    if (node.kind == kind) {
      for (const std::uint32_t operand : node.operands) operands.push_back(FormulaId{operand});
    } else {
      operands.push_back(f);
    }
  }
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
}

void Algebra::flatten(FormulaKind kind, std::vector<FormulaId>& formulas) {
  regex::ScratchPool<FormulaId>::Lease operands(free_formulas_);
  flatten(kind, formulas, *operands);
  formulas.swap(*operands);
}

// Returns the combination of operands that flatten() has found, and changes them.
FormulaId Algebra::combine_operands(FormulaKind kind, std::vector<FormulaId>& operands) {
  const bool is_and = kind == FormulaKind::kAnd;
  const FormulaId neutral = is_and ? FormulaId::kTrue : FormulaId::kFalse;
  const FormulaId absorbing = is_and ? FormulaId::kFalse : FormulaId::kTrue;
  if (is_and && std::ssize(operands) > kManyMembersAtoms) {
    // Atoms about members that are merged one by one would each copy all that were merged before.
    const auto is_other = [&](FormulaId f) { return formula(f).kind != FormulaKind::kMembers; };
    const auto members = std::stable_partition(operands.begin(), operands.end(), is_other);
    if (const std::ptrdiff_t count = operands.end() - members; count > kManyMembersAtoms) {
      std::vector<FormulaId> merged(operands.begin(), members);
      merged.push_back(meet(std::span(members, members + count / 2)));
      merged.push_back(meet(std::span(members + count / 2, operands.end())));
      operands = std::move(merged);
    }
    flatten(kind, operands);
  }
  if (is_and && operands.size() > 1 && merge_atoms(operands)) flatten(kind, operands);
  if (operands.empty()) return neutral;
  if (std::find(operands.begin(), operands.end(), absorbing) != operands.end()) return absorbing;
  if (operands.size() > 1) absorb(kind, operands);
  if (is_and && operands.size() > 1 && drop_excluded(operands)) return combine(kind, operands);
  if (operands.size() == 1) return operands[0];
  if (const auto constants = is_and ? narrowed(operands) : std::nullopt) return *constants;
  for (const FormulaId f : operands) {
    const FormulaId other = known_complement(f);
    if (other != FormulaId::kFalse && std::binary_search(operands.begin(), operands.end(), other)) return absorbing;
  }
  words_.assign(1, raw(kind));
  for (const FormulaId f : operands) words_.push_back(raw(f));
  return FormulaId{formulas_.intern(words_).first};
}

// Returns a conjunction with many constants as the constants that satisfy the other operands, if that is known of each.
std::optional<FormulaId> Algebra::narrowed(const std::vector<FormulaId>& operands) {
  const auto many = std::ranges::find_if(operands, [&](FormulaId f) {
    const Formula node = formula(f);
    return node.kind == FormulaKind::kOr && node.operands.size() >= kLongEnum &&
           constant_of(FormulaId{node.operands[0]});
  });
  if (many == operands.end()) return std::nullopt;
  const auto constants = constants_of(*many);
  if (!constants || !step(constants->size())) return std::nullopt;
  std::vector<FormulaId> left;
  for (const std::uint32_t operand : formula(*many).operands) left.push_back(FormulaId{operand});
  for (const FormulaId other : operands) {
    if (other == *many) continue;
    const Formula node = formula(other);
    const bool excludes = node.kind == FormulaKind::kNotArrays || node.kind == FormulaKind::kNotObjects;
    const bool lists = node.kind == FormulaKind::kOr && constants_of(node);
    const std::vector<std::uint32_t> listed(node.operands.begin(), node.operands.end());
    std::vector<FormulaId> kept;
    for (const FormulaId f : left) {
      FormulaId met = FormulaId::kFalse;
      if (excludes) {
        if (!constant_sets_.contains(ConstantSetId{listed[0]}, *constant_of(f))) met = f;
      } else if (lists) {
        if (std::ranges::binary_search(listed, raw(f))) met = f;
      } else {
        met = meet(f, other);
      }
      if (met == f) kept.push_back(f);
      if (met != f && met != FormulaId::kFalse) return std::nullopt;
    }
    left = std::move(kept);
  }
  return join(std::move(left));
}

// x | (x & y) = x, and x & (x | y) = x.
void Algebra::absorb(FormulaKind kind, std::vector<FormulaId>& operands) const {
  if (operands.size() > kMaxAbsorbOperands) return;
  const FormulaKind dual = kind == FormulaKind::kAnd ? FormulaKind::kOr : FormulaKind::kAnd;
  const auto is_part = [&](FormulaId part, const Formula& whole) {
    const Formula node = formula(part);
    if (node.kind != dual) return std::binary_search(whole.operands.begin(), whole.operands.end(), raw(part));
    return std::includes(whole.operands.begin(), whole.operands.end(), node.operands.begin(), node.operands.end());
  };
  const auto may_be_absorbed = [&](FormulaId f) { return formula(f).kind == dual; };
  if (std::ranges::none_of(operands, may_be_absorbed)) return;
  std::vector<FormulaId> kept;
  for (const FormulaId f : operands) {
    const Formula node = formula(f);
    const bool is_absorbed = node.kind == dual && std::any_of(operands.begin(), operands.end(), [&](FormulaId other) {
                               return other != f && is_part(other, node);
                             });
    if (!is_absorbed) kept.push_back(f);
  }
  operands = std::move(kept);
}

// x & (!x | y) = x & y. Returns true if something changed.
bool Algebra::drop_excluded(std::vector<FormulaId>& operands) {
  if (operands.size() > kMaxAbsorbOperands) return false;
  bool changed = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Formula node = formula(operands[i]);
    if (node.kind != FormulaKind::kOr || node.operands.size() > kMaxAbsorbOperands) continue;
    const auto is_excluded = [&](std::uint32_t way) {
      const FormulaId excluded = known_complement(FormulaId{way});
      return excluded != FormulaId::kFalse && std::ranges::find(operands, excluded) != operands.end();
    };
    step(node.operands.size());
    if (std::ranges::none_of(node.operands, is_excluded)) continue;
    std::vector<FormulaId> kept;
    for (const std::uint32_t way : node.operands) {
      if (!is_excluded(way)) kept.push_back(FormulaId{way});
    }
    operands[i] = join(std::move(kept));
    changed = true;
  }
  return changed;
}

// Merges atoms of the same kind in a conjunction, so that later steps process fewer of them. Also detects some
// contradictions; it then adds kFalse. Returns true if something changed.
bool Algebra::merge_atoms(std::vector<FormulaId>& atoms) {
  bool changed = false;
  std::optional<std::size_t> item_atom;
  std::vector<std::size_t> member_atoms;
  regex::ScratchPool<NameId>::Lease required(free_names_);
  regex::ScratchPool<NameId>::Lease lacking(free_names_);
  std::vector<std::size_t> order_atoms;
  constexpr std::size_t kNone = SIZE_MAX;
  std::array<std::size_t, raw(FormulaKind::kInOrder)> first_of_kind;  // of the kinds that are merged to one atom
  first_of_kind.fill(kNone);
  const auto count_of = [&](FormulaKind kind) -> std::optional<std::uint32_t> {
    const std::size_t first = first_of_kind[raw(kind)];
    if (first == kNone) return std::nullopt;
    return formula(atoms[first]).operands[0];
  };
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Formula f = formula(atoms[i]);
    switch (f.kind) {
      case FormulaKind::kMinItems:
      case FormulaKind::kMaxItems:
      case FormulaKind::kMinMembers:
      case FormulaKind::kMaxMembers: {
        const std::size_t first = first_of_kind[raw(f.kind)];
        if (first == kNone) {
          first_of_kind[raw(f.kind)] = i;
          break;
        }
        const std::uint32_t known = formula(atoms[first]).operands[0];
        const bool is_least = f.kind == FormulaKind::kMinItems || f.kind == FormulaKind::kMinMembers;
        if (is_least == (f.operands[0] > known)) std::swap(atoms[first], atoms[i]);
        atoms[i] = FormulaId::kTrue;
        changed = true;
        break;
      }
      case FormulaKind::kItems: {
        if (!item_atom.has_value()) {
          item_atom = i;
          break;
        }
        const ItemMapId first{formula(atoms[*item_atom]).operands[0]};
        const ItemMapId second{f.operands[0]};
        atoms[*item_atom] = items(meet(item_map(first), item_map(second)));
        atoms[i] = FormulaId::kTrue;
        changed = true;
        break;
      }
      case FormulaKind::kNotArrays:
      case FormulaKind::kNotObjects: {
        const std::size_t first = first_of_kind[raw(f.kind)];
        if (first == kNone) {
          first_of_kind[raw(f.kind)] = i;
          break;
        }
        const ConstantSetId known{formula(atoms[first]).operands[0]};
        atoms[first] = none_of(constant_sets_.join(known, ConstantSetId{f.operands[0]}));
        atoms[i] = FormulaId::kTrue;
        changed = true;
        break;
      }
      case FormulaKind::kMembers: {
        bool joined = false;
        for (const std::size_t k : member_atoms) {
          if (formula(atoms[k]).kind != FormulaKind::kMembers) continue;
          const PropertyMapId first{formula(atoms[k]).operands[0]};
          const PropertyMapId second{formula(atoms[i]).operands[0]};
          auto both = meet(property_map(first), property_map(second));
          if (!both.has_value()) continue;
          atoms[k] = members(std::move(*both));
          atoms[i] = FormulaId::kTrue;
          joined = changed = true;
          break;
        }
        if (!joined) member_atoms.push_back(i);
        break;
      }
      case FormulaKind::kHas: required->push_back(NameId{f.operands[0]}); break;
      case FormulaKind::kLacks: lacking->push_back(NameId{f.operands[0]}); break;
      case FormulaKind::kInOrder: {
        const auto same = std::ranges::find_if(
            order_atoms, [&](std::size_t k) { return formula(atoms[k]).operands[0] == f.operands[0]; });
        if (same == order_atoms.end()) {
          order_atoms.push_back(i);
          break;
        }
        if (f.operands[1] > formula(atoms[*same]).operands[1]) std::swap(atoms[*same], atoms[i]);
        atoms[i] = FormulaId::kTrue;
        changed = true;
        break;
      }
      default: break;
    }
  }
  const auto contradicts = [&](FormulaKind least, FormulaKind most) {
    const auto min = count_of(least);
    const auto max = count_of(most);
    return min.has_value() && max.has_value() && *min > *max;
  };
  bool is_false = contradicts(FormulaKind::kMinItems, FormulaKind::kMaxItems) ||
                  contradicts(FormulaKind::kMinMembers, FormulaKind::kMaxMembers);
  if (const auto min = count_of(FormulaKind::kMinItems); min.has_value() && item_atom.has_value()) {
    const Formula f = formula(atoms[*item_atom]);
    if (f.kind == FormulaKind::kItems) {
      const SharedItemMap& map = item_map(ItemMapId{f.operands[0]});
      is_false = is_false || (map.rest == SetId::kNone && *min > map.prefix.size());
    }
  }
  std::ranges::sort(*lacking);
  for (const NameId name : *required) {
    is_false = is_false || std::ranges::binary_search(*lacking, name);
    for (const std::size_t i : member_atoms) is_false = is_false || forbids(formula(atoms[i]), name);
    for (const std::size_t i : order_atoms) is_false = is_false || forbids(formula(atoms[i]), name);
  }
  if (is_false) atoms.push_back(FormulaId::kFalse);
  return changed || is_false;
}

// Returns true if `atom` is a kMembers whose map has kNone for the name, as far as that is known without matching
// patterns, or a kInOrder that has passed the name.
bool Algebra::forbids(const Formula& atom, NameId name) const {
  if (atom.kind == FormulaKind::kInOrder) {
    const std::uint32_t position = rank(OrderId{atom.operands[0]}, name);
    return position != 0 && position <= atom.operands[1];
  }
  if (atom.kind != FormulaKind::kMembers) return false;
  const PropertyMap& map = property_map(PropertyMapId{atom.operands[0]});
  const auto at = std::lower_bound(map.names.begin(), map.names.end(), name,
                                   [](const PropertyMap::Named& n, NameId wanted) { return n.name < wanted; });
  if (at != map.names.end() && at->name == name) return at->set == SetId::kNone;
  return map.patterns.empty() && map.other == SetId::kNone;
}

FormulaId Algebra::complement(FormulaId f) {
  if (f == FormulaId::kFalse) return FormulaId::kTrue;
  if (f == FormulaId::kTrue) return FormulaId::kFalse;
  if (const FormulaId known = known_complement(f); known != FormulaId::kFalse) return known;
  step();
  const Formula node = formula(f);
  std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
  FormulaId result = FormulaId::kFalse;
  if (auto constants = constants_of(node)) {
    result = none_of(*std::move(constants));
  } else if (node.kind == FormulaKind::kAnd || node.kind == FormulaKind::kOr) {
    const FormulaKind dual = node.kind == FormulaKind::kAnd ? FormulaKind::kOr : FormulaKind::kAnd;
    result = base::with_stack([&] {
      std::vector<FormulaId> parts;
      for (const std::uint32_t operand : operands) parts.push_back(complement(FormulaId{operand}));
      return combine(dual, std::move(parts));
    });
  } else {
    result = complement_of_atom(node.kind, std::move(operands));
  }
  complements_.resize(formulas_.size(), FormulaId::kFalse);
  for (const auto& [one, other] : {std::pair(f, result), std::pair(result, f)}) {
    if (complements_[raw(one)] == FormulaId::kFalse) complements_[raw(one)] = other;
  }
  return result;
}

FormulaId Algebra::one_of(const std::vector<FormulaId>& formulas) {
  std::vector<std::uint32_t> operands;
  for (const FormulaId f : formulas) {
    if (f != FormulaId::kFalse) operands.push_back(raw(f));
  }
  std::sort(operands.begin(), operands.end());
  // Where an operand that stands here more than once holds, more than one does: a third copy says nothing more.
  std::size_t kept = 0;
  for (const std::uint32_t operand : operands) {
    if (kept < 2 || operand != operands[kept - 2]) operands[kept++] = operand;
  }
  operands.resize(kept);
  if (std::ranges::count(operands, raw(FormulaId::kTrue)) > 1) return FormulaId::kFalse;
  if (operands.empty()) return FormulaId::kFalse;
  if (operands.size() == 1) return FormulaId{operands[0]};
  return intern_formula(FormulaKind::kOneOf, operands);
}

FormulaId Algebra::complement_of_atom(FormulaKind kind, std::vector<std::uint32_t> operands) {
  const std::uint64_t count = operands.back();
  switch (kind) {
    case FormulaKind::kOneOf: return intern_formula(FormulaKind::kNotOneOf, operands);
    case FormulaKind::kNotOneOf: return intern_formula(FormulaKind::kOneOf, operands);
    case FormulaKind::kItems: return atom(FormulaKind::kNotItems, {operands[0]});
    case FormulaKind::kNotItems: return atom(FormulaKind::kItems, {operands[0]});
    case FormulaKind::kMinItems: return max_items(count - 1);
    case FormulaKind::kMaxItems: return min_items(count + 1);
    case FormulaKind::kMinContains: return max_contains(SetId{operands[0]}, count - 1);
    case FormulaKind::kMaxContains: return min_contains(SetId{operands[0]}, count + 1);
    case FormulaKind::kUnique: return not_unique(complement(SetId{operands[0]}));
    case FormulaKind::kNotUnique: return unique(complement(SetId{operands[0]}));
    case FormulaKind::kMembers: return atom(FormulaKind::kNotMembers, {operands[0]});
    // There are no further operands: only derivatives list names, and they are never complemented.
    case FormulaKind::kNotMembers: return atom(FormulaKind::kMembers, {operands[0]});
    case FormulaKind::kHas: return lacks(NameId{operands[0]});
    case FormulaKind::kLacks: return has(NameId{operands[0]});
    case FormulaKind::kMinMembers: return max_members(count - 1);
    case FormulaKind::kMaxMembers: return min_members(count + 1);
    case FormulaKind::kNotArrays:
    case FormulaKind::kNotObjects: {
      std::vector<FormulaId> ways;
      for (const ConstantId id : constant_sets_.members(ConstantSetId{operands[0]})) {
        ways.push_back(formula_of(constant(id)));
      }
      return join(std::move(ways));
    }
    case FormulaKind::kInOrder:  // not in a set of values
    case FormulaKind::kFalse:
    case FormulaKind::kTrue:
    case FormulaKind::kAnd:
    case FormulaKind::kOr: break;  // complement() has them
  }
  return FormulaId::kFalse;
}

}  // namespace weir::frontend::json_schema
