// Captures: the spans that are reported, the reading to which they belong, and the cost of computing them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::token;

// Returns "name=text" for each capture, followed by "..." if it is not complete, preceded by begin and end if `places`.
std::string listed(GrammarMatcher& matcher, bool places = false) {
  const std::string text = matcher.text();
  std::string out;
  for (const Capture& capture : matcher.captures()) {
    if (!out.empty()) out += ' ';
    out += capture.name;
    if (places) out += "@" + std::to_string(capture.begin) + "-" + std::to_string(capture.end);
    out += "=" + text.substr(capture.begin, capture.end - capture.begin) + (capture.complete ? "" : "...");
  }
  EXPECT_EQ(matcher.limit_message(), "");
  return out;
}

std::string captures_of(std::string_view ebnf, std::string_view text, bool places = false) {
  GrammarMatcher matcher(compile(byte_vocabulary({}), ebnf));
  EXPECT_EQ(matcher.accept_bytes(text), Step::kOk) << ebnf << "\n" << text;
  return listed(matcher, places);
}

struct Case {
  const char* ebnf;
  const char* text;
  const char* captures;
};

TEST(Captures, AreTheSpansOfTheirRules) {
  const Case cases[] = {
      {R"g(root ::= "x=" @capture(x: [0-9]+) ";")g", "x=12;", "x=12"},
      {R"g(root ::= @capture(all: "a" @capture(b: "b"*) "c"))g", "abbc", "all=abbc b=bb"},
      {R"g(root ::= (@capture(item: [a-z]+) ",")+)g", "a,bc,d,", "item=a item=bc item=d"},
      {R"g(root ::= pair ("," pair)*
          pair ::= @capture(key: [a-z]+) "=" @capture(value: root | [0-9]+))g",
       "a=1,b=c=2", "key=a value=1 key=b value=c=2 key=c value=2"},
      // Left recursion, right recursion, recursion in the middle.
      {R"g(root ::= root "+" @capture(n: [0-9]) | @capture(n: [0-9]))g", "1+2+3", "n=1 n=2 n=3"},
      {R"g(root ::= @capture(n: [0-9]) "+" root | @capture(n: [0-9]))g", "1+2+3", "n=1 n=2 n=3"},
      {R"g(root ::= list
          list ::= @capture(n: [0-9] rest)
          rest ::= "+" list | "")g",
       "1+2+3", "n=1+2+3 n=2+3 n=3"},
      {R"g(root ::= "(" @capture(in: root) ")" | "x")g", "((x))", "in=(x) in=x"},
      {R"g(root ::= c | x "!"
          c ::= @capture(c: "a")
          x ::= root)g",
       "a!!", "c=a"},
      {R"g(root ::= c | x "!"
          c ::= @capture(c: "a")
          x ::= root)g",
       "a", "c=a"},
      // After a look-ahead, and after a greedy terminal.
      {R"g(root ::= word @capture(n: "x" [0-9]+)
          word ::= [a-z]+ (= "x"))g",
       "abx12", "n=x12"},
      {R"g(root ::= word @capture(n: [0-9]+) @capture(w: [a-z]+)
          word ::= [a-z]+ (= [0-9] [0-9] "c"))g",
       "ab12cd", "n=12 w=cd"},
      {R"g(root ::= @greedy([a-z]+) @capture(n: [0-9]+) @capture(w: [a-z]+))g", "ab12cd", "n=12 w=cd"},
      // The start rule itself, and the same name in several places.
      {R"g(root ::= @capture(a: "b") | @capture(a: "c"))g", "c", "a=c"},
      // An empty capture is reported.
      {R"g(root ::= "a" @capture(e: "b"?) "c")g", "ac", "e="},
      {R"g(root ::= @capture(e: ""))g", "", "e="},
      // Modes of terminals.
      {R"g(root ::= @capture(c: "/*" @lazy(. * "*/")) @capture(t: . *))g", "/*a*/b*/", "c=/*a*/ t=b*/"},
      {R"g(root ::= @capture(w: @greedy([a-z]+)) @capture(r: [a-z0-9]*))g", "ab1c", "w=ab r=1c"},
      {R"g(root ::= @capture(w: [a-z]+ & ~("if" | "else")) (" " . *)?)g", "iff x", "w=iff"},
  };
  for (const Case& c : cases) EXPECT_EQ(captures_of(c.ebnf, c.text), c.captures) << c.ebnf;
}

