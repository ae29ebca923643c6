// `weir bench threads`: measures how many masks a second several threads fill for shared compiled grammars.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "case_inputs.h"
#include "experiments.h"
#include "terminal.h"
#include "text.h"
#include "thread_counts.h"
#include "weir/bitmask.h"

namespace weir::cli::bench_threads {

namespace {

struct Options : CaseInputs {
  ThreadCounts threads;
  std::uint32_t rounds = 5;
};

// One valid text of a case: its tokens and the index of its grammar.
struct Request {
  std::size_t grammar = 0;
  std::vector<std::uint32_t> tokens;
};

struct Work {
  std::vector<Grammar> grammars;
  std::vector<Request> requests;
  std::size_t steps = 0;  // tokens of all requests
};

Work read_work(const Options& options, const TokenizerInfo& tokenizer, const Limits& limits) {
  Work work;
  CaseFile file(options.cases);
  Progress progress("reading", file.size());
  while (const std::optional<Case> next = file.next()) {
    progress.update(file.position());
    Result<Grammar> grammar = read_grammar(*next, schema_options(options.schema), limits);
    if (!grammar) continue;
    work.grammars.push_back(*std::move(grammar));
    for (const CaseTest& test : next->tests) {
      if (!test.valid) continue;
      const auto tokens = tokens_of(test, tokenizer);
      if (!tokens) continue;
      work.requests.push_back({work.grammars.size() - 1, *tokens});
      work.steps += tokens->size();
    }
  }
  return work;
}

// Threads that walk requests until none remains. An idle thread takes the next request, so one thread walks each
// request. Counts the requests with a refused token.
class Walkers {
 public:
  Walkers(const Work& work, const std::vector<CompiledGrammar>& compiled, std::uint32_t rounds)
      : work_(work), compiled_(compiled), rounds_(rounds) {}

  /// Returns the nanoseconds until all requests are done.
  std::uint64_t run(std::uint32_t threads) {
    next_ = 0;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> others;
    for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back([this] { walk(); });
    walk();
    for (std::thread& other : others) other.join();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count());
  }
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  void walk() {
    const std::size_t all = work_.requests.size() * rounds_;
    std::vector<std::uint32_t> bitmask;
    for (std::size_t i = next_++; i < all; i = next_++) {
      const Request& request = work_.requests[i % work_.requests.size()];
      const CompiledGrammar& grammar = compiled_[request.grammar];
      bitmask.resize(bitmask_words(grammar.tokenizer_info().vocab_size()));
      GrammarMatcher matcher(grammar);
      for (const std::uint32_t token : request.tokens) {
        const bool filled = matcher.fill_next_token_bitmask(bitmask) == Step::kOk;
        if (filled && bitmask_get(bitmask, token) && matcher.accept_token(token) == Step::kOk) continue;
        ++refused_;
        break;
      }
    }
  }

  const Work& work_;
  const std::vector<CompiledGrammar>& compiled_;
  std::uint32_t rounds_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> refused_ = 0;
};

struct Row {
  std::uint32_t threads = 0;
  double cold = 0, warm = 0;  // steps per second
};

int run(const Options& options) {
  const Limits limits = read_limits(options.limits);
  const Work work = read_work(options, load_tokenizer(options.tokenizer), limits);
  if (work.requests.empty()) throw InputError("no case has a valid text that the tokenizer has tokens for");
  std::vector<Row> rows;
  std::size_t refused = 0;
  for (const std::uint32_t threads : options.threads.list()) {
    // Each row has a tokenizer and grammars of its own, so that every row starts equally cold.
    const GrammarCompiler compiler(load_tokenizer(options.tokenizer), limits);
    std::vector<CompiledGrammar> compiled;
    for (const Grammar& grammar : work.grammars) {
      Result<CompiledGrammar> made = compiler.compile(grammar);
      if (!made) throw InputError(made.error().message, made.error());
      compiled.push_back(*std::move(made));
    }
    const auto rate = [&](std::uint32_t rounds) {
      Walkers walkers(work, compiled, rounds);
      const std::uint64_t elapsed = walkers.run(threads);
      refused += walkers.refused();
      return static_cast<double>(work.steps) * rounds * 1e9 / static_cast<double>(std::max<std::uint64_t>(elapsed, 1));
    };
    const double cold = rate(1);
    rows.push_back({threads, cold, rate(options.rounds)});
  }
  if (options.json) {
    Json out = Json::array();
    for (const Row& row : rows) {
      out.push_back({{"threads", row.threads}, {"cold_steps_per_s", row.cold}, {"warm_steps_per_s", row.warm}});
    }
    fmt::print("{}\n", Json{{"steps", work.steps}, {"refused", refused}, {"rows", out}}.dump());
  } else {
    fmt::print("{:>8} | {:>14} {:>8} | {:>14} {:>8}\n", "threads", "cold steps/s", "of one", "warm steps/s", "of one");
    for (const Row& row : rows) {
      fmt::print("{:>8} | {:>14.0f} {:>7.2f}x | {:>14.0f} {:>7.2f}x\n", row.threads, row.cold, row.cold / rows[0].cold,
                 row.warm, row.warm / rows[0].warm);
    }
    if (refused != 0) fmt::print("refused texts: {}\n", refused);
  }
  return refused == 0 ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
A step is a mask and accepting the next token. Threads take the valid texts of all cases in turn, each with a matcher of
its own, on compiled grammars that all of them share. Cold: nothing is known of the grammars or the vocabulary; warm:
the same texts again, --rounds times. Rows double the threads. Wall-clock time: other programs' work is in it.
JSON: {"steps", "refused", "rows": [{"threads", "cold_steps_per_s", "warm_steps_per_s"}]}.
Exit status: 0 done; 1 a valid text was refused; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("threads", "Masks a second, by threads that share compiled grammars");
  app->footer(kFooter);
  options->add_options(*app);
  options->threads.add_option(*app);
  app->add_option("--rounds", options->rounds, "Warm rounds over the texts")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_threads
