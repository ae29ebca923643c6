// Many matchers use one compiled grammar concurrently and get the same masks as alone. Most useful with
// ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "engine/automaton/compiled.h"
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

// Several matchers of each thread take turns, are forked and destroyed, while another thread replaces the automaton at
// any time: in calls, between them, and while matchers are made.
TEST(Threads, MatchersThatWaitLoseTheirStatesToOtherThreads) {
  constexpr std::uint32_t kThreads = 4;
  constexpr int kSteps = 400;
  const TokenizerInfo tokenizer = byte_vocabulary({"ab", "{a", ":{", "}}", "é:"});
  const std::size_t words = bitmask_words(tokenizer.vocab_size());
  const auto walk = [&](const CompiledGrammar& compiled, std::uint32_t seed) {
    std::vector<GrammarMatcher> matchers(5, GrammarMatcher(compiled));
    std::minstd_rand random(seed);
    std::vector<std::uint32_t> mask(words);
    std::uint64_t digest = seed;
    for (int i = 0; i < kSteps; ++i) {
      GrammarMatcher& matcher = matchers[random() % matchers.size()];
      if (matcher.is_terminated()) matcher.reset();
      if (random() % 8 == 0) matcher = matchers[random() % matchers.size()].fork();
      if (random() % 8 == 0) {
        EXPECT_EQ(matcher.rollback(random() % (matcher.step_count() + 1)), Step::kOk);
      }
      digest = digest * 31 + (matcher.is_completed() ? 1 : 0);
      if (matcher.is_terminated()) continue;
      EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
      for (const std::uint32_t word : mask) digest = digest * 1'000'003 + word;
      auto next = static_cast<std::uint32_t>(random() % tokenizer.vocab_size());
      while (!bitmask_get(mask, next)) next = static_cast<std::uint32_t>((next + 1) % tokenizer.vocab_size());
      EXPECT_EQ(matcher.accept_token(next), Step::kOk);
    }
    return digest;
  };
  std::vector<std::uint64_t> alone;
  for (std::uint32_t t = 0; t < kThreads; ++t) alone.push_back(walk(compile(tokenizer, kGrammar), t + 1));
  const CompiledGrammar shared = compile(tokenizer, kGrammar);
  std::vector<std::weak_ptr<engine::SharedAutomaton>> replaced;
  std::vector<std::uint64_t> together(kThreads);
  std::atomic<std::uint32_t> working = kThreads;
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      together[t] = walk(shared, t + 1);
      --working;
    });
  }
  std::size_t most_alive = 0;
  while (working != 0) {
    {
      const std::shared_ptr<engine::SharedAutomaton> current = shared.impl()->automaton();
      replaced.push_back(current);
      shared.impl()->install(shared.impl()->successor(current).automaton);
    }
    std::this_thread::yield();
    std::erase_if(replaced, [](const auto& automaton) { return automaton.expired(); });
    most_alive = std::max(most_alive, replaced.size());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
  EXPECT_LE(most_alive, 2 * kThreads) << "each call has one, and one more while it moves";
  EXPECT_TRUE(std::all_of(replaced.begin(), replaced.end(), [](const auto& automaton) { return automaton.expired(); }));
}

TEST(Threads, EachCallNamesTheLimitThatItMet) {
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
