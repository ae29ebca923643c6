#include "inputs.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "base/open_file.h"
#include "limit_option.h"
#include "string_list.h"
#include "terminal.h"
#include "words.h"

namespace weir::cli {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

InputError out_of_range(std::uint32_t token, const TokenizerInfo& info) {
  return InputError(fmt::format("token {} is out of range: the vocabulary has {} tokens", token, info.vocab_size()));
}

std::string read_file(const std::string& path) {
  File opened;
  std::FILE* file = stdin;
  if (path == "-") {
    static bool was_read = false;
    if (was_read) throw InputError("standard input (-) is given twice, but can be read only once");
    was_read = true;
  } else {
    opened.reset(open_file(path, "rb"));
    if (!opened) throw InputError(fmt::format("cannot open `{}`: {}", path, std::strerror(errno)));
    file = opened.get();
  }
  std::string content;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) content.append(buffer, n);
  if (std::ferror(file) != 0) throw InputError(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  return content;
}

InputError text_error(const Error& error, const std::string& text, const std::string& name) {
  Error in_words = error;
  in_words.message = with_command_options(error.message);
  in_words.hint = with_command_options(error.hint);
  std::string rendered = render(in_words, text, name);
  while (!rendered.empty() && rendered.back() == '\n') rendered.pop_back();
  return {rendered, in_words};
}

void write_file(const std::string& path, const std::string& content) {
  File file(open_file(path, "wb"));
  if (!file) throw InputError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fclose(file.release()) != 0) {
    throw InputError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  }
}

std::optional<GrammarSyntax> syntax_of_file(std::string_view path) {
  constexpr std::array kExtensions = std::to_array<std::pair<std::string_view, GrammarSyntax>>({
      {".ebnf", GrammarSyntax::kEbnf},
      {".gbnf", GrammarSyntax::kGbnf},
      {".kbnf", GrammarSyntax::kKbnf},
      {".lark", GrammarSyntax::kLark},
  });
  for (const auto& [extension, syntax] : kExtensions) {
    if (path.ends_with(extension)) return syntax;
  }
  return std::nullopt;
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
    // Most messages of the library about a file already contain its name.
    std::string message = info.error().message;
    if (message.find(input.path) == std::string::npos) message = fmt::format("{}: error: {}", input.path, message);
    if (!info.error().hint.empty()) message += "\n  hint: " + info.error().hint;
    throw InputError(message, info.error());
  }
  return *std::move(info);
}

std::vector<std::uint32_t> tokenize(const TokenizerInfo& tokenizer, const std::string& text) {
  Result<std::vector<std::uint32_t>> tokens = tokenizer.tokenize(text);
  if (!tokens) throw InputError("cannot tokenize: " + tokens.error().message, tokens.error());
  return *std::move(tokens);
}

namespace {

void add_text_options(CLI::App& app, GrammarInput& input) {
  input.text_group = app.add_option_group("Options of --grammar");
  add_word(*input.text_group, "--syntax", input.text_options.syntax, grammar_syntaxes(),
           "The grammar's language: ebnf, gbnf, xgrammar, kbnf, lark\n"
           "(default: what the file's name says, .gbnf, .kbnf or .lark; otherwise ebnf)");
  add_reading_options(*input.text_group, input.text_options);
}

}  // namespace

void add_reading_options(CLI::App& app, GrammarTextOptions& options) {
  app.add_option("--start", options.start, "The start rule (default: root; for KBNF and Lark: start)")
      ->type_name("RULE");
  app.add_flag("--exact-splits", options.exact_splits,
               "Lark: terminals end wherever they match, not only at their longest match");
  app.add_flag("--keep-endless", options.keep_endless, "KBNF: keep rules that derive no finite string");
}

const std::map<std::string, GrammarSyntax>& grammar_syntaxes() {
  static const std::map<std::string, GrammarSyntax> syntaxes{{"ebnf", GrammarSyntax::kEbnf},
                                                             {"gbnf", GrammarSyntax::kGbnf},
                                                             {"xgrammar", GrammarSyntax::kXgrammar},
                                                             {"kbnf", GrammarSyntax::kKbnf},
                                                             {"lark", GrammarSyntax::kLark}};
  return syntaxes;
}

const std::map<std::string, RegexDialect>& regex_dialects() {
  static const std::map<std::string, RegexDialect> dialects{{"weir", RegexDialect::kWeir},
                                                            {"ecma", RegexDialect::kEcma262},
                                                            {"rust", RegexDialect::kRust},
                                                            {"python", RegexDialect::kPython},
                                                            {"pcre", RegexDialect::kPcre}};
  return dialects;
}

