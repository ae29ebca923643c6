// Stopwatch: measures time without the time in which other programs had the processor.
//
// WHY    On a busy machine the longest of many short times is one during which the process was interrupted for
//        milliseconds, which says nothing about what is measured.
// HOW    The result is the minimum of wall time and processor time. The processor time is read before and after the
//        wall clock, so it is the longer one unless the process was interrupted. Reading it takes a few hundred
//        nanoseconds, which are part of the result only after an interruption.
// LIMITS The result includes cache misses that an interruption causes, and time that a hypervisor takes. With several
//        threads the processor times add up, so the result is the wall time.
#ifndef WEIR_APPS_SUPPORT_STOPWATCH_H_
#define WEIR_APPS_SUPPORT_STOPWATCH_H_

#include <time.h>

#include <algorithm>
#include <cstdint>

namespace weir::cli {

class Stopwatch {
 public:
  Stopwatch() noexcept : cpu_(read(CLOCK_PROCESS_CPUTIME_ID)), wall_(read(CLOCK_MONOTONIC)) {}

  /// Returns the nanoseconds since construction.
  [[nodiscard]] std::uint64_t elapsed_ns() const noexcept {
    const std::uint64_t wall = read(CLOCK_MONOTONIC) - wall_;
    return std::min(wall, read(CLOCK_PROCESS_CPUTIME_ID) - cpu_);
  }

 private:
  static std::uint64_t read(clockid_t clock) noexcept {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }

  std::uint64_t cpu_, wall_;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_STOPWATCH_H_
