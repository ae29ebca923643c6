// Multiples of a number, written in decimal digits: an automaton whose state is that of a long division.
//
// WHAT   decimal_multiple(d, s) holds the texts [0-9]*(\.[0-9]*)? whose value is a multiple of d × 10^-s; digits after
//        the s-th decimal are zeros. Callers intersect it with the syntax of a number.
// WHY    As an ordinary expression this language takes a size of about d^3, and more for derivatives. As a machine its
//        state is two integers: a remainder and the number of decimals that may follow.
// HOW    Let r be the remainder modulo d of the digits read so far. t more digits (including the decimals) complete a
//        multiple iff their value is congruent to c = -r × 10^t modulo d, with 0 <= c < d; such t digits exist iff
//        c < 10^t. Two remainders are equivalent if they have the same c for every t for which digits exist. The
//        smallest such t determines c for all larger ones, so the state is that t and r modulo d / gcd(d, 10^t). The
//        automaton for the digits before the point is then minimal: multiples of 1000 have 4 states there, not 1000.
// LIMITS d < 2^32; s <= kMaxDecimals.
#ifndef WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_
#define WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_

#include <cstdint>
#include <optional>

#include "regex/expr/expr.h"

namespace weir::regex {

/// A state of the automaton. Equal states have equal residuals.
struct DivisionState {
  std::uint32_t divisor = 1;
  std::uint32_t remainder = 0;  ///< Modulo divisor / gcd(divisor, 10^digits).
  std::uint32_t digits = 0;  ///< In the fraction, the number of decimals that may still be other than zero; before it,
                             ///< the least number of digits, including decimals, that can complete a multiple.
  std::uint32_t decimals = 0;  ///< Before the point, the number of decimals that may be other than zero; else 0.
  bool in_fraction = false;

  friend bool operator==(const DivisionState&, const DivisionState&) = default;
};

inline constexpr std::uint32_t kMaxDecimals = (1U << 14) - 1;

/// Returns the initial state. Preconditions: divisor > 0, decimals <= kMaxDecimals.
DivisionState division_start(std::uint32_t divisor, std::uint32_t decimals);
/// Returns the state after one more byte; nullopt if no multiple has such a prefix.
std::optional<DivisionState> division_step(const DivisionState& state, std::uint8_t byte);
/// Returns true if the number may end here.
bool division_is_exact(const DivisionState& state);

/// Returns the least number of bytes after which the number may end. It guides searches for a member.
std::uint32_t division_distance(const DivisionState& state);
/// Returns the first byte of a way of that length. Precondition: the number may not end here.
std::uint8_t division_nearest_byte(const DivisionState& state);

/// Returns the texts of the multiples of `divisor` × 10^-`decimals`. Preconditions: those of division_start.
ExprId decimal_multiple(ExprSet& exprs, std::uint32_t divisor, std::uint32_t decimals);
/// Returns the first byte of a shortest member, if `e` is a state of such a machine in which the number may not end.
[[nodiscard]] std::optional<std::uint8_t> nearest_byte_of_multiple(const ExprSet& exprs, ExprId e);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_DECIMAL_MULTIPLE_H_
