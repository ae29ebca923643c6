// `weir index`: writes a regular language as an automaton over tokens. docs/token_index.md describes the formats.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/open_file.h"
#include "canonical/canonical_automaton.h"
#include "canonical/canonical_filter.h"
#include "commands.h"
#include "inputs.h"
#include "option_checks.h"
#include "text.h"
#include "token_languages/token_index.h"
#include "weir/convert.h"
#include "weir/token_dfa.h"
#include "words.h"

namespace weir::cli::index {

namespace {

using token_languages::TokenIndex;

enum class Format : std::uint8_t { kJson, kCompact };

struct Options {
  GrammarInput grammar;
  TokenizerInput tokenizer;
  Format format = Format::kJson;
  std::uint32_t max_states = 0;  // the limit token_dfa_states; 0: its default
  std::string output;
  bool canonical = false;
  bool json = false;
};

// Writes to a file, or to standard output if `path` is empty, a megabyte at a time, because memory may not hold an
// index and its whole text.
class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path) {
    if (path.empty()) return;
    file_ = open_file(path, "wb");
    if (file_ == nullptr) throw InputError(fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
  }
  ~Writer() {
    if (!path_.empty() && file_ != nullptr) std::fclose(file_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (1U << 20)) flush();
  }
  /// Writes a comma, except before the first member. Sets `is_first` to false.
  void separate(bool& is_first) {
    if (!is_first) buffer_ += ',';
    is_first = false;
  }
  void write(std::uint64_t number) { fmt::format_to(std::back_inserter(buffer_), "{}", number); }
  void close() {
    flush();
    if (path_.empty()) return;
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }

 private:
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) fail();
    buffer_.clear();
  }
  [[noreturn]] void fail() const {
    throw InputError(
        fmt::format("cannot write `{}`: {}", path_.empty() ? "standard output" : path_, std::strerror(errno)));
  }

  std::string path_;
  std::FILE* file_ = stdout;
  std::string buffer_;
};

void write_numbers(Writer& out, std::span<const std::uint32_t> numbers) {
  bool is_first = true;
  out.write("[");
  for (const std::uint32_t number : numbers) {
    out.separate(is_first);
    out.write(number);
  }
  out.write("]");
}

// Writes the members that both formats begin with.
void write_head(Writer& out, const TokenIndex& index, const TokenizerInfo& tokenizer) {
  const auto stop = tokenizer.stop_token_ids();
  out.write("\"initial_state\":0,\"final_states\":");
  std::vector<std::uint32_t> accepting;
  for (std::uint32_t s = 0; s < index.state_count(); ++s) {
    if (index.accepts(DfaState{s})) accepting.push_back(s);
  }
  write_numbers(out, accepting);
  out.write(",\"eos_token_id\":");
  out.write(stop.empty() ? "null" : std::to_string(stop.front()));
  out.write(",\"stop_token_ids\":");
  write_numbers(out, stop);
  out.write(",\"vocab_size\":");
  out.write(tokenizer.vocab_size());
}

void write_json(Writer& out, const TokenIndex& index, const TokenizerInfo& tokenizer) {
  out.write("{");
  write_head(out, index, tokenizer);
  out.write(",\"transitions\":{");
  bool is_first_state = true;
  for (std::uint32_t s = 0; s < index.state_count(); ++s) {
    out.separate(is_first_state);
    out.write("\n\"");
    out.write(s);
    out.write("\":{");
    bool is_first = true;
    const auto write = [&](std::uint32_t token, std::uint32_t target) {
      out.separate(is_first);
      out.write("\"");
      out.write(token);
      out.write("\":");
      out.write(target);
    };
    for (const TokenIndex::Way& way : index.ways(DfaState{s})) {
      for (const std::uint32_t token : index.tokens(way.set)) write(token, static_cast<std::uint32_t>(way.target));
    }
    if (index.accepts(DfaState{s})) {
      for (const std::uint32_t token : tokenizer.stop_token_ids()) write(token, s);
    }
    out.write("}");
  }
  out.write("}}\n");
}

