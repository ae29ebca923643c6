#include "help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

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
};

}  // namespace

void set_help_format(CLI::App& app) { app.formatter(std::make_shared<WrappingFormatter>()); }

}  // namespace weir::cli
