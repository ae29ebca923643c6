// Checks for the options of all subcommands: invalid values, and suggestions for misspelled options.
#ifndef WEIR_APPS_SUPPORT_OPTION_CHECKS_H_
#define WEIR_APPS_SUPPORT_OPTION_CHECKS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weir::cli {

/// Makes all subcommands refuse counts that are not natural numbers below 2^64, shares that are not from 0 to 1, and
/// empty names of files, rules and tokens. (An unset shell variable gives an empty name.) The type name of an option
/// determines the check.
void check_option_values(CLI::App& app);

/// Makes an option with a count refuse 0. Returns the option.
CLI::Option* require_positive(CLI::Option* option);

/// Adds an option with token ids, separated by commas. A list with an empty place (`1,,2`) is refused: CLI11 leaves it out.
CLI::Option* add_ids_option(CLI::App& app, const std::string& name, std::vector<std::uint32_t>& ids,
                            const std::string& description);

/// Returns the first argument if it should be a subcommand and is none; else "".
std::string unknown_command(CLI::App& app, int argc, const char* const* argv);

/// Returns a hint for the first argument that is not an option or subcommand: "did you mean --grammar?", or which
/// subcommands have the option; "" if no name is similar.
std::string suggest_argument(CLI::App& app, int argc, const char* const* argv);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_OPTION_CHECKS_H_
