#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "weir/weir.h"

namespace weir::join_test {
namespace {

TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  spec.tokens.emplace_back("<eos>");
  spec.special_token_ids = spec.stop_token_ids = {256};
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

CompiledGrammar compile(const Grammar& grammar) { return GrammarCompiler(bytes()).compile(grammar).value(); }

bool accepts(const CompiledGrammar& compiled, const std::string& text) {
  GrammarMatcher matcher(compiled);
  return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
}

Grammar ebnf(const std::string& text) { return Grammar::from_ebnf(text).value(); }

// Returns all texts over the letters a and b of at most `longest` letters.
std::vector<std::string> texts(std::size_t longest) {
  std::vector<std::string> out{""};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].size() == longest) continue;
    for (const char letter : {'a', 'b'}) out.push_back(out[i] + letter);
  }
  return out;
}

TEST(Join, IsConcatenationAndUnionOfTheLanguages) {
  const std::vector<std::string> strings{"", "ab", "bb"};
  const std::array<Grammar, 4> grammars{ebnf("root ::= \"a\" root \"b\" | \"\""), Grammar::from_regex("a*b?").value(),
                                        Grammar::from_choice(strings).value(),
                                        Grammar::from_substring("abba", SubstringUnit::kCharacter).value()};
  for (const Grammar& first : grammars) {
    for (const Grammar& second : grammars) {
      const std::array<Grammar, 2> parts{first, second};
      const CompiledGrammar one = compile(first), two = compile(second);
      const CompiledGrammar sequence = compile(Grammar::concat(parts).value());
      const CompiledGrammar choice = compile(Grammar::any_of(parts).value());
      for (const std::string& text : texts(6)) {
        bool splits = false;
        for (std::size_t i = 0; i <= text.size(); ++i) {
          splits = splits || (accepts(one, text.substr(0, i)) && accepts(two, text.substr(i)));
        }
        EXPECT_EQ(accepts(sequence, text), splits) << text;
        EXPECT_EQ(accepts(choice, text), accepts(one, text) || accepts(two, text)) << text;
      }
    }
  }
}

TEST(Join, OfEverythingThatIsRead) {
  GrammarTextOptions lark{.syntax = GrammarSyntax::kLark};
  const std::array<Grammar, 4> parts{
      Grammar::from_json_schema(R"({"type": "object"})", {.whitespace = JsonSchemaOptions::Whitespace::kNone}).value(),
      Grammar::from_structural_tag(
          R"({"type": "structural_tag", "format": {"type": "tag", "begin": "<", "end": ">",
              "content": {"type": "json_schema", "json_schema": {"enum": [1, 2]}}}})")
          .value(),
      Grammar::from_text("start: \"x\" NUMBER\nNUMBER: /[0-9]+/", lark).value(),
      Grammar::from_response_format(R"({"type": "choice", "choices": ["y", "z"]})").value()};
  const CompiledGrammar sequence = compile(Grammar::concat(parts).value());
  EXPECT_TRUE(accepts(sequence, R"({"a":1,"b":{}}<2>x12z)"));
  EXPECT_FALSE(accepts(sequence, R"({"a":1,"a":{}}<2>x12z)"));  // a duplicate key
  EXPECT_FALSE(accepts(sequence, R"({}<3>x12z)"));
  const CompiledGrammar choice = compile(Grammar::any_of(parts).value());
  for (const char* in : {R"({"a":1})", "<1>", "x7", "y"}) EXPECT_TRUE(accepts(choice, in)) << in;
  for (const char* out : {R"({"a":1,"a":1})", "<1>y", ""}) EXPECT_FALSE(accepts(choice, out)) << out;
}

TEST(Join, KeepsCapturesAndNests) {
  const Grammar one = ebnf("root ::= @capture(one: \"a\"+)");
  const std::array<Grammar, 2> inner{one, ebnf("root ::= @capture(two: \"b\"+)")};
  const std::array<Grammar, 2> outer{Grammar::concat(inner).value(), one};
  const CompiledGrammar compiled = compile(Grammar::concat(outer).value());
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes("aabba"), Step::kOk);
  const std::vector<Capture> captures = matcher.captures();
  ASSERT_EQ(captures.size(), 3U);
  EXPECT_EQ(captures[1].name, "two");
  EXPECT_EQ(captures[2].begin, 4U);
}

TEST(Join, WhatIsRefused) {
  EXPECT_EQ(Grammar::concat({}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Grammar::any_of({}).error().code, ErrorCode::kInvalidArgument);
  GrammarTextOptions endless{.syntax = GrammarSyntax::kKbnf, .keep_endless = true};
  const std::array<Grammar, 1> stream{Grammar::from_text("start ::= 'a' start;", endless).value()};
  EXPECT_EQ(Grammar::concat(stream).error().code, ErrorCode::kUnsupported);

  Limits limits;
  limits.text_bytes = 40;
  const Grammar small = ebnf("root ::= \"abcdefgh\"");
  const std::array<Grammar, 2> two{small, small};
  EXPECT_TRUE(Grammar::any_of(two, limits));
  limits.text_bytes = 39;
  EXPECT_EQ(Grammar::any_of(two, limits).error().limit, "text_bytes");
}

TEST(Join, PartsOfPartsHaveALimit) {
  Limits limits;
  limits.nesting = 20;
  Grammar grammar = ebnf("root ::= \"a\"");
  for (int level = 0; level < 20; ++level) grammar = Grammar::any_of({&grammar, 1}, limits).value();
  EXPECT_TRUE(accepts(compile(grammar), "a"));
  EXPECT_EQ(Grammar::any_of({&grammar, 1}, limits).error().limit, "nesting");
}

TEST(Join, ErrorsAndWarningsHaveNoPlace) {
  const std::array<Grammar, 2> spare{ebnf("root ::= \"a\""), ebnf("root ::= \"b\"\nspare ::= \"c\"")};
  const Grammar joined = Grammar::concat(spare).value();
  ASSERT_EQ(joined.warnings().size(), 1U);
  EXPECT_NE(joined.warnings()[0].message.find("spare"), std::string::npos);
  EXPECT_EQ(joined.warnings()[0].where, SourceRange());

  const std::array<Grammar, 2> hopeless{ebnf("root ::= \"a\""), ebnf("root ::=    \"b\" root")};
  const auto compiled = GrammarCompiler(bytes()).compile(Grammar::concat(hopeless).value());
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable);
  EXPECT_EQ(compiled.error().where, SourceRange());
  EXPECT_TRUE(GrammarCompiler(bytes()).compile(Grammar::any_of(hopeless).value()));

  Limits shallow;
  shallow.nesting = 2;
  const std::array<Grammar, 1> deep{ebnf("root ::= \"a\" (\"b\" (\"c\" (\"d\")))")};
  const auto refused = Grammar::concat(deep, shallow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "nesting");
  EXPECT_EQ(refused.error().where, SourceRange());
}

}  // namespace
}  // namespace weir::join_test
