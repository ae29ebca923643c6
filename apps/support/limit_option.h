// The option --limit, which sets any field of weir::Limits by name.
#ifndef WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
#define WEIR_APPS_SUPPORT_LIMIT_OPTION_H_

#include <string>
#include <vector>

#include "weir/limits.h"

namespace CLI {
class App;
}

namespace weir::cli {

void add_limit_option(CLI::App& app, std::vector<std::string>& settings);

/// Returns the limits that `settings` describe; each is NAME=N. Throws InputError, which lists the names.
Limits read_limits(const std::vector<std::string>& settings);

/// Returns a message or hint of the library in which "raise Limits::x" is replaced by the use of --limit.
std::string with_command_options(std::string message);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
