#include "inputs.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/open_file.h"
#include "limit_option.h"
#include "member_options.h"
#include "string_list.h"
#include "terminal.h"
#include "text.h"
#include "weir/languages.h"
#include "words.h"

namespace weir::cli {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Bytes of a file that are read, for devices and pipes that never end.
constexpr std::size_t kMostRead = std::size_t{1} << 30;

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
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) {
    content.append(buffer, n);
    if (content.size() > kMostRead) throw InputError(fmt::format("`{}` has more than 1 GiB", path));
  }
  if (std::ferror(file) != 0) throw InputError(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  return content;
}

InputError text_error(const Error& error, const std::string& text, const std::string& name) {
  Error in_words = error;
  use_command_words(in_words);
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
  add_word(*input.text_group, "--syntax", input.source.text_options.syntax, words_of<GrammarSyntax>(),
           "The grammar's language: " + listed(words_of<GrammarSyntax>()) +
               "\n(default: what the extension of the file's name says, such as .lark; otherwise ebnf)");
  add_reading_options(*input.text_group, input.source.text_options);
}

}  // namespace

std::vector<CLI::Option*> add_reading_options(CLI::App& app, GrammarTextOptions& options) {
  std::vector<CLI::Option*> added;
  for_each_member<GrammarTextOptions>([&](const char* name, auto member, const char* comment) {
    // What `syntax` means without a value is the subcommand's; a language by name takes the place of a grammar's file.
    if (std::string_view(name) == "syntax" || std::string_view(name) == "language") return;
    CLI::Option* option = add_member_option(app, name, options.*member, GrammarTextOptions().*member, comment);
    if (option != nullptr) added.push_back(option);
  });
  return added;
}

std::vector<CLI::Option*> add_regex_options(CLI::App& app, RegexOptions& options) {
  std::vector<CLI::Option*> added;
  for_each_member<RegexOptions>([&](const std::string& name, auto member, const std::string& comment) {
    added.push_back(
        add_member_option(app, "regex_" + name, options.*member, RegexOptions().*member, "With --regex: " + comment));
  });
  return added;
}

namespace {

// The options of which exactly one says what a grammar is read from. `value` is the kind of its value: a pattern, or a
// file with the text; null for an option without a value.
struct SourceOption {
  const char* name;
  InputLanguage language;
  const char* value;
  const char* help;
};
constexpr SourceOption kSourceOptions[] = {
    {"--grammar", InputLanguage::kGrammar, "FILE",
     "File with a grammar (--syntax says in which language); - is standard input"},
    {"--regex", InputLanguage::kRegex, "PATTERN", "A regular expression that the whole text matches"},
    {"--schema", InputLanguage::kSchema, "FILE", "File with a JSON Schema for which the text must be valid"},
    {"--structural-tag", InputLanguage::kStructuralTag, "FILE",
     "File with a structural tag, which says what parts of the text have which format"},
    {"--response-format", InputLanguage::kResponseFormat, "FILE",
     "File with a response_format of OpenAI-compatible servers"},
    {"--choice", InputLanguage::kChoice, "FILE",
     "File with the allowed texts: a JSON array of strings if it begins with [, or one string a line"},
    {"--substring", InputLanguage::kSubstring, "FILE", "File with a text of which the text must be a substring"},
    {"--chunks", InputLanguage::kChunks, "FILE",
     "File with chunks; the text must be a sequence of consecutive chunks: a JSON array if it begins with [, or one "
     "chunk a line"},
    {"--json-value", InputLanguage::kJsonValue, nullptr, "Any JSON value"},
    {"--json-object", InputLanguage::kJsonObject, nullptr, "Any JSON object"},
};

void add_source_option(CLI::App& group, GrammarInput& input, const SourceOption& option) {
  GrammarText& source = input.source;
  if (option.value == nullptr) {
    group.add_flag_callback(
        option.name, [&source, option] { source.language = option.language; }, option.help);
    return;
  }
  std::string& into = option.language == InputLanguage::kRegex ? source.text : input.path;
  const auto set = [&source, &into, option](const std::string& value) {
    source.language = option.language;
    into = value;
  };
  group.add_option_function<std::string>(option.name, set, option.help)->type_name(option.value);
}

}  // namespace

CLI::Option_group* add_grammar_options(CLI::App& app, GrammarInput& input) {
  CLI::Option_group* group = app.add_option_group("Grammar");
  for (const SourceOption& option : kSourceOptions) add_source_option(*group, input, option);
  CLI::Option* by_name = group
                             ->add_option("--language", input.source.text_options.language,
                                          fmt::format("A language by its name: {}", fmt::join(language_names(), ", ")))
                             ->type_name("NAME");
  group->require_option(1);
  app.add_option("--tables", input.tables,
                 "With --language: file with the tables of a database, in CREATE TABLE statements or as a JSON object; "
                 "- is standard input")
      ->type_name("FILE")
      ->needs(by_name);
  input.regex_options = add_regex_options(app, input.source.regex_options);
  input.unit = add_word(app, "--unit", input.source.unit, words_of<SubstringUnit>(),
                        "With --substring: the unit of substrings, word (default) or character");
  add_text_options(app, input);
  add_limit_option(app, input.limits);
  add_schema_options(app, input.schema);
  app.add_flag("--quiet", input.quiet, "Do not print the grammar's warnings (--start implies this)");
  return group;
}

