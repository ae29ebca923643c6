// The language of examples/expression.ebnf. Membership does not depend on operator precedence, so this automaton only
// tracks if an operand or an operator must come next, and which brackets are open.
#ifndef WEIR_TESTS_ORACLE_PLAIN_EXPRESSION_H_
#define WEIR_TESTS_ORACLE_PLAIN_EXPRESSION_H_

#include <string>

#include "oracle/plain_checker.h"

namespace weir::oracle {

class PlainExpression final : public PlainChecker {
 public:
  bool push(std::uint8_t byte) override;
  [[nodiscard]] bool complete() const override;
  [[nodiscard]] std::unique_ptr<PlainChecker> clone() const override {
    return std::make_unique<PlainExpression>(*this);
  }

 private:
  enum class State : std::uint8_t {
    kStart,           // The beginning of a statement.
    kOperand,         // An operand must come.
    kFirstArgument,   // An operand or `)`, right after the `(` of a call.
    kFirstName,       // In a name that begins a statement; `=` may follow.
    kAfterFirstName,  // After that name and white space.
    kName,            // In another name.
    kWhole,           // In the digits of a number.
    kPoint,           // After its point.
    kFraction,        // In the fraction.
    kExponentMark,    // After e or E.
    kExponentSign,    // After its sign.
    kExponent,        // In the exponent.
    kAfterOperand,    // After an operand and possibly white space.
  };
  bool push_operand(std::uint8_t byte);
  bool push_number(std::uint8_t byte);
  bool push_after_operand(std::uint8_t byte);
  [[nodiscard]] bool after_whole_operand() const;
  bool move(State state) {
    state_ = state;
    return true;
  }

  State state_ = State::kStart;
  std::string open_;         // '(' for a bracket, 'c' for a call.
  bool statements_ = false;  // A semicolon was read.
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PLAIN_EXPRESSION_H_
