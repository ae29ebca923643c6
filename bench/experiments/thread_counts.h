// ThreadCounts: the option --threads of experiments that compare numbers of threads.
#ifndef WEIR_BENCH_EXPERIMENTS_THREAD_COUNTS_H_
#define WEIR_BENCH_EXPERIMENTS_THREAD_COUNTS_H_

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace weir::cli {

struct ThreadCounts {
  std::uint32_t most = 0;  ///< 0: as many as the machine has processors.

  void add_option(CLI::App& app) {
    app.add_option("--threads", most, "At most so many (default: as many as the machine has processors)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024))
        ->default_str("");
  }
  /// Returns 1, 2, 4, … and the most.
  [[nodiscard]] std::vector<std::uint32_t> list() const {
    const std::uint32_t last = most != 0 ? most : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::uint32_t> counts;
    for (std::uint32_t count = 1; count < last; count *= 2) counts.push_back(count);
    counts.push_back(last);
    return counts;
  }
};

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_THREAD_COUNTS_H_
