// ReplyParser::for_grammar and ReplyParser::follow: replies of grammars, and parsers that follow a matcher.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "engine/matcher/cursor.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/reply_parser.h"
#include "weir/tools.h"

namespace weir {
namespace {

// Tokens 0 to 255 are bytes, 256 is `<mark>`, a special token, and 257 ends the text.
const GrammarCompiler& compiler() {
  static const GrammarCompiler made = [] {
    VocabSpec spec;
    for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
    spec.tokens.emplace_back("<mark>");
    spec.tokens.emplace_back("<end>");
    spec.special_token_ids = {256, 257};
    spec.stop_token_ids = {257};
    return GrammarCompiler(*TokenizerInfo::from_vocab(std::move(spec)));
  }();
  return made;
}

CompiledGrammar of(const Result<CompiledGrammar>& compiled) {
  EXPECT_TRUE(compiled) << compiled.error().message;
  return *compiled;
}

CompiledGrammar ebnf(std::string_view text) { return of(compiler().compile_ebnf(text)); }

ReplyParser parser_of(const CompiledGrammar& compiled) {
  auto parser = ReplyParser::for_grammar(compiled);
  EXPECT_TRUE(parser) << parser.error().message;
  return *std::move(parser);
}

// Events in a line: `(x` begins, `x)` ends a capture, texts are in quotes. Texts of the same part are joined.
struct Shown {
  std::string text;
  std::size_t end = 0;
  bool is_in_text = false;
  std::string name;

  void add(const Result<std::vector<ReplyEvent>>& events) {
    ASSERT_TRUE(events) << events.error().message;
    for (const ReplyEvent& event : *events) {
      EXPECT_EQ(event.start, end);
      end = event.end;
      const bool is_text = event.kind == ReplyEventKind::kText || event.kind == ReplyEventKind::kCapture;
      if (is_text && is_in_text) {
        EXPECT_EQ(event.name, name);
        text.pop_back();
        text += event.text + "'";
      } else if (is_text) {
        text += " '" + event.text + "'";
        name = event.name;
      } else if (event.kind == ReplyEventKind::kCaptureBegins) {
        text += " (" + event.name;
      } else if (event.kind == ReplyEventKind::kCaptureEnds) {
        text += " " + event.name + ")";
      } else {
        text += " " + std::string(to_string(event.kind)) + (event.text.empty() ? "" : ":" + event.text);
      }
      is_in_text = is_text;
    }
  }
};

std::string events_in(const CompiledGrammar& compiled, std::string_view reply, std::size_t piece) {
  ReplyParser parser = parser_of(compiled);
  Shown shown;
  for (std::size_t at = 0; at < reply.size(); at += piece) shown.add(parser.feed(reply.substr(at, piece)));
  shown.add(parser.finish());
  EXPECT_EQ(shown.end, reply.size());
  EXPECT_EQ(parser.size(), reply.size());
  return shown.text;
}

// The same of a parser that follows a matcher which forgets after each piece what it can.
std::string events_of_forgetful(const CompiledGrammar& compiled, std::string_view reply, std::size_t piece) {
  ReplyParser parser = parser_of(compiled);
  GrammarMatcher matcher(compiled);
  matcher.cursor().set_items_to_forget(0);
  Shown shown;
  for (std::size_t at = 0; at < reply.size(); at += piece) {
    EXPECT_EQ(matcher.accept_bytes(reply.substr(at, piece)), Step::kOk);
    shown.add(parser.follow(matcher));
  }
  EXPECT_EQ(matcher.accept_token(257), Step::kOk);
  shown.add(parser.follow(matcher));
  EXPECT_EQ(shown.end, reply.size());
  return shown.text;
}

void expect_events(const CompiledGrammar& compiled, std::string_view reply, const std::string& expected) {
  for (const std::size_t piece : {1, 2, 3, 5, 1000}) {
    EXPECT_EQ(events_in(compiled, reply, piece), expected) << piece;
    EXPECT_EQ(events_of_forgetful(compiled, reply, piece), expected) << piece;
  }
}

// Events while the output goes on, and its parts in the end, do not depend on what a chart of captures has forgotten.
TEST(GrammarReply, ForgettingChangesNoEvent) {
  struct Case {
    const char* grammar;
    const char* reply;
  };
  for (const Case& one : {Case{R"~(root ::= "[" (item ("," item)*)? "]"
                                   item ::= @capture(item: [a-z]+ | "[" (item ("," item)*)? "]"))~",
                               "[a,[b,[c,d],[]],ef,[[g]]]"},
                          Case{R"~(root ::= "[" @capture(all: items) "]"
                                   items ::= number | number "," items
                                   number ::= @capture(number: [0-9]+))~",
                               "[1,23,4,567,8]"},
                          Case{R"~(root ::= @capture(sum: e)
                                   e ::= t ("+" t)*
                                   t ::= @capture(product: f ("*" f)*)
                                   f ::= [0-9]+ | "(" e ")")~",
                               "1+2*(3+4*(5))+67*8"},
                          Case{R"~(root ::= e
                                   e ::= @capture(pair: "(" e ")" e) | "x" e | "")~",
                               "(x(x)x)xx(())x"},
                          Case{R"~(root ::= @capture(a: item*) "!" | @capture(b: other*) "."
                                   item ::= @capture(item: [a-z]) | @capture(two: [a-z] [a-z])
                                   other ::= @capture(other: [a-z]))~",
                               "abcdefg!"},
                          Case{R"~(root ::= s
                                   s ::= @capture(s: "x" | s s))~",
                               "xxxxx"}}) {
    const CompiledGrammar compiled = ebnf(one.grammar);
    for (const std::size_t piece : {1, 2, 5}) {
      const std::string expected = events_in(compiled, one.reply, piece);
      EXPECT_EQ(events_of_forgetful(compiled, one.reply, piece), expected) << one.grammar;
    }
  }
}

