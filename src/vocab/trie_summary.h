// TrieSummary: which characters a subtree of a TokenTrie is made of, so that a walk can take whole subtrees at once.
//
// WHAT   For each node that begins a character (all before it on the path are whole characters): the groups that the
//        characters of its subtree belong to, and how many of them a path has at most. A token may end inside its last
//        character. And for every node how many bytes a path has at most.
// WHY    Inside a string, or a comment, or a run of letters, an expression goes on alike over any number of such
//        characters. One look at a subtree then replaces the walk through it: most of a vocabulary is words in letters.
// HOW    One pass forwards decodes UTF-8 along the paths, one backwards joins children into parents.
// COST   3 bytes a node; two linear passes when the vocabulary is loaded.
// THREADS Immutable once built.
#ifndef WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
#define WEIR_SRC_VOCAB_TRIE_SUMMARY_H_

#include <cstdint>
#include <vector>

#include "vocab/token_trie.h"

namespace weir::vocab {

/// Groups of characters, as bits.
enum CharacterGroup : std::uint8_t {
  kLower = 1,         ///< a-z
  kUpper = 2,         ///< A-Z
  kDigit = 4,         ///< 0-9
  kSpace = 8,         ///< U+0020
  kPunctuation = 16,  ///< the rest of printable ASCII, but " and backslash
  kBeyondAscii = 32,  ///< any valid character from U+0080 on
  kOther = 64,        ///< controls, ", backslash, bytes that are not valid UTF-8
  kInside = 128,      ///< the subtree does not begin with a character's first byte
};
inline constexpr std::uint8_t kGroupCount = 6;  // those that a walk may take whole: kLower to kBeyondAscii

/// The group of an ASCII byte.
CharacterGroup group_of_ascii(std::uint8_t byte);

inline constexpr std::uint8_t kManyCharacters = 255;

struct SubtreeSummary {
  std::uint8_t groups = 0;
  std::uint8_t max_characters = 0;  ///< On a path; kManyCharacters for that many or more.
  std::uint8_t max_bytes = 0;       ///< On a path, the node's own byte included; kManyCharacters for that many or more.
};

class TrieSummary {
 public:
  TrieSummary() = default;
  explicit TrieSummary(const TokenTrie& trie, std::size_t mask_words);

  /// By index of the node in TokenTrie::nodes().
  [[nodiscard]] const SubtreeSummary& operator[](std::size_t node) const { return nodes_[node]; }
  /// All tokens of the trie, as a bitmask.
  [[nodiscard]] const std::vector<std::uint32_t>& all_tokens() const { return all_tokens_; }

 private:
  std::vector<SubtreeSummary> nodes_;
  std::vector<std::uint32_t> all_tokens_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TRIE_SUMMARY_H_
