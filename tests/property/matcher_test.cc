// Laws of matchers that hold for every grammar and tokenizer, on random walks: no oracle is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "property/grammars.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

constexpr std::size_t kSteps = 40;  // tokens of a walk
constexpr int kWalks = 3;           // for each grammar

class MatcherLaws : public ::testing::TestWithParam<NamedGrammar> {
 protected:
  static const TokenizerInfo& tokenizer() {
    static const TokenizerInfo info = TokenizerInfo::builtin();
    return info;
  }

  static CompiledGrammar compile(const TokenizerInfo& info, const Limits& limits = {}) {
    Result<CompiledGrammar> compiled = GrammarCompiler(info, limits).compile_ebnf(GetParam().ebnf);
    if (!compiled.has_value()) {
      ADD_FAILURE() << render(compiled.error(), GetParam().ebnf, GetParam().name);
      std::abort();
    }
    return *compiled;
  }

  static std::string text_of(const std::vector<WalkStep>& walk) {
    std::vector<std::uint32_t> ids;
    for (const WalkStep& step : walk) ids.push_back(step.token);
    return tokenizer().decode(ids);
  }

  std::minstd_rand random_{77};
};

TEST_P(MatcherLaws, RollbackTakesBack) {
  const CompiledGrammar compiled = compile(tokenizer());
  for (int i = 0; i < kWalks; ++i) {
    GrammarMatcher matcher(compiled);
    std::vector<WalkStep> walk = random_walk(matcher, random_, kSteps);
    ASSERT_EQ(matcher.step_count(), walk.size());
    while (matcher.step_count() > 0) {
      const std::size_t back = 1 + random_() % std::min<std::size_t>(matcher.step_count(), 7);
      ASSERT_EQ(matcher.rollback(back), Step::kOk);
      const std::size_t at = matcher.step_count();
      ASSERT_EQ(matcher.state_id(), walk[at].state_before) << "step " << at;
      ASSERT_EQ(mask_of(matcher), walk[at].mask_before) << "a stale mask at step " << at;
      // Sometimes accepts other tokens and rolls back again.
      if (random_() % 2 == 0) {
        const std::size_t steps = random_walk(matcher, random_, 3).size();
        ASSERT_EQ(matcher.rollback(steps), Step::kOk);
        ASSERT_EQ(mask_of(matcher), walk[at].mask_before) << "a stale mask at step " << at;
      }
    }
  }
}

TEST_P(MatcherLaws, ChunksOfBytesMakeNoDifference) {
  const CompiledGrammar compiled = compile(tokenizer());
  for (int i = 0; i < kWalks; ++i) {
    GrammarMatcher matcher(compiled);
    const std::string text = text_of(random_walk(matcher, random_, kSteps));
    const std::uint32_t state = matcher.state_id();
    for (const std::size_t longest : {std::size_t{1}, std::size_t{3}, std::size_t{17}, text.size()}) {
      GrammarMatcher other(compiled);
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(text.size() - at, 1 + random_() % std::max<std::size_t>(longest, 1));
        ASSERT_EQ(other.accept_bytes(std::string_view(text).substr(at, size)), Step::kOk);
        at += size;
      }
      ASSERT_EQ(other.state_id(), state) << shown(text);
      ASSERT_EQ(other.is_completed(), matcher.is_completed());
      ASSERT_EQ(mask_of(other), mask_of(matcher));
    }
  }
}

TEST_P(MatcherLaws, ShuffledVocabularyGivesTheShuffledMask) {
  const oracle::Vocabulary plain = vocabulary_of(tokenizer());
  std::vector<std::uint32_t> order(plain.tokens.size());  // new id to old id
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random_);
  oracle::Vocabulary shuffled;
  for (const std::uint32_t old_id : order) {
    if (plain.is_stop(old_id)) shuffled.stop_tokens.push_back(static_cast<std::uint32_t>(shuffled.tokens.size()));
    shuffled.tokens.push_back(plain.tokens[old_id]);
  }
  GrammarMatcher matcher(compile(make_tokenizer(plain)));
  GrammarMatcher other(compile(make_tokenizer(shuffled)));
  for (const WalkStep& step : random_walk(matcher, random_, kSteps)) {
    const std::vector<bool> mask = mask_of(other);
    for (std::uint32_t id = 0; id < order.size(); ++id) {
      ASSERT_EQ(mask[id], step.mask_before[order[id]]) << shown(shuffled.tokens[id]);
    }
    const auto new_id = static_cast<std::uint32_t>(std::ranges::find(order, step.token) - order.begin());
    ASSERT_EQ(other.accept_token(new_id), Step::kOk);
  }
}

