// NumberLanguage: sets of numbers as languages of JSON number texts.
//
// WHAT   For a set of values (an interval, the multiples of a number, a single value), the expression of all texts of
//        its values among those that are *offered*. Which texts are offered depends on the options only, not on the
//        set. So operations on sets of values are operations on expressions: intersection, alternation, and, for the
//        complement, the difference from offered().
// WHICH  These texts are offered, each with an optional sign `-` (also before 0):
//        - plain notation, `0`, `12`, `-0.50`, with any number of digits and of zeros at the end of a fraction;
//        - normalised scientific notation, `1.5e9`, `1E-07`, `0e0`: one digit before the point, which is 0 only for the
//          value 0; up to 16 digits after it (as many as a double has; NumberSpelling::scientific_decimals); any
//          exponent, with or without leading zeros.
//        Every value has a text in plain notation. Other texts, such as `12.5e3` or `0.1e-2`, are not offered, because
//        no finite automaton can compare their values: it would have to count the digits of the mantissa against the
//        exponent. If a schema does not restrict a number, any() has these texts as well.
// HOW    Intervals: digit by digit along the bound; of two integers the longer one is greater. In scientific notation,
//        exponents are compared first, then mantissas. Multiples: long division (regex/atoms/decimal_multiple.h).
//        Multiples within bounds are made at once, each order of magnitude with its mantissas. Sets of few values, such as
//        those of an `enum` or of bounds around several multiples, are listed instead. An intersection then tests each
//        value (number_language.cc).
// COST   The size of an expression is linear in the digits of a bound as written in the schema, not in its exponent.
//        The number of states is the number of positions along the bounds times the number of remainders.
// LIMITS repeat_count bounds the order of magnitude of a bound. A divisor, without point and trailing zeros, must be
//        less than 2^32 and have at most kMaxDecimals decimals (regex/atoms/decimal_multiple.h); others are
//        kUnsupported.
// THREADS Same as ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/json/decimal.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

using base::Decimal;

struct NumberSpelling {
  enum class Exponents : std::uint8_t {
    kOffered,
    kExplicit,  ///< With a fraction and a sign of the exponent, `1.0e+05`: readers of YAML 1.1 know no other.
    kNever,
  };
  /// Says whether scientific notation is offered. any() has no other exponents either.
  Exponents exponents = Exponents::kOffered;
  /// The largest number of decimals in scientific notation. With regex::kUnbounded they take no states, but
  /// multiples_of() is not possible.
  std::uint32_t scientific_decimals = 16;
  /// The largest number of zeros at the end of a fraction. With 0, integers have no fraction, and each value has one
  /// text in plain notation (0 also has `-0`).
  std::uint32_t trailing_zeros = regex::kUnbounded;
  // What written() leaves out; see JsonSchemaOptions.
  bool plain_integers = false;    ///< Where only integers are allowed, they are written with digits alone.
  bool doubles = false;           ///< Numbers are in the range of a double.
  std::uint32_t most_digits = 0;  ///< The most digits of a text; 0: any number.
};

struct NumberBound {
  Decimal value;
  bool exclusive = false;
};

/// Returns the least common multiple; nullopt if it is too large. Precondition: both are positive.
std::optional<Decimal> least_common_multiple(const Decimal& a, const Decimal& b);

/// What a NumberLanguage has computed. Valid for each copy of the expressions.
class NumberMemo {
 protected:
  using ExprId = regex::ExprId;
  using Interval = std::pair<std::optional<NumberBound>, std::optional<NumberBound>>;
  // Describes a set as an intersection, of an interval with the multiples of a number and with other sets.
  struct Parts {
    std::optional<Decimal> divisor = {};
    Interval bounds = {};
    ExprId others;
  };
  // The bounds of an interval, and whether they are exclusive.
  using BoundsKey = std::tuple<std::optional<Decimal>, bool, std::optional<Decimal>, bool>;
  // Facts about the values of a set that has, for each value, either all of its offered texts or none.
  struct Known {
    // Its texts in plain notation. Made when they are needed if no division is in the set: searches are short then.
    std::optional<ExprId> plain = {};
    std::optional<Decimal> least = {};
    std::optional<Decimal> most = {};
    std::optional<Decimal> divisor = {};              // divides all values
    std::optional<std::vector<Decimal>> values = {};  // contains all values
    bool has_division = false;                        // made from multiples of a number other than 1
    bool excludes_few = false;                        // all numbers but listed ones
    bool is_hard = false;                             // a union or complement of such sets: listing values pays
  };

