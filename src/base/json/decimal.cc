#include "base/json/decimal.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace weir::base {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a JSON number's text.
struct Parts {
  bool negative = false;
  std::string_view integer;
  std::string_view fraction;
  bool exponent_negative = false;
  std::string_view exponent;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<Parts> scan() {
    Parts parts;
    parts.negative = skip('-');
    parts.integer = digits();
    if (parts.integer.empty()) return error("expected a digit");
    if (parts.integer.size() > 1 && parts.integer.front() == '0') {
      pos_ -= parts.integer.size();
      return error("a number has no leading zeros");
    }
    if (skip('.')) {
      parts.fraction = digits();
      if (parts.fraction.empty()) return error("expected a digit after the point");
    }
    if (skip('e') || skip('E')) {
      parts.exponent_negative = skip('-');
      if (!parts.exponent_negative) skip('+');
      parts.exponent = digits();
      if (parts.exponent.empty()) return error("expected a digit of the exponent");
    }
    if (pos_ != text_.size()) return error("expected the end of the number");
    return parts;
  }

 private:
  bool skip(char c) {
    if (pos_ == text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }
  std::string_view digits() {
    const std::size_t start = pos_;
    while (pos_ < text_.size() && is_digit(text_[pos_])) ++pos_;
    return text_.substr(start, pos_ - start);
  }
  [[nodiscard]] tl::unexpected<Error> error(std::string message) const {
    return tl::unexpected(Error{ErrorCode::kSyntax, std::move(message), {pos_, std::min(pos_ + 1, text_.size())}});
  }

  std::string_view text_;
  std::size_t pos_ = 0;
};

/// Computes the remainder of a number, fed digit by digit, modulo a divisor of any size. Numbers are stored as 32-bit
/// words, least significant first.
class Remainder {
 public:
  explicit Remainder(std::string_view divisor) {
    for (const char c : divisor) times_ten_plus(divisor_, static_cast<std::uint32_t>(c - '0'));
    divisor_.push_back(0);  // room for ten times the divisor
    value_.assign(divisor_.size(), 0);
  }

  void feed(std::uint32_t digit) {
    times_ten_plus(value_, digit);
    value_.resize(divisor_.size());
    while (!less_than_divisor()) subtract_divisor();
  }
  [[nodiscard]] bool is_zero() const {
    return std::ranges::all_of(value_, [](std::uint32_t word) { return word == 0; });
  }

 private:
  static void times_ten_plus(std::vector<std::uint32_t>& number, std::uint32_t digit) {
    std::uint64_t carry = digit;
    for (std::uint32_t& word : number) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) number.push_back(static_cast<std::uint32_t>(carry));
  }
  [[nodiscard]] bool less_than_divisor() const {
    return std::lexicographical_compare(value_.rbegin(), value_.rend(), divisor_.rbegin(), divisor_.rend());
  }
  void subtract_divisor() {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      const std::uint64_t difference = std::uint64_t{value_[i]} - divisor_[i] - borrow;
      value_[i] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
  }

  std::vector<std::uint32_t> divisor_;
  std::vector<std::uint32_t> value_;
};

}  // namespace

Decimal::Decimal(std::int64_t value) : negative_(value < 0) {
  // Negate as unsigned, because the smallest int64_t has no positive counterpart.
  const auto bits = static_cast<std::uint64_t>(value);
  digits_ = std::to_string(negative_ ? 0 - bits : bits);
  normalise();
}

void Decimal::normalise() {
  const std::size_t last = digits_.find_last_not_of('0');
  if (last == std::string::npos) {
    *this = Decimal();
    return;
  }
  exponent_ += static_cast<std::int64_t>(digits_.size() - 1 - last);
  digits_.erase(last + 1);
  digits_.erase(0, digits_.find_first_not_of('0'));
}

