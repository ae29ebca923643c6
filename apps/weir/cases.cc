// `weir cases`: the measuring stick. Runs a file of grammars with texts, one JSON object a line, judges every verdict
// and times every mask and every commit.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case_runner.h"
#include "command.h"
#include "distribution.h"
#include "inputs.h"
#include "limit_option.h"
#include "schema_input.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli {

namespace {

struct Options {
  std::string cases_path;
  TokenizerInput tokenizer;
  RunnerOptions runner;
  SchemaInput schema;
  std::string out_path;
  std::string filter;
  std::uint64_t first = 0;
  std::vector<std::string> limits;
  bool json = false;
};

struct Case {
  Json line;
  std::string id;
  std::vector<CaseTest> tests;
};

// Everything over all cases.
struct Totals {
  std::uint64_t cases = 0, refused = 0, passed = 0;  // A case passes when it compiles and all its tests are ok.
  std::uint64_t tests = 0;
  std::map<std::string, std::uint64_t> refused_by_code;
  std::map<std::string, std::uint64_t> tests_by_outcome;
  std::vector<std::pair<std::string, std::string>> first_failing;  // id, and what became of the case
  std::vector<std::uint64_t> compile_ns, first_mask_ns, mask_ns, commit_ns, step_ns;
};

InputError bad_line(const std::string& path, std::size_t line_number, const std::string& message) {
  return InputError(fmt::format("{}:{}: {}", path, line_number, message));
}

std::optional<std::vector<std::uint32_t>> tokens_of(const Json& array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<std::uint32_t> tokens;
  for (const Json& id : array) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
    tokens.push_back(id.get<std::uint32_t>());
  }
  return tokens;
}

Case parse_case(const std::string& path, std::size_t line_number, std::string_view text) {
  Case out;
  out.line = Json::parse(text, nullptr, false);
  if (!out.line.is_object()) throw bad_line(path, line_number, "not a JSON object");
  const auto id = out.line.find("id");
  out.id = id != out.line.end() && id->is_string() ? id->get<std::string>() : fmt::format("line {}", line_number);
  const auto tests = out.line.find("tests");
  if (tests == out.line.end() || !tests->is_array()) throw bad_line(path, line_number, "`tests` must be an array");
  // `data` is taken from the line's own text: its numbers have more digits than a double.
  const std::vector<std::string_view> texts = element_texts(*member_text(text, "tests"));
  for (std::size_t i = 0; i < tests->size(); ++i) {
    const Json& test = (*tests)[i];
    const bool has_verdict = test.is_object() && test.contains("valid") && test["valid"].is_boolean();
    const bool has_text = has_verdict && test.contains("text") && test["text"].is_string();
    if (has_verdict && test.contains("tokens")) {
      out.tests.push_back({test["valid"].get<bool>(), "", tokens_of(test["tokens"])});
      if (!out.tests.back().tokens) throw bad_line(path, line_number, "`tokens` must be an array of token ids");
      continue;
    }
    if (!has_text && !(has_verdict && test.contains("data"))) {
      throw bad_line(path, line_number,
                     "a test must have `valid` (true or false) and `text` (a string), `data` or `tokens`");
    }
    out.tests.push_back({test["valid"].get<bool>(),
                         has_text ? test["text"].get<std::string>() : python_text(*member_text(texts[i], "data")),
                         std::nullopt});
  }
  return out;
}

std::vector<std::string_view> split_lines(std::string_view content) {
  std::vector<std::string_view> lines;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    lines.push_back(content.substr(0, end));
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return lines;
}

void append(std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// The code of a refused case, or the outcome and number of its first test that is not ok; empty when the case passed.
std::string failure_of(const CaseResult& result) {
  if (result.refused) return "refused as " + std::string(weir::to_string(result.refused->code));
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    if (result.tests[i] != Outcome::kOk) return fmt::format("{} in test {}", to_string(result.tests[i]), i + 1);
  }
  return "";
}

void add(Totals& totals, const std::string& id, const CaseResult& result) {
  constexpr std::size_t kNamed = 10;
  ++totals.cases;
  if (const std::string failure = failure_of(result); !failure.empty() && totals.first_failing.size() < kNamed) {
    totals.first_failing.emplace_back(id, failure);
  }
  if (result.refused) {
    ++totals.refused;
    ++totals.refused_by_code[std::string(weir::to_string(result.refused->code))];
    return;
  }
  bool all_ok = true;
  for (const Outcome outcome : result.tests) {
    ++totals.tests;
    ++totals.tests_by_outcome[std::string(to_string(outcome))];
    all_ok = all_ok && outcome == Outcome::kOk;
  }
  totals.passed += all_ok ? 1 : 0;
  totals.compile_ns.push_back(result.compile_ns);
  if (!result.mask_ns.empty()) totals.first_mask_ns.push_back(result.mask_ns.front());
  append(totals.mask_ns, result.mask_ns);
  append(totals.commit_ns, result.commit_ns);
  append(totals.step_ns, result.step_ns);
}

