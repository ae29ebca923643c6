// TokenTrie: the byte trie of a vocabulary, stored as one array in depth-first order.
//
// WHAT   Each node has 8 bytes and stores the size of its subtree. So a walk is a forward scan over the array: if the
//        node's byte is allowed, go to the next node; if it is not, skip the subtree.
// WHY    Masks are computed by walks over the whole vocabulary. A scan reads half a million nodes (4 MB) in order, at
//        about a nanosecond each; a trie of pointers would miss the cache at every step.
// HOW    Sort the tokens; for each token append nodes for the bytes that it does not share with the token before it.
//        Tokens with equal bytes end at the same node, which refers to the list of their ids.
// COST   Building: the sort, and O(total bytes). o200k_base has 200k tokens and 422k nodes, 3.4 MB; building takes some
//        20 ms, loading it from the file 55 ms (bench/vocab_bench.cc).
// LIMITS 2^24 - 1 nodes, 2^21 - 1 distinct byte strings, kMaxTokenBytes: the ranges of a node's bit fields.
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

/// The longest token that a vocabulary may hold, in bytes. (Real vocabularies have runs of about 256 spaces at most.)
inline constexpr std::uint32_t kMaxTokenBytes = 2047;
/// Limits of a vocabulary: the number of tokens, padding included, and the sum of their bytes, which bounds the number
/// of nodes.
inline constexpr std::uint32_t kMaxTokens = (1U << 21) - 1;
inline constexpr std::uint32_t kMaxVocabularyBytes = (1U << 24) - 1;

/// A node of 8 bytes. Nodes are in depth-first order, children by ascending byte; the root is not stored.
/// To walk the trie, scan forward: if `byte` is not allowed, skip `subtree_size` nodes; otherwise go to the next node.
struct TrieNode {
  std::uint32_t byte : 8;
  std::uint32_t subtree_size : 24;  ///< Number of nodes in the subtree, this one included.
  std::uint32_t depth : 11;         ///< 1 for a first byte; at most kMaxTokenBytes.
  std::uint32_t tokens : 21;        ///< 0: no token ends here; else 1 + index into the token-list table.
};
static_assert(sizeof(TrieNode) == 8);

/// What a scan does after a node: goes into its subtree, past it, or no further.
enum class Scan : std::uint8_t { kInto, kPast, kStop };

class TokenTrie {
 public:
  TokenTrie() = default;
  /// Builds the trie of (bytes, token id) pairs. No bytes may be empty; several tokens may have the same bytes.
  /// Precondition: the ids ascend, and the limits above hold (Vocabulary::create checks them).
  explicit TokenTrie(std::span<const std::pair<std::string_view, std::uint32_t>> tokens);