  std::unordered_map<ExprId, Parts> parts_;
  std::unordered_map<ExprId, Known> known_;
  std::unordered_map<ExprId, ExprId> written_;
  std::optional<ExprId> narrow_texts_;  // the texts that `doubles` and `most_digits` leave
  std::optional<ExprId> double_texts_;
  std::unordered_map<std::int64_t, ExprId> exponents_;  // memo of scientific_value(): `e` and an exponent's texts
  std::map<Decimal, ExprId> values_;        // memo of value(): items that must differ need the same ones often
  std::map<BoundsKey, ExprId> of_bounds_;   // memo of interval(): a minimum of 0 is at many places of a schema
  std::map<Decimal, ExprId> multiples_of_;  // memo: a schema names its integers once for each place
  std::map<std::pair<Decimal, BoundsKey>, ExprId> multiples_within_;  // memo
};

class NumberLanguage : private NumberMemo {
 public:
  NumberLanguage(regex::ExprSet& exprs, const NumberSpelling& spelling, const Limits& limits);
  /// Takes over what `before` has computed. Preconditions: both have the same options; the expressions of this object
  /// are a later copy of those of `before`.
  void take_over(NumberLanguage& before) { static_cast<NumberMemo&>(*this) = std::move(before); }

  /// Return the errors that interval() and multiples_of() have for a number, but for those about regex_nodes. They make no
  /// expressions, so a number that is used later, or never, costs nothing before. Precondition of check_divisor: as for
  /// multiples_of().
  static Result<void> check_bound(const Decimal& bound, const Limits& limits);
  static Result<void> check_divisor(const Decimal& divisor, const Limits& limits);
  /// Returns no fewer expressions than interval() makes for one bound, and multiples_of() for one divisor.
  static std::uint64_t most_expressions(const Decimal& number, const NumberSpelling& spelling);

  /// All number texts of RFC 8259, section 6, that the options allow. Must not be combined with other sets, since it
  /// has texts that are not in offered().
  [[nodiscard]] regex::ExprId any() const { return any_; }
  /// All offered texts; every other set is a subset.
  [[nodiscard]] regex::ExprId offered() const { return offered_; }
  /// The integers of draft 4: texts without fraction and exponent.
  [[nodiscard]] regex::ExprId integer_literals() const { return integer_literals_; }

  /// Returns the numbers between two bounds, either of which may be absent.
  /// Errors: kLimitExceeded (repeat_count, regex_nodes).
  Result<regex::ExprId> interval(const std::optional<NumberBound>& minimum, const std::optional<NumberBound>& maximum);
  /// Returns the texts of one value. Errors: as for interval.
  Result<regex::ExprId> value(const Decimal& number);
  /// Returns the texts of several values. For many it is less work than to join value() of each. Errors: as for interval.
  Result<regex::ExprId> values(std::span<const Decimal> numbers);
  /// Returns the multiples of `divisor`; those of 1 are the integers.
  /// Preconditions: divisor.sign() > 0; scientific notation is not offered, or has a bounded number of decimals.
  /// Errors: kUnsupported (see LIMITS); kLimitExceeded (repeat_count, regex_nodes).
  Result<regex::ExprId> multiples_of(const Decimal& divisor);
  /// Returns the texts of a set that are offered to a model: those that NumberSpelling::plain_integers, doubles and
  /// most_digits leave. Where doubles and most_digits leave none, of the whole set or of one of the few values that it
  /// lists, they are relaxed: doubles is dropped if no number of the set is in its range, and most_digits is raised by
  /// the digits of the shortest text. So the result is empty only if the set is. It is for offered(), not for further
  /// operations. Precondition: this object has made the set. Cost: some searches for members, once a set.
  regex::ExprId written(regex::ExprId set);

  // Operations on sets that this object has made.

