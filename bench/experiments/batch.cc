// `weir bench batch`: measures calls for whole batches of rows, of one grammar or of many, on one thread and on several.
#include <fmt/core.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "case_inputs.h"
#include "distribution.h"
#include "experiments.h"
#include "svg_chart.h"
#include "terminal.h"
#include "text.h"
#include "thread_counts.h"
#include "weir/batch.h"
#include "weir/bitmask.h"

namespace weir::cli::bench_batch {

namespace {

struct Options : CaseInputs {
  std::uint32_t rows = 1'024;
  std::uint32_t steps = 100;
  std::vector<std::uint32_t> grammars = {1, 40, 1'024};
  ThreadCounts threads;
  std::string svg_path;
};

// A grammar with its valid texts as tokens.
struct Source {
  Grammar grammar;
  std::vector<std::vector<std::uint32_t>> texts;
};

std::vector<Source> read_sources(const Options& options, const TokenizerInfo& tokenizer, const Limits& limits) {
  const std::uint32_t most = *std::max_element(options.grammars.begin(), options.grammars.end());
  std::vector<Source> sources;
  CaseFile file(options.cases);
  Progress progress("reading", file.size());
  while (sources.size() < most) {
    const std::optional<Case> next = file.next();
    if (!next) break;
    progress.update(file.position());
    const Result<Grammar> grammar = read_grammar(*next, schema_options(options.schema), limits);
    if (!grammar) continue;
    Source source{*grammar, {}};
    for (const CaseTest& test : next->tests) {
      if (!test.valid) continue;
      const auto tokens = tokens_of(test, tokenizer);
      if (tokens) source.texts.push_back(*tokens);
    }
    if (!source.texts.empty()) sources.push_back(std::move(source));
  }
  return sources;
}

std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point begin) {
  const auto passed = std::chrono::steady_clock::now() - begin;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
}

// What all threads of the process have taken so far. Unlike times of calls, these say the same on a busy machine.
struct Usage {
  double cpu_seconds = 0;
  double waits = 0;      // times that a thread gave up its processor, as it does to wait for a lock
  double preempted = 0;  // times that a processor was taken from a thread for another one, or for another process
};

Usage usage_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_nvcsw),
          static_cast<double>(usage.ru_nivcsw)};
}

// The time of a row's mask.
struct RowTime {
  std::uint64_t nanoseconds = 0;  // 0: the row's text has ended
  bool explores = false;          // the mask was not known, so it was computed under the lock of the grammar
};
using CallTimes = std::vector<std::vector<RowTime>>;  // [call][row]

std::uint64_t sum_of(const std::vector<RowTime>& rows) {
  std::uint64_t sum = 0;
  for (const RowTime& row : rows) sum += row.nanoseconds;
  return sum;
}

struct Pass {
  std::vector<std::uint64_t> calls;  // nanoseconds of each call for masks
  std::size_t masks = 0;
  std::size_t refused = 0;  // texts with a refused token
  CallTimes rows = {};      // if the rows were filled one by one
  Usage usage = {};         // of all calls
  [[nodiscard]] double seconds() const {
    return static_cast<double>(std::accumulate(calls.begin(), calls.end(), std::uint64_t{0})) / 1e9;
  }
};

// Rows that step together, as a server's requests do. Row r walks a text of grammar r modulo the number of grammars.
class Rows {
 public:
  Rows(const Options& options, const std::vector<Source>& sources, const std::vector<CompiledGrammar>& compiled)
      : max_steps_(options.steps), words_(bitmask_words(compiled[0].tokenizer_info().vocab_size())) {
    for (std::uint32_t row = 0; row < options.rows; ++row) {
      const std::size_t grammar = row % compiled.size();
      const auto& texts = sources[grammar].texts;
      matchers_.emplace_back(compiled[grammar]);
      texts_.push_back(&texts[row / compiled.size() % texts.size()]);
    }
    bitmasks_.resize(matchers_.size() * words_);
    steps_.resize(matchers_.size());
  }