CLI::Option_group* add_grammar_options(CLI::App& app, GrammarInput& input) {
  CLI::Option_group* group = app.add_option_group("Grammar");
  group
      ->add_option("--grammar", input.grammar_path,
                   "File with a grammar (--syntax says in which language); - is standard input")
      ->type_name("FILE");
  group->add_option("--regex", input.regex, "A regular expression that the whole text matches")->type_name("PATTERN");
  add_word(app, "--regex-dialect", input.regex_options.dialect, regex_dialects(),
           "With --regex: what dialects disagree about is refused (weir, default), or read as ECMA-262 (ecma) or "
           "Rust's regex crate (rust), Python's re (python) or PCRE2 (pcre) does");
  group->add_option("--schema", input.schema_path, "File with a JSON Schema for which the text must be valid")
      ->type_name("FILE");
  group
      ->add_option("--structural-tag", input.structural_tag_path,
                   "File with a structural tag, which says what parts of the text have which format")
      ->type_name("FILE");
  group
      ->add_option("--response-format", input.response_format_path,
                   "File with a response_format of OpenAI-compatible servers")
      ->type_name("FILE");
  group
      ->add_option("--choice", input.choice_path,
                   "File with the allowed texts: a JSON array of strings, or one string a line")
      ->type_name("FILE");
  group->add_option("--substring", input.substring_path, "File with a text of which the text must be a substring")
      ->type_name("FILE");
  add_word(
      app, "--unit", input.unit,
      std::map<std::string, SubstringUnit>{{"word", SubstringUnit::kWord}, {"character", SubstringUnit::kCharacter}},
      "With --substring: the unit of substrings, word (default) or character");
  group
      ->add_option(
          "--chunks", input.chunks_path,
          "File with chunks; the text must be a sequence of consecutive chunks: a JSON array, or one chunk a line")
      ->type_name("FILE");
  group->add_flag("--json-value", input.json_value, "Any JSON value");
  group->add_flag("--json-object", input.json_object, "Any JSON object");
  group->require_option(1);
  add_text_options(app, input);
  add_limit_option(app, input.limits);
  add_schema_options(app, input.schema);
  app.add_flag("--quiet", input.quiet, "Do not print the grammar's warnings (--start implies this)");
  return group;
}

GrammarSource load_grammar(const GrammarInput& input, const std::vector<std::string>& special_tokens) {
  std::string path = input.grammar_path;
  for (const std::string* other : {&input.schema_path, &input.structural_tag_path, &input.response_format_path,
                                   &input.choice_path, &input.substring_path, &input.chunks_path}) {
    if (!other->empty()) path = *other;
  }
  const bool is_json = input.json_value || input.json_object;
  const bool is_regex = path.empty() && !is_json;
  if (input.grammar_path.empty()) {
    for (const CLI::Option* option : input.text_group->get_options()) {
      if (option->count() != 0) throw InputError(fmt::format("{} is for --grammar", option->get_name()));
    }
  }
  const Limits limits = read_limits(input.limits);
  std::string text = is_json ? "" : is_regex ? input.regex : read_file(path);
  std::string name = is_json ? "<json>" : is_regex ? "<regex>" : path == "-" ? "<stdin>" : path;
  const JsonSchemaOptions of_schema = schema_options(input.schema);
  const auto read = [&] {
    const StructuralTagOptions tag_options{.json_schema = of_schema, .special_tokens = special_tokens};
    if (input.json_value) return Grammar::json(of_schema, limits);
    if (input.json_object) return Grammar::json_object(of_schema, limits);
    if (is_regex) return Grammar::from_regex(text, input.regex_options, limits);
    if (!input.structural_tag_path.empty()) return Grammar::from_structural_tag(text, tag_options, limits);
    if (!input.response_format_path.empty()) return Grammar::from_response_format(text, tag_options, limits);
    if (!input.schema_path.empty()) return Grammar::from_json_schema(text, of_schema, limits);
    if (!input.choice_path.empty()) return Grammar::from_choice(read_string_list(text, name), limits);
    if (!input.substring_path.empty()) return Grammar::from_substring(text, input.unit, limits);
    if (!input.chunks_path.empty()) return Grammar::from_substring_chunks(read_string_list(text, name), limits);
    GrammarTextOptions of_text = input.text_options;
    if (input.text_group->get_option("--syntax")->count() == 0) {
      of_text.syntax = syntax_of_file(path).value_or(of_text.syntax);
    }
    of_text.json_schema = of_schema;
    return Grammar::from_text(text, of_text, limits);
  };
  Result<Grammar> grammar = read();
  if (!grammar) throw text_error(grammar.error(), text, name);
  // With another start rule, it is normal that a grammar has unused rules.
  const bool quiet = input.quiet || !input.text_options.start.empty();
  GrammarSource source{*std::move(grammar), std::move(text), std::move(name), limits, quiet};
  if (!input.schema_path.empty()) source.schema = of_schema;
  return source;
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
  Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer, source.limits).compile(source.grammar);
  if (!compiled) throw grammar_error(compiled.error(), source);
  print_warnings(compiled->warnings(), source);
  return *std::move(compiled);
}

void throw_on_limit(const GrammarMatcher& matcher, const std::string& where) {
  const std::string message = with_command_options(matcher.limit_message());
  if (message.empty()) return;
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.message = message;
  const std::size_t name = message.find('`') + 1;
  error.limit = message.substr(name, message.find('`', name) - name);
  throw InputError(where + "limit exceeded: " + message, error);
}

}  // namespace weir::cli
