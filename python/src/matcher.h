// Matcher: the C++ object of a weir.GrammarMatcher.
//
// THREADS A GrammarMatcher is for one thread at a time. Python code may violate that and must not crash, so a mutex
//         serializes the calls, even if Python's lock (GIL) is released or does not exist. No thread waits for the
//         mutex while it holds Python's lock, because the owner of the mutex may be waiting for Python's lock.
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

/// The time that a matcher has taken, in seconds; for matchers made with measure_time.
struct Times {
  double init = 0;  ///< Compiling the grammar and making the matcher.
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

  /// Calls `body` and adds its duration to the times. For use in a body of locked() or released().
  template <typename Body>
  Step timed(const Body& body) {
    if (!times_) return body();
    const auto start = std::chrono::steady_clock::now();
    const Step step = body();
    times_->spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return step;
  }

  /// Calls `body` with the matcher while Python's lock is held.
  template <typename Body>
  auto locked(const Body& body) {
    std::unique_lock turn(mutex_, std::try_to_lock);
    if (!turn.owns_lock()) {
      const nanobind::gil_scoped_release released;
      turn.lock();
    }
    return body(matcher_);
  }

  /// Calls `body` with the matcher while Python's lock is released; for calls that may take long.
  template <typename Body>
  auto released(const Body& body) {
    const nanobind::gil_scoped_release released;
    const std::lock_guard turn(mutex_);
    return body(matcher_);
  }

  [[nodiscard]] std::optional<Times>& times() { return times_; }
  [[nodiscard]] const nanobind::object& compiled() const { return compiled_; }
  [[nodiscard]] std::uint32_t vocab_size() const { return vocab_size_; }

  /// For callers that lock many matchers at once.
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
