// CharacterTable: reads bytes of UTF-8 and returns classes of characters.
//
// WHAT   For a partition of the characters into atoms, reads bytes and says when a character is complete, and which
//        atom it belongs to. Inside a character it says which atoms are still possible.
// HOW    The trie of all encodings, in which equal subtries are shared. o200k_base's 24 atoms need some 300 nodes.
// COST   One lookup for each byte.
// THREADS Immutable once built.
#ifndef WEIR_SRC_CANONICAL_CHARACTER_TABLE_H_
#define WEIR_SRC_CANONICAL_CHARACTER_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "regex/expr/byte_set.h"

namespace weir::canonical {

/// Stands for the first bytes of a character; equal ids have the same continuations. kNone between characters.
enum class CharacterId : std::uint16_t { kNone = 0 };

class CharacterTable {
 public:
  static constexpr std::uint16_t kNoAtom = 0x7FFF;

  /// Characters from `first` up to the next stretch are of `atom`; of no text if kNoAtom.
  struct Stretch {
    char32_t first = 0;
    std::uint16_t atom = kNoAtom;
  };

  CharacterTable() = default;
  /// From stretches by rising `first`, the first one at 0. Surrogates are of no text whatever they say.
  explicit CharacterTable(std::span<const Stretch> stretches);

  struct Step {
    enum class Kind : std::uint8_t { kInvalid, kInside, kComplete };
    Kind kind = Kind::kInvalid;
    CharacterId character = CharacterId::kNone;  ///< kInside.
    std::uint16_t atom = kNoAtom;                ///< kComplete.
  };
  [[nodiscard]] Step step(CharacterId character, std::uint8_t byte) const {
    const std::uint16_t entry = character == CharacterId::kNone ? first_[byte]
                                : (byte & 0xC0U) == 0x80
                                    ? nodes_[64 * static_cast<std::size_t>(character) + (byte & 0x3FU)]
                                    : kInvalidEntry;
    if (entry == kInvalidEntry) return {};
    if ((entry & kAtomBit) != 0)
      return {Step::Kind::kComplete, CharacterId::kNone, static_cast<std::uint16_t>(entry & ~kAtomBit)};
    return {Step::Kind::kInside, CharacterId{entry}, kNoAtom};
  }
  /// Atoms of the characters that may be complete after further bytes. Precondition: not kNone.
  [[nodiscard]] const regex::ByteSet& atoms_after(CharacterId character) const {
    return atoms_[static_cast<std::size_t>(character)];
  }
  /// Ids from kNone on.
  [[nodiscard]] std::size_t count() const { return atoms_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return nodes_.capacity() * sizeof(std::uint16_t) + atoms_.capacity() * sizeof(regex::ByteSet);
  }

 private:
  static constexpr std::uint16_t kAtomBit = 0x8000;
  static constexpr std::uint16_t kInvalidEntry = UINT16_MAX;

  std::array<std::uint16_t, 256> first_{};
  std::vector<std::uint16_t> nodes_;  // 64 entries each; those of node 0 are not used
  std::vector<regex::ByteSet> atoms_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CHARACTER_TABLE_H_
