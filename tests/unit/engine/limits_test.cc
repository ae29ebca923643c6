#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;

constexpr std::string_view kNested = "root ::= \"(\" root \")\" root | [a-z]{0,3} \";\"";

TEST(EngineLimits, ADroppedCacheChangesNoMask) {
  const TokenizerInfo tokenizer = byte_vocabulary({"((", "a;", ");)", "abc"});
  Limits tiny;
  tiny.state_memory = 1;
  const CompiledGrammar small = compile(tokenizer, kNested, tiny);
  const CompiledGrammar large = compile(tokenizer, kNested);
  GrammarMatcher a(small);
  GrammarMatcher b(large);
  std::minstd_rand random(3);
  for (int step = 0; step < 900; ++step) {
    ASSERT_EQ(mask_of(a), mask_of(b)) << step;
    if (random() % 8 == 0) {
      const std::size_t back = random() % (a.step_count() + 1);
      ASSERT_EQ(a.rollback(back), Step::kOk);
      ASSERT_EQ(b.rollback(back), Step::kOk);
      continue;
    }
    std::uint32_t token = static_cast<std::uint32_t>(random() % tokenizer.vocab_size());
    while (!b.is_token_allowed(token)) token = (token + 1) % tokenizer.vocab_size();
    ASSERT_EQ(a.accept_token(token), Step::kOk);
    ASSERT_EQ(b.accept_token(token), Step::kOk);
    if (b.is_terminated()) a.reset(), b.reset();
  }
  EXPECT_GT(small.stats().cache_flushes, 5U);
  EXPECT_EQ(large.stats().cache_flushes, 0U);
}

TEST(EngineLimits, LexerStatesAreMadeRoomForByAFreshCache) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.lexer_states = 40;
  GrammarMatcher matcher(compile(tokenizer, "root ::= /[a-z]{0,200}/ \";\"", limits));
  for (int i = 0; i < 30; ++i) ASSERT_EQ(matcher.accept_token('a'), Step::kOk) << i << matcher.limit_message();
  // The history needs more states than the limit allows: the error names the limit, and the matcher does not change.
  Step step = Step::kOk;
  std::size_t steps = 30;
  for (; step == Step::kOk && steps < 200; ++steps) step = matcher.accept_token('a');
  EXPECT_EQ(step, Step::kLimitExceeded);
  EXPECT_NE(matcher.limit_message().find("lexer_states"), std::string::npos);
  EXPECT_EQ(matcher.rollback(10), Step::kOk);
  EXPECT_EQ(matcher.accept_token('a'), Step::kOk);
  // Two texts need more states together than the limit allows, but not each alone.
  const CompiledGrammar two = compile(tokenizer, "root ::= \"x\" /[a-z]{0,30}/ | \"y\" /[0-9]{0,30}/", limits);
  ASSERT_EQ(GrammarMatcher(two).accept_bytes("x" + std::string(30, 'a')), Step::kOk);
  GrammarMatcher second(two);
  EXPECT_EQ(second.accept_bytes("y" + std::string(30, '1')), Step::kOk) << second.limit_message();
  EXPECT_EQ(second.limit_message(), "");
  EXPECT_EQ(two.stats().cache_flushes, 1U);
}

TEST(EngineLimits, ALimitThatWasMetStaysMet) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.lexer_states = 20;
  GrammarMatcher matcher(compile(tokenizer, "root ::= /[a-z]{0,200}/ \";\"", limits));
  Step step = Step::kOk;
  while (step == Step::kOk && matcher.step_count() < 100) step = matcher.accept_token('a');
  ASSERT_EQ(step, Step::kLimitExceeded);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(matcher.accept_token('a'), Step::kLimitExceeded);
  EXPECT_EQ(matcher.longest_viable_prefix("aaa"), 0U);
  EXPECT_NE(matcher.limit_message().find("lexer_states"), std::string::npos) << "an answer cut short says so";
  matcher.reset();
  EXPECT_EQ(matcher.accept_token('a'), Step::kOk);
  EXPECT_EQ(matcher.limit_message(), "");
}