TEST(Captures, OneOfSeveralReadingsIsChosen) {
  const Case cases[] = {
      // The first alternative.
      {R"g(root ::= @capture(a: [a-z]+) | @capture(b: "x"))g", "x", "a=x"},
      {R"g(root ::= @capture(b: "x") | @capture(a: [a-z]+))g", "x", "b=x"},
      {R"g(root ::= "x" | @capture(a: [a-z]) | "y")g", "y", "a=y"},
      // Each part is as long as possible, from the first to the last.
      {R"g(root ::= . * @capture(x: "a"+))g", "aaa", "x=a"},
      {R"g(root ::= @capture(x: "a"+) @capture(y: "a"*) "a"?)g", "aaa", "x=aaa y="},
      {R"g(root ::= "a"? @capture(x: "a"?) "a"? @capture(y: "a"+))g", "aaa", "x=a y=a"},
      {R"g(root ::= @capture(x: "a"{1,2})+)g", "aaa", "x=aa x=a"},
      // The text between captures is one part, no matter how it is written.
      {R"g(root ::= x @capture(x: "b"*)
          x ::= ("a" | "ab") "b"?)g",
       "abb", "x="},
      // The empty text is read without captures if possible.
      {R"g(root ::= @capture(e: "a"?)* @capture(f: "a"?)?)g", "", ""},
      {R"g(root ::= "x" (@capture(e: "a"?) | @capture(f: "")))g", "x", "e="},
      // The fewest cycles of a rule to itself.
      {R"g(root ::= @capture(a: root) | "x")g", "x", ""},
      {R"g(root ::= a
          a ::= @capture(b: b) | @capture(c: "x")
          b ::= a | "x")g",
       "x", "c=x"},
      // A cycle within another one.
      {R"g(root ::= @capture(a: root) | b
          b ::= @capture(c: d) | "y"
          d ::= @capture(e: b) | "x")g",
       "x", "c=x"},
      {R"g(root ::= @capture(a: root) | b
          b ::= @capture(c: d)
          d ::= @capture(e: b) | @capture(f: "x"))g",
       "x", "c=x f=x"},
      {R"g(root ::= @capture(r: root) root | "x" | "")g", "xx", "r=x"},
  };
  for (const Case& c : cases) EXPECT_EQ(captures_of(c.ebnf, c.text), c.captures) << c.ebnf;
}

TEST(Captures, OfAPrefixMayBeOpen) {
  constexpr const char* kCall =
      R"g(root ::= "<" @capture(name: [a-z]+) ">" @capture(body: @capture(line: [a-z]+ "\n")* "end") "!")g";
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"<", ""},
      {"<ab", "name=ab..."},
      {"<ab>", "name=ab"},
      {"<ab>xy", "name=ab body=xy... line=xy..."},
      {"<ab>xy\n", "name=ab body=xy\n... line=xy\n"},
      {"<ab>xy\nen", "name=ab body=xy\nen... line=xy\n line=en..."},
      {"<ab>xy\nend", "name=ab body=xy\nend... line=xy\n line=end..."},
      {"<ab>xy\nend!", "name=ab body=xy\nend line=xy\n"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(captures_of(kCall, text), expected) << text;
  // Left-recursive rules.
  constexpr const char* kSum = R"g(root ::= sum ";"
      sum ::= @capture(left: sum) "+" term | term
      term ::= @capture(n: [0-9]))g";
  EXPECT_EQ(captures_of(kSum, "1+2+"), "left=1+2 left=1 n=1 n=2");
  EXPECT_EQ(captures_of(kSum, "1+2"), "left=1+2 left=1 n=1 n=2");
  // If the output may end, it is read as complete.
  EXPECT_EQ(captures_of(R"g(root ::= "n=" @capture(n: [0-9]+))g", "n=12"), "n=12");
}

