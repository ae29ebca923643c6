// The experiments of `weir bench`, a file each. Each registers itself below `bench`, as subcommands do (command.h).
#ifndef WEIR_APPS_WEIR_BENCH_H_
#define WEIR_APPS_WEIR_BENCH_H_

#include "command.h"

namespace weir::cli {

Command add_bench_growth(CLI::App& bench);
Command add_bench_homomorphism(CLI::App& bench);
Command add_bench_masks(CLI::App& bench);
Command add_bench_memory(CLI::App& bench);
Command add_bench_threads(CLI::App& bench);

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_BENCH_H_
