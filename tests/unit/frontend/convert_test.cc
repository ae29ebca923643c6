#include "weir/convert.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "frontend/ebnf/ebnf.h"
#include "grammar/print.h"
#include "unit/grammar/language.h"
#include "unit/grammar/random_grammar.h"

namespace weir {
namespace {

std::string converted(std::string_view text, GrammarSyntax to, const GrammarTextOptions& options = {}) {
  const Result<Grammar> grammar = Grammar::from_text(text, options);
  if (!grammar) return "not read: " + grammar.error().message;
  const Result<std::string> out = convert_grammar(*grammar, to);
  if (out) return *out;
  const SourceRange where = out.error().where;
  return out.error().message + ": " + std::string(text.substr(where.start, where.end - where.start));
}

std::string to_gbnf(std::string_view text) { return converted(text, GrammarSyntax::kGbnf); }

TEST(Convert, OperatorsOfRules) {
  EXPECT_EQ(to_gbnf("root ::= a (\"b\" | c?){2,3} | (a | \"b\")+\na ::= \"x\"* c\nc ::= (\"y\"* \"z\")+"),
            "root ::= a (\"b\" | c?){2,3} | (a | \"b\")+\na ::= \"x\"* c\nc ::= (\"y\"* \"z\")+\n");
}

TEST(Convert, LiteralsAndClasses) {
  EXPECT_EQ(to_gbnf(R"(root ::= '"\\\n' "\u{1F600}é\x01" [^a\]\n] [\d\-] . [^\x00-\x1F])"),
            "root ::= \"\\\"\\\\\\n\" \"\U0001F600é\\x01\" [^\\n\\x5Da] [\\x2D0-9] . [^\\x00-\\x1F]\n");
}

TEST(Convert, RegularExpressions) {
  EXPECT_EQ(to_gbnf("root ::= /a(b|c+)+[^d]{2,}/ /x/i"), "root ::= (\"a\" (\"b\" | \"c\"+)+ [^d]{2,}) [Xx]\n");
}

TEST(Convert, WhatGbnfCannotSay) {
  EXPECT_EQ(to_gbnf("root ::= \"a\" @lazy(.* \"b\")"), "GBNF has no way to say a lazy terminal: @lazy(.* \"b\")");
  EXPECT_EQ(to_gbnf("root ::= \"a\" @greedy([a-z]+)"), "GBNF has no way to say a greedy terminal: @greedy([a-z]+)");
  EXPECT_EQ(to_gbnf("root ::= /a(?=b)/"), "GBNF has no way to say a look-ahead: /a(?=b)/");
  EXPECT_EQ(to_gbnf("root ::= @capture(x: \"a\")"), "GBNF has no way to say a capture: @capture(x: \"a\")");
  EXPECT_EQ(to_gbnf("root ::= \"a\"{2001}"), "GBNF has no way to say a count above 2000: \"a\"{2001}");
  EXPECT_EQ(to_gbnf("root ::= /a{0,2001}/"), "GBNF has no way to say a count above 2000: /a{0,2001}/");
  EXPECT_EQ(to_gbnf("root ::= \"a\"{2000,}"), "root ::= \"a\"{2000,}\n");
  EXPECT_EQ(to_gbnf("root ::= <[1-3]>"), "GBNF has no way to say a set of tokens: <[1-3]>");
  EXPECT_EQ(to_gbnf("root ::= <[7]> !<a>"), "root ::= <[7]> !<a>\n");
  EXPECT_NE(to_gbnf("root ::= [a-z]+ & ~\"if\"").find("GBNF has no way to say `[a-z]+ & ~\"if\"`"), std::string::npos);
}

TEST(Convert, WhatLlamaCppTakesForLeftRecursion) {
  EXPECT_EQ(to_gbnf("root ::= a\na ::= \"x\"? b\nb ::= a \"y\" | \"z\""),
            "GBNF has no way to say rule `a`, which can begin with itself: a");
  EXPECT_EQ(to_gbnf("root ::= (\"y\"*)*"),
            "GBNF has no way to say a repetition without bound of what may be empty: (\"y\"*)*");
  EXPECT_EQ(to_gbnf("root ::= /(y*)*/"),
            "GBNF has no way to say a repetition without bound of what may be empty: /(y*)*/");
  EXPECT_EQ(to_gbnf("root ::= \"x\" root | \"y\"?"), "root ::= \"x\" root | \"y\"?\n");
}

TEST(Convert, NamesOfRules) {
  EXPECT_EQ(converted("root ::= b_c b.c b-c\nb_c ::= \"(\" root | \"x\"\nb.c ::= \"y\"\nb-c ::= \"z\"",
                      GrammarSyntax::kGbnf, {.start = "b_c"}),
            "root ::= \"(\" root-2 | \"x\"\nroot-2 ::= root b-c b-c-2\nb-c ::= \"y\"\nb-c-2 ::= \"z\"\n");
  EXPECT_EQ(to_gbnf("unused ::= @lazy(\"a\")\nroot ::= \"b\""), "root ::= \"b\"\n");
}

TEST(Convert, EbnfKeepsItsOperators) {
  const std::string text = "root ::= @capture(x: a) (a & ~\"b\") @lazy(. \"c\")\na ::= [a-z]\n";
  EXPECT_EQ(converted(text, GrammarSyntax::kEbnf), text);
  EXPECT_EQ(converted("r ::= a & b\na ::= [a-z]\nb ::= [x]", GrammarSyntax::kEbnf, {.start = "r"}),
            "EBNF has no way to say `a & b` where rules get other names: a & b");
}

TEST(Convert, OtherLanguagesAreRefused) {
  EXPECT_FALSE(can_convert_to(GrammarSyntax::kLark));
  EXPECT_EQ(converted("root ::= \"a\"", GrammarSyntax::kLark), "grammars cannot be converted to `lark`: ");
}

// What is written has the language of what was read. GBNF is read as EBNF, which has all of it.
TEST(Convert, RandomGrammarsReadBackAsTheSameLanguage) {
  constexpr std::size_t kLength = 4;
  std::mt19937 random(11);
  std::map<GrammarSyntax, int> converted_count;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const auto ir = std::make_shared<const grammar::Grammar>(
        grammar::testing::random_grammar(random, grammar::testing::Extras::kNone));
    const Grammar given(ir, {}, Limits{});
    for (const GrammarSyntax to : {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf}) {
      const Result<std::string> text = convert_grammar(given, to);
      if (!text) {
        EXPECT_EQ(text.error().code, ErrorCode::kUnsupported) << text.error().message;
        continue;
      }
      ++converted_count[to];
      const auto again = frontend::parse_ebnf(*text, "root", Limits{});
      ASSERT_TRUE(again) << render(again.error(), *text, "converted");
      EXPECT_EQ(grammar::testing::language(*again, kLength), grammar::testing::language(*ir, kLength))
          << grammar::to_ebnf(*ir) << "converted:\n"
          << *text;
    }
  }
  EXPECT_GT(converted_count[GrammarSyntax::kEbnf], 50);
  EXPECT_GT(converted_count[GrammarSyntax::kGbnf], 10);
}

}  // namespace
}  // namespace weir
