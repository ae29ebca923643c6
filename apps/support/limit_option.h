// The option --limit, which sets any field of weir::Limits by name.
#ifndef WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
#define WEIR_APPS_SUPPORT_LIMIT_OPTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "weir/limits.h"

namespace CLI {
class App;
}

namespace weir::cli {

void add_limit_option(CLI::App& app, std::vector<std::string>& settings);

/// Returns the default limits with `settings` applied, each NAME=N. Throws InputError for a bad name or value.
Limits read_limits(const std::vector<std::string>& settings);

/// Returns the name of the limit that a matcher's limit_message() is about: the first name in backquotes.
std::string limit_of_message(std::string_view message);

/// Returns a message or hint of the library with the names of C++ options replaced by those of the command. For
/// example, "raise Limits::x" becomes "raise it with --limit x=N".
std::string with_command_options(std::string message);

/// Returns a hint in the words of the command; of an error without one that met a limit, how to raise the limit.
std::string hint_in_words(const std::string& hint, const std::string& limit);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
