// PrefixTrie: which of many strings does the text at this place begin with?
//
// WHAT   A set of byte strings, each with a number; walked byte by byte from a place in a text.
// WHY    TokenTrie is laid out for scans over the whole vocabulary, where finding one child means to skip its siblings;
//        segmenters ask for one path at a time, at every character.
// HOW    Nodes in breadth-first order, so that children stand side by side in order of their byte: 12 bytes a node, a
//        binary search among them, and none where a node has but one child, as most do.
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
  /// From (string, number) pairs; empty strings are ignored; of equal strings the first counts. Numbers below kNone.
  explicit PrefixTrie(std::vector<std::pair<std::string_view, std::uint32_t>> entries);

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// The node behind `node` and `byte`; kNowhere if no string goes on so. Precondition: node is not kNowhere.
  [[nodiscard]] NodeId step(NodeId node, std::uint8_t byte) const noexcept;
  /// The number of the string that ends at `node`, or kNone. Precondition: node came from step() and is not kNowhere.
  [[nodiscard]] std::uint32_t number_at(NodeId node) const noexcept {
    return nodes_[static_cast<std::uint32_t>(node)].number;
  }

  struct Match {
    std::size_t length = 0;  ///< 0: none.
    std::uint32_t number = kNone;
  };
  /// The longest string that `text` has at `pos`.
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
