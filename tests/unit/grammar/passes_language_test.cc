// The passes keep the language of random grammars, and a Cfg satisfies its documented invariants. Languages are
// compared by enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"
#include "grammar/print.h"
#include "language.h"
#include "random_grammar.h"
#include "rounds.h"

namespace weir::grammar::passes_language_test {
namespace {

using testing::Extras;
using testing::Language;

constexpr std::size_t kLength = 5;
const int kGrammars = tests::rounds(1'500);

void expect_invariants(const Cfg& cfg) {
  std::set<std::pair<std::uint32_t, base::LexemeMode>> terminals;
  for (const Terminal& terminal : cfg.terminals) {
    EXPECT_FALSE(cfg.exprs.nullable(terminal.expr)) << terminal.name;
    EXPECT_NE(terminal.expr, regex::ExprId::kNothing) << terminal.name;
    EXPECT_TRUE(terminals.insert({static_cast<std::uint32_t>(terminal.expr), terminal.mode}).second) << terminal.name;
  }
  const std::vector<Language> languages = testing::rule_languages(cfg, kLength);
  std::vector<bool> reached(cfg.rules.size(), false);
  reached.at(static_cast<std::size_t>(cfg.start)) = true;
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    EXPECT_FALSE(cfg.rules[r].productions.empty()) << cfg.rules[r].name;
    EXPECT_EQ(cfg.rules[r].nullable, languages[r].contains("")) << cfg.rules[r].name;
    for (ItemId item : cfg.rules[r].productions) {
      for (; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        if (cfg.symbol(item).kind() == Symbol::Kind::kRule) reached.at(cfg.symbol(item).index()) = true;
      }
      EXPECT_EQ(cfg.symbol(item), Symbol::end(RuleId{r}));
    }
  }
  EXPECT_TRUE(std::all_of(reached.begin(), reached.end(), [](bool is) { return is; }));
}

class PassesOnRandomGrammars : public ::testing::TestWithParam<Extras> {};

TEST_P(PassesOnRandomGrammars, KeepTheLanguage) {
  std::mt19937 random(20'240'607);
  int unsatisfiable = 0;
  for (int i = 0; i < kGrammars && !HasFailure(); ++i) {
    const Grammar grammar = testing::random_grammar(random, GetParam());
    SCOPED_TRACE(to_ebnf(grammar));
    const bool productive = testing::productive_rules(grammar)[static_cast<std::size_t>(grammar.start)];
    std::vector<Warning> warnings;
    const auto cfg = run_passes(grammar, Limits{}, &warnings);
    ASSERT_EQ(cfg.has_value(), productive) << (cfg ? "" : cfg.error().message);
    if (!cfg) {
      EXPECT_EQ(cfg.error().code, ErrorCode::kUnsatisfiable);
      ++unsatisfiable;
      continue;
    }
    SCOPED_TRACE(to_text(*cfg));
    EXPECT_EQ(testing::language(*cfg, kLength), testing::language(grammar, kLength));
    expect_invariants(*cfg);
  }
  EXPECT_GT(unsatisfiable, 10);
  EXPECT_LT(unsatisfiable, kGrammars / 2);
}

// Parses the output of each pass on the IR again and checks that it has the same language.
TEST_P(PassesOnRandomGrammars, PrintWhatCanBeReadAgain) {
  std::mt19937 random(7);
  for (int i = 0; i < kGrammars / 5 && !HasFailure(); ++i) {
    const Grammar grammar = testing::random_grammar(random, GetParam());
    const Language expected = testing::language(grammar, kLength);
    const auto check = [&](std::string_view pass, std::string_view text) {
      if (pass == "lower") return false;
      const std::string_view start = text.substr(0, text.find(' '));
      const auto again = frontend::parse_ebnf(text, start, Limits{});
      EXPECT_TRUE(again) << pass << "\n" << render(again.error(), text, "printed");
      if (again) {
        if (pass == "parse") {
          EXPECT_EQ(to_ebnf(*again), text);
        }
        EXPECT_EQ(testing::language(*again, kLength), expected) << pass << "\n" << text;
      }
      return true;
    };
    bool on_ir = true;
    static_cast<void>(run_passes(grammar, Limits{}, nullptr, [&](std::string_view pass, std::string_view text) {
      on_ir = on_ir && check(pass, text);
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(, PassesOnRandomGrammars, ::testing::Values(Extras::kNone, Extras::kTokensAndModes),
                         [](const auto& param) { return param.param == Extras::kNone ? "Text" : "TokensAndModes"; });

}  // namespace
}  // namespace weir::grammar::passes_language_test
