#include "regex/atoms/decimal_multiple.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "regex/atoms/atom.h"

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

namespace {

/// Returns the modulus by which so many further digits must complete a multiple, if the number ends after them.
std::uint32_t modulus_after(const DivisionState& state, std::uint32_t digits) {
  return relevant_modulus(state.divisor, state.in_fraction ? state.digits - digits : state.decimals);
}

}  // namespace

// Before the point, a point and decimals would be longer than as many digits.
std::uint32_t division_distance(const DivisionState& state) {
  if (division_is_exact(state)) return 0;
  std::uint32_t distance = state.in_fraction ? 1 : std::max(state.digits - state.decimals, 1U);
  const std::uint32_t most = state.in_fraction ? state.digits : UINT32_MAX;
  while (distance < most && !works_out(modulus_after(state, distance), state.remainder, distance)) ++distance;
  return distance;
}

std::uint8_t division_nearest_byte(const DivisionState& state) {
  const std::uint32_t digits = division_distance(state);
  const std::uint32_t modulus = modulus_after(state, digits);
  const std::uint64_t product = state.remainder % modulus * power_of_ten_modulo(digits, modulus) % modulus;
  std::uint64_t value = product == 0 ? 0 : modulus - product;  // of these digits
  for (std::uint32_t i = 1; i < digits; ++i) value /= 10;
  return static_cast<std::uint8_t>('0' + value);
}

namespace {

/// `a` of its states is the divisor, `b` the remainder. Bits of `c`: 0-13: decimals or, in the fraction, digits; 14-18:
/// digits - decimals; 19: in_fraction.
class DecimalMultipleAtom final : public Atom {
 public:
  constexpr DecimalMultipleAtom() : Atom(Form::kPlain) {}

  static AtomState pack(const DivisionState& state, std::uint32_t atom) {
    const std::uint32_t before_point = ((state.digits - state.decimals) << 14) | state.decimals;
    return {state.divisor, state.remainder, state.in_fraction ? kInFraction | state.digits : before_point, atom};
  }

  [[nodiscard]] Properties properties(const ExprSet& /*exprs*/, const AtomState& state) const override {
    const DivisionState division = unpack(state);  // each state can be continued to a multiple
    return {.is_nullable = division_is_exact(division), .has_member = true, .min_length = division_distance(division)};
  }
  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override {
    const std::optional<DivisionState> next = division_step(unpack(state), byte);
    return next ? exprs.atom(pack(*next, state.atom)) : ExprId::kNothing;
  }
  [[nodiscard]] std::span<const ByteSet> classes(const AtomState& /*state*/) const override { return kDigitsAndPoint; }
  void refine_classes(ByteClasses& classes) const override {
    for (const ByteSet& set : kDigitsAndPoint) classes.refine(set);
  }
  [[nodiscard]] std::string name(const AtomState& state) const override {
    const DivisionState division = unpack(state);
    return "multiple(" + std::to_string(division.divisor) + "e-" +
           std::to_string(division.in_fraction ? division.digits : division.decimals) + ", " +
           std::to_string(division.remainder) + ")";
  }

  static DivisionState unpack(const AtomState& state) {
    const std::uint32_t low = state.c & kMaxDecimals;
    if ((state.c & kInFraction) != 0) return {state.a, state.b, low, 0, true};
    return {state.a, state.b, low + ((state.c >> 14) & 31), low, false};
  }

 private:
  static constexpr std::uint32_t kInFraction = 1U << 19;
  static constexpr std::array<ByteSet, 11> kDigitsAndPoint = [] {
    std::array<ByteSet, 11> sets{};
    for (std::uint8_t i = 0; i < 10; ++i) sets[i] = ByteSet::of(static_cast<std::uint8_t>('0' + i));
    sets[10] = ByteSet::of('.');
    return sets;
  }();
};

constexpr DecimalMultipleAtom kDecimalMultiple;

}  // namespace

ExprId decimal_multiple(ExprSet& exprs, std::uint32_t divisor, std::uint32_t decimals) {
  const std::uint32_t atom = exprs.register_atom(kDecimalMultiple);
  return exprs.atom(DecimalMultipleAtom::pack(division_start(divisor, decimals), atom));
}

std::optional<std::uint8_t> nearest_byte_of_multiple(const ExprSet& exprs, ExprId e) {
  if (exprs.kind(e) != ExprKind::kAtom || &exprs.atom_of(e) != &kDecimalMultiple) return std::nullopt;
  const DivisionState state = DecimalMultipleAtom::unpack(exprs.state_of(e));
  return division_is_exact(state) ? std::nullopt : std::optional(division_nearest_byte(state));
}

}  // namespace weir::regex
