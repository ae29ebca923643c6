#include "inputs.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "terminal.h"

namespace weir::cli {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// An error in a text, as a compiler prints it, without the last line end.
InputError text_error(const Error& error, const std::string& text, const std::string& name) {
  std::string rendered = render(error, text, name);
  while (!rendered.empty() && rendered.back() == '\n') rendered.pop_back();
  return {rendered, error};
}

}  // namespace

std::string read_file(const std::string& path) {
  File opened;
  std::FILE* file = stdin;
  if (path != "-") {
    opened.reset(std::fopen(path.c_str(), "rb"));
    if (!opened) throw InputError(fmt::format("cannot open `{}`: {}", path, std::strerror(errno)));
    file = opened.get();
  }
  std::string content;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) content.append(buffer, n);
  if (std::ferror(file) != 0) throw InputError(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  return content;
}

void write_file(const std::string& path, const std::string& content) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) throw InputError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fclose(file.release()) != 0) {
    throw InputError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  }
}

void add_tokenizer_option(CLI::App& app, TokenizerInput& input) {
  app.add_option("--tokenizer", input.path,
                 "Tokenizer file: tokenizer.json, tiktoken ranks, SentencePiece .model, GGUF, tekken.json\n"
                 "(recognised by content; default: an embedded byte-level BPE of 8,192 tokens)")
      ->type_name("FILE");
}

TokenizerInfo load_tokenizer(const TokenizerInput& input) {
  if (input.path.empty()) return TokenizerInfo::builtin();
  Result<TokenizerInfo> info = TokenizerInfo::from_file(input.path);
  if (!info) {
    std::string message = fmt::format("{}: error: {}", input.path, info.error().message);
    if (!info.error().hint.empty()) message += "\n  hint: " + info.error().hint;
    throw InputError(message, info.error());
  }
  return *std::move(info);
}

CLI::Option_group* add_grammar_options(CLI::App& app, GrammarInput& input) {
  CLI::Option_group* group = app.add_option_group("Grammar");
  group->add_option("--grammar", input.grammar_path, "File with an EBNF grammar (`root ::= …`); - is standard input")
      ->type_name("FILE");
  group->add_option("--regex", input.regex, "A regular expression that the whole text matches")->type_name("PATTERN");
  group->add_option("--schema", input.schema_path, "File with a JSON Schema that the text is valid under")
      ->type_name("FILE");
  group->require_option(1);
  app.add_option("--start", input.start, "With --grammar: the rule to begin with")
      ->type_name("RULE")
      ->capture_default_str();
  add_schema_options(app, input.schema);
  app.add_flag("--quiet", input.quiet, "Do not print the grammar's warnings (with --start: never printed)");
  return group;
}

GrammarSource load_grammar(const GrammarInput& input) {
  const std::string& path = input.schema_path.empty() ? input.grammar_path : input.schema_path;
  const bool is_regex = path.empty();
  std::string text = is_regex ? input.regex : read_file(path);
  std::string name = is_regex ? "<regex>" : path == "-" ? "<stdin>" : path;
  const auto read = [&] {
    if (is_regex) return Grammar::from_regex(text);
    if (!input.schema_path.empty()) return Grammar::from_json_schema(text, schema_options(input.schema));
    return Grammar::from_ebnf(text, EbnfOptions{.start = input.start});
  };
  Result<Grammar> grammar = read();
  if (!grammar) throw text_error(grammar.error(), text, name);
  // Started at another rule, a grammar has many that are not used, and that is no surprise.
  const bool quiet = input.quiet || input.start != GrammarInput().start;
  return {*std::move(grammar), std::move(text), std::move(name), quiet};
}

InputError grammar_error(const Error& error, const GrammarSource& source) {
  return text_error(error, source.text, source.name);
}

void print_warnings(const std::vector<Warning>& warnings, const GrammarSource& source) {
  if (source.quiet) return;
  const Colors colors = colors_for(stderr);
  for (const Warning& warning : warnings) {
    fmt::print(stderr, "{}{}{}", colors.yellow, render(warning, source.text, source.name), colors.reset);
  }
}

CompiledGrammar compile(const GrammarSource& source, const TokenizerInfo& tokenizer) {
  Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile(source.grammar);
  if (!compiled) throw grammar_error(compiled.error(), source);
  print_warnings(compiled->warnings(), source);
  return *std::move(compiled);
}

void throw_on_limit(const GrammarMatcher& matcher) {
  const std::string message = matcher.limit_message();
  if (!message.empty()) throw InputError("limit exceeded: " + message);
}

}  // namespace weir::cli
