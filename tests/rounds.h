// How often a random test repeats itself.
#ifndef WEIR_TESTS_ROUNDS_H_
#define WEIR_TESTS_ROUNDS_H_

#include <cstdint>

namespace weir::tests {

// Clang says by __has_feature what GCC says by macros.
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

/// Sanitizers look at what runs, slowly; whether results are right is for the release build's tests to say. So of so
/// many rounds one is made.
inline constexpr std::uint32_t kOneIn = kIsSanitized ? 5 : 1;

/// `all`, or of each kOneIn of them one.
template <typename Count>
constexpr Count rounds(Count all) {
  return (all + static_cast<Count>(kOneIn) - 1) / static_cast<Count>(kOneIn);
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_ROUNDS_H_
