// Distribution: what a set of times looks like. Percentiles are of the nearest rank: a time that was really measured.
#ifndef WEIR_APPS_SUPPORT_DISTRIBUTION_H_
#define WEIR_APPS_SUPPORT_DISTRIBUTION_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace weir::cli {

struct Distribution {
  std::size_t count = 0;
  double mean = 0;
  std::uint64_t p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
};

/// Of nanoseconds. Sorts a copy: O(n log n).
Distribution distribution_of(std::vector<std::uint64_t> nanoseconds);

/// {"count", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"}
nlohmann::ordered_json to_json(const Distribution& distribution);

/// "834 ns", "12.3 µs", "4.56 ms", "1.20 s": three digits, the unit that fits.
std::string format_time(double nanoseconds);

/// The heading and a row of a table, columns aligned with one another.
std::string distribution_heading(std::size_t name_width);
std::string distribution_row(const std::string& name, std::size_t name_width, const Distribution& distribution);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_DISTRIBUTION_H_
