// `weir bench`: experiments that print a table. docs/benchmarks.md says what they measure; the micro-benchmarks of the
// layers are in bench/.
#include "bench.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

namespace weir::cli::bench {

Command add(CLI::App& root) {
  CLI::App* bench = root.add_subcommand("bench", "Measure: masks over a file of cases, and experiments");
  bench->require_subcommand(1);
  auto commands = std::make_shared<std::vector<Command>>();
  for (const auto add : {bench_masks::add, bench_growth::add, bench_memory::add, bench_threads::add,
                         bench_homomorphism::add, bench_canonical::add})
    commands->push_back(add(*bench));
  const auto chosen = [commands]() -> const Command& {
    for (const Command& command : *commands) {
      if (command.app->parsed()) return command;
    }
    return commands->front();
  };
  return {bench, [chosen] { return chosen().run(); }, [chosen] { return chosen().wants_json(); }};
}

}  // namespace weir::cli::bench
