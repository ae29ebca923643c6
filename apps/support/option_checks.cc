#include "option_checks.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>
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
  if (!digits || value.empty()) return fmt::format("`{}` is no natural number", value);
  std::uint64_t number = 0;  // a parser of options would take the greatest number that it has for a greater one
  const bool fits = std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc{};
  return fits ? "" : fmt::format("`{}` is greater than {}", value, UINT64_MAX);
}

std::string positive_number(std::string& value) {
  const bool is_zero = !value.empty() && value.find_first_not_of('0') == std::string::npos;
  return is_zero ? fmt::format("`{}` is not at least 1", value) : natural_number(value);
}

std::string share(std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  const bool is_number = !value.empty() && end == value.c_str() + value.size();
  return is_number && number >= 0 && number <= 1 ? "" : fmt::format("`{}` is no number from 0 to 1", value);
}

std::string not_empty(std::string& value) { return value.empty() ? "the value is empty" : ""; }

void check_option(CLI::Option& option) {
  constexpr std::array<std::string_view, 2> kCounts = {"N", "S"};
  constexpr std::array<std::string_view, 5> kNeverEmpty = {"FILE", "RULE", "T", "IDS", "NAME=N"};
  const std::string type = option.get_type_name();
  if (is_one_of(kCounts, type)) option.check(CLI::Validator(natural_number, "", "natural number"));
  if (type == "P") option.check(CLI::Validator(share, "", "share"));
  if (is_one_of(kNeverEmpty, type) || option.get_positional()) option.check(CLI::Validator(not_empty, "", "not empty"));
}

// Lists the names of options, including those in option groups, which CLI11 represents as unnamed subcommands.
void list_options(CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
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

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns true if the option is one of those of which a subcommand needs one, such as --grammar.
bool names_input(CLI::App& app, const std::string& name) {
  std::vector<std::string> needed;
  for (CLI::App* group : app.get_subcommands({})) {
    if (group->get_require_option_min() > 0) list_options(*group, needed);
  }
  return contains(needed, name);
}

// Returns a hint for an option that the subcommand `at` lacks: a similar name, or the subcommands of `app` that have it
// and how `at` is given its input.
std::string suggest_option(CLI::App& app, CLI::App& at, const std::string& name) {
  std::vector<std::string> names;
  list_options(at, names);
  if (std::string similar = name.starts_with("--") ? nearest(names, name) : ""; !similar.empty()) return similar;
  std::string owners;
  bool is_input = false;
  for (CLI::App* sub : app.get_subcommands({})) {
    std::vector<std::string> of_sub;
    list_options(*sub, of_sub);
    if (!contains(of_sub, name)) continue;
    owners += (owners.empty() ? "" : ", ") + sub->get_name();
    is_input = is_input || names_input(*sub, name);
  }
  if (owners.empty()) return "";
  std::string hint = fmt::format("`{}` is an option of {}", name, owners);
  for (const CLI::Option* option : at.get_options()) {
    if (!is_input || !option->get_positional()) continue;
    hint += fmt::format("; {} takes {} without an option before it", at.get_name(), option->get_name(true));
  }
  return hint;
}

}  // namespace

void check_option_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) check_option(*option);
  for (CLI::App* sub : app.get_subcommands({})) check_option_values(*sub);
}

CLI::Option* require_positive(CLI::Option* option) {
  return option->check(CLI::Validator(positive_number, "", "positive number"));
}

CLI::Option* add_ids_option(CLI::App& app, const std::string& name, std::vector<std::uint32_t>& ids,
                            const std::string& description) {
  const auto read = [name, &ids](const std::vector<std::string>& lists) {
    ids.clear();
    for (const std::string& list : lists) {
      for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        std::uint32_t id = 0;
        const auto [last, error] = std::from_chars(list.data() + start, list.data() + end, id);
        if (error != std::errc() || last != list.data() + end) {
          throw CLI::ValidationError(name, "`" + list + "` is no list of token ids, which looks like 1,2,3");
        }
        ids.push_back(id);
        start = end + 1;
      }
    }
  };
  return app.add_option_function<std::vector<std::string>>(name, read, description)->type_name("IDS");
}

std::string unknown_command(CLI::App& app, int argc, const char* const* argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.starts_with('-')) return "";
  const std::vector<std::string> names = subcommand_names(app);
  return contains(names, first) ? "" : first;
}

std::string suggest_argument(CLI::App& app, int argc, const char* const* argv) {
  CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") break;
    const bool is_option = argument.size() > 1 && argument.starts_with('-');
    std::vector<std::string> names;
    if (is_option) {
      list_options(*at, names);
    } else {
      names = subcommand_names(*at);
      if (names.empty()) continue;  // a value or a file
    }
    const std::string name = argument.substr(0, argument.find('='));
    if (!contains(names, name)) return is_option ? suggest_option(app, *at, name) : nearest(names, name);
    if (!is_option) at = at->get_subcommand(name);
  }
  return "";
}

}  // namespace weir::cli
