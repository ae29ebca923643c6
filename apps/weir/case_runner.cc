#include "case_runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/compiler.h"
#include "weir/grammar.h"

namespace weir::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

std::uint64_t since(Clock::time_point start) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

Error wrong_type(std::string_view key) {
  Error error;
  error.code = ErrorCode::kInvalidArgument;
  error.message = fmt::format("`{}` must be a string", key);
  return error;
}

Result<Grammar> read_ebnf(const Json& value, const CaseInput& input) {
  const Json& line = input.line;
  EbnfOptions options;
  if (const auto start = line.find("start"); start != line.end()) {
    if (!start->is_string()) return tl::unexpected(wrong_type("start"));
    options.start = start->get<std::string>();
  }
  if (!value.is_string()) return tl::unexpected(wrong_type("grammar"));
  return Grammar::from_ebnf(value.get_ref<const std::string&>(), options, input.limits);
}

Result<Grammar> read_regex(const Json& value, const CaseInput& input) {
  if (!value.is_string()) return tl::unexpected(wrong_type("regex"));
  return Grammar::from_regex(value.get_ref<const std::string&>(), {}, input.limits);
}

// From the line's own text: its numbers have more digits than a double.
Result<Grammar> read_schema(const Json& /*value*/, const CaseInput& input) {
  return Grammar::from_json_schema(*member_text(input.text, "schema"), input.schema, input.limits);
}

// What a case may be written in: the key in the line, and how its value becomes a grammar.
struct InputKind {
  const char* key;
  Result<Grammar> (*read)(const Json& value, const CaseInput& input);
};
constexpr InputKind kInputKinds[] = {{"grammar", read_ebnf}, {"regex", read_regex}, {"schema", read_schema}};

Result<Grammar> read_input(const CaseInput& input) {
  const InputKind* found = nullptr;
  Error error;
  for (const InputKind& kind : kInputKinds) {
    if (!input.line.contains(kind.key)) continue;
    if (found != nullptr) {
      error.code = ErrorCode::kInvalidArgument;
      error.message = fmt::format("a case is in one language, and this one has `{}` and `{}`", found->key, kind.key);
      return tl::unexpected(error);
    }
    found = &kind;
  }
  if (found != nullptr) return found->read(input.line[found->key], input);
  error.code = ErrorCode::kUnsupported;
  error.message = "no known kind of input; known are";
  for (const InputKind& kind : kInputKinds) error.message += fmt::format(" `{}`", kind.key);
  return tl::unexpected(error);
}

}  // namespace

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

CaseRunner::CaseRunner(TokenizerInfo tokenizer, const RunnerOptions& options)
    : tokenizer_(std::move(tokenizer)), options_(options), bitmask_(bitmask_words(tokenizer_.vocab_size())) {}

CaseResult CaseRunner::run(const CaseInput& input, const std::vector<CaseTest>& tests) {
  CaseResult result;
  const Clock::time_point start = Clock::now();
  const Result<Grammar> grammar = read_input(input);
  if (!grammar) {
    result.refused = grammar.error();
    return result;
  }
  const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer_, options_.limits).compile(*grammar);
  if (!compiled) {
    result.refused = compiled.error();
    return result;
  }
  GrammarMatcher matcher(*compiled);
  result.compile_ns = since(start);
  if (options_.warm) {
    CaseResult discarded;
    for (const CaseTest& test : tests) run_test(matcher, test, &discarded);
  }
  for (const CaseTest& test : tests) result.tests.push_back(run_test(matcher, test, &result));
  return result;
}

Outcome CaseRunner::run_test(GrammarMatcher& matcher, const CaseTest& test, CaseResult* result) {
  const Result<std::vector<std::uint32_t>> tokens =
      test.tokens ? Result<std::vector<std::uint32_t>>(*test.tokens) : tokenizer_.tokenize(test.text);
  if (!tokens) return Outcome::kNoTokens;
  const auto is_unknown = [&](std::uint32_t token) { return token >= tokenizer_.vocab_size(); };
  if (std::any_of(tokens->begin(), tokens->end(), is_unknown)) return Outcome::kNoTokens;
  const Outcome refused = test.valid ? Outcome::kWrongReject : Outcome::kOk;
  const auto mask = [&] {
    const Clock::time_point start = Clock::now();
    const Step step = matcher.fill_next_token_bitmask(bitmask_);
    result->mask_ns.push_back(since(start));
    return step;
  };
  matcher.reset();
  for (const std::uint32_t token : *tokens) {
    if (mask() != Step::kOk) return Outcome::kLimit;
    const bool allowed = bitmask_get(bitmask_, token);
    const Clock::time_point start = Clock::now();
    const Step step = matcher.accept_token(token);
    const std::uint64_t commit = since(start);
    if (step == Step::kLimitExceeded) return Outcome::kLimit;
    if (allowed != (step == Step::kOk)) return Outcome::kInconsistent;
    if (!allowed) return refused;
    result->commit_ns.push_back(commit);
    result->step_ns.push_back(commit + result->mask_ns.back());
  }
  if (mask() != Step::kOk) return Outcome::kLimit;
  const auto stops = tokenizer_.stop_token_ids();
  const bool stop_allowed = std::any_of(stops.begin(), stops.end(), [&](auto id) { return bitmask_get(bitmask_, id); });
  if (!stops.empty() && stop_allowed != matcher.is_completed()) return Outcome::kInconsistent;
  if (matcher.is_completed()) return test.valid ? Outcome::kOk : Outcome::kWrongAccept;
  return refused;
}

}  // namespace weir::cli
