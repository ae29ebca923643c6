#include "frontend/json_schema/model/value_list.h"

#include "frontend/json_schema/model/witness.h"

namespace weir::frontend::json_schema {

ValueList::ValueList(Algebra& algebra, Witness& witness, SetId set)
    : algebra_(algebra), witness_(witness), left_(algebra.shape(set)) {}

std::optional<SetId> ValueList::next() {
  if (!is_searched_) {
    if (const auto listed = next_listed()) return listed;
    if (algebra_.limit_hit() != base::Limit::kNone) return std::nullopt;
    is_searched_ = true;
    left_.strings = regex::ExprId::kNothing;
    const SetId others = algebra_.set(left_);
    if (!listed_numbers_.empty()) left_ = algebra_.shape(algebra_.without(others, std::move(listed_numbers_)));
  }
  const SetId rest = algebra_.set(left_);
  if (!algebra_.step() || !witness_.has_member(rest)) return std::nullopt;
  const SetId value = witness_.single(rest);
  left_ = algebra_.shape(algebra_.without(rest, {value}));
  return value;
}

std::optional<SetId> ValueList::next_listed() {
  if (!algebra_.step()) return std::nullopt;
  for (const std::uint8_t literal : {Shape::kNull, Shape::kTrue, Shape::kFalse}) {
    if ((left_.literals & literal) == 0) continue;
    left_.literals &= static_cast<std::uint8_t>(~literal);
    Shape value;
    value.literals = literal;
    return algebra_.set(value);
  }
  if (const auto number = next_number()) return number;
  if (const auto string = next_string()) return string;
  return next_constant();
}

std::optional<SetId> ValueList::next_number() {
  if (left_.numbers == regex::ExprId::kNothing) return std::nullopt;
  const Limits& limits = algebra_.limits();
  if (!numbers_) {
    NumberLanguage& numbers = algebra_.numbers();
    const regex::ExprId texts = algebra_.exprs().intersection(numbers.written(left_.numbers), numbers.shortest_plain());
    numbers_.emplace(algebra_.exprs(), texts, limits.regex_fuel);
  }
  const auto text = numbers_->next();
  if (!text || !algebra_.step()) return std::nullopt;
  const Result<Decimal> number = Decimal::parse(*text, limits);
  if (!number) return std::nullopt;
  Shape value;
  value.numbers = algebra_.numbers_or_limit(algebra_.numbers().value(*number));
  listed_numbers_.push_back(algebra_.set(value));
  return listed_numbers_.back();
}

std::optional<SetId> ValueList::next_string() {
  if (left_.strings == regex::ExprId::kNothing) return std::nullopt;
  regex::ExprSet& exprs = algebra_.exprs();
  if (!strings_) {
    const regex::ExprId texts = exprs.intersection(left_.strings, algebra_.lengths(0, regex::kUnbounded));
    strings_.emplace(exprs, texts, algebra_.limits().regex_fuel);
  }
  while (const auto text = strings_->next()) {
    if (!algebra_.step()) break;
    Shape value;
    value.strings = exprs.literal(*text);
    if (algebra_.has_text(value.strings)) return algebra_.set(value);
  }
  return std::nullopt;
}

std::optional<SetId> ValueList::next_constant() {
  if (!has_constants_) {
    has_constants_ = true;
    const auto list = [&](FormulaId& f, FormulaId Shape::*part) {
      if (!algebra_.constants_of(f)) return;
      const Formula node = algebra_.formula(f);
      const std::vector<std::uint32_t> operands(node.operands.begin(), node.operands.end());
      if (!algebra_.step(operands.size())) return;
      for (const std::uint32_t operand : operands) {
        Shape value;
        value.*part = FormulaId{operand};
        constants_.push_back(algebra_.set(value));
      }
      f = FormulaId::kFalse;
    };
    list(left_.objects, &Shape::objects);
    list(left_.arrays, &Shape::arrays);
  }
  if (constants_.empty()) return std::nullopt;
  const SetId value = constants_.back();
  constants_.pop_back();
  return value;
}

std::optional<SetId> DifferentValues::first_unused(SetId set, std::optional<SetId> (ValueList::*next)()) {
  ValueList& list = lists_.try_emplace(set, algebra_, witness_, set).first->second;
  for (;;) {
    const std::optional<SetId> value = (list.*next)();
    if (!value || used_.insert(*value).second) return value;
  }
}

}  // namespace weir::frontend::json_schema
