// `weir bench memory`: measures the memory of a tokenizer, of explored compiled grammars, and of the process.
#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case_file.h"
#include "distribution.h"
#include "experiments.h"
#include "inputs.h"
#include "limit_option.h"
#include "schema_input.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli::bench_memory {

namespace {

struct Options {
  CaseSelection cases;
  TokenizerInput tokenizer;
  SchemaInput schema;
  std::vector<std::string> limits;
  std::uint32_t largest = 10;
  bool json = false;
};

// Returns the bytes that the program currently has from malloc.
std::uint64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long size = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

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

std::uint64_t more_than(std::uint64_t before) {
  const std::uint64_t now = heap_bytes();
  return now > before ? now - before : 0;
}

void walk(GrammarMatcher& matcher, const CaseTest& test, std::vector<std::uint32_t>& bitmask) {
  const Result<std::vector<std::uint32_t>> tokens =
      test.tokens ? *test.tokens : matcher.compiled_grammar().tokenizer_info().tokenize(test.text);
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
  if (!input.input) return tl::unexpected(input.input.error());
  CaseMemory out{input.id};
  const std::uint64_t before = heap_bytes();
  const Result<CompiledGrammar> compiled = [&]() -> Result<CompiledGrammar> {
    const Result<Grammar> grammar = read_grammar(*input.input, schema, limits);
    if (!grammar) return tl::unexpected(grammar.error());
    return compiler.compile(*grammar);
  }();
  if (!compiled) return tl::unexpected(compiled.error());
  out.compiled = more_than(before);
  GrammarMatcher matcher(*compiled);
  for (const CaseTest& test : input.tests) {
    if (test.valid) walk(matcher, test, bitmask);
  }
  matcher.reset();
  out.explored = more_than(before);
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
  out.tokenizer = more_than(before);
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  // Memory that remains after a case belongs to the tokenizer. The results are not counted.
  std::uint64_t left = 0;
  Progress progress("cases", file.size());
  while (const std::optional<Case> next = file.next()) {
    const std::uint64_t before_case = heap_bytes();
    Result<CaseMemory> memory = measure_case(*next, compiler, schema, limits, bitmask);
    if (memory) {
      const std::uint64_t kept_strings = memory->id.capacity() > 15 ? memory->id.capacity() + 1 : 0;
      const std::uint64_t more = more_than(before_case);
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

std::string format_bytes(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  return fmt::format("{:.1f} MB", bytes / 1e6);
}
std::string format_bytes(std::uint64_t bytes) { return format_bytes(static_cast<double>(bytes)); }

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
  fmt::print("{}\n", out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

int run(const Options& options) {
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
Exit status: 0 done; 1 a case did not compile; 2 no answer.)";

}  // namespace

Command add(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand("memory", "Bytes of a tokenizer and of compiled grammars");
  app->footer(kFooter);
  add_case_options(*app, options->cases);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--largest", options->largest, "List so many of the largest")->type_name("N")->capture_default_str();
  add_limit_option(*app, options->limits);
  add_schema_options(*app, options->schema);
  app->add_flag("--json", options->json, "JSON instead of a table");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::bench_memory
