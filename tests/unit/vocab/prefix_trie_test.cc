#include "vocab/segmenters/prefix_trie.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weir::vocab {
namespace {

TEST(PrefixTrie, FindsTheLongest) {
  const PrefixTrie trie({{"a", 1}, {"abc", 2}, {"b", 3}, {"\xFF", 4}});
  EXPECT_EQ(trie.longest_match("abcd", 0).number, 2U);
  EXPECT_EQ(trie.longest_match("abcd", 0).length, 3U);
  EXPECT_EQ(trie.longest_match("abd", 0).length, 1U) << "abc is begun, not there";
  EXPECT_EQ(trie.longest_match("abd", 1).number, 3U);
  EXPECT_EQ(trie.longest_match("xab", 0).length, 0U);
  EXPECT_EQ(trie.longest_match("x\xFF", 1).number, 4U);
  EXPECT_EQ(trie.longest_match("a", 1).length, 0U) << "at the end";
}

TEST(PrefixTrie, EmptyAndRepeatedStrings) {
  EXPECT_TRUE(PrefixTrie().empty());
  EXPECT_EQ(PrefixTrie().longest_match("a", 0).length, 0U);
  EXPECT_TRUE(PrefixTrie({{"", 7}}).empty());
  const PrefixTrie trie({{"", 7}, {"a", 1}, {"a", 2}});
  EXPECT_EQ(trie.longest_match("a", 0).number, 1U) << "the first given counts";
}

TEST(PrefixTrie, AllBytesBelowOneNode) {
  std::vector<std::string> strings;
  for (unsigned byte = 0; byte < 256; byte += 3) strings.push_back({'x', static_cast<char>(byte)});
  std::vector<std::pair<std::string_view, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < strings.size(); ++i) entries.emplace_back(strings[i], i);
  const PrefixTrie trie(entries);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text = {'x', static_cast<char>(byte)};
    const PrefixTrie::Match match = trie.longest_match(text, 0);
    EXPECT_EQ(match.length, byte % 3 == 0 ? 2U : 0U) << byte;
    if (match.length != 0) {
      EXPECT_EQ(match.number, byte / 3) << byte;
    }
  }
}

TEST(PrefixTrie, AgreesWithLookingAtEveryString) {
  std::mt19937 random(1);
  const auto random_string = [&](std::size_t longest) {
    std::string text;
    const std::size_t size = random() % (longest + 1);
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>("ab\x80"[random() % 3]);
    return text;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> strings;
    for (int i = 0; i < 12; ++i) strings.push_back(random_string(5));
    std::vector<std::pair<std::string_view, std::uint32_t>> entries;
    for (std::uint32_t i = 0; i < strings.size(); ++i) entries.emplace_back(strings[i], i);
    const PrefixTrie trie(entries);
    const std::string text = random_string(12);
    for (std::size_t pos = 0; pos <= text.size(); ++pos) {
      PrefixTrie::Match expected;
      for (std::uint32_t i = 0; i < strings.size(); ++i) {
        const bool here = std::string_view(text).substr(pos).starts_with(strings[i]);
        if (here && strings[i].size() > expected.length) expected = {strings[i].size(), i};
      }
      const PrefixTrie::Match match = trie.longest_match(text, pos);
      EXPECT_EQ(match.length, expected.length);
      EXPECT_EQ(match.number, expected.number);
    }
  }
}

}  // namespace
}  // namespace weir::vocab
