// What walks of the vocabulary's trie share: what they find within lexemes, and what follows terminals at one residual. state_runs_test.cc compares the masks.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

constexpr std::string_view kCalls = R"lark(
start: statement+
statement: "let" NAME "=" NAME ";" | NAME "(" NAME ")" ";" | "if" NAME "{" statement+ "}"
NAME: /[A-Za-z_]\w*/
%ignore /\s+/
%ignore /\/\/[^\n]*/
)lark";

// Returns how many nodes of the trie are visited for the mask after `text`.
std::uint64_t nodes_after(const CompiledGrammar& compiled, std::string_view text) {
  GrammarMatcher matcher(compiled);
  EXPECT_EQ(matcher.accept_bytes(text), Step::kOk);
  std::vector<std::uint32_t> mask(bitmask_words(compiled.tokenizer_info().vocab_size()));
  const std::uint64_t before = compiled.stats().trie_nodes;
  EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  return compiled.stats().trie_nodes - before;
}

TEST(LexicalFacts, RowsShareWhatAWalkFindsWithinLexemes) {
  const Result<Grammar> grammar = Grammar::from_text(kCalls, {.syntax = GrammarSyntax::kLark});
  ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
  const Result<CompiledGrammar> compiled = GrammarCompiler(TokenizerInfo::builtin()).compile(*grammar);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  // A name is in progress or may begin each time, but what follows it differs.
  const std::uint64_t first = nodes_after(*compiled, "let first = sec");
  EXPECT_GT(first, 1'000U);
  EXPECT_LT(3 * nodes_after(*compiled, "call(arg"), first);
  EXPECT_LT(3 * nodes_after(*compiled, "let nam"), first);
  EXPECT_LT(3 * nodes_after(*compiled, "if cond { let nam"), first);
}

// After "x" all terminals are at the same residual, and each is followed by a text of its own.
TEST(MaskWalks, FollowTerminalsAtOneResidualTogether) {
  const auto compile = [](int alternatives) {
    std::string rules = "root ::= t0 \" = v0\"";
    for (int i = 1; i < alternatives; ++i) rules += " | t" + std::to_string(i) + " \" = v" + std::to_string(i) + "\"";
    for (int i = 0; i < alternatives; ++i) {
      rules += "\nt" + std::to_string(i) + " ::= /x[a-z ]*[a-z]|y" + std::to_string(i) + "/";
    }
    const Result<CompiledGrammar> compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_ebnf(rules);
    EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
    return *compiled;
  };
  const std::uint64_t few = nodes_after(compile(10), "xa");
  const std::uint64_t many = nodes_after(compile(100), "xa");
  EXPECT_GT(few, 0U);
  EXPECT_LT(many, 2 * few);
  GrammarMatcher matcher(compile(100));
  ASSERT_EQ(matcher.accept_bytes("xa b"), Step::kOk);
  const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  for (std::uint32_t t = 0; t < tokenizer.vocab_size(); ++t) {
    ASSERT_EQ(bitmask_get(mask, t), matcher.is_token_allowed(t)) << tokenizer.token_name(t);
  }
  EXPECT_EQ(matcher.accept_bytes(" = v57"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

}  // namespace
}  // namespace weir
