#include "engine/sets/token_terminals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/engine/engine_testing.h"
#include "weir/bitmask.h"

namespace weir::engine {
namespace {

using engine_testing::byte_vocabulary;

TEST(TokenTerminals, AgreeWithOneBitAToken) {
  const TokenizerInfo tokenizer = byte_vocabulary({"one", "two", "three"});
  const vocab::Vocabulary& vocabulary = tokenizer.vocabulary();
  const std::uint32_t size = vocabulary.size();
  std::minstd_rand random(3);
  TokenTerminals sets;
  std::vector<std::vector<bool>> expected;
  while (expected.size() < 500) {
    grammar::TokenSet set;
    std::vector<bool> listed(size);
    for (std::size_t n = 1 + random() % 6; n > 0; --n) {
      const auto first = static_cast<std::uint32_t>(random() % size);
      const auto last = std::min<std::uint32_t>(size - 1, first + static_cast<std::uint32_t>(random() % 70));
      set.ranges.emplace_back(first, last);
      for (std::uint32_t t = first; t <= last; ++t) listed[t] = true;
    }
    if (random() % 3 == 0) {
      set.names = {"<tool>"};
      listed[engine_testing::token(tokenizer, "<tool>")] = true;
    }
    set.complement = random() % 2 == 0;
    for (std::uint32_t t = 0; t < size && set.complement; ++t) listed[t] = !listed[t] && !vocabulary.is_stop_token(t);
    ASSERT_TRUE(sets.add(set, vocabulary).has_value());
    expected.push_back(std::move(listed));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::vector<std::uint32_t> mask(bitmask_words(size));
    sets.add_to(i, mask);
    for (std::uint32_t t = 0; t < size; ++t) {
      ASSERT_EQ(bitmask_get(mask, t), expected[i][t]) << i << ' ' << t;
      ASSERT_EQ(sets.contains(i, t), expected[i][t]) << i << ' ' << t;
    }
    EXPECT_EQ(bitmask_count(mask), static_cast<std::size_t>(std::count(expected[i].begin(), expected[i].end(), true)));
  }
}

TEST(TokenTerminals, EmptyAndUnknownOnesAreErrors) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const vocab::Vocabulary& vocabulary = tokenizer.vocabulary();
  TokenTerminals sets;
  grammar::TokenSet set;
  EXPECT_EQ(sets.add(set, vocabulary).error().code, ErrorCode::kInvalidArgument);
  set.complement = true;
  set.ranges = {{100, 257}, {0, 120}};
  EXPECT_EQ(sets.add(set, vocabulary).error().code, ErrorCode::kInvalidArgument) << "only a stop token is left out";
  set.ranges = {{0, 98}, {100, 257}};
  EXPECT_TRUE(sets.add(set, vocabulary).has_value()) << "token 99 is left";
  set.ranges = {{0, vocabulary.size()}};
  EXPECT_EQ(sets.add(set, vocabulary).error().code, ErrorCode::kInvalidArgument);
}

TEST(TokenTerminals, ATerminalForEachTokenOfALargeVocabularyIsSmall) {
  VocabSpec spec;
  for (int i = 0; i < 50'000; ++i) spec.tokens.push_back("t" + std::to_string(i));
  const auto tokenizer = TokenizerInfo::from_vocab(std::move(spec));
  ASSERT_TRUE(tokenizer.has_value());
  TokenTerminals sets;
  for (std::uint32_t t = 0; t < 50'000; ++t) {
    grammar::TokenSet set;
    set.ranges = {{t, t}};
    set.complement = t % 2 == 0;
    ASSERT_TRUE(sets.add(set, tokenizer->vocabulary()).has_value());
  }
  EXPECT_TRUE(sets.contains(0, 1));
  EXPECT_FALSE(sets.contains(0, 0));
  EXPECT_LT(sets.memory_bytes(), std::size_t{4} << 20) << "one mask each would be 312 MB";
}

// A search by bytes cannot lead over them.
TEST(TokenTerminals, TokensOfTextComeWhereTheTokenizerWritesThem) {
  const TokenizerInfo& tokenizer = TokenizerInfo::builtin();
  const auto id_of = [&](std::string_view text) { return tokenizer.tokenize(text)->front(); };
  const auto named = [&](std::string_view text) { return "<[" + std::to_string(id_of(text)) + "]>"; };
  const GrammarCompiler compiler(tokenizer);
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  struct Case {
    std::string grammar;
    std::string_view text;
  };
  for (const Case& c : {
           Case{"root ::= \"x\" " + named("&"), "x&"},
           Case{"root ::= [a-z]{1,4} \"+\" " + named("a"), "swig+a"},
           Case{"root ::= \"x\" " + named("&") + " \"y\" " + named("&") + " \"z\"", "x&y&z"},
           Case{"root ::= \"c\" | \"+\" " + named("a"), "+a"},
       }) {
    const CompiledGrammar compiled = *compiler.compile_ebnf(c.grammar);
    Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, options);
    ASSERT_TRUE(matcher.has_value()) << c.grammar;
    std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
    const std::vector<std::uint32_t> tokens = *tokenizer.tokenize(c.text);
    for (const std::uint32_t token : tokens) {
      ASSERT_EQ(matcher->fill_next_token_bitmask(bitmask), Step::kOk);
      EXPECT_TRUE(bitmask_get(bitmask, token)) << c.grammar << " after " << matcher->text();
      ASSERT_EQ(matcher->accept_token(token), Step::kOk) << c.grammar << " after " << matcher->text();
    }
    EXPECT_TRUE(matcher->is_completed()) << c.grammar;
  }
}

}  // namespace
}  // namespace weir::engine
