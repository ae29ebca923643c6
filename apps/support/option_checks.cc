#include "option_checks.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "grammar/suggest.h"

namespace weir::cli {

namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string natural_number(std::string& value) {
  const bool digits = value.find_first_not_of("0123456789") == std::string::npos;
  return digits && !value.empty() ? "" : fmt::format("`{}` is no natural number", value);
}

std::string not_empty(std::string& value) { return value.empty() ? "the value is empty" : ""; }

void check_option(CLI::Option& option) {
  constexpr std::array<std::string_view, 2> kCounts = {"N", "S"};
  constexpr std::array<std::string_view, 5> kNeverEmpty = {"FILE", "RULE", "T", "IDS", "NAME=N"};
  const std::string type = option.get_type_name();
  if (is_one_of(kCounts, type)) option.check(CLI::Validator(natural_number, "", "natural number"));
  if (is_one_of(kNeverEmpty, type) || option.get_positional()) option.check(CLI::Validator(not_empty, "", "not empty"));
}

// Lists the long names of options, including those in option groups, which CLI11 represents as unnamed subcommands.
void list_options(CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_name().empty()) list_options(*sub, names);
  }
}

std::vector<std::string> subcommand_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!sub->get_name().empty()) names.push_back(sub->get_name());
  }
  return names;
}

std::string nearest(const std::vector<std::string>& names, std::string_view name) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return grammar::did_you_mean(views, name);
}

}  // namespace

void check_option_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) check_option(*option);
  for (CLI::App* sub : app.get_subcommands({})) check_option_values(*sub);
}

std::string suggest_argument(CLI::App& app, int argc, const char* const* argv) {
  CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") break;
    std::vector<std::string> names;
    if (argument.starts_with("--")) {
      list_options(*at, names);
    } else {
      names = subcommand_names(*at);
      if (names.empty()) continue;  // a value or a file
    }
    const std::string name = argument.substr(0, argument.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end()) return nearest(names, name);
    if (!argument.starts_with("--")) at = at->get_subcommand(name);
  }
  return "";
}

}  // namespace weir::cli
