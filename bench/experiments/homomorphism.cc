// `weir bench homomorphism`: prints the two experiments of homomorphism_pairs.h.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "command.h"
#include "distribution.h"
#include "experiments.h"
#include "homomorphism_pairs.h"
#include "inputs.h"
#include "svg_chart.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli::bench_homomorphism {

namespace {

struct Options {
  TokenizerInput tokenizer;
  GrowthOptions growth;
  std::string svg_path;
  bool json = false;
};

double total(const std::vector<double>& times) { return std::accumulate(times.begin(), times.end(), 0.0); }
double mean(const std::vector<double>& times) {
  return times.empty() ? 0 : total(times) / static_cast<double>(times.size());
}

void print_growth(const std::vector<GrowthRun>& runs, const GrowthOptions& options) {
  fmt::print(
      "JSON object of n pairs. Per token: trying {} candidates (the next token and a fixed sample of the vocabulary)\n"
      "from the state that is kept, or by decoding the whole output and parsing it anew for each; and, for "
      "comparison,\n"
      "the mask of the whole vocabulary with accepting the token, explored before (warm) and not (cold).\n\n",
      options.candidates);
  fmt::print("{:>5} {:>7} {:>7} | {:>10} {:>10} {:>7} | {:>10} {:>10} | {:>10} {:>10}\n", "", "", "", "kept", "anew",
             "", "kept", "anew", "mask warm", "mask cold");
  fmt::print("{:>5} {:>7} {:>7} | {:>10} {:>10} {:>7} | {:>10} {:>10} | {:>10} {:>10}\n", "pairs", "tokens", "bytes",
             "per token", "per token", "ratio", "total", "total", "per token", "per token");
  std::uint32_t next = 1;
  for (const GrowthRun& run : runs) {
    if (run.pairs != next && run.pairs != runs.back().pairs) continue;
    next = run.pairs * 2;
    const double kept = mean(run.incremental), anew = mean(run.reparsing);
    fmt::print("{:>5} {:>7} {:>7} | {:>10} {:>10} {:>6.1f}x | {:>10} {:>10} | {:>10} {:>10}\n", run.pairs, run.tokens,
               run.bytes, format_time(kept), format_time(anew), anew / kept, format_time(total(run.incremental)),
               format_time(total(run.reparsing)), format_time(mean(run.mask_warm)), format_time(mean(run.mask_cold)));
  }
}

void print_split(const std::vector<SplitRun>& runs) {
  fmt::print(
      "\nCharacters split over tokens: every token of the vocabulary tried before every token of a text. \"differ\": "
      "mask\n"
      "against parsing the bytes of the whole output with each token (must be 0). Character handling decodes each "
      "token\n"
      "on its own, U+FFFD for what is no character: \"missed\" tokens it refuses wrongly, \"wrong\" ones it allows "
      "wrongly.\n\n");
  fmt::print("{:<22} {:>6} {:>6} {:>9} {:>7} | {:>8} {:>7}  {}\n", "", "tokens", "parts", "allowed", "differ", "missed",
             "wrong", "character handling");
  for (const SplitRun& run : runs) {
    const std::string fate =
        run.refused_at == 0 ? "reads the text" : fmt::format("refuses it at token {}", run.refused_at);
    // fmt counts only some wide characters as two columns. The samples' names are short enough to stay aligned.
    fmt::print("{:<22} {:>6} {:>6} {:>9} {:>7} | {:>8} {:>7}  {}\n", run.name, run.steps, run.partial_tokens,
               run.allowed, run.byte_differences, run.missed, run.wrongly_allowed, fate);
  }
}

void print_json(const std::vector<GrowthRun>& growth, const std::vector<SplitRun>& split, const Options& options) {
  Json out = {{"candidates", options.growth.candidates}, {"growth", Json::array()}, {"split", Json::array()}};
  for (const GrowthRun& run : growth) {
    out["growth"].push_back({{"pairs", run.pairs},
                             {"tokens", run.tokens},
                             {"bytes", run.bytes},
                             {"kept_ns_per_token", mean(run.incremental)},
                             {"anew_ns_per_token", mean(run.reparsing)},
                             {"kept_ns_total", total(run.incremental)},
                             {"anew_ns_total", total(run.reparsing)},
                             {"mask_warm_ns_per_token", mean(run.mask_warm)},
                             {"mask_cold_ns_per_token", mean(run.mask_cold)}});
  }
  for (const SplitRun& run : split) {
    out["split"].push_back({{"name", run.name},
                            {"text", run.text},
                            {"tokens", run.steps},
                            {"partial_tokens", run.partial_tokens},
                            {"allowed", run.allowed},
                            {"byte_differences", run.byte_differences},
                            {"missed", run.missed},
                            {"wrongly_allowed", run.wrongly_allowed},
                            {"refused_at", run.refused_at == 0 ? Json(nullptr) : Json(run.refused_at)}});
  }
  fmt::print("{}\n", out.dump());
}

std::string growth_svg(const std::vector<GrowthRun>& runs, const GrowthOptions& options) {
  const std::string kept = "state kept", anew = "decoded and parsed anew", mask = "mask of all tokens, warm";
  Panel steps{"Time of each step, largest object", "token", "microseconds", {{kept, {}}, {anew, {}}, {mask, {}}}};
  const GrowthRun& last = runs.back();
  for (std::size_t i = 0; i < last.tokens; ++i) {
    const double x = static_cast<double>(i + 1);
    steps.series[0].points.emplace_back(x, last.incremental[i] / 1e3);
    steps.series[1].points.emplace_back(x, last.reparsing[i] / 1e3);
    steps.series[2].points.emplace_back(x, last.mask_warm[i] / 1e3);
  }
  Panel totals{"Time of the whole output", "key-value pairs", "microseconds", {{kept, {}}, {anew, {}}, {mask, {}}}};
  for (const GrowthRun& run : runs) {
    const double x = run.pairs;
    totals.series[0].points.emplace_back(x, total(run.incremental) / 1e3);
    totals.series[1].points.emplace_back(x, total(run.reparsing) / 1e3);
    totals.series[2].points.emplace_back(x, total(run.mask_warm) / 1e3);
  }
  const std::array<Panel, 2> panels{std::move(steps), std::move(totals)};
  return render_svg(panels,
                    fmt::format("JSON objects; {} candidate tokens a step, and the mask of the whole vocabulary",
                                options.candidates));
}

int run_homomorphism(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const std::vector<GrowthRun> growth = measure_growth(tokenizer, options.growth);
  const std::vector<SplitRun> split = measure_split(tokenizer);
  if (options.json) {
    print_json(growth, split, options);
  } else {
    print_growth(growth, options.growth);
    print_split(split);
  }
  if (!options.svg_path.empty()) write_file(options.svg_path, growth_svg(growth, options.growth));
  const bool exact =
      std::all_of(split.begin(), split.end(), [](const SplitRun& run) { return run.byte_differences == 0; });
  return exact ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
Both ways of trying candidates use the same engine, explored beforehand, and must agree on every verdict.
JSON: {"candidates", "growth": [a run for each number of pairs], "split": [a run for each text]}.
Exit status: 0 done; 1 masks and parsing the bytes anew differ; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      bench.add_subcommand("homomorphism", "Keeping the state against parsing anew; bytes against characters");
  app->footer(kFooter);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--max-pairs", options->growth.max_pairs, "Largest object")
      ->type_name("N")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app->add_option("--candidates", options->growth.candidates, "Tokens tried at each step")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  app->add_flag("--json", options->json, "JSON instead of tables");
  return {app, [options] { return run_homomorphism(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_homomorphism
