// Parameters of rules, `rule::incr(_)`, and conditions on them, `%if lt(_, 20)`. A parameter is a 64-bit number.
#ifndef WEIR_SRC_FRONTEND_LARK_PARAMETER_H_
#define WEIR_SRC_FRONTEND_LARK_PARAMETER_H_

#include <cstdint>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::lark {

/// The bits [first, end) of a parameter; `_` denotes all bits.
struct BitRange {
  std::uint32_t first = 0;
  std::uint32_t end = 64;
};

/// A parameter computed from the parameter of the rule that it is used in.
struct ParameterExpr {
  enum class Kind : std::uint8_t { kSame, kConstant, kAnd, kOr, kIncrement, kDecrement };
  Kind kind = Kind::kSame;
  std::uint64_t value = 0;  ///< For kConstant, kAnd, kOr.
  BitRange bits = {};       ///< For kIncrement, kDecrement; both saturate at the bounds of the range.
  SourceRange where = {};
};

std::uint64_t evaluate(const ParameterExpr& expr, std::uint64_t parameter);

/// One step of a condition in postfix order: a comparison pushes a truth value, an operator pops its operands.
struct ConditionStep {
  enum class Kind : std::uint8_t { kTrue, kCompare, kCompareCount, kAnd, kOr, kNot };
  enum class Order : std::uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };
  Kind kind = Kind::kTrue;
  Order order = Order::kEqual;
  BitRange bits = {};       ///< kCompare compares their value, kCompareCount the number of bits that are set.
  std::uint64_t value = 0;  ///< The right-hand side of the comparison.
};

using Condition = std::vector<ConditionStep>;

bool holds(const Condition& condition, std::uint64_t parameter);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_PARAMETER_H_
