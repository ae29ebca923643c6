// The `weir` command: registers the subcommands, runs the one that was asked for, turns failures into exit codes.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <vector>

#include "command.h"
#include "option_checks.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli {

namespace {

constexpr const char* kFooter =
    "\nExit status: 0 done, accepted, allowed; 1 refused, incomplete, not allowed; 2 no answer (usage, input,\n"
    "a grammar that does not compile, a limit). `weir COMMAND --help` tells all about a command.";

void report(const InputError& error, bool json) {
  if (json) {
    Json out;
    out["error"] = error.error ? error_json(*error.error) : Json{{"code", "input"}, {"message", error.what()}};
    if (error.error) out["error"]["rendered"] = error.what();
    fmt::print("{}\n", out.dump(-1, ' ', false, Json::error_handler_t::replace));
    return;
  }
  const Colors colors = colors_for(stderr);
  fmt::print(stderr, "{}weir:{} {}\n", colors.red, colors.reset, error.what());
}

int run(const Command& command) {
  try {
    const int exit_code = command.run();
    // What was printed last is written only now; a full disk is no answer.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw InputError("cannot write to standard output");
    return exit_code;
  } catch (const InputError& error) {
    std::fflush(stdout);
    report(error, command.wants_json());
    return kInputError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "weir: grammar-constrained decoding. Given a grammar and a tokenizer it says which tokens may come next.",
      "weir");
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  std::vector<Command> commands;
  for (const auto add : {validate::add, mask::add, generate::add, explain::add, check::add, convert::add,
                         tokenizer::add, inspect::add, index::add, tools::add, cases::add, bench::add}) {
    commands.push_back(add(app));
  }
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
  for (const Command& command : commands) {
    if (command.app->parsed()) return run(command);
  }
  return kInputError;
}

}  // namespace weir::cli

int main(int argc, char** argv) {
  try {
    return weir::cli::main(argc, argv);
  } catch (const std::exception& error) {  // Out of memory, a closed pipe: nothing that a user can repair.
    fmt::print(stderr, "weir: {}\n", error.what());
    return weir::cli::kInputError;
  }
}
