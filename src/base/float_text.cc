#include "base/float_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace weir::base {

namespace {

constexpr std::size_t kDigits = 128;    // The middle of two floats has at most 113.
constexpr std::size_t kEstimated = 19;  // So many decimal digits fit in 64 bits.
constexpr int kLargestOrder = 38;       // The power of ten of the first digit of the largest float.
constexpr int kSmallestOrder = -46;     // The same of half of the smallest float.
constexpr int kExponentBound = 10'000'000;

/// A decimal fraction: digits * 10^exponent.
struct Fraction {
  std::string digits;  ///< At most kDigits, the first one not 0; empty for 0.
  int exponent = 0;
  bool has_more = false;  ///< The value is greater, by less than 10^exponent.
};

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads an exponent, without its `e`. Exponents beyond the bound are the bound.
std::optional<int> read_exponent(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !std::ranges::all_of(text, is_decimal_digit)) return std::nullopt;
  int exponent = 0;
  for (const char c : text) exponent = std::min(10 * exponent + (c - '0'), kExponentBound);
  return is_negative ? -exponent : exponent;
}

std::optional<Fraction> read_fraction(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  Fraction out;
  bool is_after_point = false;
  bool has_digits = false;
  for (const char c : text.substr(0, end)) {
    if (c == '.' && !is_after_point) {
      is_after_point = true;
      continue;
    }
    if (!is_decimal_digit(c)) return std::nullopt;
    has_digits = true;
    const bool fits = out.digits.size() < kDigits;
    if (fits) {
      if (c != '0' || !out.digits.empty()) out.digits += c;
    } else {
      out.has_more = out.has_more || c != '0';
    }
    const int shift = (fits ? 0 : 1) - (is_after_point ? 1 : 0);
    out.exponent = std::clamp(out.exponent + shift, -kExponentBound, kExponentBound);
  }
  if (!has_digits) return std::nullopt;
  if (end < text.size()) {
    const std::optional<int> exponent = read_exponent(text.substr(end + 1));
    if (!exponent) return std::nullopt;
    out.exponent += *exponent;
  }
  return out;
}

/// Returns the value with a relative error of less than 1e-13.
double estimate_of(const Fraction& fraction) {
  const std::string_view digits = std::string_view(fraction.digits).substr(0, kEstimated);
  std::uint64_t leading = 0;
  for (const char c : digits) leading = 10 * leading + static_cast<std::uint64_t>(c - '0');
  const int exponent = fraction.exponent + static_cast<int>(fraction.digits.size() - digits.size());
  double power = 1;
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) power *= 10;
  return exponent < 0 ? static_cast<double>(leading) / power : static_cast<double>(leading) * power;
}

