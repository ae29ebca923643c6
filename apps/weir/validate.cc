// `weir validate`: checks if texts are in the grammar's language; if not, shows where they leave it and what was
// expected there.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "canonical_option.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "limit_option.h"
#include "special_tokens.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli::validate {

namespace {

struct Options {
  GrammarInput grammar;
  TokenizerInput tokenizer;
  CanonicalInput canonical;
  std::vector<std::string> files;
  bool strip_final_newline = false;
  bool special_tokens = false;
  bool captures = false;
  bool json = false;
};

enum class Verdict : std::uint8_t { kAccepted, kRefused, kIncomplete };

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccepted: return "accepted";
    case Verdict::kRefused: return "refused";
    case Verdict::kIncomplete: return "incomplete";
  }
  return "";
}

struct Finding {
  Verdict verdict = Verdict::kAccepted;
  std::string text = {};   // the accepted text without special tokens; offsets of captures refer to it
  std::size_t offset = 0;  // of the first byte that is refused, or token if there is a `reason`; else the text's size
  std::string reason;      // why --canonical refuses a text that the grammar accepts
  Expectation expected;
  std::optional<std::string> completion;  // of an incomplete text
  std::string no_completion;              // why there is none, if a limit was exceeded
  std::vector<Capture> captures;          // of the accepted prefix of the text
  std::string no_captures;                // why there are none, if a limit was exceeded
};

// Returns a shortest completion, in which tokens are written by name; nullopt if a limit was met or there is
// no end.
std::optional<std::string> completion_text(GrammarMatcher& matcher) {
  const std::optional<std::vector<CompletionPart>> parts = matcher.shortest_completion_parts();
  if (!parts) return std::nullopt;
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  std::string out;
  for (const CompletionPart& part : *parts) out += part.token ? std::string(info.token_name(*part.token)) : part.text;
  return out;
}

// Changes the verdict of an accepted text to kRefused if a canonical matcher does not allow the tokens that the
// tokenizer writes for it.
void examine_tokens(const GrammarMatcher& matcher, std::string_view text, const std::string& name,
                    const Options& options, Finding& finding) {
  const CompiledGrammar& compiled = matcher.compiled_grammar();
  const MatcherOptions how = matcher_options(options.canonical, compiled.tokenizer_info());
  GrammarMatcher canonical = make_matcher(compiled, how);
  std::optional<RefusedToken> refused =
      accept_written_tokens(canonical, how.context, text, options.special_tokens, name);
  if (!refused && canonical.is_completed()) return;
  if (!refused) refused = RefusedToken{text.size(), "the tokenizer does not give this text back"};
  finding.verdict = Verdict::kRefused;
  finding.offset = refused->offset;
  finding.reason = std::move(refused->reason);
  finding.expected = canonical.expected();
}

Finding examine(GrammarMatcher& matcher, std::string_view text, const std::string& name, const Options& options) {
  matcher.reset();
  Finding finding;
  finding.offset = accept_viable_prefix(matcher, text, options.special_tokens, name);
  if (finding.offset < text.size()) {
    finding.verdict = Verdict::kRefused;
  } else if (!matcher.is_completed()) {
    finding.verdict = Verdict::kIncomplete;
    finding.completion = options.special_tokens ? completion_text(matcher) : matcher.shortest_completion();
    if (!finding.completion) finding.no_completion = with_command_options(matcher.limit_message());
  }
  if (finding.verdict != Verdict::kAccepted) {
    finding.expected = matcher.expected();
  } else if (options.canonical.canonical) {
    examine_tokens(matcher, text, name, options, finding);
  }
  if (options.captures) {
    finding.captures = matcher.captures();
    finding.no_captures = with_command_options(matcher.limit_message());
    finding.text = matcher.text();
  }
  return finding;
}

// Returns "unexpected `}`". If the character's first bytes are accepted and a later one is refused, adds which one.
std::string describe_unexpected(std::string_view text, SourceRange character, std::size_t offset) {
  std::string out =
      fmt::format("unexpected `{}`", escape(text.substr(character.start, character.end - character.start)));
  if (offset != character.start) {
    out += fmt::format(", at its byte {} (0x{:02X})", offset - character.start + 1,
                       static_cast<unsigned char>(text[offset]));
  }
  return out;
}

std::string hint_for(const Finding& finding, std::string_view text, const Options& options) {
  if (!finding.reason.empty()) return "";
  if (finding.verdict == Verdict::kIncomplete) {
    if (finding.completion) return fmt::format("a short completion is `{}`", escape(*finding.completion));
    return finding.no_completion.empty() ? "" : "no completion was found: " + finding.no_completion;
  }
  const bool final_newline = finding.offset + 1 == text.size() && text.back() == '\n';
  if (final_newline && finding.expected.end && !options.strip_final_newline) {
    return "only the file's last line end is refused; --strip-final-newline ignores it";
  }
  return "";
}

void print_captures(const Finding& finding) {
  for (const Capture& capture : finding.captures) {
    fmt::print("  {} {}-{}: `{}`{}\n", capture.name, capture.begin, capture.end,
               escape(std::string_view(finding.text).substr(capture.begin, capture.end - capture.begin)),
               capture.complete ? "" : ", not complete");
  }
  if (!finding.no_captures.empty()) fmt::print("  no captures: {}\n", finding.no_captures);
}

Json captures_json(const Finding& finding) {
  Json out = Json::array();
  for (const Capture& capture : finding.captures) {
    const std::string_view text = std::string_view(finding.text).substr(capture.begin, capture.end - capture.begin);
    out.push_back({{"name", capture.name},
                   {"begin", capture.begin},
                   {"end", capture.end},
                   {"text", text_or_null(text)},
                   {"complete", capture.complete}});
  }
  return out;
}

