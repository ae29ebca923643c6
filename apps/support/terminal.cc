#include "terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

namespace weir::cli {

Colors colors_for(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool wanted =
      (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view(term) != "dumb");
  if (!wanted || isatty(fileno(stream)) == 0) return {};
  return {"\033[1m", "\033[31m", "\033[32m", "\033[33m", "\033[2m", "\033[0m"};
}

Progress::Progress(std::string label, std::uint64_t total)
    : label_(std::move(label)),
      total_(total),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)),
      terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_ && printed_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::uint64_t done) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000));
  printed_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("{}: {}", label_, done);
  if (total_ != 0) line += fmt::format(" of {} ({}%)", total_, done * 100 / total_);
  line += fmt::format(", {:.0f} s", seconds);
  if (total_ != 0 && done != 0 && done < total_) {
    line +=
        fmt::format(", about {:.0f} s left", seconds * static_cast<double>(total_ - done) / static_cast<double>(done));
  }
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace weir::cli