TEST_P(MatcherLaws, MemoryBudgetsAndSecondPassesChangeNoMask) {
  const CompiledGrammar compiled = compile(tokenizer());
  GrammarMatcher matcher(compiled);
  const std::vector<WalkStep> walk = random_walk(matcher, random_, kSteps);
  const auto replay = [&](const CompiledGrammar& grammar, const char* what) {
    GrammarMatcher other(grammar);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      ASSERT_EQ(mask_of(other), walk[i].mask_before) << what << ", step " << i;
      ASSERT_EQ(other.accept_token(walk[i].token), Step::kOk) << what << ", step " << i;
    }
    for (std::size_t i = walk.size(); i-- > 0;) {
      ASSERT_EQ(other.rollback(1), Step::kOk);
      ASSERT_EQ(mask_of(other), walk[i].mask_before) << what << ", back at step " << i;
    }
  };
  replay(compiled, "second pass");
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100000}, std::size_t{1000000}}) {
    const CompiledGrammar small = compile(tokenizer(), {.state_memory = bytes});
    replay(small, "small cache");
    replay(small, "small cache, second pass");
    if (bytes == 1) {
      EXPECT_GT(small.stats().cache_flushes, 0U);
    }
  }
}

TEST_P(MatcherLaws, ForksAreIndependentAndResetGoesBack) {
  const CompiledGrammar compiled = compile(tokenizer());
  GrammarMatcher matcher(compiled);
  const std::vector<bool> first = mask_of(matcher);
  const std::uint32_t start = matcher.state_id();
  random_walk(matcher, random_, kSteps / 2);
  const std::vector<bool> here = mask_of(matcher);
  const std::uint32_t state = matcher.state_id();
  const std::size_t steps = matcher.step_count();

  GrammarMatcher fork = matcher.fork();
  ASSERT_EQ(fork.state_id(), state);
  ASSERT_EQ(fork.step_count(), steps);
  const std::size_t more = random_walk(fork, random_, kSteps / 2).size();
  ASSERT_EQ(matcher.state_id(), state);
  ASSERT_EQ(matcher.step_count(), steps);
  ASSERT_EQ(mask_of(matcher), here);
  ASSERT_EQ(fork.rollback(more), Step::kOk);
  ASSERT_EQ(mask_of(fork), here);

  matcher.reset();
  ASSERT_EQ(matcher.step_count(), 0U);
  ASSERT_EQ(matcher.state_id(), start);
  ASSERT_EQ(mask_of(matcher), first);
  ASSERT_EQ(fork.state_id(), state) << "reset of one matcher moved another";
  ASSERT_EQ(fork.rollback(steps), Step::kOk);
  ASSERT_EQ(mask_of(fork), first);
}

// Mask bit <=> is_token_allowed <=> accept_token <=> explain; longest_viable_prefix and expected() agree byte by byte.
TEST_P(MatcherLaws, AllQuestionsGetOneAnswer) {
  const CompiledGrammar compiled = compile(tokenizer());
  const oracle::Vocabulary vocabulary = vocabulary_of(tokenizer());
  GrammarMatcher matcher(compiled);
  const std::vector<WalkStep> walk = random_walk(matcher, random_, kSteps / 2);
  matcher.reset();
  for (const WalkStep& step : walk) {
    const std::uint32_t state = matcher.state_id();
    for (std::uint32_t token = 0; token < vocabulary.tokens.size();
         token += 1 + static_cast<std::uint32_t>(random_() % 5)) {
      ASSERT_EQ(matcher.is_token_allowed(token), step.mask_before[token]) << shown(vocabulary.tokens[token]);
      ASSERT_EQ(matcher.accept_token(token), step.mask_before[token] ? Step::kOk : Step::kRefused);
      if (step.mask_before[token]) {
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
      }
      ASSERT_EQ(matcher.state_id(), state);
      const std::string& bytes = vocabulary.tokens[token];
      if (vocabulary.is_stop(token) || bytes.empty()) continue;
      const std::size_t viable = matcher.longest_viable_prefix(bytes);
      ASSERT_EQ(viable == bytes.size(), step.mask_before[token]) << shown(bytes);
      if (random_() % 16 == 0) {
        const TokenExplanation explanation = matcher.explain(token);
        ASSERT_EQ(explanation.allowed, step.mask_before[token]);
        ASSERT_EQ(explanation.bytes_matched, viable) << shown(bytes);
        ASSERT_EQ(explanation.reason.empty(), explanation.allowed);
      }
    }
    std::vector<std::uint8_t> bytes;
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      if (matcher.longest_viable_prefix({&c, 1}) == 1) bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    const Expectation expected = matcher.expected();
    ASSERT_EQ(expected.bytes, bytes);
    ASSERT_EQ(expected.end, matcher.is_completed());
    ASSERT_EQ(matcher.state_id(), state) << "asking moved the matcher";
    ASSERT_EQ(matcher.accept_token(step.token), Step::kOk);
  }
}

