// Strongly connected components of a small graph: Tarjan's algorithm (1972), without recursion.
#ifndef WEIR_SRC_BASE_STRONG_COMPONENTS_H_
#define WEIR_SRC_BASE_STRONG_COMPONENTS_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::base {

/// Returns the components in reverse topological order: every component comes after the components that it has edges
/// to. `successors[v]` lists the vertices that v has edges to, possibly more than once.
inline std::vector<std::vector<std::uint32_t>> strong_components(
    const std::vector<std::vector<std::uint32_t>>& successors) {
  constexpr std::uint32_t kUnseen = UINT32_MAX;
  struct Frame {
    std::uint32_t vertex;
    std::size_t next;
  };
  const std::size_t n = successors.size();
  std::vector<std::uint32_t> order(n, kUnseen);
  std::vector<std::uint32_t> low(n, 0);
  std::vector<bool> open(n, false);
  std::vector<std::uint32_t> stack;
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint32_t>> components;
  std::uint32_t counter = 0;
  const auto enter = [&](std::uint32_t v) {
    order[v] = low[v] = counter++;
    stack.push_back(v);
    open[v] = true;
    frames.push_back({v, 0});
  };
  for (std::uint32_t root = 0; root < n; ++root) {
    if (order[root] != kUnseen) continue;
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t v = frames.back().vertex;
      if (frames.back().next < successors[v].size()) {
        const std::uint32_t w = successors[v][frames.back().next++];
        if (order[w] == kUnseen) {
          enter(w);
        } else if (open[w]) {
          low[v] = std::min(low[v], order[w]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
      if (low[v] != order[v]) continue;
      std::vector<std::uint32_t> component;
      std::uint32_t w = kUnseen;
      do {
        w = stack.back();
        stack.pop_back();
        open[w] = false;
        component.push_back(w);
      } while (w != v);
      components.push_back(std::move(component));
    }
  }
  return components;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_STRONG_COMPONENTS_H_
