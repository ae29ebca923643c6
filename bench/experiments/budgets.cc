// `weir bench budgets`: compares masks of matchers with a budget of tokens (MatcherOptions::max_tokens) with plain ones.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case_inputs.h"
#include "distribution.h"
#include "experiments.h"
#include "stopwatch.h"
#include "svg_chart.h"
#include "terminal.h"
#include "text.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir::cli::bench_budgets {

namespace {

struct Options : CaseInputs {
  std::uint32_t slack = 0;
  std::uint32_t near_end = 24;
  std::uint32_t slowest = 10;
  std::string svg_path;
};

// One mask, computed without a budget and with one.
struct Pair {
  std::uint64_t plain_ns = 0, budget_ns = 0;
  std::uint32_t left = 0;    // tokens of the budget that are left
  bool is_narrowed = false;  // the budget leaves out tokens
  std::size_t named = 0;     // index in Measured::ids
  std::size_t number = 0;    // of the token in its text
  [[nodiscard]] double ratio() const {
    return static_cast<double>(budget_ns) / static_cast<double>(std::max<std::uint64_t>(plain_ns, 1));
  }
};

struct Measured {
  std::vector<std::string> ids;  // of cases
  std::vector<Pair> pairs;
  std::size_t texts = 0;
  std::size_t refused_options = 0;                              // texts whose matcher with a budget is refused
  std::vector<std::pair<std::string, std::string>> wrong = {};  // case id, what is wrong
};

// The two sides share nothing, so that both are equally cold.
struct Side {
  GrammarCompiler compiler;
  std::vector<std::uint32_t> bitmask;
};

std::uint64_t fill(GrammarMatcher& matcher, std::vector<std::uint32_t>& bitmask, Step& step) {
  const Stopwatch watch;
  step = matcher.fill_next_token_bitmask(bitmask);
  return watch.elapsed_ns();
}

// Walks a text. The budget is its number of tokens and Options::slack, so every token of it must be allowed.
void walk(const Options& options, const std::vector<std::uint32_t>& tokens, std::array<GrammarMatcher, 2>& matchers,
          std::array<Side, 2>& sides, Measured& out) {
  const std::string& id = out.ids.back();
  const auto most = static_cast<std::uint32_t>(tokens.size()) + options.slack;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    Pair pair{.left = most - static_cast<std::uint32_t>(i), .named = out.ids.size() - 1, .number = i};
    std::array<Step, 2> steps{};
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const std::size_t side = (turn + i) % 2;
      std::uint64_t& time = side == 0 ? pair.plain_ns : pair.budget_ns;
      time = fill(matchers[side], sides[side].bitmask, steps[side]);
    }
    if (steps[0] != Step::kOk || steps[1] != Step::kOk) {
      if (steps[0] == Step::kOk) out.wrong.emplace_back(id, fmt::format("no mask before token {}", i));
      return;
    }
    pair.is_narrowed = sides[0].bitmask != sides[1].bitmask;
    out.pairs.push_back(pair);
    if (i == tokens.size()) return;
    if (!bitmask_get(sides[0].bitmask, tokens[i])) return;  // the text is not in the language
    if (!bitmask_get(sides[1].bitmask, tokens[i])) {
      out.wrong.emplace_back(id, fmt::format("token {} of a text of {} tokens is left out", i, tokens.size()));
      return;
    }
    for (GrammarMatcher& matcher : matchers) {
      if (matcher.accept_token(tokens[i]) == Step::kOk) continue;
      out.wrong.emplace_back(id, fmt::format("token {} is in the mask, but refused", i));
      return;
    }
  }
}

Measured measure(const Options& options) {
  const Limits limits = read_limits(options.limits);
  const auto side = [&] {
    TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
    std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
    return Side{GrammarCompiler(std::move(tokenizer), limits), std::move(bitmask)};
  };
  std::array<Side, 2> sides{side(), side()};
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  Measured out;
  CaseFile file(options.cases);
  Progress progress("budgets", file.size());
  while (const std::optional<Case> next = file.next()) {
    progress.update(file.position());
    const Result<Grammar> grammar = read_grammar(*next, schema_options(options.schema), limits);
    if (!grammar) continue;
    const Result<CompiledGrammar> plain = sides[0].compiler.compile(*grammar);
    const Result<CompiledGrammar> within = sides[1].compiler.compile(*grammar);
    if (!plain || !within) continue;
    out.ids.push_back(next->id);
    for (const CaseTest& test : next->tests) {
      if (!test.valid) continue;
      const auto tokens = tokens_of(test, tokenizer);
      if (!tokens) continue;
      MatcherOptions budget;
      budget.max_tokens = static_cast<std::uint32_t>(tokens->size()) + options.slack;
      const Result<GrammarMatcher> matcher = GrammarMatcher::create(*within, budget);
      ++out.texts;
      if (!matcher) {
        ++out.refused_options;
        continue;
      }
      std::array<GrammarMatcher, 2> matchers{GrammarMatcher(*plain), *matcher};
      walk(options, *tokens, matchers, sides, out);
    }
  }
  return out;
}

// --- Results ---

struct Group {
  std::string name;
  std::vector<Pair> pairs;
};

std::vector<Group> groups_of(const Options& options, const Measured& measured) {
  std::vector<Group> groups{{"all", {}}, {fmt::format("the last {}", options.near_end), {}}, {"narrowed", {}}};
  for (const Pair& pair : measured.pairs) {
    groups[0].pairs.push_back(pair);
    if (pair.left <= options.near_end) groups[1].pairs.push_back(pair);
    if (pair.is_narrowed) groups[2].pairs.push_back(pair);
  }
  std::erase_if(groups, [](const Group& group) { return group.pairs.empty(); });
  return groups;
}

