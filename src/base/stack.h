// with_stack: calls a function where the stack has room for it.
//
// WHAT   with_stack(f) returns f(). If little of the thread's stack is left, f runs on a thread of its own with a stack
//        of kHelperStack bytes, and the caller waits for it.
// WHY    Texts nest to Limits::nesting, which users may raise, and what works on them calls itself for each level:
//        schemas within schemas, searches for values within values. Threads have 8 MiB of stack on Linux, 1 MiB on
//        Windows, 512 KiB on macOS, 128 KiB with musl. A limit that all of these allow would refuse schemas that people
//        have.
// HOW    Each cycle of functions that an input can make as deep as it likes contains one call of with_stack. Readers of
//        texts have stacks of their own instead (json_value.cc, the parsers), and so need none.
//        build_call() asks for more, so that a building call changes threads once, not for each part of its text that
//        is as deep as the stack.
// WHICH  The bounds of the stack are those that the system says. Where it does not, or where the program runs on a
//        stack that is not the thread's own (a coroutine), they are not known, and f runs on another thread.
//        WebAssembly without threads has one stack, which no program can measure: f is called as it is, and
//        most_levels() is a limit on top of Limits::nesting.
// COST   A comparison with a thread's variable; 10 to 50 µs for a thread.
// ERRORS std::bad_alloc if a thread is needed and cannot be made. Exceptions of f reach the caller.
// THREADS What belongs to a thread goes with f: Work's counter. f may not rely on other variables of a thread.
// ALTERNATIVES docs/decisions/deep-texts.md.
#ifndef WEIR_SRC_BASE_STACK_H_
#define WEIR_SRC_BASE_STACK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/threads.h"

namespace weir::base {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEIR_LARGE_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_LARGE_FRAMES 1
#endif
#endif

/// Bytes that must be left where a function calls with_stack: what is used from there to the next call of with_stack.
/// Sanitizers make frames several times as large, as do builds without optimisation.
#if defined(WEIR_LARGE_FRAMES) || !defined(__OPTIMIZE__)
inline constexpr std::size_t kStackNeed = std::size_t{256} << 10;
#else
inline constexpr std::size_t kStackNeed = std::size_t{64} << 10;
#endif
/// Bytes that a building call asks for: what most texts of 1,000 levels need.
inline constexpr std::size_t kCallStack = std::size_t{1} << 20;
/// The stack of a helper thread. Only what is used becomes memory.
inline constexpr std::size_t kHelperStack = std::size_t{16} << 20;

/// Returns the number of levels that this build can nest: `nesting`, or less where stacks do not grow.
constexpr std::uint32_t most_levels(std::uint32_t nesting) {
#if WEIR_HAS_THREADS
  return nesting;
#else
  return std::min<std::uint32_t>(nesting, 1'000);
#endif
}

#if WEIR_HAS_THREADS

struct StackBounds {
  std::uintptr_t low = 0;
  std::size_t size = 0;
  bool is_known = false;
};

class Stack {
 public:
  /// Returns true if the thread's stack has `need` more bytes.
  [[nodiscard]] static bool has(std::size_t need) {
    // Addresses outside the stack wrap around to large numbers, or are below `need`.
    const std::uintptr_t left = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - bounds_.low;
    return left < bounds_.size ? left >= need : !bounds_.is_known && measure(need);
  }
  /// Calls `call(argument)` on a thread with a stack of kHelperStack bytes. Returns false if there is no such thread.
  static bool run_on_helper(void (*call)(void*), void* argument);
  /// Called first on such a thread.
  static void begin_helper();

 private:
  static bool measure(std::size_t need);
  static inline constinit thread_local StackBounds bounds_{};
};

template <typename F>
auto with_stack(F&& f, std::size_t need = kStackNeed) -> std::invoke_result_t<F&> {
  using T = std::invoke_result_t<F&>;
  if (Stack::has(need)) [[likely]] return f();
  bool was_run = false;
  if constexpr (std::is_void_v<T>) {
    was_run =
        Stack::run_on_helper([](void* of) { (*static_cast<std::remove_reference_t<F>*>(of))(); }, std::addressof(f));
    if (was_run) return;
  } else {
    struct Call {
      std::remove_reference_t<F>& f;
      std::optional<std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>> result;
    } call{f, {}};
    was_run = Stack::run_on_helper(
        [](void* of) {
          Call& c = *static_cast<Call*>(of);
          if constexpr (std::is_reference_v<T>) {
            c.result = std::addressof(c.f());
          } else {
            c.result.emplace(c.f());
          }
        },
        &call);
    if (was_run) {
      if constexpr (std::is_reference_v<T>) {
        return static_cast<T>(**call.result);
      } else {
        return std::move(*call.result);
      }
    }
  }
  if (need <= kStackNeed || !Stack::has(kStackNeed)) throw std::bad_alloc();
  return f();
}

#else

template <typename F>
auto with_stack(F&& f, std::size_t /*need*/ = 0) -> std::invoke_result_t<F&> {
  return f();
}

#endif

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_STACK_H_