TEST(EngineLimits, LimitsInTheMiddleOfEveryKindOfTerminal) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  constexpr std::string_view kGrammar =
      "root ::= (@lazy(/a/) | @lazy(/b?a/) | @lazy(/[ac]a?/) | @greedy(/a+/) | @greedy(/ab?/) | @greedy(/aab?/) | "
      "<[65]>) "
      "root | \"z\"";
  for (std::uint32_t states = 2; states < 80; ++states) {
    Limits limits;
    limits.lexer_states = states;
    const auto compiled = GrammarCompiler(tokenizer, limits).compile_ebnf(kGrammar);
    if (!compiled) {
      EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded);
      continue;
    }
    GrammarMatcher matcher(*compiled);
    for (const char c : std::string_view("aabacaaz")) {
      const Step step = matcher.accept_bytes(std::string_view(&c, 1));
      EXPECT_TRUE(step == Step::kOk || step == Step::kLimitExceeded) << states;
    }
  }
}

TEST(EngineLimits, CompletionsAreBounded) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::string grammar = "a0 ::= \"x\" | \"(\" a0 \")\"\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string below = " a" + std::to_string(i - 1);
    grammar += "a" + std::to_string(i) + " ::=" + below + below + "\n";
  }
  grammar += "root ::= a40\n";
  GrammarMatcher matcher(compile(tokenizer, grammar));
  EXPECT_EQ(matcher.shortest_completion(), std::nullopt);
  EXPECT_NE(matcher.limit_message().find("completion_bytes"), std::string::npos);
}

TEST(EngineLimits, CompletionsMayBeLongerThanTheFuelOfOneSearch) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  constexpr std::size_t kLength = 5'000'000;
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"(\" /(ab|[0-9]{3,}){2500000}/ \")\" | \"[\" root \"]\""));
  ASSERT_EQ(matcher.accept_bytes("(a"), Step::kOk);
  const std::optional<std::string> text = matcher.shortest_completion();
  ASSERT_TRUE(text.has_value()) << matcher.limit_message();
  EXPECT_EQ(text->size(), kLength);
  EXPECT_EQ(text->substr(0, 4), "baba");
  EXPECT_TRUE(text->ends_with("ab)"));
  Limits limits;
  limits.completion_bytes = kLength - 1;
  GrammarMatcher bounded(compile(tokenizer, "root ::= /a{5000000}/", limits));
  EXPECT_EQ(bounded.shortest_completion(), std::nullopt);
  EXPECT_NE(bounded.limit_message().find("completion_bytes"), std::string::npos);
}

// A search for any text of the terminal is fast, but one for its shortest text is not. Then there is no estimate of a
// completion, and the automaton is searched; if that finds none either, the limit is named.
TEST(EngineLimits, ACompletionWithoutAnEstimateIsSearchedFor) {
  std::string terminal;
  for (const char c : std::string_view("abcdefghij")) {
    terminal += (terminal.empty() ? "" : " & ") + ("/.*" + std::string(1, c) + ".{12}" + c + ".*/");
  }
  Limits limits;
  limits.regex_fuel = 1'000;
  GrammarMatcher matcher(compile(byte_vocabulary({}), "root ::= \"x\" (" + terminal + ") \";\"", limits));
  const std::optional<std::string> text = matcher.shortest_completion();
  EXPECT_TRUE(text.has_value() || !matcher.limit_message().empty());
}

// Some rules of blocks have no text between certain places of lines. That is no limit.
TEST(EngineLimits, ACompletionOfBlocksMeetsNoLimit) {
  const std::string grammar = "root ::= line+\nline ::= [a-z]+ @line_end | [a-z]+ \":\" @line_end @block(line+)";
  for (const auto& [output, rest] : {std::pair{"", "a\n"}, {"a", "\n"}, {"if:", "\n a\n"}, {"if:\n", " a\n"}}) {
    GrammarMatcher matcher(compile(byte_vocabulary({}), grammar));
    ASSERT_EQ(matcher.accept_bytes(output), Step::kOk);
    EXPECT_EQ(matcher.shortest_completion(), rest) << output;
    EXPECT_EQ(matcher.limit_message(), "") << output;
  }
}

