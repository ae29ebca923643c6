// `weir bench canonical`: compares methods that find the token sequences of a tokenizer, as its merges grow.
//
// WHAT   Runs each method on the first n merges of a tokenizer; n doubles:
//          DirectMerge      the automaton for one language with all transitions written out (Algorithms 1 and 2);
//          CartesianMerge   the same automaton as a product (Algorithm 5), given the tokenizer's states;
//          Algorithm 3      the tokenizer's states for all languages, each with the set of tokens that it forbids;
//          intervals        the same states by MergeForest, which stores forbidden tokens as intervals of one order.
//        The last two must have the same forbidden pairs and the same states after fusion. For small n the first two
//        must accept the same sequences of tokens.
// REFERENCES  The paper that weir/token_dfa.h names.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "canonical/merge_forest.h"
#include "canonical/row_statistics.h"
#include "distribution.h"
#include "experiments.h"
#include "inputs.h"
#include "stopwatch.h"
#include "svg_chart.h"
#include "terminal.h"
#include "text.h"
#include "vocab/recipe.h"
#include "weir/token_dfa.h"

namespace weir::cli::bench_canonical {

namespace {

// Limit for the entries of Algorithm 3. The 100,000 merges of DeepSeek's tokenizer have 79 million, in 0.7 GB.
constexpr std::uint64_t kMostEntries = 100'000'000;

struct Options {
  TokenizerInput tokenizer;
  std::string regex = "[a-z]{1,8}";
  std::uint32_t least = 64;
  std::uint32_t most = 0;  // 0: all merges
  std::uint64_t max_transitions = 5'000'000;
  std::string svg_path;
  bool json = false;
};

// The result of one method, and the time that it took.
struct Made {
  double ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // Algorithm 3: entries; MergeForest: intervals.
};

struct Run {
  std::uint32_t merges = 0;
  std::optional<Made> direct;     // nullopt: a limit was reached
  std::optional<Made> cartesian;  // as above
  std::optional<Made> literal;    // as above
  std::uint32_t fused_states = 0;
  double fuse_ns = 0;
  Made intervals;
  std::uint64_t pairs = 0, pairs_by_intervals = 0;  // forbidden pairs of tokens
  std::uint32_t fused_by_intervals = 0;
  std::optional<bool> merged_alike;  // DirectMerge and CartesianMerge agree; nullopt: not compared
};

struct Model {
  std::vector<std::string_view> tokens;  // by id; empty if the model does not have the token
  MergeTable table;
};

Model model_of(const TokenizerInfo& tokenizer) {
  const auto refused = [](const std::string& why) { return InputError("the tokenizer " + why); };
  const vocab::Segmenter* segmenter = tokenizer.vocabulary().segmenter();
  if (segmenter == nullptr) throw refused("has no merges: it is a list of tokens");
  vocab::MergeRecipe recipe = segmenter->recipe().model;
  if (!recipe.other_model.empty()) throw refused("has no merges: it is " + recipe.other_model);
  if (recipe.unit != vocab::MergeRecipe::Unit::kByte)
    throw refused("merges characters; byte-level merges are measured");
  Model model;
  model.tokens.resize(tokenizer.vocab_size());
  for (const vocab::MergeRecipe::Token& token : recipe.tokens) model.tokens[token.id] = tokenizer.token_bytes(token.id);
  Result<MergeTable> table = merges_by_rank(model.tokens);
  if (!table) throw InputError(table.error().message, table.error());
  model.table = *std::move(table);
  if (recipe.rule == vocab::MergeRecipe::Rule::kPairs) {
    std::sort(recipe.pairs.begin(), recipe.pairs.end(), [](const auto& x, const auto& y) { return x.rank < y.rank; });
    model.table.merges.clear();
    for (const auto& pair : recipe.pairs) model.table.merges.push_back({pair.left, pair.right, pair.result});
  }
  return model;
}

// Returns true if there is a result, false if a limit was reached. Throws InputError for any other error.
template <typename T>
bool is_there(const Result<T>& made) {
  if (made) return true;
  if (made.error().code == ErrorCode::kLimitExceeded) return false;
  throw InputError(made.error().message, made.error());
}

void measure_languages(const Model& model, const MergeTable& table, const ByteDfa& language,
                       const TokenizerDfa& tokenizer, const Limits& limits, bool tries_direct, Run& run) {
  std::optional<TokenDfa> direct;
  if (tries_direct) {
    std::vector<std::string_view> units(model.tokens.size());
    for (const std::uint32_t unit : table.units) units[unit] = model.tokens[unit];
    const Result<TokenDfa> paths = token_paths(language, units, limits);
    if (!is_there(paths)) return;
    const Stopwatch watch;
    Result<TokenDfa> merged = direct_merge(*paths, table.merges, limits);
    const double ns = static_cast<double>(watch.elapsed_ns());
    if (is_there(merged)) {
      run.direct = {ns, merged->memory_bytes(), merged->state_count(), merged->transition_count()};
      direct = *std::move(merged);
    }
  }
  std::vector<std::string_view> tokens(model.tokens.size());  // the tokens that these merges make
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokenizer.is_made(id)) tokens[id] = model.tokens[id];
  }
  const Stopwatch watch;
  const Result<CartesianMerge> product = cartesian_merge(language, tokens, tokenizer, limits);
  const double ns = static_cast<double>(watch.elapsed_ns());
  if (!is_there(product)) return;
  run.cartesian = {ns, product->memory_bytes(), product->product_states(), product->language_transitions()};
  if (!direct || run.direct->transitions > 2'000'000) return;
  // Walks both automata at once. This compares them exactly: both are deterministic and have no dead ends.
  const Result<TokenDfa> written = product->written_out(limits);
  if (!is_there(written)) return;
  std::vector<std::pair<DfaState, DfaState>> open{{DfaState::kStart, DfaState::kStart}};
  base::WordInterner seen;
  run.merged_alike = true;
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    const auto left = direct->transitions(x), right = written->transitions(y);
    run.merged_alike = *run.merged_alike && left.size() == right.size() && direct->accepts(x) == written->accepts(y);
    if (!*run.merged_alike) return;
    for (std::size_t i = 0; i < left.size(); ++i) {
      run.merged_alike = *run.merged_alike && left[i].token == right[i].token;
      const std::uint32_t words[] = {static_cast<std::uint32_t>(left[i].target),
                                     static_cast<std::uint32_t>(right[i].target)};
      if (seen.intern(words).second) open.emplace_back(left[i].target, right[i].target);
    }
  }
}

