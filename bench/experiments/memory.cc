// `weir bench memory`: measures the memory of a tokenizer, of explored compiled grammars, and of the process.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case_inputs.h"
#include "distribution.h"
#include "experiments.h"
#include "memory_soak.h"
#include "process_memory.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli::bench_memory {

namespace {

struct Options : CaseInputs {
  std::uint32_t largest = 10;
  double hours = 0;
  std::uint32_t matchers = 1'000;
};

// The memory of a case after its valid texts were walked, in bytes.
struct CaseMemory {
  std::string id;
  std::uint64_t compiled = 0;  // Heap growth after compiling.
  std::uint64_t explored = 0;  // Heap growth after the texts.
  std::uint64_t counted = 0;   // EngineStats::memory_bytes after the texts.
};

struct Measured {
  std::uint64_t tokenizer = 0;        // Heap growth when it is ready.
  std::uint64_t tokenizer_after = 0;  // The same after all cases, which may leave data in it.
  std::uint64_t resident = 0, peak = 0;
  std::vector<CaseMemory> cases;
  std::vector<std::pair<std::string, Error>> refused;  // Ids and errors of cases that did not compile.
};

void walk(GrammarMatcher& matcher, const CaseTest& test, std::vector<std::uint32_t>& bitmask) {
  const auto tokens = tokens_of(test, matcher.compiled_grammar().tokenizer_info());
  if (!tokens) return;
  matcher.reset();
  for (const std::uint32_t token : *tokens) {
    if (matcher.fill_next_token_bitmask(bitmask) != Step::kOk || matcher.accept_token(token) != Step::kOk) return;
  }
  // Only the memory of this mask matters, not whether the text may end here.
  [[maybe_unused]] const Step last = matcher.fill_next_token_bitmask(bitmask);
}

Result<CaseMemory> measure_case(const Case& input, const GrammarCompiler& compiler, const JsonSchemaOptions& schema,
                                const Limits& limits, std::vector<std::uint32_t>& bitmask) {
  CaseMemory out{input.id};
  const std::uint64_t before = heap_bytes();
  const Result<CompiledGrammar> compiled =
      read_grammar(input, schema, limits).and_then([&](const Grammar& grammar) { return compiler.compile(grammar); });
  if (!compiled) return tl::unexpected(compiled.error());
  out.compiled = heap_growth_since(before);
  GrammarMatcher matcher(*compiled);
  for (const CaseTest& test : input.tests) {
    if (test.valid) walk(matcher, test, bitmask);
  }
  matcher.reset();
  out.explored = heap_growth_since(before);
  out.counted = compiled->stats().memory_bytes;
  return out;
}

Measured measure(const Options& options) {
  const Limits limits = read_limits(options.limits);
  const JsonSchemaOptions schema = schema_options(options.schema);
  CaseFile file(options.cases);
  Measured out;
  const std::uint64_t before = heap_bytes();
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  // The first call builds the tables of tokenize(), which are the tokenizer's memory, not that of the first case.
  [[maybe_unused]] const auto tokens = tokenizer.tokenize("a");
  const GrammarCompiler compiler(tokenizer, limits);
  out.tokenizer = heap_growth_since(before);
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  // Memory that remains after a case belongs to the tokenizer. The results are not counted.
  std::uint64_t left = 0;
  Progress progress("cases", file.size());
  while (const std::optional<Case> next = file.next()) {
    const std::uint64_t before_case = heap_bytes();
    Result<CaseMemory> memory = measure_case(*next, compiler, schema, limits, bitmask);
    if (memory) {
      const std::uint64_t kept_strings = memory->id.capacity() > 15 ? memory->id.capacity() + 1 : 0;
      const std::uint64_t more = heap_growth_since(before_case);
      left += more > kept_strings ? more - kept_strings : 0;
      out.cases.push_back(*std::move(memory));
    } else {
      out.refused.emplace_back(next->id, std::move(memory.error()));
    }
    progress.update(file.position());
  }
  out.tokenizer_after = out.tokenizer + left;
  out.resident = resident_bytes();
  out.peak = peak_resident_bytes();
  return out;
}

Distribution distribution_of_cases(const Measured& measured, std::uint64_t CaseMemory::*field) {
  std::vector<std::uint64_t> bytes;
  for (const CaseMemory& memory : measured.cases) bytes.push_back(memory.*field);
  return distribution_of(std::move(bytes));
}

struct Row {
  const char* name;
  const char* key;
  std::uint64_t CaseMemory::*field;
};
constexpr Row kRows[] = {{"compiled", "compiled", &CaseMemory::compiled},
                         {"with its texts", "explored", &CaseMemory::explored},
                         {"as it is counted", "counted", &CaseMemory::counted}};

std::vector<CaseMemory> largest(const Measured& measured, std::size_t count) {
  std::vector<CaseMemory> cases = measured.cases;
  std::sort(cases.begin(), cases.end(),
            [](const CaseMemory& a, const CaseMemory& b) { return a.explored > b.explored; });
  cases.resize(std::min(count, cases.size()));
  return cases;
}

void print_tables(const Measured& measured, const Options& options) {
  fmt::print("tokenizer {}; with what {} cases left with it {}; process {}, at most {}\n\n",
             format_bytes(measured.tokenizer), measured.cases.size(), format_bytes(measured.tokenizer_after),
             format_bytes(measured.resident), format_bytes(measured.peak));
  fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "a grammar", "mean", "p50", "p90", "p99", "p99.9", "max");
  for (const Row& row : kRows) {
    const Distribution d = distribution_of_cases(measured, row.field);
    fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", row.name, format_bytes(d.mean), format_bytes(d.p50),
               format_bytes(d.p90), format_bytes(d.p99), format_bytes(d.p999), format_bytes(d.max));
  }
  if (!measured.refused.empty()) fmt::print("\ncases that did not compile: {}\n", measured.refused.size());
  for (const auto& [id, error] : measured.refused) fmt::print("  {}: {}\n", escape(id), escape(error.message, 200));
  fmt::print("\nlargest, with their texts\n");
  for (const CaseMemory& memory : largest(measured, options.largest)) {
    fmt::print("{:>9}  {}\n", format_bytes(memory.explored), escape(memory.id));
  }
}

