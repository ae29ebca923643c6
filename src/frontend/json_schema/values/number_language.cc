#include "frontend/json_schema/values/number_language.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/replaceable.h"
#include "base/work.h"
#include "frontend/json_schema/values/digit_language.h"
#include "frontend/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/atoms/decimal_multiple.h"
#include "regex/expr/trie.h"

namespace weir::frontend::json_schema {

namespace {

using regex::ByteSet;
using regex::ExprId;
using regex::kUnbounded;

/// Returns true if the number is written with few digits before and after the point: others are not written out.
bool is_short(const Decimal& number) {
  return number.order() < kMaxWrittenDigits && -number.exponent() < kMaxWrittenDigits;
}

/// Returns the digits of a number as an integer; a larger one than fits into 32 bits if it does not.
std::uint64_t factor_of(const Decimal& number) {
  std::uint64_t factor = 0;
  for (const char c : number.digits().substr(0, 11)) factor = factor * 10 + static_cast<std::uint64_t>(c - '0');
  return factor;
}

/// Returns the least n for which divisor / gcd(divisor, 10^n) has no factor 2 or 5: multiplying by further powers of
/// ten does not make a number a multiple of `divisor`.
std::uint32_t factors_of_ten(std::uint32_t divisor) {
  std::uint32_t twos = 0;
  std::uint32_t fives = 0;
  for (; divisor % 2 == 0; divisor /= 2) ++twos;
  for (; divisor % 5 == 0; divisor /= 5) ++fives;
  return std::max(twos, fives);
}

}  // namespace

struct NumberLanguage::Bounds {
  std::optional<NumberBound> least = {};  // absent, positive, or 0 and exclusive
  std::optional<NumberBound> most = {};   // absent or not negative; if 0, inclusive
  /// Returns true if the bounds allow one value, which is then not 0.
  [[nodiscard]] bool is_one_value() const {
    return least && most && !least->exclusive && !most->exclusive && least->value == most->value;
  }
};

// Calls `half` with the bounds of the absolute values of the members with each sign, and joins the texts that it returns.
template <typename Half>
NumberLanguage::Notations NumberLanguage::with_signs(const Interval& interval, const Half& half) {
  // `low` and `high` are the bounds of the interval, negated if the sign is negative.
  const auto half_within = [&](const std::optional<NumberBound>& low, const std::optional<NumberBound>& high) {
    if (high && (high->value.sign() < 0 || (high->value.is_zero() && high->exclusive))) return Notations{};
    Bounds bounds;
    bounds.most = high;
    if (low && (low->value.sign() > 0 || (low->value.is_zero() && low->exclusive))) bounds.least = low;
    return half(bounds);
  };
  const auto negated = [](const std::optional<NumberBound>& bound) {
    return bound ? std::optional(NumberBound{bound->value.negated(), bound->exclusive}) : std::nullopt;
  };
  const auto& [minimum, maximum] = interval;
  const Notations positive = half_within(minimum, maximum);
  const Notations negative = half_within(negated(maximum), negated(minimum));
  const auto join = [&](ExprId positive_texts, ExprId negative_texts) {
    return exprs_.alternation(positive_texts, exprs_.concat(exprs_.literal("-"), negative_texts));
  };
  return {join(positive.plain, negative.plain), join(positive.all, negative.all)};
}

NumberLanguage::NumberLanguage(regex::ExprSet& exprs, const NumberSpelling& spelling, const Limits& limits)
    : exprs_(exprs), spelling_(spelling), limits_(limits) {
  DigitLanguage digits(exprs_);
  const ExprId minus = exprs_.repeat(exprs_.literal("-"), 0, 1);
  const ExprId some = exprs_.repeat(digits.any_digit(), 1, kUnbounded);
  const ExprId integer = exprs_.alternation(
      exprs_.literal("0"), exprs_.concat(digits.digit(1, 9), exprs_.repeat(digits.any_digit(), 0, kUnbounded)));
  // Digits with at most as many zeros at the end as the option allows.
  const ExprId not_zero = exprs_.concat(exprs_.repeat(digits.any_digit(), 0, kUnbounded), digits.digit(1, 9));
  const ExprId decimals =
      exprs_.concat(exprs_.repeat(not_zero, 0, 1), exprs_.repeat(digits.zeros(1), 0, spelling_.trailing_zeros));
  // If the option allows any number of zeros, the intersection is skipped: it is the same set with larger derivatives.
  const auto with_few_zeros = [&](ExprId these) {
    return spelling_.trailing_zeros == kUnbounded ? these : exprs_.intersection(these, decimals);
  };
  const ExprId fraction = exprs_.repeat(exprs_.concat(exprs_.literal("."), with_few_zeros(some)), 0, 1);
  const ExprId exponent = exponents(std::nullopt, std::nullopt);

  const ExprId point_zeros =
      exprs_.concat(exprs_.literal("."), exprs_.repeat(digits.zeros(1), 1, spelling_.trailing_zeros));
  integer_literals_ = exprs_.concat(minus, integer);
  // So that meet() has a divisor for it.
  parts_.try_emplace(integer_literals_, Parts{.divisor = Decimal(1), .others = integer_literals_});
  plain_integers_ = exprs_.concat(integer, exprs_.repeat(point_zeros, 0, 1));
  any_plain_ = exprs_.concat(integer, fraction);
  const ExprId few = exprs_.repeat(digits.any_digit(), 1, spelling_.scientific_decimals);
  const ExprId few_zeros = exprs_.repeat(digits.zeros(1), 1, spelling_.scientific_decimals);
  const bool has_exponents = spelling_.exponents != NumberSpelling::Exponents::kNever;
  const std::uint32_t least_fractions = spelling_.exponents == NumberSpelling::Exponents::kExplicit ? 1 : 0;
  const auto with_fraction = [&](ExprId first, ExprId these) {
    const ExprId point_and_these = exprs_.concat(exprs_.literal("."), with_few_zeros(these));
    return exprs_.concat(first, exprs_.repeat(point_and_these, least_fractions, 1));
  };
  mantissa_ = with_fraction(digits.digit(1, 9), few);
  if (has_exponents) {
    zero_scientific_ = exprs_.concat(with_fraction(exprs_.literal("0"), few_zeros), exponent);
    other_scientific_ = exprs_.concat(mantissa_, exponent);
  }
  offered_ =
      exprs_.concat(minus, exprs_.alternation(any_plain_, exprs_.alternation(zero_scientific_, other_scientific_)));
  know(offered_, {.plain = exprs_.concat(minus, any_plain_)});
  const ExprId any_scientific =
      least_fractions == 0 ? exprs_.concat(any_plain_, exprs_.repeat(exponent, 0, 1))
                           : exprs_.alternation(any_plain_, exprs_.concat(with_fraction(integer, some), exponent));
  any_ = exprs_.concat(minus, has_exponents ? any_scientific : any_plain_);
}

Result<void> NumberLanguage::check_bound(const Decimal& bound, const Limits& limits) {
  if (bound.is_zero()) return {};
  const std::int64_t order = std::max(bound.order(), -bound.exponent());
  const std::int64_t most = std::min<std::int64_t>(limits.repeat_count, kUnbounded / 2);
  if (order <= most && -order <= most) return {};
  return tl::unexpected(Error{
      ErrorCode::kLimitExceeded,
      "the number " + bound.to_string() + " has more than " + std::to_string(most) + " digits when it is written out",
      {},
      "",
      "repeat_count"});
}

Result<void> NumberLanguage::check_divisor(const Decimal& divisor, const Limits& limits) {
  if (Result<void> order = check_bound(divisor, limits); !order) return order;
  if (factor_of(divisor) <= UINT32_MAX && -divisor.exponent() <= std::int64_t{regex::kMaxDecimals}) return {};
  return tl::unexpected(
      Error{ErrorCode::kUnsupported,
            "multiples of " + divisor.to_string() + ": a divisor has at most " + std::to_string(regex::kMaxDecimals) +
                " decimals and, without point and trailing zeros, is at most " + std::to_string(UINT32_MAX)});
}

std::uint64_t NumberLanguage::most_expressions(const Decimal& number, const NumberSpelling& spelling) {
  return kExpressionsOfDigit * (kFurtherDigits + number.digits().size() + spelling.scientific_decimals);
}

Result<ExprId> NumberLanguage::checked(ExprId e) const {
  if (e != ExprId::kOverflow) return e;
  return tl::unexpected(
      Error{ErrorCode::kLimitExceeded, "a set of numbers needs too many expressions", {}, "", "regex_nodes"});
}

// Returns what may follow the digits of a fraction, or of an integer if `point` is ".": at most `most` zeros. `least` 1: the
// integer has a fraction.
ExprId NumberLanguage::zeros_at_end(std::string_view point, std::uint32_t most, std::uint32_t least) {
  const ExprId zero = exprs_.literal("0");
  most = std::min(most, spelling_.trailing_zeros);
  if (point.empty()) return exprs_.repeat(zero, 0, most);
  if (most == 0) return least == 0 ? ExprId::kEpsilon : ExprId::kNothing;
  return exprs_.repeat(exprs_.concat(exprs_.literal(point), exprs_.repeat(zero, 1, most)), least, 1);
}

// Returns `e` and the texts of the exponents.
ExprId NumberLanguage::exponents(std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  using Plus = DigitLanguage::Plus;
  const bool is_explicit = spelling_.exponents == NumberSpelling::Exponents::kExplicit;
  const ExprId e = exprs_.byte_set(ByteSet::of('e') | ByteSet::of('E'));
  return exprs_.concat(e,
                       DigitLanguage(exprs_).exponents(least, most, is_explicit ? Plus::kRequired : Plus::kOptional));
}

// `plain_value` and `scientific_value` return the texts of one value that is not 0, without a sign. Precondition of
// plain_value: is_short(value). Texts are written out, not compared with bounds: those of an `enum` of many numbers are
// then a trie, and each of its nodes is a few bytes.

NumberLanguage::Texts NumberLanguage::plain_value(const Decimal& value) {
  const WrittenDecimal number = WrittenDecimal::of(value);
  std::string digits(number.integer.empty() ? std::string_view("0") : number.integer);
  digits.append(number.integer_zeros, '0');
  if (number.fraction.empty()) return {std::move(digits), zeros_at_end(".", kUnbounded)};
  digits += '.';
  digits.append(number.fraction_zeros, '0');
  return {digits.append(number.fraction), zeros_at_end("", kUnbounded)};
}

NumberLanguage::Texts NumberLanguage::scientific_value(const Decimal& value) {
  const std::string_view others = value.digits().substr(1);
  const std::uint32_t most = spelling_.scientific_decimals;
  if (other_scientific_ == ExprId::kNothing || others.size() > most) return {};
  auto [exponent, is_new] = exponents_.try_emplace(value.order(), ExprId::kNothing);
  if (is_new) exponent->second = exponents(value.order(), value.order());
  std::string digits(value.digits().substr(0, 1));
  if (others.empty()) {
    const std::uint32_t least = spelling_.exponents == NumberSpelling::Exponents::kExplicit ? 1 : 0;
    return {std::move(digits), exprs_.concat(zeros_at_end(".", most, least), exponent->second)};
  }
  const std::uint32_t left = most == kUnbounded ? most : most - static_cast<std::uint32_t>(others.size());
  return {digits.append(".").append(others), exprs_.concat(zeros_at_end("", left), exponent->second)};
}

// `plain` and `scientific` return the texts, without a sign, of values within the bounds.

ExprId NumberLanguage::plain(const Bounds& bounds) {
  DigitLanguage digits(exprs_);
  ExprId e = any_plain_;
  if (bounds.is_one_value()) {
    const Decimal& value = bounds.least->value;
    if (!is_short(value)) {
      return exprs_.intersection(e, digits.plain(Comparison::kEqual, WrittenDecimal::of(value)));
    }
    const Texts texts = plain_value(value);
    return regex::trie(exprs_, {{texts.digits, texts.after}});
  }
  if (bounds.least) {
    const Comparison comparison = bounds.least->exclusive ? Comparison::kGreater : Comparison::kGreaterOrEqual;
    const Decimal& value = bounds.least->value;
    e = exprs_.intersection(e,
                            digits.plain(comparison, value.is_zero() ? WrittenDecimal{} : WrittenDecimal::of(value)));
  }
  if (bounds.most) {
    const Comparison comparison = bounds.most->exclusive ? Comparison::kLess : Comparison::kLessOrEqual;
    const Decimal& value = bounds.most->value;
    e = exprs_.intersection(e,
                            digits.plain(comparison, value.is_zero() ? WrittenDecimal{} : WrittenDecimal::of(value)));
  }
  return e;
}

ExprId NumberLanguage::scientific(const Bounds& bounds) {
  if (other_scientific_ == ExprId::kNothing) return ExprId::kNothing;
  DigitLanguage digits(exprs_);
  const auto compare = [&](const NumberBound& bound, Comparison comparison, bool greater) {
    const std::int64_t order = bound.value.order();
    const ExprId beyond = greater ? exponents(order + 1, std::nullopt) : exponents(std::nullopt, order - 1);
    const ExprId equal = exprs_.intersection(mantissa_, digits.mantissas(comparison, bound.value.digits()));
    return exprs_.alternation(exprs_.concat(mantissa_, beyond), exprs_.concat(equal, exponents(order, order)));
  };
  if (bounds.is_one_value()) {
    const Texts texts = scientific_value(bounds.least->value);
    return regex::trie(exprs_, {{texts.digits, texts.after}});
  }
  // Zero is handled apart, because its exponent says nothing about its value.
  ExprId result = bounds.least ? other_scientific_ : exprs_.alternation(zero_scientific_, other_scientific_);
  if (bounds.least && !bounds.least->value.is_zero()) {
    const Comparison comparison = bounds.least->exclusive ? Comparison::kGreater : Comparison::kGreaterOrEqual;
    result = compare(*bounds.least, comparison, true);
  }
  if (bounds.most) {
    if (bounds.most->value.is_zero()) return exprs_.intersection(result, zero_scientific_);
    const Comparison comparison = bounds.most->exclusive ? Comparison::kLess : Comparison::kLessOrEqual;
    result =
        exprs_.intersection(result, exprs_.alternation(zero_scientific_, compare(*bounds.most, comparison, false)));
  }
  return result;
}

NumberLanguage::BoundsKey NumberLanguage::key_of(const Interval& interval) {
  const auto value_of = [](const std::optional<NumberBound>& bound) {
    return bound ? std::optional(bound->value) : std::nullopt;
  };
  const auto& [minimum, maximum] = interval;
  return {value_of(minimum), minimum && minimum->exclusive, value_of(maximum), maximum && maximum->exclusive};
}

Result<ExprId> NumberLanguage::interval(const std::optional<NumberBound>& minimum,
                                        const std::optional<NumberBound>& maximum) {
  const BoundsKey key = key_of({minimum, maximum});
  if (const auto known = of_bounds_.find(key); known != of_bounds_.end()) return known->second;
  if (minimum) {
    if (const Result<void> order = check_bound(minimum->value, limits_); !order) return tl::unexpected(order.error());
  }
  if (maximum) {
    if (const Result<void> order = check_bound(maximum->value, limits_); !order) return tl::unexpected(order.error());
  }
  const Notations texts = with_signs({minimum, maximum}, [&](const Bounds& bounds) {
    const ExprId plain_texts = plain(bounds);
    return Notations{plain_texts, exprs_.alternation(plain_texts, scientific(bounds))};
  });
  Result<ExprId> numbers = checked(texts.all);
  if (!numbers) return numbers;
  Known facts{.plain = texts.plain};
  if (minimum && maximum) {
    facts.least = minimum->value;
    facts.most = maximum->value;
  }
  know(*numbers, std::move(facts));
  parts_.try_emplace(*numbers, Parts{.bounds = {minimum, maximum}, .others = offered_});
  of_bounds_.emplace(key, *numbers);
  return numbers;
}

Result<ExprId> NumberLanguage::value(const Decimal& number) {
  if (const auto it = values_.find(number); it != values_.end()) return it->second;
  Result<ExprId> texts = interval(NumberBound{number, false}, NumberBound{number, false});
  if (!texts) return texts;
  if (const auto facts = known_.find(*texts); facts != known_.end()) {
    facts->second = Known{.plain = facts->second.plain, .values = std::vector{number}};
  }
  values_.emplace(number, *texts);
  return texts;
}

// The offered texts of a number. Precondition: it is not 0, and is_short().
std::vector<NumberLanguage::Texts> NumberLanguage::words_of(const Decimal& number) {
  std::vector<Texts> words{plain_value(number), scientific_value(number)};
  std::erase_if(words, [](const Texts& one) { return one.after == ExprId::kNothing; });
  if (number.sign() < 0) {
    for (Texts& one : words) one.digits.insert(0, "-");
  }
  return words;
}

std::optional<std::vector<NumberLanguage::Texts>> NumberLanguage::words(ExprId set) {
  const Known* const facts = known(set);
  if (facts == nullptr || !facts->values || facts->values->size() != 1) return std::nullopt;
  const Decimal number = facts->values->front();
  if (number.is_zero() || !is_short(number)) return std::nullopt;
  const bool is_plain = spelling_.plain_integers && number.exponent() >= 0;
  if (spelling_.doubles || spelling_.most_digits != 0) {
    if (!is_plain || !has_narrow_text(number)) return std::nullopt;
  }
  std::vector<Texts> words = words_of(number);
  if (is_plain) {  // the digits alone
    words.resize(1);
    words.front().after = ExprId::kEpsilon;
  }
  return words;
}

Result<ExprId> NumberLanguage::values(std::span<const Decimal> numbers) {
  std::vector<Texts> texts;
  std::vector<ExprId> sets;
  for (const Decimal& number : numbers) {
    if (number.is_zero() || !is_short(number)) {
      const Result<ExprId> one = value(number);
      if (!one) return one;
      sets.push_back(*one);
      continue;
    }
    for (Texts& one : words_of(number)) texts.push_back(std::move(one));
  }
  base::Work::charge(texts.size());
  std::vector<regex::TextBefore> words;
  for (const Texts& one : texts) words.push_back({one.digits, one.after});
  sets.push_back(regex::trie(exprs_, std::move(words)));
  Result<ExprId> all = checked(exprs_.alternation(sets));
  if (all) know(*all, {.values = std::vector(numbers.begin(), numbers.end())});
  return all;
}

Result<ExprId> NumberLanguage::multiples_of(const Decimal& divisor) {
  if (const auto it = multiples_of_.find(divisor); it != multiples_of_.end()) return it->second;
  if (const Result<void> possible = check_divisor(divisor, limits_); !possible) return tl::unexpected(possible.error());
  if (other_scientific_ != ExprId::kNothing && spelling_.scientific_decimals == kUnbounded) {
    return tl::unexpected(Error{ErrorCode::kInternal, "multiples in scientific notation with unbounded decimals"});
  }
  const auto number = static_cast<std::uint32_t>(factor_of(divisor));
  const ExprId minus = exprs_.repeat(exprs_.literal("-"), 0, 1);
  const ExprId plain = plain_multiples(number, divisor.exponent());
  const ExprId e = exprs_.alternation(plain, scientific_multiples(number, divisor.exponent()));
  Result<ExprId> multiples = checked(exprs_.concat(minus, e));
  if (multiples) {
    parts_.try_emplace(*multiples, Parts{.divisor = divisor.absolute(), .others = offered_});
    know(*multiples,
         {.plain = exprs_.concat(minus, plain), .divisor = divisor.absolute(), .has_division = divisor != Decimal(1)});
    multiples_of_.emplace(divisor, *multiples);
  }
  return multiples;
}

// Keeps the greater of two lower bounds, and the less of two upper ones.
void NumberLanguage::tighten(Interval& bounds, const Interval& others) {
  const auto tighten_one = [](std::optional<NumberBound>& bound, const std::optional<NumberBound>& other,
                              bool is_lower) {
    if (!other) return;
    const bool is_tighter = !bound || (is_lower ? bound->value < other->value : other->value < bound->value) ||
                            (bound->value == other->value && other->exclusive);
    if (is_tighter) bound = other;
  };
  tighten_one(bounds.first, others.first, true);
  tighten_one(bounds.second, others.second, false);
}

NumberLanguage::Parts NumberLanguage::parts_of(ExprId set) const {
  const auto known = parts_.find(set);
  return known != parts_.end() ? known->second : Parts{.others = set};
}

ExprId NumberLanguage::unlisted_meet(ExprId a, ExprId b) {
  const auto narrow = [&](ExprId x, ExprId y) {
    return x == offered_ ? y : y == offered_ ? x : exprs_.intersection(x, y);
  };
  Parts both = parts_of(a);
  const Parts second = parts_of(b);
  const bool are_multiples = both.divisor && second.divisor;
  if (are_multiples) {
    both.divisor = least_common_multiple(*both.divisor, *second.divisor);
    if (!both.divisor || !multiples_of(*both.divisor)) return narrow(a, b);
  } else if (second.divisor) {
    both.divisor = second.divisor;
  }
  tighten(both.bounds, second.bounds);
  both.others = narrow(both.others, second.others);
  // Integers within bounds are short expressions as they are.
  const bool is_as_it_is = !both.divisor || (*both.divisor == Decimal(1) && !are_multiples);
  const ExprId met = is_as_it_is ? narrow(a, b) : narrow(multiples_within(*both.divisor, both.bounds), both.others);
  if (met != ExprId::kNothing && met != ExprId::kOverflow) parts_.try_emplace(met, both);
  return met;
}

ExprId NumberLanguage::shortest_plain() {
  DigitLanguage digits(exprs_);
  const ExprId some = exprs_.repeat(digits.any_digit(), 0, kUnbounded);
  const ExprId zero = exprs_.literal("0");
  const ExprId fraction = exprs_.concat(exprs_.literal("."), exprs_.concat(some, digits.digit(1, 9)));
  const ExprId large = exprs_.concat(exprs_.concat(digits.digit(1, 9), some), exprs_.repeat(fraction, 0, 1));
  const ExprId minus = exprs_.repeat(exprs_.literal("-"), 0, 1);
  return exprs_.alternation(zero, exprs_.concat(minus, exprs_.alternation(large, exprs_.concat(zero, fraction))));
}

/// Multiples of divisor × 10^exponent.
ExprId NumberLanguage::plain_multiples(std::uint32_t divisor, std::int64_t exponent) {
  if (divisor == 1 && exponent == 0) return plain_integers_;
  DigitLanguage digits(exprs_);
  std::uint64_t product = divisor;
  std::int64_t zeros = std::max<std::int64_t>(exponent, 0);
  for (; zeros > 0 && product * 10 <= UINT32_MAX; --zeros) product *= 10;
  if (zeros == 0) {
    const auto decimals = static_cast<std::uint32_t>(std::max<std::int64_t>(-exponent, 0));
    const ExprId multiples = regex::decimal_multiple(exprs_, static_cast<std::uint32_t>(product), decimals);
    return exprs_.intersection(any_plain_, multiples);
  }
  // The divisor has more zeros than the division can hold. A multiple then ends with the remaining zeros, after a
  // multiple of `product`.
  const ExprId some = exprs_.concat(digits.digit(1, 9), exprs_.repeat(digits.any_digit(), 0, kUnbounded));
  const ExprId multiples =
      exprs_.intersection(some, regex::decimal_multiple(exprs_, static_cast<std::uint32_t>(product), 0));
  const ExprId integers = exprs_.alternation(exprs_.literal("0"),
                                             exprs_.concat(multiples, digits.zeros(static_cast<std::uint32_t>(zeros))));
  return exprs_.intersection(any_plain_, exprs_.concat(integers, digits.optional_zero_fraction()));
}

/// m × 10^e is a multiple of divisor × 10^exponent iff m is a multiple of divisor × 10^-(e - exponent). The larger e
/// is, the more mantissas m qualify, until only the divisor's factors other than 2 and 5 matter.
ExprId NumberLanguage::scientific_multiples(std::uint32_t divisor, std::int64_t exponent) {
  if (other_scientific_ == ExprId::kNothing) return ExprId::kNothing;
  if (divisor == 1) return exprs_.alternation(zero_scientific_, scientific_powers(exponent));
  std::vector<ExprId> parts = {zero_scientific_};
  ExprId before = ExprId::kNothing;
  const std::uint32_t enough = spelling_.scientific_decimals + factors_of_ten(divisor);
  for (std::uint32_t decimals = 0; decimals <= enough; ++decimals) {
    const ExprId mantissas = exprs_.intersection(mantissa_, regex::decimal_multiple(exprs_, divisor, decimals));
    if (mantissas == before) continue;
    before = mantissas;
    parts.push_back(exprs_.concat(mantissas, exponents(exponent + decimals, std::nullopt)));
  }
  return exprs_.alternation(parts);
}

// The same within bounds. The intersection of all multiples with the interval is the same set, but takes long searches for
// a member: after `5` of the multiples of 37 up to 100, through the remainders at each length of a mantissa. Here texts in
// plain notation have a greatest length, which ends a search where the next multiple needs more digits (a division knows
// how many), and each exponent stands after its own mantissas.

ExprId NumberLanguage::plain_multiples(std::uint32_t divisor, std::int64_t exponent, const Bounds& bounds) {
  const ExprId multiples = plain_multiples(divisor, exponent);
  if (!bounds.most) return exprs_.intersection(plain(bounds), multiples);
  DigitLanguage digits(exprs_);
  const auto compare = [&](const NumberBound& bound, Comparison comparison) {
    return digits.integers(comparison, bound.value.is_zero() ? WrittenDecimal{} : WrittenDecimal::of(bound.value));
  };
  ExprId integers = compare(*bounds.most, bounds.most->exclusive ? Comparison::kLess : Comparison::kLessOrEqual);
  if (bounds.least) {
    const Comparison comparison = bounds.least->exclusive ? Comparison::kGreater : Comparison::kGreaterOrEqual;
    integers = exprs_.intersection(integers, compare(*bounds.least, comparison));
  }
  ExprId e = exprs_.concat(exprs_.intersection(integers, multiples), digits.optional_zero_fraction());
  if (exponent < 0) {
    const auto most_digits = static_cast<std::uint32_t>(std::max<std::int64_t>(bounds.most->value.order() + 1, 1));
    const ExprId integer = exprs_.repeat(digits.any_digit(), 1, most_digits);
    const ExprId some = exprs_.repeat(digits.any_digit(), 1, static_cast<std::uint32_t>(-exponent));
    const ExprId fractions = exprs_.concat(integer, exprs_.concat(exprs_.literal("."), some));
    const ExprId zeros = exprs_.repeat(digits.zeros(1), 0, kUnbounded);
    const ExprId within = exprs_.intersection(plain(bounds), multiples);
    e = exprs_.alternation(e, exprs_.concat(exprs_.intersection(within, fractions), zeros));
  }
  return spelling_.trailing_zeros == kUnbounded ? e : exprs_.intersection(any_plain_, e);
}

ExprId NumberLanguage::scientific_multiples(std::uint32_t divisor, std::int64_t exponent, const Bounds& bounds) {
  if (other_scientific_ == ExprId::kNothing) return ExprId::kNothing;
  if (divisor == 1) {  // no division: this is a shorter expression
    return exprs_.intersection(scientific(bounds), scientific_multiples(divisor, exponent));
  }
  std::vector<ExprId> parts;
  if (!bounds.least) parts.push_back(zero_scientific_);
  if (bounds.most && bounds.most->value.is_zero()) return exprs_.alternation(parts);
  const std::int64_t enough = std::int64_t{spelling_.scientific_decimals} + factors_of_ten(divisor);
  const auto mantissas = [&](std::int64_t order) {  // m, if m × 10^order is a multiple
    if (order < exponent) return ExprId::kNothing;
    const auto decimals = static_cast<std::uint32_t>(std::min(order - exponent, enough));
    return exprs_.intersection(mantissa_, regex::decimal_multiple(exprs_, divisor, decimals));
  };
  // Those between the orders of the bounds.
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  if (bounds.least && !bounds.least->value.is_zero()) low = bounds.least->value.order();
  if (bounds.most) high = bounds.most->value.order();
  const std::int64_t first = low ? std::max(*low + 1, exponent) : exponent;
  std::int64_t last = std::max(first, exponent + enough);
  if (high) last = std::min(last, *high - 1);
  ExprId before = ExprId::kNothing;
  for (std::int64_t order = first; order <= last; ++order) {
    const ExprId these = mantissas(order);
    if (these == before) continue;
    before = these;
    parts.push_back(exprs_.concat(these, exponents(order, high ? std::optional(*high - 1) : std::nullopt)));
  }
  // Those of the same order as a bound.
  DigitLanguage digits(exprs_);
  const auto add_beside = [&](std::int64_t order) {
    ExprId these = mantissas(order);
    if (low == order) {
      const Comparison comparison = bounds.least->exclusive ? Comparison::kGreater : Comparison::kGreaterOrEqual;
      these = exprs_.intersection(these, digits.mantissas(comparison, bounds.least->value.digits()));
    }
    if (high == order) {
      const Comparison comparison = bounds.most->exclusive ? Comparison::kLess : Comparison::kLessOrEqual;
      these = exprs_.intersection(these, digits.mantissas(comparison, bounds.most->value.digits()));
    }
    parts.push_back(exprs_.concat(these, exponents(order, order)));
  };
  if (low) add_beside(*low);
  if (high && high != low) add_beside(*high);
  return exprs_.alternation(parts);
}

WEIR_REPLACEABLE ExprId NumberLanguage::multiples_within(const Decimal& divisor, const Interval& bounds) {
  const auto& [minimum, maximum] = bounds;
  const ExprId all = multiples_of(divisor).value_or(ExprId::kOverflow);
  if ((!minimum && !maximum) || all == ExprId::kOverflow) return all;
  if (minimum && maximum && maximum->value < minimum->value) return ExprId::kNothing;
  if (divisor == Decimal(1)) return exprs_.intersection(all, interval(minimum, maximum).value_or(ExprId::kOverflow));
  const std::pair key(divisor, key_of(bounds));
  if (const auto known = multiples_within_.find(key); known != multiples_within_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(factor_of(divisor));
  const Notations texts = with_signs(bounds, [&](const Bounds& half) {
    const ExprId plain = plain_multiples(number, divisor.exponent(), half);
    return Notations{plain, exprs_.alternation(plain, scientific_multiples(number, divisor.exponent(), half))};
  });
  Known facts{.plain = texts.plain, .divisor = divisor, .has_division = true};
  if (minimum && maximum) {
    facts.least = minimum->value;
    facts.most = maximum->value;
  }
  know(texts.all, std::move(facts));
  if (texts.all != ExprId::kOverflow) multiples_within_.emplace(key, texts.all);
  return texts.all;
}

/// Returns the multiples of 10^exponent, except 0: a mantissa with n significant decimals needs an exponent of at least
/// exponent + n. The expression is built so that its derivatives by digits are subexpressions of it, which saves
/// states: bounded integers are very common in schemas.
ExprId NumberLanguage::scientific_powers(std::int64_t exponent) {
  DigitLanguage digits(exprs_);
  const std::uint32_t most = spelling_.scientific_decimals;
  // Returns what may follow `decimals` significant decimals, the last of which is not 0: zeros, then the exponent.
  const auto end = [&](std::uint32_t decimals, std::uint32_t fewest_zeros) {
    const ExprId zeros =
        exprs_.repeat(digits.zeros(1), fewest_zeros, std::min(most - decimals, spelling_.trailing_zeros));
    return exprs_.concat(zeros, exponents(exponent + decimals, std::nullopt));
  };
  ExprId more = ExprId::kNothing;  // further significant decimals
  for (std::uint32_t decimals = most; decimals > 0; --decimals) {
    more = exprs_.alternation(exprs_.concat(digits.digit(1, 9), exprs_.alternation(end(decimals, 0), more)),
                              exprs_.concat(digits.zeros(1), more));
  }
  const ExprId fraction = exprs_.concat(exprs_.literal("."), exprs_.alternation(end(0, 1), more));
  if (spelling_.exponents == NumberSpelling::Exponents::kExplicit) return exprs_.concat(digits.digit(1, 9), fraction);
  const ExprId plain = exponents(exponent, std::nullopt);
  return exprs_.concat(digits.digit(1, 9), exprs_.alternation(fraction, plain));
}

// Texts that are offered to a model.

namespace {

/// A number of so many digits, written without exponent, is in the range of a double.
constexpr std::uint32_t kAlwaysDouble = 300;

}  // namespace

// Returns false also if the search runs out of fuel.
bool NumberLanguage::has_member(ExprId e) {
  return e != ExprId::kOverflow && regex::emptiness(exprs_, e, limits_.regex_fuel) == regex::Emptiness::kNonEmpty;
}

bool NumberLanguage::has_only_integers(ExprId set) {
  if (set == offered_) return false;
  if (const Known* facts = known(set); facts != nullptr && facts->divisor && facts->divisor->exponent() >= 0)
    return true;
  const Result<ExprId> integers = multiples_of(Decimal(1));
  if (!integers) return false;
  const ExprId others = exprs_.difference(set, *integers);
  return others != ExprId::kOverflow &&
         regex::emptiness(exprs_, others, limits_.regex_fuel) == regex::Emptiness::kEmpty;
}

// Returns the offered texts of numbers that a double holds. The limit of repeat_count was checked before.
ExprId NumberLanguage::double_texts() {
  if (double_texts_.has_value()) return *double_texts_;
  const auto bound = [&](std::string_view text, bool exclusive) {
    return NumberBound{*Decimal::parse(text, limits_), exclusive};
  };
  const auto all = interval(bound("-1.7976931348623157e308", false), bound("1.7976931348623157e308", false));
  const auto tiny = interval(bound("-2.2250738585072014e-308", true), bound("2.2250738585072014e-308", true));
  const auto zero = value(Decimal(0));
  if (!all || !tiny || !zero) return ExprId::kOverflow;
  return *(double_texts_ = exprs_.alternation(*zero, exprs_.difference(*all, *tiny)));
}

ExprId NumberLanguage::narrow_texts() {
  if (narrow_texts_.has_value()) return *narrow_texts_;
  ExprId texts = ExprId::kAllStrings;
  const bool is_double = spelling_.most_digits != 0 && spelling_.most_digits <= kAlwaysDouble &&
                         spelling_.exponents == NumberSpelling::Exponents::kNever;
  if (spelling_.doubles && !is_double) texts = double_texts();
  if (spelling_.most_digits != 0) texts = exprs_.intersection(texts, digits_up_to(spelling_.most_digits));
  return *(narrow_texts_ = texts);
}

// Returns true if the plain notation of the value is among narrow_texts(). False may also mean unknown.
bool NumberLanguage::has_narrow_text(const Decimal& number) const {
  const std::int64_t most = spelling_.most_digits == 0 ? kAlwaysDouble : std::min(spelling_.most_digits, kAlwaysDouble);
  const std::int64_t integer_digits = std::max<std::int64_t>(number.order() + 1, 1);
  return number.is_zero() || integer_digits + std::max<std::int64_t>(-number.exponent(), 0) <= most;
}

// Texts with 1 to `most` digits.
ExprId NumberLanguage::digits_up_to(std::uint32_t most) {
  DigitLanguage digits(exprs_);
  ByteSet others;
  for (const char c : std::string_view("-+.eE")) others.add(static_cast<std::uint8_t>(c));
  const ExprId one = exprs_.concat(exprs_.repeat(exprs_.byte_set(others), 0, kUnbounded), digits.any_digit());
  return exprs_.repeat(one, 1, most);
}

// Returns the texts that most_digits leaves if it is raised by the digits that the shortest text has: for texts that are
// all longer, such as those of integers from 10^25 on. So digits end in any case.
ExprId NumberLanguage::long_texts(ExprId texts) {
  if (spelling_.doubles) {
    const ExprId doubles = exprs_.intersection(texts, double_texts());
    if (has_member(doubles)) texts = doubles;
  }
  if (spelling_.most_digits == 0) return texts;
  const std::optional<std::string> least = regex::any_shortest_member(exprs_, texts, limits_.regex_fuel);
  if (!least) return texts;
  const auto needed =
      static_cast<std::uint32_t>(std::ranges::count_if(*least, [](char c) { return c >= '0' && c <= '9'; }));
  return exprs_.intersection(texts, digits_up_to(needed + spelling_.most_digits));
}

namespace {

// Texts that are as long as numbers without exponent that have up to `most` digits. digits_up_to() bounds no lengths, as
// an expression, but a division knows how many bytes the next multiple needs: where they are too many, no search is needed.
ExprId lengths_up_to(regex::ExprSet& exprs, std::uint32_t most, bool is_plain) {
  ByteSet bytes = ByteSet::range('0', '9');
  if (!is_plain) bytes.add('.');
  return exprs.concat(exprs.repeat(exprs.literal("-"), 0, 1),
                      exprs.repeat(exprs.byte_set(bytes), 1, is_plain ? most : most + 1));
}

}  // namespace

ExprId NumberLanguage::written(ExprId set) {
  if (set == ExprId::kNothing || set == ExprId::kOverflow) return set;
  if (const auto done = written_.find(set); done != written_.end()) return done->second;
  ExprId texts = set == offered_ ? any_ : set;
  bool is_plain = false;  // integers without a point
  if (spelling_.plain_integers && has_only_integers(set)) {
    // A set has all offered texts of a value or none, so each value keeps one.
    const ExprId plain = exprs_.intersection(texts, exprs_.difference(integer_literals_, exprs_.literal("-0")));
    is_plain = plain == ExprId::kOverflow || has_member(plain);
    if (is_plain) texts = plain;
  }
  const ExprId narrow = narrow_texts();
  if (narrow != ExprId::kAllStrings) {
    ExprId kept = exprs_.intersection(texts, narrow);
    const bool bounds_lengths = spelling_.most_digits != 0 && spelling_.exponents == NumberSpelling::Exponents::kNever;
    if (const Known* facts = known(set); bounds_lengths && facts != nullptr && facts->has_division) {
      kept = exprs_.intersection(kept, lengths_up_to(exprs_, spelling_.most_digits, is_plain));
    }
    if (const Known* facts = known(set); facts != nullptr && facts->values) {
      const std::vector<Decimal> values = *facts->values;  // a copy: value() adds facts
      std::vector<ExprId> parts{kept};
      for (const Decimal& number : values) {
        if (has_narrow_text(number)) continue;
        const Result<ExprId> all = value(number);
        if (!all) continue;
        const ExprId own = exprs_.intersection(texts, *all);
        if (!has_member(own) || has_member(exprs_.intersection(own, narrow))) continue;
        parts.push_back(long_texts(own));
      }
      kept = exprs_.alternation(parts);
    }
    texts = kept == ExprId::kOverflow || has_member(kept) ? kept : long_texts(texts);
  }
  if (!base::Work::is_met()) written_.emplace(set, texts);
  return texts;
}

// Facts about the values of a set (Known), and sets of few values.
//
// The texts of multiples of several numbers have a state for each combination of remainders and each length of a
// mantissa. If the values are few, meet() tests each of them instead. One text of a value is enough for the test, since
// the sets in known_ have either all texts of a value or none.

namespace {

/// Returns number / 10^exponent if that is an integer of at most 18 digits.
std::optional<std::int64_t> units(const Decimal& number, std::int64_t exponent) {
  constexpr std::size_t kDigits = 18;
  const auto zeros = static_cast<std::uint64_t>(number.exponent() - exponent);
  if (number.is_zero()) return 0;
  if (number.digits().size() > kDigits || zeros > kDigits - number.digits().size()) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : number.digits()) value = value * 10 + (c - '0');
  for (std::uint64_t i = 0; i < zeros; ++i) value *= 10;
  return number.sign() * value;
}

std::optional<Decimal> from_units(std::int64_t units, std::int64_t exponent) {
  const auto number = Decimal::parse(std::to_string(units) + "e" + std::to_string(exponent), Limits{});
  return number ? std::optional(*number) : std::nullopt;
}

std::optional<Decimal> greatest_common_divisor(const Decimal& a, const Decimal& b) {
  const std::int64_t exponent = std::min(a.exponent(), b.exponent());
  const auto x = units(a, exponent);
  const auto y = units(b, exponent);
  return x && y ? from_units(std::gcd(*x, *y), exponent) : std::nullopt;
}

/// Returns the number in plain notation; nullopt if that is longer than about kMaxListedDigits.
std::optional<std::string> plain_text(const Decimal& number) {
  if (number.is_zero()) return "0";
  if (number.order() > kMaxListedDigits || -number.exponent() > kMaxListedDigits) return std::nullopt;
  std::string digits(number.digits());
  if (number.exponent() >= 0) {
    digits.append(static_cast<std::size_t>(number.exponent()), '0');
  } else {
    const auto decimals = static_cast<std::size_t>(-number.exponent());
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, ".");
  }
  return number.sign() < 0 ? "-" + digits : digits;
}

}  // namespace

