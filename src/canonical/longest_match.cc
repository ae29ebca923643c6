#include "canonical/longest_match.h"

#include <algorithm>
#include <utility>

#include "weir/bitmask.h"

namespace weir::canonical {

using vocab::TokenTrie;
using vocab::TrieNode;

namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

// Returns the child of `node` by a byte, or kNowhere.
std::size_t child_of(const TokenTrie& trie, std::size_t node, std::uint8_t byte) {
  const std::span<const TrieNode> nodes = trie.nodes();
  const std::size_t end = node + nodes[node].subtree_size;
  for (std::size_t i = node + 1; i < end && nodes[i].byte <= byte; i += nodes[i].subtree_size) {
    if (nodes[i].byte == byte) return i;
  }
  return kNowhere;
}

std::size_t root_child(const TokenTrie& trie, std::uint8_t byte) {
  const TokenTrie::Range range = trie.nodes_from(byte);
  return range.size() == 0 ? kNowhere : range.begin;
}

// Calls `use(child)` with each child of a node.
template <typename Use>
void for_each_child(std::span<const TrieNode> nodes, std::size_t node, Use use) {
  for (std::size_t i = node + 1; i < node + nodes[node].subtree_size; i += nodes[i].subtree_size) use(i);
}

}  // namespace

LongestMatch::LongestMatch(const TokenTrie& trie) : trie_(trie) { id_of({}); }

std::uint32_t LongestMatch::id_of(std::vector<std::uint32_t> nodes) {
  const auto [id, is_new] = ids_.intern(nodes);
  if (is_new) {
    const std::vector<std::uint32_t>& stored = storage_.emplace_back(std::move(nodes));
    sets_[sets_.append()] = {stored.data(), static_cast<std::uint32_t>(stored.size())};
  }
  return id;
}

bool LongestMatch::append_after(std::uint32_t before, std::string_view bytes, std::vector<std::uint32_t>& after) const {
  const std::span<const TrieNode> nodes = trie_.nodes();
  for (const std::uint32_t obligation : set(before)) {
    std::size_t node = obligation;
    for (std::size_t i = 0; i < bytes.size() && node != kNowhere; ++i) {
      node = child_of(trie_, node, static_cast<std::uint8_t>(bytes[i]));
      if (node != kNowhere && nodes[node].tokens != 0) return false;
    }
    if (node != kNowhere) after.push_back(static_cast<std::uint32_t>(node));
  }
  std::size_t own = root_child(trie_, static_cast<std::uint8_t>(bytes[0]));
  for (std::size_t i = 1; i < bytes.size(); ++i) own = child_of(trie_, own, static_cast<std::uint8_t>(bytes[i]));
  if (nodes[own].subtree_size > 1) after.push_back(static_cast<std::uint32_t>(own));
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  return true;
}

void LongestMatch::clear_longer(std::uint32_t id, std::span<std::uint32_t> tokens) const {
  const std::span<const TrieNode> nodes = trie_.nodes();
  std::vector<std::pair<std::size_t, std::size_t>> pending;  // nodes of a text: below an obligation, the root
  const auto visit = [&](std::size_t longer, std::size_t node) {
    if (node == kNowhere) return;
    if (nodes[longer].tokens == 0) {
      pending.emplace_back(longer, node);
      return;
    }
    for (const std::uint32_t token : trie_.tokens_below(node)) bitmask_clear(tokens, token);
  };
  for (const std::uint32_t obligation : set(id)) {
    for_each_child(nodes, obligation,
                   [&](std::size_t i) { visit(i, root_child(trie_, static_cast<std::uint8_t>(nodes[i].byte))); });
    while (!pending.empty()) {
      const auto [longer, node] = pending.back();
      pending.pop_back();
      for_each_child(nodes, longer, [&, at = node](std::size_t i) {
        visit(i, child_of(trie_, at, static_cast<std::uint8_t>(nodes[i].byte)));
      });
    }
  }
}

regex::ByteSet LongestMatch::longer_bytes(std::uint32_t id) const {
  const std::span<const TrieNode> nodes = trie_.nodes();
  regex::ByteSet bytes;
  for (const std::uint32_t obligation : set(id)) {
    for_each_child(nodes, obligation, [&](std::size_t i) { bytes.add(static_cast<std::uint8_t>(nodes[i].byte)); });
  }
  return bytes;
}

std::size_t LongestMatch::memory_bytes() const {
  std::size_t bytes = ids_.memory_bytes() + sets_.memory_bytes();
  for (const std::vector<std::uint32_t>& nodes : storage_) bytes += sizeof(nodes) + nodes.capacity() * sizeof(nodes[0]);
  return bytes;
}

}  // namespace weir::canonical
