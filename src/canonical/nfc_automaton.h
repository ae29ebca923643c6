// NfcAutomaton: accepts the texts that are in Unicode's form NFC.
//
// WHAT   Reads bytes and refuses a byte with which no text in NFC continues. So a text is in NFC if all its bytes are
//        read and it ends between characters. The empty text, and every part of a text in NFC, is in NFC.
// WHY    A tokenizer that normalizes to NFC writes the tokens of the normalized text. So a text that is not in NFC has
//        no tokens whose bytes are that text, and canonical mode must refuse it.
// HOW    Between characters a state is a pair: the characters with which the last starter may compose (`Partners`), and
//        the combining class of the last mark after it. A character is refused if
//          - it is in no text in NFC, because it decomposes to something else; or
//          - it is a mark of a lower class than the mark before it; or
//          - it composes with the last starter, and no mark of its own class is between them.
//        The third rule must look into composed starters. U+00EA is `e` with a circumflex. A dot below (class 220)
//        after it goes before the circumflex (class 230) and composes with the `e`. So the partners of a starter are,
//        for each class k, what composes with its decomposition up to class k. (A pairwise test would miss it: no
//        character decomposes to U+00EA and a dot below.)
//        Characters with the same behaviour are one atom of a CharacterTable.
//        A character is *free* if it may follow every text in NFC. What may follow it does not depend on that text.
// COST   Made in a few milliseconds; 200 kB. A step takes two reads; some 60 inside a character that may turn out not
//        to be free.
// THREADS Immutable.
// REFERENCES  Unicode Standard Annex 15, "Unicode normalization forms".
#ifndef WEIR_SRC_CANONICAL_NFC_AUTOMATON_H_
#define WEIR_SRC_CANONICAL_NFC_AUTOMATON_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "canonical/character_table.h"
#include "regex/expr/byte_set.h"

namespace weir::canonical {

/// Stands for the bytes read so far. Equal states have the same continuations.
enum class NfcState : std::uint32_t {
  kStart = 0,             ///< Nothing, or a text that every text in NFC may follow.
  kRefused = UINT32_MAX,  ///< The bytes are not a prefix of a text in NFC.
};

class NfcAutomaton {
 public:
  NfcAutomaton();

  /// Returns the state after one more byte. Precondition: state is not kRefused.
  [[nodiscard]] NfcState step(NfcState state, std::uint8_t byte) const;
  [[nodiscard]] NfcState step(NfcState state, std::string_view bytes) const;
  /// Returns true between characters.
  [[nodiscard]] static bool is_between(NfcState state) { return character(state) == CharacterId::kNone; }

  /// Returns the bytes with which only free characters begin.
  [[nodiscard]] const regex::ByteSet& free_bytes() const { return free_bytes_; }
  /// Returns true if `text` may follow every text in NFC: it is empty, or in NFC and begins with a free character.
  [[nodiscard]] bool may_follow_all(std::string_view text) const;
  /// Returns true if `text` has a free character, or ends with the first bytes of one. Then the state after `text`, if
  /// it may come, does not depend on the state before it. Precondition: `text` begins with a character.
  [[nodiscard]] bool has_free_character(std::string_view text) const;

  /// Returns the number of kinds of characters; at most 256, the limit of the CharacterTable.
  [[nodiscard]] std::size_t atom_count() const { return atoms_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kMaxLevels = 64;
  static constexpr std::uint8_t kNoSecond = UINT8_MAX;
  /// A set of *seconds*: characters that compose with a character before them.
  using Partners = std::array<std::uint64_t, 2>;

  struct Atom {
    std::uint8_t level = 0;           // rank of the combining class; 0 of starters
    std::uint8_t second = kNoSecond;  // its number among the seconds
    std::uint16_t partners = 0;       // of a starter: number of its partners
    friend auto operator<=>(const Atom&, const Atom&) = default;
    [[nodiscard]] bool is_free() const { return level == 0 && second == kNoSecond; }
  };
  class Maker;

  static CharacterId character(NfcState state) {
    return CharacterId{static_cast<std::uint16_t>(static_cast<std::uint32_t>(state) & 0xFFFFU)};
  }
  // Partners and level: partners * kMaxLevels + level.
  static std::uint32_t base(NfcState state) { return static_cast<std::uint32_t>(state) >> 16; }
  static NfcState make(std::uint32_t base, CharacterId character) {
    return NfcState{base << 16 | static_cast<std::uint32_t>(character)};
  }
  // The base after a character of an atom, or kNoBase.
  static constexpr std::uint32_t kNoBase = UINT32_MAX;
  [[nodiscard]] std::uint32_t after(std::uint32_t base, std::uint16_t atom) const;

  CharacterTable characters_;
  std::vector<Atom> atoms_;
  std::vector<Partners> partners_;           // by number
  std::vector<std::uint16_t> with_level_;    // by base: the number of the partners of a higher level
  std::vector<bool> may_be_free_, is_free_;  // by CharacterId: some, or all, characters with these first bytes are free
  regex::ByteSet free_bytes_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_NFC_AUTOMATON_H_
