// `weir tokenizer`: describes a tokenizer file; tokenizes and decodes texts.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "canonical/merge_forest.h"
#include "canonical/piece_automaton.h"
#include "canonical/row_statistics.h"
#include "canonical_option.h"
#include "commands.h"
#include "inputs.h"
#include "option_checks.h"
#include "terminal.h"
#include "text.h"
#include "vocab/token_trie.h"
#include "vocab/vocabulary.h"
#include "weir/tokenizer_info.h"

namespace weir::cli::tokenizer {

namespace {

struct Options {
  TokenizerInput tokenizer;
  std::string text;
  CLI::Option* text_option = nullptr;
  std::vector<std::uint32_t> ids;
  std::string prompt;
  CLI::Option* prompt_option = nullptr;
  bool rows = false;
  bool special = false;
  bool json = false;
};

struct Summary {
  std::array<std::uint32_t, 4> kinds{};  // number of tokens, by TokenKind
  std::uint64_t bytes = 0;               // in all text tokens
  std::uint32_t split_characters = 0;    // text tokens that are not valid UTF-8 by themselves
  double load_ms = 0;
};

// The facts about a tokenizer that concern canonical mode.
struct Canonical {
  std::string refusal;                     // Empty: it is supported.
  std::size_t written = 0, unwritten = 0;  // Text tokens that the tokenizer writes in some text, and the others.
  std::size_t merges = 0, hypotheses = 0, atoms = 0, bytes = 0;
  std::optional<std::size_t> look_ahead;
  std::optional<canonical::RowStatistics> rows;  // with --rows, where the tokenizer merges
  double build_ms = 0;
};

Canonical examine_canonical(const TokenizerInfo& info, std::size_t text_tokens, bool with_rows) {
  Canonical found;
  const auto start = std::chrono::steady_clock::now();
  const auto automaton = canonical::CanonicalAutomaton::of(info.vocabulary());
  found.build_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!automaton) {
    found.refusal = automaton.error().message;
    return found;
  }
  found.unwritten = (*automaton)->unwritten_tokens();
  found.written = text_tokens - found.unwritten;
  found.merges = (*automaton)->forest() == nullptr ? 0 : (*automaton)->forest()->merge_count();
  found.hypotheses = (*automaton)->pieces().hypothesis_count();
  found.atoms = (*automaton)->pieces().atom_count();
  found.look_ahead = (*automaton)->pieces().look_ahead();
  found.bytes = (*automaton)->memory_bytes();
  if (with_rows && (*automaton)->forest() != nullptr) found.rows = canonical::row_statistics(*(*automaton)->forest());
  return found;
}

Summary summarize(const TokenizerInfo& info, double load_ms) {
  Summary summary;
  summary.load_ms = load_ms;
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    ++summary.kinds[static_cast<std::size_t>(info.token_kind(id))];
    const std::string_view bytes = info.token_bytes(id);
    summary.bytes += bytes.size();
    if (!is_valid_utf8(bytes)) ++summary.split_characters;
  }
  return summary;
}

Json stop_tokens_json(const TokenizerInfo& info) {
  Json out = Json::array();
  for (const std::uint32_t id : info.stop_token_ids()) {
    out.push_back({{"id", id}, {"name", text_or_null(info.token_name(id))}});
  }
  return out;
}

Json canonical_json(const Canonical& canonical) {
  if (!canonical.refusal.empty()) return {{"supported", false}, {"reason", canonical.refusal}};
  Json out = {{"supported", true},
              {"written_tokens", canonical.written},
              {"unwritten_tokens", canonical.unwritten},
              {"merges", canonical.merges},
              {"hypotheses", canonical.hypotheses},
              {"character_classes", canonical.atoms},
              {"look_ahead", canonical.look_ahead ? Json(*canonical.look_ahead) : Json(nullptr)},
              {"bytes", canonical.bytes},
              {"build_ms", canonical.build_ms}};
  if (canonical.rows) {
    out["rows"] = {{"tokens", canonical.rows->tokens},  {"forbidden_pairs", canonical.rows->forbidden_pairs},
                   {"different", canonical.rows->rows}, {"intervals", canonical.rows->intervals},
                   {"bytes", canonical.rows->bytes},    {"mean", canonical.rows->mean()},
                   {"p50", canonical.rows->p50},        {"p99", canonical.rows->p99},
                   {"max", canonical.rows->max}};
  }
  return out;
}

