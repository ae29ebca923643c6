// Runs one case of a cases file: compiles its grammar, walks its texts token by token, times every step and compares
// the verdicts with the expected ones. `weir cases --help` (cases.cc) explains the outcomes.
#ifndef WEIR_APPS_SUPPORT_CASE_RUNNER_H_
#define WEIR_APPS_SUPPORT_CASE_RUNNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case_file.h"
#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

/// The outcome of a text.
enum class Outcome : std::uint8_t {
  kOk,            ///< Accepted and valid, or refused and invalid.
  kWrongAccept,   ///< Accepted, but invalid.
  kWrongReject,   ///< Refused, but valid.
  kLimit,         ///< A limit was exceeded.
  kInconsistent,  ///< A mask and accept_token disagreed: a bug in weir.
  kNoTokens,      ///< The tokenizer cannot tokenize the text, or lacks tokens of the test.
};
std::string_view to_string(Outcome outcome);

/// The result of walking one text. With Outcome::kLimit, `limit` names the field of Limits. Times are in nanoseconds.
struct TestResult {
  std::size_t test = 0;  ///< Index of the test in the case.
  Outcome outcome = Outcome::kOk;
  std::string limit = {};
  std::vector<std::uint32_t> tokens;     ///< The tokens of the text; empty if it has none.
  std::vector<std::uint64_t> mask_ns;    ///< Times of the masks before each token and at the end.
  std::vector<std::uint64_t> commit_ns;  ///< Times of accepting each token: one less than masks, if there are any.
  std::size_t masks_known = 0;           ///< With RunnerOptions::warm_up: masks that were known when asked for.

  /// Returns the time of the mask before token `i` and of accepting it. Precondition: token `i` was accepted.
  [[nodiscard]] std::uint64_t step_ns(std::size_t i) const { return mask_ns[i] + commit_ns[i]; }
};

/// Returns the outcome for people: its name and, if a limit was exceeded, that of the limit.
std::string describe_outcome(const TestResult& test);

/// Returns "refused as" and the error's code and, if a limit was exceeded, its name.
std::string describe_refusal(const Error& error);

struct CaseResult {
  std::uint64_t compile_ns = 0;
  std::optional<Error> refused;  ///< The error if it did not compile; the members below are then empty.
  std::vector<TestResult> tests;
  WarmUpReport warm_up;          ///< With RunnerOptions::warm_up.
  std::uint64_t warm_up_ns = 0;  ///< Its time.
  EngineStats stats;             ///< After all tests.
  std::uint64_t mask_hash = 0;   ///< With RunnerOptions::hash_masks: FNV-1a over the words of all masks, in order.
};

struct RunnerOptions {
  enum class Texts : std::uint8_t { kAll, kValid, kInvalid };
  Limits limits;
  JsonSchemaOptions schema;
  MatcherOptions matcher = {};                ///< A case is refused if these are refused for its grammar.
  bool warm = false;                          ///< Run the tests twice on the same automaton and time the second pass.
  std::optional<std::uint64_t> warm_up = {};  ///< WarmUpOptions::work of a warm-up before the tests; none without it.
  Texts texts = Texts::kAll;
  bool hash_masks = false;  ///< Sets CaseResult::mask_hash; takes longer than the masks. Their times exclude it.
};

class CaseRunner {
 public:
  CaseRunner(TokenizerInfo tokenizer, const RunnerOptions& options);

  /// Compiles the case and runs its tests. Cases share the tokenizer and the compiler.
  CaseResult run(const Case& input);

 private:
  void run_tests(GrammarMatcher& matcher, const std::vector<CaseTest>& tests, CaseResult& result);
  Outcome run_test(GrammarMatcher& matcher, const CaseTest& test, TestResult& result);
  void hash_mask();

  TokenizerInfo tokenizer_;
  RunnerOptions options_;
  GrammarCompiler compiler_;
  std::vector<std::uint32_t> bitmask_;
  std::uint64_t mask_hash_ = 0;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_CASE_RUNNER_H_
