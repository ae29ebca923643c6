// What a walk of the vocabulary's trie finds within lexemes is shared by rows. state_runs_test.cc compares the masks.
#include <gtest/gtest.h>

#include <cstdint>
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

}  // namespace
}  // namespace weir