std::vector<std::uint64_t> times_of(const Group& group, std::uint64_t Pair::*time) {
  std::vector<std::uint64_t> times;
  for (const Pair& pair : group.pairs) times.push_back(pair.*time);
  return times;
}

// Returns the ratio at a percentile, nearest-rank.
double ratio_at(const Group& group, double percent) {
  std::vector<double> ratios;
  for (const Pair& pair : group.pairs) ratios.push_back(pair.ratio());
  const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(ratios.size() - 1) + 0.5);
  std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(rank));
  return ratios[rank];
}

constexpr std::array<double, 3> kPercents{50, 90, 99};

void print_table(const Options& options, const Measured& measured) {
  constexpr std::size_t kName = 24;
  fmt::print("{} texts of {} grammars; {} texts whose budget is refused; {} wrong\n\n", measured.texts,
             measured.ids.size(), measured.refused_options, measured.wrong.size());
  fmt::print("{}\n", distribution_heading(kName));
  const std::vector<Group> groups = groups_of(options, measured);
  for (const Group& group : groups) {
    fmt::print("{}\n",
               distribution_row(group.name + ", plain", kName, distribution_of(times_of(group, &Pair::plain_ns))));
    fmt::print("{}\n",
               distribution_row(group.name + ", budget", kName, distribution_of(times_of(group, &Pair::budget_ns))));
  }
  fmt::print("\n{:<{}} {:>8} {:>8} {:>8}\n", "budget / plain", kName, "p50", "p90", "p99");
  for (const Group& group : groups) {
    fmt::print("{:<{}}", group.name, kName);
    for (const double percent : kPercents) fmt::print(" {:>8.2f}", ratio_at(group, percent));
    fmt::print("\n");
  }
  std::vector<Pair> slow = measured.pairs;
  std::ranges::sort(slow, std::greater<>(), &Pair::budget_ns);
  slow.resize(std::min<std::size_t>(slow.size(), options.slowest));
  if (!slow.empty()) fmt::print("\nslowest masks with a budget:\n");
  for (const Pair& pair : slow) {
    fmt::print("{:>10} {:>10} plain, {} tokens left, token {} of {}\n",
               format_time(static_cast<double>(pair.budget_ns)), format_time(static_cast<double>(pair.plain_ns)),
               pair.left, pair.number, measured.ids[pair.named]);
  }
  for (const auto& [id, what] : measured.wrong) fmt::print("wrong: {}: {}\n", id, what);
}

void print_json(const Options& options, const Measured& measured) {
  Json groups = Json::object();
  for (const Group& group : groups_of(options, measured)) {
    Json ratios = Json::object();
    for (const double percent : kPercents) ratios[fmt::format("p{:.0f}", percent)] = ratio_at(group, percent);
    groups[group.name] = {{"plain", to_json(distribution_of(times_of(group, &Pair::plain_ns)))},
                          {"budget", to_json(distribution_of(times_of(group, &Pair::budget_ns)))},
                          {"ratio", std::move(ratios)}};
  }
  Json wrong = Json::array();
  for (const auto& [id, what] : measured.wrong) wrong.push_back({{"id", id}, {"what", what}});
  fmt::print("{}\n", Json{{"texts", measured.texts},
                          {"refused", measured.refused_options},
                          {"masks", std::move(groups)},
                          {"wrong", std::move(wrong)}}
                         .dump());
}

std::string chart(const Options& options, const Measured& measured) {
  Panel panel{"masks by tokens left", "tokens left", "median, microseconds", {{"plain", {}}, {"budget", {}}}};
  for (std::uint32_t left = 0; left <= 2 * options.near_end; ++left) {
    Group group;
    std::ranges::copy_if(measured.pairs, std::back_inserter(group.pairs),
                         [&](const Pair& pair) { return pair.left == left; });
    if (group.pairs.empty()) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const Distribution times = distribution_of(times_of(group, side == 0 ? &Pair::plain_ns : &Pair::budget_ns));
      panel.series[side].points.emplace_back(left, static_cast<double>(times.p50) / 1e3);
    }
  }
  return render_svg(std::array{panel},
                    fmt::format("{} texts, budgets of their tokens and {}", measured.texts, options.slack));
}

int run(const Options& options) {
  const Measured measured = measure(options);
  if (!options.svg_path.empty()) write_file(options.svg_path, chart(options, measured));
  if (options.json) {
    print_json(options, measured);
  } else {
    print_table(options, measured);
  }
  return measured.wrong.empty() ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
Each valid text is walked by two matchers at once: a plain one, and one whose budget (max_tokens) is the number of the
text's tokens and --slack. Both begin cold, with a tokenizer and a compiler of their own, and take turns. The budget
must allow every token of the text.
JSON: {"texts", "refused", "masks": {"all", "the last 24", "narrowed": {"plain": {"p50_ns", …}, "budget", "ratio":
{"p50", "p90", "p99"}}}, "wrong": [{"id", "what"}]}.
Exit status: 0 done; 1 a token of a text that fits its budget was left out or refused; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("budgets", "Masks with a budget of tokens (max_tokens) beside plain ones");
  app->footer(kFooter);
  options->add_options(*app);
  const auto count = [&](const char* name, auto& value, const char* what) {
    app->add_option(name, value, what)->type_name("N")->check(CLI::Range(0, 100'000))->capture_default_str();
  };
  count("--slack", options->slack, "Tokens of the budget beyond those of the text");
  count("--near-end", options->near_end, "Masks with at most so many tokens left are shown apart");
  count("--slowest", options->slowest, "How many of the slowest masks are listed");
  app->add_option("--svg", options->svg_path, "Write a plot here")->type_name("FILE");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_budgets
