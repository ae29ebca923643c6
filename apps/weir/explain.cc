// `weir explain`: where a text leaves a grammar's language, which terminals were expected there and their positions in
// the grammar, and which rules had begun but not ended.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "canonical_option.h"
#include "commands.h"
#include "engine/automaton/compiled.h"
#include "engine/matcher/cursor.h"
#include "explain_schema.h"
#include "explain_tag.h"
#include "inputs.h"
#include "limit_option.h"
#include "option_checks.h"
#include "special_tokens.h"
#include "text.h"
#include "weir/diagnostic.h"

namespace weir::cli::explain {

namespace {

struct Options {
  GrammarInput grammar;
  TokenizerInput tokenizer;
  CanonicalInput canonical;
  std::string text;
  std::string path;
  std::vector<std::uint32_t> tokens;
  bool json = false;
};

struct Finding {
  bool refused = false;
  std::size_t offset = 0;  // of the first byte that is refused; the text's size if none is
  bool complete = false;
  std::string reason;  // why a token, or --canonical, refuses; empty if the grammar refuses a text
  Expectation expected;
  std::vector<engine::PlaceInGrammar> terminals;
  std::vector<engine::PlaceInGrammar> rules;
  std::optional<SchemaFinding> by_schema;  // if the grammar is a JSON Schema
  std::vector<std::string> parts = {};     // of a structural tag: pointers of its parts, which are then the rules
};

void stop_on_limit(const engine::Cursor& cursor) {
  if (cursor.limit_message().empty()) return;
  throw InputError("limit exceeded: " + with_command_options(cursor.limit_message()));
}

// Accepts the longest prefix of the text that the grammar allows. Returns its length.
std::size_t accept_viable(engine::Cursor& cursor, std::string_view text) {
  const std::size_t viable = cursor.longest_viable_prefix(text);
  stop_on_limit(cursor);
  if (cursor.accept_bytes(text.substr(0, viable)) != Step::kOk) stop_on_limit(cursor);
  return viable;
}

// Adds what the grammar expects at the cursor: terminals with their positions, and the rules that have not ended.
void look_around(engine::Cursor& cursor, Finding& finding) {
  finding.expected = cursor.expected();
  finding.terminals = cursor.expected_terminals();
  finding.rules = cursor.open_rules();
}

// Checks a text of the language as --canonical requires. If it is refused, sets `finding` to the first refused token,
// or to the end of the text if all tokens are accepted but the output may not end.
void refuse_by_tokens(const CompiledGrammar& compiled, std::string_view text, const Options& options,
                      Finding& finding) {
  const MatcherOptions how = matcher_options(options.canonical, compiled.tokenizer_info());
  GrammarMatcher matcher = make_matcher(compiled, how);
  std::optional<RefusedToken> refused = accept_written_tokens(matcher, how.context, text, false, "<text>");
  if (!refused && matcher.is_completed()) return;
  if (!refused) refused = RefusedToken{text.size(), "the tokenizer does not give this text back"};
  finding.refused = true;
  finding.complete = false;
  finding.offset = refused->offset;
  finding.reason = std::move(refused->reason);
}

Finding examine(const CompiledGrammar& compiled, std::string_view text, const Options& options) {
  engine::Cursor cursor(compiled.impl(), {});
  Finding finding;
  finding.offset = accept_viable(cursor, text);
  finding.refused = finding.offset < text.size();
  finding.complete = !finding.refused && cursor.is_completed();
  if (finding.complete && options.canonical.canonical) {
    refuse_by_tokens(compiled, text, options, finding);
    cursor.reset();
    accept_viable(cursor, text.substr(0, finding.offset));
  }
  look_around(cursor, finding);
  return finding;
}

// Examines --tokens. Sets `text` to their text.
Finding examine_tokens(const CompiledGrammar& compiled, const Options& options, std::string& text) {
  const TokenizerInfo& info = compiled.tokenizer_info();
  const MatcherOptions how = matcher_options(options.canonical, info);
  GrammarMatcher matcher = make_matcher(compiled, how);
  engine::Cursor cursor(compiled.impl(), {.at_text_start = how.at_text_start});  // of the grammar alone
  Finding finding;
  text = info.decode(options.tokens);
  for (const std::uint32_t token : options.tokens) {
    const Step step = matcher.accept_token(token);
    if (step == Step::kOk) {
      if (cursor.accept_token(token) != Step::kOk) stop_on_limit(cursor);
      continue;
    }
    throw_on_limit(matcher);
    const TokenExplanation why = matcher.explain(token);
    const bool is_first = how.at_text_start && matcher.text().empty();
    const std::string_view bytes = is_first ? info.first_token_bytes(token) : info.token_bytes(token);
    finding.refused = true;
    finding.offset = matcher.text().size();
    if (why.bytes_matched < bytes.size()) finding.offset += accept_viable(cursor, bytes.substr(0, why.bytes_matched));
    finding.reason = fmt::format("token {} of {}, `{}` ({}), is refused: {}", matcher.step_count() + 1,
                                 options.tokens.size(), escape(bytes.empty() ? info.token_name(token) : bytes), token,
                                 step == Step::kTerminated ? "the output has ended" : why.reason);
    look_around(cursor, finding);
    return finding;
  }
  finding.offset = text.size();
  finding.complete = matcher.is_terminated() || matcher.is_completed();
  look_around(cursor, finding);
  return finding;
}

// Returns false for terminals of a schema, which have no position in its text.
bool has_place(const engine::PlaceInGrammar& place) { return place.where.end > place.where.start; }

std::string line_of(const engine::PlaceInGrammar& place, const GrammarSource& source) {
  if (!has_place(place)) return fmt::format("    {}\n", escape(place.name));
  const LineColumn at = line_column(source.text, place.where.start);
  return fmt::format("    {}:{}:{}: {}\n", escape(source.name), at.line, at.column, escape(place.name));
}

void print_text(const Finding& finding, const std::string& text, const std::string& name, const GrammarSource& source) {
  const char* verdict = finding.refused ? "refused" : finding.complete ? "accepted" : "incomplete";
  const SourceRange where = character_at(text, finding.offset);
  Diagnostic shown;
  shown.where = where;
  shown.message =
      !finding.reason.empty() ? finding.reason
      : finding.refused
          ? fmt::format("unexpected `{}`", escape(std::string_view(text).substr(where.start, where.end - where.start)))
      : finding.complete ? "the text may end here"
                         : "the text ends too early";
  const LineColumn at = line_column(text, where.start);
  std::string rendered = render(shown, text, name);
  const std::string head = fmt::format("{}:{}:{}: ", escape(name), at.line, at.column);
  rendered.replace(head.size(), std::string_view("error").size(), verdict);
  fmt::print("{}  expected: {}\n", rendered, describe_expectation(finding.expected));
  if (finding.by_schema) {
    fmt::print("{}", describe(*finding.by_schema, source));
    return;
  }
  if (!finding.terminals.empty()) fmt::print("  as the grammar has it:\n");
  for (const engine::PlaceInGrammar& place : finding.terminals) fmt::print("{}", line_of(place, source));
  if (!finding.rules.empty()) fmt::print("  within, from the inside out:\n");
  for (const engine::PlaceInGrammar& place : finding.rules) fmt::print("{}", line_of(place, source));
}

// Replaces the rules of a structural tag by the parts of the tag that they belong to, each once. What is known of the whole
// tag alone says nothing.
void name_parts(const TagParts& tag, Finding& finding) {
  const auto is_whole = [](const auto& name) { return name == "root"; };
  std::erase_if(finding.expected.terminals, is_whole);
  std::erase_if(finding.terminals, [&](const engine::PlaceInGrammar& terminal) { return is_whole(terminal.name); });
  std::vector<engine::PlaceInGrammar> parts;
  for (const engine::PlaceInGrammar& rule : finding.rules) {
    if (!has_place(rule)) continue;
    for (TagParts::Part& part : tag.at(rule.where)) {
      if (std::ranges::count(finding.parts, part.pointer) > 0) continue;
      parts.push_back({std::move(part.name), part.where});
      finding.parts.push_back(std::move(part.pointer));
    }
  }
  finding.rules = std::move(parts);
}

Json places_json(const std::vector<engine::PlaceInGrammar>& places, const GrammarSource& source) {
  Json out = Json::array();
  for (const engine::PlaceInGrammar& place : places) {
    Json one = {{"name", place.name}};
    if (has_place(place)) {
      const LineColumn at = line_column(source.text, place.where.start);
      one.update({{"start", place.where.start}, {"end", place.where.end}, {"line", at.line}, {"column", at.column}});
    }
    out.push_back(std::move(one));
  }
  return out;
}

void print_json(const Finding& finding, const std::string& text, const GrammarSource& source) {
  const LineColumn at = line_column(text, character_at(text, finding.offset).start);
  Json out = {{"verdict", finding.refused    ? "refused"
                          : finding.complete ? "accepted"
                                             : "incomplete"},
              {"offset", finding.offset},
              {"line", at.line},
              {"column", at.column},
              {"expected", expectation_json(finding.expected)},
              {"terminals", places_json(finding.terminals, source)},
              {"rules", places_json(finding.rules, source)}};
  for (std::size_t i = 0; i < finding.parts.size(); ++i) out["rules"][i]["pointer"] = finding.parts[i];
  if (!finding.reason.empty()) out["reason"] = finding.reason;
  if (finding.by_schema) out.update(schema_finding_json(*finding.by_schema, source));
  fmt::print("{}\n", json_text(out));
}

int run(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const GrammarSource source = load_grammar(options.grammar, special_token_names(tokenizer));
  const CompiledGrammar compiled = compile(source, tokenizer);
  for (const std::uint32_t token : options.tokens) {
    if (token < tokenizer.vocab_size()) continue;
    throw out_of_range(token, tokenizer);
  }
  std::string text = options.path.empty() ? options.text : read_file(options.path);
  Finding finding = options.tokens.empty() ? examine(compiled, text, options) : examine_tokens(compiled, options, text);
  if (source.schema && !finding.complete && finding.reason.empty()) {
    finding.by_schema = explain_by_schema(source, tokenizer, text, finding.offset);
  }
  const InputLanguage language = options.grammar.source.language;
  if (language == InputLanguage::kStructuralTag || language == InputLanguage::kResponseFormat) {
    name_parts(TagParts(source.text, source.limits), finding);
  }
  if (options.json) {
    print_json(finding, text, source);
  } else {
    const std::string name = !options.tokens.empty() ? "<tokens>"
                             : options.path.empty()  ? "<text>"
                             : options.path == "-"   ? "<stdin>"
                                                     : options.path;
    print_text(finding, text, name, source);
  }
  return finding.complete ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
Shows where a text leaves the language, or that it can be continued; the expected terminals, with their positions in the
grammar; and the rules that have begun but not ended. A rule at the end of another rule may be omitted from that list.
With --schema: which subschemas apply to the value at that position, and which of their keywords refuse the text.
With --structural-tag: in which tools, tags and formats the text is, in the place of rules.
--tokens takes tokens as a model wrote them. With --canonical they must be those that the tokenizer writes, and a text
must be one that it gives back. If --canonical or a token is the reason for a refusal, JSON has a "reason".
JSON: {"verdict", "offset", "line", "column", "expected": {"terminals", "bytes", "end"},
"terminals" and "rules": [{"name" and, of a grammar's text, "start", "end", "line", "column"}]}; of a --structural-tag
"rules" also have a "pointer", that of a tool into the list of tools, otherwise into the tag; of a --schema also
{"places": [{"pointer" (in the text), "schemas": [{"location", "start", ...}]}], "refused_by": [{"location", ...}]} and,
of a key that the object has already, "repeated_key": {"start", "end"}, the earlier one in the text.
Exit status: 0 the text is in the language; 1 it is not; 2 no answer.
Example: weir explain --regex '(yes|no), (thanks|sorry)' --text 'yes, thanks')";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      root.add_subcommand("explain", "Say where a text leaves a grammar's language, and within which rules");
  app->footer(kFooter);
  add_grammar_options(*app, options->grammar);
  add_tokenizer_option(*app, options->tokenizer);
  add_canonical_options(*app, options->canonical);
  CLI::Option_group* text = app->add_option_group("Text");
  text->add_option("--text", options->text, "The text")->type_name("TEXT");
  text->add_option("--file", options->path, "File with the text; - is standard input")->type_name("FILE");
  add_ids_option(*text, "--tokens", options->tokens, "Tokens, in place of a text");
  text->require_option(1);
  app->add_flag("--json", options->json, "JSON instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::explain
