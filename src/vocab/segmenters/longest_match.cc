#include "vocab/segmenters/longest_match.h"

#include <string>

namespace weir::vocab {

namespace {

struct LongestPrefix {
  const TrieNode* node = nullptr;  // the node of the longest token that the text starts with, or null
  bool may_grow = false;           // the whole text is a proper prefix of a token
};

LongestPrefix longest_prefix(const TokenTrie& trie, std::string_view text) {
  LongestPrefix best;
  trie.for_each_prefix(text, [&](const TrieNode& node) {
    if (node.tokens != 0) best.node = &node;
    best.may_grow = node.depth == text.size() && node.subtree_size > 1;
    return true;
  });
  return best;
}

}  // namespace

Result<std::vector<std::uint32_t>> tokenize_longest_match(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    const TokenTrie& trie = at == 0 ? vocabulary.first_trie() : vocabulary.trie();
    const TrieNode* node = longest_prefix(trie, text.substr(at)).node;
    if (node == nullptr) {
      return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                  "no token of the vocabulary matches the text at byte " + std::to_string(at),
                                  {at, at + 1}});
    }
    ids.push_back(trie.tokens_at(*node).front());
    at += node->depth;
  }
  return ids;
}

std::vector<std::uint32_t> settled_longest_match(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    const TokenTrie& trie = at == 0 ? vocabulary.first_trie() : vocabulary.trie();
    const LongestPrefix longest = longest_prefix(trie, text.substr(at));
    if (longest.node == nullptr || longest.may_grow) break;
    ids.push_back(trie.tokens_at(*longest.node).front());
    at += longest.node->depth;
  }
  return ids;
}

}  // namespace weir::vocab
