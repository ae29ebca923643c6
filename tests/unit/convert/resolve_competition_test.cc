// Lark grammars whose terminals compete, in every language: what is written has the texts that Lark's rules for splitting
// text allow. The engine, which follows those rules, is the oracle: along random walks the bytes that may come next and
// the ends are the same.
#include "convert/resolve_competition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "rounds.h"
#include "weir/compiler.h"
#include "weir/convert.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

constexpr GrammarSyntax kLanguages[] = {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar,
                                        GrammarSyntax::kKbnf, GrammarSyntax::kLark};

const GrammarCompiler& bytes_compiler() {
  static const GrammarCompiler compiler = [] {
    VocabSpec spec;
    for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
    return GrammarCompiler(*TokenizerInfo::from_vocab(std::move(spec)));
  }();
  return compiler;
}

struct Here {
  std::vector<std::uint8_t> bytes;
  bool may_end = false;
  friend bool operator==(const Here&, const Here&) = default;
};

Here look(GrammarMatcher& matcher) {
  Expectation expected = matcher.expected();
  return {std::move(expected.bytes), matcher.is_completed()};
}

// Returns a text after which the grammars differ; "" if no walk finds one.
std::string difference(const CompiledGrammar& a, const CompiledGrammar& b, int walks, std::mt19937& random) {
  for (int walk = 0; walk < walks; ++walk) {
    GrammarMatcher first(a), second(b);
    std::string text;
    for (int step = 0; step < 40; ++step) {
      const Here here = look(first);
      if (here != look(second)) return "after `" + text + "`";
      if (here.bytes.empty()) break;
      const char byte = static_cast<char>(here.bytes[random() % here.bytes.size()]);
      text += byte;
      EXPECT_EQ(first.accept_bytes({&byte, 1}), Step::kOk);
      EXPECT_EQ(second.accept_bytes({&byte, 1}), Step::kOk);
    }
  }
  return "";
}

struct Sample {
  std::string_view name, text;
};

// The commonest grammars of Lark: of its tutorials, of its examples, and of docs/lark.md.
constexpr Sample kCommon[] = {
    {"json", R"g(
?start: value
?value: object | array | string | SIGNED_NUMBER -> number | "true" | "false" | "null"
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: string ":" value
string: ESCAPED_STRING
%import common.ESCAPED_STRING
%import common.SIGNED_NUMBER
%import common.WS
%ignore WS)g"},
    {"calculator", R"g(
?start: sum | NAME "=" sum -> assign_var
?sum: product | sum "+" product -> add | sum "-" product -> sub
?product: atom | product "*" atom -> mul | product "/" atom -> div
?atom: NUMBER -> number | "-" atom -> neg | NAME -> var | "(" sum ")"
%import common.CNAME -> NAME
%import common.NUMBER
%import common.WS_INLINE
%ignore WS_INLINE)g"},
    {"arithmetic", R"g(
start: expr
expr: term (("+" | "-") term)*
term: factor (("*" | "/" | "%") factor)*
factor: INT | FLOAT | "(" expr ")" | "-" factor
%import common (INT, FLOAT, WS)
%ignore WS)g"},
    {"rows", R"g(
start: row (NEWLINE row)*
row: field ("," field)*
field: ESCAPED_STRING | SIGNED_NUMBER | WORD
%import common (ESCAPED_STRING, SIGNED_NUMBER, WORD, NEWLINE, WS_INLINE)
%ignore WS_INLINE)g"},
    {"ini", R"g(
start: section+
section: "[" NAME "]" NL item*
item: NAME "=" VALUE? NL
NAME: /[A-Za-z0-9_]+/
VALUE: /[^\s=\[\]][^\n]*/
%import common.NEWLINE -> NL
%import common.WS_INLINE
%ignore WS_INLINE)g"},
    {"comments", R"g(
start: statement+
statement: NAME "=" sum ";"
sum: NUMBER (("+" | "-") NUMBER)*
NAME: /[a-z]+/
%import common (NUMBER, WS, SH_COMMENT, C_COMMENT)
%ignore WS
%ignore SH_COMMENT
%ignore C_COMMENT)g"},
    {"keywords", R"g(
start: statement+
statement: "let" NAME "=" sum ";"
sum: NUMBER (("+" | "-") NUMBER)*
%import common (CNAME, NUMBER, WS)
NAME: CNAME & ~"let"
%ignore WS)g"},
    {"keyword or name", R"g(
start: "if" NAME "!" | NAME "?"
NAME: /[a-z]+/
%ignore " ")g"},
    {"words", R"g(
start: WORD ("," WORD)* "!"
%import common.WORD
%ignore " ")g"},
    {"blanks before, and lines", R"g(
%llguidance {"allow_initial_skip": true}
start: line+
line: WORD+ ";"
%import common.WORD
%ignore /[ \t]+/
%ignore /\n/)g"},
};