TEST(Captures, TokensAddTheirTextAndSpecialOnesNone) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "abc"});
  const CompiledGrammar compiled =
      compile(tokenizer, R"g(root ::= @capture(t: <tool> @capture(x: <[256]> | "a"+) <tool>) @capture(y: . *))g");
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<tool>")), Step::kOk);
  EXPECT_EQ(listed(matcher, true), "t@0-0=...");
  GrammarMatcher as_text = matcher.fork();
  ASSERT_EQ(matcher.accept_token(256), Step::kOk);
  EXPECT_EQ(listed(matcher, true), "t@0-2=ab... x@0-2=ab");
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<tool>")), Step::kOk);
  ASSERT_EQ(matcher.accept_token(257), Step::kOk);
  EXPECT_EQ(listed(matcher, true), "t@0-2=ab x@0-2=ab y@2-5=abc");
  EXPECT_EQ(matcher.text(), "ababc");
  ASSERT_EQ(as_text.accept_bytes("aa"), Step::kOk);
  EXPECT_EQ(listed(as_text, true), "t@0-2=aa... x@0-2=aa...");
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<eos>")), Step::kOk);
  EXPECT_EQ(listed(matcher, true), "t@0-2=ab x@0-2=ab y@2-5=abc");
}

TEST(Captures, FollowRollbackForkAndReset) {
  const CompiledGrammar compiled = compile(byte_vocabulary({}), R"g(root ::= (@capture(x: [a-z]+) ("," | ";"))* "!")g");
  GrammarMatcher matcher(compiled);
  for (const char* part : {"ab", ",", "c"}) ASSERT_EQ(matcher.accept_bytes(part), Step::kOk);
  EXPECT_EQ(listed(matcher), "x=ab x=c...");
  GrammarMatcher other = matcher.fork();
  ASSERT_EQ(other.accept_bytes("d;"), Step::kOk);
  EXPECT_EQ(listed(other), "x=ab x=cd");
  ASSERT_EQ(matcher.rollback(2), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes("e"), Step::kOk);
  ASSERT_EQ(matcher.accept_bytes(";"), Step::kOk);
  EXPECT_EQ(listed(matcher), "x=abe");
  EXPECT_EQ(listed(other), "x=ab x=cd");
  other = matcher;
  EXPECT_EQ(listed(other), "x=abe");
  matcher.reset();
  EXPECT_EQ(listed(matcher), "");
}

// A new automaton has other ids for states and lazy rules; captures do not change.
TEST(Captures, OutliveTheAutomaton) {
  Limits limits;
  limits.state_memory = 1;
  const CompiledGrammar compiled = compile(byte_vocabulary({}), R"g(root ::= (@capture(x: [a-z]+) [,;])*)g", limits);
  GrammarMatcher matcher(compiled);
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(matcher.accept_bytes("ab,"), Step::kOk);
    expected += i == 0 ? "x=ab" : " x=ab";
    EXPECT_EQ(listed(matcher), expected);
  }
}

// Returns the smallest Limits::capture_items, within a tenth, that suffices for a text of `count` times `unit`.
std::uint32_t items_for(std::string_view ebnf, std::string_view unit, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += unit;
  std::uint32_t low = 1;
  for (std::uint32_t high = 1U << 24; low + low / 10 + 1 < high;) {
    const std::uint32_t middle = low + (high - low) / 2;
    Limits limits;
    limits.capture_items = middle;
    GrammarMatcher matcher(compile(byte_vocabulary({}), ebnf, limits));
    EXPECT_EQ(matcher.accept_bytes(text), Step::kOk);
    (void)matcher.captures();
    (matcher.limit_message().empty() ? high : low) = middle;
  }
  return low;
}

