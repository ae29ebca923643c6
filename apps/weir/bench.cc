// `weir bench`: runs weir-bench, a program of its own (bench/experiments), with the arguments that follow.
#include <CLI/CLI.hpp>

#include "commands.h"
#include "system.h"

namespace weir::cli::bench {

Command add(CLI::App& root) {
  CLI::App* app = root.add_subcommand("bench", "Measure: masks over a file of cases, and experiments");
  app->set_help_flag();  // weir-bench has the help
  app->prefix_command();
  const auto run = [app]() -> int {
    become_program_beside("weir-bench", app->remaining());
    throw InputError("`weir bench` needs the program weir-bench beside this one; `make` builds both");
  };
  return {app, run, [] { return false; }};
}

}  // namespace weir::cli::bench