std::optional<Decimal> least_common_multiple(const Decimal& a, const Decimal& b) {
  const std::int64_t exponent = std::min(a.exponent(), b.exponent());
  const auto x = units(a, exponent);
  const auto y = units(b, exponent);
  if (!x || !y) return std::nullopt;
  const std::int64_t factor = *y / std::gcd(*x, *y);
  if (factor > INT64_MAX / *x) return std::nullopt;
  return from_units(*x * factor, exponent);
}

void NumberLanguage::know(ExprId e, Known known) {
  if (e != ExprId::kNothing && e != ExprId::kOverflow) known_.try_emplace(e, std::move(known));
}

const NumberLanguage::Known* NumberLanguage::known(ExprId e) const {
  const auto it = known_.find(e);
  return it == known_.end() ? nullptr : &it->second;
}

NumberLanguage::Known NumberLanguage::meet(const Known& a, const Known& b) {
  Known both = a;
  both.plain.reset();
  if (b.least && (!both.least || *both.least < *b.least)) both.least = b.least;
  if (b.most && (!both.most || *b.most < *both.most)) both.most = b.most;
  if (a.divisor && b.divisor) {
    if (const auto divisor = least_common_multiple(*a.divisor, *b.divisor)) both.divisor = divisor;
  } else if (b.divisor) {
    both.divisor = b.divisor;
  }
  if (!both.values || (b.values && b.values->size() < both.values->size())) both.values = b.values;
  both.has_division = a.has_division || b.has_division;
  both.excludes_few = false;
  both.is_hard = a.is_hard || b.is_hard;
  return both;
}

