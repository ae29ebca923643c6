// Multiples of a number, as decimal digits: the state of a long division.
//
// WHAT   decimal_multiple(d, s) holds the texts [0-9]*(\.[0-9]*)? whose value is a multiple of d × 10^-s; digits behind
//        the s-th decimal are zeros. What else a number must look like is for the caller to intersect.
// WHY    As an expression of the ordinary kinds this grows like d^3, and its derivatives worse; as a state, a remainder
//        and how many decimals are left, it is two integers.
// HOW    Behind the digits read so far, with remainder r modulo d, t more digits (the decimals included) make a
//        multiple iff they are, as a number, c = -r × 10^t modulo d; that works out for some t digits iff c < 10^t. Two
//        remainders mean the same if they have the same c for every t that works out. The first such t decides about
//        all later ones; so the state is that t and r modulo d / gcd(d, 10^t), which makes the part before the point
//        minimal: multiples of 1000 have 4 states there, not 1000.
// LIMITS d < 2^32; s <= kMaxDecimals.
#ifndef WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_
#define WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_

#include <cstdint>
#include <optional>

#include "regex/expr/expr.h"

namespace weir::regex {

/// A place in a number's text. Equal places have equal futures.
struct DivisionState {
  std::uint32_t divisor = 1;
  std::uint32_t remainder = 0;  ///< Modulo divisor / gcd(divisor, 10^digits).
  std::uint32_t digits = 0;  ///< In the fraction, decimals left that count; before it, the least number of digits that
                             ///< can make a multiple, the decimals included.
  std::uint32_t decimals = 0;  ///< Before the point, decimals that count; else 0.
  bool in_fraction = false;

  friend bool operator==(const DivisionState&, const DivisionState&) = default;
};

inline constexpr std::uint32_t kMaxDecimals = (1U << 14) - 1;

/// Preconditions: divisor > 0, decimals <= kMaxDecimals.
DivisionState division_start(std::uint32_t divisor, std::uint32_t decimals);
/// The state behind one more byte; nullopt where nothing can follow it any more.
std::optional<DivisionState> division_step(const DivisionState& state, std::uint8_t byte);
/// Whether the number may end here.
bool division_is_exact(const DivisionState& state);

/// How many bytes the number needs at least before it may end: what leads a search among numbers to a multiple.
std::uint32_t division_distance(const DivisionState& state);

/// The texts of the multiples of `divisor` × 10^-`decimals`. Preconditions: those of division_start.
ExprId decimal_multiple(ExprSet& exprs, std::uint32_t divisor, std::uint32_t decimals);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_
