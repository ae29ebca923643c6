#include "case_runner.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "limit_option.h"
#include "stopwatch.h"
#include "weir/grammar.h"

namespace weir::cli {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk: return "ok";
    case Outcome::kWrongAccept: return "wrong_accept";
    case Outcome::kWrongReject: return "wrong_reject";
    case Outcome::kLimit: return "limit";
    case Outcome::kInconsistent: return "inconsistent";
    case Outcome::kNoTokens: return "no_tokens";
  }
  return "";
}

namespace {

std::string with_limit(std::string_view what, const std::string& limit) {
  return std::string(what) + (limit.empty() ? "" : " (" + limit + ")");
}

// Makes malloc join the small blocks that reading the file has freed. The first large block does so, which would be
// measured as a part of compiling: 7 % of it for a schema of 265 KB.
void settle_heap() {
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  void* volatile block = std::malloc(kLarge);  // volatile: else both calls may be left out
  std::free(block);
}

}  // namespace

std::string describe_outcome(const TestResult& test) { return with_limit(to_string(test.outcome), test.limit); }

std::string describe_refusal(const Error& error) {
  return "refused as " + with_limit(weir::to_string(error.code), error.limit);
}

CaseRunner::CaseRunner(TokenizerInfo tokenizer, const RunnerOptions& options)
    : tokenizer_(std::move(tokenizer)),
      options_(options),
      compiler_(tokenizer_, options.limits),
      bitmask_(bitmask_words(tokenizer_.vocab_size())) {}

CaseResult CaseRunner::run(const Case& input) {
  CaseResult result;
  settle_heap();
  const Stopwatch watch;
  const Result<Grammar> grammar = read_grammar(input, options_.schema, options_.limits);
  if (!grammar) {
    result.refused = grammar.error();
    return result;
  }
  const Result<CompiledGrammar> compiled = compiler_.compile(*grammar);
  if (!compiled) {
    result.refused = compiled.error();
    return result;
  }
  Result<GrammarMatcher> made = GrammarMatcher::create(*compiled, options_.matcher);
  if (!made) {
    result.refused = made.error();
    return result;
  }
  GrammarMatcher& matcher = *made;
  result.compile_ns = watch.elapsed_ns();
  if (options_.warm_up) {
    const Stopwatch warm_up_watch;
    result.warm_up = compiled->warm_up({.work = *options_.warm_up});
    result.warm_up_ns = warm_up_watch.elapsed_ns();
  }
  if (options_.warm) {
    CaseResult discarded;
    run_tests(matcher, input.tests, discarded);
  }
  mask_hash_ = 0xcbf29ce484222325;
  run_tests(matcher, input.tests, result);
  result.mask_hash = mask_hash_;
  result.stats = compiled->stats();
  return result;
}

void CaseRunner::run_tests(GrammarMatcher& matcher, const std::vector<CaseTest>& tests, CaseResult& result) {
  using Texts = RunnerOptions::Texts;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (options_.texts != Texts::kAll && tests[i].valid != (options_.texts == Texts::kValid)) continue;
    TestResult& test = result.tests.emplace_back();
    test.test = i;
    test.outcome = run_test(matcher, tests[i], test);
    if (test.outcome == Outcome::kLimit) test.limit = limit_of_message(matcher.limit_message());
  }
}

void CaseRunner::hash_mask() {
  for (const std::uint32_t word : bitmask_) mask_hash_ = (mask_hash_ ^ word) * 0x100000001b3;
}

Outcome CaseRunner::run_test(GrammarMatcher& matcher, const CaseTest& test, TestResult& result) {
  const Result<std::vector<std::uint32_t>> tokens = tokens_of(test, tokenizer_);
  if (!tokens) return Outcome::kNoTokens;
  const auto is_unknown = [&](std::uint32_t token) { return token >= tokenizer_.vocab_size(); };
  if (std::any_of(tokens->begin(), tokens->end(), is_unknown)) return Outcome::kNoTokens;
  result.tokens = *tokens;
  const Outcome refused = test.valid ? Outcome::kWrongReject : Outcome::kOk;
  const auto mask = [&] {
    if (options_.warm_up && matcher.state_stats().mask_known) ++result.masks_known;
    const Stopwatch watch;
    const Step step = matcher.fill_next_token_bitmask(bitmask_);
    result.mask_ns.push_back(watch.elapsed_ns());
    if (options_.hash_masks) hash_mask();
    return step;
  };
  matcher.reset();
  // Reserved here, so that page faults of these vectors are not measured as part of a step.
  result.mask_ns.reserve(tokens->size() + 1);
  result.commit_ns.reserve(tokens->size());
  for (const std::uint32_t token : *tokens) {
    if (mask() != Step::kOk) return Outcome::kLimit;
    const bool allowed = bitmask_get(bitmask_, token);
    const Stopwatch watch;
    const Step step = matcher.accept_token(token);
    const std::uint64_t commit = watch.elapsed_ns();
    if (step == Step::kLimitExceeded) return Outcome::kLimit;
    if (allowed != (step == Step::kOk)) return Outcome::kInconsistent;
    if (!allowed) return refused;
    result.commit_ns.push_back(commit);
  }
  if (mask() != Step::kOk) return Outcome::kLimit;
  const auto stops = tokenizer_.stop_token_ids();
  const bool stop_allowed = std::any_of(stops.begin(), stops.end(), [&](auto id) { return bitmask_get(bitmask_, id); });
  if (!stops.empty() && stop_allowed != matcher.is_completed()) return Outcome::kInconsistent;
  if (matcher.is_completed()) return test.valid ? Outcome::kOk : Outcome::kWrongAccept;
  return refused;
}

}  // namespace weir::cli