void measure_intervals(const Model& model, const MergeTable& table, Run& run) {
  vocab::MergeRecipe recipe;
  const auto add_token = [&](std::uint32_t id) { recipe.tokens.push_back({model.tokens[id], id, 0, true}); };
  for (const std::uint32_t unit : table.units) add_token(unit);
  for (std::uint32_t rank = 0; rank < table.merges.size(); ++rank) {
    const auto [left, right, result] = table.merges[rank];
    add_token(result);
    recipe.pairs.push_back({left, right, rank, result});
  }
  const Stopwatch watch;
  const Result<canonical::MergeForest> forest =
      canonical::MergeForest::build(recipe, static_cast<std::uint32_t>(model.tokens.size()));
  if (!forest) throw InputError(forest.error().message, forest.error());
  // Counts one row for all tokens with the same successors, as fusion does for Algorithm 3.
  const canonical::RowStatistics rows = canonical::row_statistics(*forest);
  run.intervals = {static_cast<double>(watch.elapsed_ns()), rows.bytes, rows.rows, rows.intervals};
  run.fused_by_intervals = rows.rows;
  run.pairs_by_intervals = rows.forbidden_pairs;
}

Run measure(const Model& model, std::uint32_t merges, const ByteDfa& language, const Options& options,
            bool tries_direct) {
  Run run;
  run.merges = merges;
  MergeTable table{model.table.units, {}};
  table.merges.assign(model.table.merges.begin(), model.table.merges.begin() + merges);
  measure_intervals(model, table, run);
  Limits limits;
  limits.token_dfa_transitions = kMostEntries;
  const Stopwatch watch;
  const Result<TokenizerDfa> literal = build_tokenizer_dfa(table, limits);
  const double ns = static_cast<double>(watch.elapsed_ns());
  if (!is_there(literal)) return run;
  run.literal = {ns, literal->memory_bytes(), literal->state_count(), literal->entry_count()};
  run.pairs = literal->forbidden_pairs();
  const Stopwatch fusing;
  const TokenizerDfa fused = fuse_states(*literal);
  run.fuse_ns = static_cast<double>(fusing.elapsed_ns());
  run.fused_states = fused.state_count();
  limits.token_dfa_transitions = options.max_transitions;
  measure_languages(model, table, language, fused, limits, tries_direct, run);
  return run;
}

