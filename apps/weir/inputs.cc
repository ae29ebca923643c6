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

std::string source_text(const GrammarInput& input) {
  return input.grammar_path.empty() ? input.regex : read_file(input.grammar_path);
}

std::string source_name(const GrammarInput& input) {
  if (input.grammar_path.empty()) return "<regex>";
  return input.grammar_path == "-" ? "<stdin>" : input.grammar_path;
}

Grammar parse(const GrammarInput& input, const std::string& text) {
  Result<Grammar> grammar = [&] {
    if (input.grammar_path.empty()) return Grammar::from_regex(text);
    EbnfOptions options;
    options.start = input.start;
    return Grammar::from_ebnf(text, options);
  }();
  if (!grammar) throw text_error(grammar.error(), text, source_name(input));
  return *std::move(grammar);
}

void print_warnings(const std::vector<Warning>& warnings, const GrammarInput& input, const std::string& text) {
  // Started at another rule, a grammar has many that are not used, and that is no surprise.
  if (input.quiet || input.start != GrammarInput().start) return;
  const Colors colors = colors_for(stderr);
  for (const Warning& warning : warnings) {
    fmt::print(stderr, "{}{}{}", colors.yellow, render(warning, text, source_name(input)), colors.reset);
  }
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

void add_grammar_options(CLI::App& app, GrammarInput& input) {
  CLI::Option_group* group = app.add_option_group("Grammar");
  group->add_option("--grammar", input.grammar_path, "File with an EBNF grammar (`root ::= …`); - is standard input")
      ->type_name("FILE");
  group->add_option("--regex", input.regex, "A regular expression that the whole text matches")->type_name("PATTERN");
  group->require_option(1);
  app.add_option("--start", input.start, "With --grammar: the rule to begin with")
      ->type_name("RULE")
      ->capture_default_str();
  app.add_flag("--quiet", input.quiet, "Do not print the grammar's warnings (with --start: never printed)");
}

Grammar load_grammar(const GrammarInput& input) {
  const std::string text = source_text(input);
  Grammar grammar = parse(input, text);
  print_warnings(grammar.warnings(), input, text);
  return grammar;
}

CompiledGrammar compile(const GrammarInput& input, const TokenizerInfo& tokenizer) {
  const std::string text = source_text(input);
  const Grammar grammar = parse(input, text);
  Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile(grammar);
  if (!compiled) throw text_error(compiled.error(), text, source_name(input));
  print_warnings(compiled->warnings(), input, text);
  return *std::move(compiled);
}

void throw_on_limit(const GrammarMatcher& matcher) {
  const std::string message = matcher.limit_message();
  if (!message.empty()) throw InputError("limit exceeded: " + message);
}

}  // namespace weir::cli
