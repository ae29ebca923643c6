// Texts of digits compared with a given number, digit by digit: what number_language.h is made of. Not for others.
//
// All expressions branch on the next digit only, so a derivative is one expression, not a choice.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_DIGIT_LANGUAGE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_DIGIT_LANGUAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/json_schema/source/decimal.h"
#include "regex/expr/expr.h"

namespace weir::frontend::json_schema {

/// Which of two numbers is the larger one, and whether they may be equal.
enum class Comparison : std::uint8_t { kLess, kLessOrEqual, kEqual, kGreaterOrEqual, kGreater };

/// A positive decimal as it is written out: integer digits, then zeros; a fraction of zeros, then digits.
struct WrittenDecimal {
  std::string_view integer;  ///< Empty for numbers under 1.
  std::uint32_t integer_zeros = 0;
  std::uint32_t fraction_zeros = 0;
  std::string_view fraction;

  /// Views of `number`. Preconditions: positive, an order that fits.
  static WrittenDecimal of(const Decimal& number);
};

class DigitLanguage {
 public:
  explicit DigitLanguage(regex::ExprSet& exprs);

  [[nodiscard]] regex::ExprId any_digit() const { return any_digit_; }
  /// Digits `first` to `last`; nothing if first > last.
  regex::ExprId digit(int first, int last);
  /// `count` of any digits; of zeros.
  regex::ExprId digits(std::uint32_t count);
  regex::ExprId zeros(std::uint32_t count);
  /// An optional fraction: a point and some digits.
  regex::ExprId optional_fraction();
  regex::ExprId optional_zero_fraction();

  /// Plain texts without a sign whose value compares so with `number`.
  regex::ExprId plain(Comparison comparison, const WrittenDecimal& number);
  /// Mantissas, one digit that is not 0 and an optional fraction, that compare so with d.igits.
  regex::ExprId mantissas(Comparison comparison, std::string_view digits);
  /// Exponents, with an optional sign and leading zeros, from `least` to `most`.
  regex::ExprId exponents(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

 private:
  using ExprId = regex::ExprId;
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