TEST(EngineLimits, ForcedTextsAreCutShortAndSaySo) {
  const TokenizerInfo tokenizer = byte_vocabulary({"aa", "aaaa"});
  constexpr std::string_view kGrammar = "root ::= \"x\" /a{100}/ [bc]";
  GrammarMatcher whole(compile(tokenizer, kGrammar));
  const std::string text = whole.find_jump_forward_string();
  const std::vector<std::uint32_t> tokens = whole.forced_tokens();
  EXPECT_EQ(text, "x" + std::string(100, 'a'));
  EXPECT_EQ(tokens.size(), 26U);
  EXPECT_EQ(whole.limit_message(), "");
  Limits bytes;
  bytes.completion_bytes = 10;
  Limits states;
  states.lexer_states = 30;
  for (const auto& [limits, name] : {std::pair(bytes, "completion_bytes"), std::pair(states, "lexer_states")}) {
    GrammarMatcher matcher(compile(tokenizer, kGrammar, limits));
    const std::string cut = matcher.find_jump_forward_string();
    EXPECT_NE(matcher.limit_message().find(name), std::string::npos);
    EXPECT_GE(cut.size(), 10U);
    EXPECT_LT(cut.size(), 40U);
    if (limits.completion_bytes == 10) {
      EXPECT_EQ(cut.size(), 10U);
    }
    EXPECT_TRUE(text.starts_with(cut));
    EXPECT_EQ(matcher.longest_viable_prefix("xab"), 2U);
    EXPECT_EQ(matcher.limit_message(), "") << "a message is about the last call";
    const std::vector<std::uint32_t> fewer = matcher.forced_tokens();
    EXPECT_NE(matcher.limit_message().find(name), std::string::npos);
    EXPECT_GE(fewer.size(), 2U);
    EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), tokens.begin()));
    EXPECT_EQ(matcher.accept_bytes("x"), Step::kOk);
    EXPECT_EQ(matcher.limit_message(), "");
  }
}

TEST(EngineLimits, AnExplanationCutShortByALimitDoesNotBlameTheToken) {
  const TokenizerInfo tokenizer = byte_vocabulary({std::string(60, 'a')});
  Limits limits;
  limits.lexer_states = 20;
  GrammarMatcher matcher(compile(tokenizer, "root ::= /[a-z]{0,200}/ \";\"", limits));
  const TokenExplanation why = matcher.explain(256);
  EXPECT_FALSE(why.allowed);
  EXPECT_NE(why.reason.find("lexer_states"), std::string::npos) << why.reason;
  EXPECT_EQ(why.reason, matcher.limit_message());
  EXPECT_EQ(matcher.explain('!').reason, "`!` cannot follow here");
  EXPECT_EQ(matcher.expected().bytes.size(), 27U);
  EXPECT_EQ(matcher.limit_message(), "");
}

TEST(EngineLimits, TooManyItemsIsAnErrorThatNamesTheLimit) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  Limits limits;
  limits.row_items = 2;
  const auto compiled = GrammarCompiler(tokenizer, limits)
                            .compile_ebnf(
                                "root ::= a | b | c | d\n"
                                "a ::= \"(\" root \")\"\nb ::= \"[\" root \"]\"\n"
                                "c ::= \"{\" root \"}\"\nd ::= \"<\" root \">\" | \"x\"");
  ASSERT_FALSE(compiled.has_value());
  EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(compiled.error().limit, "row_items");
}

TEST(EngineLimits, EmptyLanguagesAndUnknownTokensAreCompileErrors) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const GrammarCompiler compiler(tokenizer);
  EXPECT_EQ(compiler.compile_ebnf("root ::= \"a\" root").error().code, ErrorCode::kUnsatisfiable);
  EXPECT_EQ(compiler.compile_ebnf("root ::= <nosuch>").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(compiler.compile_ebnf("root ::= \"a\" !<[0-257]>").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(compiler.compile_ebnf("root ::= @greedy(/a+/) \"a\"").error().code, ErrorCode::kUnsatisfiable);
  const Error out_of_range = compiler.compile_ebnf("root ::= \"a\" <[5000]>").error();
  EXPECT_EQ(out_of_range.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(out_of_range.where, (SourceRange{13, 21}));
}

}  // namespace
}  // namespace weir
