// Grammars that the front end accepts, with the IR that it makes, printed.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ebnf/ebnf.h"
#include "grammar/print.h"
#include "regex/analysis/members.h"

namespace weir::frontend::parse_test {
namespace {

std::string parsed(std::string_view text) {
  const auto grammar = parse_ebnf(text, "root", Limits{});
  return grammar ? grammar::to_ebnf(*grammar) : render(grammar.error(), text, "grammar");
}

struct Case {
  const char* text;
  const char* printed;
};

TEST(ParseEbnf, MakesTheIr) {
  const Case cases[] = {
      {R"(root ::= "a")", "root ::= \"a\"\n"},
      // Sequences, alternatives, groups.
      {R"(root ::= "a" "b" | "c")", "root ::= \"a\" \"b\" | \"c\"\n"},
      {R"(root ::= "a" ("b" | "c") "d")", "root ::= \"a\" (\"b\" | \"c\") \"d\"\n"},
      {R"(root ::= (("a")))", "root ::= \"a\"\n"},
      {R"(root ::= ("a" "b") "c")", "root ::= (\"a\" \"b\") \"c\"\n"},
      // Empty alternatives.
      {R"(root ::= | "a")", "root ::= \"\" | \"a\"\n"},
      {R"(root ::= "a" |)", "root ::= \"a\" | \"\"\n"},
      {R"(root ::=)", "root ::= \"\"\n"},
      {R"(root ::= () "a")", "root ::= \"\" \"a\"\n"},
      {R"(root ::= "" "a")", "root ::= \"\" \"a\"\n"},
      // Repeats.
      {R"(root ::= "a"* "b"+ "c"?)", "root ::= \"a\"* \"b\"+ \"c\"?\n"},
      {R"(root ::= "a"{3} "b"{2,} "c"{,4} "d"{1,5})", "root ::= \"a\"{3} \"b\"{2,} \"c\"{0,4} \"d\"{1,5}\n"},
      {R"(root ::= "a"{ 1 , 2 } "b"{0,1} "c"{0,} "d"{1,})", "root ::= \"a\"{1,2} \"b\"? \"c\"* \"d\"+\n"},
      {R"(root ::= "a"?*{2})", "root ::= \"a\"?*{2}\n"},
      {R"(root ::= ("a" "b")+)", "root ::= (\"a\" \"b\")+\n"},
      // Names.
      {"root ::= a-b c_d 1e f.g größe\na-b ::= \"1\"\nc_d ::= \"2\"\n1e ::= \"3\"\nf.g ::= \"4\"\ngröße ::= \"5\"",
       "root ::= a-b c_d 1e f.g größe\na-b ::= \"1\"\nc_d ::= \"2\"\n1e ::= \"3\"\nf.g ::= \"4\"\ngröße ::= \"5\"\n"},
      {"root ::= a. \na ::= \"x\"", "root ::= a .\na ::= \"x\"\n"},  // the last dot matches any character
      {"root ::= .a \na ::= \"x\"", "root ::= . a\na ::= \"x\"\n"},
      // Rules in any order, over several lines, with comments.
      {"a ::= \"x\" root ::= a", "root ::= a\na ::= \"x\"\n"},
      {"# first\nroot ::=\n  a  # the a\n  | b (* and\n b *) a\na ::= \"1\"\r\nb ::= \"2\"",
       "root ::= a | b a\na ::= \"1\"\nb ::= \"2\"\n"},
      {"\xEF\xBB\xBFroot ::= \"a\"", "root ::= \"a\"\n"},
      {"root::=\"a\"b b::=\"c\"", "root ::= \"a\" b\nb ::= \"c\"\n"},
      // Terminals as written.
      {R"(root ::= 'it''s' "\x41\u00e9\U0001F600\u{1F600}\ud83d\ude00")",
       "root ::= 'it' 's' \"\\x41\\u00e9\\U0001F600\\u{1F600}\\ud83d\\ude00\"\n"},
      {R"(root ::= [^a-z\]] . /a\/[/]/is)", "root ::= [^a-z\\]] . /a\\/[/]/is\n"},
      {R"(root ::= /[^][/]/ /[[:alpha:]/]/ /[]\//)", "root ::= /[^][/]/ /[[:alpha:]/]/ /[]\\//\n"},
      {R"(root ::= <think> <|x|> !</think> <[7]> !<[1-5, 9]>)",
       "root ::= <[\"<think>\"]> <[\"<|x|>\"]> !<[\"</think>\"]> <[7]> !<[1-5, 9]>\n"},
      {R"(root ::= <["<a]>", 3 , "q\"q"]>)", "root ::= <[3, \"<a]>\", \"q\\\"q\"]>\n"},
      // Regular operations.
      {R"(root ::= "a" & . | ~"b" "c"*)", "root ::= (\"a\" & .) | (~\"b\") \"c\"*\n"},
      {R"(root ::= ~~"a"* ("a" & ~b)? b ::= "x")", "root ::= (~~\"a\"*) (\"a\" & ~b)?\nb ::= \"x\"\n"},
      {"root ::= @lazy( . * \"x\" # c\n ) @greedy(a) a ::= [0-9]+",
       "root ::= @lazy(.* \"x\") @greedy(a)\na ::= [0-9]+\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(parsed(c.text), c.printed) << c.text;
}

TEST(ParseEbnf, PrintedTextIsTheSameGrammar) {
  const char* texts[] = {
      R"(root ::= "a" ("b" | "c" "d")* | [^x] root? | "")",
      R"(root ::= (a b){2,3} (a | b){4} a ::= "" b ::= a | ~"c" & [a-z]+)",
      R"(root ::= @lazy(. "x") @greedy([0-9]+) !<[1-5, 9, "<e>"]> <think>)",
      R"(root ::= /a|b/i /[/]\//s* '"' "'" "\"" )",
      R"(root ::= | | ("a" |) (| "b"))",
  };
  for (const char* text : texts) {
    const std::string once = parsed(text);
    EXPECT_EQ(parsed(once), once) << text;
  }
}

// Returns the shortest string that the first terminal of the grammar matches.
std::string literal(std::string_view text) {
  auto grammar = parse_ebnf(text, "root", Limits{});
  if (!grammar) return render(grammar.error(), text, "grammar");
  return regex::shortest_member(grammar->exprs, grammar->terminals.at(0).expr, 1000).value_or("no member");
}

TEST(ParseEbnf, Escapes) {
  EXPECT_EQ(literal(R"(root ::= "\n\t\r\\\"\'\[\]\a\b\e\f\v\-\.\/")"), "\n\t\r\\\"'[]\a\b\x1B\f\v-./");
  EXPECT_EQ(literal(R"(root ::= "\x41\xe9")"), "A\xC3\xA9");  // code points, not bytes
  EXPECT_EQ(literal(R"(root ::= "\u4f60\U0001F600\u{1f600}\x{e9}\ud83d\ude00")"), "你😀😀é😀");
  EXPECT_EQ(literal(R"(root ::= "a\0b")"), std::string_view("a\0b", 3));
  EXPECT_EQ(literal(std::string("root ::= \"a\0b\"", 14)), std::string_view("a\0b", 3));
  EXPECT_EQ(literal("root ::= \"a\nb\""), "a\nb");
  EXPECT_EQ(literal(R"(root ::= 'say "x"')"), "say \"x\"");
}

struct ClassCase {
  const char* text;
  std::vector<std::string> in;
  std::vector<std::string> out;
};

TEST(ParseEbnf, Classes) {
  const ClassCase cases[] = {
      {"[abc]", {"a", "c"}, {"d", "", "ab"}},
      {"[^abc]", {"d", "é", "😀", "\n"}, {"a", "", "\xC3", "\xED\xA0\x80"}},
      {"[a-c0-9]", {"a", "b", "c", "0", "9"}, {"d", "-"}},
      {"[-a]", {"-", "a"}, {"b"}},
      {"[a-]", {"-", "a"}, {"b"}},
      {"[+--]", {"+", ",", "-"}, {"."}},
      {"[a\\-c]", {"a", "-", "c"}, {"b"}},
      {"[\\]\\[\\\\^]", {"]", "[", "\\", "^"}, {"a"}},
      {"[[]", {"["}, {"]"}},
      {"[\"#/(*]", {"\"", "#", "/", "(", "*"}, {" "}},
      {"[一-鿿]", {"你"}, {"a", "ぁ"}},
      {"[\\x80-\\u07ff]", {"\xC2\x80", "\xDF\xBF"}, {"\x7F", "\xE0\xA0\x80"}},
      {"[\\d_]", {"5", "_"}, {"a", "٣"}},
      {"[^\\w]", {"-", "é"}, {"a", "0", "_"}},
      {"[\\s]", {" ", "\n", "\t", "\xC2\xA0"}, {"a"}},
      {"[\\S\\n]", {"a", "\n"}, {" "}},
      {"[\\p{Lu}]", {"A", "É"}, {"a"}},
      {"[^\\p{L}\\d]", {"-"}, {"a", "5"}},
      {"[\\P{L}x]", {"x", "1"}, {"y"}},
      {".", {"a", "\n", "é", "😀"}, {"", "ab", "\x80", "\xED\xA0\x80"}},
  };
  for (const ClassCase& c : cases) {
    const std::string text = std::string("root ::= ") + c.text;
    auto grammar = parse_ebnf(text, "root", Limits{});
    ASSERT_TRUE(grammar) << render(grammar.error(), text, "grammar");
    ASSERT_EQ(grammar->terminals.size(), 1U);
    const regex::ExprId expr = grammar->terminals[0].expr;
    for (const std::string& s : c.in) EXPECT_TRUE(grammar->exprs.matches(expr, s)) << c.text << " " << s;
    for (const std::string& s : c.out) EXPECT_FALSE(grammar->exprs.matches(expr, s)) << c.text << " " << s;
  }
}

TEST(ParseEbnf, RegexFlags) {
  auto grammar = parse_ebnf("root ::= /a.b/ /a.b/s /a b/x /a/i", "root", Limits{});
  ASSERT_TRUE(grammar);
  const auto matches = [&](std::size_t terminal, std::string_view text) {
    return grammar->exprs.matches(grammar->terminals[terminal].expr, text);
  };
  EXPECT_TRUE(matches(0, "axb"));
  EXPECT_FALSE(matches(0, "a\nb"));
  EXPECT_TRUE(matches(1, "a\nb"));
  EXPECT_TRUE(matches(2, "ab"));
  EXPECT_TRUE(matches(3, "A"));
}

TEST(ParseEbnf, AnyRuleCanBeTheStart) {
  const std::string_view text = "root ::= \"a\"\nother ::= \"b\"";
  const auto grammar = parse_ebnf(text, "other", Limits{});
  ASSERT_TRUE(grammar);
  EXPECT_EQ(grammar->rule(grammar->start).name, "other");
}

TEST(ParseEbnf, NodesKnowTheirPlaces) {
  const std::string_view text = "root ::= \"ab\" (x | [c])*  # remark\nx ::= \"d\"";
  const auto grammar = parse_ebnf(text, "root", Limits{});
  ASSERT_TRUE(grammar);
  const auto spelling = [&](SourceRange where) { return text.substr(where.start, where.end - where.start); };
  const grammar::Node& body = grammar->node(grammar->rules[0].body);
  EXPECT_EQ(spelling(grammar->rules[0].where), "root");
  EXPECT_EQ(spelling(body.where), "\"ab\" (x | [c])*");
  const grammar::Node& repeat = grammar->node(grammar->children_of(body)[1]);
  EXPECT_EQ(spelling(repeat.where), "(x | [c])*");
  EXPECT_EQ(spelling(grammar->node(grammar->children_of(repeat)[0]).where), "x | [c]");
}

TEST(ParseEbnf, LargeTextsAreLinear) {
  std::string alternatives = "root ::= \"w0\"";
  for (int i = 1; i < 10'000; ++i) alternatives += " | \"w" + std::to_string(i) + "\"";
  EXPECT_TRUE(parse_ebnf(alternatives, "root", Limits{}));

  std::string rules = "root ::= r0\n";
  for (int i = 0; i < 100'000; ++i) rules += "r" + std::to_string(i) + " ::= \"x\" r" + std::to_string(i + 1) + "\n";
  rules += "r100000 ::= \"y\"";
  EXPECT_TRUE(parse_ebnf(rules, "root", Limits{}));

  const std::string nots = "root ::= " + std::string(900, '~') + "\"a\"";
  EXPECT_TRUE(parse_ebnf(nots, "root", Limits{}));
}

}  // namespace
}  // namespace weir::frontend::parse_test