  [[nodiscard]] std::span<const TrieNode> nodes() const { return nodes_; }
  /// Returns the ids of the tokens that end at `node`, ascending; none if node.tokens is 0.
  [[nodiscard]] std::span<const std::uint32_t> tokens_at(const TrieNode& node) const {
    if (node.tokens == 0) return {};
    const std::uint32_t begin = list_begin_[node.tokens - 1];
    return std::span(ids_).subspan(begin, list_begin_[node.tokens] - begin);
  }
  /// Returns the ids of the tokens that end in the subtree of `node` (an index into nodes()), in the order of its
  /// nodes.
  [[nodiscard]] std::span<const std::uint32_t> tokens_below(std::size_t node) const {
    const auto list_from = [&](std::size_t i) {
      while (i < nodes_.size() && nodes_[i].tokens == 0) ++i;  // leaves have tokens: a few steps
      return i < nodes_.size() ? list_begin_[nodes_[i].tokens - 1] : static_cast<std::uint32_t>(ids_.size());
    };
    const std::uint32_t begin = list_from(node);
    return std::span(ids_).subspan(begin, list_from(node + nodes_[node].subtree_size) - begin);
  }
  /// The nodes [begin, end), as indices into nodes().
  struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };
  [[nodiscard]] Range all() const { return {0, nodes_.size()}; }
  /// Scans nodes together with an automaton over bytes. path[d] is its state after the first d bytes on the path to a
  /// node; the caller sets the one before `range`. Calls visit(i, node, before, after) with each node and its index,
  /// the state before its byte, and the place for the one after it, which visit() sets if it goes into the subtree.
  template <typename State, typename Visit>
  void scan(Range range, std::span<State> path, Visit visit) const {
    for (std::size_t i = range.begin; i < range.end;) {
      const TrieNode node = nodes_[i];
      const Scan next = visit(i, node, path[node.depth - 1U], path[node.depth]);
      if (next == Scan::kStop) return;
      i += next == Scan::kInto ? 1 : node.subtree_size;
    }
  }
  /// Calls use(token, state) with each token that an automaton reads from a state. step(state, byte) moves a state and
  /// returns false if the automaton rejects the byte.
  template <typename State, typename Step, typename Use>
  void for_each_read(const State& from, Step step, Use use) const {
    std::vector<State> path(max_depth_ + std::size_t{1}, from);
    scan(all(), std::span(path), [&](std::size_t, const TrieNode& node, const State& before, State& after) {
      after = before;
      if (!step(after, static_cast<std::uint8_t>(node.byte))) return Scan::kPast;
      for (const std::uint32_t token : tokens_at(node)) use(token, after);
      return Scan::kInto;
    });
  }
  /// Returns the subtree of the tokens that begin with `byte`; an empty range if there are none. O(1) in tries of at
  /// least kMinIndexedNodes nodes, which store an index of the first two levels: their nodes are so far apart that a walk
  /// over siblings would miss the cache at every step.
  [[nodiscard]] Range nodes_from(std::uint8_t byte) const;
  /// For each byte b that follows `byte` in some token, calls use(b, range of its subtree), in ascending order of b.
  /// Precondition: `from` is nodes_from(byte).
  template <typename Use>
  void for_each_second(std::uint8_t byte, Range from, Use use) const;
  /// Returns the nodes of the tokens that begin with `prefix`; the node of `prefix` is the first. Empty if there are
  /// none. Precondition: `prefix` is not empty.
  [[nodiscard]] std::span<const TrieNode> subtree(std::string_view prefix) const;
  /// Calls use(node) with the nodes on the path of `text`, the shortest prefix first, until it returns false.
  template <typename Use>
  void for_each_prefix(std::string_view text, Use use) const;
  /// Returns true if every byte is a token.
  [[nodiscard]] bool has_all_bytes() const;
  /// Returns the length of the longest token in bytes.
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<TrieNode> nodes_;
  // The index of tries with at least kMinIndexedNodes nodes; empty in smaller ones. first_nodes_[b] is the first node of
  // depth 1 whose byte is at least b, first_seconds_[b] the index in seconds_ of that node's first child.
  std::vector<std::uint32_t> first_nodes_, first_seconds_;
  struct Second {
    std::uint32_t byte : 8;
    std::uint32_t node : 24;
  };
  std::vector<Second> seconds_;            // all nodes of depth 2, in order
  std::vector<std::uint32_t> list_begin_;  // list i is ids_[list_begin_[i], list_begin_[i + 1])
  std::vector<std::uint32_t> ids_;
  std::uint32_t max_depth_ = 0;
};

template <typename Use>
void TokenTrie::for_each_prefix(std::string_view text, Use use) const {
  if (text.empty()) return;
  auto [node, end] = nodes_from(static_cast<std::uint8_t>(text[0]));
  for (std::size_t length = 1; node < end && use(nodes_[node]) && length < text.size(); ++length) {
    const auto byte = static_cast<std::uint8_t>(text[length]);
    end = node + nodes_[node].subtree_size;
    ++node;
    while (node < end && nodes_[node].byte != byte) node += nodes_[node].subtree_size;
  }
}

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
