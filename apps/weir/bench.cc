// `weir bench`: runs weir-bench, a program of its own (bench/experiments), with the arguments that follow.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>
#include <vector>

#include "commands.h"

namespace weir::cli::bench {

namespace {

int run(const std::vector<std::string>& arguments) {
  std::error_code failed;
  const std::filesystem::path itself = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string program = (itself.parent_path() / "weir-bench").string();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw InputError("`weir bench` needs the program weir-bench beside this one; `make` builds both");
}

}  // namespace

Command add(CLI::App& root) {
  CLI::App* app = root.add_subcommand("bench", "Measure: masks over a file of cases, and experiments");
  app->set_help_flag();  // weir-bench has the help
  app->prefix_command();
  return {app, [app] { return run(app->remaining()); }, [] { return false; }};
}

}  // namespace weir::cli::bench
