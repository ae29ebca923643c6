// PrefixTrie: finds which of many strings begin at a given offset of a text.
//
// WHAT   A trie of byte strings, each with a number, that is walked byte by byte along the text.
// WHY    TokenTrie is laid out for scans over the whole vocabulary: to find one child it skips the siblings before it.
//        Segmenters walk single paths, one at every character.
// HOW    Nodes of 12 bytes in breadth-first order. The children of a node are adjacent and sorted by byte, so a binary
//        search finds one; most nodes have only one child, which needs no search.
// THREADS const is safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PREFIX_TRIE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PREFIX_TRIE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::vocab {

class PrefixTrie {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  enum class NodeId : std::uint32_t { kRoot = 0, kNowhere = UINT32_MAX };

  /// The empty set.
  PrefixTrie() = default;
  /// Builds the trie of (string, number) pairs. Empty strings are ignored; of equal strings the first is used.
  /// Precondition: all numbers are less than kNone.
  explicit PrefixTrie(std::vector<std::pair<std::string_view, std::uint32_t>> entries);

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// Returns the child of `node` for `byte`, or kNowhere if there is none. Precondition: `node` is not kNowhere.
  [[nodiscard]] NodeId step(NodeId node, std::uint8_t byte) const noexcept;
  /// Returns the number of the string that ends at `node`, or kNone. Precondition: `node` was returned by step() and is
  /// not kNowhere.
  [[nodiscard]] std::uint32_t number_at(NodeId node) const noexcept {
    return nodes_[static_cast<std::uint32_t>(node)].number;
  }

  struct Match {
    std::size_t length = 0;  ///< In bytes; 0: no string matches.
    std::uint32_t number = kNone;
  };
  /// Returns the longest of the strings that `text` has at `pos`.
  [[nodiscard]] Match longest_match(std::string_view text, std::size_t pos) const noexcept;

 private:
  struct Node {
    std::uint32_t first_child = 0;
    std::uint32_t number = kNone;
    std::uint16_t child_count = 0;
    std::uint8_t byte = 0;
  };
  std::vector<Node> nodes_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PREFIX_TRIE_H_
