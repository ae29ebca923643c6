// TrieSummary: which kinds of characters each subtree of a TokenTrie contains, so that a walk can accept a whole
// subtree at once.
//
// WHAT   For each node that starts a character (the bytes before it are whole characters): the kinds of characters in
//        its subtree, and the largest number of characters on a path through it. If a token ends inside its last
//        character, that character counts as of the kind of its first byte. For every node: the largest number of bytes
//        on a path.
// WHY    Inside a string, a comment or a run of letters, an expression accepts any number of characters of certain
//        kinds. One test of a subtree's kinds then replaces the walk through it; most tokens are words of letters.
// HOW    A forward pass decodes UTF-8 along the paths; a backward pass joins the children's data into their parents.
//        Sets of kinds are stored only for subtrees with at least kMinSummarizedNodes nodes, since most nodes of a trie are
//        leaves; a bit vector with ranks finds the set of a node.
// COST   3 bytes a node, and 16 for each node with a set (o200k_base: a quarter of 422k nodes); two linear passes when
//        the vocabulary is loaded.
// THREADS Immutable once built.
#ifndef WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
#define WEIR_SRC_VOCAB_TRIE_SUMMARY_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "vocab/character_set.h"
#include "vocab/search_bounds.h"
#include "vocab/token_trie.h"

namespace weir::vocab {

inline constexpr std::uint8_t kManyCharacters = 255;

class TrieSummary {
 public:
  TrieSummary() = default;
  explicit TrieSummary(const TokenTrie& trie, std::size_t mask_words);

  [[nodiscard]] static bool has_set(bool is_text, const TrieNode& node) {
    return is_text && node.subtree_size >= kMinSummarizedNodes;
  }

  // `node` is an index into TokenTrie::nodes().

  /// Returns true if the node is the first byte of a character and its subtree contains no kOther.
  [[nodiscard]] bool is_text(std::size_t node) const { return nodes_[node].is_text; }
  /// Returns the largest number of characters on a path from the node to a leaf; kManyCharacters for that many or more.
  /// Precondition: is_text(node).
  [[nodiscard]] std::uint8_t max_characters(std::size_t node) const { return nodes_[node].max_characters; }
  /// Returns the largest number of bytes on a path from the node to a leaf, the node's own byte included;
  /// kManyCharacters for that many or more.
  [[nodiscard]] std::uint8_t max_bytes(std::size_t node) const { return nodes_[node].max_bytes; }
  /// Returns the kinds of characters in the subtree. Precondition: is_text(node), and the subtree has at least
  /// kMinSummarizedNodes nodes.
  [[nodiscard]] const CharacterSet& characters(std::size_t node) const {
    const Block& block = blocks_[node / 64];
    const std::uint64_t before = block.has_set & ((std::uint64_t{1} << (node % 64)) - 1);
    return sets_[block.first + static_cast<std::uint32_t>(std::popcount(before))];
  }
  /// Returns the kinds of characters in the trie.
  [[nodiscard]] const CharacterSet& all_characters() const { return all_characters_; }
  /// Returns the bitmask of all tokens of the trie.
  [[nodiscard]] const std::vector<std::uint32_t>& all_tokens() const { return all_tokens_; }

 private:
  struct Node {
    bool is_text = false;
    std::uint8_t max_characters = 0;
    std::uint8_t max_bytes = 0;
  };
  struct Block {                // 64 consecutive nodes
    std::uint64_t has_set = 0;  // bit i: the block's node i has a set
    std::uint32_t first = 0;    // index in sets_ of the block's first set
  };

  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<CharacterSet> sets_;
  CharacterSet all_characters_;
  std::vector<std::uint32_t> all_tokens_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
