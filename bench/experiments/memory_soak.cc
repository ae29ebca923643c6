#include "memory_soak.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "command.h"
#include "distribution.h"
#include "process_memory.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli {

namespace {

constexpr int kRowsOfATable = 20;
constexpr std::uint32_t kSpareTokens = 8;  // of a matcher with a budget, beyond the tokens of its text

struct SoakRow {
  double seconds = 0;
  std::uint64_t steps = 0, requests = 0, grammars = 0, cached = 0, heap = 0, resident = 0;
};

// A matcher and the text that it is led through.
struct Request {
  std::string id;
  GrammarMatcher matcher;
  std::vector<std::uint32_t> tokens;
  std::size_t at = 0;
};

class Soak {
 public:
  explicit Soak(const SoakOptions& options)
      : options_(options),
        schema_(schema_options(options.schema)),
        file_(options.cases),
        tokenizer_(load_tokenizer(options.tokenizer)),
        limits_(read_limits(options.limits)),
        compiler_(tokenizer_, limits_),
        bitmask_(bitmask_words(tokenizer_.vocab_size())),
        has_canonical_(tokenizer_.canonical_support().has_value()) {}

  void run();
  [[nodiscard]] const std::vector<SoakRow>& rows() const { return rows_; }
  [[nodiscard]] Distribution bytes_of_matchers() const;
  // What stats() counts of each compiled grammar that matchers have.
  [[nodiscard]] Distribution bytes_of_grammars() const;
  // The heap before the first matcher, and without matchers and compiled grammars. The tokenizer keeps facts.
  [[nodiscard]] std::uint64_t heap_before() const { return heap_before_; }
  std::uint64_t heap_at_rest();
  [[nodiscard]] CacheStats cache_stats() const { return compiler_.cache_stats(); }

 private:
  std::optional<Request> next_request();
  [[nodiscard]] Result<CompiledGrammar> compile(const GrammarText& input) const;
  bool read_case();
  bool step(Request& request);
  void add_row(double seconds);