// Fusion may leave one state more than there are rows: Algorithm 3 keeps S0 even if no token leads to it.
bool is_exact(const Run& run) {
  const bool same_rows =
      !run.literal || (run.pairs == run.pairs_by_intervals && run.fused_states - run.fused_by_intervals <= 1);
  return same_rows && run.merged_alike.value_or(true);
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1'000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

void print_cells(const std::optional<Made>& made, bool has_states = true) {
  if (!made) {
    fmt::print(" | {:>9} {:>11} {:>8} {:>8}", "limit", "", "", "");
    return;
  }
  fmt::print(" | {:>9} {:>11} {:>8} {:>8}", has_states ? std::to_string(made->states) : "", made->transitions,
             format_bytes(made->bytes), format_time(made->ns));
}

void print_table(const std::vector<Run>& runs, const Options& options) {
  fmt::print(
      "Token sequences that the tokenizer writes, by its first n merges. Texts of {}: DirectMerge and CartesianMerge\n"
      "(transitions: of the language by tokens; its tokenizer's states are given). All texts: Algorithm 3 (entries:\n"
      "tokens that states forbid; before fusion) and intervals (of lists of forbidden tokens, after fusion).\n\n",
      options.regex);
  fmt::print("{:>7} | {:<39} | {:<39} | {:<39} | {:<39}\n", "", "DirectMerge", "CartesianMerge", "Algorithm 3",
             "intervals");
  fmt::print(
      "{:>7} | {:>9} {:>11} {:>8} {:>8} | {:>9} {:>11} {:>8} {:>8} | {:>9} {:>11} {:>8} {:>8} | {:>9} {:>11} {:>8} "
      "{:>8}\n",
      "merges", "states", "transitions", "memory", "time", "states", "transitions", "memory", "time", "states",
      "entries", "memory", "time", "states", "intervals", "memory", "time");
  for (const Run& run : runs) {
    fmt::print("{:>7}", run.merges);
    print_cells(run.direct);
    print_cells(run.cartesian);
    print_cells(run.literal);
    print_cells(run.intervals);
    fmt::print("{}\n", is_exact(run) ? "" : "  DIFFER");
  }
  const Run& last = runs.back();
  fmt::print("\n{} merges: {} pairs of tokens that never stand side by side; {} states after fusion (in {}).\n",
             last.merges, last.pairs_by_intervals, last.fused_by_intervals, format_time(last.fuse_ns));
}

Json to_json(const std::optional<Made>& made) {
  if (!made) return nullptr;
  return {{"states", made->states}, {"transitions", made->transitions}, {"bytes", made->bytes}, {"ns", made->ns}};
}

void print_json(const std::vector<Run>& runs, const Options& options) {
  Json out = {{"regex", options.regex}, {"runs", Json::array()}};
  for (const Run& run : runs) {
    out["runs"].push_back({{"merges", run.merges},
                           {"direct_merge", to_json(run.direct)},
                           {"cartesian_merge", to_json(run.cartesian)},
                           {"algorithm_3", to_json(run.literal)},
                           {"intervals", to_json(run.intervals)},
                           {"fuse_ns", run.fuse_ns},
                           {"fused_states", run.fused_by_intervals},
                           {"forbidden_pairs", run.pairs_by_intervals},
                           {"exact", is_exact(run)}});
  }
  fmt::print("{}\n", out.dump());
}

std::string chart(const std::vector<Run>& runs, const Options& options, const TokenizerInfo& tokenizer) {
  const std::vector<std::pair<double, std::string>> ticks = {{1, "10"},     {2, "100"},     {3, "1,000"},
                                                             {4, "10,000"}, {5, "100,000"}, {6, "1,000,000"}};
  const auto panel = [&](const std::string& title, const std::string& unit, const auto& value) {
    Panel made{title,
               "merges",
               unit,
               {{"DirectMerge", {}}, {"CartesianMerge", {}}, {"Algorithm 3", {}}, {"intervals", {}}},
               ticks};
    for (const Run& run : runs) {
      const double x = std::log10(static_cast<double>(run.merges));
      const std::array<std::optional<Made>, 4> all{run.direct, run.cartesian, run.literal, run.intervals};
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i]) made.series[i].points.emplace_back(x, value(*all[i]));
      }
    }
    return made;
  };
  const std::array<Panel, 3> panels{
      panel("Time", "milliseconds", [](const Made& made) { return made.ns / 1e6; }),
      panel("Size", "transitions, entries, intervals",
            [](const Made& made) { return static_cast<double>(made.transitions); }),
      panel("Memory", "kilobytes", [](const Made& made) { return static_cast<double>(made.bytes) / 1e3; })};
  return render_svg(panels, fmt::format("Texts of {} (the first two) and all texts; {} of {} tokens", options.regex,
                                        tokenizer.kind(), tokenizer.vocab_size()));
}

