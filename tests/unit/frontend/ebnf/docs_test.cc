// Checks the examples in docs/ebnf.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"
#include "shared_data.h"
#include "weir/diagnostic.h"

namespace weir::frontend {
namespace {

// Returns the code blocks of the page that begin with ```kind.
std::vector<std::string> blocks(const std::string& kind) {
  std::ifstream file(tests::repository() + "/docs/ebnf.md");
  EXPECT_TRUE(file);
  std::vector<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```" + kind;
      if (inside) out.emplace_back();
    } else if (inside) {
      out.back() += line + "\n";
    }
  }
  return out;
}

TEST(EbnfDocs, GrammarsCompileWithoutWarnings) {
  const auto grammars = blocks("ebnf");
  EXPECT_GE(grammars.size(), 2U);
  for (const std::string& text : grammars) {
    const auto grammar = parse_ebnf(text, "root", Limits{});
    ASSERT_TRUE(grammar) << render(grammar.error(), text, "example");
    std::vector<Warning> warnings;
    EXPECT_TRUE(grammar::run_passes(*grammar, Limits{}, &warnings)) << text;
    EXPECT_TRUE(warnings.empty()) << text;
  }
}

// Checks for each of `texts` that `grammar` matches it, or does not. Texts are separated by blanks; `""` is the empty
// text.
void expect_matches(grammar::Grammar& grammar, const std::string& texts, bool expected, const std::string& line) {
  // The examples are intersected with another operand, so the whole expression is one terminal, and it is the last one.
  const regex::ExprId expr = grammar.terminals.back().expr;
  std::istringstream stream(texts);
  for (std::string text; stream >> text;) {
    if (text == "\"\"") text.clear();
    EXPECT_EQ(grammar.exprs.matches(expr, text), expected) << line << "\n" << text;
  }
}

TEST(EbnfDocs, ExamplesHold) {
  int count = 0;
  for (const std::string& block : blocks("examples")) {
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line); ++count) {
      const std::size_t first = line.find(" :: ");
      const std::size_t second = line.find(" :: ", first + 1);
      ASSERT_NE(second, std::string::npos) << line;
      const std::string text = "root ::= (" + line.substr(0, first) + ") & .*";
      auto grammar = parse_ebnf(text, "root", Limits{});
      ASSERT_TRUE(grammar) << render(grammar.error(), text, "example");
      expect_matches(*grammar, line.substr(first + 4, second - first - 4), true, line);
      expect_matches(*grammar, line.substr(second + 4), false, line);
    }
  }
  EXPECT_GE(count, 10);
}

TEST(EbnfDocs, TheErrorShownIsTheError) {
  const std::string text = "root ::= \"(\" exprs \")\"\nexpr ::= \"a\"";
  const auto grammar = parse_ebnf(text, "root", Limits{});
  ASSERT_FALSE(grammar);
  EXPECT_EQ(blocks("text").at(0), render(to_diagnostic(grammar.error()), text, "grammar"));
}

}  // namespace
}  // namespace weir::frontend
