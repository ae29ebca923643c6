#include "vocab/vocabulary.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "weir/bitmask.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

using Ids = std::vector<std::uint32_t>;

TokenizerInfo make(VocabSpec spec, const TokenizerOptions& options = {}) {
  auto info = TokenizerInfo::from_vocab(std::move(spec), options);
  EXPECT_TRUE(info.has_value()) << info.error().message;
  return *info;
}

Ids trie_ids(const vocab::TokenTrie& trie) {
  Ids ids;
  for (const vocab::TrieNode& node : trie.nodes()) {
    if (node.tokens != 0) ids.insert(ids.end(), trie.tokens_at(node).begin(), trie.tokens_at(node).end());
  }
  return ids;
}

TEST(Bitmask, Counts) {
  const std::vector<std::uint32_t> words = {0, 1, 0xFFFFFFFF, 0x80000001};
  EXPECT_EQ(bitmask_count(words), 35U);
  EXPECT_EQ(bitmask_count({}), 0U);
}

// A stop token ends the output, so it is in no trie, even if it has bytes.
TEST(Vocabulary, TokensWithQuotesAreThoseOfTheTrie) {
  const auto vocabulary =
      vocab::Vocabulary::create(VocabSpec{.tokens = {"a", "a\"", "<the \"end\">", "\\\"", "\"x\"", "\"s"},
                                          .special_token_ids = {5},
                                          .stop_token_ids = {2}},
                                {});
  ASSERT_TRUE(vocabulary.has_value()) << vocabulary.error().message;
  Ids quoting;
  for (const base::QuotingTokens::Token& token : (*vocabulary)->quoting_tokens().all()) quoting.push_back(token.id);
  EXPECT_EQ(quoting, (Ids{4, 3, 1})) << "in the order of their bytes";
  EXPECT_EQ(trie_ids((*vocabulary)->quote_trie()).size(), 3U);
  EXPECT_LE((*vocabulary)->quote_trie().max_depth(), (*vocabulary)->trie().max_depth());
}

TEST(Vocabulary, AnswersForAPlainList) {
  const TokenizerInfo info =
      make({.tokens = {"a", "", "ab", "a", "<eos>", "\xFF\x00x"}, .special_token_ids = {4}, .stop_token_ids = {4}});
  EXPECT_EQ(info.vocab_size(), 6U);
  EXPECT_EQ(info.kind(), "token list");
  EXPECT_EQ(info.token_bytes(2), "ab");
  EXPECT_EQ(info.token_bytes(4), "");
  EXPECT_EQ(info.token_name(4), "<eos>");
  EXPECT_EQ(info.token_name(2), "ab");
  EXPECT_EQ(info.token_kind(4), TokenKind::kSpecial);
  EXPECT_EQ(info.find_special_token("<eos>"), 4U);
  EXPECT_EQ(info.find_special_token("ab"), std::nullopt);
  EXPECT_EQ(info.find_special_token(""), std::nullopt);
  EXPECT_FALSE(info.drops_leading_space());
  // Neither the special token nor the empty one is in the trie; the two equal ones share a node.
  EXPECT_EQ(trie_ids(info.vocabulary().trie()), (Ids{0, 3, 2, 5}));
  EXPECT_EQ(&info.vocabulary().trie(), &info.vocabulary().first_trie());
  EXPECT_TRUE(info.vocabulary().first_empty_tokens().empty());
}

TEST(Vocabulary, IdsOutOfRangeAreTokensWithoutAnything) {
  const TokenizerInfo info = *TokenizerInfo::from_vocab({.tokens = {"a", "b"}});
  for (const std::uint32_t id : {std::uint32_t{2}, UINT32_MAX}) {
    EXPECT_EQ(info.token_bytes(id), "");
    EXPECT_EQ(info.first_token_bytes(id), "");
    EXPECT_EQ(info.token_name(id), "");
    EXPECT_EQ(info.token_kind(id), TokenKind::kUnused);
    const std::uint32_t ids[] = {0, id, 1};
    EXPECT_EQ(info.decode(ids), "ab");
  }
}

TEST(Vocabulary, KeepsStopTokensOutOfTheTrie) {
  const TokenizerInfo info = make({.tokens = {"a", "b", "</s>"}, .stop_token_ids = {2, 1, 2}});
  EXPECT_EQ(trie_ids(info.vocabulary().trie()), (Ids{0}));
  EXPECT_EQ(info.stop_token_ids().size(), 2U);
  EXPECT_EQ(info.stop_token_ids()[0], 1U);
  EXPECT_TRUE(info.vocabulary().is_stop_token(2));
  EXPECT_FALSE(info.vocabulary().is_stop_token(0));
  EXPECT_EQ(info.token_bytes(2), "</s>");
}

TEST(Vocabulary, OptionsOverrideStopTokensAndPad) {
  const TokenizerInfo info =
      make({.tokens = {"a", "b"}, .stop_token_ids = {0}}, {.stop_token_ids = {1, 3}, .padded_vocab_size = 5});
  EXPECT_EQ(info.vocab_size(), 5U);
  EXPECT_EQ(info.token_kind(2), TokenKind::kUnused);
  EXPECT_EQ(info.token_kind(3), TokenKind::kSpecial) << "a stop token without a name";
  EXPECT_EQ(info.token_bytes(4), "");
  EXPECT_EQ(info.token_name(4), "");
  EXPECT_EQ(trie_ids(info.vocabulary().trie()), (Ids{0}));
}

