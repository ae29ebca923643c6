// JSON of RFC 8259 with valid UTF-8: a hand-written pushdown automaton.
#ifndef WEIR_TESTS_ORACLE_PLAIN_JSON_H_
#define WEIR_TESTS_ORACLE_PLAIN_JSON_H_

#include <string>
#include <string_view>

#include "oracle/plain_checker.h"

namespace weir::oracle {

class PlainJson final : public PlainChecker {
 public:
  bool push(std::uint8_t byte) override;
  [[nodiscard]] bool complete() const override;
  [[nodiscard]] std::unique_ptr<PlainChecker> clone() const override { return std::make_unique<PlainJson>(*this); }

 private:
  enum class State : std::uint8_t {
    kValue,         // A value must come.
    kValueOrClose,  // A value or `]`, right after `[`.
    kKeyOrClose,    // A key or `}`, right after `{`.
    kKey,           // A key must come, after a comma.
    kColon,         // After a key.
    kAfterValue,    // A comma or a closing bracket; nothing but white space at the top.
    kLiteral,       // Inside true, false, null: the rest is in `literal_`.
    kString,        // Inside a string, between characters.
    kUtf8,          // Inside a character of a string: `pending_` bytes to come.
    kEscape,        // After a backslash.
    kHex,           // Inside \uXXXX: `pending_` digits to come.
    kMinus,         // After the sign of a number.
    kZero,          // After a leading 0.
    kDigits,        // In the whole part.
    kPoint,         // After the point.
    kFraction,      // In the fraction.
    kExponentMark,  // After e or E.
    kExponentSign,  // After its sign.
    kExponent,      // In the exponent.
  };
  bool push_value(std::uint8_t byte);
  bool push_after_value(std::uint8_t byte);
  bool push_string(std::uint8_t byte);
  bool push_number(std::uint8_t byte);
  bool begin_character(std::uint8_t byte);
  [[nodiscard]] bool in_complete_number() const;
  bool move(State state) {
    state_ = state;
    return true;
  }

  State state_ = State::kValue;
  std::string open_;  // The brackets that are open, outermost first.
  bool key_ = false;  // The string in progress is a key.
  int pending_ = 0;
  std::uint8_t low_ = 0x80, high_ = 0xBF;  // the range of the next continuation byte
  std::string_view literal_;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PLAIN_JSON_H_
