// Decimal: an exact decimal number of any size, as in JSON.
//
// WHAT   ± digits × 10^exponent, where the digits are an integer without leading and trailing zeros. The form is
//        unique, so 1, 1.0, 1e0 and 100e-2 have equal members. There is one zero; -0 equals it.
// WHY    JSON Schema compares numbers by their mathematical values. With doubles, 9007199254740993 would equal
//        9007199254740992, and 0.0075 would not be a multiple of 0.0001.
// COST   Memory is linear in the digits that were written: 1e1000000000 has one digit. Operations are linear in the
//        digits, except is_multiple_of, whose cost is the product of both numbers' digits.
// LIMITS Limits::number_digits; exponents of the normal form within ±Decimal::kMaxExponent.
// THREADS A value type; const access is thread-safe.
#ifndef WEIR_SRC_BASE_JSON_DECIMAL_H_
#define WEIR_SRC_BASE_JSON_DECIMAL_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir::base {

class Decimal {
 public:
  static constexpr std::int64_t kMaxExponent = 1'000'000'000'000'000;

  /// Zero.
  Decimal() = default;
  explicit Decimal(std::int64_t value);

  /// Returns the value of a JSON number (RFC 8259, section 6). `text` must be the whole number.
  /// Errors: kSyntax; kLimitExceeded (number_digits); kUnsupported (the exponent). Error::where is a range of `text`.
  static Result<Decimal> parse(std::string_view text, const Limits& limits);

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }
  /// No leading and no trailing zeros; empty for zero.
  [[nodiscard]] std::string_view digits() const { return digits_; }
  /// The power of ten of the last digit; 0 for zero.
  [[nodiscard]] std::int64_t exponent() const { return exponent_; }
  /// The power of ten of the first digit: 2 for 123, -1 for 0.5. Precondition: not zero.
  [[nodiscard]] std::int64_t order() const { return exponent_ + static_cast<std::int64_t>(digits_.size()) - 1; }

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_integer() const { return exponent_ >= 0; }
  /// Returns true if *this / divisor is an integer. Zero is the only multiple of zero. Signs do not matter.
  [[nodiscard]] bool is_multiple_of(const Decimal& divisor) const;
  /// Returns the value if it is an integer from 0 to 2^64 - 1.
  [[nodiscard]] std::optional<std::uint64_t> to_uint64() const;
  [[nodiscard]] Decimal negated() const;
  [[nodiscard]] Decimal absolute() const;

  /// Returns the value as a JSON number; equal values have equal texts. Plain notation if order() is from -6 to 20,
  /// else scientific notation such as `1.5e-9`. For values that are doubles, this is what ECMAScript prints.
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

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_JSON_DECIMAL_H_
