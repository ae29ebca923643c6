// The search for a completion under conditions: it prefers states near the grammar's end, so that its cost grows with
// the length of the completion, but not exponentially.
#include <gtest/gtest.h>

#include "engine/automaton/compiled.h"
#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/matcher.h"

namespace weir {
namespace {

// A statement needs about forty bytes to end, and each keyword must be separated from the names next to it.
constexpr const char* kStatements = R"lark(
start: stmt+
stmt: "procedure" NAME "begin" stmt+ "endprocedure" ";"
    | "when" expr "execute" stmt+ "otherwise" stmt+ "finished" ";"
    | NAME ":=" expr ";"
expr: NAME | NUMBER | NAME "(" [expr ("," expr)*] ")" | expr "+" expr | "(" expr ")"
NAME: /[a-z_][a-z0-9_]*/
NUMBER: /[0-9]+/
%ignore /[ \t\n]+/
)lark";

CompiledGrammar compile(std::uint32_t lookahead_threads) {
  Limits limits;
  limits.lookahead_threads = lookahead_threads;
  GrammarTextOptions options;
  options.syntax = GrammarSyntax::kLark;
  return GrammarCompiler(TokenizerInfo::builtin(), limits).compile_text(kStatements, options).value();
}

TEST(Finish, AFewHundredThreadsFindTheEndOfALongWay) {
  GrammarMatcher matcher(compile(1'000));
  for (const char* text : {"procedure a ", "begin when f(a, (b", ")) execute ", "x := 1 + ", "2; otherwise when "}) {
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk) << text << ": " << matcher.limit_message();
    std::vector<std::uint32_t> mask(bitmask_words(TokenizerInfo::builtin().vocab_size()));
    ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk) << text << ": " << matcher.limit_message();
  }
  EXPECT_EQ(matcher.accept_bytes(";"), Step::kRefused) << "`when` wants an expression";
}

// A search that allowed a step may have known what others had found. Here the limit shrinks instead.
TEST(Finish, AHistoryIsReplayedAlthoughItsSearchesAreLonger) {
  const CompiledGrammar compiled = compile(1'000);
  constexpr const char* kText = "procedure a begin when f(a, (b";
  GrammarMatcher matcher(compiled);
  ASSERT_EQ(matcher.accept_bytes(kText), Step::kOk) << matcher.limit_message();
  const_cast<std::uint32_t&>(compiled.impl()->program().limits.lookahead_threads) = 64;
  compiled.impl()->install(compiled.impl()->successor(compiled.impl()->automaton()).automaton);
  GrammarMatcher fresh(compiled);
  EXPECT_EQ(fresh.accept_bytes(kText), Step::kLimitExceeded);
  EXPECT_NE(fresh.limit_message().find("lookahead_threads"), std::string::npos) << fresh.limit_message();
  compiled.impl()->install(compiled.impl()->successor(compiled.impl()->automaton()).automaton);
  EXPECT_EQ(matcher.longest_viable_prefix(")"), 1U) << matcher.limit_message();
}

TEST(Finish, TheShortestCompletionKeepsConditions) {
  const CompiledGrammar compiled = compile(2'000);
  for (const char* text : {"", "procedure a begin when f(a, (b", "when x execute y := 1; otherwise"}) {
    GrammarMatcher matcher(compiled);
    ASSERT_EQ(matcher.accept_bytes(text), Step::kOk);
    const std::optional<std::string> completion = matcher.shortest_completion();
    ASSERT_TRUE(completion.has_value()) << text << ": " << matcher.limit_message();
    ASSERT_EQ(matcher.accept_bytes(*completion), Step::kOk) << *completion;
    EXPECT_TRUE(matcher.is_completed()) << text;
  }
}

}  // namespace
}  // namespace weir
