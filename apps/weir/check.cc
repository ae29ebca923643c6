// `weir check`: all errors and warnings of grammars, patterns, schemas and structural tags, for people, for programs,
// and for tools that read SARIF.
#include "weir/check.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
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
#include "sarif.h"
#include "schema_input.h"
#include "special_tokens.h"
#include "terminal.h"
#include "text.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "words.h"

namespace weir::cli::check {

namespace {

enum class Format : std::uint8_t { kText, kJson, kSarif };

struct Options {
  std::vector<std::string> files;
  GrammarText input;          // without the text of a file
  bool has_language = false;  // an option says the language; otherwise the names of the files do
  SchemaInput schema_input;
  std::vector<CLI::Option*> of_grammars;
  std::vector<CLI::Option*> of_regexes;
  std::vector<std::string> limits;
  TokenizerInput tokenizer;
  bool canonical = false;
  Format format = Format::kText;
  bool werror = false;
};

// Returns the findings of check_grammar. If none of them is an error, compiles the grammar with the embedded tokenizer
// and adds the error, if there is one, that greedy terminals or look-aheads leave no text. That error is kUnsatisfiable
// and has no position. Other errors of compiling are ignored, because they may be caused by the embedded tokenizer,
// which is not the user's.
std::vector<Diagnostic> check_and_compile(const std::string& text, const GrammarTextOptions& options,
                                          const Limits& limits) {
  std::vector<Diagnostic> findings = check_grammar(text, options, limits);
  const auto is_error = [](const Diagnostic& finding) { return finding.severity == Severity::kError; };
  if (std::any_of(findings.begin(), findings.end(), is_error)) return findings;
  const Result<Grammar> grammar = Grammar::from_text(text, options, limits);
  if (!grammar) return findings;
  const Result<CompiledGrammar> compiled = GrammarCompiler(TokenizerInfo::builtin(), limits).compile(*grammar);
  if (!compiled && compiled.error().code == ErrorCode::kUnsatisfiable && compiled.error().where == SourceRange{}) {
    findings.insert(findings.begin(), to_diagnostic(compiled.error()));
  }
  return findings;
}

// Returns an error if --canonical cannot be used: the tokenizer cannot be followed, or it writes no text of the grammar,
// or none within the grammar's bounds on tokens.
std::vector<Diagnostic> check_canonical(const Grammar& grammar, const TokenizerInfo& tokenizer, const Limits& limits) {
  const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer, limits).compile(grammar);
  if (!compiled) return {to_diagnostic(compiled.error())};
  Result<GrammarMatcher> matcher =
      GrammarMatcher::create(*compiled, {.tokenization = Tokenization::kCanonical, .context = {}});
  if (!matcher) return {to_diagnostic(matcher.error())};
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  if (matcher->fill_next_token_bitmask(bitmask) != Step::kOk) throw_on_limit(*matcher);
  const bool has_token = std::any_of(bitmask.begin(), bitmask.end(), [](std::uint32_t word) { return word != 0; });
  if (has_token || matcher->is_completed()) return {};
  Error error;
  error.code = ErrorCode::kUnsatisfiable;
  error.message = "the tokenizer gives back no text of the grammar, so with --canonical no token may come";
  return {to_diagnostic(error)};
}

// Returns the input that a file holds. Throws InputError if neither an option nor the file's name says the language.
GrammarText input_of(const std::string& path, std::string text, const Options& options) {
  GrammarText input = options.input;
  input.text = std::move(text);
  if (options.has_language) {
    // The option has set it.
  } else if (const auto syntax = syntax_of_file(path)) {
    input.text_options.syntax = *syntax;
  } else if (path.ends_with(".json")) {
    input.language = InputLanguage::kSchema;
  } else if (path.ends_with(".regex")) {
    input.language = InputLanguage::kRegex;
  } else {
    throw InputError(
        fmt::format("the name of `{}` does not say its language: --syntax, --schema or --regex does", escape(path)));
  }
  // Neither a byte order mark nor the last line end of a file is part of the pattern.
  if (input.language == InputLanguage::kRegex) {
    input.text = without_byte_order_mark(input.text);
    if (input.text.ends_with('\n')) input.text.pop_back();
  }
  return input;
}

std::vector<Diagnostic> findings_of(const GrammarText& input, const JsonSchemaOptions& schema, const Limits& limits) {
  switch (input.language) {
    case InputLanguage::kSchema: return check_schema(input.text, schema, limits);
    case InputLanguage::kStructuralTag: return check_structural_tag(input.text, {.json_schema = schema}, limits);
    case InputLanguage::kResponseFormat: return check_response_format(input.text, {.json_schema = schema}, limits);
    case InputLanguage::kRegex: return check_regex(input.text, input.regex_options, limits);
    default: break;
  }
  GrammarTextOptions options = input.text_options;
  if (options.syntax == GrammarSyntax::kLark) options.json_schema = schema;
  return check_and_compile(input.text, options, limits);
}

// What is the same for all files.
struct Settings {
  Limits limits;
  JsonSchemaOptions schema;
  std::optional<TokenizerInfo> tokenizer;  // with --canonical: the one to check for
};

// Refuses options that say nothing about files in the language that an option names.
void refuse_unused(const Options& options) {
  if (!options.has_language) return;
  const auto refuse = [](const auto& unused, const char* whom) {
    for (const CLI::Option* option : unused) {
      if (option->count() != 0) throw InputError(fmt::format("{} is for {}", option->get_name(), whom));
    }
  };
  if (options.input.language != InputLanguage::kGrammar) refuse(options.of_grammars, "--syntax");
  if (options.input.language != InputLanguage::kRegex) refuse(options.of_regexes, "--regex");
  if (!has_schemas(options.input)) refuse(options.schema_input.group->get_options(), "JSON Schemas");
}

Settings settings_of(const Options& options) {
  refuse_unused(options);
  if (!options.canonical && !options.tokenizer.path.empty()) throw InputError("--tokenizer is for --canonical");
  Settings settings{read_limits(options.limits), schema_options(options.schema_input), std::nullopt};
  if (options.canonical) settings.tokenizer = load_tokenizer(options.tokenizer);
  return settings;
}

std::vector<Diagnostic> check_input(const GrammarText& input, const Settings& settings) {
  std::vector<Diagnostic> findings = findings_of(input, settings.schema, settings.limits);
  const auto is_error = [](const Diagnostic& finding) { return finding.severity == Severity::kError; };
  if (!settings.tokenizer || std::any_of(findings.begin(), findings.end(), is_error)) return findings;
  const Result<Grammar> grammar =
      read_grammar(input, settings.schema, settings.limits, special_token_names(*settings.tokenizer));
  const std::vector<Diagnostic> more = grammar ? check_canonical(*grammar, *settings.tokenizer, settings.limits)
                                               : std::vector<Diagnostic>{to_diagnostic(grammar.error())};
  findings.insert(findings.end(), more.begin(), more.end());
  return findings;
}

// Returns the file with its findings, in the words of the command.
CheckedFile check_file(const std::string& path, const Options& options, const Settings& settings) {
  CheckedFile file{path == "-" ? "<stdin>" : path, read_file(path), {}};
  const GrammarText input = input_of(path, file.text, options);
  file.findings = check_input(input, settings);
  if (input.language == InputLanguage::kRegex) file.text = input.text;
  for (Diagnostic& finding : file.findings) use_command_words(finding);
  return file;
}

Json range_json(SourceRange where, std::string_view text) {
  const LineColumn from = line_column(text, where.start), to = line_column(text, where.end);
  return {{"start", where.start},  {"end", where.end},    {"line", from.line},
          {"column", from.column}, {"end_line", to.line}, {"end_column", to.column}};
}

Json finding_json(const CheckedFile& file, const Diagnostic& finding) {
  const std::string& text = finding.text != nullptr ? *finding.text : file.text;
  Json out = {{"file", file.name},
              {"severity", to_string(finding.severity)},
              {"code", finding.code},
              {"message", finding.message}};
  out.update(range_json(finding.where, text));
  if (!finding.hint.empty()) out["hint"] = finding.hint;
  if (!finding.limit.empty()) out["limit"] = finding.limit;
  if (!finding.pointer.empty()) out["pointer"] = finding.pointer;
  for (const ErrorNote& note : finding.notes) {
    Json shown = {{"message", note.message}};
    if (note.where.end != note.where.start) shown.update(range_json(note.where, text));
    if (!note.location.empty()) shown["location"] = note.location;
    out["notes"].push_back(std::move(shown));
  }
  if (finding.fix) {
    out["fix"] = range_json(finding.fix->where, text);
    out["fix"]["replacement"] = finding.fix->replacement;
  }
  if (finding.text != nullptr) out["text"] = text;
  return out;
}

void print(const CheckedFile& file, const Options& options) {
  const RenderOptions how{.colors = !colors_for(stdout).reset.empty()};
  for (const Diagnostic& finding : file.findings) {
    if (options.format == Format::kJson) {
      fmt::print("{}\n", json_text(finding_json(file, finding)));
    } else {
      fmt::print("{}", render(finding, file.text, file.name, how));
    }
  }
}

// The files so far. In SARIF they are printed at the end, in one log.
struct Report {
  std::vector<CheckedFile> files;
  std::vector<CheckFailure> failures;
  int exit_code = kOk;  // the greatest of the files' codes: a file that cannot be checked outweighs findings
};

void add_failure(const InputError& error, const std::string& name, const Options& options, Report& report) {
  report.exit_code = kInputError;
  if (options.format == Format::kSarif) {
    report.failures.push_back({name, error.what()});
  } else {
    report_file_failure(error, name, options.format == Format::kJson);
  }
}

void check_files(const Options& options, const Settings& settings, Report& report) {
  for (const std::string& path : options.files) {
    try {
      CheckedFile file = check_file(path, options, settings);
      for (const Diagnostic& finding : file.findings) {
        const bool counts = finding.severity == Severity::kError || options.werror;
        if (counts) report.exit_code = std::max<int>(report.exit_code, kRefused);
      }
      if (options.format != Format::kSarif) print(file, options);
      if (options.format == Format::kSarif) report.files.push_back(std::move(file));
    } catch (const InputError& error) {
      add_failure(error, path == "-" ? "<stdin>" : path, options, report);
    }
  }
}

int run(const Options& options) {
  Report report;
  if (options.format != Format::kSarif) {
    check_files(options, settings_of(options), report);
    return report.exit_code;
  }
  try {
    check_files(options, settings_of(options), report);
  } catch (const InputError& error) {
    add_failure(error, "", options, report);
  }
  fmt::print("{}\n", json_text(sarif_log(report.files, report.failures), 2));
  return report.exit_code;
}

constexpr const char* kFooter = R"(
The name of a file says its language: .ebnf, .gbnf, .kbnf, .lark, .xgrammar; .json is a JSON Schema, .regex one pattern.
docs/diagnostics.md lists the codes of findings.
With --canonical it is an error, too, if the tokenizer cannot be followed (docs/canonical.md), or if it writes none of
the grammar's texts, or none within the grammar's bounds on tokens.
--format=json: one line for each finding: {"file", "severity", "code", "message", "start", "end" (bytes), "line", "column",
"end_line", "end_column"} and, where there are any, "hint", "limit", "pointer", "notes", "fix": {"replacement", ...},
"text": the list of tools that a structural tag was made of, if the places are in that.
A file that cannot be read or whose language is not known is {"file", "error"}, and the others follow.
--format=sarif: one SARIF 2.1.0 log of all files; one that cannot be checked is a notification in "invocations".
Exit status: 0 no errors (with --werror, no findings); 1 some; 2 no answer, be it for one file.
Example: weir check examples/json.ebnf examples/expression.ebnf)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      root.add_subcommand("check", "Find all errors and warnings of grammars, patterns, schemas and structural tags");
  app->footer(kFooter);
  app->add_option("FILE", options->files, "What to check; - is standard input")->required();
  CLI::Option_group* language = app->add_option_group("Language");
  const auto set_language = [options](InputLanguage means) {
    options->input.language = means;
    options->has_language = true;
  };
  add_word(*language, "--syntax", options->input.text_options.syntax, words_of<GrammarSyntax>(),
           "The files are grammars in this language: " + listed(words_of<GrammarSyntax>()))
      ->each([set_language](const std::string&) { set_language(InputLanguage::kGrammar); });
  const auto add_language = [&](const char* flag, InputLanguage means, const char* help) {
    language->add_flag_callback(
        flag, [set_language, means] { set_language(means); }, help);
  };
  add_language("--schema", InputLanguage::kSchema, "The files are JSON Schemas");
  add_language("--regex", InputLanguage::kRegex, "The files are regular expressions, one a file");
  add_language("--structural-tag", InputLanguage::kStructuralTag, "The files are structural tags");
  add_language("--response-format", InputLanguage::kResponseFormat, "The files are response_formats");
  language->require_option(0, 1);
  options->of_grammars = add_reading_options(*app, options->input.text_options);
  options->of_regexes = add_regex_options(*app, options->input.regex_options);
  add_limit_option(*app, options->limits);
  add_schema_options(*app, options->schema_input);
  add_word(*app, "--format", options->format,
           std::map<std::string, Format>{{"text", Format::kText}, {"json", Format::kJson}, {"sarif", Format::kSarif}},
           "text (default), json, sarif");
  app->add_flag("--canonical", options->canonical, "Check for matchers with --canonical, under the --tokenizer");
  add_tokenizer_option(*app, options->tokenizer);
  app->add_flag("--werror", options->werror, "Warnings count as errors for the exit status");
  return {app, [options] { return run(*options); }, [options] { return options->format != Format::kText; }};
}

}  // namespace weir::cli::check
