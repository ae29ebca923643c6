// Masks within frames: lines and brackets of grammars with blocks. Masks of a state are found without the blocks around
// it, while tokens are accepted by the rows of the whole text; both must agree.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "base/work.h"
#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;

constexpr std::string_view kBlocks = R"ebnf(
root ::= statement+
statement ::= sum (";" sum)* ";"? @line_end | "if " sum ":" (sum @line_end | @line_end @block(statement+) other?)
other ::= "else:" @line_end @block(statement+)
sum ::= term ("+" term)*
term ::= [a-z]+ | "(" " "* (sum ("," sum)*)? ")" | "[" sum "]"
)ebnf";

TokenizerInfo vocabulary() {
  return byte_vocabulary({"  ",    "    ",   "\n  ", "\n    ", ")\n",  "))",     ")]",   "):",        ":\n",
                          ":\n  ", "a)",     "ab",   "+a",     "(a",   "((",     "a\n",  "else",      ":a",
                          "\n\n",  ")\n  a", ";\n",  "if a",   "a+(b", "a,b)\n", ")+a)", ";a\n    a", "if a:\n a\n"});
}

TEST(Frames, MasksAgreeWithSteps) {
  const TokenizerInfo tokenizer = vocabulary();
  const CompiledGrammar grammar = compile(tokenizer, kBlocks);
  const std::string common = "ab(),[]+;\n :ief";
  std::minstd_rand random(5);
  for (int text = 0; text < 20; ++text) {
    GrammarMatcher matcher(grammar);
    for (int step = 0; step < 40; ++step) {
      const std::string mask = mask_of(matcher);  // compares with is_token_allowed
      ASSERT_FALSE(mask.starts_with('[') && mask.ends_with("]") && mask.size() > 4) << mask;
      std::uint32_t token = 0;
      for (int tries = 0; tries < 200; ++tries) {
        const bool is_word = random() % 2 == 0;
        token = is_word ? 256 + static_cast<std::uint32_t>(random() % (tokenizer.vocab_size() - 258))
                        : static_cast<unsigned char>(common[random() % common.size()]);
        if (matcher.is_token_allowed(token)) break;
      }
      if (!matcher.is_token_allowed(token)) break;
      ASSERT_EQ(matcher.accept_token(token), Step::kOk);
    }
  }
}

TEST(Frames, ALineIsKnownInAllBlocks) {
  const TokenizerInfo tokenizer = vocabulary();
  const CompiledGrammar grammar = compile(tokenizer, kBlocks);
  GrammarMatcher matcher(grammar);
  const std::string_view line = "ab+(a,(b+[c]),d);e";
  const auto nodes_of_line = [&] {
    const std::uint64_t before = grammar.stats().trie_nodes;
    for (const char c : line) {
      EXPECT_NE(mask_of(matcher), "");
      EXPECT_EQ(matcher.accept_token(static_cast<unsigned char>(c)), Step::kOk);
    }
    return grammar.stats().trie_nodes - before;
  };
  const std::uint64_t first = nodes_of_line();
  ASSERT_EQ(matcher.accept_bytes("\nif a:\n  if b:\n    if c:\n      "), Step::kOk);
  const std::uint64_t deeper = nodes_of_line();
  ASSERT_EQ(matcher.accept_bytes("\n    else:\n     "), Step::kOk);
  const std::uint64_t again = nodes_of_line();
  EXPECT_LT(deeper, first / 2);
  EXPECT_LT(again, first / 2);
}

// A call whose work is used up meets that limit and no other, wherever it stops, and the next call goes on.
TEST(Frames, UsedUpWorkIsNoOtherLimit) {
  const TokenizerInfo tokenizer = vocabulary();
  std::size_t stops = 0;
  for (std::uint64_t most = 1; most <= 200; ++most) {
    const CompiledGrammar grammar = compile(tokenizer, kBlocks);
    GrammarMatcher matcher(grammar);
    for (const char byte : std::string_view("if a:\n  if b:\n      c\nd\n")) {
      const std::string_view text(&byte, 1);
      Step step = Step::kLimitExceeded;
      for (int calls = 0; calls < 3 && step == Step::kLimitExceeded; ++calls) {
        const base::Work::Call call(most);
        step = matcher.accept_bytes(text);
        if (step != Step::kLimitExceeded) continue;
        ++stops;
        EXPECT_NE(matcher.limit_message().find("call_work"), std::string::npos)
            << most << ' ' << matcher.limit_message();
      }
      if (step == Step::kLimitExceeded) step = matcher.accept_bytes(text);
      ASSERT_EQ(step, Step::kOk) << most << ' ' << matcher.limit_message();
    }
  }
  EXPECT_GT(stops, 200U) << "the bounds are too large to stop anything";
}

}  // namespace
}  // namespace weir