TEST_P(MatcherLaws, ForcedBytesAreTheOnlyWayOn) {
  const CompiledGrammar compiled = compile(tokenizer());
  const oracle::Vocabulary vocabulary = vocabulary_of(tokenizer());
  for (int i = 0; i < kWalks; ++i) {
    GrammarMatcher matcher(compiled);
    const std::vector<WalkStep> walk = random_walk(matcher, random_, kSteps);
    matcher.reset();
    for (const WalkStep& step : walk) {
      const std::string forced = matcher.find_jump_forward_string();
      GrammarMatcher ahead = matcher.fork();
      for (std::size_t at = 0; at <= forced.size(); ++at) {
        const Expectation next = ahead.expected();
        const bool only = !next.end && next.bytes.size() == 1;
        ASSERT_EQ(only, at < forced.size()) << shown(forced) << " at " << at;
        if (at == forced.size()) break;
        ASSERT_EQ(next.bytes[0], static_cast<std::uint8_t>(forced[at]));
        ASSERT_EQ(ahead.accept_bytes(std::string_view(forced).substr(at, 1)), Step::kOk);
      }
      const std::vector<std::uint32_t> tokens = matcher.forced_tokens();
      std::string spelled;
      for (const std::uint32_t token : tokens) spelled += vocabulary.tokens[token];
      ASSERT_TRUE(forced.starts_with(spelled)) << shown(forced) << " spelled " << shown(spelled);
      ASSERT_EQ(matcher.accept_token(step.token), Step::kOk);
    }
  }
}

TEST_P(MatcherLaws, StopTokensEndTheOutput) {
  const CompiledGrammar compiled = compile(tokenizer());
  ASSERT_FALSE(tokenizer().stop_token_ids().empty());
  const std::uint32_t stop = tokenizer().stop_token_ids()[0];
  GrammarMatcher matcher(compiled);
  const std::vector<WalkStep> walk = random_walk(matcher, random_, kSteps);
  matcher.reset();
  for (const WalkStep& step : walk) {
    ASSERT_EQ(step.mask_before[stop], matcher.is_completed());
    ASSERT_EQ(matcher.is_token_allowed(stop), matcher.is_completed());
    if (matcher.is_completed()) {
      const std::size_t steps = matcher.step_count();
      ASSERT_EQ(matcher.accept_token(stop), Step::kOk);
      ASSERT_TRUE(matcher.is_terminated());
      ASSERT_EQ(matcher.step_count(), steps + 1);
      std::vector<std::uint32_t> words(bitmask_words(tokenizer().vocab_size()), 0xFFFFFFFFU);
      ASSERT_EQ(matcher.fill_next_token_bitmask(words), Step::kTerminated);
      ASSERT_EQ(bitmask_count(words), 0U);
      ASSERT_EQ(matcher.accept_token(stop), Step::kTerminated);
      ASSERT_EQ(matcher.accept_token(step.token), Step::kTerminated);
      ASSERT_EQ(matcher.accept_bytes("a"), Step::kTerminated);
      ASSERT_FALSE(matcher.is_token_allowed(step.token));
      ASSERT_EQ(matcher.find_jump_forward_string(), "");
      ASSERT_EQ(matcher.step_count(), steps + 1);
      ASSERT_EQ(matcher.rollback(1), Step::kOk);
      ASSERT_FALSE(matcher.is_terminated());
      ASSERT_EQ(mask_of(matcher), step.mask_before);
    } else {
      ASSERT_EQ(matcher.accept_token(stop), Step::kRefused);
    }
    ASSERT_EQ(matcher.accept_token(step.token), Step::kOk);
  }
}

