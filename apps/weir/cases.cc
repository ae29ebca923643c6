// `weir cases`: runs a file of grammars with texts, one JSON object a line, compares every verdict with the expected
// one and times every mask and every accepted token.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "canonical_option.h"
#include "case_file.h"
#include "case_runner.h"
#include "commands.h"
#include "distribution.h"
#include "inputs.h"
#include "interrupt.h"
#include "limit_option.h"
#include "result_file.h"
#include "schema_input.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli::cases {

namespace {

struct Options {
  CaseSelection cases;
  TokenizerInput tokenizer;
  CanonicalInput canonical;
  RunnerOptions runner;
  SchemaInput schema;
  std::string out_path;
  std::vector<std::string> limits;
  bool json = false;
};

// A case that did not pass: what failed and, if the case was refused, why.
struct Failure {
  std::string id;
  std::string outcome;  // "refused as" and the error's code, or the outcome of the first test that is not ok
  std::string message;
  std::string hint;
};

// The sums over all cases.
struct Totals {
  std::uint64_t cases = 0, refused = 0, passed = 0;  // A case passes when it compiles and all its tests are ok.
  std::uint64_t tests = 0;
  std::map<std::string, std::uint64_t> refused_by_code;
  std::map<std::string, std::uint64_t> tests_by_outcome;
  std::vector<Failure> first_failing;
  std::vector<std::uint64_t> compile_ns, first_mask_ns, mask_ns, commit_ns, step_ns;
};

void append(std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::optional<std::uint64_t> first_mask(const CaseResult& result) {
  for (const TestResult& test : result.tests) {
    if (!test.mask_ns.empty()) return test.mask_ns.front();
  }
  return std::nullopt;
}

// Returns what failed in a case; nullopt if it passed.
std::optional<Failure> failure_of(const std::string& id, const CaseResult& result) {
  if (result.refused) {
    return Failure{id, describe_refusal(*result.refused), result.refused->message, result.refused->hint};
  }
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    const TestResult& test = result.tests[i];
    if (test.outcome == Outcome::kOk) continue;
    return Failure{id, fmt::format("{} in test {}", describe_outcome(test), i + 1), "", ""};
  }
  return std::nullopt;
}

void add(Totals& totals, const std::string& id, const CaseResult& result) {
  constexpr std::size_t kNamed = 10;
  ++totals.cases;
  if (std::optional<Failure> failure = failure_of(id, result); failure && totals.first_failing.size() < kNamed) {
    totals.first_failing.push_back(*std::move(failure));
  }
  if (result.refused) {
    ++totals.refused;
    ++totals.refused_by_code[std::string(weir::to_string(result.refused->code))];
    return;
  }
  bool all_ok = true;
  for (const TestResult& test : result.tests) {
    ++totals.tests;
    ++totals.tests_by_outcome[std::string(to_string(test.outcome))];
    all_ok = all_ok && test.outcome == Outcome::kOk;
    append(totals.mask_ns, test.mask_ns);
    append(totals.commit_ns, test.commit_ns);
    for (std::size_t i = 0; i < test.commit_ns.size(); ++i) totals.step_ns.push_back(test.step_ns(i));
  }
  totals.passed += all_ok ? 1 : 0;
  totals.compile_ns.push_back(result.compile_ns);
  if (const auto first = first_mask(result)) totals.first_mask_ns.push_back(*first);
}

std::string result_line(const std::string& id, const CaseResult& result) {
  Json out = {{"id", id}};
  if (result.refused) {
    out["refused"] = error_json(*result.refused);
  } else {
    const std::optional<std::uint64_t> first = first_mask(result);
    std::vector<std::uint64_t> mask_ns, commit_ns;
    Json outcomes = Json::array();
    for (const TestResult& test : result.tests) {
      append(mask_ns, test.mask_ns);
      append(commit_ns, test.commit_ns);
      outcomes.push_back(to_string(test.outcome));
    }
    out["compile_ns"] = result.compile_ns;
    out["first_mask_ns"] = first ? Json(*first) : Json(nullptr);
    out["mask_ns"] = mask_ns;
    out["commit_ns"] = commit_ns;
    out["tests"] = outcomes;
  }
  return json_text(out) + "\n";
}

using NamedTimes = std::pair<const char*, const std::vector<std::uint64_t>*>;
std::array<NamedTimes, 5> named_times(const Totals& totals) {
  return {{{"compile", &totals.compile_ns},
           {"first mask", &totals.first_mask_ns},
           {"mask", &totals.mask_ns},
           {"commit", &totals.commit_ns},
           {"mask+commit", &totals.step_ns}}};
}

void print_summary_json(const Totals& totals) {
  Json out = {{"cases", totals.cases},     {"passed", totals.passed},
              {"refused", totals.refused}, {"refused_by_code", totals.refused_by_code},
              {"tests", totals.tests},     {"tests_by_outcome", totals.tests_by_outcome}};
  out["first_failing"] = Json::array();
  for (const Failure& failure : totals.first_failing) {
    Json& shown = out["first_failing"].emplace_back(Json{{"id", failure.id}, {"outcome", failure.outcome}});
    if (!failure.message.empty()) shown["message"] = failure.message;
    if (!failure.hint.empty()) shown["hint"] = failure.hint;
  }
  for (const auto& [name, times] : named_times(totals)) out["times"][name] = to_json(distribution_of(*times));
  fmt::print("{}\n", json_text(out));
}

void print_summary(const Totals& totals) {
  fmt::print("cases {}: passed {}, refused {}, failed {}\n", totals.cases, totals.passed, totals.refused,
             totals.cases - totals.passed - totals.refused);
  for (const auto& [code, count] : totals.refused_by_code) fmt::print("  refused as {}: {}\n", code, count);
  for (const Failure& failure : totals.first_failing) {
    fmt::print("  {}: {}{}{}\n", escape(failure.id), failure.outcome, failure.message.empty() ? "" : ": ",
               escape(failure.message, SIZE_MAX));
    if (!failure.hint.empty()) fmt::print("    hint: {}\n", escape(failure.hint, SIZE_MAX));
  }
  const std::uint64_t failing = totals.cases - totals.passed;
  if (failing > totals.first_failing.size()) fmt::print("  and {} more\n", failing - totals.first_failing.size());
  fmt::print("tests {}\n", totals.tests);
  for (const auto& [outcome, count] : totals.tests_by_outcome) fmt::print("  {}: {}\n", outcome, count);
  constexpr std::size_t kNameWidth = 11;
  fmt::print("{}\n", distribution_heading(kNameWidth));
  for (const auto& [name, times] : named_times(totals)) {
    fmt::print("{}\n", distribution_row(name, kNameWidth, distribution_of(*times)));
  }
}

int run(const Options& options) {
  RunnerOptions runner_options = options.runner;
  runner_options.limits = read_limits(options.limits);
  runner_options.schema = schema_options(options.schema);
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  runner_options.matcher = matcher_options(options.canonical, tokenizer);
  if (const auto support = tokenizer.canonical_support(); options.canonical.canonical && !support) {
    throw InputError("--canonical: " + support.error().message, support.error());
  }
  CaseRunner runner(tokenizer, runner_options);
  CaseFile cases(options.cases);
  ResultFile out(options.out_path);
  Totals totals;
  Progress progress("cases", cases.size());
  const Interrupt interrupt;
  while (const std::optional<Case> next = cases.next()) {
    if (Interrupt::is_requested()) break;
    CaseResult result = runner.run(*next);
    if (result.refused) use_command_words(*result.refused);
    out.write(result_line(next->id, result));
    add(totals, next->id, result);
    progress.update(cases.position());
  }
  out.close();
  if (options.json) {
    print_summary_json(totals);
  } else {
    print_summary(totals);
  }
  return totals.passed == totals.cases ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
A line of the file: {"id", an input, "tests": [{"valid": bool, "text", "data" or "tokens"}]}. The input is one of
"grammar": a text in the language that "syntax" names (default: ebnf), or a member with that language's name, "lark";
    with "start": the start rule
"regex": a pattern, with a "dialect" as --regex-dialect has it
"schema", "structural_tag", "response_format": JSON; of a schema "notation": "yaml" (default: that of --notation)
"tools": a list of tools, with a "style" of writing calls
"json_value": true, "json_object": true: any JSON value, any object
"choice": [strings]
"substring": a text to quote from by "unit": "word" (default) or "character"; or an array of chunks.
"data" is a JSON value, written as Python's json.dumps(data, ensure_ascii=False) does. Each text is tokenized
canonically and walked: a mask, the next token's bit, accepting the token, and so on; at the end a stop token
must be allowed. "tokens" are ids to be walked as they are, through token terminals too. "why", "comment", "description"
and "meta" are for people; other members are errors. Outcomes: ok; wrong_accept and wrong_reject; limit; inconsistent
(mask and accept disagree, a defect); no_tokens (the tokenizer cannot spell the text).
A grammar that does not compile is refused, with the error's code; an unknown kind of input with code unsupported.
The summary says of the first ten cases that do not pass what failed, and why a case was refused.
Times in ns, without those in which other programs had the processor. Compiling includes reading the grammar. Each case
is compiled anew; the tokenizer is shared.
A line of --out: {"id", "compile_ns", "first_mask_ns", "mask_ns": [], "commit_ns": [], "tests": [outcome]} or
{"id", "refused": {"code", "message", …}}. --json: {"cases", "passed", "refused", "refused_by_code", "tests",
"tests_by_outcome", "first_failing": [{"id", "outcome", "message", "hint"}],
"times": {name: {"count", "mean_ns", "p50_ns", …}}}.
Exit status: 0 every case compiled and every test is ok; 1 not so; 2 no answer.
Example: weir cases examples/cases.jsonl)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("cases", "Run a file of grammars with texts: verdicts and times");
  app->footer(kFooter);
  add_case_options(*app, options->cases);
  add_tokenizer_option(*app, options->tokenizer);
  add_canonical_options(*app, options->canonical);
  app->add_option("--out", options->out_path, "Write a result line for each case to this file; - is standard output")
      ->type_name("FILE");
  add_limit_option(*app, options->limits);
  app->add_flag("--warm", options->runner.warm, "Run each case's tests twice and time the second pass");
  add_schema_options(*app, options->schema);
  app->add_flag("--json", options->json, "The summary as JSON");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::cases
