// KbnfEngine has kbnf's calls and kbnf's results.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "weir/weir.h"

namespace weir {
namespace {

using Tokens = std::vector<std::uint32_t>;

// Returns a tokenizer with the tokens a, aa, ab, b, an empty one, a line feed, abc, and a stop token.
TokenizerInfo tokenizer() {
  VocabSpec spec;
  spec.tokens = {"a", "aa", "ab", "b", "", "\n", "abc", "<end>"};
  spec.special_token_ids = spec.stop_token_ids = {7};
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

KbnfEngine engine_of(std::string_view grammar) { return KbnfEngine::create(grammar, tokenizer()).value(); }

TEST(KbnfEngine, EndsAsSoonAsTheTextIsComplete) {
  KbnfEngine engine = engine_of("start ::= 'a'* 'b' ['c'];");
  EXPECT_FALSE(engine.is_finished());
  EXPECT_EQ(engine.allowed_token_ids_from_last_computation(), Tokens());
  EXPECT_EQ(engine.compute_allowed_token_ids(), KbnfResult::kOngoing);
  EXPECT_EQ(engine.allowed_token_ids_from_last_computation(), (Tokens{0, 1, 2, 3, 6}));
  EXPECT_EQ(engine.disallowed_token_ids_from_last_computation(), (Tokens{4, 5, 7}));
  EXPECT_EQ(engine.try_accept_new_token(5), KbnfResult::kRejected);
  EXPECT_EQ(engine.try_accept_new_token(7), KbnfResult::kRejected);
  EXPECT_EQ(engine.try_accept_new_token(8), KbnfResult::kUnknownToken);
  EXPECT_EQ(engine.try_accept_new_token(1), KbnfResult::kOngoing);
  EXPECT_EQ(engine.try_accept_new_token(2), KbnfResult::kFinished);
  EXPECT_TRUE(engine.is_finished());
  EXPECT_TRUE(engine.check_if_token_is_allowed(2));  // refers to the last computation
  EXPECT_EQ(engine.try_accept_new_token(0), KbnfResult::kAfterEnd);
  EXPECT_EQ(engine.try_accept_new_bytes("c"), KbnfResult::kAfterEnd);
  EXPECT_EQ(engine.compute_allowed_token_ids(), KbnfResult::kFinished);
  EXPECT_EQ(engine.allowed_token_ids_from_last_computation(), Tokens());
  engine.reset();
  EXPECT_EQ(engine.try_accept_new_bytes(""), KbnfResult::kOngoing);
  EXPECT_EQ(engine.try_accept_new_bytes("ac"), KbnfResult::kRejected);
  EXPECT_EQ(engine.try_accept_new_bytes("abc"), KbnfResult::kFinished);
}

TEST(KbnfEngine, TheEmptyTextIsNotTheEnd) {
  KbnfEngine engine = engine_of("start ::= {'a'};");
  EXPECT_FALSE(engine.is_finished());
  EXPECT_EQ(engine.try_accept_new_token(7), KbnfResult::kRejected);
  EXPECT_EQ(engine.compute_allowed_token_ids(), KbnfResult::kOngoing);
  EXPECT_EQ(engine.allowed_token_ids_from_last_computation(), (Tokens{0, 1}));
  EXPECT_EQ(engine.try_accept_new_token(0), KbnfResult::kFinished);
}

TEST(KbnfEngine, Logits) {
  KbnfEngine engine = engine_of("start ::= 'a' start | 'b';");
  std::vector<float> logits(8, 1.0F);
  EXPECT_EQ(engine.update_logits(0, std::span(logits).first(7)), KbnfResult::kInvalidLength);
  EXPECT_EQ(engine.update_logits(0, logits), KbnfResult::kOngoing);
  for (std::size_t t = 0; t < logits.size(); ++t) EXPECT_EQ(std::isinf(logits[t]), t > 3) << t;
  logits.assign(8, 1.0F);
  EXPECT_EQ(engine.update_logits(5, logits), KbnfResult::kRejected);
  EXPECT_EQ(engine.update_logits(3, logits), KbnfResult::kFinished);
  EXPECT_EQ(logits, std::vector<float>(8, 1.0F));
}

TEST(KbnfEngine, StreamsWithoutAnEndAlwaysGoOn) {
  KbnfEngine engine = engine_of("start ::= 'a' b; b ::= ['b'] b2; b2 ::= 'a' b;");
  std::uint32_t seed = 1;
  for (int step = 0; step < 200; ++step) {
    ASSERT_EQ(engine.compute_allowed_token_ids(), KbnfResult::kOngoing);
    const Tokens allowed = engine.allowed_token_ids_from_last_computation();
    ASSERT_FALSE(allowed.empty());
    seed = seed * 1103515245U + 12345U;
    ASSERT_EQ(engine.try_accept_new_token(allowed[(seed >> 16) % allowed.size()]), KbnfResult::kOngoing);
  }
  GrammarMatcher matcher(engine.matcher());
  EXPECT_FALSE(matcher.is_completed());
  EXPECT_EQ(matcher.shortest_completion(), std::nullopt);
  EXPECT_EQ(matcher.limit_message(), "");
}

TEST(KbnfEngine, EndlessGrammarsAreErrorsUnlessKept) {
  const auto engine = KbnfEngine::create("start ::= 'a' start;", tokenizer(), {.keep_endless = false});
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kUnsatisfiable);
}

}  // namespace
}  // namespace weir
