#include "oracle/plain_expression.h"

namespace weir::oracle {

namespace {

bool is_space(std::uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n'; }
bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }
bool is_letter(std::uint8_t byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

}  // namespace

bool PlainExpression::push(std::uint8_t byte) {
  switch (state_) {
    case State::kStart:
    case State::kOperand:
    case State::kFirstArgument: return push_operand(byte);
    case State::kFirstName:
    case State::kName:
      if (is_letter(byte) || is_digit(byte)) return true;
      if (is_space(byte)) return move(state_ == State::kFirstName ? State::kAfterFirstName : State::kAfterOperand);
      [[fallthrough]];
    case State::kAfterFirstName:
      if (byte == '=' && state_ != State::kName) return move(State::kOperand);
      return is_space(byte) || push_after_operand(byte);
    case State::kAfterOperand: return push_after_operand(byte);
    default: return push_number(byte);
  }
}

bool PlainExpression::complete() const {
  if (!open_.empty()) return false;
  return after_whole_operand() || (state_ == State::kStart && statements_);
}

bool PlainExpression::after_whole_operand() const {
  switch (state_) {
    case State::kFirstName:
    case State::kAfterFirstName:
    case State::kName:
    case State::kWhole:
    case State::kFraction:
    case State::kExponent:
    case State::kAfterOperand: return true;
    default: return false;
  }
}

bool PlainExpression::push_operand(std::uint8_t byte) {
  if (is_space(byte)) return true;
  if (is_digit(byte)) return move(State::kWhole);
  if (is_letter(byte)) return move(state_ == State::kStart ? State::kFirstName : State::kName);
  if (byte == '+' || byte == '-') return move(State::kOperand);
  if (byte == '(') {
    open_ += '(';
    return move(State::kOperand);
  }
  if (byte != ')' || state_ != State::kFirstArgument) return false;
  open_.pop_back();
  return move(State::kAfterOperand);
}

bool PlainExpression::push_number(std::uint8_t byte) {
  const bool digit = is_digit(byte);
  switch (state_) {
    case State::kPoint: return digit && move(State::kFraction);
    case State::kExponentMark:
      if (byte == '+' || byte == '-') return move(State::kExponentSign);
      return digit && move(State::kExponent);
    case State::kExponentSign: return digit && move(State::kExponent);
    default: break;
  }
  if (digit) return true;
  if (byte == '.' && state_ == State::kWhole) return move(State::kPoint);
  if ((byte == 'e' || byte == 'E') && state_ != State::kExponent) return move(State::kExponentMark);
  return push_after_operand(byte);
}

bool PlainExpression::push_after_operand(std::uint8_t byte) {
  if (is_space(byte)) return move(State::kAfterOperand);
  switch (byte) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '^': return move(State::kOperand);
    case '(': open_ += 'c'; return move(State::kFirstArgument);
    case ',': return !open_.empty() && open_.back() == 'c' && move(State::kOperand);
    case ')':
      if (open_.empty()) return false;
      open_.pop_back();
      return move(State::kAfterOperand);
    case ';':
      if (!open_.empty()) return false;
      statements_ = true;
      return move(State::kStart);
    default: return false;
  }
}

}  // namespace weir::oracle
