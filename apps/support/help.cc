#include "help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::cli {

namespace {

constexpr std::size_t kWidth = 98;  // options in groups are indented by two more

// Breaks lines at blanks, so that no line has more than `width` bytes unless one word has.
std::string wrapped(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = text;
    if (line.size() > width) {
      const std::size_t blank = line.rfind(' ', width);
      line = line.substr(0, blank != std::string_view::npos && blank != 0 ? blank : line.find(' ', width));
    }
    if (!out.empty()) out += '\n';
    out += line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return out;
}

class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    std::ranges::replace(text, '\n', ' ');
    return wrapped(text, kWidth - get_column_width());
  }

  // Option groups of which an option is required come before all other options; CLI11 puts all groups after them.
  std::string make_positionals(const CLI::App* app) const override {
    return CLI::Formatter::make_positionals(app) + option_groups(app, true);
  }
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    const auto named = app->get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
    return named.empty() ? option_groups(app, false) : CLI::Formatter::make_subcommands(app, mode);
  }

  // Within a group, the required options come first.
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::ranges::stable_partition(options, [](const CLI::Option* option) { return option->get_required(); });
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }

 private:
  // CLI11 represents option groups as subcommands without a name.
  std::string option_groups(const CLI::App* app, bool required) const {
    std::string out;
    for (const CLI::App* sub : app->get_subcommands({})) {
      const bool is_required = sub->get_require_option_min() > 0;
      if (sub->get_name().empty() && is_required == required) out += (required ? "\n" : "") + make_expanded(sub);
    }
    return out;
  }
};

}  // namespace

void set_help_format(CLI::App& app) { app.formatter(std::make_shared<WrappingFormatter>()); }

}  // namespace weir::cli