Result<Decimal> Decimal::parse(std::string_view text, const Limits& limits) {
  const Result<Parts> parts = Scanner(text).scan();
  if (!parts) return tl::unexpected(parts.error());
  if (parts->integer.size() + parts->fraction.size() > limits.number_digits) {
    return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                "a number of more than " + std::to_string(limits.number_digits) + " digits",
                                {0, text.size()},
                                "",
                                "number_digits"});
  }
  Decimal result;
  result.negative_ = parts->negative;
  result.digits_ = parts->integer;
  result.digits_ += parts->fraction;
  result.normalise();
  if (result.is_zero()) return result;  // zero may have any exponent
  std::int64_t exponent = 0;
  for (const char c : parts->exponent) {
    // So far beyond the limit that no number of digits brings the sum back into range.
    exponent = std::min(exponent * 10 + (c - '0'), 4 * kMaxExponent);
  }
  result.exponent_ +=
      (parts->exponent_negative ? -exponent : exponent) - static_cast<std::int64_t>(parts->fraction.size());
  if (result.exponent_ > kMaxExponent || result.exponent_ < -kMaxExponent) {
    return tl::unexpected(
        Error{ErrorCode::kUnsupported, "an exponent beyond ±" + std::to_string(kMaxExponent), {0, text.size()}});
  }
  return result;
}

bool Decimal::is_multiple_of(const Decimal& divisor) const {
  if (is_zero()) return true;
  if (divisor.is_zero()) return false;
  // The last digit is not 0, so a multiple of 10^n has an exponent of at least n.
  if (exponent_ < divisor.exponent_) return false;
  // Test whether the divisor's digits divide our digits × 10^n. The factor 10^n only contributes factors 2 and 5; the
  // divisor has fewer of these than bits, so more zeros than it has bits (at most 4 a digit) make no difference.
  const auto most_zeros = static_cast<std::int64_t>(divisor.digits_.size()) * 4;
  const std::int64_t zeros = std::min(exponent_ - divisor.exponent_, most_zeros);
  Remainder remainder(divisor.digits_);
  for (const char c : digits_) remainder.feed(static_cast<std::uint32_t>(c - '0'));
  for (std::int64_t i = 0; i < zeros; ++i) remainder.feed(0);
  return remainder.is_zero();
}

std::optional<std::uint64_t> Decimal::to_uint64() const {
  if (is_zero()) return 0;
  if (negative_ || exponent_ < 0 || order() > 19) return std::nullopt;
  std::string text = digits_;
  text.append(static_cast<std::size_t>(exponent_), '0');
  const std::string_view largest = "18446744073709551615";
  if (text.size() == largest.size() && text > largest) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

Decimal Decimal::negated() const {
  Decimal result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

Decimal Decimal::absolute() const {
  Decimal result = *this;
  result.negative_ = false;
  return result;
}

std::string Decimal::to_string() const {
  if (is_zero()) return "0";
  std::string text = digits_;
  if (order() > 20 || order() < -6) {
    if (text.size() > 1) text.insert(1, ".");
    text += order() < 0 ? "e-" : "e+";
    text += std::to_string(order() < 0 ? -order() : order());
  } else if (exponent_ >= 0) {
    text.append(static_cast<std::size_t>(exponent_), '0');
  } else if (order() >= 0) {
    text.insert(static_cast<std::size_t>(order()) + 1, ".");
  } else {
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-order()) - 1, '0'));
  }
  return negative_ ? "-" + text : text;
}

std::uint64_t Decimal::hash() const {
  std::uint64_t h = hash_mix(negative_ ? 1 : 0, static_cast<std::uint64_t>(exponent_));
  for (const char c : digits_) h = hash_mix(h, static_cast<std::uint64_t>(c));
  return h;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  if (a.is_zero()) return std::strong_ordering::equal;
  // Digits have no trailing zeros, so numbers of the same order compare like their digits as texts.
  const std::strong_ordering magnitude =
      a.order() != b.order() ? a.order() <=> b.order() : a.digits_.compare(b.digits_) <=> 0;
  return a.negative_ ? 0 <=> magnitude : magnitude;
}

}  // namespace weir::base