// Matchers of one compiled grammar in several threads explore it together, with and without concurrent flushes.
TEST_P(MatcherLaws, ThreadsShareACompiledGrammar) {
  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<WalkStep>> walks(kThreads);
  const CompiledGrammar alone = compile(tokenizer());
  for (std::vector<WalkStep>& walk : walks) {
    GrammarMatcher matcher(alone);
    walk = random_walk(matcher, random_, kSteps / 2);
  }
  for (const std::size_t bytes : {std::size_t{1} << 30, std::size_t{200000}}) {
    const CompiledGrammar shared = compile(tokenizer(), {.state_memory = bytes});
    std::vector<std::size_t> wrong(kThreads, 0);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        GrammarMatcher matcher(shared);
        std::vector<std::uint32_t> words(bitmask_words(tokenizer().vocab_size()));
        for (int pass = 0; pass < 2; ++pass, matcher.reset()) {
          for (const WalkStep& step : walks[thread]) {
            bool same = matcher.fill_next_token_bitmask(words) == Step::kOk;
            for (std::uint32_t token = 0; token < step.mask_before.size(); ++token) {
              same = same && bitmask_get(words, token) == step.mask_before[token];
            }
            same = matcher.accept_token(step.token) == Step::kOk && same;
            if (!same) ++wrong[thread];
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<std::size_t>(kThreads, 0));
  }
}

INSTANTIATE_TEST_SUITE_P(Grammars, MatcherLaws, ::testing::ValuesIn(kGrammars),
                         [](const ::testing::TestParamInfo<NamedGrammar>& test) {
                           return std::string(test.param.name);
                         });

// The first token loses its leading space if the tokenizer has that rule, and only at the start of a text.
TEST(LeadingSpace, IsDroppedFromTheFirstTokenOnly) {
  VocabSpec spec{{" a", "a", " ", " b", "b", "</s>"}, {5}, {5}, true};
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_vocab(spec);
  ASSERT_TRUE(tokenizer.has_value());
  ASSERT_TRUE(tokenizer->drops_leading_space());
  const Result<CompiledGrammar> compiled = GrammarCompiler(*tokenizer).compile_ebnf("root ::= \"a b\" | \" a\"");
  ASSERT_TRUE(compiled.has_value());

  GrammarMatcher start(*compiled);
  std::vector<bool> mask = mask_of(start);
  EXPECT_TRUE(mask[0]) << "' a' stands for 'a'";
  EXPECT_TRUE(mask[1]);
  EXPECT_TRUE(mask[2]) << "' ' stands for nothing here, and any output may begin with nothing";
  EXPECT_FALSE(mask[3]);
  ASSERT_EQ(start.accept_token(0), Step::kOk);
  mask = mask_of(start);
  EXPECT_EQ(mask, (std::vector<bool>{false, false, true, true, false, false}));
  ASSERT_EQ(start.accept_token(3), Step::kOk);
  EXPECT_TRUE(start.is_completed());
  ASSERT_EQ(start.rollback(2), Step::kOk);
  ASSERT_EQ(start.accept_token(2), Step::kOk);
  EXPECT_EQ(mask_of(start), (std::vector<bool>{true, true, true, false, false, false}))
      << "the dropped space was the first";
  ASSERT_EQ(start.rollback(1), Step::kOk);
  EXPECT_TRUE(mask_of(start)[0]) << "the rule applies again after a rollback to the beginning";

  GrammarMatcher within(*compiled, {.at_text_start = false});
  mask = mask_of(within);
  EXPECT_EQ(mask, (std::vector<bool>{true, true, true, false, false, false}));
  ASSERT_EQ(within.accept_token(0), Step::kOk);
  EXPECT_TRUE(within.is_completed()) << "' a' stands for ' a'";
}

}  // namespace
}  // namespace weir::testing
