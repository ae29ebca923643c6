// `weir read`: reads a model's reply.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "inputs.h"
#include "limit_option.h"
#include "option_checks.h"
#include "tool_input.h"
#include "weir/reply_parser.h"

namespace weir::cli::read {

namespace {

struct Options {
  std::string style;
  std::string tools_path;
  std::string path = "-";
  GrammarInput grammar;
  CLI::Option_group* grammar_group = nullptr;
  std::vector<const CLI::Option*> of_style;  // the options that are for --style only
  ReplyOptions reply;
  bool shows_events = false;
  bool shows_values = false;
  bool is_strict = false;
  std::size_t piece = 0;
};

ReplyParser parser_of_style(const Options& options) {
  refuse_reading_options(options.grammar, "--style");
  const std::string tools = options.tools_path.empty() ? "[]" : read_file(options.tools_path);
  ReplyOptions reply = options.reply;
  reply.tools.tool_choice = choice_json(reply.tools.tool_choice);
  reply.mode = options.is_strict ? ReplyOptions::Mode::kStrict : ReplyOptions::Mode::kTolerant;
  reply.values = options.shows_values;
  std::string format_path;
  for (const CLI::Option* option : options.grammar_group->get_options()) {
    if (option->count() == 0) continue;
    if (options.grammar.source.language != InputLanguage::kResponseFormat) {
      throw InputError(fmt::format("--style and {} exclude each other", option->get_name()));
    }
    reply.tools.response_format = response_format_text(options.grammar.path, format_path);
  }
  Result<ReplyParser> parser =
      ReplyParser::create(style_text(options.style), tools, reply, read_limits(options.grammar.limits));
  if (!parser) throw tools_error(parser.error(), tools, options.tools_path, format_path);
  return *std::move(parser);
}

// Returns true if all texts of the input are JSON. What else there is gives captures.
bool is_json(const GrammarText& of, const std::string& text, const JsonSchemaOptions& schema) {
  if (schema.notation != JsonSchemaOptions::Notation::kJson) return false;
  switch (of.language) {
    case InputLanguage::kSchema:
    case InputLanguage::kJsonValue:
    case InputLanguage::kJsonObject: return true;
    case InputLanguage::kResponseFormat: {
      const auto format = nlohmann::json::parse(text, nullptr, false);
      const auto type = format.find("type");
      return type != format.end() && (*type == "json_schema" || *type == "json_object");
    }
    default: return false;
  }
}

ReplyParser parser_of_grammar(const Options& options) {
  const auto all = options.grammar_group->get_options();
  if (std::ranges::all_of(all, [](const CLI::Option* option) { return option->count() == 0; })) {
    throw InputError("--style, or what a grammar is read from, is needed");
  }
  for (const CLI::Option* option : options.of_style) {
    if (option->count() != 0) throw InputError(fmt::format("{} is for --style", option->get_name()));
  }
  const GrammarSource source = load_grammar(options.grammar);
  if (options.shows_values && !is_json(options.grammar.source, source.text, options.grammar.schema.options)) {
    throw InputError("--values is for --style, and for texts of JSON; a grammar or structural tag gives its captures");
  }
  Result<ReplyParser> parser = ReplyParser::for_grammar(compile(source, TokenizerInfo::builtin()));
  if (!parser) throw InputError(parser.error().message + "; " + parser.error().hint, parser.error());
  return *std::move(parser);
}

int run(const Options& options) {
  std::optional<ReplyParser> parser(options.style.empty() ? parser_of_grammar(options) : parser_of_style(options));
  const std::string text = read_file(options.path);
  const bool shows_events = options.shows_events || options.shows_values;
  const auto show = [&](const Result<std::vector<ReplyEvent>>& events) {
    if (!events) throw text_error(events.error(), text, options.path == "-" ? "<stdin>" : options.path);
    if (!shows_events) return;
    for (const ReplyEvent& event : *events) fmt::print("{}\n", to_json(event));
  };
  const std::size_t piece = options.piece == 0 ? std::max<std::size_t>(text.size(), 1) : options.piece;
  for (std::size_t at = 0; at < text.size(); at += piece) show(parser->feed(std::string_view(text).substr(at, piece)));
  show(parser->finish());
  if (!shows_events) fmt::print("{}\n", parser->snapshot());
  return kOk;
}

constexpr const char* kFooter = R"(
Prints the reply as JSON: with --style reasoning, content and tool_calls, with a grammar that has captures the parts that
it names. With --style, --response-format says what an answer without calls is. docs/replies.md says what is read as what.
Example: echo -n 'Hello' | weir read --style hermes -)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("read", "Read a model's reply: reasoning, text and calls");
  app->footer(kFooter);
  add_style_option(*app, options->style);
  options->of_style.push_back(
      app->add_option("--tools", options->tools_path, "File with the list of tools, as in a request (default: none)")
          ->type_name("FILE"));
  app->add_option("FILE", options->path, "The reply; - is standard input, the default")->default_str("");
  const std::vector<const CLI::Option*> of_tools = add_tool_options(*app, options->reply.tools);
  options->of_style.insert(options->of_style.end(), of_tools.begin(), of_tools.end());
  // --response-format is, with --style, what an answer without calls is.
  options->grammar_group = add_grammar_options(*app, options->grammar);
  options->grammar_group->require_option(0, 1);
  options->of_style.push_back(app->add_flag("--strict", options->is_strict, "Read only what the style's tag allows"));
  app->add_flag("--events", options->shows_events, "Print each event on a line, in the place of the reply");
  app->add_flag("--values", options->shows_values, "--events, also of the values within arguments and answers in JSON");
  require_positive(app->add_option("--piece", options->piece, "Feed pieces of so many bytes (default: the whole reply)")
                       ->type_name("N")
                       ->default_str(""));
  return {app, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weir::cli::read
