// is_sanitized: whether the library runs under a sanitizer.
#ifndef WEIR_TESTS_SANITIZED_H_
#define WEIR_TESTS_SANITIZED_H_

// In the runtimes of the sanitizers. A macro of the compiler would tell how the test was compiled, not the library:
// `make asan` links the test code of the release build (CMakeLists.txt).
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace weir::tests {

inline bool is_sanitized() { return &__asan_init != nullptr || &__tsan_init != nullptr; }

}  // namespace weir::tests

#endif  // WEIR_TESTS_SANITIZED_H_
