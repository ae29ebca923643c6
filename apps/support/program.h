// What the programs have in common: parse the arguments, run the subcommand that they name, turn failures into exit
// codes.
#ifndef WEIR_APPS_SUPPORT_PROGRAM_H_
#define WEIR_APPS_SUPPORT_PROGRAM_H_

#include <span>

#include "command.h"

namespace weir::cli {

/// A function that registers a subcommand with a parser.
using AddCommand = Command (*)(CLI::App&);

/// Registers `commands` with `app`, parses the arguments and runs the subcommand that was chosen. Returns an ExitCode.
/// Prints errors to standard error; with --json, as JSON to standard output.
int run_program(CLI::App& app, std::span<const AddCommand> commands, int argc, char** argv);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_PROGRAM_H_
