// Compares weir with llguidance's verdicts on random Lark grammars and texts (verdicts.jsonl, which record.py writes).
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

// For some grammars the search for a completion does not terminate. A limit stops it, and there is no verdict.
constexpr std::uint32_t kLookahead = 2'000;
constexpr std::size_t kMaxWithoutVerdict = 120;

TEST(LarkVerdicts, AreThoseOfLlguidance) {
  std::ifstream file(tests::repository() + "/tests/conformance/lark/verdicts.jsonl");
  const GrammarCompiler compiler(bytes(), {.lookahead_threads = kLookahead});
  std::size_t complete = 0, refused = 0, without_verdict = 0;
  std::string line;
  std::getline(file, line);  // the first line describes the rest
  while (std::getline(file, line)) {
    const nlohmann::json recorded = nlohmann::json::parse(line);
    const std::string grammar = recorded["grammar"], verdicts = recorded["verdicts"];
    const nlohmann::json& texts = recorded["texts"];
    const Result<CompiledGrammar> compiled = compiler.compile_text(grammar, {.syntax = GrammarSyntax::kLark});
    if (!compiled && compiled.error().code == ErrorCode::kLimitExceeded) {
      without_verdict += texts.size();
      continue;
    }
    if (!compiled) {
      // The language is empty; llguidance detects that only while it matches.
      EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << render(compiled.error(), grammar, "grammar");
      EXPECT_EQ(verdicts.find('c'), std::string::npos) << grammar;
      continue;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      GrammarMatcher matcher(*compiled);
      const Step step = matcher.accept_string(texts[i].get<std::string>());
      if (step == Step::kLimitExceeded) {
        ++without_verdict;
        continue;
      }
      const bool is_complete = step == Step::kOk && matcher.is_completed();
      ++(is_complete ? complete : refused);
      EXPECT_EQ(is_complete ? 'c' : 'r', verdicts[i]) << grammar << texts[i];
    }
  }
  EXPECT_GT(complete, 1000U);
  EXPECT_GT(refused, 1000U);
  EXPECT_LT(without_verdict, kMaxWithoutVerdict);
}

}  // namespace
}  // namespace weir
