#include "distribution.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace weir::cli {

namespace {

std::uint64_t percentile(const std::vector<std::uint64_t>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

Distribution distribution_of(std::vector<std::uint64_t> nanoseconds) {
  Distribution out;
  out.count = nanoseconds.size();
  if (nanoseconds.empty()) return out;
  std::sort(nanoseconds.begin(), nanoseconds.end());
  out.mean = std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0) / static_cast<double>(out.count);
  out.p50 = percentile(nanoseconds, 0.5);
  out.p90 = percentile(nanoseconds, 0.9);
  out.p99 = percentile(nanoseconds, 0.99);
  out.p999 = percentile(nanoseconds, 0.999);
  out.max = nanoseconds.back();
  return out;
}

nlohmann::ordered_json to_json(const Distribution& distribution) {
  return {{"count", distribution.count}, {"mean_ns", distribution.mean}, {"p50_ns", distribution.p50},
          {"p90_ns", distribution.p90},  {"p99_ns", distribution.p99},   {"p999_ns", distribution.p999},
          {"max_ns", distribution.max}};
}

std::string format_time(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.0f} ns", nanoseconds);
  const char* unit = "s";
  double value = nanoseconds / 1e9;
  if (nanoseconds < 1e6) {
    unit = "µs";
    value = nanoseconds / 1e3;
  } else if (nanoseconds < 1e9) {
    unit = "ms";
    value = nanoseconds / 1e6;
  }
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit);
}

std::string distribution_heading(std::size_t name_width) {
  return fmt::format("{:<{}} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}", "", name_width, "count", "mean", "p50", "p90",
                     "p99", "p99.9", "max");
}

std::string distribution_row(const std::string& name, std::size_t name_width, const Distribution& d) {
  const auto time = [](std::uint64_t ns) { return format_time(static_cast<double>(ns)); };
  return fmt::format("{:<{}} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}", name, name_width, d.count,
                     format_time(d.mean), time(d.p50), time(d.p90), time(d.p99), time(d.p999), time(d.max));
}

}  // namespace weir::cli
