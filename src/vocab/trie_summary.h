// TrieSummary: which characters a subtree of a TokenTrie is made of, so that a walk can take whole subtrees at once.
//
// WHAT   For each node that begins a character (all before it on the path are whole characters): the kinds of
//        characters of its subtree, and how many of them a path has at most. A token may end inside its last character,
//        whose kind is then kBeyondAscii. And for every node how many bytes a path has at most.
// WHY    Inside a string, or a comment, or a run of letters, an expression goes on alike over any number of such
//        characters. One look at a subtree then replaces the walk through it: most of a vocabulary is words in letters.
// HOW    One pass forwards decodes UTF-8 along the paths, one backwards joins children into parents. The kinds are kept
//        for nodes with kMinNodes below them, which are found by their rank: leaves are most of a trie.
// COST   3 bytes a node, and 16 for each of those with kinds (o200k_base: a quarter of 422k); two linear passes when
//        the vocabulary is loaded.
// THREADS Immutable once built.
#ifndef WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
#define WEIR_SRC_VOCAB_TRIE_SUMMARY_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "vocab/character_set.h"
#include "vocab/token_trie.h"

namespace weir::vocab {

inline constexpr std::uint8_t kManyCharacters = 255;

class TrieSummary {
 public:
  TrieSummary() = default;
  explicit TrieSummary(const TokenTrie& trie, std::size_t mask_words);

  /// Nodes in the smallest subtree whose characters are known: a smaller one is walked as soon.
  static constexpr std::uint32_t kMinNodes = 4;

  // By index of the node in TokenTrie::nodes().

  /// Whether the subtree begins with a character's first byte and is of characters alone.
  [[nodiscard]] bool is_text(std::size_t node) const { return nodes_[node].is_text; }
  /// On a path; kManyCharacters for that many or more. Precondition: is_text(node).
  [[nodiscard]] std::uint8_t max_characters(std::size_t node) const { return nodes_[node].max_characters; }
  /// On a path, the node's own byte included; kManyCharacters for that many or more.
  [[nodiscard]] std::uint8_t max_bytes(std::size_t node) const { return nodes_[node].max_bytes; }
  /// Precondition: is_text(node), and the subtree has kMinNodes.
  [[nodiscard]] const CharacterSet& characters(std::size_t node) const {
    const Block& block = blocks_[node / 64];
    const std::uint64_t before = block.has_set & ((std::uint64_t{1} << (node % 64)) - 1);
    return sets_[block.first + static_cast<std::uint32_t>(std::popcount(before))];
  }
  /// All tokens of the trie, as a bitmask.
  [[nodiscard]] const std::vector<std::uint32_t>& all_tokens() const { return all_tokens_; }

 private:
  struct Node {
    bool is_text = false;
    std::uint8_t max_characters = 0;
    std::uint8_t max_bytes = 0;
  };
  struct Block {  // of 64 nodes
    std::uint64_t has_set = 0;
    std::uint32_t first = 0;  // into sets_
  };

  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<CharacterSet> sets_;
  std::vector<std::uint32_t> all_tokens_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