std::string result_line(const std::string& id, const CaseResult& result) {
  Json out = {{"id", id}};
  if (result.refused) {
    out["refused"] = error_json(*result.refused);
  } else {
    out["compile_ns"] = result.compile_ns;
    out["first_mask_ns"] = result.mask_ns.empty() ? Json(nullptr) : Json(result.mask_ns.front());
    out["mask_ns"] = result.mask_ns;
    out["commit_ns"] = result.commit_ns;
    out["tests"] = Json::array();
    for (const Outcome outcome : result.tests) out["tests"].push_back(to_string(outcome));
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
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
  for (const auto& [id, failure] : totals.first_failing) {
    out["first_failing"].push_back({{"id", id}, {"outcome", failure}});
  }
  for (const auto& [name, times] : named_times(totals)) out["times"][name] = to_json(distribution_of(*times));
  fmt::print("{}\n", out.dump());
}

void print_summary(const Totals& totals) {
  fmt::print("cases {}: passed {}, refused {}, failed {}\n", totals.cases, totals.passed, totals.refused,
             totals.cases - totals.passed - totals.refused);
  for (const auto& [code, count] : totals.refused_by_code) fmt::print("  refused as {}: {}\n", code, count);
  for (const auto& [id, failure] : totals.first_failing) fmt::print("  {}: {}\n", escape(id), failure);
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

// Where the result lines go: nowhere, standard output, or a file that is written as the run goes.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path) : path_(path) {
    if (path.empty()) return;
    file_ = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (file_ == nullptr) fail();
  }
  ~ResultFile() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;
  void write(const std::string& line) {
    if (file_ != nullptr && std::fwrite(line.data(), 1, line.size(), file_) != line.size()) fail();
  }
  /// The last lines are written only now, and a full disk may show only now.
  void close() {
    if (file_ == nullptr || file_ == stdout) return;
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw InputError(fmt::format("cannot write `{}`", path_)); }

  std::string path_;
  std::FILE* file_ = nullptr;
};

int run(const Options& options) {
  RunnerOptions runner_options = options.runner;
  runner_options.limits = read_limits(options.limits);
  CaseRunner runner(load_tokenizer(options.tokenizer), runner_options);
  const JsonSchemaOptions schema = schema_options(options.schema);
  const std::string content = read_file(options.cases_path);
  const std::vector<std::string_view> lines = split_lines(content);
  ResultFile out(options.out_path);
  Totals totals;
  Progress progress("cases", options.first != 0 ? std::min<std::uint64_t>(options.first, lines.size()) : lines.size());
  for (std::size_t i = 0; i < lines.size() && (options.first == 0 || totals.cases < options.first); ++i) {
    if (lines[i].empty()) continue;
    const Case parsed = parse_case(options.cases_path, i + 1, lines[i]);
    if (parsed.id.find(options.filter) == std::string::npos) continue;
    const CaseResult result = runner.run({parsed.line, lines[i], schema, runner_options.limits}, parsed.tests);
    out.write(result_line(parsed.id, result));
    add(totals, parsed.id, result);
    progress.update(options.first != 0 ? totals.cases : i + 1);
  }
  out.close();
  if (totals.cases == 0) {
    throw InputError(options.filter.empty() ? fmt::format("{}: there is no case in it", options.cases_path)
                                            : fmt::format("{}: no case has an id with `{}` in it", options.cases_path,
                                                          escape(options.filter)));
  }
  if (options.json) {
    print_summary_json(totals);
  } else {
    print_summary(totals);
  }
  return totals.passed == totals.cases ? kOk : kRefused;
}

constexpr const char* kFooter = R"(
A line of the file: {"id", "grammar", "regex" or "schema", "start"?, "tests": [{"valid": bool, "text", "data"
or "tokens"}]}. "data" is a JSON value, written as Python's json.dumps(data, ensure_ascii=False) does. Each text is
tokenized canonically and walked: a mask, the next token's bit, accepting the token, and so on; at the end a stop token
must be allowed. "tokens" are ids to be walked as they are, through token terminals too. Outcomes: ok; wrong_accept and wrong_reject; limit; inconsistent (mask and accept disagree,
a defect); no_tokens (the tokenizer cannot spell the text). A grammar that does not compile is refused, with the
error's code; an unknown kind of input with code unsupported.
Times in ns. Compiling includes reading the grammar. Each case starts with cold caches; the tokenizer is shared.
A line of --out: {"id", "compile_ns", "first_mask_ns", "mask_ns": [], "commit_ns": [], "tests": [outcome]} or
{"id", "refused": {"code", "message", …}}. --json: {"cases", "passed", "refused", "refused_by_code", "tests",
"tests_by_outcome", "first_failing": [{"id", "outcome"}], "times": {name: {"count", "mean_ns", "p50_ns", …}}}.
Exit status: 0 every case compiled and every test is ok; 1 not so; 2 no answer.)";

}  // namespace

Command add_cases(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("cases", "Run a file of grammars with texts: verdicts and times");
  app->footer(kFooter);
  app->add_option("CASES", options->cases_path, "File of cases, a JSON object a line; - is standard input")->required();
  add_tokenizer_option(*app, options->tokenizer);
  app->add_option("--out", options->out_path, "Write a line for each case here; - is standard output")
      ->type_name("FILE");
  app->add_option("--filter", options->filter, "Only cases whose id contains this")->type_name("TEXT");
  app->add_option("--first", options->first, "Only the first so many of them")->type_name("N");
  add_limit_option(*app, options->limits);
  app->add_flag("--warm", options->runner.warm, "Run each case's tests twice and time the second pass");
  add_schema_options(*app, options->schema);
  app->add_flag("--json", options->json, "The summary as JSON");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli
