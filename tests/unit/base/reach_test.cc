#include "base/reach.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace weir::base {
namespace {

struct Edge {
  std::uint64_t price;
  int to;
};

// A graph with edges as they are listed. What it knows, and how it orders nodes, is part of the question.
struct Listed {
  using Node = int;
  using Label = int;  // the index of the edge
  using Order = std::uint64_t;
  static constexpr bool kNewestFirst = false;
  static std::uint64_t hash(int node) { return static_cast<std::uint64_t>(node); }
  [[nodiscard]] std::optional<std::uint64_t> known(int node) const {
    const auto found = most.find(node);
    return found == most.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::optional<std::uint64_t> order(int node, std::uint64_t price, std::uint64_t bound) const {
    const auto found = least.find(node);
    const std::uint64_t left = found == least.end() ? 0 : found->second;
    return left > bound - price ? std::nullopt : std::optional(price + left);
  }
  template <typename Steps>
  Limit for_each_step(int node, Steps& out) {
    ++expanded;
    if (node == refuses) return Limit::kRowItems;
    for (std::size_t i = 0; i < edges[static_cast<std::size_t>(node)].size(); ++i) {
      const Edge& edge = edges[static_cast<std::size_t>(node)][i];
      const bool goes_on =
          edge.to < 0 ? out.ends(edge.price, static_cast<int>(i)) : out.to(edge.price, edge.to, static_cast<int>(i));
      if (!goes_on) break;
    }
    return Limit::kNone;
  }

  std::vector<std::vector<Edge>> edges;  // to -1: the way ends
  std::map<int, std::uint64_t> most, least;
  int refuses = -1;
  int expanded = 0;
};

// The least price from each node, by repetition until nothing changes.
std::map<int, std::uint64_t> least_prices(const Listed& graph) {
  std::map<int, std::uint64_t> prices = graph.most;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t node = 0; node < graph.edges.size(); ++node) {
      for (const Edge& edge : graph.edges[node]) {
        if (edge.to >= 0 && !prices.contains(edge.to)) continue;
        const std::uint64_t price = edge.price + (edge.to < 0 ? 0 : prices[edge.to]);
        const auto [known, is_new] = prices.try_emplace(static_cast<int>(node), price);
        changed = changed || is_new || price < known->second;
        known->second = std::min(known->second, price);
      }
    }
  }
  return prices;
}

Listed random_graph(std::mt19937& random) {
  Listed graph;
  const int nodes = 2 + static_cast<int>(random() % 8);
  graph.edges.resize(static_cast<std::size_t>(nodes));
  for (auto& edges : graph.edges) {
    for (unsigned i = random() % 4; i > 0; --i) {
      edges.push_back({random() % 4, static_cast<int>(random() % static_cast<unsigned>(nodes + 1)) - 1});
    }
  }
  graph.most[static_cast<int>(random() % static_cast<unsigned>(nodes))] = random() % 3;
  return graph;
}

// Yes exactly if the least price is within the bound; the way's prices are those of its edges; no way from a node that a
// no has visited costs less than it says.
TEST(Reach, AgreesWithTheLeastPrices) {
  std::mt19937 random(7);
  int yes = 0;
  for (int round = 0; round < 4'000; ++round) {
    Listed graph = random_graph(random);
    const auto prices = least_prices(graph);
    if (round % 2 == 0) {  // lower bounds that differ from node to node, so that a node is met again by a cheaper way
      for (const auto& [node, price] : prices) graph.least[node] = random() % (price + 1);
    }
    const auto bound = static_cast<std::uint64_t>(random() % 12);
    Reach<Listed> search(graph, 1'000);
    const Answer answer = search.find(0, bound);
    const bool expected = prices.contains(0) && prices.at(0) <= bound;
    ASSERT_TRUE(expected ? answer.is_yes() : answer.is_no()) << round;
    if (!expected) {
      search.for_each_visit([&](int node, std::uint64_t price) {
        if (prices.contains(node)) {
          EXPECT_GT(price + prices.at(node), bound) << round;
        }
      });
      continue;
    }
    ++yes;
    std::uint64_t after = 0;
    std::optional<int> next;
    int first = -1;
    search.for_each_on_way([&](const Reach<Listed>::Step& step) {
      const auto& edges = graph.edges[static_cast<std::size_t>(step.node)];
      if (next || !graph.most.contains(step.node) || graph.most.at(step.node) != step.left) {
        const Edge& edge = edges.at(static_cast<std::size_t>(step.label));
        EXPECT_EQ(edge.to, next.value_or(-1)) << round;
        EXPECT_EQ(step.left, edge.price + after) << round;
      }
      after = step.left;
      next = first = step.node;
    });
    EXPECT_EQ(first, 0);
    EXPECT_LE(after, bound);
  }
  EXPECT_GT(yes, 1'000);
}

TEST(Reach, FindsTheLeastPrice) {
  std::mt19937 random(8);
  int ways = 0;
  for (int round = 0; round < 4'000; ++round) {
    Listed graph = random_graph(random);
    for (auto& edges : graph.edges) std::erase_if(edges, [](const Edge& edge) { return edge.to < 0; });
    for (auto& [node, price] : graph.most) price = 0;
    const auto prices = least_prices(graph);
    for (const auto& [node, price] : prices) graph.least[node] = random() % (price + 1);
    Reach<Listed> search(graph, 1'000);
    const Answer found = search.find_least(0);
    ASSERT_TRUE(prices.contains(0) ? found.is_yes() : found.is_no()) << round;
    if (!prices.contains(0)) continue;
    ++ways;
    std::uint64_t price = UINT64_MAX;
    search.for_each_on_way([&](const auto& step) { price = step.left; });
    EXPECT_EQ(price, prices.at(0)) << round;
  }
  EXPECT_GT(ways, 1'000);
}

TEST(Reach, WhatIsKnownOfTheStartNeedsNoStep) {
  Listed graph;
  graph.edges = {{{1, 0}}};
  graph.most = {{0, 3}};
  Reach<Listed> search(graph, 10);
  EXPECT_TRUE(search.find(0, 3).is_yes());
  EXPECT_EQ(graph.expanded, 0);
  std::vector<std::uint64_t> left;
  search.for_each_on_way([&](const auto& step) { left.push_back(step.left); });
  EXPECT_EQ(left, std::vector<std::uint64_t>{3});
}

TEST(Reach, GivesUpAtMostNodesAndAtAGraphsLimit) {
  Listed chain;
  for (int i = 0; i < 100; ++i) chain.edges.push_back({{0, i + 1}});
  chain.edges.push_back({{0, -1}});
  Reach<Listed> whole(chain, 200);
  EXPECT_TRUE(whole.find(0).is_yes());
  Reach<Listed> few(chain, 50);
  EXPECT_EQ(few.find(0).limit(), Limit::kLookaheadThreads);
  chain.refuses = 30;
  Reach<Listed> refused(chain, 200);
  EXPECT_EQ(refused.find(0).limit(), Limit::kRowItems);
  const Work::Call call(0);
  Work::charge(1);
  chain.refuses = -1;
  Reach<Listed> out_of_work(chain, 200);
  EXPECT_EQ(out_of_work.find(0).limit(), Limit::kCallWork);
}

}  // namespace
}  // namespace weir::base
