// DigitLanguage: expressions for digit texts that are less than, equal to or greater than a given number. Used by
// number_language.cc only.
//
// After the digits that a text shares with the number, the next digit is equal, greater or less. The alternatives for
// these cases begin with different digits, so a derivative keeps one of them.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_DIGIT_LANGUAGE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_DIGIT_LANGUAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/decimal.h"
#include "regex/expr/expr.h"

namespace weir::frontend::json_schema {

using base::Decimal;

/// How the value of a text must compare with a given number.
enum class Comparison : std::uint8_t { kLess, kLessOrEqual, kEqual, kGreaterOrEqual, kGreater };

/// The digits of a positive decimal in plain notation: `integer` followed by `integer_zeros` zeros, a point,
/// `fraction_zeros` zeros followed by `fraction`.
struct WrittenDecimal {
  std::string_view integer;  ///< Empty for numbers less than 1.
  std::uint32_t integer_zeros = 0;
  std::uint32_t fraction_zeros = 0;
  std::string_view fraction;

  /// Returns views into `number`. Preconditions: it is positive, and its order and exponent fit into 32 bits.
  static WrittenDecimal of(const Decimal& number);
};

class DigitLanguage {
 public:
  explicit DigitLanguage(regex::ExprSet& exprs);

  [[nodiscard]] regex::ExprId any_digit() const { return any_digit_; }
  /// One digit from `first` to `last`; kNothing if first > last.
  regex::ExprId digit(int first, int last);
  /// Exactly `count` digits.
  regex::ExprId digits(std::uint32_t count);
  /// Exactly `count` zeros.
  regex::ExprId zeros(std::uint32_t count);
  /// Nothing, or a point and at least one digit.
  regex::ExprId optional_fraction();
  /// Nothing, or a point and at least one zero.
  regex::ExprId optional_zero_fraction();

  /// Numbers in plain notation without a sign whose value compares with `number` as given.
  regex::ExprId plain(Comparison comparison, const WrittenDecimal& number);
  /// The same without a fraction. Precondition: `comparison` is not kEqual.
  regex::ExprId integers(Comparison comparison, const WrittenDecimal& number);
  /// Mantissas (one digit that is not 0 and an optional fraction) whose value compares as given with `digits`, read
  /// with a point after the first digit.
  regex::ExprId mantissas(Comparison comparison, std::string_view digits);
  enum class Plus : bool { kOptional, kRequired };
  /// Exponents from `least` to `most`, with leading zeros and a sign, which is optional before those that are not negative
  /// if `plus` says so. An absent bound is unbounded.
  regex::ExprId exponents(std::optional<std::int64_t> least, std::optional<std::int64_t> most,
                          Plus plus = Plus::kOptional);

 private:
  using ExprId = regex::ExprId;
  ExprId integer_part(const WrittenDecimal& number);
  ExprId other_integers(bool greater, const WrittenDecimal& number);
  ExprId same_length(bool greater, std::string_view digits, std::uint32_t zeros);
  ExprId fraction(Comparison comparison, std::uint32_t zeros, std::string_view digits);
  ExprId natural(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

  regex::ExprSet& exprs_;
  ExprId any_digit_;
  ExprId zero_;
  ExprId point_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_DIGIT_LANGUAGE_H_