TEST(Vocabulary, DropsTheFirstLeadingSpace) {
  const TokenizerInfo info = make({.tokens = {" a", "a", " ", "  ", "b", ""}, .drops_leading_space = true});
  EXPECT_TRUE(info.drops_leading_space());
  EXPECT_EQ(info.first_token_bytes(0), "a");
  EXPECT_EQ(info.first_token_bytes(3), " ");
  EXPECT_EQ(info.first_token_bytes(2), "");
  EXPECT_EQ(info.token_bytes(0), " a");
  EXPECT_EQ(trie_ids(info.vocabulary().first_trie()), (Ids{3, 0, 1, 4}));
  const auto empty = info.vocabulary().first_empty_tokens();
  EXPECT_EQ(Ids(empty.begin(), empty.end()), (Ids{2}));
  EXPECT_EQ(info.decode(Ids{0, 0, 2, 1}), "a a a");
  EXPECT_EQ(info.decode(Ids{2, 0}), " a");
}

TEST(Vocabulary, ThreadsMayAskForTheFirstTrieAtOnce) {
  const TokenizerInfo info = make({.tokens = {" a", "a", " ", "b"}, .drops_leading_space = true});
  std::vector<std::size_t> nodes(4);
  std::vector<std::thread> threads;
  for (std::size_t& count : nodes) {
    threads.emplace_back(
        [&count, info] { count = info.vocabulary().first_trie().nodes().size() + info.tokenize("ab a")->size(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(nodes, (std::vector<std::size_t>(4, 2 + 3)));
}

TEST(Vocabulary, FirstTokenExceptionsTakePrecedence) {
  vocab::VocabularySource source;
  source.token_bytes = {" un", "ing", "s"};
  source.token_kinds.assign(3, TokenKind::kNormal);
  source.first_token = vocab::VocabularySource::FirstToken::kDropLeadingSpace;
  source.first_token_exceptions = {{2, ""}, {1, "##ing"}};
  auto vocabulary = vocab::Vocabulary::create(std::move(source), {});
  ASSERT_TRUE(vocabulary.has_value());
  EXPECT_EQ((*vocabulary)->first_token_bytes(0), "un");
  EXPECT_EQ((*vocabulary)->first_token_bytes(1), "##ing");
  EXPECT_EQ(trie_ids((*vocabulary)->first_trie()), (Ids{1, 0}));
  EXPECT_EQ((*vocabulary)->first_empty_tokens().size(), 1U);
}

TEST(Vocabulary, RefusesWhatItCannotHold) {
  const auto error_of = [](VocabSpec spec, const TokenizerOptions& options = {}) {
    auto info = TokenizerInfo::from_vocab(std::move(spec), options);
    EXPECT_FALSE(info.has_value());
    EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument);
    return info.error().message;
  };
  EXPECT_EQ(error_of({}), "the vocabulary has no tokens");
  EXPECT_EQ(error_of({.tokens = {"a"}, .special_token_ids = {1}}),
            "special token 1 is out of range: there are 1 tokens");
  EXPECT_EQ(error_of({.tokens = {"a"}, .stop_token_ids = {7}}), "stop token 7 is out of range: there are 1 tokens");
  EXPECT_EQ(error_of({.tokens = {"a"}}, {.stop_token_ids = {1}}), "stop token 1 is out of range: there are 1 tokens");
  EXPECT_EQ(error_of({.tokens = {"a", "b"}}, {.padded_vocab_size = 1}),
            "`padded_vocab_size` is 1, but the vocabulary has 2 tokens");
  EXPECT_EQ(error_of({.tokens = {"a", "b"}}, {.padded_vocab_size = UINT32_MAX}),
            "the vocabulary has 4294967295 tokens; at most 2097151 are supported");
  const std::string message = error_of({.tokens = {"a", std::string(2048, 'x')}});
  EXPECT_NE(message.find("has 2048 bytes; at most 2047"), std::string::npos) << message;
  EXPECT_LT(message.size(), 200U) << "a long token is cut in the message";
  EXPECT_NE(error_of({.tokens = std::vector<std::string>(9000, std::string(2000, 'x'))}).find("bytes together"),
            std::string::npos);
}

TEST(Vocabulary, LongestMatchSaysWhereItIsStuck) {
  const TokenizerInfo info = make({.tokens = {"a", "ab", "abcd", "b", "c", "ab"}});
  EXPECT_EQ(info.tokenize("abcabcd"), (Ids{1, 4, 2}));
  EXPECT_EQ(info.tokenize(""), Ids{});
  const auto stuck = info.tokenize("abx");
  ASSERT_FALSE(stuck.has_value());
  EXPECT_EQ(stuck.error().where.start, 2U);
  EXPECT_NE(stuck.error().message.find("at byte 2"), std::string::npos);
}

TEST(Vocabulary, LongestMatchFollowsTheFirstTokenRule) {
  const TokenizerInfo info = make({.tokens = {" a", "b", " b"}, .drops_leading_space = true});
  EXPECT_EQ(info.tokenize("a b"), (Ids{0, 2}));
  EXPECT_EQ(info.decode(*info.tokenize("a b")), "a b");
}

}  // namespace
}  // namespace weir