void write_compact(Writer& out, const TokenIndex& index, const TokenizerInfo& tokenizer) {
  out.write("{\"format\":\"weir-token-index\",\"version\":1,");
  write_head(out, index, tokenizer);
  out.write(",\"token_sets\":[");
  bool is_first_set = true;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t set = 0; set < index.set_count(); ++set) {
    numbers.clear();
    for (const std::uint32_t token : index.tokens(set)) {
      if (!numbers.empty() && numbers.back() + 1 == token) {
        numbers.back() = token;
      } else {
        numbers.insert(numbers.end(), 2, token);
      }
    }
    out.separate(is_first_set);
    out.write("\n");
    write_numbers(out, numbers);
  }
  out.write("],\"transitions\":[");
  bool is_first_state = true;
  for (std::uint32_t s = 0; s < index.state_count(); ++s) {
    numbers.clear();
    for (const TokenIndex::Way& way : index.ways(DfaState{s})) {
      numbers.push_back(way.set);
      numbers.push_back(static_cast<std::uint32_t>(way.target));
    }
    out.separate(is_first_state);
    out.write("\n");
    write_numbers(out, numbers);
  }
  out.write("]}\n");
}

ByteDfa language_of(const GrammarSource& source, const GrammarInput& input, const Limits& limits) {
  // A pattern that is in weir's own dialect already needs no conversion.
  std::string pattern = source.text;
  if (input.source.language != InputLanguage::kRegex || input.source.regex_options != RegexOptions{}) {
    Result<std::string> converted = convert_to_regex(source.grammar);
    if (!converted) throw grammar_error(converted.error(), source);
    pattern = *std::move(converted);
  }
  Result<ByteDfa> language = byte_dfa(pattern, limits);
  if (!language) {
    Error error = language.error();
    if (pattern != source.text) error.where = {};  // a range of the converted pattern, which the user did not write
    throw grammar_error(error, source);
  }
  return *std::move(language);
}

int run(const Options& options) {
  const GrammarSource source = load_grammar(options.grammar);
  print_warnings(source.grammar.warnings(), source);
  Limits limits = source.limits;
  if (options.max_states != 0) limits.token_dfa_states = options.max_states;
  const ByteDfa language = language_of(source, options.grammar, limits);
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  std::optional<canonical::CanonicalFilter> filter;
  if (options.canonical) {
    const auto automaton = canonical::CanonicalAutomaton::of(tokenizer.vocabulary());
    if (!automaton) throw InputError("--canonical: " + automaton.error().message, automaton.error());
    filter.emplace(**automaton, tokenizer.vocabulary());
  }
  const Result<TokenIndex> index =
      TokenIndex::build(language, tokenizer.vocabulary(), filter ? &*filter : nullptr, limits);
  if (!index) throw grammar_error(index.error(), source);
  Writer out(options.output);
  (options.format == Format::kJson ? write_json : write_compact)(out, *index, tokenizer);
  out.close();
  if (options.output.empty()) return kOk;
  if (options.json) {
    const Json summary{{"file", options.output},
                       {"states", index->state_count()},
                       {"transitions", index->transition_count()},
                       {"token_sets", index->set_count()}};
    fmt::print("{}\n", json_text(summary));
  } else {
    fmt::print("{}: {} states, {} transitions by token, {} sets of tokens\n", options.output, index->state_count(),
               index->transition_count(), index->set_count());
  }
  return kOk;
}

constexpr const char* kFooter = R"(
Any grammar that is one regular expression (`weir convert --to regex`) has an index. docs/token_index.md has the formats.
With --output, a summary is written to standard output.
JSON, of the summary: {"file", "states", "transitions", "token_sets"}.
Exit status: 0 done; 2 no answer.
Example: weir index --regex '[0-9]{4}-[0-9]{2}' --format compact)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("index", "Write a regular language as an automaton over tokens");
  app->footer(kFooter);
  add_grammar_options(*app, options->grammar);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_flag("--canonical", options->canonical, "Only the token sequences that the tokenizer itself writes");
  require_positive(
      app->add_option("--max-states", options->max_states, "The limit token_dfa_states: more states are an error")
          ->type_name("N"));
  add_word(*app, "--format", options->format, {{"json", Format::kJson}, {"compact", Format::kCompact}},
           "json: state, token, state, as outlines-core's Index; compact: sets of tokens (default: json)");
  app->add_option("-o,--output", options->output, "Write here and not to standard output")->type_name("FILE");
  app->add_flag("--json", options->json, "JSON instead of text: the summary, errors");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::index
