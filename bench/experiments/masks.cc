// `weir bench masks`: measures what masks cost over a file of cases, from the first mask to the slowest, and prints the
// engine's counters, which are the same on every machine.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case_inputs.h"
#include "case_runner.h"
#include "distribution.h"
#include "engine_counters.h"
#include "experiments.h"
#include "result_file.h"
#include "stopwatch.h"
#include "svg_chart.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli::bench_masks {

namespace {

using Times = std::vector<std::uint64_t>;

struct Options : CaseInputs {
  RunnerOptions runner;
  std::uint32_t passes = 1;
  std::uint32_t slowest = 10;
  std::string out_path, svg_path;
  bool invalid = false;
  bool each = false;
};

struct NamedResult {
  std::string id;
  bool has_valid = false;  // True if one of its texts is labelled valid.
  CaseResult result;
};

struct Measured {
  std::optional<TokenizerInfo> tokenizer;
  std::uint64_t tokenizer_ns = 0;    // Until the compiler was ready; the least of all passes.
  std::uint64_t clock_ns = 0;        // The cost of reading the clock, which each time includes.
  std::vector<NamedResult> cases;    // With the results of valid texts.
  std::vector<NamedResult> invalid;  // With the verdicts on invalid texts, if requested.
};

std::uint64_t cost_of_the_clock() {
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; ++i) least = std::min(least, Stopwatch().elapsed_ns());
  return least;
}

std::string describe(const TokenizerInfo& tokenizer) {
  return fmt::format("{} of {} tokens", tokenizer.kind(), tokenizer.vocab_size());
}

// --- Measuring ---

Json case_json(const NamedResult& named) {
  Json out = {{"id", named.id}};
  if (named.result.refused) {
    out["refused"] = error_json(*named.result.refused);
    return out;
  }
  out["compile_ns"] = named.result.compile_ns;
  if (named.result.warm_up_ns != 0) out["warm_up_ns"] = named.result.warm_up_ns;
  out["tests"] = Json::array();
  for (const TestResult& test : named.result.tests) {
    out["tests"].push_back({{"test", test.test},
                            {"outcome", to_string(test.outcome)},
                            {"tokens", test.tokens},
                            {"mask_ns", test.mask_ns},
                            {"commit_ns", test.commit_ns}});
  }
  out["counters"] = to_json(named.result.stats);
  return out;
}

void write_line(const Json& line, ResultFile& out) { out.write(json_text(line) + "\n"); }

// Runs one pass over the cases. The tokenizer and all caches are new, so that every pass is as cold as the first. If
// `out` is given, the line of each case is written as soon as the case is done.
std::vector<NamedResult> run_pass(const Options& options, CaseFile& file, const std::string& label, Measured& measured,
                                  ResultFile* out) {
  const Stopwatch watch;
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  CaseRunner runner(tokenizer, options.runner);
  const std::uint64_t elapsed = watch.elapsed_ns();
  measured.tokenizer_ns = measured.tokenizer_ns == 0 ? elapsed : std::min(measured.tokenizer_ns, elapsed);
  measured.tokenizer = tokenizer;
  std::vector<NamedResult> results;
  file.rewind();
  Progress progress(label, file.size());
  while (const std::optional<Case> next = file.next()) {
    const bool has_valid =
        std::any_of(next->tests.begin(), next->tests.end(), [](const CaseTest& test) { return test.valid; });
    results.push_back({next->id, has_valid, runner.run(*next)});
    if (out != nullptr) write_line(case_json(results.back()), *out);
    progress.update(file.position());
  }
  return results;
}

void keep_least(std::uint64_t& time, std::uint64_t other) { time = std::min(time, other); }

void keep_least(Times& times, const Times& others) {
  for (std::size_t i = 0; i < times.size(); ++i) keep_least(times[i], others[i]);
}

// Keeps the least of each time. Passes differ in times alone, and the least time is the least disturbed by other
// programs.
void keep_least(CaseResult& result, const CaseResult& other) {
  keep_least(result.compile_ns, other.compile_ns);
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    keep_least(result.tests[i].mask_ns, other.tests[i].mask_ns);
    keep_least(result.tests[i].commit_ns, other.tests[i].commit_ns);
  }
}

void write_cases(const Measured& measured, ResultFile& out) {
  for (std::size_t i = 0; i < measured.cases.size(); ++i) {
    Json line = case_json(measured.cases[i]);
    if (!measured.invalid.empty() && line.contains("tests")) {
      for (const TestResult& test : measured.invalid[i].result.tests) {
        line["tests"].push_back({{"test", test.test}, {"outcome", to_string(test.outcome)}});
      }
    }
    write_line(line, out);
  }
}