/// An integer below 2^1024.
class WideInteger {
 public:
  explicit WideInteger(std::uint64_t value)
      : words_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {}
  explicit WideInteger(std::string_view digits) {
    for (const char c : digits) multiply_and_add(10, static_cast<std::uint64_t>(c - '0'));
  }
  /// Multiplies the number by base^count.
  void multiply(std::uint32_t base, int count) {
    for (; count > 0; --count) multiply_and_add(base, 0);
  }
  /// -1, 0 or 1.
  [[nodiscard]] int compare(const WideInteger& other) const {
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  void multiply_and_add(std::uint32_t factor, std::uint64_t carry) {
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{word} * factor;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  std::array<std::uint32_t, 32> words_{};  // the lowest first
};

/// Returns -1, 0 or 1 for fractions that are less than, equal to or greater than `number`. Precondition: neither is more
/// than twice the other, so that both sides of the comparison have at most 1,000 bits.
int compare_exactly(const Fraction& fraction, double number) {
  const auto bits =
      std::bit_cast<std::uint64_t>(number);  // of a normal number: no double between two floats is another
  const int zeros = std::countr_zero(bits | std::uint64_t{1} << 52);
  WideInteger left(fraction.digits);
  WideInteger right(((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52) >> zeros);
  const int exponent = static_cast<int>(bits >> 52) - 1075 + zeros;
  left.multiply(5, fraction.exponent);
  right.multiply(5, -fraction.exponent);
  left.multiply(2, fraction.exponent - exponent);
  right.multiply(2, exponent - fraction.exponent);
  const int order = left.compare(right);
  return order == 0 && fraction.has_more ? 1 : order;
}

/// Digits and the power of ten of the last one, without trailing zeros.
struct Shortest {
  std::string digits;
  int exponent;
};

/// Returns the fewest digits from which read_float reads `value`. Precondition: not 0.
Shortest shortest_digits(float value) {
  double scaled = value;  // from 1 to 10
  int order = 0;
  for (; scaled >= 10; ++order) scaled /= 10;
  for (; scaled < 1; --order) scaled *= 10;
  for (int count = 0;; ++count, scaled *= 10) {
    const auto below = static_cast<std::uint64_t>(scaled);
    const int middle = compare_exactly({std::to_string(below) + "5", order - count - 1}, value);
    const bool is_nearer_below = middle > 0 || (middle == 0 && below % 2 == 0);
    for (const std::uint64_t candidate : {below + (is_nearer_below ? 0 : 1), below + (is_nearer_below ? 1 : 0)}) {
      Shortest out = {std::to_string(candidate), order - count};
      if (read_float(out.digits + "e" + std::to_string(out.exponent)) != value) continue;
      for (; out.digits.back() == '0'; ++out.exponent) out.digits.pop_back();
      return out;
    }
  }
}

std::string scientific_text(const Shortest& number, int order) {
  std::string out = number.digits.substr(0, 1);
  if (number.digits.size() > 1) out += "." + number.digits.substr(1);
  const std::string exponent = std::to_string(order < 0 ? -order : order);
  return out + (order < 0 ? "e-" : "e+") + (exponent.size() < 2 ? "0" : "") + exponent;
}

std::string plain_text(const Shortest& number, int order, float value) {
  if (number.exponent >= 0) return std::to_string(static_cast<std::uint64_t>(value));
  if (order < 0) return "0." + std::string(static_cast<std::size_t>(-order - 1), '0') + number.digits;
  std::string out = number.digits;
  return out.insert(static_cast<std::size_t>(order) + 1, ".");
}

}  // namespace

std::optional<float> read_float(std::string_view text) {
  const std::optional<Fraction> fraction = read_fraction(text);
  if (!fraction) return std::nullopt;
  if (fraction->digits.empty()) return 0.0F;
  const int order = fraction->exponent + static_cast<int>(fraction->digits.size()) - 1;
  if (order < kSmallestOrder || order > kLargestOrder) return std::nullopt;
  const double estimate = estimate_of(*fraction);

  // The floats below and above the estimate. The estimate's error is far below their distance.
  constexpr std::uint32_t kLargest = 0x7F7F'FFFF;
  auto below =
      std::bit_cast<std::uint32_t>(static_cast<float>(std::min<double>(estimate, std::bit_cast<float>(kLargest))));
  if (std::bit_cast<float>(below) > estimate) --below;
  const double above = below == kLargest ? 0x1p128 : std::bit_cast<float>(below + 1);
  const double middle = (std::bit_cast<float>(below) + above) / 2;
  const double difference = estimate - middle;
  int order_of_middle = difference < 0 ? -1 : 1;
  if (difference * order_of_middle < middle * 1e-12) order_of_middle = compare_exactly(*fraction, middle);
  const bool is_above = order_of_middle > 0 || (order_of_middle == 0 && below % 2 != 0);
  const std::uint32_t nearest = below + (is_above ? 1 : 0);
  if (nearest == 0 || nearest > kLargest) return std::nullopt;
  return std::bit_cast<float>(nearest);
}

std::string float_text(float value) {
  if (value == 0) return "0";
  const Shortest number = shortest_digits(value);
  const int order = number.exponent + static_cast<int>(number.digits.size()) - 1;
  std::string scientific = scientific_text(number, order);
  if (order >= static_cast<int>(scientific.size())) return scientific;
  std::string plain = plain_text(number, order, value);
  return scientific.size() < plain.size() ? scientific : plain;
}

}  // namespace weir::base
