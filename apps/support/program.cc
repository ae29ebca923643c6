#include "program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "option_checks.h"
#include "system.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli {

namespace {

void report(const std::string& program, const InputError& error, bool json) {
  if (json) {
    Json out;
    out["error"] = error.error ? error_json(*error.error) : Json{{"code", "input"}, {"message", error.what()}};
    if (error.error) out["error"]["rendered"] = error.what();
    fmt::print("{}\n", json_text(out));
    return;
  }
  const Colors colors = colors_for(stderr);
  fmt::print(stderr, "{}{}:{} {}\n", colors.red, program, colors.reset, error.what());
}

int run(const std::string& program, const Command& command) {
  try {
    const int exit_code = command.run();
    // Flushing may fail, for example because the disk is full. The answer is then incomplete.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw InputError("cannot write to standard output");
    return exit_code;
  } catch (const InputError& error) {
    std::fflush(stdout);
    report(program, error, command.wants_json());
    return kInputError;
  }
}

int parse_and_run(CLI::App& app, std::span<const AddCommand> commands, int argc, char** argv) {
  std::vector<Command> added;
  for (const AddCommand add : commands) added.push_back(add(app));
  check_option_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_help = app.exit(error) == 0;
    if (const std::string hint = is_help ? "" : suggest_argument(app, argc, argv); !hint.empty()) {
      fmt::print(stderr, "  hint: {}\n", hint);
    }
    if (is_help && std::fflush(stdout) == 0) return kOk;
    return kInputError;
  }
  for (const Command& command : added) {
    if (command.app->parsed()) return run(app.get_name(), command);
  }
  return kInputError;
}

}  // namespace

int run_program(CLI::App& app, std::span<const AddCommand> commands, int argc, char** argv) {
  try {
    prepare_streams();
    Arguments arguments(argc, argv);
    return parse_and_run(app, commands, arguments.count(), arguments.values());
  } catch (const std::exception& error) {  // out of memory, a closed pipe: nothing that a user can repair
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return kInputError;
  }
}

}  // namespace weir::cli
