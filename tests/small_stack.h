// on_small_stack: runs a function on a thread with little stack.
#ifndef WEIR_TESTS_SMALL_STACK_H_
#define WEIR_TESTS_SMALL_STACK_H_

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <type_traits>

#include "base/stack.h"
#include "sanitized.h"

namespace weir {

/// The stack of threads on which weir has to work: some systems give no more. Sanitizers and builds without
/// optimisation make frames several times as large, weir's own and those of the C++ library.
inline std::size_t small_stack() { return tests::is_sanitized() ? std::size_t{1} << 20 : base::kStackNeed * 4; }

/// Returns f(). A stack overflow ends the process. Exceptions of `f` reach the caller.
template <typename F>
void on_small_stack(F f) {
  struct Call {
    F& f;
    std::exception_ptr thrown;
  } call{f, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, small_stack());
  pthread_t thread{};
  const int failed = pthread_create(
      &thread, &attributes,
      [](void* of) -> void* {
        Call& c = *static_cast<Call*>(of);
        try {
          c.f();
        } catch (...) {
          c.thrown = std::current_exception();
        }
        return nullptr;
      },
      &call);
  pthread_attr_destroy(&attributes);
  if (failed != 0) throw std::runtime_error("no thread with a small stack");
  pthread_join(thread, nullptr);
  if (call.thrown) std::rethrow_exception(call.thrown);
}

}  // namespace weir

#endif  // WEIR_TESTS_SMALL_STACK_H_
