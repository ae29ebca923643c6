// Matcher: what a weir.GrammarMatcher holds.
//
// THREADS A matcher is for one thread at a time. Python code may break that, and must not crash by it: a mutex makes
//         calls take turns, also where Python's lock is released or there is none. The mutex is never waited for with
//         Python's lock held: who has the mutex may be waiting for that.
#ifndef WEIR_PYTHON_SRC_MATCHER_H_
#define WEIR_PYTHON_SRC_MATCHER_H_

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "weir/matcher.h"

namespace weir::python {

/// What a matcher has cost, in seconds, where it was asked to measure that.
struct Times {
  double init = 0;  ///< Compiling and making the matcher.
  double spent = 0;
  std::uint64_t tokens = 0;
  [[nodiscard]] double per_token() const { return tokens == 0 ? 0 : spent / static_cast<double>(tokens); }
};

class Matcher {
 public:
  Matcher(GrammarMatcher matcher, nanobind::object compiled, std::optional<Times> times)
      : matcher_(std::move(matcher)),
        compiled_(std::move(compiled)),
        vocab_size_(matcher_.compiled_grammar().tokenizer_info().vocab_size()),
        times_(times) {}

  /// Calls `body` and adds to the times what it took. For use in a body of locked or released.
  template <typename Body>
  Step timed(const Body& body) {
    if (!times_) return body();
    const auto start = std::chrono::steady_clock::now();
    const Step step = body();
    times_->spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return step;
  }

  /// Calls `body` with the matcher, Python's lock held.
  template <typename Body>
  auto locked(const Body& body) {
    std::unique_lock turn(mutex_, std::try_to_lock);
    if (!turn.owns_lock()) {
      const nanobind::gil_scoped_release released;
      turn.lock();
    }
    return body(matcher_);
  }

  /// The same without Python's lock: for what may take long.
  template <typename Body>
  auto released(const Body& body) {
    const nanobind::gil_scoped_release released;
    const std::lock_guard turn(mutex_);
    return body(matcher_);
  }

  [[nodiscard]] std::optional<Times>& times() { return times_; }
  [[nodiscard]] const nanobind::object& compiled() const { return compiled_; }
  [[nodiscard]] std::uint32_t vocab_size() const { return vocab_size_; }

  /// For those who take the turns of many matchers at once.
  [[nodiscard]] std::mutex& mutex() { return mutex_; }
  [[nodiscard]] GrammarMatcher& matcher() { return matcher_; }

 private:
  GrammarMatcher matcher_;
  nanobind::object compiled_;
  std::uint32_t vocab_size_;
  std::optional<Times> times_;
  std::mutex mutex_;
};

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_MATCHER_H_
