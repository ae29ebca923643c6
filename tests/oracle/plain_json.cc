#include "oracle/plain_json.h"

namespace weir::oracle {

namespace {

bool is_space(std::uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }
bool is_hex(std::uint8_t byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

}  // namespace

bool PlainJson::push(std::uint8_t byte) {
  switch (state_) {
    case State::kValue:
    case State::kValueOrClose: return push_value(byte);
    case State::kKeyOrClose:
    case State::kKey:
      if (is_space(byte)) return true;
      if (byte == '"') {
        key_ = true;
        return move(State::kString);
      }
      if (byte != '}' || state_ == State::kKey) return false;
      open_.pop_back();
      return move(State::kAfterValue);
    case State::kColon:
      if (is_space(byte)) return true;
      return byte == ':' && move(State::kValue);
    case State::kAfterValue: return push_after_value(byte);
    case State::kLiteral:
      if (byte != static_cast<std::uint8_t>(literal_.front())) return false;
      literal_.remove_prefix(1);
      return literal_.empty() ? move(State::kAfterValue) : true;
    case State::kString:
    case State::kUtf8:
    case State::kEscape:
    case State::kHex: return push_string(byte);
    default: return push_number(byte);
  }
}

bool PlainJson::complete() const { return open_.empty() && (state_ == State::kAfterValue || in_complete_number()); }

bool PlainJson::in_complete_number() const {
  return state_ == State::kZero || state_ == State::kDigits || state_ == State::kFraction || state_ == State::kExponent;
}

bool PlainJson::push_value(std::uint8_t byte) {
  if (is_space(byte)) return true;
  if (is_digit(byte)) return move(byte == '0' ? State::kZero : State::kDigits);
  switch (byte) {
    case '-': return move(State::kMinus);
    case '"': key_ = false; return move(State::kString);
    case '{': open_ += '{'; return move(State::kKeyOrClose);
    case '[': open_ += '['; return move(State::kValueOrClose);
    case 't': literal_ = "rue"; return move(State::kLiteral);
    case 'f': literal_ = "alse"; return move(State::kLiteral);
    case 'n': literal_ = "ull"; return move(State::kLiteral);
    case ']':
      if (state_ != State::kValueOrClose) return false;
      open_.pop_back();
      return move(State::kAfterValue);
    default: return false;
  }
}

bool PlainJson::push_after_value(std::uint8_t byte) {
  if (is_space(byte)) return move(State::kAfterValue);
  if (open_.empty()) return false;
  const bool object = open_.back() == '{';
  if (byte == ',') return move(object ? State::kKey : State::kValue);
  if (byte != (object ? '}' : ']')) return false;
  open_.pop_back();
  return move(State::kAfterValue);
}

bool PlainJson::push_string(std::uint8_t byte) {
  switch (state_) {
    case State::kUtf8:
      if (byte < low_ || byte > high_) return false;
      low_ = 0x80;
      high_ = 0xBF;
      if (--pending_ == 0) state_ = State::kString;
      return true;
    case State::kEscape:
      if (byte == 'u') {
        pending_ = 4;
        return move(State::kHex);
      }
      return std::string_view("\"\\/bfnrt").find(static_cast<char>(byte)) != std::string_view::npos &&
             move(State::kString);
    case State::kHex:
      if (!is_hex(byte)) return false;
      if (--pending_ == 0) state_ = State::kString;
      return true;
    default: break;
  }
  if (byte == '"') return move(key_ ? State::kColon : State::kAfterValue);
  if (byte == '\\') return move(State::kEscape);
  return byte < 0x80 ? byte >= 0x20 : begin_character(byte);
}

// The table of well-formed UTF-8 (The Unicode Standard, table 3-7).
bool PlainJson::begin_character(std::uint8_t byte) {
  if (byte < 0xC2 || byte > 0xF4) return false;
  pending_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
  high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  return move(State::kUtf8);
}

bool PlainJson::push_number(std::uint8_t byte) {
  const bool digit = is_digit(byte);
  switch (state_) {
    case State::kMinus: return digit && move(byte == '0' ? State::kZero : State::kDigits);
    case State::kPoint: return digit && move(State::kFraction);
    case State::kExponentMark:
      if (byte == '+' || byte == '-') return move(State::kExponentSign);
      return digit && move(State::kExponent);
    case State::kExponentSign: return digit && move(State::kExponent);
    default: break;
  }
  if (digit && state_ != State::kZero) return true;
  if (byte == '.' && (state_ == State::kZero || state_ == State::kDigits)) return move(State::kPoint);
  if ((byte == 'e' || byte == 'E') && state_ != State::kExponent) return move(State::kExponentMark);
  return push_after_value(byte);
}

}  // namespace weir::oracle
