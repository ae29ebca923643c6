// Measures what JSON Schemas cost before the first token: bench_schema CASES.jsonl TOKENIZER [--each | ID [TIMES]]
//
// Each line of CASES is a case {"id", "schema", ...}. For each case, cold, it measures the time of compiling, the time
// of the first mask, and the time of making each of the first lazy rules, in the order of their ids. It prints
// percentiles and the slowest cases; with --each, one line for each case. With an ID, it measures only that case, TIMES
// times, for profilers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json_value.h"
#include "frontend/json_schema/json_schema.h"
#include "grammar/growth.h"
#include "grammar/passes/pipeline.h"
#include "weir/weir.h"

namespace weir {
namespace {

constexpr std::uint32_t kRules = 300;
constexpr double kRulesMs = 1'000;
constexpr std::size_t kShown = 12;

struct Case {
  std::string id;
  std::string schema;
};

std::vector<Case> read_cases(const char* path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto document = base::JsonDocument::parse(line, {});
    if (!document) continue;
    const auto* id = document->root().find("id");
    const auto* schema = document->root().find("schema");
    if (id == nullptr || schema == nullptr) continue;
    const SourceRange where = schema->where();
    cases.push_back({std::string(id->string()), line.substr(where.start, where.end - where.start)});
  }
  return cases;
}

// Returns this thread's processor time, which other programs affect less than the wall clock.
double now_ms() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}
double milliseconds_since(double start) { return now_ms() - start; }

class Row {
 public:
  explicit Row(std::string_view name) : name_(name) {}
  void add(double ms, std::size_t index) { times_.emplace_back(ms, index); }

  void print(const std::vector<Case>& cases) {
    if (times_.empty()) return;
    std::sort(times_.begin(), times_.end());
    const auto at = [&](double part) {
      return times_[static_cast<std::size_t>(std::floor(part * static_cast<double>(times_.size() - 1)))].first;
    };
    double sum = 0;
    for (const auto& [ms, index] : times_) sum += ms;
    std::printf("%-22s %8zu  mean %8.3f  p50 %8.3f  p90 %8.3f  p99 %8.3f  p99.9 %8.3f  max %9.3f\n", name_.c_str(),
                times_.size(), sum / static_cast<double>(times_.size()), at(0.5), at(0.9), at(0.99), at(0.999),
                times_.back().first);
    std::vector<std::size_t> shown;
    for (auto it = times_.rbegin(); it != times_.rend() && shown.size() < kShown; ++it) {
      if (std::find(shown.begin(), shown.end(), it->second) != shown.end()) continue;
      shown.push_back(it->second);
      std::printf("    %10.3f  %s, %zu bytes\n", it->first, cases[it->second].id.c_str(),
                  cases[it->second].schema.size());
    }
  }

 private:
  std::string name_;
  std::vector<std::pair<double, std::size_t>> times_;
};

class Bench {
 public:
  explicit Bench(TokenizerInfo tokenizer) : compiler_(tokenizer), tokenizer_(std::move(tokenizer)) {}

  void measure(const Case& c, std::size_t index, bool prints) {
    const double start = now_ms();
    const Result<CompiledGrammar> compiled = compiler_.compile_json_schema(c.schema);
    const double compile_ms = milliseconds_since(start);
    compile_.add(compile_ms, index);
    if (!compiled) {
      ++refused_;
      if (prints) std::printf("%-40s %9.3f  %s\n", c.id.c_str(), compile_ms, compiled.error().message.c_str());
      return;
    }
    std::vector<std::uint32_t> mask(bitmask_words(tokenizer_.vocab_size()));
    const double before_mask = now_ms();
    GrammarMatcher matcher(*compiled);
    if (matcher.fill_next_token_bitmask(mask) != Step::kOk) ++failed_masks_;
    const double mask_ms = milliseconds_since(before_mask);
    mask_.add(mask_ms, index);
    both_.add(compile_ms + mask_ms, index);
    const Rules rules = make_rules(c, index);
    if (!prints) return;
    std::printf("%-40s %8zu bytes  compile %9.3f  first mask %9.3f  %3u rules, mean %8.3f, max %9.3f  nodes %u, %u\n",
                c.id.c_str(), c.schema.size(), compile_ms, mask_ms, rules.count, rules.sum_ms / rules.count,
                rules.max_ms, rules.nodes_before, rules.nodes);
  }

  void print(const std::vector<Case>& cases) {
    std::printf("milliseconds; %zu refused, %zu first masks failed\n", refused_, failed_masks_);
    for (Row* row : {&compile_, &mask_, &both_, &rule_}) row->print(cases);
  }

 private:
  struct Rules {
    std::uint32_t count = 0;
    double sum_ms = 0;
    double max_ms = 0;
    std::uint32_t nodes_before = 0;  // expressions before the first rule was made; `nodes`: after the last
    std::uint32_t nodes = 0;
  };

  Rules make_rules(const Case& c, std::size_t index) {
    Rules made;
    std::vector<Warning> warnings;
    const auto grammar = frontend::json_schema_grammar(c.schema, {}, {}, warnings);
    if (!grammar) return made;
    const auto cfg = grammar::run_passes(*grammar, {}, nullptr);
    if (!cfg) return made;
    regex::ExprSet exprs = cfg->exprs;
    grammar::GrowingCfg growing(*cfg, exprs, [](const grammar::Terminal&) {});
    made.nodes_before = static_cast<std::uint32_t>(exprs.node_count());
    for (std::uint32_t r = 0; r < growing.cfg().rules.size() && r < kRules && made.sum_ms < kRulesMs; ++r) {
      const double start = now_ms();
      static_cast<void>(growing.complete(grammar::RuleId{r}));
      const double ms = milliseconds_since(start);
      rule_.add(ms, index);
      ++made.count;
      made.sum_ms += ms;
      made.max_ms = std::max(made.max_ms, ms);
    }
    made.nodes = static_cast<std::uint32_t>(exprs.node_count());
    return made;
  }

  GrammarCompiler compiler_;
  TokenizerInfo tokenizer_;
  Row compile_{"compile"};
  Row mask_{"first mask"};
  Row both_{"compile + first mask"};
  Row rule_{"a rule"};
  std::size_t refused_ = 0;
  std::size_t failed_masks_ = 0;
};

int run(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench_schema CASES.jsonl TOKENIZER [--each | ID [TIMES]]\n");
    return 2;
  }
  Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(argv[2]);
  if (!tokenizer) {
    std::fprintf(stderr, "%s: %s\n", argv[2], tokenizer.error().message.c_str());
    return 1;
  }
  const std::vector<Case> cases = read_cases(argv[1]);
  Bench bench(std::move(*tokenizer));
  const bool each = argc > 3 && std::string_view(argv[3]) == "--each";
  const int times = argc > 4 ? std::atoi(argv[4]) : 1;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (argc > 3 && !each && cases[i].id != argv[3]) continue;
    for (int k = 0; k < times; ++k) bench.measure(cases[i], i, each);
  }
  if (!each) bench.print(cases);
  return 0;
}

}  // namespace
}  // namespace weir

int main(int argc, char** argv) { return weir::run(argc, argv); }
