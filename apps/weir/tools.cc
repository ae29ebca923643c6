// `weir tools`: makes a structural tag from the tools of a request.
#include "weir/tools.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "tool_input.h"
#include "words.h"

namespace weir::cli::tools {

namespace {

struct Options {
  std::string style;
  std::string tools_path;
  ToolOptions tools;
};

// The response format is given as JSON or as a file with it.
bool is_meant_as_json(const std::string& given) {
  return given.find_first_of("{[\"") != std::string::npos || nlohmann::json::accept(given);
}

int run(const Options& options) {
  const std::string text = read_file(options.tools_path);
  ToolOptions tools = options.tools;
  tools.tool_choice = choice_json(tools.tool_choice);
  const std::string given = tools.response_format;
  const std::string format_path = given.empty() || is_meant_as_json(given) ? "" : given;
  if (!format_path.empty()) tools.response_format = read_file(format_path);
  const Result<std::string> tag = structural_tag_for_tools(options.style, text, tools);
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
  app->add_option("--style", options->style,
                  fmt::format("How the model writes calls, or the text of a response template: {}",
                              fmt::join(tool_styles(), ", ")))
      ->required()
      ->type_name("NAME");
  app->add_option("--tools", options->tools_path, "File with the list of tools, as in a request; - is standard input")
      ->required()
      ->type_name("FILE");
  app->add_option("--tool-choice", options->tools.tool_choice,
                  "none, auto (default), required, or JSON that names a function or allowed tools")
      ->type_name("CHOICE")
      ->default_str("");
  app->add_flag_callback(
      "--one-call", [options] { options->tools.parallel_tool_calls = false; }, "Allow at most one call");
  add_word(*app, "--reasoning", options->tools.reasoning, words_of<ToolOptions::Reasoning>(),
           "Reasoning before the answer: none (default), whole, begun (its opening tag is in the prompt), or auto");
  app->add_option("--max-reasoning-tokens", options->tools.max_reasoning_tokens, "The most tokens of reasoning")
      ->type_name("N")
      ->default_str("");
  app->add_option("--reasoning-closing", options->tools.reasoning_closing,
                  "A text that may end the reasoning, beyond that bound")
      ->type_name("TEXT")
      ->default_str("");
  app->add_option("--response-format", options->tools.response_format,
                  "JSON as in a request, or a file with it: what an answer without calls is (default: text)")
      ->type_name("JSON|FILE")
      ->default_str("");
  add_word(*app, "--on-bad-tool", options->tools.on_bad_tool, words_of<ToolOptions::OnBadTool>(),
           "A tool whose schema is refused: refuse (default), loosen (it takes any arguments), or drop");
  return {app, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weir::cli::tools
