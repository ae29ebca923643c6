// `weir bench memory --hours`: whether the memory of a process that serves for long stays the same.
#ifndef WEIR_BENCH_EXPERIMENTS_MEMORY_SOAK_H_
#define WEIR_BENCH_EXPERIMENTS_MEMORY_SOAK_H_

#include <cstdint>

#include "case_inputs.h"

namespace weir::cli {

struct SoakOptions : CaseInputs {
  double hours = 0;
  std::uint32_t matchers = 0;
};

/// Keeps so many matchers at work for so long and prints the memory of the process on the way. Returns the exit status.
int run_soak(const SoakOptions& options);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_MEMORY_SOAK_H_
