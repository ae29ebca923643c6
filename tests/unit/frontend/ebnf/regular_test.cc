// Regular operations: the texts that terminals with `&`, `~`, @lazy and @greedy match.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ebnf/ebnf.h"

namespace weir::frontend::regular_test {
namespace {

using base::LexemeMode;

// A grammar in which the body of `root` is one terminal.
struct RootTerminal {
  explicit RootTerminal(std::string_view text) : grammar(parse_ebnf(text, "root", Limits{})) {}
  [[nodiscard]] const grammar::Terminal& terminal() const {
    return grammar->terminals.at(grammar->node(grammar->rule(grammar->start).body).payload);
  }
  bool matches(std::string_view text) { return grammar->exprs.matches(terminal().expr, text); }
  Result<grammar::Grammar> grammar;
};

struct Case {
  const char* text;
  std::vector<std::string> in;
  std::vector<std::string> out;
};

TEST(RegularOperations, Languages) {
  const Case cases[] = {
      {R"(root ::= [a-z]+ & ~"if")", {"i", "ifs", "x"}, {"if", "", "A"}},
      {R"(root ::= ~"a")", {"", "b", "aa", "é"}, {"a", "\xFF", "\xC3"}},  // bytes that are not UTF-8 do not match
      {R"(root ::= ~~"a")", {"a"}, {"", "b"}},
      {R"(root ::= ~"a"*)", {"b", "ab"}, {"", "a", "aa"}},         // ~ applies to "a"*, not to "a"
      {R"(root ::= (~"a")* & .*)", {"", "b", "aa", "ab"}, {"a"}},  // "aa" is one text that is not "a"
      {R"(root ::= [ab]* "b" & . . .)", {"aab", "bbb"}, {"ab", "aba"}},
      {R"(root ::= [a-m] & [g-z] & ~[hi])", {"g", "j", "m"}, {"h", "i", "a", "z"}},
      {R"(root ::= name & ~keyword
          name ::= letter (letter | [0-9])*
          letter ::= [a-z]
          keyword ::= "for" | "while")",
       {"fo", "for2", "whale"},
       {"for", "while", "2"}},
      {R"(root ::= ("a" | "b" & "c"){2} & ~"")", {"aa"}, {"a", "bb", "cc"}},
  };
  for (const Case& c : cases) {
    RootTerminal root(c.text);
    ASSERT_TRUE(root.grammar) << render(root.grammar.error(), c.text, "grammar");
    EXPECT_EQ(root.terminal().mode, LexemeMode::kExact);
    for (const std::string& s : c.in) EXPECT_TRUE(root.matches(s)) << c.text << "\n" << s;
    for (const std::string& s : c.out) EXPECT_FALSE(root.matches(s)) << c.text << "\n" << s;
  }
}

TEST(RegularOperations, LazyAndGreedyAreOneTerminal) {
  RootTerminal lazy("root ::= @lazy(.* end)\nend ::= \"*/\"");
  ASSERT_TRUE(lazy.grammar);
  EXPECT_EQ(lazy.terminal().mode, LexemeMode::kLazy);
  EXPECT_TRUE(lazy.matches("x */"));

  RootTerminal greedy("root ::= @greedy(word)\nword ::= [a-z]+ & ~\"if\"");
  ASSERT_TRUE(greedy.grammar);
  EXPECT_EQ(greedy.terminal().mode, LexemeMode::kGreedy);
  EXPECT_TRUE(greedy.matches("ifs"));
  EXPECT_FALSE(greedy.matches("if"));
}

TEST(RegularOperations, RulesUsedAsOperandsCountAsUsed) {
  const auto grammar = parse_ebnf("root ::= a & ~b\na ::= c+\nb ::= \"x\"\nc ::= [a-z]\nd ::= \"y\"", "root", Limits{});
  ASSERT_TRUE(grammar);
  for (const grammar::Rule& rule : grammar->rules) {
    EXPECT_EQ(rule.absorbed, rule.name == "a" || rule.name == "b" || rule.name == "c") << rule.name;
  }
}

TEST(RegularOperations, RecursionOutsideOfOperandsIsAllowed) {
  const char* text = "root ::= \"(\" root \")\" | word & ~\"x\"\nword ::= [a-z]+";
  EXPECT_TRUE(parse_ebnf(text, "root", Limits{}));
}

TEST(RegularOperations, LongChainsOfRules) {
  std::string text = "root ::= ~r0\n";
  for (int i = 0; i < 50'000; ++i) text += "r" + std::to_string(i) + " ::= r" + std::to_string(i + 1) + "\n";
  EXPECT_TRUE(parse_ebnf(text + "r50000 ::= \"y\"", "root", Limits{}));
  const auto recursive = parse_ebnf(text + "r50000 ::= r0", "root", Limits{});
  ASSERT_FALSE(recursive);
  EXPECT_EQ(recursive.error().code, ErrorCode::kUnsupported);
  EXPECT_LT(recursive.error().message.size(), 300U);  // the message shortens the cycle
}

}  // namespace
}  // namespace weir::frontend::regular_test
