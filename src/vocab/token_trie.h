// TokenTrie: the byte trie of a vocabulary, laid flat in depth-first order.
//
// WHAT   One 8-byte node a byte, with the size of its subtree, so that a walk is a forward scan over one array: on a
//        byte that may come go to the next node, on one that may not skip the subtree.
// WHY    Masks are computed by walks over the whole vocabulary. Half a million nodes in 4 MB are read in order, at a
//        nanosecond or so each; a trie of pointers misses the cache at every step.
// HOW    Sort the tokens, lay out what each does not share with the one before. Tokens with equal bytes share a node
//        and form a list.
// COST   Building: the sort, and O(total bytes). o200k_base has 200k tokens and 422k nodes, 3.4 MB; building takes some
//        20 ms, loading it from the file 55 ms (bench/vocab_bench.cc).
// LIMITS 2^24 - 1 nodes, 2^21 - 1 distinct byte strings, kMaxTokenBytes: what the fields of a node hold.
// THREADS Immutable once built.
#ifndef WEIR_SRC_VOCAB_TOKEN_TRIE_H_
#define WEIR_SRC_VOCAB_TOKEN_TRIE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::vocab {

/// The longest token that a vocabulary may hold, in bytes (the largest seen in the wild is 256 blanks or so).
inline constexpr std::uint32_t kMaxTokenBytes = 2047;
/// Tokens of a vocabulary, padding included, and the sum of their bytes (which bounds the nodes).
inline constexpr std::uint32_t kMaxTokens = (1U << 21) - 1;
inline constexpr std::uint32_t kMaxVocabularyBytes = (1U << 24) - 1;

/// 8 bytes. Nodes stand in depth-first order, children by ascending byte; the root is not stored.
/// A walk is a forward scan: on a byte that cannot come, skip `subtree_size` nodes; else go to the next node.
struct TrieNode {
  std::uint32_t byte : 8;
  std::uint32_t subtree_size : 24;  ///< Nodes in this subtree, this one included.
  std::uint32_t depth : 11;         ///< 1 for a first byte; at most kMaxTokenBytes.
  std::uint32_t tokens : 21;        ///< 0: no token ends here; else 1 + index into the token-list table.
};
static_assert(sizeof(TrieNode) == 8);

class TokenTrie {
 public:
  TokenTrie() = default;
  /// From (bytes, token id) pairs, bytes not empty; several tokens may share their bytes.
  /// Precondition: the limits above hold (Vocabulary::create checks them).
  explicit TokenTrie(std::span<const std::pair<std::string_view, std::uint32_t>> tokens);

  [[nodiscard]] std::span<const TrieNode> nodes() const { return nodes_; }
  /// The tokens that end at a node with node.tokens != 0, ascending.
  [[nodiscard]] std::span<const std::uint32_t> tokens_at(const TrieNode& node) const {
    const std::uint32_t begin = list_begin_[node.tokens - 1];
    return std::span(ids_).subspan(begin, list_begin_[node.tokens] - begin);
  }
  /// The tokens of a node's subtree, in the order of its nodes.
  [[nodiscard]] std::span<const std::uint32_t> tokens_below(std::size_t node) const {
    const auto list_from = [&](std::size_t i) {
      while (i < nodes_.size() && nodes_[i].tokens == 0) ++i;  // leaves have tokens: a few steps
      return i < nodes_.size() ? list_begin_[nodes_[i].tokens - 1] : static_cast<std::uint32_t>(ids_.size());
    };
    const std::uint32_t begin = list_from(node);
    return std::span(ids_).subspan(begin, list_from(node + nodes_[node].subtree_size) - begin);
  }
  /// Nodes [begin, end).
  struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };
  /// The nodes of tokens that begin with `byte`. O(1) in a trie of many nodes, in which the nodes of the first two bytes
  /// stand so far apart that to go from one to the next misses the cache.
  [[nodiscard]] Range nodes_from(std::uint8_t byte) const;
  /// Calls `use` with each second byte behind the first byte of `from`, and with its nodes. Precondition: `from` is what
  /// nodes_from returned for that byte.
  template <typename Use>
  void for_each_second(std::uint8_t byte, Range from, Use use) const;
  /// The nodes of tokens that begin with `prefix`, that of `prefix` itself first. Precondition: not empty.
  [[nodiscard]] std::span<const TrieNode> subtree(std::string_view prefix) const;
  /// Length in bytes of the longest token.
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kManyNodes = 1'024;

  std::vector<TrieNode> nodes_;
  // Of tries of many nodes. [b]: the first node of a byte from b on, and the number of its first child.
  std::vector<std::uint32_t> first_nodes_, first_seconds_;
  struct Second {
    std::uint32_t byte : 8;
    std::uint32_t node : 24;
  };
  std::vector<Second> seconds_;            // all nodes of depth 2
  std::vector<std::uint32_t> list_begin_;  // per token list, and one more; lists are consecutive in ids_
  std::vector<std::uint32_t> ids_;
  std::uint32_t max_depth_ = 0;
};

template <typename Use>
void TokenTrie::for_each_second(std::uint8_t byte, Range from, Use use) const {
  if (first_seconds_.empty()) {
    for (std::size_t i = from.begin + 1; i < from.end; i += nodes_[i].subtree_size) {
      use(static_cast<std::uint8_t>(nodes_[i].byte), Range{i, i + nodes_[i].subtree_size});
    }
    return;
  }
  const std::size_t end = first_seconds_[byte + 1U];
  for (std::size_t i = first_seconds_[byte]; i < end; ++i) {
    const std::size_t next = i + 1 < end ? seconds_[i + 1].node : from.end;
    use(static_cast<std::uint8_t>(seconds_[i].byte), Range{seconds_[i].node, next});
  }
}

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TOKEN_TRIE_H_
