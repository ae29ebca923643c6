#include "base/strong_components.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(StrongComponents, OrdersComponentsAfterWhatTheyPointTo) {
  // 0 -> 1 <-> 2 -> 3, 4 alone, 3 points to itself.
  const std::vector<std::vector<std::uint32_t>> graph{{1}, {2, 2}, {1, 3}, {3}, {}};
  std::vector<std::size_t> place(graph.size());
  const auto components = strong_components(graph);
  ASSERT_EQ(components.size(), 4U);
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (const std::uint32_t v : components[i]) place[v] = i;
  }
  EXPECT_EQ(place[1], place[2]);
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    for (const std::uint32_t w : graph[v]) EXPECT_GE(place[v], place[w]);
  }
}

TEST(StrongComponents, FindsOneGraphAfterAnother) {
  StrongComponents found;
  const auto find = [&](const std::vector<std::vector<std::uint32_t>>& graph) {
    found.find(graph.size(), [&](std::uint32_t v) -> const std::vector<std::uint32_t>& { return graph[v]; });
    const auto expected = strong_components(graph);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(std::vector(found[i].begin(), found[i].end()), expected[i]);
    }
  };
  find({{1}, {2}, {0, 3}, {}});
  find({});
  find({{}, {0}});
  find({{1}, {0}, {1}});
}

TEST(StrongComponents, LongChainsNeedNoStack) {
  constexpr std::uint32_t kLength = 300'000;
  std::vector<std::vector<std::uint32_t>> chain(kLength);
  for (std::uint32_t v = 0; v + 1 < kLength; ++v) chain[v] = {v + 1};
  EXPECT_EQ(strong_components(chain).size(), kLength);
  chain[kLength - 1] = {0};
  EXPECT_EQ(strong_components(chain).size(), 1U);
}

}  // namespace
}  // namespace weir::base
