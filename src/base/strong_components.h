// Strongly connected components of a small graph: Tarjan's algorithm (1972), without recursion.
#ifndef WEIR_SRC_BASE_STRONG_COMPONENTS_H_
#define WEIR_SRC_BASE_STRONG_COMPONENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weir::base {

/// Finds components again and again without allocating, once its buffers are large enough.
class StrongComponents {
 public:
  /// Finds the components of a graph with `count` vertices. `successors(v)` is a random-access range of the vertices that
  /// v has edges to, possibly more than once; it must stay the same during the call.
  template <typename Successors>
  void find(std::size_t count, Successors successors) {
    order_.assign(count, kUnseen);
    low_.assign(count, 0);
    open_.assign(count, 0);
    members_.clear();
    ends_.clear();
    std::uint32_t counter = 0;
    const auto enter = [&](std::uint32_t v) {
      order_[v] = low_[v] = counter++;
      stack_.push_back(v);
      open_[v] = 1;
      frames_.push_back({v, 0});
    };
    for (std::uint32_t root = 0; root < count; ++root) {
      if (order_[root] != kUnseen) continue;
      enter(root);
      while (!frames_.empty()) {
        const std::uint32_t v = frames_.back().vertex;
        const auto& next = successors(v);
        if (frames_.back().next < next.size()) {
          const std::uint32_t w = next[frames_.back().next++];
          if (order_[w] == kUnseen) {
            enter(w);
          } else if (open_[w] != 0) {
            low_[v] = std::min(low_[v], order_[w]);
          }
          continue;
        }
        frames_.pop_back();
        if (!frames_.empty()) low_[frames_.back().vertex] = std::min(low_[frames_.back().vertex], low_[v]);
        if (low_[v] == order_[v]) take_component(v);
      }
    }
  }

  /// Returns the number of components, and each of them, in reverse topological order: a component comes after those that
  /// it has edges to. Valid until the next find().
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<std::uint32_t> operator[](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(members_).subspan(begin, ends_[i] - begin);
  }

 private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;
  struct Frame {
    std::uint32_t vertex;
    std::size_t next;  // index of the next edge
  };

  // Moves the vertices down to `v` from the stack into a component.
  void take_component(std::uint32_t v) {
    for (std::uint32_t w = kUnseen; w != v;) {
      w = stack_.back();
      stack_.pop_back();
      open_[w] = 0;
      members_.push_back(w);
    }
    ends_.push_back(members_.size());
  }

  std::vector<std::uint32_t> order_;  // by vertex: when it was first seen
  std::vector<std::uint32_t> low_;    // by vertex: the least order that is known to be reachable in its component
  std::vector<std::uint8_t> open_;    // by vertex: it is on the stack
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> members_;  // of all components
  std::vector<std::size_t> ends_;       // of each component in members_
};

/// Returns the components of the graph in which vertex v has edges to `successors[v]`, in the same order.
inline std::vector<std::vector<std::uint32_t>> strong_components(
    const std::vector<std::vector<std::uint32_t>>& successors) {
  StrongComponents found;
  found.find(successors.size(), [&](std::uint32_t v) -> const std::vector<std::uint32_t>& { return successors[v]; });
  std::vector<std::vector<std::uint32_t>> components;
  components.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) components.emplace_back(found[i].begin(), found[i].end());
  return components;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_STRONG_COMPONENTS_H_
