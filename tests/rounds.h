// The number of rounds of random tests.
#ifndef WEIR_TESTS_ROUNDS_H_
#define WEIR_TESTS_ROUNDS_H_

#include "sanitized.h"

namespace weir::tests {

/// Returns n of "one round of n is run". It is more than 1 with sanitizers, which are slow; the release build's tests
/// check the results with all rounds.
inline unsigned one_in() { return is_sanitized() ? 5 : 1; }

/// Returns the number of rounds: `all`, or one of one_in() with sanitizers.
template <typename Count>
Count rounds(Count all) {
  const auto n = static_cast<Count>(one_in());
  return (all + n - 1) / n;
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_ROUNDS_H_