// Returns a list that contains all values of a set (and perhaps others), if the facts show that there are few.
std::optional<std::vector<Decimal>> NumberLanguage::list(const Known& known) {
  if (known.values) return known.values;
  if (!known.is_hard || !known.least || !known.most || !known.divisor) return std::nullopt;
  const std::int64_t exponent = std::min({known.least->exponent(), known.most->exponent(), known.divisor->exponent()});
  const auto least = units(*known.least, exponent);
  const auto most = units(*known.most, exponent);
  const auto divisor = units(*known.divisor, exponent);
  if (!least || !most || !divisor) return std::nullopt;
  // Division rounds towards zero, so the list may have one value too many at either end.
  const std::int64_t first = *least / *divisor;
  const std::int64_t last = *most / *divisor;
  if (last - first >= static_cast<std::int64_t>(kMaxTriedValues)) return std::nullopt;
  std::vector<Decimal> values;
  for (std::int64_t i = first; i <= last; ++i) {
    const auto value = from_units(i * *divisor, exponent);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<ExprId> NumberLanguage::listed_meet(ExprId a, ExprId b) {
  const Known* const x = known(a);
  const Known* const y = known(b);
  if (x == nullptr || y == nullptr) return std::nullopt;
  const auto has_more = [](const Known& one) { return one.values && one.values->size() > kMaxTriedValues; };
  if ((has_more(*x) && y->excludes_few) || (has_more(*y) && x->excludes_few)) {
    return std::nullopt;
  }
  const std::optional<std::vector<Decimal>> candidates = list(meet(*x, *y));
  if (!candidates) return std::nullopt;
  base::Work::charge(candidates->size());
  const bool is_long = candidates->size() > kMaxTriedValues;
  std::vector<Decimal> values;
  std::vector<ExprId> texts;
  for (const Decimal& candidate : *candidates) {
    const auto text = plain_text(candidate);
    if (!text) return std::nullopt;
    if (!exprs_.matches(a, *text) || !exprs_.matches(b, *text)) continue;
    values.push_back(candidate);
    if (is_long) continue;
    const Result<ExprId> all = value(candidate);
    if (!all) return std::nullopt;
    texts.push_back(*all);
  }
  if (is_long) {
    const Result<ExprId> met = this->values(values);
    return met ? std::optional(*met) : std::nullopt;
  }
  const ExprId met = exprs_.alternation(texts);
  know(met, {.values = std::move(values)});
  return met;
}

ExprId NumberLanguage::meet(std::span<const ExprId> sets) {
  ExprId met = offered_;
  Interval bounds;
  std::vector<ExprId> intervals;
  for (const ExprId set : sets) {
    const auto parts = parts_.find(set);
    if (parts == parts_.end() || parts->second.divisor || parts->second.others != offered_) {
      met = meet(met, set);
      continue;
    }
    tighten(bounds, parts->second.bounds);
    intervals.push_back(set);
  }
  if (bounds.first && bounds.second && bounds.second->value < bounds.first->value) return ExprId::kNothing;
  if (intervals.size() <= kFewIntervals) {
    for (const ExprId set : intervals) met = meet(met, set);
    return met;
  }
  return meet(met, interval(bounds.first, bounds.second).value_or(ExprId::kOverflow));
}

ExprId NumberLanguage::meet(ExprId a, ExprId b) {
  if (a == b || b == offered_) return a;
  if (a == offered_) return b;
  if (const std::optional<ExprId> met = listed_meet(a, b)) return *met;
  const ExprId met = unlisted_meet(a, b);
  if (const Known* x = known(a), *y = known(b); x != nullptr && y != nullptr) {
    Known both = meet(*x, *y);
    if (both.has_division) both.plain = exprs_.intersection(plain_texts(a, *x), plain_texts(b, *y));
    know(met, std::move(both));
  }
  return met;
}

ExprId NumberLanguage::join(std::span<const ExprId> sets) {
  const ExprId joined = exprs_.alternation(sets);
  if (std::ranges::find(sets, joined) != sets.end()) return joined;
  Known any{.values = std::vector<Decimal>{}};
  bool is_first = true;
  for (const ExprId set : sets) {
    const Known* const one = known(set);
    if (one == nullptr) return joined;
    if (std::exchange(is_first, false)) {
      any.divisor = one->divisor;
    } else if (any.divisor) {
      any.divisor = one->divisor ? greatest_common_divisor(*any.divisor, *one->divisor) : std::nullopt;
    }
    any.has_division = any.has_division || one->has_division;
    if (!one->values) any.values.reset();
    if (any.values) any.values->insert(any.values->end(), one->values->begin(), one->values->end());
  }
  // A union that grows by a value at a time does not list them all each time; written() needs those of an `enum`.
  if (any.values && any.values->size() > std::max(kMaxTriedValues, sets.size())) any.values.reset();
  any.is_hard = any.has_division;
  if (any.has_division) {
    std::vector<ExprId> plain;
    for (const ExprId set : sets) plain.push_back(plain_texts(set, *known(set)));
    any.plain = exprs_.alternation(plain);
  }
  know(joined, std::move(any));
  return joined;
}

ExprId NumberLanguage::complement(ExprId a) {
  if (a == offered_) return ExprId::kNothing;
  if (a == ExprId::kNothing) return offered_;
  const ExprId others = exprs_.difference(offered_, a);
  if (const Known* const x = known(a)) {
    Known facts{.has_division = x->has_division, .excludes_few = x->values.has_value(), .is_hard = x->has_division};
    if (x->has_division) facts.plain = exprs_.difference(*known(offered_)->plain, plain_texts(a, *x));
    know(others, std::move(facts));
  }
  return others;
}

ExprId NumberLanguage::difference(ExprId a, ExprId b) {
  if (b == ExprId::kNothing) return a;
  const Known* const x = known(a);
  const Known* const y = known(b);
  const bool is_plain = x != nullptr && y != nullptr && !x->has_division && !y->has_division && !x->values;
  if (a == offered_ || !is_plain) return meet(a, complement(b));
  const ExprId left = exprs_.difference(a, b);
  know(left, {.least = x->least, .most = x->most});
  return left;
}

ExprId NumberLanguage::plain_texts(ExprId set, const Known& facts) {
  return facts.plain ? *facts.plain : exprs_.intersection(set, *known(offered_)->plain);
}

ExprId NumberLanguage::witnesses(ExprId set) const {
  const Known* const facts = known(set);
  return facts != nullptr && facts->has_division && facts->plain ? *facts->plain : set;
}

}  // namespace weir::frontend::json_schema
