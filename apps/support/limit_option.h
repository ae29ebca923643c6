// The option --limit, which sets any field of weir::Limits by name.
#ifndef WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
#define WEIR_APPS_SUPPORT_LIMIT_OPTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "weir/diagnostic.h"
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

/// Returns a message or hint of the library with the names that `options` lists (Error::options) replaced by those of the
/// command: `exact_splits` becomes --exact-splits, "raise Limits::x" becomes "raise it with --limit x=N".
std::string with_command_options(std::string message, std::string_view options = {});

/// Writes the message and the hint of a finding in the words of the command. The hint of one without hint that met a limit
/// says how to raise the limit.
void use_command_words(Error& error);
void use_command_words(Diagnostic& finding);
void use_command_words(Warning& warning);

/// Returns the error of an option, Error::options, in the words of the command. Precondition: there is one.
InputError option_error(Error error);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_LIMIT_OPTION_H_