bool has_schemas(const GrammarText& input) {
  switch (input.language) {
    case InputLanguage::kGrammar:
      return input.text_options.language.empty() && input.text_options.syntax == GrammarSyntax::kLark;
    case InputLanguage::kSchema:
    case InputLanguage::kStructuralTag:
    case InputLanguage::kResponseFormat:
    case InputLanguage::kJsonValue:
    case InputLanguage::kJsonObject: return true;
    default: return false;
  }
}

namespace {

// Calls `use` with each option that says how a grammar is read, if it was given, and with what it is for.
template <typename Use>
void for_each_reading_option(const GrammarInput& input, Use use) {
  const auto all = [&](const auto& options, const char* whom, const auto& is_of) {
    for (const CLI::Option* option : options) {
      if (option->count() != 0) use(option->get_name(), whom, is_of);
    }
  };
  const auto only = [](InputLanguage language) {
    return [language](const GrammarText& text) { return text.language == language; };
  };
  all(input.text_group->get_options(), "--grammar", only(InputLanguage::kGrammar));
  all(input.regex_options, "--regex", only(InputLanguage::kRegex));
  all(std::vector<CLI::Option*>{input.unit}, "--substring", only(InputLanguage::kSubstring));
  all(input.schema.group->get_options(), "JSON Schemas", has_schemas);
}

// Reads the file that the option of this language names. If there is none, what was given is probably the text itself.
std::string read_source_file(const std::string& path, InputLanguage language) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    const auto* option = std::ranges::find(kSourceOptions, language, &SourceOption::language);
    throw InputError(
        fmt::format("{}\n  hint: {} takes the name of a file; - is standard input", error.what(), option->name));
  }
}

}  // namespace

void refuse_reading_options(const GrammarInput& input, const std::string& beside) {
  for_each_reading_option(input, [&](const std::string& name, const char* whom, const auto&) {
    throw InputError(fmt::format("{} is for {}, and has no effect beside {}", name, whom, beside));
  });
}

GrammarSource load_grammar(const GrammarInput& given, const std::vector<std::string>& special_tokens) {
  GrammarText input = given.source;
  if (input.language == InputLanguage::kGrammar && input.text_options.language.empty() &&
      given.text_group->get_option("--syntax")->count() == 0) {
    input.text_options.syntax = syntax_of_file(given.path).value_or(input.text_options.syntax);
  }
  for_each_reading_option(given, [&](const std::string& name, const char* whom, const auto& is_of) {
    if (!is_of(input)) throw InputError(fmt::format("{} is for {}", name, whom));
  });
  const Limits limits = read_limits(given.limits);
  std::string name = input.language == InputLanguage::kRegex ? "<regex>" : "<json>";
  const std::string& path = given.tables.empty() ? given.path : given.tables;
  if (!input.text_options.language.empty()) name = "<language>";
  if (!path.empty()) {
    name = path == "-" ? "<stdin>" : path;
    input.text = given.tables.empty() ? read_source_file(path, input.language) : read_file(path);
    if (!given.tables.empty() && input.text.empty()) {  // the library would take it for no tables, and any name
      throw InputError(fmt::format("--tables: `{}` is empty", name));
    }
    if (input.language == InputLanguage::kSubstring) input.text = without_byte_order_mark(input.text);
  }
  if (input.language == InputLanguage::kChoice || input.language == InputLanguage::kChunks) {
    if (const std::size_t at = find_invalid_utf8(input.text); at != std::string::npos) {
      throw text_error({ErrorCode::kSyntax, "the text is not valid UTF-8", {at, at + 1}}, input.text, name);
    }
    input.strings = read_string_list(input.text, name);
  }
  const JsonSchemaOptions of_schema = schema_options(given.schema);
  Result<Grammar> grammar = read_grammar(input, of_schema, limits, special_tokens);
  if (!grammar && grammar.error().where == SourceRange{}) {
    const Error& error = grammar.error();
    if (!error.options.empty()) throw option_error(error);
    if (!input.text_options.language.empty()) {  // no error of the tables
      throw InputError(error.message + (error.hint.empty() ? "" : "; " + error.hint), error);
    }
  }
  if (!grammar) throw text_error(grammar.error(), input.text, name);
  // With another start rule, it is normal that a grammar has unused rules.
  const bool quiet = given.quiet || !input.text_options.start.empty();
  GrammarSource source{*std::move(grammar), std::move(input.text), std::move(name), limits, quiet};
  if (input.language == InputLanguage::kSchema) source.schema = of_schema;
  return source;
}

void report_file_failure(const InputError& error, const std::string& name, bool json) {
  if (!json) {
    fmt::print(stderr, "weir: {}\n", error.what());
    return;
  }
  Json out = {{"file", name}};
  out["error"] = error.error ? error_json(*error.error) : Json{{"code", "input"}, {"message", error.what()}};
  fmt::print("{}\n", json_text(out));
}

InputError grammar_error(const Error& error, const GrammarSource& source) {
  return text_error(error, source.text, source.name);
}

void print_warnings(const std::vector<Warning>& warnings, const GrammarSource& source) {
  if (source.quiet) return;
  const Colors colors = colors_for(stderr);
  for (Warning warning : warnings) {
    use_command_words(warning);
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
  error.limit = limit_of_message(message);
  throw InputError(where + "limit exceeded: " + message, error);
}

}  // namespace weir::cli