TEST(Captures, CostGrowsWithTheText) {
  const std::pair<const char*, const char*> cases[] = {
      {R"g(root ::= (@capture(x: [a-z]+) ",")*)g", "ab,"},         // a list
      {R"g(root ::= root @capture(x: [a-z]+ ",") | "")g", "ab,"},  // left-recursive
      {R"g(root ::= @capture(x: "a" root ) | "")g", "a"},          // right-recursive, all captures end together
      {R"g(root ::= x
          x ::= "a" @capture(y: y) | ""
          y ::= x | "b" x)g",
       "aba"},                                                      // through units
      {R"g(root ::= "(" @capture(x: root) ")" root | "")g", "()"},  // nested
  };
  for (const auto& [ebnf, unit] : cases) {
    const std::uint32_t small = items_for(ebnf, unit, 200);
    const std::uint32_t large = items_for(ebnf, unit, 2000);
    EXPECT_LT(large, 13 * small) << ebnf;
    EXPECT_LT(large, 2000 * 60U) << ebnf;
  }
}

TEST(Captures, ALongTextIsReadOnce) {
  Limits limits;
  limits.capture_items = 4'000'000;
  GrammarMatcher matcher(compile(byte_vocabulary({}), R"g(root ::= value
      value ::= "{" (pair ("," pair)*)? "}" | "[" (value ("," value)*)? "]" | [0-9]+
      pair ::= @capture(key: "\"" [a-z]* "\"") ":" @capture(value: value))g",
                                 limits));
  std::string text = "[{\"a\":1}";
  while (text.size() < 100'000) text += ",{\"abc\":[1,2,{\"x\":12345}],\"d\":[]}";
  ASSERT_EQ(matcher.accept_bytes(text + "]"), Step::kOk);
  EXPECT_GT(matcher.captures().size(), 10'000U);
  EXPECT_EQ(matcher.limit_message(), "");
}

TEST(Captures, ALimitIsNamed) {
  // Exponentially many empty captures.
  std::string ebnf = "root ::= \"x\" a0\n";
  for (int i = 0; i < 40; ++i)
    ebnf += "a" + std::to_string(i) + " ::= a" + std::to_string(i + 1) + " a" + std::to_string(i + 1) + "\n";
  ebnf += "a40 ::= @capture(e: \"\") | \"y\"";
  Limits limits;
  limits.capture_items = 100'000;
  GrammarMatcher matcher(compile(byte_vocabulary({}), ebnf, limits));
  ASSERT_EQ(matcher.accept_bytes("x"), Step::kOk);
  EXPECT_TRUE(matcher.captures().empty());
  EXPECT_NE(matcher.limit_message().find("capture_items"), std::string::npos) << matcher.limit_message();
  EXPECT_EQ(matcher.accept_bytes("y"), Step::kOk);
}

TEST(Captures, TheWaysOfAnAmbiguousTextCountAsWork) {
  GrammarMatcher matcher(compile(byte_vocabulary({}), "root ::= @capture(x: root root) | \"a\""));
  ASSERT_EQ(matcher.accept_bytes(std::string(400, 'a')), Step::kOk);
  EXPECT_TRUE(matcher.captures().empty());
  EXPECT_NE(matcher.limit_message().find("call_work"), std::string::npos) << matcher.limit_message();
}

TEST(Captures, SchemasAndOtherGrammarsHaveNone) {
  GrammarMatcher matcher(compile(byte_vocabulary({}), "root ::= [a-z]*"));
  ASSERT_EQ(matcher.accept_bytes("abc"), Step::kOk);
  EXPECT_EQ(listed(matcher), "");
  EXPECT_EQ(matcher.text(), "abc");
}

}  // namespace
}  // namespace weir
