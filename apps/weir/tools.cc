// `weir tools`: makes a structural tag from the tools of a request.
#include "weir/tools.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "tool_input.h"

namespace weir::cli::tools {

namespace {

struct Options {
  std::string style;
  std::string tools_path;
  ToolOptions tools;
};

int run(const Options& options) {
  const std::string text = read_file(options.tools_path);
  ToolOptions tools = options.tools;
  tools.tool_choice = choice_json(tools.tool_choice);
  std::string format_path;
  tools.response_format = response_format_text(options.tools.response_format, format_path);
  const Result<std::string> tag = structural_tag_for_tools(style_text(options.style), text, tools);
  if (!tag) throw tools_error(tag.error(), text, options.tools_path, format_path);
  fmt::print("{}\n", *tag);
  return kOk;
}

constexpr const char* kFooter = R"(
Prints a structural tag for --structural-tag, with the arguments of each call as a capture under the tool's name.
docs/tools.md says what each style writes and where it is published.
Example: echo '[{"name": "now"}]' | weir tools --style hermes --tools -)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("tools", "Turn the tools of a request into a structural tag");
  app->footer(kFooter);
  add_style_option(*app, options->style)->required();
  app->add_option("--tools", options->tools_path, "File with the list of tools, as in a request; - is standard input")
      ->required()
      ->type_name("FILE");
  add_tool_options(*app, options->tools);
  app->add_option("--response-format", options->tools.response_format,
                  "JSON as in a request, or a file with it: what an answer without calls is (default: text)")
      ->type_name("JSON|FILE")
      ->default_str("");
  return {app, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weir::cli::tools