TEST(GrammarReply, HasTheCapturesOfTheGrammar) {
  expect_events(
      ebnf(R"~(root ::= "call " @capture(function: [a-z]+) "(" (value ("," value)*)? ")"
                        value ::= @capture(argument: [a-z]+ | [0-9]+ | "[" (value ("," value)*)? "]"))~"),
      "call f(1,[x,y])",
      " 'call ' (function 'f' function) '(' (argument '1' argument) ',' (argument '[' (argument 'x' argument) ',' "
      "(argument 'y' argument) ']' argument) ')'");
  expect_events(ebnf(R"~(root ::= @capture(all: (@capture(one: [a-zé]) | [0-9])*))~"), "a1é",
                " (all (one 'a' one) '1' (one 'é' one) all)");
  expect_events(ebnf(R"~(root ::= . * @capture(x: "a"+))~"), "aaa", " 'aa' (x 'a' x)");
  expect_events(ebnf(R"~(root ::= @capture(a: [a-z]+) | @capture(b: "if"))~"), "if", " (a 'if' a)");
}

TEST(GrammarReply, EventsComeAsSoonAsAllReadingsAgree) {
  ReplyParser parser =
      parser_of(ebnf(R"~(root ::= @capture(x: [a-z]*) ";" (@capture(y: "12") | @capture(z: "1" "3"*)))~"));
  Shown shown;
  shown.add(parser.feed(""));
  EXPECT_EQ(shown.text, "");
  shown.add(parser.feed("ab"));
  EXPECT_EQ(shown.text, " (x 'ab'");  // more of it may follow
  shown.add(parser.feed(";"));
  EXPECT_EQ(shown.text, " (x 'ab' x) ';'");
  shown.add(parser.feed("1"));
  EXPECT_EQ(shown.text, " (x 'ab' x) ';'");  // of y or of z
  EXPECT_EQ(parser.snapshot(), R"({"content": ";", "captures": [{"name": "x", "start": 0, "end": 2, "text": "ab"}]})");
  shown.add(parser.feed("3"));
  EXPECT_EQ(shown.text, " (x 'ab' x) ';' (z '13'");
  EXPECT_EQ(parser.snapshot(), R"({"content": ";", "captures": [{"name": "x", "start": 0, "end": 2, "text": "ab"}, )"
                               R"({"name": "z", "start": 3, "end": 5, "text": "13", "complete": false}]})");
  shown.add(parser.finish());
  EXPECT_EQ(shown.text, " (x 'ab' x) ';' (z '13' z)");
}

