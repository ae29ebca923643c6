#include "vocab/trie_summary.h"

#include <algorithm>
#include <iterator>

#include "weir/bitmask.h"

namespace weir::vocab {

namespace {

// The state of the UTF-8 decoder after a node's byte: how many continuation bytes are missing, the range of the next
// one, and the bits of the character so far.
struct DecoderState {
  std::uint8_t missing = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  bool broken = false;  // the path is not valid UTF-8
  std::uint32_t character = 0;
};

DecoderState after_lead(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF, false, byte & 0x1FU};
  if (byte >= 0xE0 && byte <= 0xEF) {
    return {2, static_cast<std::uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<std::uint8_t>(byte == 0xED ? 0x9F : 0xBF), false, byte & 0xFU};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {3, static_cast<std::uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
            static_cast<std::uint8_t>(byte == 0xF4 ? 0x8F : 0xBF), false, byte & 0x7U};
  }
  return {0, 0, 0, true, 0};
}

DecoderState after_continuation(const DecoderState& before, std::uint8_t byte) {
  if (byte < before.low || byte > before.high) return {0, 0, 0, true, 0};
  return {static_cast<std::uint8_t>(before.missing - 1), 0x80, 0xBF, false, (before.character << 6) | (byte & 0x3FU)};
}

bool is_wide_space(std::uint32_t character) {
  return std::any_of(std::begin(kWideSpaces), std::end(kWideSpaces),
                     [&](const WideSpaces& range) { return character >= range.first && character <= range.last; });
}

// No kind of characters.
constexpr CharacterKind kNoKind{kCharacterKinds};

// Returns the kind that a node's byte establishes: for an ASCII character its kind, at the first byte of any other
// that of its first byte, and at the last byte of a white space or line end kWideSpace in addition.
CharacterKind kind_at(const DecoderState& before, const DecoderState& after, std::uint8_t byte) {
  if (after.broken) return CharacterKind::kOther;
  if (byte < 0x80) return kind_of_ascii(byte);
  if (before.missing == 0) return kind_of_lead(byte);
  return after.missing == 0 && is_wide_space(after.character) ? CharacterKind::kWideSpace : kNoKind;
}

// The two passes over the nodes, in blocks: engines for WebAssembly replace a function by its optimised form when it is
// called again, not in the middle of a loop.
template <typename Node>  // TrieSummary::Node
class SummaryPasses {
 public:
  SummaryPasses(const TokenTrie& trie, std::vector<Node>& nodes, std::vector<std::uint32_t>& all_tokens,
                std::vector<CharacterSet>& sets)
      : trie_(trie),
        nodes_(nodes),
        all_tokens_(all_tokens),
        sets_(sets),
        kinds_(trie.nodes().size()),
        states_(trie.max_depth() + 1),
        below_(trie.max_depth() + 2) {
    const std::size_t size = trie.nodes().size();
    for (std::size_t i = 0; i < size; i += kBlock) describe(i, std::min(size, i + kBlock));
    const auto is_large = [](const TrieNode& node) { return node.subtree_size >= kMinSummarizedNodes; };
    sets_.reserve(static_cast<std::size_t>(std::ranges::count_if(trie.nodes(), is_large)));
    for (std::size_t i = size; i > 0; i -= std::min(i, kBlock)) join(i - std::min(i, kBlock), i);
    std::ranges::reverse(sets_);
  }

  // Returns the kinds in the whole trie.
  [[nodiscard]] const CharacterSet& all_characters() const { return below_[1].kinds; }

 private:
  static constexpr std::size_t kBlock = 1'024;

  // Describes the nodes [begin, end) without their subtrees.
  [[gnu::noinline]] void describe(std::size_t begin, std::size_t end) {
    const auto nodes = trie_.nodes();
    for (std::size_t i = begin; i < end; ++i) {
      const auto byte = static_cast<std::uint8_t>(nodes[i].byte);
      const DecoderState& before = states_[nodes[i].depth - 1];
      DecoderState& after = states_[nodes[i].depth];
      const bool is_inside = before.broken || before.missing > 0;
      after = before.broken        ? before
              : before.missing > 0 ? after_continuation(before, byte)
              : byte < 0x80        ? DecoderState{}
                                   : after_lead(byte);
      kinds_[i] = kind_at(before, after, byte);
      nodes_[i] = {!is_inside, static_cast<std::uint8_t>(is_inside ? 0 : 1), 1};
      for (const std::uint32_t token : trie_.tokens_at(nodes[i])) bitmask_set(all_tokens_, token);
    }
  }

  // Adds to the nodes [begin, end), the last first, what is in their subtrees. Appends the sets that are stored.
  [[gnu::noinline]] void join(std::size_t begin, std::size_t end) {
    const auto nodes = trie_.nodes();
    const auto add = [](std::uint8_t x, std::uint8_t y) {
      return static_cast<std::uint8_t>(std::min<int>(kManyCharacters, x + y));
    };
    for (std::size_t i = end; i-- > begin;) {
      Below& children = below_[nodes[i].depth + 1];
      Node& node = nodes_[i];
      if (kinds_[i] != kNoKind) children.kinds.add(kinds_[i]);
      node.max_characters = add(node.max_characters, children.max_characters);
      node.max_bytes = add(node.max_bytes, children.max_bytes);
      node.is_text = node.is_text && !children.kinds.contains(CharacterKind::kOther);
      if (TrieSummary::has_set(node.is_text, nodes[i])) sets_.push_back(children.kinds);
      Below& siblings = below_[nodes[i].depth];
      siblings.kinds |= children.kinds;
      children = {};
      siblings.max_characters = std::max(siblings.max_characters, node.max_characters);
      siblings.max_bytes = std::max(siblings.max_bytes, node.max_bytes);
    }
  }

  // At depth d: the joined data of the nodes of depth d that `join` has visited since their last parent.
  struct Below {
    CharacterSet kinds = {};
    std::uint8_t max_characters = 0, max_bytes = 0;
  };

  const TokenTrie& trie_;
  std::vector<Node>& nodes_;
  std::vector<std::uint32_t>& all_tokens_;
  std::vector<CharacterSet>& sets_;
  std::vector<CharacterKind> kinds_;  // what the byte of each node establishes
  std::vector<DecoderState> states_;
  std::vector<Below> below_;
};

}  // namespace

TrieSummary::TrieSummary(const TokenTrie& trie, std::size_t mask_words)
    : nodes_(trie.nodes().size()), all_tokens_(mask_words) {
  const auto nodes = trie.nodes();
  all_characters_ = SummaryPasses(trie, nodes_, all_tokens_, sets_).all_characters();
  blocks_.resize(nodes.size() / 64 + 1);
  std::uint32_t sets = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Block& block = blocks_[i / 64];
    if (i % 64 == 0) block.first = sets;
    if (!has_set(nodes_[i].is_text, nodes[i])) continue;
    block.has_set |= std::uint64_t{1} << (i % 64);
    ++sets;
  }
}

}  // namespace weir::vocab