int run_canonical(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const Model model = model_of(tokenizer);
  const Result<ByteDfa> language = byte_dfa(options.regex);
  if (!language) throw text_error(language.error(), options.regex, "<regex>");
  const auto all = static_cast<std::uint32_t>(model.table.merges.size());
  const std::uint32_t most = options.most == 0 ? all : std::min(options.most, all);
  if (most == 0) throw InputError("the tokenizer has no merges");
  std::vector<Run> runs;
  bool tries_direct = true;
  Progress progress("merges", most);
  for (std::uint64_t merges = std::min(options.least, most);; merges = std::min<std::uint64_t>(2 * merges, most)) {
    runs.push_back(measure(model, static_cast<std::uint32_t>(merges), *language, options, tries_direct));
    tries_direct = runs.back().direct.has_value();  // with more merges it would reach the limit, too
    progress.update(merges);
    if (merges == most) break;
  }
  if (options.json) {
    print_json(runs, options);
  } else {
    print_table(runs, options);
  }
  if (!options.svg_path.empty()) write_file(options.svg_path, chart(runs, options, tokenizer));
  return std::all_of(runs.begin(), runs.end(), is_exact) ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
Algorithm 3 and intervals must forbid the same pairs of tokens, DirectMerge and CartesianMerge have the same sequences.
JSON: {"regex", "runs": [{"merges", "direct_merge": {"states", "transitions", "bytes", "ns"} or null for a limit,
"cartesian_merge", "algorithm_3", "intervals", "fuse_ns", "fused_states", "forbidden_pairs", "exact"}]}.
Exit status: 0 done; 1 they differ; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("canonical", "Ways to find the token sequences that a tokenizer writes");
  app->footer(kFooter);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--regex", options->regex, "The language of DirectMerge and CartesianMerge")
      ->type_name("REGEX")
      ->capture_default_str();
  app->add_option("--least", options->least, "Merges to begin with; they double")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--most", options->most, "Merges to end with (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000));
  app->add_option("--max-transitions", options->max_transitions, "Where DirectMerge and CartesianMerge give up")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  app->add_flag("--json", options->json, "JSON instead of a table");
  return {app, [options] { return run_canonical(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_canonical