void print_canonical(const Canonical& canonical) {
  if (!canonical.refusal.empty()) {
    fmt::print("  canonical mode: not supported; {}\n", canonical.refusal);
    return;
  }
  fmt::print("  canonical mode: supported; {} tokens are written in some text, {} in none; {} merges\n",
             canonical.written, canonical.unwritten, canonical.merges);
  fmt::print(
      "    hypotheses about pieces: {}; classes of characters: {}; characters after a boundary that it may depend "
      "on: {}\n",
      canonical.hypotheses, canonical.atoms,
      canonical.look_ahead ? std::to_string(*canonical.look_ahead) : "any number");
  fmt::print("    made in {:.1f} ms, {} bytes\n", canonical.build_ms, canonical.bytes);
  if (!canonical.rows) return;
  fmt::print("    rows: {} different ones of {} tokens, {} intervals, {} bytes\n", canonical.rows->rows,
             canonical.rows->tokens, canonical.rows->intervals, canonical.rows->bytes);
  fmt::print("    tokens that never follow a token in its piece: mean {:.0f}, p50 {}, p99 {}, max {}; {} pairs\n",
             canonical.rows->mean(), canonical.rows->p50, canonical.rows->p99, canonical.rows->max,
             canonical.rows->forbidden_pairs);
}

void print_summary_json(const TokenizerInfo& info, const Summary& summary, const Canonical& canonical,
                        const std::string& name) {
  const vocab::TokenTrie& trie = info.vocabulary().trie();
  const Json out = {
      {"file", name},
      {"kind", info.kind()},
      {"vocab_size", info.vocab_size()},
      {"tokens",
       {{"text", summary.kinds[0]},
        {"byte", summary.kinds[1]},
        {"special", summary.kinds[2]},
        {"unused", summary.kinds[3]}}},
      {"split_characters", summary.split_characters},
      {"token_bytes", summary.bytes},
      {"stop_tokens", stop_tokens_json(info)},
      {"drops_leading_space", info.drops_leading_space()},
      {"trie", {{"nodes", trie.nodes().size()}, {"bytes", trie.memory_bytes()}, {"max_depth", trie.max_depth()}}},
      {"load_ms", summary.load_ms},
      {"canonical", canonical_json(canonical)}};
  fmt::print("{}\n", json_text(out));
}

void print_summary(const TokenizerInfo& info, const Summary& summary, const Canonical& canonical,
                   const std::string& name) {
  const vocab::TokenTrie& trie = info.vocabulary().trie();
  fmt::print("{}: {}, {} tokens\n", name, info.kind(), info.vocab_size());
  fmt::print("  text {}, byte {}, special {}, unused {}\n", summary.kinds[0], summary.kinds[1], summary.kinds[2],
             summary.kinds[3]);
  fmt::print("  {} of them hold parts of characters; {} bytes of text in all\n", summary.split_characters,
             summary.bytes);
  fmt::print("  stop tokens:");
  for (const std::uint32_t id : info.stop_token_ids()) fmt::print(" {} ({})", escape(info.token_name(id)), id);
  fmt::print("{}\n", info.stop_token_ids().empty() ? " none" : "");
  fmt::print("  leading space of a text: {}\n", info.drops_leading_space() ? "dropped in decoding" : "kept");
  fmt::print("  trie: {} nodes, {} bytes, longest token {} bytes\n", trie.nodes().size(), trie.memory_bytes(),
             trie.max_depth());
  fmt::print("  loaded in {:.1f} ms\n", summary.load_ms);
  print_canonical(canonical);
}

int tokenize(const TokenizerInfo& info, const Options& options) {
  const Result<std::vector<std::uint32_t>> ids = info.tokenize(options.text);
  if (!ids) {
    throw InputError(fmt::format("cannot tokenize: {} (byte {})", ids.error().message, ids.error().where.start),
                     ids.error());
  }
  if (options.json) {
    Json pieces = Json::array();
    for (const std::uint32_t id : *ids) pieces.push_back(hex(info.token_bytes(id)));
    fmt::print("{}\n", Json{{"ids", *ids}, {"hex", pieces}}.dump());
    return kOk;
  }
  for (const std::uint32_t id : *ids) fmt::print("{:>7}  `{}`\n", id, escape(info.token_bytes(id)));
  return kOk;
}

int decode(const TokenizerInfo& info, const Options& options) {
  for (const std::uint32_t id : options.ids) {
    if (id >= info.vocab_size()) {
      throw out_of_range(id, info);
    }
  }
  const std::string text = info.decode(options.ids);
  if (options.json) {
    fmt::print("{}\n", Json{{"text", text_or_null(text)}, {"hex", hex(text)}}.dump());
  } else {
    fmt::print("{}\n", text);
  }
  return kOk;
}

