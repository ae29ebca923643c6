#include "vocab/token_trie.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace weir::vocab {
namespace {

using Pairs = std::vector<std::pair<std::string_view, std::uint32_t>>;

// Returns all (bytes, ids) of a trie, read by the documented walk; checks the structure on the way.
std::map<std::string, std::vector<std::uint32_t>> read_back(const TokenTrie& trie) {
  std::map<std::string, std::vector<std::uint32_t>> found;
  std::string path;
  std::string previous;
  std::uint32_t open_until = 0;
  for (std::size_t i = 0; i < trie.nodes().size(); ++i) {
    const TrieNode& node = trie.nodes()[i];
    EXPECT_GE(node.depth, 1U);
    EXPECT_LE(node.depth, path.size() + 1);
    EXPECT_GE(node.subtree_size, 1U);
    EXPECT_LE(i + node.subtree_size, trie.nodes().size());
    path.resize(node.depth - 1);
    path.push_back(static_cast<char>(node.byte));
    if (i > 0) {
      EXPECT_LT(previous, path) << "nodes ascend";
    }
    previous = path;
    const std::size_t next = i + node.subtree_size;
    if (next < trie.nodes().size()) {
      EXPECT_LE(trie.nodes()[next].depth, node.depth);
    }
    if (node.subtree_size > 1) {
      EXPECT_EQ(trie.nodes()[i + 1].depth, node.depth + 1);
    }
    if (node.subtree_size == 1) {
      EXPECT_NE(node.tokens, 0U) << "a leaf ends a token";
    }
    if (node.tokens != 0) {
      const auto ids = trie.tokens_at(node);
      found[path].assign(ids.begin(), ids.end());
    }
    open_until = std::max(open_until, node.depth);
  }
  EXPECT_EQ(open_until, trie.max_depth());
  return found;
}

TEST(TokenTrie, IsEmptyWithoutTokens) {
  EXPECT_TRUE(TokenTrie().nodes().empty());
  const TokenTrie trie{Pairs{}};
  EXPECT_TRUE(trie.nodes().empty());
  EXPECT_EQ(trie.max_depth(), 0U);
}

TEST(TokenTrie, LaysOutInDepthFirstOrder) {
  const TokenTrie trie(Pairs{{"ab", 0}, {"a", 1}, {"b", 2}, {"abc", 3}, {"ad", 4}, {"ab", 5}});
  std::string bytes;
  std::string sizes;
  std::string depths;
  for (const TrieNode& node : trie.nodes()) {
    bytes += static_cast<char>(node.byte);
    sizes += static_cast<char>('0' + node.subtree_size);
    depths += static_cast<char>('0' + node.depth);
  }
  EXPECT_EQ(bytes, "abcdb");
  EXPECT_EQ(sizes, "42111");
  EXPECT_EQ(depths, "12321");
  const auto ids = trie.tokens_at(trie.nodes()[1]);
  EXPECT_EQ(std::vector<std::uint32_t>(ids.begin(), ids.end()), (std::vector<std::uint32_t>{0, 5}));
  EXPECT_EQ(trie.max_depth(), 3U);
}

TEST(TokenTrie, DistinguishesZeroBytesFromTheEnd) {
  using namespace std::string_view_literals;
  const auto found = read_back(TokenTrie(Pairs{{"a\0"sv, 0}, {"a"sv, 1}, {"\0"sv, 2}, {"a\0\0"sv, 3}, {"\xFF"sv, 4}}));
  EXPECT_EQ(found.size(), 5U);
  EXPECT_EQ(found.at("a").front(), 1U);
  EXPECT_EQ(found.at(std::string("a\0", 2)).front(), 0U);
  EXPECT_EQ(found.at("\xFF").front(), 4U);
}

TEST(TokenTrie, HoldsWhatWasPutInForRandomVocabularies) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = random() % 300;
    const unsigned letters = 1 + random() % 4;
    std::vector<std::string> words;
    std::map<std::string, std::vector<std::uint32_t>> expected;
    for (std::uint32_t id = 0; id < count; ++id) {
      std::string word;
      // Some tokens are longer than eight bytes, so that the sort must compare more than its key.
      for (std::size_t n = 1 + random() % 14; n > 0; --n) word += static_cast<char>(0xFE - random() % letters);
      expected[word].push_back(id);
      words.push_back(std::move(word));
    }
    Pairs pairs;
    for (std::uint32_t id = 0; id < count; ++id) pairs.emplace_back(words[id], id);
    EXPECT_EQ(read_back(TokenTrie(pairs)), expected);
  }
}

TEST(TokenTrie, HoldsManyTokensWithLongCommonPrefixes) {
  std::mt19937 random(11);
  const std::string_view common[] = {"", "common", "the same seven", std::string_view("\0\0\0\0\0\0\0\0", 8),
                                     "\xFF\xFF"};
  std::vector<std::string> words;
  std::map<std::string, std::vector<std::uint32_t>> expected;
  for (std::uint32_t id = 0; id < 4000; ++id) {
    std::string word;
    for (std::size_t parts = random() % 4; parts > 0; --parts) word += common[random() % std::size(common)];
    for (std::size_t n = random() % 4; n > 0 || word.empty(); n -= n > 0) word += static_cast<char>(random() % 3);
    expected[word].push_back(id);
    words.push_back(std::move(word));
  }
  Pairs pairs;
  for (std::uint32_t id = 0; id < words.size(); ++id) pairs.emplace_back(words[id], id);
  EXPECT_EQ(read_back(TokenTrie(pairs)), expected);
}

TEST(TokenTrie, TakesTheLongestToken) {
  const std::string longest(kMaxTokenBytes, 'x');
  const TokenTrie trie(Pairs{{longest, 9}});
  EXPECT_EQ(trie.nodes().size(), kMaxTokenBytes);
  EXPECT_EQ(trie.nodes().back().depth, kMaxTokenBytes);
  EXPECT_EQ(trie.nodes().front().subtree_size, kMaxTokenBytes);
}

}  // namespace
}  // namespace weir::vocab
