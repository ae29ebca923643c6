// `weir convert`: writes a grammar in another language, as a grammar of the same texts.
#include "weir/convert.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "text.h"
#include "words.h"

namespace weir::cli::convert {

namespace {

constexpr std::string_view kRegexName = "regex";

struct Options {
  GrammarInput grammar;
  std::string to;
  std::string output;
  bool json = false;
};

int run(const Options& options) {
  const GrammarSource source = load_grammar(options.grammar);
  const Result<std::string> text = options.to == kRegexName
                                       ? convert_to_regex(source.grammar)
                                       : convert_grammar(source.grammar, *syntax_named(options.to));
  if (!text) throw grammar_error(text.error(), source);
  print_warnings(source.grammar.warnings(), source);
  const std::string out = options.json ? json_text(Json{{"syntax", options.to}, {"text", *text}}) + "\n" : *text;
  if (options.output.empty()) {
    fmt::print("{}{}", out, options.to == kRegexName && !options.json ? "\n" : "");
  } else {
    write_file(options.output, out);
  }
  return kOk;
}

constexpr const char* kFooter = R"(
The result is a grammar of the same texts. It is an error if the other language cannot express the grammar;
docs/convert.md lists these cases.
JSON: {"syntax", "text"}.
Exit status: 0 done; 2 no answer.
Example: weir convert --grammar examples/json.ebnf --to gbnf)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("convert", "Write a grammar in another language of grammars");
  app->footer(kFooter);
  add_grammar_options(*app, options->grammar);
  std::map<std::string, std::string> targets{{std::string(kRegexName), std::string(kRegexName)}};
  for (const auto& [name, syntax] : words_of<GrammarSyntax>()) targets.emplace(name, name);
  const std::string names = listed(targets);
  add_word(*app, "--to", options->to, std::move(targets), "The language to write: " + names)->required();
  app->add_option("-o,--output", options->output, "Write to this file instead of standard output")->type_name("FILE");
  app->add_flag("--json", options->json, "JSON instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::convert
