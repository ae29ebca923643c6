// `weir bench growth`: prints and plots how the cost of a mask grows (see growth_walks.h).
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "distribution.h"
#include "engine_counters.h"
#include "experiments.h"
#include "growth_walks.h"
#include "inputs.h"
#include "svg_chart.h"
#include "text.h"

namespace weir::cli::bench_growth {

namespace {

struct Options {
  TokenizerInput tokenizer;
  GrowthLimits limits;
  std::string svg_path;
  bool json = false;
};

std::string time(std::uint64_t nanoseconds) { return format_time(static_cast<double>(nanoseconds)); }

void print_curve(const GrowthCurve& curve) {
  fmt::print("{}: {}\n", curve.name, curve.what);
  fmt::print("{:>10} {:>8} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} | {:>9} {:>9} | {:>8} {:>8} {:>11}\n", "", "",
             "cold", "cold", "cold", "warm", "warm", "warm", "cold", "warm", "", "", "");
  fmt::print("{:>10} {:>8} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} | {:>9} {:>9} | {:>8} {:>8} {:>11}\n", "up to",
             "steps", "mask mean", "p50", "max", "mask mean", "p50", "max", "commit", "p50", "states", "masks",
             "trie nodes");
  for (const GrowthPoint& point : curve.points) {
    const Distribution& cold = point.cold_mask;
    const Distribution& warm = point.warm_mask;
    fmt::print("{:>10} {:>8} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} | {:>9} {:>9} | {:>8} {:>8} {:>11}\n", point.up_to,
               point.steps, format_time(cold.mean), time(cold.p50), time(cold.max), format_time(warm.mean),
               time(warm.p50), time(warm.max), time(point.cold_commit.p50), time(point.warm_commit.p50),
               point.explored.states, point.explored.masks, point.explored.trie_nodes);
  }
  fmt::print("\n");
}

void print_json(const std::vector<GrowthCurve>& curves) {
  Json out = Json::array();
  for (const GrowthCurve& curve : curves) {
    Json points = Json::array();
    for (const GrowthPoint& point : curve.points) {
      points.push_back({{"up_to", point.up_to},
                        {"steps", point.steps},
                        {"cold_mask", to_json(point.cold_mask)},
                        {"warm_mask", to_json(point.warm_mask)},
                        {"cold_commit", to_json(point.cold_commit)},
                        {"warm_commit", to_json(point.warm_commit)},
                        {"explored", to_json(point.explored)}});
    }
    out.push_back({{"name", curve.name}, {"what", curve.what}, {"unit", curve.unit}, {"points", points}});
  }
  fmt::print("{}\n", Json{{"curves", out}}.dump());
}

std::string growth_svg(const std::vector<GrowthCurve>& curves, const std::string& caption) {
  const std::vector<std::pair<double, std::string>> ticks = {{0, "1"},     {1, "10"},     {2, "100"},
                                                             {3, "1,000"}, {4, "10,000"}, {5, "100,000"}};
  std::vector<Panel> panels;
  for (const GrowthCurve& curve : curves) {
    Panel panel{curve.name,
                curve.unit,
                "microseconds",
                {{"mask, cold, mean", {}}, {"mask, warm, mean", {}}, {"commit, warm, median", {}}},
                ticks};
    for (const GrowthPoint& point : curve.points) {
      const double x = std::log10(static_cast<double>(point.up_to));
      panel.series[0].points.emplace_back(x, point.cold_mask.mean / 1e3);
      panel.series[1].points.emplace_back(x, point.warm_mask.mean / 1e3);
      panel.series[2].points.emplace_back(x, static_cast<double>(point.warm_commit.p50) / 1e3);
    }
    panels.push_back(std::move(panel));
  }
  return render_svg(panels, caption);
}

int run(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const std::vector<GrowthCurve> curves = measure_mask_growth(tokenizer, options.limits);
  if (!options.svg_path.empty()) {
    write_file(options.svg_path,
               growth_svg(curves, fmt::format("{} of {} tokens", tokenizer.kind(), tokenizer.vocab_size())));
  }
  if (options.json) {
    print_json(curves);
  } else {
    for (const GrowthCurve& curve : curves) print_curve(curve);
  }
  return kOk;
}

constexpr const char* kFooter = R"(
Each text is walked twice, cold and warm: a mask, accepting the next token. Steps are put together by how far what grows
has grown: "up to" so many tokens, levels, members, or by the vocabulary, of which parts are taken. What the cold steps
explored is counted; counts are the same on every machine.
JSON: {"curves": [{"name", "what", "unit", "points": [{"up_to", "steps", "cold_mask": {"mean_ns", …}, "warm_mask",
"cold_commit", "warm_commit", "explored": {}}]}]}.
Exit status: 0 done; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      bench.add_subcommand("growth", "Masks against length of output, nesting, members seen, size of vocabulary");
  app->footer(kFooter);
  add_tokenizer_option(*app, options->tokenizer);
  const auto count = [&](const char* name, std::uint32_t& value, const char* what) {
    app->add_option(name, value, what)->type_name("N")->check(CLI::Range(1, 10'000'000))->capture_default_str();
  };
  count("--max-tokens", options->limits.tokens, "Length of the output");
  count("--max-depth", options->limits.depth, "Nesting");
  count("--max-members", options->limits.members, "Members of an object, of any names");
  count("--max-properties", options->limits.properties, "Members of an object, of declared names");
  count("--min-vocabulary", options->limits.least_vocab, "The smallest part of the vocabulary; parts double");
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  app->add_flag("--json", options->json, "JSON instead of tables");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_growth
