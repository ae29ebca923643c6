#include "canonical/character_table.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"

namespace weir::canonical {

namespace {

constexpr char32_t kBlockSize = 64;  // characters that differ in their last byte alone

using Block = std::array<std::uint16_t, 64>;

}  // namespace

CharacterTable::CharacterTable(std::span<const Stretch> stretches) : nodes_(64, kInvalidEntry), atoms_(1) {
  std::map<Block, std::uint16_t> known;
  const auto add = [&](const Block& block) -> std::uint16_t {
    if (std::all_of(block.begin(), block.end(), [](std::uint16_t e) { return e == kInvalidEntry; })) {
      return kInvalidEntry;
    }
    const auto [found, is_new] = known.emplace(block, static_cast<std::uint16_t>(atoms_.size()));
    if (is_new) {
      nodes_.insert(nodes_.end(), block.begin(), block.end());
      regex::ByteSet& atoms = atoms_.emplace_back();
      for (const std::uint16_t entry : block) {
        if (entry == kInvalidEntry) continue;
        if ((entry & kAtomBit) == 0) {
          atoms |= regex::ByteSet(atoms_[entry]);
        } else {
          atoms.add(static_cast<std::uint8_t>(entry & ~kAtomBit));
        }
      }
    }
    return found->second;
  };
  const auto entry_of = [](std::uint16_t atom) -> std::uint16_t {
    return atom == kNoAtom ? kInvalidEntry : static_cast<std::uint16_t>(atom | kAtomBit);
  };

  // A block has the characters that differ in their last byte alone. Most blocks lie in one stretch. Blocks of one atom
  // share a node.
  std::size_t at = 0;
  const auto stretch_of = [&](char32_t c) {  // calls come in ascending order of c
    while (at + 1 < stretches.size() && stretches[at + 1].first <= c) ++at;
    return stretches[at].atom;
  };
  first_.fill(kInvalidEntry);
  std::vector<std::uint16_t> uniform(kNoAtom + 1U);  // too large for some threads' stacks
  std::vector<std::uint16_t> blocks(0x110000 / kBlockSize);
  for (char32_t first = 0; first < 0x110000; first += kBlockSize) {
    Block block{};
    if (first < 0x80) {
      for (char32_t c = first; c < first + kBlockSize; ++c) first_[c] = entry_of(stretch_of(c));
      continue;
    }
    if (first >= 0xD800 && first < 0xE000) {
      blocks[first / kBlockSize] = kInvalidEntry;
      continue;
    }
    const std::uint16_t atom = stretch_of(first);
    const bool is_uniform = at + 1 == stretches.size() || stretches[at + 1].first >= first + kBlockSize;
    if (is_uniform && uniform[atom] != 0) {
      blocks[first / kBlockSize] = uniform[atom];
      continue;
    }
    for (char32_t c = first; c < first + kBlockSize; ++c) block[c - first] = entry_of(stretch_of(c));
    blocks[first / kBlockSize] = add(block);
    if (is_uniform) uniform[atom] = blocks[first / kBlockSize];
  }
  for (char32_t c = 0x80; c < 0x800; c += kBlockSize) first_[0xC0 | (c >> 6)] = blocks[c / kBlockSize];
  const auto second_level = [&](char32_t begin, char32_t least) {  // 4,096 characters, those from `least` on
    Block block{};
    for (char32_t i = 0; i < 64; ++i) {
      const char32_t c = begin + i * kBlockSize;
      block[i] = c < least || c >= 0x110000 ? kInvalidEntry : blocks[c / kBlockSize];
    }
    return add(block);
  };
  for (char32_t c = 0; c < 0x10000; c += 0x1000) first_[0xE0 | (c >> 12)] = second_level(c, 0x800);
  for (char32_t c = 0; c < 0x110000; c += 0x40000) {
    Block block{};
    for (char32_t i = 0; i < 64; ++i) {
      const char32_t begin = c + i * 0x1000;
      block[i] = begin < 0x10000 || begin >= 0x110000 ? kInvalidEntry : second_level(begin, 0x10000);
    }
    first_[0xF0 | (c >> 18)] = add(block);
  }
}

}  // namespace weir::canonical
