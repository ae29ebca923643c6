// What holds for the options of every subcommand: which values make no sense, and what a misspelled option may mean.
#ifndef WEIR_APPS_SUPPORT_OPTION_CHECKS_H_
#define WEIR_APPS_SUPPORT_OPTION_CHECKS_H_

#include <string>

namespace CLI {
class App;
}

namespace weir::cli {

/// Refuses, in all subcommands, counts that are no natural numbers, and empty names of files, rules and tokens: those
/// come from unset variables of a shell. Options say by their type name what they take.
void check_option_values(CLI::App& app);

/// "did you mean --grammar?" for the first argument that names no option or subcommand; empty where nothing is near.
std::string suggest_argument(CLI::App& app, int argc, const char* const* argv);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_OPTION_CHECKS_H_
