// The terminal: colours and progress, only where a person is looking.
#ifndef WEIR_APPS_SUPPORT_TERMINAL_H_
#define WEIR_APPS_SUPPORT_TERMINAL_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace weir::cli {

/// Escape sequences for a stream, all empty unless it is a terminal and NO_COLOR is unset or empty (no-color.org).
struct Colors {
  std::string_view bold, red, green, yellow, dim, reset;
};
Colors colors_for(std::FILE* stream);

/// Progress on standard error. Silent for the first second; then one line that is rewritten, on a terminal, or a line
/// every five seconds, elsewhere, so that logs show that something is going on and stay short.
class Progress {
 public:
  /// `total` 0: unknown.
  Progress(std::string label, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap enough for every item: looks at the clock and rarely prints.
  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::uint64_t total_;
  Clock::time_point start_, next_;
  bool terminal_;
  bool printed_ = false;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_TERMINAL_H_
