#include "vocab/trie_summary.h"

#include <algorithm>

#include "weir/bitmask.h"

namespace weir::vocab {

namespace {

// Where decoding stands behind a node: how many continuation bytes are still to come, and which the next may be.
struct DecoderState {
  std::uint8_t missing = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  bool broken = false;  // the path is not valid UTF-8
};

DecoderState after_lead(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte >= 0xE0 && byte <= 0xEF) {
    return {2, static_cast<std::uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<std::uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {3, static_cast<std::uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
            static_cast<std::uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
  }
  return {0, 0, 0, true};
}

}  // namespace

CharacterGroup group_of_ascii(std::uint8_t byte) {
  if (byte >= 'a' && byte <= 'z') return kLower;
  if (byte >= 'A' && byte <= 'Z') return kUpper;
  if (byte >= '0' && byte <= '9') return kDigit;
  if (byte == ' ') return kSpace;
  if (byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\\') return kOther;
  return kPunctuation;
}

TrieSummary::TrieSummary(const TokenTrie& trie, std::size_t mask_words) : all_tokens_(mask_words) {
  const auto nodes = trie.nodes();
  nodes_.resize(nodes.size());
  std::vector<DecoderState> states(trie.max_depth() + 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(nodes[i].byte);
    const DecoderState before = states[nodes[i].depth - 1];
    DecoderState& behind = states[nodes[i].depth];
    SubtreeSummary& summary = nodes_[i];
    if (before.broken) {
      behind = before;
      summary = {kOther | kInside, 0};
    } else if (before.missing > 0) {
      const bool valid = byte >= before.low && byte <= before.high;
      behind = valid ? DecoderState{static_cast<std::uint8_t>(before.missing - 1)} : DecoderState{0, 0, 0, true};
      summary.groups = static_cast<std::uint8_t>(kInside | (valid ? 0 : kOther));
    } else if (byte < 0x80) {
      behind = {};
      summary = {group_of_ascii(byte), 1};
    } else {
      behind = after_lead(byte);
      summary = {static_cast<std::uint8_t>(behind.broken ? kOther : kBeyondAscii), 1};
    }
    if (nodes[i].tokens == 0) continue;
    for (const std::uint32_t token : trie.tokens_at(nodes[i])) bitmask_set(all_tokens_, token);
  }
  // What the children at each depth, seen so far from the back, come to.
  std::vector<SubtreeSummary> below(trie.max_depth() + 2);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const std::uint32_t depth = nodes[i].depth;
    SubtreeSummary& children = below[depth + 1];
    SubtreeSummary& summary = nodes_[i];
    // Whether a child begins inside a character is the child's matter alone.
    summary.groups |= static_cast<std::uint8_t>(children.groups & ~kInside);
    summary.max_characters =
        static_cast<std::uint8_t>(std::min<int>(kManyCharacters, summary.max_characters + children.max_characters));
    summary.max_bytes = static_cast<std::uint8_t>(std::min<int>(kManyCharacters, 1 + children.max_bytes));
    children = {};
    below[depth].groups |= summary.groups;
    below[depth].max_characters = std::max(below[depth].max_characters, summary.max_characters);
    below[depth].max_bytes = std::max(below[depth].max_bytes, summary.max_bytes);
  }
}

}  // namespace weir::vocab