TEST(GrammarReply, FreeTextOfATagIsHeldBackWhereATagMayBegin) {
  const CompiledGrammar compiled = of(compiler().compile_structural_tag(R"({"type": "structural_tag", "format":
      {"type": "triggered_tags", "triggers": ["<f="], "tags": [
        {"begin": "<f=a>", "content": {"type": "regex", "pattern": "[0-9]+"}, "end": "</f>", "capture": "a"},
        {"begin": "<f=b>", "content": {"type": "any_text"}, "end": "</f>", "capture": "b"}]}})"));
  expect_events(compiled, "x <f y<f=a>12</f> z<f=b></</f>",
                " 'x <f y<f=a>' (a '12' a) '</f> z<f=b>' (b '</' b) '</f>'");
}

// Of a lexeme in progress what is possible may change where nothing else does, and a text within one may be many bytes.
TEST(GrammarReply, ALongLexemeHasTheSameEventsAsAShortOne) {
  const CompiledGrammar compiled =
      ebnf(R"~(root ::= @capture(a: "x"* "y") "!" | @capture(b: "x"* ) "?" | "<" @capture(c: [a-z ]*) ">" root)~");
  for (const std::size_t size : {1, 2, 3, 40}) {
    const std::string many(size, 'x');
    expect_events(compiled, many + "y!", " (a '" + many + "y' a) '!'");
    expect_events(compiled, many + "?", " (b '" + many + "' b) '?'");
    expect_events(compiled, "<" + many + ">?", " '<' (c '" + many + "' c) '>' (b b) '?'");
    ReplyParser parser = parser_of(compiled);
    Shown shown;
    shown.add(parser.feed("<"));
    for (const char c : many) shown.add(parser.feed({&c, 1}));
    EXPECT_EQ(shown.text, " '<' (c '" + many + "'");
    ASSERT_TRUE(parser.feed(">"));
    EXPECT_EQ(parser.snapshot().find("complete"), std::string::npos);
  }
}

// Special tokens may end a text at any of its bytes.
TEST(GrammarReply, ALongLexemeEndsAtASpecialToken) {
  ReplyParser parser = parser_of(ebnf(R"~(root ::= (@capture(x: [a-z]+) <mark>)+ @capture(y: [a-z]*))~"));
  const TokenizerInfo& tokenizer = compiler().tokenizer_info();
  Shown shown;
  for (const std::uint32_t token :
       std::vector<std::uint32_t>{'a', 'b', 'c', 'd', 256, 'e', 'f', 'g', 256, 'h', 'i', 'j', 257}) {
    shown.add(parser.feed_tokens(std::vector<std::uint32_t>{token}, tokenizer));
  }
  shown.add(parser.finish());
  EXPECT_EQ(shown.text, " (x 'abcd' x) (x 'efg' x) (y 'hij' y)");
}

TEST(GrammarReply, TagsAndFreeTextHaveNamesOfTheirOwn) {
  const CompiledGrammar compiled = of(compiler().compile_structural_tag(R"({"type": "structural_tag", "format":
      {"type": "triggered_tags", "triggers": ["<f="], "text_capture": "text", "tags": [
        {"begin": "<f=a>", "content": {"type": "regex", "pattern": "[0-9]+"}, "end": "</f>", "capture": "a"}]}})"));
  expect_events(compiled, "x <f y<f=a>12</f> z", " (text 'x <f y' text) '<f=a>' (a '12' a) '</f>' (text ' z' text)");
}

