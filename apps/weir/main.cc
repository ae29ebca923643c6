// The `weir` command: its subcommands, a file each.
#include <CLI/CLI.hpp>
#include <array>

#include "commands.h"
#include "program.h"

int main(int argc, char** argv) {
  using namespace weir::cli;  // NOLINT(google-build-using-namespace): the subcommands
  CLI::App app(
      "weir: grammar-constrained decoding. Given a grammar and a tokenizer it says which tokens may come next.",
      "weir");
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(1);
  app.footer(
      "\nExit status: 0 done, accepted, allowed; 1 refused, incomplete, not allowed; 2 no answer (usage, input,\n"
      "a grammar that does not compile, a limit). `weir COMMAND --help` describes a command.");
  constexpr std::array<AddCommand, 13> kCommands{validate::add, mask::add,      generate::add, explain::add, check::add,
                                                 convert::add,  tokenizer::add, inspect::add,  index::add,   tools::add,
                                                 read::add,     cases::add,     bench::add};
  return run_program(app, kCommands, argc, argv);
}