void print_finding(const Finding& finding, const std::string& name, const std::string& text, const Options& options) {
  const Colors colors = colors_for(stdout);
  if (finding.verdict == Verdict::kAccepted) {
    fmt::print("{}: {}accepted{}\n", name, colors.green, colors.reset);
    return;
  }
  Error error;
  error.where = character_at(text, finding.offset);
  error.message = !finding.reason.empty()                ? finding.reason
                  : finding.verdict == Verdict::kRefused ? describe_unexpected(text, error.where, finding.offset)
                                                         : "the text ends too early";
  error.hint = hint_for(finding, text, options);
  // The library renders `name:line:column: error: message`; the verdict replaces "error".
  std::string rendered = render(error, text, name);
  const std::string label = fmt::format("{}{}{}: ", colors.red, to_string(finding.verdict), colors.reset);
  if (const std::size_t at = rendered.find("error: ", name.size()); at != std::string::npos) {
    rendered.replace(at, 7, label);
  }
  fmt::print("{}  expected: {}\n", rendered, describe_expectation(finding.expected));
}

void print_finding_json(const Finding& finding, const std::string& name, const std::string& text,
                        const Options& options) {
  Json out;
  out["file"] = name;
  out["verdict"] = to_string(finding.verdict);
  out["bytes"] = text.size();
  if (finding.verdict != Verdict::kAccepted) {
    const LineColumn at = line_column(text, character_at(text, finding.offset).start);
    out["offset"] = finding.offset;
    out["line"] = at.line;
    out["column"] = at.column;
    out["expected"] = expectation_json(finding.expected);
  }
  if (!finding.reason.empty()) out["reason"] = finding.reason;
  if (finding.verdict == Verdict::kIncomplete) {
    out["completion"] = finding.completion ? text_or_null(*finding.completion) : Json(nullptr);
    if (!finding.no_completion.empty()) out["completion_limit"] = finding.no_completion;
  }
  if (options.captures) {
    out["captures"] = captures_json(finding);
    if (!finding.no_captures.empty()) out["captures_limit"] = finding.no_captures;
  }
  fmt::print("{}\n", json_text(out));
}

int validate(GrammarMatcher& matcher, const std::string& path, const Options& options) {
  const std::string name = path == "-" ? "<stdin>" : path;
  try {
    std::string text = read_file(path);
    if (options.strip_final_newline && text.ends_with('\n')) text.pop_back();
    const Finding finding = examine(matcher, text, name, options);
    if (options.json) {
      print_finding_json(finding, name, text, options);
    } else {
      print_finding(finding, name, text, options);
      print_captures(finding);
    }
    return finding.verdict == Verdict::kAccepted ? kOk : kRefused;
  } catch (const InputError& error) {
    report_file_failure(error, name, options.json);
    return kInputError;
  }
}

int run(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const CompiledGrammar compiled = compile(load_grammar(options.grammar, special_token_names(tokenizer)), tokenizer);
  GrammarMatcher matcher(compiled);
  if (options.canonical.canonical) make_matcher(compiled, matcher_options(options.canonical, tokenizer));
  Progress progress("validating", options.files.size());
  int exit_code = kOk;  // the greatest of the files' codes: an error outweighs a refusal
  std::uint64_t done = 0;
  const Interrupt interrupt;
  for (const std::string& path : options.files) {
    if (Interrupt::is_requested()) break;
    exit_code = std::max(exit_code, validate(matcher, path, options));
    progress.update(++done);
  }
  return exit_code;
}

constexpr const char* kFooter = R"(
A text is accepted; or refused, with the first byte after which no continuation exists and what was expected
there; or incomplete, with a short completion. Texts are taken byte for byte: a final line end counts unless
--strip-final-newline is given.
JSON: a line a text: {"file", "verdict", "bytes"} and, unless accepted, {"offset", "line", "column",
"expected": {"terminals", "bytes", "end"}}, and "completion" when incomplete, or null and "completion_limit" where a
limit was met; {"file", "error"} for a text that cannot be read or meets a limit, after which the others follow.
With --canonical a text of the language is refused, too, if the tokenizer does not give it back or would not write it
after the --context; JSON then has a "reason".
With --captures also "captures": [{"name", "begin", "end", "text", "complete"}], of what was read of the text.
Exit status: 0 all accepted; 1 some refused or incomplete; 2 no answer, be it for one text.
Example: weir validate --grammar examples/json.ebnf examples/documents/order.json)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("validate", "Check whether texts are in a grammar's language");
  app->footer(kFooter);
  // A file with a JSON document may have any layout.
  options->grammar.schema.options.whitespace = JsonSchemaOptions::Whitespace::kUnbounded;
  options->grammar.schema.options.leading_whitespace = true;
  options->grammar.schema.options.trailing_whitespace = true;
  add_grammar_options(*app, options->grammar);
  add_tokenizer_option(*app, options->tokenizer);
  add_canonical_options(*app, options->canonical);
  app->add_option("FILE", options->files, "Texts to check; - is standard input")->required();
  add_special_tokens_option(*app, options->special_tokens);
  app->add_flag("--strip-final-newline", options->strip_final_newline, "Ignore one line feed at the end of each text");
  app->add_flag("--captures", options->captures, "Show the captures: the parts that the grammar names");
  app->add_flag("--json", options->json, "One JSON object a line instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::validate