TEST(Competition, CommonLarkGrammarsInEachLanguage) {
  std::mt19937 random(43);
  for (const Sample& sample : kCommon) {
    const Result<Grammar> given = Grammar::from_text(sample.text, {.syntax = GrammarSyntax::kLark});
    ASSERT_TRUE(given) << render(given.error(), sample.text, sample.name);
    const Result<CompiledGrammar> expected = bytes_compiler().compile(*given);
    ASSERT_TRUE(expected) << sample.name;
    for (const GrammarSyntax to : kLanguages) {
      // llama.cpp cannot read left recursion, which a calculator has.
      const bool is_left_recursive = sample.name == "calculator" && to == GrammarSyntax::kGbnf;
      const Result<std::string> text = convert_grammar(*given, to);
      ASSERT_EQ(text.has_value(), !is_left_recursive)
          << sample.name << " to " << to_string(to) << ": " << text.error().message;
      if (!text) continue;
      const Result<CompiledGrammar> again = bytes_compiler().compile_text(*text, {.syntax = to});
      ASSERT_TRUE(again) << render(again.error(), *text, sample.name);
      EXPECT_EQ(difference(*expected, *again, 20, random), "") << sample.name << " in\n" << *text;
    }
  }
}

std::string to_ebnf(std::string_view text) {
  const Result<Grammar> grammar = Grammar::from_text(text, {.syntax = GrammarSyntax::kLark});
  if (!grammar) return "not read: " + grammar.error().message;
  const Result<std::string> out = convert_grammar(*grammar, GrammarSyntax::kEbnf);
  return out ? *out : out.error().message;
}

TEST(Competition, BlanksAreWrittenOnce) {
  EXPECT_EQ(to_ebnf("start: \"a\" \"b\"\n%ignore /[ \\t]+/"),
            "root ::= \"a\" ignored-text \"b\" ignored-text\nignored-text ::= ([\\t ]+)?\n");
}

// After a comment, only a line end or the end may come; without that condition `1 # + 2` would be 1 + 2.
TEST(Competition, WhatMustNotFollowALexemeIsWrittenOut) {
  const std::string text = to_ebnf("start: N (\"+\" N)*\nN: /[0-9]/\n%ignore /[ \\n]+/\n%ignore /#[^\\n]*/");
  const Result<CompiledGrammar> compiled = bytes_compiler().compile_ebnf(text);
  ASSERT_TRUE(compiled) << text;
  const auto accepts = [&](std::string_view one) {
    GrammarMatcher matcher(*compiled);
    return matcher.accept_bytes(one) == Step::kOk && matcher.is_completed();
  };
  EXPECT_TRUE(accepts("1 # + 2"));
  EXPECT_TRUE(accepts("1 # +\n+ 2#"));
  EXPECT_FALSE(accepts("1 + # 2"));
  EXPECT_FALSE(accepts("1 # \n 2"));
}

// Where the competition depends on more than the terminal and the next byte, it is not written.
TEST(Competition, WhatCannotBeWrittenIsRefused) {
  EXPECT_EQ(to_ebnf("start: A A B\nA: /a|ab+c/\nB: /b*c/"),
            "terminal B competes with others for the longest match, which cannot be written down");
}

std::string random_lark(std::mt19937& random) {
  constexpr std::string_view kTerminals[] = {"/a/",      "/ab?/",  "/a+/",    "/[ab]+/", "/b/",     "/ba*/",
                                             "/#[^b]*/", "/a|bb/", "/[b ]+/", "/#/",     "/a[#b]/", "/b+#/"};
  constexpr std::string_view kIgnored[] = {"",
                                           "%ignore / +/\n",
                                           "%ignore / /\n",
                                           "%ignore / +/\n%ignore /#[^b]*/\n",
                                           "%llguidance {\"skip_repetition\": \"once\"}\n%ignore / +/\n",
                                           "%llguidance {\"allow_initial_skip\": true}\n%ignore / +/\n%ignore /#+/\n"};
  std::string out;
  for (const char* name : {"A", "B", "C"}) {
    out += std::string(name) + ": " + std::string(kTerminals[random() % std::size(kTerminals)]) + "\n";
  }
  const auto item = [&] {
    constexpr std::string_view kItems[] = {"A", "B", "C", "A", "B", "C", "\"ab\"", "one", "two"};
    constexpr std::string_view kTimes[] = {"", "", "", "", "?", "*", "+", "~2"};
    return " " + std::string(kItems[random() % std::size(kItems)]) + std::string(kTimes[random() % std::size(kTimes)]);
  };
  for (const char* name : {"start", "one", "two"}) {
    out += std::string(name) + ":";
    for (int way = 0; way < 2; ++way) {
      if (way > 0) out += " |";
      for (unsigned i = 0; i < 1 + random() % 3; ++i) out += item();
    }
    out += "\n";
  }
  return out + std::string(kIgnored[random() % std::size(kIgnored)]);
}

TEST(Competition, RandomLarkGrammars) {
  std::mt19937 random(7);
  int resolved = 0;
  const int rounds = tests::rounds(500);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    const std::string text = random_lark(random);
    const Result<Grammar> given = Grammar::from_text(text, {.syntax = GrammarSyntax::kLark});
    if (!given) continue;  // without an end
    const auto competes = [](const grammar::Terminal& terminal) { return base::competes(terminal.mode); };
    if (std::ranges::none_of(given->ir().terminals, competes)) continue;
    const Result<CompiledGrammar> expected = bytes_compiler().compile(*given);
    const Result<std::string> out = convert_grammar(*given, GrammarSyntax::kEbnf);
    if (!expected || !out) continue;
    ++resolved;
    const Result<CompiledGrammar> again = bytes_compiler().compile_ebnf(*out);
    ASSERT_TRUE(again) << render(again.error(), *out, "converted") << text;
    EXPECT_EQ(difference(*expected, *again, 10, random), "") << text << "in EBNF:\n" << *out;
  }
  EXPECT_GT(resolved, rounds / 10);
}

}  // namespace
}  // namespace weir
