#include "vocab/token_trie.h"

#include <algorithm>
#include <cstring>

namespace weir::vocab {

namespace {

// The sort key of a token: its first eight bytes as a big-endian number, which decides nearly every comparison.
struct SortKey {
  std::uint64_t head;
  std::uint32_t index;
};

std::uint64_t head_of(std::string_view bytes) {
  std::uint64_t head = 0;
  const std::size_t n = std::min<std::size_t>(bytes.size(), 8);
  for (std::size_t i = 0; i < n; ++i) {
    head |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
  }
  return head;
}

// Orders tokens by bytes, then by id. Compares all bytes, because equal heads do not imply equal first bytes: "a" and
// "a\0" have the same head.
bool tail_less(const std::pair<std::string_view, std::uint32_t>& a,
               const std::pair<std::string_view, std::uint32_t>& b) {
  const int order = a.first.compare(b.first);
  return order != 0 ? order < 0 : a.second < b.second;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

}  // namespace

TokenTrie::TokenTrie(std::span<const std::pair<std::string_view, std::uint32_t>> tokens) {
  std::vector<SortKey> order;
  order.reserve(tokens.size());
  std::size_t total_bytes = 0;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    order.push_back({head_of(tokens[i].first), i});
    total_bytes += tokens[i].first.size();
  }
  std::sort(order.begin(), order.end(), [&](const SortKey& a, const SortKey& b) {
    return a.head != b.head ? a.head < b.head : tail_less(tokens[a.index], tokens[b.index]);
  });

  nodes_.reserve(total_bytes / 2);
  ids_.reserve(tokens.size());
  list_begin_.reserve(tokens.size() + 1);
  std::vector<std::uint32_t> path;  // the nodes of the last token, by depth; their subtrees are not complete yet
  const auto close_to = [&](std::size_t depth) {
    for (; path.size() > depth; path.pop_back()) {
      nodes_[path.back()].subtree_size = static_cast<std::uint32_t>(nodes_.size() - path.back()) & 0xFFFFFFU;
    }
  };
  std::string_view previous;
  for (const SortKey& key : order) {
    const auto& [bytes, id] = tokens[key.index];
    const std::size_t shared = common_prefix(previous, bytes);
    close_to(shared);
    for (std::size_t depth = shared; depth < bytes.size(); ++depth) {
      path.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back(
          {static_cast<unsigned char>(bytes[depth]), 1, static_cast<std::uint32_t>(depth + 1) & 0x7FFU, 0});
    }
    // Tokens with equal bytes are adjacent in the order, so if this node has a list, it is the last one.
    TrieNode& node = nodes_[path.back()];
    if (node.tokens == 0) {
      list_begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
      node.tokens = static_cast<std::uint32_t>(list_begin_.size()) & 0x1FFFFFU;
    }
    ids_.push_back(id);
    max_depth_ = std::max(max_depth_, static_cast<std::uint32_t>(bytes.size()));
    previous = bytes;
  }
  close_to(0);
  list_begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
  nodes_.shrink_to_fit();
  if (nodes_.size() < kManyNodes) return;
  for (std::size_t i = 0; i < nodes_.size(); i += nodes_[i].subtree_size) {
    first_nodes_.resize(nodes_[i].byte + 1U, static_cast<std::uint32_t>(i));
    first_seconds_.resize(nodes_[i].byte + 1U, static_cast<std::uint32_t>(seconds_.size()));
    for (std::size_t j = i + 1; j < i + nodes_[i].subtree_size; j += nodes_[j].subtree_size) {
      seconds_.push_back({nodes_[j].byte, static_cast<std::uint32_t>(j) & 0xFFFFFFU});
    }
  }
  first_nodes_.resize(257, static_cast<std::uint32_t>(nodes_.size()));
  first_seconds_.resize(257, static_cast<std::uint32_t>(seconds_.size()));
  seconds_.shrink_to_fit();
}

std::size_t TokenTrie::memory_bytes() const {
  return nodes_.capacity() * sizeof(TrieNode) + seconds_.capacity() * sizeof(Second) +
         (first_nodes_.capacity() + first_seconds_.capacity() + list_begin_.capacity() + ids_.capacity()) *
             sizeof(std::uint32_t);
}

TokenTrie::Range TokenTrie::nodes_from(std::uint8_t byte) const {
  if (!first_nodes_.empty()) return {first_nodes_[byte], first_nodes_[byte + 1U]};
  for (std::size_t i = 0; i < nodes_.size(); i += nodes_[i].subtree_size) {
    if (nodes_[i].byte == byte) return {i, i + nodes_[i].subtree_size};
  }
  return {};
}

std::span<const TrieNode> TokenTrie::subtree(std::string_view prefix) const {
  auto [begin, end] = nodes_from(static_cast<std::uint8_t>(prefix[0]));
  for (const char c : prefix.substr(1)) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (begin < end) ++begin;
    while (begin < end && nodes_[begin].byte != byte) begin += nodes_[begin].subtree_size;
    if (begin >= end) return {};
    end = begin + nodes_[begin].subtree_size;
  }
  return nodes().subspan(begin, end - begin);
}

}  // namespace weir::vocab
