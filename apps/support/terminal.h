// Colours and progress, for output to a terminal.
#ifndef WEIR_APPS_SUPPORT_TERMINAL_H_
#define WEIR_APPS_SUPPORT_TERMINAL_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace weir::cli {

/// Escape sequences for a stream. All are empty unless the stream is a terminal, NO_COLOR is unset or empty
/// (no-color.org) and TERM is not "dumb".
struct Colors {
  std::string_view bold, red, green, yellow, dim, reset;
};
Colors colors_for(std::FILE* stream);

/// Shows progress on standard error, beginning after one second. On a terminal it rewrites one line; elsewhere it
/// prints a line every five seconds, so that logs stay short.
class Progress {
 public:
  /// `total` is the final value of `done`; 0 if it is unknown.
  Progress(std::string label, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Reports progress. May be called for every item: it reads the clock and rarely prints.
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