TEST(GrammarReply, OfASchemaHasValues) {
  const CompiledGrammar compiled = of(compiler().compile_json_schema(R"({"properties": {"a": {"type": "string"}}})"));
  ReplyParser parser = parser_of(compiled);
  Shown shown;
  for (const char c : std::string_view(R"({"a": "xy", "b": [1)")) shown.add(parser.feed({&c, 1}));
  EXPECT_TRUE(shown.text.find("string:x string:y") != std::string::npos ||
              shown.text.find("string") != std::string::npos);
  shown.add(parser.feed("]}"));
  shown.add(parser.finish());
  EXPECT_TRUE(shown.text.find("number:1 ") != std::string::npos) << shown.text;
  EXPECT_TRUE(shown.text.ends_with("object_ends")) << shown.text;
  EXPECT_EQ(parser.snapshot(), R"({"content": "{\"a\": \"xy\", \"b\": [1]}", "captures": []})");
  ReplyParser number = parser_of(of(compiler().compile_json_schema(R"({"type": "integer"})")));
  Shown of_number;
  of_number.add(number.feed("12"));
  EXPECT_EQ(of_number.text, " '12'");  // it may grow
  of_number.add(number.finish());
  EXPECT_EQ(of_number.text, " '12' number:12");
  EXPECT_TRUE(ReplyParser::for_grammar(of(compiler().compile_response_format(R"({"type": "json_object"})"))));
  EXPECT_FALSE(ReplyParser::for_grammar(of(compiler().compile_response_format(R"({"type": "text"})"))));
}

