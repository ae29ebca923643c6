#include "program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "help.h"
#include "interrupt.h"
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

// Writes what is buffered. Throws InputError if that fails, for example because the disk is full: what was written is
// then incomplete.
void flush_output() {
  errno = 0;
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_written) return;
  throw InputError(errno == 0 ? "cannot write to standard output"
                              : fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

int run(const std::string& program, const Command& command) {
  try {
    const int exit_code = command.run();
    flush_output();
    end_if_interrupted();
    return exit_code;
  } catch (const InputError& error) {
    const bool can_write = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    report(program, error, command.wants_json() && can_write);
    return kInputError;
  }
}

constexpr std::string_view kCouldNotConvert = "Could not convert: ";  // of CLI11

// Prints why the arguments cannot be used and what was probably meant.
void report_usage(CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
  const std::string word = unknown_command(app, argc, argv);
  const std::string_view what = error.what();
  if (word.empty() && what.starts_with(kCouldNotConvert)) {  // check_option_values() lets only numbers pass
    fmt::print(stderr, "{}: the number is too large\nRun with --help for more information.\n",
               what.substr(kCouldNotConvert.size()));
  } else if (word.empty()) {
    app.exit(error, std::cout, std::cerr);
  } else {
    fmt::print(stderr, "{}: there is no command `{}`\nRun with --help for more information.\n", app.get_name(),
               escape(word));
  }
  if (const std::string hint = suggest_argument(app, argc, argv); !hint.empty()) {
    fmt::print(stderr, "  hint: {}\n", hint);
  }
}

int parse_and_run(CLI::App& app, std::span<const AddCommand> commands, int argc, char** argv) {
  set_help_format(app);
  std::vector<Command> added;
  for (const AddCommand add : commands) added.push_back(add(app));
  check_option_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      report_usage(app, error, argc, argv);
      return kInputError;
    }
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    fmt::print("{}", text.str());
    flush_output();
    return kOk;
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
