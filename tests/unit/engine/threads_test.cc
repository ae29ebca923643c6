// Many matchers use one compiled grammar concurrently and get the same masks as alone. Most useful with
// ThreadSanitizer.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::random_walk;

constexpr std::string_view kGrammar =
    "root ::= \"{\" (pair (\",\" pair)*)? \"}\"\npair ::= word \":\" (root | word | <tool>)\nword ::= [a-zà-ÿ]{1,5}";

TEST(Threads, MatchersShareACompiledGrammar) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "{a", ":{", "}}", "é:"});
  for (const std::size_t memory : {std::size_t{1} << 28, std::size_t{100'000}}) {
    Limits limits;
    limits.state_memory = memory;
    constexpr int kSteps = 300;
    std::vector<std::uint64_t> alone;
    for (std::uint32_t seed = 1; seed <= 8; ++seed)
      alone.push_back(random_walk(compile(tokenizer, kGrammar), seed, kSteps));
    const CompiledGrammar shared = compile(tokenizer, kGrammar, limits);
    std::vector<std::uint64_t> together(8);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] { together[t] = random_walk(shared, t + 1, kSteps); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(alone, together);
  }
}

TEST(Threads, ALimitsNameIsThatOfTheCallThatMetIt) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::string grammar = "root ::= \"x\" /[a-z]{0,200}/ \";\" | \"y\" (r0";
  std::string rules;
  for (int i = 0; i < 30; ++i) {
    const std::string rule = "r" + std::to_string(i);
    if (i > 0) grammar += " | " + rule;
    rules += rule + " ::= \"" + std::to_string(i) + "(\" " + rule + "? \")\"\n";
  }
  Limits limits;
  limits.lexer_states = 30;
  limits.row_items = 20;
  const CompiledGrammar compiled = compile(tokenizer, grammar + ")\n" + rules, limits);
  const auto insist = [&](std::string_view text, std::string_view name) {
    for (int i = 0; i < 300; ++i) {
      GrammarMatcher matcher(compiled);
      ASSERT_EQ(matcher.accept_bytes(text), Step::kLimitExceeded);
      ASSERT_NE(matcher.limit_message().find(name), std::string::npos) << matcher.limit_message();
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] { insist("x" + std::string(100, 'a'), "lexer_states"); });
    threads.emplace_back([&] { insist("y", "row_items"); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, CompletionsAreFoundFromManyThreads) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const CompiledGrammar compiled = compile(tokenizer, kGrammar);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      GrammarMatcher matcher(compiled);
      ASSERT_EQ(matcher.accept_bytes("{ab:{"), Step::kOk);
      EXPECT_EQ(matcher.shortest_completion(), "}}");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weir
