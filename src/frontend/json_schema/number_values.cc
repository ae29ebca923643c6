// What is known of the values of a set of numbers, and sets of few values.
//
// As texts, what several divisions leave is a product of remainders, for each length of a mantissa. Where the values
// are few, each of them is asked for instead: one text tells, for a set that is known here has all texts of a value or
// none.
#include <algorithm>
#include <numeric>
#include <string>

#include "frontend/json_schema/number_language.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::size_t kMostValues = 256;
constexpr std::int64_t kMostDigits = 1'000;

/// number / 10^exponent, if that is an integer of at most 18 digits.
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

/// In plain notation; nullopt if that is long.
std::optional<std::string> plain_text(const Decimal& number) {
  if (number.is_zero()) return "0";
  if (number.order() > kMostDigits || -number.exponent() > kMostDigits) return std::nullopt;
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
  if (b.least && (!both.least || *both.least < *b.least)) both.least = b.least;
  if (b.most && (!both.most || *b.most < *both.most)) both.most = b.most;
  if (a.divisor && b.divisor) {
    if (const auto divisor = least_common_multiple(*a.divisor, *b.divisor)) both.divisor = divisor;
  } else if (b.divisor) {
    both.divisor = b.divisor;
  }
  if (!both.values || (b.values && b.values->size() < both.values->size())) both.values = b.values;
  both.has_division = a.has_division || b.has_division;
  both.is_hard = a.is_hard || b.is_hard;
  return both;
}

// Values among which all of a set's are, if they are few.
std::optional<std::vector<Decimal>> NumberLanguage::list(const Known& known) {
  if (known.values) return known.values;
  if (!known.is_hard || !known.least || !known.most || !known.divisor) return std::nullopt;
  const std::int64_t exponent = std::min({known.least->exponent(), known.most->exponent(), known.divisor->exponent()});
  const auto least = units(*known.least, exponent);
  const auto most = units(*known.most, exponent);
  const auto divisor = units(*known.divisor, exponent);
  if (!least || !most || !divisor) return std::nullopt;
  // Rounded towards zero, so there may be one too many on either side.
  const std::int64_t first = *least / *divisor;
  const std::int64_t last = *most / *divisor;
  if (last - first >= static_cast<std::int64_t>(kMostValues)) return std::nullopt;
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
  const std::optional<std::vector<Decimal>> candidates = list(meet(*x, *y));
  if (!candidates) return std::nullopt;
  std::vector<Decimal> values;
  std::vector<ExprId> texts;
  for (const Decimal& candidate : *candidates) {
    const auto text = plain_text(candidate);
    if (!text) return std::nullopt;
    if (!exprs_.matches(a, *text) || !exprs_.matches(b, *text)) continue;
    const Result<ExprId> all = value(candidate);
    if (!all) return std::nullopt;
    values.push_back(candidate);
    texts.push_back(*all);
  }
  const ExprId met = exprs_.alternation(texts);
  know(met, {.values = std::move(values)});
  return met;
}

ExprId NumberLanguage::meet(ExprId a, ExprId b) {
  if (a == b || b == offered_) return a;
  if (a == offered_) return b;
  if (const std::optional<ExprId> met = listed_meet(a, b)) return *met;
  const ExprId met = unlisted_meet(a, b);
  if (known(a) != nullptr && known(b) != nullptr) know(met, meet(*known(a), *known(b)));
  return met;
}

ExprId NumberLanguage::join(ExprId a, ExprId b) {
  const ExprId joined = exprs_.alternation(a, b);
  const Known* const x = known(a);
  const Known* const y = known(b);
  if (x == nullptr || y == nullptr || joined == a || joined == b) return joined;
  Known either;
  either.has_division = either.is_hard = x->has_division || y->has_division;
  if (x->values && y->values && x->values->size() + y->values->size() <= kMostValues) {
    either.values = x->values;
    either.values->insert(either.values->end(), y->values->begin(), y->values->end());
  }
  know(joined, std::move(either));
  return joined;
}

ExprId NumberLanguage::complement(ExprId a) {
  if (a == offered_) return ExprId::kNothing;
  if (a == ExprId::kNothing) return offered_;
  const ExprId others = exprs_.difference(offered_, a);
  if (const Known* const x = known(a)) know(others, {.has_division = x->has_division, .is_hard = x->has_division});
  return others;
}

}  // namespace weir::frontend::json_schema
