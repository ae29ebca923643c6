// `weir-bench`: experiments that print tables and draw charts. docs/benchmarks.md describes them. The micro-benchmarks
// of the layers are in bench/.
#include <CLI/CLI.hpp>
#include <array>

#include "experiments.h"
#include "program.h"

int main(int argc, char** argv) {
  using namespace weir::cli;  // NOLINT(google-build-using-namespace): the experiments
  CLI::App app("weir-bench: what masks cost over a file of cases, and experiments.", "weir-bench");
  app.set_version_flag("--version", "weir-bench " WEIR_VERSION);
  app.require_subcommand(1);
  constexpr std::array<AddCommand, 11> kExperiments{bench_masks::add,    bench_accelerators::add, bench_batch::add,
                                                    bench_budgets::add,  bench_growth::add,       bench_memory::add,
                                                    bench_threads::add,  bench_homomorphism::add, bench_canonical::add,
                                                    bench_fidelity::add, bench_replies::add};
  return run_program(app, kExperiments, argc, argv);
}
