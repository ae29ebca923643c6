// Sets of numbers as sets of JSON number texts.
//
// WHAT   For a set of values (an interval, the multiples of a number, one value) the expression of all its texts among
//        those that are *offered*. What is offered depends on the options alone, never on the set; so operations on
//        sets of values are operations on expressions: intersection, alternation, and complement as difference from
//        offered().
// WHICH  Offered are, with an optional sign `-` (also before 0, whose sign means nothing):
//        - plain notation, `0`, `12`, `-0.50`: any number of digits, and of zeros at the end of a fraction;
//        - normalised scientific notation, `1.5e9`, `1E-07`, `0e0`: one digit before the point, not 0 unless the value
//          is, up to 16 behind it (all that a double has; an option), any exponent with or without leading zeros.
//        Every value has a text, in plain notation. Texts that are not offered, `12.5e3` or `0.1e-2`, are those whose
//        value no finite automaton can compare: the length of the mantissa would have to be weighed against the
//        exponent. Where nothing is asked of a number, any() has them all.
// HOW    Intervals: digit by digit along the bound; the longer number is the larger one. In scientific notation the
//        order is that of the exponent, then that of the mantissa. Multiples: long division (regex/atoms/decimal_multiple.h).
//        Few values, of an enum or of bounds around multiples with exceptions, are listed: conditions on them are then
//        questions about each (number_language.cc).
// COST   Expressions linear in the digits of a bound as it is written in the schema, not in its exponent. States:
//        places along the bounds times remainders.
// LIMITS repeat_count, for the order of magnitude of a bound. Divisors, without trailing zeros, under 2^32, and with at
//        most kMaxDecimals decimals (regex/atoms/decimal_multiple.h); others are kUnsupported.
// THREADS As the ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/json_schema/source/decimal.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

struct NumberSpelling {
  enum class Exponents : std::uint8_t { kOffered, kNever };
  /// Whether scientific notation is offered. Under kNever any() has none either.
  Exponents exponents = Exponents::kOffered;
  /// Decimals of scientific notation. Without a bound each more costs no state of its own, but multiples_of is
  /// impossible.
  std::uint32_t scientific_decimals = 16;
  /// Zeros at the end of a fraction. With 0, an integer has no fraction, and there is one plain text a value (and its
  /// sign).
  std::uint32_t trailing_zeros = regex::kUnbounded;
};

struct NumberBound {
  Decimal value;
  bool exclusive = false;
};

/// The value that is a multiple of both, and the least; nullopt where it is too large for a divisor. Precondition: both
/// are positive.
std::optional<Decimal> least_common_multiple(const Decimal& a, const Decimal& b);

class NumberLanguage {
 public:
  NumberLanguage(regex::ExprSet& exprs, const NumberSpelling& spelling, const Limits& limits);

  /// Every number: all texts of RFC 8259, section 6, as far as the options go. To be used alone: it has more texts than
  /// offered().
  [[nodiscard]] regex::ExprId any() const { return any_; }
  /// Every number, in the texts that all other sets are made of.
  [[nodiscard]] regex::ExprId offered() const { return offered_; }
  /// The integers of draft 4: those written without fraction and exponent.
  [[nodiscard]] regex::ExprId integer_literals() const { return integer_literals_; }

  /// The numbers between two bounds, either of which may be absent.
  /// Errors: kLimitExceeded (repeat_count, regex_nodes).
  Result<regex::ExprId> interval(const std::optional<NumberBound>& minimum, const std::optional<NumberBound>& maximum);
  /// The texts of one value. Errors: as for interval.
  Result<regex::ExprId> value(const Decimal& number);
  /// The multiples of `divisor`; those of 1 are the integers.
  /// Preconditions: divisor.sign() > 0; scientific notation is not offered, or with bounded decimals.
  /// Errors: kUnsupported (see LIMITS); kLimitExceeded (repeat_count, regex_nodes).
  Result<regex::ExprId> multiples_of(const Decimal& divisor);
  /// The numbers in both of two sets made here. Multiples of two numbers are the multiples of their least common
  /// multiple, if that may be a divisor: what is left to search is one remainder, not the product of two.
  regex::ExprId meet(regex::ExprId a, regex::ExprId b);
  /// The numbers in one of two sets made here, and those of offered() that are not in one.
  regex::ExprId join(regex::ExprId a, regex::ExprId b);
  regex::ExprId complement(regex::ExprId a);

 private:
  using ExprId = regex::ExprId;
  struct Bounds;  // Of the absolute value.
  // A set as the multiples of a number among others.
  struct Multiples {
    Decimal divisor;
    ExprId others;
  };
  // A set that has all the offered texts of a value or none, and what is known of its values.
  struct Known {
    std::optional<Decimal> least = {};
    std::optional<Decimal> most = {};
    std::optional<Decimal> divisor = {};              // of all of them
    std::optional<std::vector<Decimal>> values = {};  // all of them
    bool has_division = false;                        // by something else than 1
    bool is_hard = false;                             // texts of several divisions, or of what a division excludes
  };

  void know(ExprId e, Known known);
  [[nodiscard]] const Known* known(ExprId e) const;
  static Known meet(const Known& a, const Known& b);
  static std::optional<std::vector<Decimal>> list(const Known& known);
  std::optional<ExprId> listed_meet(ExprId a, ExprId b);
  ExprId unlisted_meet(ExprId a, ExprId b);

  [[nodiscard]] Result<void> check_order(const Decimal& bound) const;
  [[nodiscard]] Result<ExprId> checked(ExprId e) const;
  ExprId absolute(const Bounds& bounds);
  ExprId plain(const Bounds& bounds);
  ExprId scientific(const Bounds& bounds);
  ExprId plain_multiples(std::uint32_t divisor, std::int64_t exponent);
  ExprId scientific_multiples(std::uint32_t divisor, std::int64_t exponent);
  ExprId scientific_powers(std::int64_t exponent);

  regex::ExprSet& exprs_;
  NumberSpelling spelling_;
  Limits limits_;
  ExprId any_{};
  ExprId offered_{};
  ExprId integer_literals_{};
  // The rest is without a sign.
  ExprId any_plain_{};
  ExprId plain_integers_{};
  ExprId mantissa_{};                          // Of a scientific text that is not zero.
  ExprId zero_scientific_ = ExprId::kNothing;  // Where these are not offered, nothing.
  ExprId other_scientific_ = ExprId::kNothing;
  std::unordered_map<ExprId, Multiples> multiples_;
  std::unordered_map<ExprId, Known> known_;
  std::map<Decimal, ExprId> values_;  // of value(): items that must differ ask for the same ones over and over
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_
