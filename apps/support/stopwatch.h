// Stopwatch: how long something took, without the time that other programs had the processor meanwhile.
//
// WHY    On a machine with other work the longest of many short times is one that was interrupted, by some
//        milliseconds, and says nothing of what was measured.
// HOW    The processor time of the process is read outside of the wall clock's two readings. It is the longer of both
//        unless the process was interrupted; then it is what is left without that. Reading it takes some hundred
//        nanoseconds, which are no part of the answer where there was no interruption.
// LIMITS What the interruption cost in caches stays in, and so does what a hypervisor takes away. Of several threads
//        the processor times add up, and the wall clock is what counts.
#ifndef WEIR_APPS_SUPPORT_STOPWATCH_H_
#define WEIR_APPS_SUPPORT_STOPWATCH_H_

#include <time.h>

#include <algorithm>
#include <cstdint>

namespace weir::cli {

class Stopwatch {
 public:
  Stopwatch() noexcept : cpu_(read(CLOCK_PROCESS_CPUTIME_ID)), wall_(read(CLOCK_MONOTONIC)) {}

  /// Nanoseconds since construction.
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