Measured measure(const Options& options) {
  ResultFile out(options.out_path);
  const bool at_once = out.is_wanted() && options.passes == 1 && !options.invalid;
  Measured measured;
  measured.clock_ns = cost_of_the_clock();
  CaseFile file(options.cases);
  Options pass = options;
  pass.runner.texts = RunnerOptions::Texts::kValid;
  for (std::uint32_t i = 0; i < options.passes; ++i) {
    std::vector<NamedResult> results =
        run_pass(pass, file, fmt::format("pass {}", i + 1), measured, at_once ? &out : nullptr);
    if (i == 0) {
      measured.cases = std::move(results);
      continue;
    }
    for (std::size_t c = 0; c < results.size(); ++c) keep_least(measured.cases[c].result, results[c].result);
  }
  if (options.invalid) {
    pass.runner.texts = RunnerOptions::Texts::kInvalid;
    measured.invalid = run_pass(pass, file, "invalid texts", measured, nullptr);
  }
  if (out.is_wanted() && !at_once) write_cases(measured, out);
  out.close();
  return measured;
}

// --- Summaries ---

struct NamedTimes {
  const char* name;
  Times times;
};
enum : std::size_t { kMask, kCommit, kStep, kFirstMask, kCompile, kCompileAndMask, kRequest, kWarmUp, kTimes };

std::array<NamedTimes, kTimes> times_of(const std::vector<NamedResult>& cases) {
  std::array<NamedTimes, kTimes> out{{{"mask", {}},
                                      {"commit", {}},
                                      {"mask+commit", {}},
                                      {"first mask", {}},
                                      {"compile", {}},
                                      {"compile+first mask", {}},
                                      {"request", {}},
                                      {"warm-up", {}}}};
  for (const NamedResult& named : cases) {
    const CaseResult& result = named.result;
    if (result.refused) continue;
    out[kCompile].times.push_back(result.compile_ns);
    if (result.warm_up_ns != 0) out[kWarmUp].times.push_back(result.warm_up_ns);
    std::uint64_t request = result.compile_ns;
    bool first = true;
    for (const TestResult& test : result.tests) {
      for (std::size_t i = 0; i < test.mask_ns.size(); ++i) {
        out[kMask].times.push_back(test.mask_ns[i]);
        request += test.mask_ns[i];
        if (!std::exchange(first, false)) continue;
        out[kFirstMask].times.push_back(test.mask_ns[i]);
        out[kCompileAndMask].times.push_back(result.compile_ns + test.mask_ns[i]);
      }
      for (std::size_t i = 0; i < test.commit_ns.size(); ++i) {
        out[kCommit].times.push_back(test.commit_ns[i]);
        out[kStep].times.push_back(test.step_ns(i));
        request += test.commit_ns[i];
      }
    }
    if (!first) out[kRequest].times.push_back(request);
  }
  return out;
}

// A slow step: its times and its token.
struct SlowStep {
  std::uint64_t mask_ns = 0, commit_ns = 0;
  std::size_t number = 0;  // The index of the token in its text.
  const NamedResult* named = nullptr;
  const TestResult* test = nullptr;
  [[nodiscard]] std::uint64_t total() const { return mask_ns + commit_ns; }
};

