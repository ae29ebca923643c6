// Decimal: an exact decimal number of any size, as JSON writes them.
//
// WHAT   ± digits × 10^exponent, with digits an integer that neither begins nor ends with a zero. The form is unique,
//        so 1, 1.0, 1e0 and 100e-2 are equal member by member; there is one zero, and -0 is it.
// WHY    JSON Schema compares numbers as mathematics does. In doubles, 9007199254740993 is 9007199254740992 and 0.0075
//        is no multiple of 0.0001.
// COST   Memory and time are those of the digits that were written: 1e1000000000 is one digit. is_multiple_of is the
//        product of the two numbers' digits, all else linear.
// LIMITS Limits::number_digits; exponents of the normal form within ±Decimal::kMaxExponent.
// THREADS A plain value.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DECIMAL_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DECIMAL_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

class Decimal {
 public:
  static constexpr std::int64_t kMaxExponent = 1'000'000'000'000'000;

  /// Zero.
  Decimal() = default;
  explicit Decimal(std::int64_t value);

  /// The value of a JSON number (RFC 8259, section 6), all of `text`.
  /// Errors: kSyntax; kLimitExceeded (number_digits); kUnsupported (the exponent). Error::where is a range of `text`.
  static Result<Decimal> parse(std::string_view text, const Limits& limits);

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }
  /// No leading and no trailing zeros; empty for zero.
  [[nodiscard]] std::string_view digits() const { return digits_; }
  /// The power of ten that the last digit counts; 0 for zero.
  [[nodiscard]] std::int64_t exponent() const { return exponent_; }
  /// The power of ten that the first digit counts: 2 for 123, -1 for 0.5. Precondition: not zero.
  [[nodiscard]] std::int64_t order() const { return exponent_ + static_cast<std::int64_t>(digits_.size()) - 1; }

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_integer() const { return exponent_ >= 0; }
  /// Whether *this / divisor is an integer. No number but zero is a multiple of zero. Signs do not matter.
  [[nodiscard]] bool is_multiple_of(const Decimal& divisor) const;
  /// The value, if it is an integer from 0 to 2^64 - 1.
  [[nodiscard]] std::optional<std::uint64_t> to_uint64() const;
  [[nodiscard]] Decimal negated() const;
  [[nodiscard]] Decimal absolute() const;

  /// A JSON number, the same for equal values: plain where the first digit stands for 10^20 to 10^-6, else in
  /// scientific notation, `1.5e-9`; for values that are doubles, what ECMAScript prints for them.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] std::uint64_t hash() const;

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

 private:
  void normalise();

  std::string digits_;
  std::int64_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DECIMAL_H_
