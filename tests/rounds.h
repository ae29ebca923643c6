// The number of rounds of random tests.
#ifndef WEIR_TESTS_ROUNDS_H_
#define WEIR_TESTS_ROUNDS_H_

#include <cstdint>

namespace weir::tests {

// Clang reports sanitizers by __has_feature, GCC by macros.
#ifdef __has_feature
#define WEIR_TESTS_HAS_FEATURE(name) __has_feature(name)
#else
#define WEIR_TESTS_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || WEIR_TESTS_HAS_FEATURE(address_sanitizer) || \
    WEIR_TESTS_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#undef WEIR_TESTS_HAS_FEATURE

/// With sanitizers, which are slow, only one of kOneIn rounds is run; the release build's tests check the results with
/// all rounds.
inline constexpr std::uint32_t kOneIn = kIsSanitized ? 5 : 1;

/// Returns the number of rounds: `all`, or one of kOneIn with sanitizers.
template <typename Count>
constexpr Count rounds(Count all) {
  return (all + static_cast<Count>(kOneIn) - 1) / static_cast<Count>(kOneIn);
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_ROUNDS_H_
