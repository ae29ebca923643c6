// Runs the algorithms of weir/token_dfa.h on GPT-2's 50,000 merges. Compares counts with those of other computations,
// and sequences with the tokenizer's own tokenizations of words.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "shared_data.h"
#include "weir/token_dfa.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

class Gpt2 : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto path = tests::shared_data() / "tokenizers" / "gpt2.tiktoken";
    if (!std::filesystem::exists(path)) return;
    tokenizer_ = TokenizerInfo::from_file(path.string()).value();
    for (std::uint32_t id = 0; id < tokenizer_->vocab_size(); ++id) {
      const bool is_text = tokenizer_->token_kind(id) == TokenKind::kNormal;
      tokens_.push_back(is_text ? tokenizer_->token_bytes(id) : std::string_view());
    }
    table_ = merges_by_rank(tokens_).value();
    dfa_ = build_tokenizer_dfa(table_).value();
  }
  static void TearDownTestSuite() {
    dfa_ = {};
    tokenizer_.reset();
  }
  void SetUp() override {
    if (!tokenizer_) GTEST_SKIP() << "no tokenizers/gpt2.tiktoken in the shared data";
  }

  static inline std::optional<TokenizerInfo> tokenizer_;
  static inline std::vector<std::string_view> tokens_;
  static inline MergeTable table_;
  static inline TokenizerDfa dfa_;
};

TEST_F(Gpt2, HasTheKnownCounts) {
  EXPECT_EQ(table_.units.size(), 256U);
  EXPECT_EQ(table_.merges.size(), 50'000U);
  EXPECT_EQ(dfa_.made_count(), 50'256U);
  EXPECT_EQ(dfa_.state_count(), 14'639U);
  EXPECT_EQ(dfa_.forbidden_pairs(), 70'924'173U);
  const TokenizerDfa fused = fuse_states(dfa_);
  EXPECT_EQ(fused.state_count(), 14'410U);
  EXPECT_EQ(fused.forbidden_pairs(), dfa_.forbidden_pairs());
}

// The text of two tokens of letters is one piece, so tokenizing it shows whether GPT-2 writes these two tokens.
TEST_F(Gpt2, ForbidsWhatTheTokenizerDoesNotWrite) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
    const std::string_view token = tokens_[id];
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (!token.empty() && std::all_of(token.begin(), token.end(), is_letter)) words.push_back(id);
  }
  std::mt19937 random(1);
  std::size_t forbidden = 0;
  const auto check = [&](std::uint32_t left, std::uint32_t right) {
    const std::string text = std::string(tokens_[left]) + std::string(tokens_[right]);
    const bool is_written = tokenizer_->tokenize(text).value() == std::vector<std::uint32_t>{left, right};
    forbidden += is_written ? 0 : 1;
    ASSERT_EQ(dfa_.allows(left, right), is_written) << text << " " << left << " " << right;
  };
  for (int i = 0; i < 100'000; ++i) check(words[random() % words.size()], words[random() % words.size()]);
  for (int i = 0; i < 50'000; ++i) check(words[random() % 1'000], words[random() % 1'000]);
  EXPECT_GT(forbidden, 10'000U);
}

TEST_F(Gpt2, CartesianMergeHasTheTokenizationsOfWords) {
  const CartesianMerge product = cartesian_merge(byte_dfa("[a-z]{1,12}").value(), tokens_, fuse_states(dfa_)).value();
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string word;
    for (std::size_t n = 1 + random() % 12; n > 0; --n) word += "etaoinshrdlucmfwypvbgkjqxz"[random() % (4 + n)];
    CartesianMerge::State state = product.start();
    const std::vector<std::uint32_t> ids = tokenizer_->tokenize(word).value();
    for (const std::uint32_t token : ids) {
      const auto next = product.step(state, token);
      ASSERT_TRUE(next) << word;
      state = *next;
    }
    ASSERT_TRUE(product.accepts(state)) << word;
  }
  // Conversely, the tokenizer writes what the product allows: checked on random walks.
  std::vector<std::uint32_t> next, walk;
  for (int i = 0; i < 300; ++i) {
    CartesianMerge::State state = product.start();
    std::string text;
    walk.clear();
    while (!product.accepts(state) || random() % 3 != 0) {
      next.clear();
      product.append_next_tokens(state, next);
      if (next.empty()) break;
      walk.push_back(next[random() % next.size()]);
      text += tokens_[walk.back()];
      state = product.step(state, walk.back()).value();
    }
    ASSERT_TRUE(product.accepts(state)) << text;
    ASSERT_EQ(tokenizer_->tokenize(text).value(), walk) << text;
  }
}

}  // namespace
}  // namespace weir