// Names of special tokens in the prompt are those tokens.
int heal(const TokenizerInfo& info, const Options& options) {
  const std::vector<std::uint32_t> prompt =
      matcher_options({.canonical = true, .context = options.prompt}, info).context;
  const Result<TokenHealing> healing = info.heal(prompt);
  if (!healing) throw InputError("--heal: " + healing.error().message, healing.error());
  const std::vector<std::uint32_t> kept(prompt.begin(), prompt.end() - static_cast<std::ptrdiff_t>(healing->tokens));
  if (options.json) {
    fmt::print("{}\n", Json{{"kept", kept},
                            {"tokens", healing->tokens},
                            {"text", text_or_null(healing->bytes)},
                            {"hex", hex(healing->bytes)}}
                           .dump());
    return kOk;
  }
  if (healing->tokens == 0) {
    fmt::print("no text after the prompt changes its {} tokens\n", prompt.size());
    return kOk;
  }
  fmt::print("take back {} of {} tokens, and let the output begin with `{}`:\n", healing->tokens, prompt.size(),
             escape(healing->bytes));
  for (std::size_t i = kept.size(); i < prompt.size(); ++i) {
    fmt::print("{:>7}  `{}`\n", prompt[i], escape(info.token_bytes(prompt[i])));
  }
  return kOk;
}

int list_special(const TokenizerInfo& info, const Options& options) {
  Json out = Json::array();
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    if (info.token_kind(id) != TokenKind::kSpecial) continue;
    if (!options.json) fmt::print("{:>7}  {}\n", id, escape(info.token_name(id)));
    out.push_back({{"id", id}, {"name", text_or_null(info.token_name(id))}});
  }
  if (options.json) fmt::print("{}\n", out.dump());
  return kOk;
}

int run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const TokenizerInfo info = load_tokenizer(options.tokenizer);
  const double load_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (options.text_option->count() != 0) return tokenize(info, options);
  if (!options.ids.empty()) return decode(info, options);
  if (options.prompt_option->count() != 0) return heal(info, options);
  if (options.special) return list_special(info, options);
  const std::string name = options.tokenizer.path.empty() ? "<builtin>" : options.tokenizer.path;
  const Summary summary = summarize(info, load_ms);
  const Canonical canonical = examine_canonical(info, summary.kinds[0] + summary.kinds[1], options.rows);
  if (options.json) {
    print_summary_json(info, summary, canonical, name);
  } else {
    print_summary(info, summary, canonical, name);
  }
  return kOk;
}

constexpr const char* kFooter = R"(
JSON: {"file", "kind", "vocab_size", "tokens": {"text", "byte", "special", "unused"}, "split_characters",
"token_bytes", "stop_tokens": [{"id", "name"}], "drops_leading_space", "trie": {"nodes", "bytes", "max_depth"},
"load_ms", "canonical": {"supported", "written_tokens", "unwritten_tokens", "merges", "hypotheses", "character_classes",
"look_ahead" (null: any number), "bytes", "build_ms", with --rows and merges "rows": {"tokens", "forbidden_pairs",
"different", "intervals", "bytes", "mean", "p50", "p99", "max"}} or {"supported", "reason"}}; with --tokenize
{"ids", "hex": [a string a token]}; with --decode {"text", "hex"}; with --heal {"kept": [ids], "tokens", "text", "hex"};
with --special [{"id", "name"}].
Exit status: 0 done; 2 no answer.
Example: weir tokenizer --tokenize 'Hello, world')";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("tokenizer", "Describe a tokenizer; tokenize and decode with it");
  app->footer(kFooter);
  CLI::Option* file = app->add_option("FILE", options->tokenizer.path, "Tokenizer file (default: the embedded one)");
  app->add_option("--tokenizer", options->tokenizer.path, "The same, as other commands spell it")
      ->type_name("FILE")
      ->excludes(file);
  options->text_option =
      app->add_option("--tokenize", options->text, "Print this text's canonical tokens")->type_name("TEXT");
  CLI::Option* decode =
      add_ids_option(*app, "--decode", options->ids, "Print the text of these tokens")->excludes(options->text_option);
  options->prompt_option =
      app->add_option(
             "--heal", options->prompt,
             "Print how many tokens at the end of this prompt further text could still change (docs/canonical.md)")
          ->type_name("TEXT")
          ->excludes(options->text_option, decode);
  CLI::Option* special =
      app->add_flag("--special", options->special, "List the special tokens, whose names token terminals (<name>) take")
          ->excludes(options->text_option, decode, options->prompt_option);
  app->add_flag("--rows", options->rows,
                "Also count the pairs of tokens that are never written side by side: up to a second")
      ->excludes(options->text_option, decode, options->prompt_option, special);
  app->add_flag("--json", options->json, "JSON instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::tokenizer
