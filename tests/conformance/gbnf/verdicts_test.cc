// Compares weir with llama.cpp's verdicts on random GBNF grammars and texts (verdicts.jsonl, which record.py writes).
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

// Grammars that llama.cpp refuses and weir reads, as docs/gbnf.md describes: left recursion, counts of the empty
// string, and a rule that begins on the line on which another rule ends.
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
  std::ifstream file(tests::repository() + "/tests/conformance/gbnf/verdicts.jsonl");
  const GrammarCompiler compiler(bytes());
  std::size_t texts = 0, also_read = 0;
  std::string line;
  std::getline(file, line);  // the first line describes the rest
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
