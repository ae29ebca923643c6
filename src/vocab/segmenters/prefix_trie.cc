#include "vocab/segmenters/prefix_trie.h"

#include <algorithm>

namespace weir::vocab {

PrefixTrie::PrefixTrie(std::vector<std::pair<std::string_view, std::uint32_t>> entries) {
  std::erase_if(entries, [](const auto& entry) { return entry.first.empty(); });
  if (entries.empty()) return;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  // ranges[i] belongs to node i: its subtree holds the entries [begin, end), which agree in their first `depth` bytes.
  // The list is a queue: nodes are appended while it is read from the front, so they are in breadth-first order.
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t depth;
  };
  std::vector<Range> ranges = {{0, static_cast<std::uint32_t>(entries.size()), 0}};
  nodes_.push_back({});
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto [pos, end, depth] = ranges[i];
    // In the sorted entries, those that end at this node are first, in the order in which the caller gave them.
    if (entries[pos].first.size() == depth) nodes_[i].number = entries[pos].second;
    while (pos < end && entries[pos].first.size() == depth) ++pos;
    nodes_[i].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (pos < end) {
      const char byte = entries[pos].first[depth];
      const std::uint32_t begin = pos;
      while (pos < end && entries[pos].first[depth] == byte) ++pos;
      ranges.push_back({begin, pos, depth + 1});
      nodes_.push_back({.byte = static_cast<std::uint8_t>(byte)});
      ++nodes_[i].child_count;
    }
  }
}

PrefixTrie::NodeId PrefixTrie::step(NodeId node, std::uint8_t byte) const noexcept {
  if (nodes_.empty()) return NodeId::kNowhere;
  const Node& from = nodes_[static_cast<std::uint32_t>(node)];
  std::uint32_t low = from.first_child;
  std::uint32_t count = from.child_count;
  // Invariant: if there is such a child, it is in [low, low + count).
  while (count > 1) {
    const std::uint32_t half = count / 2;
    if (nodes_[low + half].byte <= byte) low += half;
    count -= half;
  }
  if (count == 0 || nodes_[low].byte != byte) return NodeId::kNowhere;
  return NodeId{low};
}

PrefixTrie::Match PrefixTrie::longest_match(std::string_view text, std::size_t pos) const noexcept {
  Match best;
  NodeId node = NodeId::kRoot;
  for (std::size_t i = pos; i < text.size(); ++i) {
    node = step(node, static_cast<std::uint8_t>(text[i]));
    if (node == NodeId::kNowhere) break;
    if (number_at(node) != kNone) best = {i + 1 - pos, number_at(node)};
  }
  return best;
}

}  // namespace weir::vocab
