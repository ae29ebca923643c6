#include "frontend/json_schema/values/digit_language.h"

#include <algorithm>
#include <array>

namespace weir::frontend::json_schema {

namespace {

using regex::ByteSet;
using regex::ExprId;
using regex::kUnbounded;

int value_of(char digit) { return digit - '0'; }

bool is_greater(Comparison c) { return c == Comparison::kGreater || c == Comparison::kGreaterOrEqual; }
bool is_less(Comparison c) { return c == Comparison::kLess || c == Comparison::kLessOrEqual; }
bool is_strict(Comparison c) { return c == Comparison::kLess || c == Comparison::kGreater; }

}  // namespace

WrittenDecimal WrittenDecimal::of(const Decimal& number) {
  WrittenDecimal written;
  const std::string_view digits = number.digits();
  if (number.exponent() >= 0) {
    written.integer = digits;
    written.integer_zeros = static_cast<std::uint32_t>(number.exponent());
  } else if (number.order() >= 0) {
    const auto split = static_cast<std::size_t>(number.order()) + 1;
    written.integer = digits.substr(0, split);
    written.fraction = digits.substr(split);
    // The digits of the fraction do not end with a zero, but may begin with some: 100.05 is "100", one zero, "5".
    const std::size_t first = written.fraction.find_first_not_of('0');
    written.fraction_zeros = static_cast<std::uint32_t>(first);
    written.fraction.remove_prefix(first);
  } else {
    written.fraction_zeros = static_cast<std::uint32_t>(-number.order() - 1);
    written.fraction = digits;
  }
  return written;
}

DigitLanguage::DigitLanguage(regex::ExprSet& exprs)
    : exprs_(exprs),
      any_digit_(exprs.byte_set(ByteSet::range('0', '9'))),
      zero_(exprs.byte_set(ByteSet::of('0'))),
      point_(exprs.byte_set(ByteSet::of('.'))) {}

ExprId DigitLanguage::digit(int first, int last) {
  if (first > last) return ExprId::kNothing;
  return exprs_.byte_set(ByteSet::range(static_cast<std::uint8_t>('0' + first), static_cast<std::uint8_t>('0' + last)));
}

ExprId DigitLanguage::digits(std::uint32_t count) { return exprs_.repeat(any_digit_, count, count); }

ExprId DigitLanguage::zeros(std::uint32_t count) { return exprs_.repeat(zero_, count, count); }

ExprId DigitLanguage::optional_fraction() {
  return exprs_.repeat(exprs_.concat(point_, exprs_.repeat(any_digit_, 1, kUnbounded)), 0, 1);
}

ExprId DigitLanguage::optional_zero_fraction() {
  return exprs_.repeat(exprs_.concat(point_, exprs_.repeat(zero_, 1, kUnbounded)), 0, 1);
}

/// Numbers with as many digits as `digits` followed by `zeros` zeros that are greater, or less, than this number. The
/// first digit is not 0.
ExprId DigitLanguage::same_length(bool greater, std::string_view digits, std::uint32_t zeros) {
  ExprId e = greater && zeros > 0 ? exprs_.difference(this->digits(zeros), this->zeros(zeros)) : ExprId::kNothing;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const int d = value_of(digits[i]);
    const ExprId differs = greater ? digit(d + 1, 9) : digit(i == 0 ? 1 : 0, d - 1);
    const auto left = static_cast<std::uint32_t>(digits.size() - 1 - i) + zeros;
    e = exprs_.alternation(exprs_.concat(differs, this->digits(left)), exprs_.concat(digit(d, d), e));
  }
  return e;
}

/// Fractions, with the point, whose value satisfies `comparison` with 0.0...0digits: `zeros` zeros follow the point.
/// The empty text stands for 0.
ExprId DigitLanguage::fraction(Comparison comparison, std::uint32_t zeros, std::string_view digits) {
  const ExprId any = exprs_.repeat(any_digit_, 0, kUnbounded);
  const ExprId only_zeros = exprs_.repeat(zero_, 0, kUnbounded);
  const ExprId some_other = exprs_.concat(only_zeros, exprs_.concat(digit(1, 9), any));
  if (digits.empty()) {
    switch (comparison) {
      case Comparison::kLess: return ExprId::kNothing;
      case Comparison::kLessOrEqual:
      case Comparison::kEqual: return optional_zero_fraction();
      case Comparison::kGreaterOrEqual: return optional_fraction();
      case Comparison::kGreater: return exprs_.concat(point_, some_other);
    }
  }
  // Build the expression from the end. It begins with what may follow if all digits are equal. The last of `digits` is
  // not 0, so a text that ends earlier is less.
  ExprId e = only_zeros;
  if (is_greater(comparison)) e = is_strict(comparison) ? some_other : any;
  if (comparison == Comparison::kLess) e = ExprId::kNothing;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const int d = value_of(digits[i]);
    ExprId differs = ExprId::kNothing;
    if (is_greater(comparison)) differs = digit(d + 1, 9);
    if (is_less(comparison)) differs = digit(0, d - 1);
    e = exprs_.alternation(exprs_.concat(differs, any), exprs_.concat(digit(d, d), e));
    if (is_less(comparison) && i > 0) e = exprs_.alternation(e, ExprId::kEpsilon);
  }
  if (zeros > 0) {
    const ExprId after = exprs_.concat(this->zeros(zeros), e);
    if (is_greater(comparison)) {
      const ExprId fewer = exprs_.concat(exprs_.repeat(zero_, 0, zeros - 1), exprs_.concat(digit(1, 9), any));
      e = exprs_.alternation(fewer, after);
    } else {
      e = is_less(comparison) ? exprs_.alternation(exprs_.repeat(zero_, 1, zeros), after) : after;
    }
  }
  e = exprs_.concat(point_, e);
  return is_less(comparison) ? exprs_.alternation(e, ExprId::kEpsilon) : e;
}