  const SoakOptions& options_;
  JsonSchemaOptions schema_;
  CaseFile file_;
  TokenizerInfo tokenizer_;
  Limits limits_;
  GrammarCompiler compiler_;
  std::vector<std::uint32_t> bitmask_;
  bool has_canonical_;
  std::vector<Request> requests_;
  std::optional<Case> case_;  // whose valid texts become requests
  std::size_t next_text_ = 0;
  std::uint64_t made_ = 0, steps_ = 0, heap_before_ = 0;
  std::vector<SoakRow> rows_;
};

// Reads the next case; after the last one the first again. Returns false if a whole round has no case with valid texts.
bool Soak::read_case() {
  next_text_ = 0;
  case_ = file_.next();
  if (case_) return true;
  file_.rewind();
  case_ = file_.next();
  return case_.has_value();
}

// Schemas are compiled with the compiler's cache, as a server does.
Result<CompiledGrammar> Soak::compile(const GrammarText& input) const {
  if (input.language == InputLanguage::kSchema) return compiler_.compile_json_schema(input.text, schema_);
  return read_grammar(input, schema_, limits_).and_then([&](const Grammar& grammar) {
    return compiler_.compile(grammar);
  });
}

// Returns a request for the next valid text of the file. Texts that cannot be tokenized, and grammars and matchers that
// are refused, are passed over.
std::optional<Request> Soak::next_request() {
  constexpr int kMostPassedOver = 10'000;
  for (int i = 0; i < kMostPassedOver; ++i) {
    if (!case_ || next_text_ == case_->tests.size()) {
      if (!read_case()) return std::nullopt;
      continue;
    }
    const CaseTest& test = case_->tests[next_text_++];
    if (!test.valid || !case_->input) continue;
    Result<CompiledGrammar> compiled = compile(*case_->input);
    Result<std::vector<std::uint32_t>> tokens = tokens_of(test, tokenizer_);
    if (!compiled || !tokens) continue;
    MatcherOptions matcher;
    const std::uint64_t kind = made_ % 8;
    if (kind == 3) matcher.max_tokens = static_cast<std::uint32_t>(tokens->size()) + kSpareTokens;
    if (kind == 6 && has_canonical_) matcher.tokenization = Tokenization::kCanonical;
    Result<GrammarMatcher> made = GrammarMatcher::create(*std::move(compiled), matcher);
    ++made_;
    if (made) return Request{case_->id, *std::move(made), *std::move(tokens)};
  }
  return std::nullopt;
}

// Fills a mask and accepts a token. Returns false if the request is done.
bool Soak::step(Request& request) {
  ++steps_;
  if (request.matcher.fill_next_token_bitmask(bitmask_) != Step::kOk || request.at == request.tokens.size())
    return false;
  return request.matcher.accept_token(request.tokens[request.at++]) == Step::kOk;
}

void Soak::add_row(double seconds) {
  std::unordered_set<const void*> grammars;
  for (const Request& request : requests_) grammars.insert(request.matcher.compiled_grammar().impl().get());
  const std::uint64_t cached = compiler_.cache_stats().memory_bytes;
  rows_.push_back({seconds, steps_, made_, grammars.size(), cached, heap_bytes(), resident_bytes()});
}

void Soak::run() {
  using Clock = std::chrono::steady_clock;
  const double total = options_.hours * 3600;
  heap_before_ = heap_bytes();
  const Clock::time_point begin = Clock::now();
  Progress progress("seconds", static_cast<std::uint64_t>(total));
  for (std::size_t turn = 0;; ++turn) {
    const std::chrono::duration<double> elapsed = Clock::now() - begin;
    if (elapsed.count() >= total * static_cast<double>(rows_.size() + 1) / kRowsOfATable) add_row(elapsed.count());
    if (rows_.size() == kRowsOfATable) return;
    progress.update(static_cast<std::uint64_t>(elapsed.count()));
    const std::size_t which = turn % options_.matchers;
    if (which < requests_.size() && step(requests_[which])) continue;
    std::optional<Request> next = next_request();
    if (!next) return;
    if (which < requests_.size()) {
      requests_[which] = *std::move(next);
    } else {
      requests_.push_back(*std::move(next));
    }
  }
}

// Returns by how much a copy of each matcher lets the heap grow: the mean of many copies, since malloc hands out blocks of
// a thread's cache, seven of a size, which count as in use before. Reading the size of a heap of gigabytes takes
// milliseconds, so of many matchers some are measured.
Distribution Soak::bytes_of_matchers() const {
  constexpr std::size_t kCopies = 32;
  constexpr std::size_t kMeasured = 1'000;
  const std::size_t stride = std::max<std::size_t>(1, requests_.size() / kMeasured);
  std::vector<std::uint64_t> bytes;
  for (std::size_t i = 0; i < requests_.size(); i += stride) {
    std::vector<GrammarMatcher> copies;
    copies.reserve(kCopies);
    const std::uint64_t before = heap_bytes();
    while (copies.size() < kCopies) copies.push_back(requests_[i].matcher);
    bytes.push_back(heap_growth_since(before) / kCopies);
  }
  return distribution_of(std::move(bytes));
}

Distribution Soak::bytes_of_grammars() const {
  std::vector<std::uint64_t> bytes;
  std::unordered_set<const void*> known;
  for (const Request& request : requests_) {
    const CompiledGrammar& compiled = request.matcher.compiled_grammar();
    if (known.insert(compiled.impl().get()).second) bytes.push_back(compiled.stats().memory_bytes);
  }
  return distribution_of(std::move(bytes));
}

std::uint64_t Soak::heap_at_rest() {
  requests_.clear();
  case_.reset();
  compiler_.clear_cache();
  return heap_bytes();
}

struct SoakEnd {
  Distribution matcher, grammar;  // bytes
  CacheStats cache;
  std::uint64_t heap_at_rest = 0;
};

void print_bytes(const char* name, const Distribution& bytes) {
  fmt::print("{}: mean {}, p50 {}, p99 {}, max {}\n", name, format_bytes(bytes.mean), format_bytes(bytes.p50),
             format_bytes(bytes.p99), format_bytes(bytes.max));
}

void print_soak(const SoakOptions& options, const Soak& soak, const SoakEnd& end) {
  fmt::print("{} matchers at work for {} hours\n\n", options.matchers, options.hours);
  fmt::print("{:>9} {:>12} {:>10} {:>9} {:>10} {:>10} {:>10}\n", "seconds", "steps", "requests", "grammars", "cached",
             "heap", "resident");
  for (const SoakRow& row : soak.rows()) {
    fmt::print("{:>9.0f} {:>12} {:>10} {:>9} {:>10} {:>10} {:>10}\n", row.seconds, row.steps, row.requests,
               row.grammars, format_bytes(row.cached), format_bytes(row.heap), format_bytes(row.resident));
  }
  fmt::print("\nheap before the first matcher {}, without matchers and grammars {}; the process had at most {}\n",
             format_bytes(soak.heap_before()), format_bytes(end.heap_at_rest), format_bytes(peak_resident_bytes()));
  fmt::print("cache: {} grammars, {} hits, {} misses, {} dropped\n", end.cache.entries, end.cache.hits,
             end.cache.misses, end.cache.evictions);
  print_bytes("a matcher", end.matcher);
  print_bytes("a grammar", end.grammar);
}

Json bytes_json(const Distribution& bytes) {
  return {{"mean", bytes.mean}, {"p50", bytes.p50}, {"p99", bytes.p99}, {"max", bytes.max}};
}

void print_soak_json(const SoakOptions& options, const Soak& soak, const SoakEnd& end) {
  Json out = {{"hours", options.hours}, {"matchers", options.matchers}, {"rows", Json::array()}};
  for (const SoakRow& row : soak.rows()) {
    out["rows"].push_back({{"seconds", row.seconds},
                           {"steps", row.steps},
                           {"requests", row.requests},
                           {"grammars", row.grammars},
                           {"cached_bytes", row.cached},
                           {"heap_bytes", row.heap},
                           {"resident_bytes", row.resident}});
  }
  out["heap_before_bytes"] = soak.heap_before();
  out["heap_at_rest_bytes"] = end.heap_at_rest;
  out["matcher_bytes"] = bytes_json(end.matcher);
  out["grammar_bytes"] = bytes_json(end.grammar);
  out["cache"] = {{"hits", end.cache.hits}, {"misses", end.cache.misses}, {"evictions", end.cache.evictions}};
  fmt::print("{}\n", json_text(out));
}

}  // namespace

int run_soak(const SoakOptions& options) {
  Soak soak(options);
  soak.run();
  if (soak.rows().size() != kRowsOfATable) {
    throw InputError(fmt::format("no case of {} has a valid text and compiles", escape(options.cases.path)));
  }
  SoakEnd end{soak.bytes_of_matchers(), soak.bytes_of_grammars(), soak.cache_stats()};
  end.heap_at_rest = soak.heap_at_rest();
  options.json ? print_soak_json(options, soak, end) : print_soak(options, soak, end);
  return kOk;
}

}  // namespace weir::cli
