// Runs one case of a cases file: compiles its grammar, walks its texts token by token, judges and times every step.
// The format of a case and the meaning of an outcome stand in `weir cases --help` (cases.cc).
#ifndef WEIR_APPS_WEIR_CASE_RUNNER_H_
#define WEIR_APPS_WEIR_CASE_RUNNER_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema_input.h"
#include "weir/error.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

struct CaseTest {
  bool valid = false;
  std::string text;
  std::optional<std::vector<std::uint32_t>> tokens;  ///< Instead of the text's canonical ones.
};

/// A line of the file, and what holds for all of them.
struct CaseInput {
  const nlohmann::ordered_json& line;
  std::string_view text;  ///< The line as it stands in the file.
  const JsonSchemaOptions& schema;
  const Limits& limits;
};

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

struct CaseResult {
  std::uint64_t compile_ns = 0;
  std::optional<Error> refused;          ///< When it did not compile; then nothing below.
  std::vector<std::uint64_t> mask_ns;    ///< Before each token, and before the end.
  std::vector<std::uint64_t> commit_ns;  ///< Each accepted token.
  std::vector<std::uint64_t> step_ns;    ///< Both, for each accepted token.
  std::vector<Outcome> tests;
};

struct RunnerOptions {
  Limits limits;
  bool warm = false;  ///< Run the tests once before, on the same automaton, and time the second pass.
};

class CaseRunner {
 public:
  CaseRunner(TokenizerInfo tokenizer, const RunnerOptions& options);

  /// Its tests were read already. Every case has a compiler of its own: cold caches.
  CaseResult run(const CaseInput& input, const std::vector<CaseTest>& tests);

 private:
  Outcome run_test(GrammarMatcher& matcher, const CaseTest& test, CaseResult* result);

  TokenizerInfo tokenizer_;
  RunnerOptions options_;
  std::vector<std::uint32_t> bitmask_;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_CASE_RUNNER_H_
