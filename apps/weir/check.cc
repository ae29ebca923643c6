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

// Returns an error if --canonical cannot be used: the tokenizer or the grammar does not support it, or encoding and
// decoding with the tokenizer changes every text of the grammar.
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
  // The last line end of a file is not part of the pattern.
  if (input.language == InputLanguage::kRegex && input.text.ends_with('\n')) input.text.pop_back();
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

// Returns the findings about a file. With --canonical, `tokenizer` is the one to check for; otherwise there is none.
std::vector<Diagnostic> check_file(const std::string& path, const std::string& text, const Options& options,
                                   const std::optional<TokenizerInfo>& tokenizer) {
  const Limits limits = read_limits(options.limits);
  const GrammarText input = input_of(path, text, options);
  const JsonSchemaOptions of_schema = schema_options(options.schema_input);
  std::vector<Diagnostic> findings = findings_of(input, of_schema, limits);
  const auto is_error = [](const Diagnostic& finding) { return finding.severity == Severity::kError; };
  if (!tokenizer || std::any_of(findings.begin(), findings.end(), is_error)) return findings;
  const Result<Grammar> grammar = read_grammar(input, of_schema, limits, special_token_names(*tokenizer));
  const std::vector<Diagnostic> more =
      grammar ? check_canonical(*grammar, *tokenizer, limits) : std::vector<Diagnostic>{to_diagnostic(grammar.error())};
  findings.insert(findings.end(), more.begin(), more.end());
  return findings;
}

Json range_json(SourceRange where, std::string_view text) {
  const LineColumn from = line_column(text, where.start), to = line_column(text, where.end);
  return {{"start", where.start},  {"end", where.end},    {"line", from.line},
          {"column", from.column}, {"end_line", to.line}, {"end_column", to.column}};
}

Json finding_json(const CheckedFile& file, const Diagnostic& finding) {
  Json out = {{"file", file.name},
              {"severity", to_string(finding.severity)},
              {"code", finding.code},
              {"message", finding.message}};
  out.update(range_json(finding.where, file.text));
  if (!finding.hint.empty()) out["hint"] = finding.hint;
  if (!finding.limit.empty()) out["limit"] = finding.limit;
  if (!finding.pointer.empty()) out["pointer"] = finding.pointer;
  for (const ErrorNote& note : finding.notes) {
    Json shown = {{"message", note.message}};
    if (note.where.end != note.where.start) shown.update(range_json(note.where, file.text));
    if (!note.location.empty()) shown["location"] = note.location;
    out["notes"].push_back(std::move(shown));
  }
  if (finding.fix) {
    out["fix"] = range_json(finding.fix->where, file.text);
    out["fix"]["replacement"] = finding.fix->replacement;
  }
  return out;
}

void print(const CheckedFile& file, const Options& options) {
  const RenderOptions how{.colors = !colors_for(stdout).reset.empty()};
  for (const Diagnostic& finding : file.findings) {
    if (options.format == Format::kJson) {
      fmt::print("{}\n", json_text(finding_json(file, finding)));
    } else {
      Diagnostic shown = finding;
      shown.message = with_command_options(finding.message);
      shown.hint = with_command_options(finding.hint);
      fmt::print("{}", render(shown, file.text, file.name, how));
    }
  }
}

int run(const Options& options) {
  int exit_code = kOk;
  std::vector<CheckedFile> files;
  if (!options.canonical && !options.tokenizer.path.empty()) throw InputError("--tokenizer is for --canonical");
  std::optional<TokenizerInfo> tokenizer;
  if (options.canonical) tokenizer = load_tokenizer(options.tokenizer);
  for (const std::string& path : options.files) {
    CheckedFile file{path == "-" ? "<stdin>" : path, read_file(path), {}};
    file.findings = check_file(path, file.text, options, tokenizer);
    for (const Diagnostic& finding : file.findings) {
      if (finding.severity == Severity::kError || options.werror) exit_code = kRefused;
    }
    if (options.format != Format::kSarif) print(file, options);
    if (options.format == Format::kSarif) files.push_back(std::move(file));
  }
  if (options.format == Format::kSarif) {
    fmt::print("{}\n", json_text(sarif_log(files), 2));
  }
  return exit_code;
}

constexpr const char* kFooter = R"(
The name of a file says its language: .ebnf, .gbnf, .kbnf, .lark, .xgrammar; .json is a JSON Schema, .regex one pattern.
docs/diagnostics.md lists the codes of findings.
With --canonical it is an error, too, if the tokenizer cannot be followed (docs/canonical.md), the grammar has bounds in
tokens, or the tokenizer gives back none of its texts.
--format=json: one line for each finding: {"file", "severity", "code", "message", "start", "end" (bytes), "line", "column",
"end_line", "end_column"} and, where there are any, "hint", "limit", "pointer", "notes", "fix": {"replacement", ...}.
--format=sarif: one SARIF 2.1.0 log of all files.
Exit status: 0 no errors (with --werror, no findings); 1 some; 2 no answer.)";

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
  add_word(*language, "--syntax", options->input.text_options.syntax, grammar_syntaxes(),
           "The files are grammars in this language: " + listed(grammar_syntaxes()))
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
  add_reading_options(*app, options->input.text_options);
  add_word(*app, "--regex-dialect", options->input.regex_options.dialect, regex_dialects(),
           listed(regex_dialects()) + " (default: weir)");
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
