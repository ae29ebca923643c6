#include "frontend/lark/parameter.h"

#include <bit>

namespace weir::frontend::lark {

namespace {

std::uint64_t ones(BitRange bits) {
  const std::uint32_t count = bits.end - bits.first;
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::uint64_t value_of(BitRange bits, std::uint64_t parameter) { return (parameter >> bits.first) & ones(bits); }

bool compare(ConditionStep::Order order, std::uint64_t a, std::uint64_t b) {
  switch (order) {
    case ConditionStep::Order::kEqual: return a == b;
    case ConditionStep::Order::kNotEqual: return a != b;
    case ConditionStep::Order::kLess: return a < b;
    case ConditionStep::Order::kLessEqual: return a <= b;
    case ConditionStep::Order::kGreater: return a > b;
    case ConditionStep::Order::kGreaterEqual: return a >= b;
  }
  return false;
}

}  // namespace

std::uint64_t evaluate(const ParameterExpr& expr, std::uint64_t parameter) {
  const std::uint64_t one = std::uint64_t{1} << expr.bits.first;
  switch (expr.kind) {
    case ParameterExpr::Kind::kSame: return parameter;
    case ParameterExpr::Kind::kConstant: return expr.value;
    case ParameterExpr::Kind::kAnd: return parameter & expr.value;
    case ParameterExpr::Kind::kOr: return parameter | expr.value;
    case ParameterExpr::Kind::kIncrement:
      return value_of(expr.bits, parameter) == ones(expr.bits) ? parameter : parameter + one;
    case ParameterExpr::Kind::kDecrement: return value_of(expr.bits, parameter) == 0 ? parameter : parameter - one;
  }
  return parameter;
}

bool holds(const Condition& condition, std::uint64_t parameter) {
  std::vector<bool> values;
  const auto take = [&] {
    const bool value = values.back();
    values.pop_back();
    return value;
  };
  for (const ConditionStep& step : condition) {
    const std::uint64_t value = value_of(step.bits, parameter);
    switch (step.kind) {
      case ConditionStep::Kind::kTrue: values.push_back(true); break;
      case ConditionStep::Kind::kCompare: values.push_back(compare(step.order, value, step.value)); break;
      case ConditionStep::Kind::kCompareCount:
        values.push_back(compare(step.order, static_cast<std::uint64_t>(std::popcount(value)), step.value));
        break;
      case ConditionStep::Kind::kNot: values.push_back(!take()); break;
      case ConditionStep::Kind::kAnd:
      case ConditionStep::Kind::kOr: {
        const bool b = take();
        const bool a = take();
        values.push_back(step.kind == ConditionStep::Kind::kAnd ? a && b : a || b);
        break;
      }
    }
  }
  return values.back();
}

}  // namespace weir::frontend::lark