// Captures within one another have copies of their texts, so a snapshot would be as the square of the text: 400 MB here.
TEST(GrammarReply, ASnapshotHasABoundOfTexts) {
  ReplyParser parser = parser_of(ebnf(R"(root ::= @capture(x: "[" root? "]"))"));
  const std::string opened(20'000, '['), closed(20'000, ']');
  ASSERT_TRUE(parser.feed(opened + closed));
  ASSERT_TRUE(parser.finish());
  const std::string snapshot = parser.snapshot();
  EXPECT_LT(snapshot.size(), std::size_t{20} << 20);
  EXPECT_NE(snapshot.find(R"("end": 40000, "text": "[)"), std::string::npos);
  EXPECT_NE(snapshot.find(R"("text": null)"), std::string::npos);
}

TEST(GrammarReply, WithoutNamesIsAnError) {
  const auto parser = ReplyParser::for_grammar(ebnf(R"~(root ::= "a")~"));
  ASSERT_FALSE(parser);
  EXPECT_EQ(parser.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(parser.error().hint.find("@capture(name: ...)") != std::string::npos) << parser.error().hint;
}

TEST(GrammarReply, ARefusedPieceChangesNothing) {
  ReplyParser parser = parser_of(ebnf(R"~(root ::= @capture(x: [a-z]+) "." )~"));
  Shown shown;
  shown.add(parser.feed("ab"));
  const auto refused = parser.feed("c1.");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, (SourceRange{3, 5}));
  EXPECT_FALSE(parser.finish());  // not complete
  shown.add(parser.feed("c."));
  shown.add(parser.finish());
  EXPECT_EQ(shown.text, " (x 'abc' x) '.'");
  EXPECT_FALSE(parser.feed("x"));
  parser.reset();
  Shown again;
  again.add(parser.feed("x."));
  again.add(parser.finish());
  EXPECT_EQ(again.text, " (x 'x' x) '.'");
}

TEST(GrammarReply, ReadsTokens) {
  ReplyParser parser = parser_of(ebnf(R"~(root ::= "a" <mark> @capture(x: "b"+) | "ab" @capture(y: "c"))~"));
  const TokenizerInfo& tokenizer = compiler().tokenizer_info();
  Shown shown;
  shown.add(parser.feed_tokens(std::vector<std::uint32_t>{'a', 256}, tokenizer));
  EXPECT_EQ(shown.text, " 'a' (x");
  const auto refused = parser.feed_tokens(std::vector<std::uint32_t>{'b', 'c'}, tokenizer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, (SourceRange{1, 2}));
  EXPECT_EQ(refused.error().text, "bc");
  EXPECT_FALSE(parser.feed_tokens(std::vector<std::uint32_t>{999}, tokenizer));
  shown.add(parser.feed_tokens(std::vector<std::uint32_t>{'b', 'b', 257}, tokenizer));
  shown.add(parser.finish());
  EXPECT_EQ(shown.text, " 'a' (x 'bb' x)");
}

TEST(GrammarReply, FollowsAMatcher) {
  const CompiledGrammar compiled = ebnf(R"~(root ::= @capture(x: [a-z]+) "." @capture(y: [0-9]*))~");
  ReplyParser parser = parser_of(compiled);
  GrammarMatcher matcher(compiled);
  Shown shown;
  shown.add(parser.follow(matcher));
  ASSERT_EQ(matcher.accept_bytes("ab"), Step::kOk);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);  // not read yet
  ASSERT_EQ(matcher.accept_token('c'), Step::kOk);
  shown.add(parser.follow(matcher));
  EXPECT_EQ(shown.text, " (x 'c'");
  EXPECT_FALSE(parser.feed("x"));
  ASSERT_EQ(matcher.accept_token('.'), Step::kOk);
  shown.add(parser.follow(matcher));
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  ASSERT_EQ(matcher.accept_token('d'), Step::kOk);
  const auto refused = parser.follow(matcher);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the matcher was taken back to step 1, but the parser has read 2 steps");
  matcher.reset();
  parser.reset();
  ASSERT_EQ(matcher.accept_bytes("q.1"), Step::kOk);
  ASSERT_EQ(matcher.accept_token(257), Step::kOk);
  Shown again;
  again.add(parser.follow(matcher));  // the stop token ends the reply
  EXPECT_EQ(again.text, " (x 'q' x) '.' (y '1' y)");
  again.add(parser.follow(matcher));  // nothing has come
  EXPECT_EQ(again.text, " (x 'q' x) '.' (y '1' y)");
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  EXPECT_FALSE(parser.follow(matcher));
  EXPECT_FALSE(parser_of(ebnf(R"~(root ::= @capture(x: [a-z]+))~")).follow(matcher));  // of another grammar
}

TEST(GrammarReply, AReplyThatIsCutEndsAsItIs) {
  const CompiledGrammar compiled =
      ebnf(R"~(root ::= "<" @capture(x: [a-z]+ ("." [a-z]+)?) (".." @capture(y: "1"))? ">")~");
  ReplyParser parser = parser_of(compiled);
  Shown shown;
  shown.add(parser.feed("<ab."));
  EXPECT_EQ(shown.text, " '<' (x 'ab'");
  EXPECT_FALSE(parser.finish());
  shown.add(parser.cut());
  EXPECT_EQ(shown.text, " '<' (x 'ab.'");
  EXPECT_EQ(parser.snapshot(),
            R"({"content": "<", "captures": [{"name": "x", "start": 1, "end": 4, "text": "ab.", "complete": false}]})");
  EXPECT_FALSE(parser.cut());
  EXPECT_FALSE(parser.feed("c"));
  // Beside a matcher, too, and within a character.
  const CompiledGrammar json = of(compiler().compile_json_schema("{}"));
  parser = parser_of(json);
  GrammarMatcher matcher(json);
  ASSERT_EQ(matcher.accept_bytes("[\"a\xC3"), Step::kOk);
  Shown values;
  values.add(parser.follow(matcher));
  values.add(parser.cut());
  EXPECT_EQ(values.text, " '[\"a' array_begins string string:a '\xEF\xBF\xBD' string:\xEF\xBF\xBD");
  EXPECT_EQ(values.end, 4U);
  ASSERT_EQ(matcher.accept_bytes("\xA9"), Step::kOk);
  EXPECT_FALSE(parser.follow(matcher));
}

TEST(GrammarReply, AParserOfAStyleFollowsAMatcher) {
  const std::string tools = R"([{"name": "f", "parameters": {"type": "object"}}])";
  const CompiledGrammar compiled = of(compiler().compile_structural_tag(*structural_tag_for_tools("hermes", tools)));
  auto parser = ReplyParser::create("hermes", tools);
  GrammarMatcher matcher(compiled);
  std::vector<ReplyEvent> events;
  for (const char c : std::string_view(R"(Hm. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>)")) {
    ASSERT_EQ(matcher.accept_token(static_cast<unsigned char>(c)), Step::kOk);
    const auto more = parser->follow(matcher);
    ASSERT_TRUE(more);
    events.insert(events.end(), more->begin(), more->end());
  }
  ASSERT_TRUE(parser->follow(matcher, ReplyParser::Follow::kEnds));
  EXPECT_EQ(parser->snapshot(),
            R"({"reasoning": null, "content": "Hm. ", "tool_calls": [{"name": "f", "arguments": {"a": 1}}]})");
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Work for each piece does not grow with the text.
TEST(GrammarReply, IsLinearInTheText) {
  const CompiledGrammar compiled = ebnf(R"~(root ::= "[" (item ("," item)*)? "]"
                                           item ::= @capture(item: [a-z]+ | "[" (item ("," item)*)? "]"))~");
  const auto seconds = [&](std::size_t items) {
    ReplyParser parser = parser_of(compiled);
    const double start = cpu_seconds();
    EXPECT_TRUE(parser.feed("[x"));
    std::size_t events = 0;
    for (std::size_t i = 1; i < items; ++i) {
      const auto more = parser.feed(",x");
      if (!more) return 1e9;
      events += more->size();
    }
    EXPECT_GE(events, 3 * (items - 1) - 2);
    return cpu_seconds() - start;
  };
  const double few = seconds(1'000);
  EXPECT_LT(seconds(8'000), 30 * few);
}

// A rule that several parts wait for, with the same marks before it, and a start rule that is a part of itself.
TEST(GrammarReply, IsLinearWhereSeveralPartsWait) {
  for (const char* text : {R"~(root ::= list "." | list "!"
                               list ::= (item ",")*
                               item ::= @capture(item: [a-z]))~",
                           R"~(root ::= root item "," | ""
                               item ::= @capture(item: [a-z]))~"}) {
    const CompiledGrammar compiled = ebnf(text);
    const auto seconds = [&](std::size_t items) {
      ReplyParser parser = parser_of(compiled);
      const double start = cpu_seconds();
      std::size_t events = 0;
      for (std::size_t i = 0; i < items; ++i) {
        const auto more = parser.feed("x,");
        if (!more) return 1e9;
        events += more->size();
      }
      EXPECT_GE(events, 3 * items - 3) << text;
      return cpu_seconds() - start;
    };
    const double few = seconds(1'000);
    EXPECT_LT(seconds(8'000), 30 * few) << text;
  }
}

// Two readings that differ from the beginning on, and both go on. The text is of two rules, or of one that both wait for.
TEST(GrammarReply, IsLinearWhereReadingsDiffer) {
  for (const char* text : {R"~(root ::= @capture(a: item*) | @capture(b: other*) "."
                               item ::= @capture(item: [a-z])
                               other ::= @capture(other: [a-z]))~",
                           R"~(root ::= @capture(a: list) "!" | @capture(b: list) "."
                               list ::= item*
                               item ::= @capture(item: [a-z]))~",
                           R"~(root ::= @capture(a: list) "!" | @capture(b: list) "."
                               list ::= list item | ""
                               item ::= @capture(item: [a-z]))~"}) {
    const CompiledGrammar compiled = ebnf(text);
    const auto seconds = [&](std::size_t items) {
      ReplyParser parser = parser_of(compiled);
      const double start = cpu_seconds();
      for (std::size_t i = 0; i < items; ++i) {
        const auto events = parser.feed("x");
        if (!events || !events->empty()) return 1e9;
      }
      const double spent = cpu_seconds() - start;
      const auto rest = parser.feed(".");
      EXPECT_TRUE(rest && rest->size() >= 3 * items + 3) << text;
      return spent;
    };
    const double few = seconds(1'000);
    EXPECT_LT(seconds(4'000), 9 * few) << text;
  }
}

}  // namespace
}  // namespace weir
