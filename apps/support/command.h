// What the files of the command share: how a subcommand registers itself, exit codes, and the one way to fail.
//
// HOW    Each subcommand is one file and one namespace. Its function `add` adds its options to the parser and returns
//        what to run. main.cc knows nothing else about it.
// ERRORS A subcommand returns kOk or kRefused. Whatever keeps it from answering (a file that cannot be read, a grammar
//        that does not compile, a limit) is thrown as InputError and becomes kInputError in main.cc. The library below
//        throws nothing; this is the program's own business.
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

/// Exit codes, the same for every subcommand and part of the interface.
enum ExitCode : int {
  kOk = 0,          ///< Done; accepted; allowed.
  kRefused = 1,     ///< The answer is no: a text is refused or incomplete, a token is not allowed.
  kInputError = 2,  ///< No answer: wrong usage, unreadable input, a grammar that does not compile, a limit.
};

/// Why there is no answer.
struct InputError : std::runtime_error {
  /// `rendered` is what people see: one or more lines, the last without a line end.
  explicit InputError(const std::string& rendered) : std::runtime_error(rendered) {}
  InputError(const std::string& rendered, Error from) : std::runtime_error(rendered), error(std::move(from)) {}
  std::optional<Error> error = std::nullopt;  ///< What the library said, where it was the library; for --json.
};

/// A subcommand after registration.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;          ///< Returns an ExitCode or throws InputError.
  std::function<bool()> wants_json;  ///< Whether --json was given, so that errors are JSON too.
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_COMMAND_H_
