// The interface of the subcommands: registration, exit codes, and errors.
//
// HOW    Each subcommand is one file and one namespace. Its function `add` adds its options to the parser and returns
//        the function to run. main.cc uses nothing else of it.
// ERRORS A subcommand returns kOk or kRefused. If it cannot answer (a file cannot be read, a grammar does not compile,
//        a limit is exceeded), it throws InputError, for which run_program (program.h) returns kInputError. Only the
//        programs throw exceptions; the library does not.
#ifndef WEIR_APPS_SUPPORT_COMMAND_H_
#define WEIR_APPS_SUPPORT_COMMAND_H_

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "weir/error.h"

namespace CLI {
class App;
}

namespace weir::cli {

/// Exit codes, which are the same for every subcommand. They are part of the program's interface.
enum ExitCode : int {
  kOk = 0,          ///< Done; accepted; allowed.
  kRefused = 1,     ///< The answer is no: a text is refused or incomplete, a token is not allowed.
  kInputError = 2,  ///< No answer: wrong usage, unreadable input, a grammar that does not compile, a limit.
};

/// Thrown if a subcommand cannot answer; see ERRORS.
struct InputError : std::runtime_error {
  /// `rendered` is the message for people: one or more lines, the last without a line end.
  explicit InputError(const std::string& rendered) : std::runtime_error(rendered) {}
  InputError(const std::string& rendered, Error from) : std::runtime_error(rendered), error(std::move(from)) {}
  std::optional<Error> error = std::nullopt;  ///< The library's error, if it reported one; for --json.
};

/// A subcommand after registration.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;          ///< Returns an ExitCode or throws InputError.
  std::function<bool()> wants_json;  ///< Returns true if --json was given; errors are then printed as JSON, too.
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_COMMAND_H_