  /// Returns the intersection. Multiples of two numbers become the multiples of their least common multiple if that is
  /// a valid divisor; then there is one remainder to track instead of two.
  regex::ExprId meet(regex::ExprId a, regex::ExprId b);
  /// Returns the intersection of all. Intervals become one, so that a list of bounds is not a product of them.
  regex::ExprId meet(std::span<const regex::ExprId> sets);
  /// Returns the union.
  regex::ExprId join(regex::ExprId a, regex::ExprId b) { return join(std::array{a, b}); }
  regex::ExprId join(std::span<const regex::ExprId> sets);
  /// Returns offered() without `a`.
  regex::ExprId complement(regex::ExprId a);
  /// Returns true if the set is known to have no other numbers. Cost: a search.
  [[nodiscard]] bool has_only_integers(regex::ExprId set);
  /// Returns the texts in plain notation without an exponent, a zero at the end of a fraction, or `-0`: one for each value.
  regex::ExprId shortest_plain();
  /// Returns `a` without `b`.
  regex::ExprId difference(regex::ExprId a, regex::ExprId b);
  /// Returns a set that is empty only if `set` is: its texts in plain notation, if they are known, else the set. Each value
  /// has a text in plain notation; a search for one does not meet the exponents of multiples, which are many.
  [[nodiscard]] regex::ExprId witnesses(regex::ExprId set) const;
  // Texts: `digits`, which may have a sign and a point, and then one of `after`. No texts if `after` is kNothing.
  struct Texts {
    std::string digits;
    regex::ExprId after = regex::ExprId::kNothing;
  };
  /// Returns written() of a set that value() has made as words, each with what may follow it. Returns nullopt if it is not
  /// known as words: for 0, for numbers of many digits, and for fractions if NumberSpelling leaves something out.
  std::optional<std::vector<Texts>> words(regex::ExprId set);

 private:
  struct Bounds;  // bounds of the absolute value
  struct Notations {
    ExprId plain = ExprId::kNothing;
    ExprId all = ExprId::kNothing;  // with those in scientific notation
  };
  template <typename Half>
  Notations with_signs(const Interval& interval, const Half& half);
  static BoundsKey key_of(const Interval& interval);
  static void tighten(Interval& bounds, const Interval& others);
  [[nodiscard]] Parts parts_of(ExprId set) const;
  void know(ExprId e, Known known);
  [[nodiscard]] const Known* known(ExprId e) const;
  static Known meet(const Known& a, const Known& b);
  ExprId plain_texts(ExprId set, const Known& facts);
  static std::optional<std::vector<Decimal>> list(const Known& known);
  std::optional<ExprId> listed_meet(ExprId a, ExprId b);
  ExprId unlisted_meet(ExprId a, ExprId b);

  [[nodiscard]] Result<ExprId> checked(ExprId e) const;
  ExprId zeros_at_end(std::string_view point, std::uint32_t most, std::uint32_t least = 0);
  ExprId exponents(std::optional<std::int64_t> least, std::optional<std::int64_t> most);
  std::vector<Texts> words_of(const Decimal& number);
  Texts plain_value(const Decimal& value);
  Texts scientific_value(const Decimal& value);
  ExprId plain(const Bounds& bounds);
  ExprId scientific(const Bounds& bounds);
  ExprId plain_multiples(std::uint32_t divisor, std::int64_t exponent);
  ExprId scientific_multiples(std::uint32_t divisor, std::int64_t exponent);
  ExprId plain_multiples(std::uint32_t divisor, std::int64_t exponent, const Bounds& bounds);
  ExprId scientific_multiples(std::uint32_t divisor, std::int64_t exponent, const Bounds& bounds);
  ExprId scientific_powers(std::int64_t exponent);
  ExprId multiples_within(const Decimal& divisor, const Interval& bounds);
  [[nodiscard]] bool has_member(ExprId e);
  ExprId narrow_texts();
  [[nodiscard]] bool has_narrow_text(const Decimal& number) const;
  ExprId digits_up_to(std::uint32_t most);
  ExprId long_texts(ExprId texts);
  ExprId double_texts();

  regex::ExprSet& exprs_;
  NumberSpelling spelling_;
  Limits limits_;
  ExprId any_{};
  ExprId offered_{};
  ExprId integer_literals_{};
  // The texts of the following are without a sign.
  ExprId any_plain_{};
  ExprId plain_integers_{};
  ExprId mantissa_{};                          // mantissa of a scientific text that is not zero
  ExprId zero_scientific_ = ExprId::kNothing;  // this and the next are kNothing if not offered
  ExprId other_scientific_ = ExprId::kNothing;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NUMBER_LANGUAGE_H_
