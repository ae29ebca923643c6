// Random GBNF grammars and texts, with what llama.cpp said of them: verdicts.jsonl, which record.py writes.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "weir/weir.h"

namespace weir {
namespace {

// Grammars that llama.cpp refuses and weir reads, as docs/gbnf.md has it: left recursion, counts of the empty string,
// and rules that begin on a line on which another one ends.
constexpr std::size_t kAlsoRead = 37;

TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

char verdict(const CompiledGrammar& compiled, const std::string& text) {
  GrammarMatcher matcher(compiled);
  if (matcher.accept_string(text) != Step::kOk) return 'r';
  return matcher.is_completed() ? 'c' : 'p';
}

TEST(GbnfVerdicts, AreThoseOfLlamaCpp) {
  std::ifstream file(WEIR_SOURCE_DIR "/tests/conformance/gbnf/verdicts.jsonl");
  const GrammarCompiler compiler(bytes());
  std::size_t texts = 0, also_read = 0;
  std::string line;
  std::getline(file, line);  // What the rest is of.
  while (std::getline(file, line)) {
    const nlohmann::json recorded = nlohmann::json::parse(line);
    const std::string grammar = recorded["grammar"], verdicts = recorded["verdicts"];
    const Result<CompiledGrammar> compiled = compiler.compile_text(grammar, {.syntax = GrammarSyntax::kGbnf});
    if (verdicts == "error") {
      if (compiled) ++also_read;
      continue;
    }
    ASSERT_TRUE(compiled) << render(compiled.error(), grammar, "grammar");
    std::string found;
    for (const nlohmann::json& text : recorded["texts"]) found += verdict(*compiled, text);
    EXPECT_EQ(found, verdicts) << grammar << "\n" << recorded["texts"].dump();
    texts += found.size();
  }
  EXPECT_GT(texts, 1000U);
  EXPECT_EQ(also_read, kAlsoRead);
}

}  // namespace
}  // namespace weir
