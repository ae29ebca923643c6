#include "frontend/json_schema/values/near_multiples.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/replaceable.h"
#include "base/work.h"
#include "frontend/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

std::int64_t integer_of(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

/// Stands for the number of a multiple that is not near 0.
constexpr std::int64_t kFar = INT64_MAX / 4;

/// Returns the greatest n for which n × divisor is within an upper bound; kFar or -kFar if the bound is not near 0.
std::int64_t last_multiple(const Decimal& divisor, const NumberBound& bound) {
  if (bound.value.is_zero()) return bound.exclusive ? -1 : 0;
  if (bound.value.order() > divisor.order() + kMaxNearDigits) return bound.value.sign() * kFar;
  // The digits of the bound up to the last of the divisor: what is below says only that the bound is no multiple itself.
  const std::int64_t lower = bound.value.exponent() - divisor.exponent();
  std::string digits(bound.value.digits());
  const auto size = static_cast<std::int64_t>(digits.size()) + lower;
  digits.resize(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)), '0');
  const std::int64_t amount = integer_of(digits);
  const std::int64_t unit = integer_of(divisor.digits());
  const bool is_multiple = lower >= 0 && amount % unit == 0;
  const std::int64_t whole = amount / unit;
  if (bound.value.sign() > 0) return is_multiple && bound.exclusive ? whole - 1 : whole;
  return is_multiple && !bound.exclusive ? -whole : -whole - 1;
}

}  // namespace

WEIR_REPLACEABLE std::optional<NearMultiples> near_multiples(const Decimal& divisor,
                                                             const std::optional<NumberBound>& minimum,
                                                             const std::optional<NumberBound>& maximum) {
  if (divisor.digits().size() > kMaxDivisorDigits || integer_of(divisor.digits()) < kManyRemainders)
    return std::nullopt;
  const std::int64_t last = maximum ? last_multiple(divisor, *maximum) : kFar;
  // The least multiple is the greatest one of the negated numbers.
  const std::int64_t most = minimum ? last_multiple(divisor, {minimum->value.negated(), minimum->exclusive}) : kFar;
  NearMultiples near;
  near.minimum = minimum;
  near.maximum = maximum;
  std::int64_t from = 1;
  std::int64_t to = -1;  // 0 is among the others
  if (last != kFar && most != kFar && last + most < kMaxNearMultiples) {
    from = -most;
    to = last;
    near.has_others = false;
  } else if (last >= 0 && last <= kMaxNearMultiples && !maximum->value.is_zero()) {
    to = last;
    near.maximum = NumberBound{Decimal(0), false};
  } else if (most >= 0 && most <= kMaxNearMultiples && !minimum->value.is_zero()) {
    from = -most;
    near.minimum = NumberBound{Decimal(0), false};
  } else {
    return std::nullopt;
  }
  for (std::int64_t i = from; i <= to; ++i) {
    base::Work::charge(1);
    const std::string text =
        std::to_string(i * integer_of(divisor.digits())) + "e" + std::to_string(divisor.exponent());
    const Result<Decimal> value = Decimal::parse(text, Limits{});
    if (!value) return std::nullopt;
    near.values.push_back(*value);
  }
  return near;
}

}  // namespace weir::frontend::json_schema
