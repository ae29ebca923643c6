#include "vocab/token_trie.h"
#include "vocab/search_bounds.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace weir::vocab {

namespace {

using Tokens = std::span<const std::pair<std::string_view, std::uint32_t>>;

constexpr std::size_t kHeadBytes = 7;

// The sort key of a token: the next seven bytes of its rest, and in the lowest byte the length of the rest, 8 for more
// than seven. So tokens with equal heads below 8 are equal, and "a" comes before "a\0".
struct SortKey {
  std::uint64_t head;
  std::uint32_t index;
};

[[gnu::noinline]] std::uint64_t head_of(std::string_view rest) {
  std::uint64_t head = std::min<std::size_t>(rest.size(), kHeadBytes + 1);
  const std::size_t n = std::min<std::size_t>(rest.size(), kHeadBytes);
  for (std::size_t i = 0; i < n; ++i) head |= std::uint64_t{static_cast<unsigned char>(rest[i])} << (56 - 8 * i);
  return head;
}

// Sorts tokens by bytes; equal ones stay in their order. This is a radix sort from the first byte on. std::sort was a
// third of the work of building a trie, and more in WebAssembly.
class TokenSort {
 public:
  explicit TokenSort(Tokens tokens)
      : tokens_(tokens),
        keys_(std::make_unique_for_overwrite<SortKey[]>(tokens.size())),
        spare_(std::make_unique_for_overwrite<SortKey[]>(tokens.size())) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) keys_[i] = {head_of(tokens[i].first), i};
    ranges_.push_back({0, tokens.size(), 0});
    while (!ranges_.empty()) {
      const Range range = ranges_.back();
      ranges_.pop_back();
      if (range.end - range.begin <= kMaxInsertionSorted) {
        sort_few(range);
      } else {
        distribute(range);
      }
    }
    spare_.reset();
  }
  [[nodiscard]] std::span<const SortKey> keys() const { return {keys_.get(), tokens_.size()}; }

 private:
  // The keys [begin, end), which are equal in the first `place` places. Each head has eight: its bytes and the length.
  struct Range {
    std::size_t begin, end, place;
  };
  // Returns where the rest begins that the heads of a range are taken from.
  static std::size_t rest_at(std::size_t place) { return place / (kHeadBytes + 1) * kHeadBytes; }

  [[gnu::noinline]] void sort_few(const Range& range) {
    for (std::size_t i = range.begin + 1; i < range.end; ++i) {
      const SortKey key = keys_[i];
      std::size_t at = i;
      for (; at > range.begin && is_less(key, keys_[at - 1], rest_at(range.place)); --at) keys_[at] = keys_[at - 1];
      keys_[at] = key;
    }
  }

  [[nodiscard]] bool is_less(const SortKey& a, const SortKey& b, std::size_t rest) const {
    if (a.head != b.head || (a.head & 0xFF) <= kHeadBytes) return a.head < b.head;
    return tokens_[a.index].first.substr(rest) < tokens_[b.index].first.substr(rest);
  }

  // Orders the keys of a range by one place of their heads, and adds the ranges of keys that are not ordered yet.
  [[gnu::noinline]] void distribute(const Range& range) {
    const std::size_t place = range.place % (kHeadBytes + 1);
    const std::size_t shift = 56 - 8 * place;
    const bool is_length = place == kHeadBytes;
    std::array<std::size_t, 256> next{};  // at first the number of keys of each bucket, then where its next key goes
    for (std::size_t i = range.begin; i < range.end; ++i) ++next[keys_[i].head >> shift & 0xFF];
    std::size_t begin = range.begin;
    for (std::size_t bucket = 0; bucket < next.size(); ++bucket) {
      const std::size_t count = next[bucket];
      next[bucket] = begin;
      if (count > 1 && !(is_length && bucket <= kHeadBytes)) ranges_.push_back({begin, begin + count, range.place + 1});
      begin += count;
    }
    for (std::size_t i = range.begin; i < range.end; ++i) spare_[next[keys_[i].head >> shift & 0xFF]++] = keys_[i];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      SortKey& key = keys_[i];
      key = spare_[i];
      if (!is_length) continue;
      const std::string_view bytes = tokens_[key.index].first;
      if (const std::size_t rest = rest_at(range.place + 1); bytes.size() > rest)
        key.head = head_of(bytes.substr(rest));
    }
  }

  Tokens tokens_;
  std::unique_ptr<SortKey[]> keys_, spare_;
  std::vector<Range> ranges_;
};

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

// Appends tokens in ascending order to a trie. Each token is a call, as each head above is: engines for WebAssembly
// replace a function by its optimised form when it is called again, not in the middle of a loop.
class TrieBuilder {
 public:
  void reserve(Tokens tokens) {
    std::size_t bytes = 0;
    for (const auto& [text, id] : tokens) bytes += text.size();
    nodes.reserve(bytes / 2);
    ids.reserve(tokens.size());
    list_begin.reserve(tokens.size() + 1);
  }

  [[gnu::noinline]] void append(std::string_view bytes, std::uint32_t id) {
    const std::size_t shared = common_prefix(previous_, bytes);
    close_to(shared);
    for (std::size_t depth = shared; depth < bytes.size(); ++depth) {
      path_.push_back(static_cast<std::uint32_t>(nodes.size()));
      nodes.push_back({static_cast<unsigned char>(bytes[depth]), 1, static_cast<std::uint32_t>(depth + 1) & 0x7FFU, 0});
    }
    // Tokens with equal bytes are adjacent in the order, so if this node has a list, it is the last one.
    TrieNode& node = nodes[path_.back()];
    if (node.tokens == 0) {
      list_begin.push_back(static_cast<std::uint32_t>(ids.size()));
      node.tokens = static_cast<std::uint32_t>(list_begin.size()) & 0x1FFFFFU;
    }
    ids.push_back(id);
    max_depth = std::max(max_depth, static_cast<std::uint32_t>(bytes.size()));
    previous_ = bytes;
  }
  void finish() {
    close_to(0);
    list_begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }

  // The members of the trie.
  std::vector<TrieNode> nodes;
  std::vector<std::uint32_t> list_begin;
  std::vector<std::uint32_t> ids;
  std::uint32_t max_depth = 0;

 private:
  void close_to(std::size_t depth) {
    for (; path_.size() > depth; path_.pop_back()) {
      nodes[path_.back()].subtree_size = static_cast<std::uint32_t>(nodes.size() - path_.back()) & 0xFFFFFFU;
    }
  }

  std::vector<std::uint32_t> path_;  // the nodes of the last token, by depth; their subtrees are not complete yet
  std::string_view previous_;
};

}  // namespace

TokenTrie::TokenTrie(Tokens tokens) {
  TrieBuilder builder;
  {
    const TokenSort sorted(tokens);
    builder.reserve(tokens);
    for (const SortKey& key : sorted.keys()) builder.append(tokens[key.index].first, tokens[key.index].second);
  }
  builder.finish();
  nodes_ = std::move(builder.nodes);
  list_begin_ = std::move(builder.list_begin);
  ids_ = std::move(builder.ids);
  max_depth_ = builder.max_depth;
  nodes_.shrink_to_fit();
  if (nodes_.size() < kMinIndexedNodes) return;
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

bool TokenTrie::has_all_bytes() const {
  unsigned bytes = 0;
  for (std::size_t i = 0; i < nodes_.size(); i += nodes_[i].subtree_size) bytes += nodes_[i].tokens != 0 ? 1 : 0;
  return bytes == 256;
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