Json bytes_json(const Distribution& d) {
  return {{"count", d.count}, {"mean", d.mean},  {"p50", d.p50}, {"p90", d.p90},
          {"p99", d.p99},     {"p99.9", d.p999}, {"max", d.max}};
}

void print_json(const Measured& measured, const Options& options) {
  Json out = {{"cases", measured.cases.size()},        {"refused", measured.refused.size()},
              {"tokenizer_bytes", measured.tokenizer}, {"tokenizer_bytes_after", measured.tokenizer_after},
              {"resident_bytes", measured.resident},   {"peak_resident_bytes", measured.peak}};
  for (const Row& row : kRows) out["grammar_bytes"][row.key] = bytes_json(distribution_of_cases(measured, row.field));
  out["refused_cases"] = Json::array();
  for (const auto& [id, error] : measured.refused) {
    out["refused_cases"].push_back({{"id", id}, {"error", error_json(error)}});
  }
  out["largest"] = Json::array();
  for (const CaseMemory& memory : largest(measured, options.largest)) {
    out["largest"].push_back({{"id", memory.id}, {"bytes", memory.explored}});
  }
  fmt::print("{}\n", json_text(out));
}

int run(const Options& options) {
  if (options.hours > 0) return run_soak({options, options.hours, options.matchers});
  const Measured measured = measure(options);
  if (options.json) {
    print_json(measured, options);
  } else {
    print_tables(measured, options);
  }
  return measured.refused.empty() ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
The file is that of `weir cases`. Each case is compiled and its valid texts are walked. Bytes are those that the program
has from malloc, without what malloc itself needs: of the tokenizer when it is ready, and with what is left after when
all cases are gone; of a grammar when it is compiled, and after its texts, beside what its own count says.
JSON: {"cases", "refused", "tokenizer_bytes", "tokenizer_bytes_after", "resident_bytes", "peak_resident_bytes",
"grammar_bytes": {"compiled": {"p50", …}, "explored", "counted"}, "refused_cases": [{"id", "error"}],
"largest": [{"id", "bytes"}]}.
With --hours: matchers step in turn, each with a grammar of its own choice; one whose text has ended takes the next case
of the file, over and over. Schemas are compiled with the cache of a compiler (`--limit cache_memory=…`). One of
eight matchers has a budget of tokens, and one writes canonical tokens. A row of the table is a twentieth of the time.
"grammars" are the compiled ones that matchers have at that moment, "cached" is what the cache has by its own count, "a
matcher" is what copies of the matchers add to the heap, "a grammar" is its own count. Last, all matchers and compiled
grammars are dropped: what the heap then has more than before the first is what the tokenizer keeps.
JSON: {"hours", "matchers", "rows": [{"seconds", "steps", "requests", "grammars", "cached_bytes", "heap_bytes",
"resident_bytes"}], "heap_before_bytes", "heap_at_rest_bytes", "matcher_bytes": {"p50", …}, "grammar_bytes", "cache"}.
Exit status: 0 done; 1 a case did not compile; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("memory", "Bytes of a tokenizer and of compiled grammars");
  app->footer(kFooter);
  options->add_options(*app);
  app->add_option("--largest", options->largest, "List so many of the largest")->type_name("N")->capture_default_str();
  app->add_option("--hours", options->hours, "Keep matchers at work for so long, and print the memory on the way")
      ->type_name("HOURS")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--matchers", options->matchers, "With --hours: so many at once")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_memory
