// TokenSet beside std::set.
#include "vocab/token_set.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>

namespace weir::vocab {
namespace {

using Plain = std::set<std::uint32_t>;
constexpr std::uint32_t kSize = 320;
constexpr std::size_t kWords = kSize / 32;

Plain drawn(std::minstd_rand& random) {
  Plain tokens;
  const std::size_t most = random() % 2 == 0 ? 2 * kWords : kSize;
  for (std::size_t n = random() % most; n > 0; --n) tokens.insert(static_cast<std::uint32_t>(random() % kSize));
  return tokens;
}

TokenSet set_of(const Plain& tokens) { return {std::vector<std::uint32_t>(tokens.rbegin(), tokens.rend()), kWords}; }

Plain plain(const TokenSet& set) {
  Plain tokens;
  set.for_each([&](std::uint32_t token) { tokens.insert(tokens.end(), token); });
  return tokens;
}

TEST(TokenSet, AgreesWithASetOfNumbers) {
  std::minstd_rand random(7);
  for (int round = 0; round < 300; ++round) {
    const Plain tokens = drawn(random);
    const Plain others = drawn(random);
    const TokenSet set = set_of(tokens);
    const TokenSet other = set_of(others);
    ASSERT_EQ(set.is_list(), tokens.size() <= kWords);
    ASSERT_EQ(set.is_empty(), tokens.empty());
    ASSERT_EQ(plain(set), tokens);
    ASSERT_EQ(set == other, tokens == others);
    for (std::uint32_t token = 0; token < kSize; ++token) ASSERT_EQ(set.contains(token), tokens.contains(token));
    ASSERT_TRUE(tokens.empty() || set.first() == *tokens.begin());
    Plain common;
    std::set_intersection(tokens.begin(), tokens.end(), others.begin(), others.end(),
                          std::inserter(common, common.end()));
    Plain found;
    set.for_each_common(other, [&](std::uint32_t token) { found.insert(token); });
    ASSERT_EQ(found, common);
    TokenBits bits(kWords);
    other.add_to(bits);
    ASSERT_EQ(plain(set.within(bits)), common);
    set.remove_from(bits);
    set.add_to(bits);
    Plain joined = tokens;
    joined.insert(others.begin(), others.end());
    found.clear();
    for_each_token(bits, [&](std::uint32_t token) { found.insert(token); });
    ASSERT_EQ(found, joined);
  }
}

TEST(TokenSet, ATableBesideItHasAnEntryForEachToken) {
  const TokenSet list({70, 2, 5}, 3);
  EXPECT_EQ(list.index_of(5), 1U);
  EXPECT_EQ(list.index_of(6), 3U) << "beyond the table";
  const TokenSet bits({9, 70, 2, 5}, 3);
  EXPECT_FALSE(bits.is_list());
  EXPECT_EQ(bits.index_of(70), 70U);
}

TEST(TokenSet, ALoopEndsWhenItsBodyReturnsFalse) {
  for (const std::size_t words : {3U, 8U}) {
    const TokenSet set({9, 70, 2, 5}, words);
    std::vector<std::uint32_t> seen;
    EXPECT_FALSE(set.for_each([&](std::uint32_t token) {
      seen.push_back(token);
      return token < 5;
    }));
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{2, 5})) << words;
  }
}

}  // namespace
}  // namespace weir::vocab
