#include "tool_input.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "inputs.h"
#include "limit_option.h"
#include "member_options.h"
#include "weir/members.h"

namespace weir::cli {

std::vector<const CLI::Option*> add_tool_options(CLI::App& app, ToolOptions& options) {
  std::vector<const CLI::Option*> added;
  for_each_member<ToolOptions>([&](std::string_view name, auto member, const char* comment) {
    if (name == "response_format") return;
    if (name == "parallel_tool_calls") {
      added.push_back(app.add_flag_callback(
          "--one-call", [&options] { options.parallel_tool_calls = false; }, "Allow at most one call"));
      return;
    }
    CLI::Option* option = add_member_option(app, std::string(name), options.*member, ToolOptions().*member, comment);
    if (name == "tool_choice") {
      option->description("none, auto (default), required, or JSON that names a function or allowed tools");
      option->type_name("CHOICE")->default_str("");
    }
    if (name == "reasoning_closing") option->type_name("TEXT");
    added.push_back(option);
  });
  return added;
}

CLI::Option* add_style_option(CLI::App& app, std::string& style) {
  return app
      .add_option("--style", style,
                  fmt::format("How the model writes calls, or a response template, its text or a file with it: {}",
                              fmt::join(tool_styles(), ", ")))
      ->type_name("NAME|FILE");
}

std::string style_text(const std::string& given) {
  const std::vector<std::string_view> styles = tool_styles();
  std::error_code error;
  const bool is_file =
      std::ranges::find(styles, given) == styles.end() && std::filesystem::is_regular_file(given, error);
  return is_file ? read_file(given) : given;
}

std::string choice_json(const std::string& choice) {
  return choice.find_first_of("{\"") == std::string::npos ? "\"" + choice + "\"" : choice;
}

std::string response_format_text(const std::string& given, std::string& path) {
  if (given.empty() || given.find_first_of("{[\"") != std::string::npos || nlohmann::json::accept(given)) return given;
  path = given;
  return read_file(path);
}

InputError tools_error(const Error& error, const std::string& text, const std::string& path,
                       const std::string& format_path) {
  if (error.options == "response_format" && !error.text.empty()) {
    Error in_file = error;
    in_file.text.clear();
    return text_error(in_file, error.text, format_path.empty() ? "<response_format>" : format_path);
  }
  const bool is_in_tools = error.options.empty() || error.where != SourceRange{};
  if (!is_in_tools) return option_error(error);
  return text_error(error, text, path.empty() ? "<tools>" : path == "-" ? "<stdin>" : path);
}

}  // namespace weir::cli
