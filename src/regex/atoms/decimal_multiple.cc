#include "regex/atoms/decimal_multiple.h"

#include <numeric>

namespace weir::regex {

namespace {

/// Returns divisor / gcd(divisor, 10^digits): before `digits` more digits, a remainder matters only modulo this.
std::uint32_t relevant_modulus(std::uint32_t divisor, std::uint32_t digits) {
  for (; digits > 0; --digits) {
    const std::uint32_t common = std::gcd(divisor, 10U);
    if (common == 1) break;
    divisor /= common;
  }
  return divisor;
}

std::uint64_t power_of_ten_modulo(std::uint32_t exponent, std::uint32_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (std::uint64_t square = 10 % modulus; exponent > 0; exponent >>= 1, square = square * square % modulus) {
    if ((exponent & 1) != 0) result = result * square % modulus;
  }
  return result;
}

/// Returns true if some `digits` digits after `remainder` complete a multiple of `divisor`.
bool works_out(std::uint32_t divisor, std::uint64_t remainder, std::uint32_t digits) {
  const std::uint64_t product = remainder % divisor * power_of_ten_modulo(digits, divisor) % divisor;
  if (product == 0 || digits > 9) return true;  // 10^10 exceeds every divisor
  std::uint64_t bound = 1;
  for (std::uint32_t i = 0; i < digits; ++i) bound *= 10;
  return divisor - product < bound;
}

}  // namespace

DivisionState division_start(std::uint32_t divisor, std::uint32_t decimals) {
  return {divisor, 0, decimals, decimals, false};  // no digit is needed: 0 is a multiple
}

std::optional<DivisionState> division_step(const DivisionState& state, std::uint8_t byte) {
  DivisionState next = state;
  if (byte == '.') {
    if (state.in_fraction || state.digits != state.decimals) return std::nullopt;
    next.decimals = 0;
    next.in_fraction = true;
    return next;
  }
  if (byte < '0' || byte > '9') return std::nullopt;
  const std::uint64_t remainder = std::uint64_t{state.remainder} * 10 + (byte - '0');
  if (state.in_fraction) {
    if (state.digits == 0) return byte == '0' ? std::optional(state) : std::nullopt;
    next.digits = state.digits - 1;
    if (!works_out(state.divisor, remainder, next.digits)) return std::nullopt;
  } else {
    // No smaller number of digits completes a multiple: with this byte, it would have done so in the previous state.
    if (state.digits > state.decimals) next.digits = state.digits - 1;
    while (!works_out(state.divisor, remainder, next.digits)) ++next.digits;
  }
  next.remainder = static_cast<std::uint32_t>(remainder % relevant_modulus(state.divisor, next.digits));
  return next;
}

bool division_is_exact(const DivisionState& state) {
  return state.remainder == 0 && (state.in_fraction || state.digits == state.decimals);
}

std::uint32_t division_distance(const DivisionState& state) {
  if (division_is_exact(state)) return 0;
  if (!state.in_fraction) return state.digits > state.decimals ? state.digits - state.decimals : 1;
  const auto is_enough = [&](std::uint32_t digits) {
    return works_out(relevant_modulus(state.divisor, state.digits - digits), state.remainder, digits);
  };
  std::uint32_t distance = 1;
  while (distance < state.digits && !is_enough(distance)) ++distance;
  return distance;
}

}  // namespace weir::regex