  // Walks all texts. Without a batch matcher fills the rows one by one, and takes the time of each.
  Pass walk(BatchMatcher* batch) {
    Pass pass;
    std::vector<GrammarMatcher*> active;
    for (GrammarMatcher& matcher : matchers_) active.push_back(&matcher);
    for (std::size_t step = 0; step < max_steps_; ++step) {
      for (std::size_t row = 0; row < active.size(); ++row) {
        if (active[row] != nullptr && step >= texts_[row]->size()) active[row] = nullptr;
      }
      const auto masks =
          static_cast<std::size_t>(std::ranges::count_if(active, [](auto* row) { return row != nullptr; }));
      if (masks == 0) break;
      pass.masks += masks;
      const Usage before = usage_now();
      fill(batch, active, pass);
      const Usage after = usage_now();
      pass.usage.cpu_seconds += after.cpu_seconds - before.cpu_seconds;
      pass.usage.waits += after.waits - before.waits;
      pass.usage.preempted += after.preempted - before.preempted;
      for (std::size_t row = 0; row < active.size(); ++row) {
        if (active[row] == nullptr) continue;
        const std::uint32_t token = (*texts_[row])[step];
        const bool allowed = steps_[row] == Step::kOk && bitmask_get(bitmask(row), token);
        if (allowed && active[row]->accept_token(token) == Step::kOk) continue;
        ++pass.refused;
        active[row] = nullptr;
      }
    }
    for (GrammarMatcher& matcher : matchers_) matcher.reset();
    return pass;
  }

 private:
  std::span<std::uint32_t> bitmask(std::size_t row) { return std::span(bitmasks_).subspan(row * words_, words_); }

  void fill(BatchMatcher* batch, const std::vector<GrammarMatcher*>& active, Pass& pass) {
    if (batch != nullptr) {
      const auto begin = std::chrono::steady_clock::now();
      if (batch->fill_next_token_bitmasks(active, bitmasks_, steps_) != Step::kOk) throw InputError("the batch failed");
      pass.calls.push_back(nanoseconds_since(begin));
      return;
    }
    std::vector<RowTime>& rows = pass.rows.emplace_back(active.size());
    for (std::size_t row = 0; row < active.size(); ++row) {
      if (active[row] == nullptr) continue;
      const std::uint64_t known = active[row]->compiled_grammar().stats().masks;
      const auto begin = std::chrono::steady_clock::now();
      steps_[row] = active[row]->fill_next_token_bitmask(bitmask(row));
      rows[row].nanoseconds = std::max<std::uint64_t>(nanoseconds_since(begin), 1);
      rows[row].explores = active[row]->compiled_grammar().stats().masks != known;
    }
    pass.calls.push_back(sum_of(rows));
  }

  std::size_t max_steps_;
  std::size_t words_;
  std::vector<GrammarMatcher> matchers_;
  std::vector<const std::vector<std::uint32_t>*> texts_;
  std::vector<std::uint32_t> bitmasks_;
  std::vector<Step> steps_;
};

// Returns the nanoseconds that the calls would take on `threads` processors. An idle thread takes the next row; if its
// mask is not known, it waits until no other thread explores the row's grammar.
std::uint64_t simulate(const CallTimes& calls, std::size_t grammars, std::uint32_t threads) {
  std::uint64_t total = 0;
  for (const std::vector<RowTime>& rows : calls) {
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> idle_at;
    for (std::uint32_t i = 0; i < threads; ++i) idle_at.push(0);
    std::vector<std::uint64_t> free_at(grammars);
    std::uint64_t end = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row].nanoseconds == 0) continue;
      std::uint64_t& lock = free_at[row % grammars];
      const std::uint64_t begin = rows[row].explores ? std::max(idle_at.top(), lock) : idle_at.top();
      const std::uint64_t done = begin + rows[row].nanoseconds;
      idle_at.pop();
      idle_at.push(done);
      if (rows[row].explores) lock = done;
      end = std::max(end, done);
    }
    total += end;
  }
  return total;
}

// Returns by how much each call took longer than its rows need: the sum of the rows' own times, divided among the
// threads, or the time of the slowest row if that is more.
std::vector<std::uint64_t> excesses(const Pass& alone, const Pass& pass, std::uint32_t threads) {
  std::vector<std::uint64_t> found;
  for (std::size_t call = 0; call < std::min(alone.rows.size(), pass.calls.size()); ++call) {
    const std::vector<RowTime>& rows = alone.rows[call];
    const RowTime& slowest = *std::ranges::max_element(rows, {}, &RowTime::nanoseconds);
    const std::uint64_t needed = std::max(sum_of(rows) / threads, slowest.nanoseconds);
    found.push_back(pass.calls[call] > needed ? pass.calls[call] - needed : 0);
  }
  return found;
}

struct Side {
  double masks_per_second = 0;
  Distribution call = {};
  Distribution excess = {};
  Usage usage = {};  // a call
};

struct Measured {
  std::size_t grammars = 0;
  std::uint32_t threads = 0;
  Side cold = {}, warm = {};
};