std::vector<SlowStep> slowest_steps(const std::vector<NamedResult>& cases, std::size_t count) {
  std::vector<SlowStep> slow;
  const auto slower = [](const SlowStep& a, const SlowStep& b) { return a.total() > b.total(); };
  const auto keep_slowest = [&] {
    const auto kept = static_cast<std::ptrdiff_t>(std::min(count, slow.size()));
    std::partial_sort(slow.begin(), slow.begin() + kept, slow.end(), slower);
    slow.resize(static_cast<std::size_t>(kept));
  };
  for (const NamedResult& named : cases) {
    for (const TestResult& test : named.result.tests) {
      for (std::size_t i = 0; i < test.mask_ns.size(); ++i) {
        const bool committed = i < test.commit_ns.size();
        slow.push_back({test.mask_ns[i], committed ? test.commit_ns[i] : 0, i, &named, &test});
      }
    }
    if (slow.size() > count + 100'000) keep_slowest();
  }
  keep_slowest();
  return slow;
}

struct Verdicts {
  std::uint64_t mask_hash = 0;  // Combines all cases in the file's order.
  std::map<std::string, std::uint64_t> refused_by_code;
  std::map<std::string, std::uint64_t> tests_by_outcome;
  std::vector<std::pair<std::string, std::string>> wrong;  // (case id, description of the error).
};

void add_verdicts(const std::vector<NamedResult>& cases, bool with_refused, Verdicts& verdicts) {
  for (const NamedResult& named : cases) {
    if (with_refused) verdicts.mask_hash = verdicts.mask_hash * 31 + named.result.mask_hash;
    if (named.result.refused && with_refused) {
      const std::string code(to_string(named.result.refused->code));
      ++verdicts.refused_by_code[code];
      // A case without a valid text may be refused as unsatisfiable.
      const bool is_right = named.result.refused->code == ErrorCode::kUnsatisfiable && !named.has_valid;
      if (!is_right) verdicts.wrong.emplace_back(named.id, describe_refusal(*named.result.refused));
    }
    for (const TestResult& test : named.result.tests) {
      const std::string outcome(to_string(test.outcome));
      ++verdicts.tests_by_outcome[outcome];
      if (test.outcome != Outcome::kOk) {
        verdicts.wrong.emplace_back(named.id, fmt::format("{} in test {}", describe_outcome(test), test.test + 1));
      }
    }
  }
}

EngineStats sum_of_counters(const std::vector<NamedResult>& cases) {
  EngineStats sum;
  for (const NamedResult& named : cases) add_to(sum, named.result.stats);
  return sum;
}

// --- Printing ---

std::string token_text(const SlowStep& step, const TokenizerInfo& tokenizer) {
  if (step.number >= step.test->tokens.size()) return "the end";
  return "`" + escape(tokenizer.token_bytes(step.test->tokens[step.number]), 20) + "`";
}

// Prints one row for each case, in the file's order.
void print_cases(const std::vector<NamedResult>& cases) {
  fmt::print("\n{:>9} {:>10} {:>7} {:>9} {:>9} {:>9} {:>11} {:>8}  {}\n", "compile", "first mask", "masks", "mean",
             "p50", "max", "commit mean", "states", "case");
  for (const NamedResult& named : cases) {
    if (named.result.refused) {
      fmt::print("{:>9} {:>10} {:>7} {:>9} {:>9} {:>9} {:>11} {:>8}  {}\n", "refused", "", "", "", "", "", "", "",
                 escape(named.id));
      continue;
    }
    const std::vector<NamedResult> alone{named};
    const auto times = times_of(alone);
    const Distribution mask = distribution_of(times[kMask].times);
    const auto shown = [](std::uint64_t time) { return format_time(static_cast<double>(time)); };
    fmt::print("{:>9} {:>10} {:>7} {:>9} {:>9} {:>9} {:>11} {:>8}  {}\n", shown(named.result.compile_ns),
               shown(distribution_of(times[kFirstMask].times).p50), mask.count, format_time(mask.mean), shown(mask.p50),
               shown(mask.max), format_time(distribution_of(times[kCommit].times).mean), named.result.stats.states,
               escape(named.id));
  }
}

struct WarmUpSums {
  std::uint64_t work = 0, warmed = 0, complete = 0, masks = 0, known = 0;
};

WarmUpSums sum_of_warm_up(const std::vector<NamedResult>& cases) {
  WarmUpSums sums;
  for (const NamedResult& named : cases) {
    sums.work += named.result.warm_up.work;
    sums.warmed += named.result.warm_up.masks;
    sums.complete += named.result.warm_up.is_complete ? 1 : 0;
    for (const TestResult& test : named.result.tests) {
      sums.masks += test.mask_ns.size();
      sums.known += test.masks_known;
    }
  }
  return sums;
}

void print_warm_up(const std::vector<NamedResult>& cases) {
  const WarmUpSums sums = sum_of_warm_up(cases);
  fmt::print("\nwarm-up: {} steps, {} masks, complete in {} cases\n", sums.work, sums.warmed, sums.complete);
  fmt::print("  known when asked for: {} of {} masks ({:.1f}%)\n", sums.known, sums.masks,
             100.0 * static_cast<double>(sums.known) / static_cast<double>(std::max<std::uint64_t>(sums.masks, 1)));
}

void print_tables(const Measured& measured, const Verdicts& verdicts, const Options& options) {
  const auto times = times_of(measured.cases);
  fmt::print("{} cases; {}, ready in {}; of each time {} ns are the clock's", measured.cases.size(),
             describe(*measured.tokenizer), format_time(static_cast<double>(measured.tokenizer_ns)), measured.clock_ns);
  if (options.passes > 1) fmt::print("; each time the least of {} cold passes", options.passes);
  constexpr std::size_t kNameWidth = 18;
  fmt::print("\n\n{}\n", distribution_heading(kNameWidth));
  for (const NamedTimes& named : times) {
    if (&named == &times[kWarmUp] && named.times.empty()) continue;
    fmt::print("{}\n", distribution_row(named.name, kNameWidth, distribution_of(named.times)));
  }
  if (options.slowest != 0) fmt::print("\nslowest steps (mask + commit)\n");
  for (const SlowStep& step : slowest_steps(measured.cases, options.slowest)) {
    fmt::print("{:>9} = {:>9} + {:>9}  {} test {}, token {}: {}\n", format_time(static_cast<double>(step.total())),
               format_time(static_cast<double>(step.mask_ns)), format_time(static_cast<double>(step.commit_ns)),
               escape(step.named->id), step.test->test + 1, step.number + 1, token_text(step, *measured.tokenizer));
  }
  if (options.each) print_cases(measured.cases);
  fmt::print("\nverdicts\n");
  for (const auto& [code, count] : verdicts.refused_by_code) fmt::print("  cases refused as {}: {}\n", code, count);
  for (const auto& [outcome, count] : verdicts.tests_by_outcome) fmt::print("  texts {}: {}\n", outcome, count);
  constexpr std::size_t kNamed = 10;
  for (std::size_t i = 0; i < std::min(kNamed, verdicts.wrong.size()); ++i) {
    fmt::print("    {}: {}\n", escape(verdicts.wrong[i].first), verdicts.wrong[i].second);
  }
  if (verdicts.wrong.size() > kNamed) fmt::print("    and {} more\n", verdicts.wrong.size() - kNamed);
  if (options.runner.warm_up) print_warm_up(measured.cases);
  if (options.runner.hash_masks) fmt::print("\nhash of all masks {:016x}\n", verdicts.mask_hash);
  fmt::print("\ncounters, sums over all cases\n");
  const EngineStats sum = sum_of_counters(measured.cases);
  for_each_counter([&](const char* name, auto counter) { fmt::print("  {:<14} {:>14}\n", name, sum.*counter); });
}

void print_json(const Measured& measured, const Verdicts& verdicts, const Options& options) {
  Json out = {{"cases", measured.cases.size()},
              {"tokenizer", describe(*measured.tokenizer)},
              {"tokenizer_ns", measured.tokenizer_ns},
              {"clock_ns", measured.clock_ns},
              {"passes", options.passes},
              {"refused_by_code", verdicts.refused_by_code},
              {"tests_by_outcome", verdicts.tests_by_outcome}};
  if (options.runner.hash_masks) out["mask_hash"] = fmt::format("{:016x}", verdicts.mask_hash);
  out["wrong"] = Json::array();
  for (const auto& [id, what] : verdicts.wrong) out["wrong"].push_back({{"id", id}, {"outcome", what}});
  const auto times = times_of(measured.cases);
  for (const NamedTimes& named : times) {
    if (&named == &times[kWarmUp] && named.times.empty()) continue;
    out["times"][named.name] = to_json(distribution_of(named.times));
  }
  out["slowest"] = Json::array();
  for (const SlowStep& step : slowest_steps(measured.cases, options.slowest)) {
    out["slowest"].push_back({{"id", step.named->id},
                              {"test", step.test->test},
                              {"token", step.number},
                              {"mask_ns", step.mask_ns},
                              {"commit_ns", step.commit_ns}});
  }
  if (options.runner.warm_up) {
    const WarmUpSums sums = sum_of_warm_up(measured.cases);
    out["warm_up"] = {{"work", sums.work},
                      {"masks", sums.warmed},
                      {"complete_cases", sums.complete},
                      {"masks_known", sums.known},
                      {"masks_asked", sums.masks}};
  }
  out["counters"] = to_json(sum_of_counters(measured.cases));
  fmt::print("{}\n", json_text(out));
}

// Returns, for shares of all times, the time that this share does not exceed. Each "nine" (90%, 99%, …) has the same
// width on the x axis.
Series quantiles(const NamedTimes& named) {
  constexpr int kPoints = 400;
  Times sorted = named.times;
  std::sort(sorted.begin(), sorted.end());
  Series series{named.name, {}};
  const double nines = std::log10(static_cast<double>(sorted.size()));
  for (int i = 0; i <= kPoints && !sorted.empty(); ++i) {
    const double x = nines * i / kPoints;
    const double rank = std::ceil((1 - std::pow(10, -x)) * static_cast<double>(sorted.size()));
    const std::size_t index = std::min(static_cast<std::size_t>(rank), sorted.size() - 1);
    series.points.emplace_back(x, static_cast<double>(sorted[index]) / 1e3);
  }
  return series;
}

std::string masks_svg(const Measured& measured, std::uint32_t passes) {
  const auto times = times_of(measured.cases);
  const std::vector<std::pair<double, std::string>> ticks = {{0, "0"},       {std::log10(2), "50%"}, {1, "90%"},
                                                             {2, "99%"},     {3, "99.9%"},           {4, "99.99%"},
                                                             {5, "99.999%"}, {6, "99.9999%"}};
  const char* x_label = "share of times that are no longer";
  const std::array<Panel, 2> panels{
      Panel{"A token",
            x_label,
            "microseconds",
            {quantiles(times[kStep]), quantiles(times[kMask]), quantiles(times[kCommit])},
            ticks},
      Panel{"A case",
            x_label,
            "microseconds",
            {quantiles(times[kRequest]), quantiles(times[kCompile]), quantiles(times[kFirstMask])},
            ticks}};
  const std::string what = passes == 1 ? "one cold pass" : fmt::format("the least of {} cold passes", passes);
  return render_svg(panels,
                    fmt::format("{} cases, {}; {}", measured.cases.size(), what, describe(*measured.tokenizer)));
}

int run(const Options& given) {
  Options options = given;
  options.runner.limits = read_limits(options.limits);
  options.runner.schema = schema_options(options.schema);
  const Measured measured = measure(options);
  Verdicts verdicts;
  add_verdicts(measured.cases, true, verdicts);
  add_verdicts(measured.invalid, false, verdicts);
  if (!options.svg_path.empty()) write_file(options.svg_path, masks_svg(measured, options.passes));
  if (options.json) {
    print_json(measured, verdicts, options);
  } else {
    print_tables(measured, verdicts, options);
  }
  return verdicts.wrong.empty() ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
The file is that of `weir cases`. Each case is compiled and its valid texts are walked, in one process and each for the
first time: a mask, then accepting the text's next token, and at the end one more mask.
  mask, commit        each of them; mask+commit is both of one token
  first mask          of a case, the first of its first text
  compile             reading the grammar, compiling, a matcher
  request             of a case: compile and all of its masks and commits
Cases may also be sent to standard input one by one: with one pass and without --invalid each is answered at once.
A line of --out: {"id", "compile_ns", "tests": [{"test", "outcome", "tokens", "mask_ns": [], "commit_ns": []}],
"counters": {}}, with --warm-up also "warm_up_ns", or {"id", "refused"}; invalid texts have "test" and "outcome" alone.
--json: {"cases", "tokenizer_ns", "times": {name: {"count", "mean_ns", "p50_ns", …}}, "slowest": [], "wrong": [],
"counters": {}, …}. Counters are the same on every machine, times are not. Time in which other programs had the processor
is not counted.
Exit status: 0 every case compiled and every verdict is right; 1 not so; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      bench.add_subcommand("masks", "What masks and commits cost over a file of cases, nothing known before");
  app->footer(kFooter);
  options->add_options(*app);
  app->add_option("--passes", options->passes, "Run so many passes, each cold, and keep the least of each time")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--slowest", options->slowest, "List so many of the slowest steps")
      ->type_name("N")
      ->capture_default_str();
  app->add_flag("--each", options->each, "Also print a row for each case");
  app->add_flag("--invalid", options->invalid, "Also judge invalid texts, afterwards and untimed");
  app->add_flag_callback(
      "--canonical", [options] { options->runner.matcher.tokenization = Tokenization::kCanonical; },
      "Allow only the tokens that the tokenizer itself would write");
  app->add_flag("--warm", options->runner.warm, "Walk each case's texts once before, and time the second time");
  app->add_option(
         "--warm-up", options->runner.warm_up,
         "Explore each case with so many steps of work before its texts, and report which masks were known then")
      ->type_name("WORK");
  app->add_flag("--hash", options->runner.hash_masks, "Also print a hash over all masks, the same on every machine");
  app->add_option("--out", options->out_path, "Write a result line for each case to this file; - is standard output")
      ->type_name("FILE");
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_masks
