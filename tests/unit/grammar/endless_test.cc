// Rules that derive no finite string but can continue forever, in grammars that keep them (keeps_endless): the results
// of the pass "productive".
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"
#include "grammar/print.h"
#include "language.h"
#include "random_grammar.h"
#include "rounds.h"

namespace weir::grammar {
namespace {

constexpr std::size_t kLength = 5;

// Returns the printed rules after the passes "unused" and "productive", or the message of the error.
std::string kept_of(std::string_view text) {
  auto grammar = frontend::parse_ebnf(text, "root", Limits{});
  if (!grammar) return grammar.error().message;
  grammar->keeps_endless = true;
  std::string seen;
  const auto cfg = run_passes(*grammar, Limits{}, nullptr, [&](std::string_view pass, std::string_view printed) {
    if (pass == "productive" || (pass == "unused" && seen.empty())) seen = printed == "(unchanged)" ? seen : printed;
  });
  return cfg ? seen : cfg.error().message;
}

struct Case {
  const char* text;
  const char* kept;
};

TEST(Endless, RulesThatContinueForeverStay) {
  const Case cases[] = {
      {"root ::= \"a\" root", "root ::= \"a\" root\n"},
      {"root ::= \"a\" root | \"b\" x x ::= \"c\" y y ::= x \"d\"",
       "root ::= \"a\" root | \"b\" x\nx ::= \"c\" y\ny ::= x\n"},
      {"root ::= \"a\" | \"b\" x x ::= \"c\" x", "root ::= \"a\" | \"b\" x\nx ::= \"c\" x\n"},
      // Rules that never derive a first byte, or a next one, are removed.
      {"root ::= root \"a\" | \"b\"", "root ::= root \"a\" | \"b\"\n"},
      {"root ::= \"b\" | x x ::= x \"a\"", "root ::= \"b\"\n"},
      {"root ::= \"b\" | x x ::= \"\" y y ::= x \"a\"", "root ::= \"b\"\n"},
      {"root ::= \"b\" | x x ::= (\"a\"* & \"b\"*) x", "root ::= \"b\"\n"},
      {"root ::= \"b\" | \"a\" x x ::= y y ::= x", "root ::= \"b\"\n"},
      {"root ::= root", "no text matches: rule `root` derives no finite string"},
      // A nullable part that can also match a byte lets the rule continue. One such cycle is sufficient.
      {"root ::= \"a\"? root", "root ::= \"a\"? root\n"},
      {"root ::= x x ::= x | \"a\" x", "root ::= x\nx ::= x | \"a\" x\n"},
      // Whatever follows an endless rule is removed, also further repetitions of the rule.
      {"root ::= \"a\" x \"b\" x ::= \"c\" x", "root ::= \"a\" x\nx ::= \"c\" x\n"},
      {"root ::= \"a\" x{2,5} \"b\" x ::= \"c\" x", "root ::= \"a\" x\nx ::= \"c\" x\n"},
      {"root ::= \"a\" x* \"b\" x ::= \"c\" x", "root ::= \"a\" x? \"b\"\nx ::= \"c\" x\n"},
      // Alternatives that derive neither finite nor endless texts are removed as in other grammars.
      {"root ::= \"a\" root | \"b\" x x ::= x", "root ::= \"a\" root\n"},
      {"root ::= \"a\" root | (\"b\" & \"c\") root", "root ::= \"a\" root\n"},
      {"root ::= @greedy(\"a\"+) root",
       "greedy terminal @greedy(\"a\"+) is not supported in a grammar that may go on forever"},
  };
  for (const Case& c : cases) EXPECT_EQ(kept_of(c.text), c.kept) << c.text;
}

TEST(Endless, AreNotReportedWhereTheyAreKept) {
  auto grammar = frontend::parse_ebnf("root ::= \"a\" | \"b\" x | y x ::= \"c\" x y ::= y", "root", Limits{});
  ASSERT_TRUE(grammar);
  grammar->keeps_endless = true;
  std::vector<Warning> warnings;
  ASSERT_TRUE(run_passes(*grammar, Limits{}, &warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].message, "rule `y` derives no finite string");
}

// The passes keep the finite strings, and a grammar that has a finite string is not refused.
TEST(Endless, FiniteStringsAreTheSame) {
  std::mt19937 random(11);
  int endless = 0;
  for (int i = 0; i < tests::rounds(1'500) && !HasFailure(); ++i) {
    Grammar grammar = testing::random_grammar(random, testing::Extras::kNone);
    SCOPED_TRACE(to_ebnf(grammar));
    const bool productive = testing::productive_rules(grammar)[static_cast<std::size_t>(grammar.start)];
    grammar.keeps_endless = true;
    const auto cfg = run_passes(grammar, Limits{}, nullptr);
    EXPECT_TRUE(cfg.has_value() || !productive);
    if (!cfg) continue;
    EXPECT_EQ(testing::language(*cfg, kLength), testing::language(grammar, kLength));
    if (!productive) ++endless;
  }
  EXPECT_GT(endless, 10);
}

}  // namespace
}  // namespace weir::grammar
