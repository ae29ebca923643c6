// Runs one case of a cases file: compiles its grammar, walks its texts token by token, judges and times every step.
// The meaning of an outcome stands in `weir cases --help` (cases.cc).
#ifndef WEIR_APPS_SUPPORT_CASE_RUNNER_H_
#define WEIR_APPS_SUPPORT_CASE_RUNNER_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "case_file.h"
#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

/// What became of a text.
enum class Outcome : std::uint8_t {
  kOk,            ///< Accepted and valid, or refused and invalid.
  kWrongAccept,   ///< Accepted, but invalid.
  kWrongReject,   ///< Refused, but valid.
  kLimit,         ///< A limit was met on the way.
  kInconsistent,  ///< A mask and accept_token disagreed: a defect of weir.
  kNoTokens,      ///< The tokenizer has no tokens for the text, or not those of the test.
};
std::string_view to_string(Outcome outcome);

/// One text's walk; times in nanoseconds.
struct TestResult {
  std::size_t test = 0;  ///< Which of the case's tests.
  Outcome outcome = Outcome::kOk;
  std::vector<std::uint32_t> tokens;     ///< Of the text; none where it has none.
  std::vector<std::uint64_t> mask_ns;    ///< Before each token, and before the end.
  std::vector<std::uint64_t> commit_ns;  ///< Each accepted token: as many as masks, or one less.

  /// Mask and commit of the accepted token `i`.
  [[nodiscard]] std::uint64_t step_ns(std::size_t i) const { return mask_ns[i] + commit_ns[i]; }
};

struct CaseResult {
  std::uint64_t compile_ns = 0;
  std::optional<Error> refused;  ///< When it did not compile; then nothing below.
  std::vector<TestResult> tests;
  EngineStats stats;            ///< After all of them.
  std::uint64_t mask_hash = 0;  ///< With RunnerOptions::hash_masks: FNV-1a over the words of all masks, in order.
};

struct RunnerOptions {
  enum class Texts : std::uint8_t { kAll, kValid, kInvalid };
  Limits limits;
  JsonSchemaOptions schema;
  MatcherOptions matcher = {};  ///< A grammar that they do not suit is refused.
  bool warm = false;            ///< Run the tests once before, on the same automaton, and time the second pass.
  Texts texts = Texts::kAll;
  bool hash_masks = false;  ///< Sets CaseResult::mask_hash; takes longer than the masks, outside of their times.
};

class CaseRunner {
 public:
  CaseRunner(TokenizerInfo tokenizer, const RunnerOptions& options);

  /// Every case is compiled anew; it shares with those before what they share in any program: the tokenizer and the
  /// compiler.
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
