// Distribution: the mean and the percentiles of a set of times. Percentiles are nearest-rank, so each is a measured
// time.
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

/// Returns the distribution of times in nanoseconds. Sorts a copy: O(n log n).
Distribution distribution_of(std::vector<std::uint64_t> nanoseconds);

/// Returns {"count", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"}.
nlohmann::ordered_json to_json(const Distribution& distribution);

/// Returns "834 ns", "12.3 µs", "4.56 ms", "1.20 s": three digits and the unit that fits.
std::string format_time(double nanoseconds);

/// Return the heading and a row of a table with aligned columns.
std::string distribution_heading(std::size_t name_width);
std::string distribution_row(const std::string& name, std::size_t name_width, const Distribution& distribution);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_DISTRIBUTION_H_
