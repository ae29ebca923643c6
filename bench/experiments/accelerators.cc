// `weir bench accelerators`: measures what each accelerator of facts buys (engine/accelerators.h). A
// file of cases is run with all of them and without each, in turns, since other programs disturb times.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "case_inputs.h"
#include "case_runner.h"
#include "command.h"
#include "distribution.h"
#include "engine/accelerators.h"
#include "engine/facts/vocabulary_store.h"
#include "engine_counters.h"
#include "experiments.h"
#include "text.h"

namespace weir::cli::bench_accelerators {

namespace {

using Times = std::vector<std::uint64_t>;

struct Options : CaseInputs {
  RunnerOptions runner;
  std::uint32_t passes = 3;
};

struct Variant {
  const char* name;
  std::optional<engine::Accelerator> left_out;
  const char* what = "";
  Times masks = {}, first_masks = {};  // the least of all passes
  std::uint64_t trie_nodes = 0;
  std::uint64_t mask_hash = 0;
};

void keep_least(Times& times, const Times& others) {
  if (times.empty()) times = others;
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = std::min(times[i], others[i]);
}

// Runs all cases with a new vocabulary, so that nothing is known before.
void run_pass(const Options& options, const std::vector<Case>& cases, Variant& variant) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  if (variant.left_out) {
    tokenizer.vocabulary().extension<engine::VocabularyStore>().facts.leave_out(*variant.left_out);
  }
  CaseRunner runner(tokenizer, options.runner);
  EngineStats stats;
  Times masks, first_masks;
  variant.mask_hash = 0;
  for (const Case& input : cases) {
    const CaseResult result = runner.run(input);
    variant.mask_hash = variant.mask_hash * 31 + result.mask_hash;
    add_to(stats, result.stats);
    bool is_first = true;
    for (const TestResult& test : result.tests) {
      masks.insert(masks.end(), test.mask_ns.begin(), test.mask_ns.end());
      if (is_first && !test.mask_ns.empty()) first_masks.push_back(test.mask_ns.front());
      is_first = is_first && test.mask_ns.empty();
    }
  }
  variant.trie_nodes = stats.trie_nodes;
  keep_least(variant.masks, masks);
  keep_least(variant.first_masks, first_masks);
}

// Returns how much more `b` is than `a`, in percent.
double more(double a, double b) { return a == 0 ? 0 : 100 * (b / a - 1); }

int run(const Options& given) {
  Options options = given;
  // The embedded vocabulary is one for the whole process, so nothing could be left out of it again.
  if (options.tokenizer.path.empty()) throw InputError("needs the file of a tokenizer; name it with --tokenizer");
  options.runner.limits = read_limits(options.limits);
  options.runner.schema = schema_options(options.schema);
  options.runner.texts = RunnerOptions::Texts::kValid;
  options.runner.hash_masks = true;
  CaseFile file(options.cases);
  std::vector<Case> cases;
  while (std::optional<Case> next = file.next()) cases.push_back(*std::move(next));
  std::vector<Variant> variants{{"all", std::nullopt}};
  for (const engine::NamedAccelerator& one : engine::kAccelerators) variants.push_back({one.name, one.id, one.what});
  for (std::uint32_t pass = 0; pass < options.passes; ++pass) {
    for (Variant& variant : variants) run_pass(options, cases, variant);
  }
  const Variant& all = variants.front();
  const Distribution mask = distribution_of(all.masks);
  const Distribution first = distribution_of(all.first_masks);
  bool are_equal = true;
  Json out = Json::array();
  if (!options.json) {
    fmt::print("{} masks: mean {}, p99 {}, p99.9 {}; first masks: p99 {}; {} trie nodes; hash {:016x}\n", mask.count,
               format_time(mask.mean), format_time(static_cast<double>(mask.p99)),
               format_time(static_cast<double>(mask.p999)), format_time(static_cast<double>(first.p99)), all.trie_nodes,
               all.mask_hash);
    fmt::print("\n{:<12} {:>8} {:>8} {:>8} {:>10} {:>10}  masks\n", "without", "mean", "p99", "p99.9", "first p99",
               "trie nodes");
  }
  for (const Variant& variant : variants) {
    const Distribution m = distribution_of(variant.masks);
    const Distribution f = distribution_of(variant.first_masks);
    const bool is_equal = variant.mask_hash == all.mask_hash;
    are_equal = are_equal && is_equal;
    if (options.json) {
      out.push_back({{"without", variant.left_out ? Json(variant.name) : Json()},
                     {"mask", to_json(m)},
                     {"first_mask", to_json(f)},
                     {"trie_nodes", variant.trie_nodes},
                     {"mask_hash", fmt::format("{:016x}", variant.mask_hash)}});
    } else if (variant.left_out) {
      fmt::print("{:<12} {:>+7.1f}% {:>+7.1f}% {:>+7.1f}% {:>+9.1f}% {:>+9.1f}%  {:<8}  {}\n", variant.name,
                 more(mask.mean, m.mean), more(static_cast<double>(mask.p99), static_cast<double>(m.p99)),
                 more(static_cast<double>(mask.p999), static_cast<double>(m.p999)),
                 more(static_cast<double>(first.p99), static_cast<double>(f.p99)),
                 more(static_cast<double>(all.trie_nodes), static_cast<double>(variant.trie_nodes)),
                 is_equal ? "the same" : "others", variant.what);
    }
  }
  if (options.json) fmt::print("{}\n", json_text(out));
  return are_equal ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
The file is that of `weir cases`. Its valid texts are walked with all accelerators and without each of them, --passes
times in turns, and the least of each time is kept. A row says how much more each figure is without the accelerator.
Exit status: 0 the masks are the same without each; 1 not so, which is a bug; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      bench.add_subcommand("accelerators", "What each accelerator of facts buys, and that no mask needs it");
  app->footer(kFooter);
  options->add_options(*app);
  app->add_option("--passes", options->passes, "Run so many passes, and keep the least of each time")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_accelerators
