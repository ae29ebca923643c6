// Cases that tests/data/lark.toml cannot express: several errors in a text, captures, and which terminals compete.
#include "frontend/lark/lark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lark/common.h"
#include "grammar/ir.h"

namespace weir::frontend {
namespace {

struct Read {
  grammar::Grammar grammar{100'000};
  Limits limits = {};
  Reading reading{grammar, limits};
  std::optional<grammar::RuleId> start = {};

  explicit Read(std::string_view text, const Limits& with = {}, const GrammarTextOptions& options = {}) : limits(with) {
    start = read_lark(text, options, reading);
  }

  /// Returns the ranges and messages of the errors, one error a line.
  [[nodiscard]] std::string errors() const {
    std::string out;
    for (const Error& e : reading.errors) {
      out += std::to_string(e.where.start) + "-" + std::to_string(e.where.end) + ": " + e.message + "\n";
    }
    return out;
  }

  [[nodiscard]] std::size_t competing() const {
    return static_cast<std::size_t>(std::count_if(grammar.terminals.begin(), grammar.terminals.end(),
                                                  [](const grammar::Terminal& t) { return base::competes(t.mode); }));
  }
};

TEST(LarkErrors, AllOfATextInItsOrder) {
  const Read read("start: a ) \nb: \"x\nc: d [\"e\"\nE: /x/ 'y'\n%ignor E\n");
  EXPECT_FALSE(read.start.has_value());
  EXPECT_EQ(read.errors(),
            "7-8: `a` is not defined\n"
            "9-10: `)` without `(`\n"
            "15-17: string without closing `\"` on its line\n"
            "23-24: `[` without `]`\n"
            "35-36: unexpected character `'`\n"
            "36-37: `y` is not defined\n"
            "37-38: unexpected character `'`\n"
            "39-45: unexpected `%ignor`\n");
}

TEST(LarkErrors, AtMostTwenty) {
  std::string text = "start: \"a\"\n";
  for (int i = 0; i < 50; ++i) text += "r" + std::to_string(i) + ": nothing\n";
  EXPECT_EQ(Read(text).reading.errors.size(), 20U);
}

TEST(LarkErrors, AMisspelledNameHasAFix) {
  const Read read("start: nmuber\nnumber: /[0-9]+/\n");
  ASSERT_EQ(read.reading.errors.size(), 1U);
  EXPECT_EQ(read.reading.errors[0].hint, "did you mean `number`?");
  EXPECT_EQ(read.reading.errors[0].fix, (Fix{{7, 13}, "number"}));
}

TEST(LarkErrors, AnImportThatIsMissingIsNamed) {
  const Read read("start: CNAME\n");
  ASSERT_EQ(read.reading.errors.size(), 1U);
  EXPECT_EQ(read.reading.errors[0].hint, "is `%import common.CNAME` missing?");
}

TEST(LarkLimits, NestingDoesNotRecurse) {
  Limits limits;
  limits.nesting = 50'000;
  const std::string deep(40'000, '(');
  EXPECT_TRUE(Read("start: " + deep + "\"a\"" + std::string(40'000, ')'), limits).start.has_value());
  limits.nesting = 3;
  const Read read("start: ((((\"a\"))))", limits);
  ASSERT_EQ(read.reading.errors.size(), 1U);
  EXPECT_EQ(read.reading.errors[0].limit, "nesting");
}

TEST(LarkLimits, ParametersWithoutEndMeetGrammarSymbols) {
  Limits limits;
  limits.grammar_symbols = 10'000;
  const Read read("start: a::0\na::_: \"a\" a::incr(_) | \"b\"\n", limits);
  ASSERT_EQ(read.reading.errors.size(), 1U);
  EXPECT_EQ(read.reading.errors[0].limit, "grammar_symbols");
}

TEST(LarkLimits, TemplatesWithoutEndMeetGrammarSymbols) {
  Limits limits;
  limits.grammar_symbols = 10'000;
  const Read read("start: a{\"x\"}\na{x}: x | a{(x x)}\n", limits);
  ASSERT_EQ(read.reading.errors.size(), 1U);
  EXPECT_EQ(read.reading.errors[0].limit, "grammar_symbols");
}

TEST(LarkLimits, RulesWithoutEndCountAsWork) {
  Limits limits;
  limits.call_work = 100'000;
  for (const char* text :
       {"start: p{\"a\",\"b\",\"c\"}\np{x,y,z}: p{q{y,z},q{x,x},q{z,y}} | x\nq{x,y}: x y | p{y,x,x}\n",
        "start: p{\"a\"}\np{x}: p{p{x}} | x\n", "start: a::0\na::_: \"x\" a::incr([0:64]) | \"y\"\n"}) {
    const auto grammar = Grammar::from_text(text, {.syntax = GrammarSyntax::kLark}, limits);
    ASSERT_FALSE(grammar) << text;
    EXPECT_EQ(grammar.error().limit, "call_work") << text;
  }
}

// Their nodes count as well, which all passes read: 17 words took 5 s.
TEST(LarkLimits, ManyParametersAreNoEndlessOnes) {
  const auto permutation = [](int words) {
    std::string text = "start: each::0\neach::_:";
    for (int i = 0; i < words; ++i) {
      const std::string bit = std::to_string(i);
      text += " \"" + std::string(1, static_cast<char>('a' + i)) + "\" each::set_bit(" + bit + ") %if bit_clear(" +
              bit + ")\n  |";
    }
    return Grammar::from_text(text + " \"\" %if is_ones([0:" + std::to_string(words) + "])\n",
                              {.syntax = GrammarSyntax::kLark});
  };
  EXPECT_TRUE(permutation(14));
  const auto many = permutation(16);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().limit, "call_work");
}

TEST(Lark, ATemplatesParameterIsNoPartOfATerminal) {
  EXPECT_EQ(Read("start: a{\"x\"}\na{x}[lazy]: x \"y\"\n").errors(),
            "26-27: a terminal cannot hold a template's parameter\n");
  EXPECT_EQ(Read("start: a{\"x\"}\na{x}: ~x\n").errors(), "21-22: a terminal cannot hold a template's parameter\n");
}

TEST(Lark, TokensByNameAndNumber) {
  const Read read("start: <|end|> <[7]> <[1-3, 9]> <[^4,5-6]> <[*]>\n");
  ASSERT_TRUE(read.start.has_value()) << read.errors();
  using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  auto sets = read.grammar.token_sets;
  std::reverse(sets.begin(), sets.end());  // sets are added from the last part of the sequence to the first
  ASSERT_EQ(sets.size(), 5U);
  EXPECT_EQ(sets[0].names, std::vector<std::string>{"<|end|>"});
  EXPECT_EQ(sets[1].ranges, (Ranges{{7, 7}}));
  EXPECT_EQ(sets[2].ranges, (Ranges{{1, 3}, {9, 9}}));
  EXPECT_EQ(sets[3].ranges, (Ranges{{4, 4}, {5, 6}}));
  EXPECT_TRUE(sets[3].complement);
  EXPECT_TRUE(sets[4].ranges.empty() && sets[4].complement);
  EXPECT_EQ(Read("start: <[7-]>\n").errors(), "7-13: malformed set of tokens\n");
}

TEST(Lark, CapturesHaveTheirNames) {
  const Read read("start: a b c\na[capture]: \"x\"\nb[capture=\"B b\"]: \"y\"\nc: \"z\"\n");
  ASSERT_TRUE(read.start.has_value()) << read.errors();
  std::map<std::string, std::string> captures;
  for (const grammar::Rule& rule : read.grammar.rules) captures[rule.name] = rule.capture;
  EXPECT_EQ(captures, (std::map<std::string, std::string>{{"start", ""}, {"a", "a"}, {"b", "B b"}, {"c", ""}}));
}

TEST(Lark, AllCommonTerminalsAreKnown) {
  for (const std::string_view name : lark::common_terminal_names()) {
    const std::string text = "%import common." + std::string(name) + "\nstart: " + std::string(name) + "\n";
    EXPECT_TRUE(Read(text).start.has_value()) << Read(text).errors();
  }
}

// Terminals compete only if that changes what is matched. In a list each number ends before a comma, which no number
// contains, so no terminal competes.
TEST(Lark, TerminalsCompeteOnlyWhereThatDecides) {
  EXPECT_EQ(Read("start: N (\",\" N)*\nN: /[0-9]+/\n").competing(), 0U);
  EXPECT_EQ(Read("start: N (\",\" N)*\nN: /[0-9]+/\n%ignore \" \"\n").competing(), 0U);
  EXPECT_EQ(Read("start: (N \" \"?)+\nN: /[0-9]+/\n").competing(), 2U);
  // Only those compete that may begin at one place: TEXT continues `+`, but not where that begins.
  EXPECT_EQ(Read("start: (\"+\" TEXT LF | \"@@\" LF | \"@@ \" TEXT LF)+\nTEXT: /.+/\nLF: /\\n/\n").competing(), 0U);
  EXPECT_EQ(Read("start: (\"+\" TEXT LF | \"@@\" TEXT | \"@@ \" TEXT LF)+\nTEXT: /.+/\nLF: /\\n/\n").competing(), 5U);
  // After `ab`, which is a NAME, too, what may follow either competes.
  EXPECT_EQ(Read("start: NAME X \"2\" | \"ab\" Y\nNAME: /c+/\nX: /1/\nY: /12/\n").competing(), 0U);
  EXPECT_EQ(Read("start: NAME X \"2\" | \"ab\" Y\nNAME: /[abc]+/\nX: /1/\nY: /12/\n").competing(), 5U);
  EXPECT_EQ(Read("start: \"if\" N | N \"=\"\nN: /[a-z]+/\n").competing(), 3U);
  EXPECT_EQ(Read("start: l \"x\"\nl[lazy]: /.*;/\n").competing(), 0U);
  EXPECT_EQ(Read("start: l \"x\" | /[a-z]+/\nl[lazy]: /[a-z]*;/\n").competing(), 0U);
  EXPECT_EQ(Read("start: l \"x\" | /[a-z;]+/\nl[lazy]: /[a-z]*;/\n").competing(), 3U);
  GrammarTextOptions exact;
  exact.exact_splits = true;
  EXPECT_EQ(Read("start: (N \" \"?)+\nN: /[0-9]+/\n", {}, exact).competing(), 0U);
}

// An option that a schema cannot be read with is an error at the schema, also in a grammar that is given by name.
TEST(Lark, OptionsOfSchemasApplyInAllGrammars) {
  GrammarTextOptions options{.grammars = {{"other", "start: %json {}"}}};
  EXPECT_EQ(Read("start: %json {} @other\n", {}, options).errors(), "");
  options.json_schema.whitespace = JsonSchemaOptions::Whitespace::kPattern;
  options.json_schema.whitespace_pattern = "[ x]*";
  const std::string why = "`whitespace_pattern` must match blanks, and nothing else\n";
  EXPECT_EQ(Read("start: %json {}\n", {}, options).errors(), "13-15: " + why);
  EXPECT_EQ(Read("start: @other\n", {}, options).errors(), "7-13: in the grammar `other`, line 1, column 14: " + why);
}

}  // namespace
}  // namespace weir::frontend
