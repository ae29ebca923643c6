// How often a random test repeats itself.
#ifndef WEIR_TESTS_ROUNDS_H_
#define WEIR_TESTS_ROUNDS_H_

#include <cstdint>

namespace weir::tests {

// Under a sanitizer code takes ten times as long, and it is to be run rather than to be proven right, which the release
// build's tests do.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint32_t kOneIn = 5;
#else
inline constexpr std::uint32_t kOneIn = 1;
#endif

/// `all`, or of each kOneIn of them one.
template <typename Count>
constexpr Count rounds(Count all) {
  return (all + static_cast<Count>(kOneIn) - 1) / static_cast<Count>(kOneIn);
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_ROUNDS_H_