/// The integer part of a number, as a text.
ExprId DigitLanguage::integer_part(const WrittenDecimal& number) {
  return number.integer.empty() ? zero_ : exprs_.concat(exprs_.literal(number.integer), zeros(number.integer_zeros));
}

/// Integers that are greater, or less, than the integer part of a number.
ExprId DigitLanguage::other_integers(bool greater, const WrittenDecimal& number) {
  const auto length = static_cast<std::uint32_t>(number.integer.size()) + number.integer_zeros;
  const ExprId first = digit(1, 9);
  ExprId differs = ExprId::kNothing;
  if (greater) {
    differs = exprs_.concat(first, exprs_.repeat(any_digit_, length, kUnbounded));
  } else if (length > 0) {
    const ExprId shorter =
        length > 1 ? exprs_.concat(first, exprs_.repeat(any_digit_, 0, length - 2)) : ExprId::kNothing;
    differs = exprs_.alternation(zero_, shorter);
  }
  return exprs_.alternation(differs, same_length(greater, number.integer, number.integer_zeros));
}

ExprId DigitLanguage::plain(Comparison comparison, const WrittenDecimal& number) {
  const ExprId equal =
      exprs_.concat(integer_part(number), fraction(comparison, number.fraction_zeros, number.fraction));
  if (comparison == Comparison::kEqual) return equal;
  const ExprId others = other_integers(is_greater(comparison), number);
  return exprs_.alternation(exprs_.concat(others, optional_fraction()), equal);
}

ExprId DigitLanguage::integers(Comparison comparison, const WrittenDecimal& number) {
  const bool is_equal_one = exprs_.nullable(fraction(comparison, number.fraction_zeros, number.fraction));
  return exprs_.alternation(other_integers(is_greater(comparison), number),
                            is_equal_one ? integer_part(number) : ExprId::kNothing);
}

ExprId DigitLanguage::mantissas(Comparison comparison, std::string_view digits) {
  const std::string_view after = digits.substr(1);
  const std::size_t zeros = std::min(after.find_first_not_of('0'), after.size());
  const int d = value_of(digits[0]);
  const ExprId equal =
      exprs_.concat(digit(d, d), fraction(comparison, static_cast<std::uint32_t>(zeros), after.substr(zeros)));
  ExprId differs = ExprId::kNothing;
  if (is_greater(comparison)) differs = digit(d + 1, 9);
  if (is_less(comparison)) differs = digit(1, d - 1);
  return exprs_.alternation(exprs_.concat(differs, optional_fraction()), equal);
}

/// Natural numbers from `least` to `most` with any number of leading zeros.
ExprId DigitLanguage::natural(std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  const ExprId leading = exprs_.repeat(zero_, 0, kUnbounded);
  ExprId e = exprs_.repeat(any_digit_, 1, kUnbounded);
  const auto compare = [&](bool greater, std::int64_t bound) {
    const std::string digits = std::to_string(bound);
    const auto length = static_cast<std::uint32_t>(digits.size());
    const ExprId equal = exprs_.literal(digits);
    const ExprId other_length = greater      ? exprs_.concat(digit(1, 9), exprs_.repeat(any_digit_, length, kUnbounded))
                                : length > 1 ? exprs_.concat(digit(1, 9), exprs_.repeat(any_digit_, 0, length - 2))
                                             : ExprId::kNothing;
    const std::array<ExprId, 3> parts{equal, other_length, same_length(greater, digits, 0)};
    return exprs_.concat(leading, exprs_.alternation(parts));
  };
  if (most && *most > 0 && most == least) return exprs_.concat(leading, exprs_.literal(std::to_string(*most)));
  if (least && *least > 0) e = compare(true, *least);
  if (most && *most == 0) return exprs_.intersection(e, exprs_.repeat(zero_, 1, kUnbounded));
  if (most) {
    const ExprId at_most = exprs_.alternation(compare(false, *most), exprs_.repeat(zero_, 1, kUnbounded));
    e = exprs_.intersection(e, at_most);
  }
  return e;
}

ExprId DigitLanguage::exponents(std::optional<std::int64_t> least, std::optional<std::int64_t> most, Plus plus) {
  ExprId positive = ExprId::kNothing;
  ExprId negative = ExprId::kNothing;
  if (!most || *most >= 0) positive = natural(least ? std::max<std::int64_t>(*least, 0) : 0, most);
  if (!least || *least <= 0) {
    const std::optional<std::int64_t> least_opposite = most ? std::max<std::int64_t>(-*most, 0) : 0;
    negative = natural(least_opposite, least ? std::optional(-*least) : std::nullopt);
  }
  const ExprId sign = exprs_.repeat(exprs_.literal("+"), plus == Plus::kRequired ? 1 : 0, 1);
  return exprs_.alternation(exprs_.concat(sign, positive), exprs_.concat(exprs_.literal("-"), negative));
}

}  // namespace weir::frontend::json_schema