struct Simulated {
  std::size_t grammars = 0;
  std::uint32_t threads = 0;
  double cold_times = 0;  // as many times as fast as one thread
};

struct Results {
  std::vector<Measured> measured;
  std::vector<Simulated> simulated;
  std::size_t refused = 0;
};

void measure(const Options& options, const std::vector<Source>& sources, std::size_t grammars,
             const std::vector<std::uint32_t>& threads, Results& results) {
  const Limits limits = read_limits(options.limits);
  Pass alone_cold, alone_warm;  // one thread, row by row
  for (const std::uint32_t count : threads) {
    // Each number of threads has a tokenizer and grammars of its own, so that all begin equally cold.
    const GrammarCompiler compiler(load_tokenizer(options.tokenizer), limits);
    std::vector<CompiledGrammar> compiled;
    for (std::size_t i = 0; i < grammars; ++i) {
      Result<CompiledGrammar> made = compiler.compile(sources[i].grammar);
      if (!made) throw InputError(made.error().message, made.error());
      compiled.push_back(*std::move(made));
    }
    Rows rows(options, sources, compiled);
    BatchMatcher batch(count);
    Pass cold = rows.walk(count == 1 ? nullptr : &batch);
    Pass warm = rows.walk(count == 1 ? nullptr : &batch);
    results.refused += cold.refused + warm.refused;
    if (count == 1) {
      alone_cold = cold;
      alone_warm = warm;
      const std::uint64_t of_one = simulate(cold.rows, grammars, 1);
      for (const std::uint32_t many : {8U, 32U}) {
        const std::uint64_t time = std::max<std::uint64_t>(simulate(cold.rows, grammars, many), 1);
        results.simulated.push_back({grammars, many, static_cast<double>(of_one) / static_cast<double>(time)});
      }
    }
    const auto side = [&](const Pass& pass, const Pass& alone) {
      const double calls = std::max(static_cast<double>(pass.calls.size()), 1.0);
      return Side{static_cast<double>(pass.masks) / std::max(pass.seconds(), 1e-9),
                  distribution_of(pass.calls),
                  distribution_of(excesses(alone, pass, count)),
                  {pass.usage.cpu_seconds / calls, pass.usage.waits / calls, pass.usage.preempted / calls}};
    };
    results.measured.push_back({grammars, count, side(cold, alone_cold), side(warm, alone_warm)});
  }
}

const Measured& of_one_thread(const Results& results, const Measured& row) {
  return *std::ranges::find_if(results.measured,
                               [&](const Measured& m) { return m.grammars == row.grammars && m.threads == 1; });
}

void print_table(const Results& results) {
  fmt::print("{:>8} {:>7} {:>4} | {:>12} {:>7} | {:>10} {:>10} {:>10} | {:>10} {:>10} | {:>10} {:>6} {:>9}\n",
             "grammars", "threads", "", "masks/s", "of one", "call p50", "p99", "max", "beyond p99", "max", "CPU, mean",
             "waits", "preempted");
  for (const Measured& row : results.measured) {
    const Measured& one = of_one_thread(results, row);
    const auto print = [&](const char* name, const Side& side, const Side& of_one) {
      fmt::print(
          "{:>8} {:>7} {:>4} | {:>12.0f} {:>6.2f}x | {:>10} {:>10} {:>10} | {:>10} {:>10} | {:>10} {:>6.1f} {:>9.1f}\n",
          row.grammars, row.threads, name, side.masks_per_second, side.masks_per_second / of_one.masks_per_second,
          format_time(static_cast<double>(side.call.p50)), format_time(static_cast<double>(side.call.p99)),
          format_time(static_cast<double>(side.call.max)), format_time(static_cast<double>(side.excess.p99)),
          format_time(static_cast<double>(side.excess.max)), format_time(side.usage.cpu_seconds * 1e9),
          side.usage.waits, side.usage.preempted);
    };
    print("cold", row.cold, one.cold);
    print("warm", row.warm, one.warm);
  }
  fmt::print("\ncold, computed from the times of the rows on one thread:\n");
  for (const Simulated& row : results.simulated) {
    fmt::print("{:>8} grammars, {:>2} threads: {:.1f} times as fast as one\n", row.grammars, row.threads,
               row.cold_times);
  }
}

Json to_json(const Side& side) {
  return {{"masks_per_s", side.masks_per_second},
          {"call", weir::cli::to_json(side.call)},
          {"beyond_own_work", weir::cli::to_json(side.excess)},
          {"cpu_s_per_call", side.usage.cpu_seconds},
          {"waits_per_call", side.usage.waits},
          {"preempted_per_call", side.usage.preempted}};
}

