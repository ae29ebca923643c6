// The example grammars of llama.cpp are read, printed and read again, and go through all passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"
#include "grammar/print.h"
#include "shared_data.h"

namespace weir::frontend {
namespace {

class LlamaCppGrammar : public testing::TestWithParam<const char*> {};

TEST_P(LlamaCppGrammar, Passes) {
  const std::filesystem::path path = tests::shared_data() / "grammars/llama.cpp" / GetParam();
  std::ifstream file(path, std::ios::binary);
  if (!file) GTEST_SKIP() << path << " is not there; WEIR_SHARED_DATA names the directory with grammars/llama.cpp";
  std::stringstream contents;
  contents << file.rdbuf();
  const std::string text = contents.str();

  const auto grammar = parse_ebnf(text, "root", Limits{});
  ASSERT_TRUE(grammar) << render(grammar.error(), text, GetParam());
  const std::string printed = grammar::to_ebnf(*grammar);
  const auto again = parse_ebnf(printed, "root", Limits{});
  ASSERT_TRUE(again) << render(again.error(), printed, "printed");
  EXPECT_EQ(grammar::to_ebnf(*again), printed);

  std::vector<Warning> warnings;
  const auto cfg = grammar::run_passes(*grammar, Limits{}, &warnings);
  ASSERT_TRUE(cfg) << render(cfg.error(), text, GetParam());
  for (const Warning& warning : warnings) ADD_FAILURE() << render(warning, text, GetParam());
  for (const grammar::Terminal& terminal : cfg->terminals) EXPECT_FALSE(cfg->exprs.nullable(terminal.expr));
}

INSTANTIATE_TEST_SUITE_P(Files, LlamaCppGrammar,
                         testing::Values("arithmetic.gbnf", "c.gbnf", "chess.gbnf", "english.gbnf", "japanese.gbnf",
                                         "json.gbnf", "json_arr.gbnf", "list.gbnf"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace weir::frontend