void print_json(const Options& options, const Results& results) {
  Json measured = Json::array(), simulated = Json::array();
  for (const Measured& row : results.measured) {
    measured.push_back({{"grammars", row.grammars},
                        {"threads", row.threads},
                        {"cold", to_json(row.cold)},
                        {"warm", to_json(row.warm)}});
  }
  for (const Simulated& row : results.simulated) {
    simulated.push_back({{"grammars", row.grammars}, {"threads", row.threads}, {"cold_times_one", row.cold_times}});
  }
  fmt::print(
      "{}\n",
      Json{{"rows", options.rows}, {"refused", results.refused}, {"measured", measured}, {"simulated", simulated}}
          .dump());
}

std::string chart(const Options& options, const Results& results) {
  std::vector<Panel> panels;
  for (const bool is_cold : {true, false}) {
    Panel panel{is_cold ? "cold" : "warm", "grammars", "call of all rows, median, microseconds", {}, {}};
    for (const Measured& row : results.measured) {
      const std::string name = fmt::format("{} thread{}", row.threads, row.threads == 1 ? "" : "s");
      auto series = std::ranges::find_if(panel.series, [&](const Series& s) { return s.name == name; });
      if (series == panel.series.end()) series = panel.series.insert(series, {name, {}});
      const double x = std::log10(static_cast<double>(row.grammars));
      const std::uint64_t time = is_cold ? row.cold.call.p50 : row.warm.call.p50;
      series->points.emplace_back(x, static_cast<double>(time) / 1e3);
      const std::pair<double, std::string> tick{x, fmt::format("{}", row.grammars)};
      if (std::ranges::find(panel.x_ticks, tick) == panel.x_ticks.end()) panel.x_ticks.push_back(tick);
    }
    panels.push_back(std::move(panel));
  }
  return render_svg(panels, fmt::format("{} rows", options.rows));
}

int run(const Options& options) {
  const Limits limits = read_limits(options.limits);
  const std::vector<Source> sources = read_sources(options, load_tokenizer(options.tokenizer), limits);
  if (sources.empty()) throw InputError("no case has a valid text that the tokenizer has tokens for");
  const std::vector<std::uint32_t> threads = options.threads.list();
  std::vector<std::size_t> grammars;
  for (const std::uint32_t count : options.grammars) {
    const std::size_t available = std::min<std::size_t>({count, sources.size(), options.rows});
    if (std::ranges::find(grammars, available) == grammars.end()) grammars.push_back(available);
  }
  Results results;
  for (const std::size_t count : grammars) measure(options, sources, count, threads, results);
  if (!options.svg_path.empty()) write_file(options.svg_path, chart(options, results));
  if (options.json) {
    print_json(options, results);
  } else {
    print_table(results);
    if (results.refused != 0) fmt::print("refused texts: {}\n", results.refused);
  }
  return results.refused == 0 ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
All rows step together: one call fills the masks of all rows, then each row accepts the next token of its text. Row r
has the grammar of the case r modulo the number of grammars. Cold: nothing is known of the grammars or the vocabulary;
warm: the same texts again. With one thread the rows are filled one by one, and the time of each is taken. From these
follows "beyond": by how much a call takes longer than the sum of its rows' times, divided among the threads, or than
its slowest row if that is more. Rows of one grammar compute unknown masks under one lock; the last lines say how much
faster more threads could be with that. "CPU" is the processor time of all threads in a call, "waits" how often one of
them gave up its processor, as to wait for a lock or for the next call, "preempted" how often one was taken away.
JSON: {"rows", "refused", "measured": [{"grammars", "threads", "cold": {"masks_per_s", "call": {"p50_ns", …},
"beyond_own_work", "cpu_s_per_call", "waits_per_call", "preempted_per_call"}, "warm"}],
"simulated": [{"grammars", "threads", "cold_times_one"}]}.
Exit status: 0 done; 1 a valid text was refused; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("batch", "Calls for batches of rows, of one grammar or many, by threads");
  app->footer(kFooter);
  options->add_options(*app);
  const auto count = [&](const char* name, auto& value, const char* what) {
    return app->add_option(name, value, what)->type_name("N")->check(CLI::Range(1, 100'000))->capture_default_str();
  };
  count("--rows", options->rows, "Rows of a batch");
  count("--steps", options->steps, "Steps of a row at most");
  count("--grammars", options->grammars, "Numbers of grammars, as many as the file has at most")->delimiter(',');
  options->threads.add_option(*app);
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_batch
