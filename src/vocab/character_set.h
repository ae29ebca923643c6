// CharacterSet: which kinds of characters a piece of text contains. Each ASCII character is a kind of its own; those
// beyond ASCII form a kind for white space and line ends, and one for each group of first bytes of the others.
//
// WHY    Patterns distinguish ASCII characters one by one. Beyond ASCII they mostly accept all, all except white
//        space ("." and "\S"), a script, or all but some character. So an expression usually treats the characters of one
//        kind alike, and if not, few tokens have characters of that kind.
#ifndef WEIR_SRC_VOCAB_CHARACTER_SET_H_
#define WEIR_SRC_VOCAB_CHARACTER_SET_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::vocab {

/// A kind of characters. The number of an ASCII character's kind is the character's code; most control characters have
/// no kind of their own.
enum class CharacterKind : std::uint8_t {
  kOther = 0,      ///< Control characters except \t to \r, and bytes that are not valid UTF-8.
  kWideSpace = 2,  ///< White space and line ends from U+0080 on.
};
inline constexpr unsigned kCharacterKinds = 128;

constexpr CharacterKind kind_of_ascii(std::uint8_t byte) {
  const bool is_own = (byte >= 0x20 && byte < 0x7F) || (byte >= '\t' && byte <= '\r');
  return is_own ? CharacterKind{byte} : CharacterKind::kOther;
}

/// The kinds of the other characters beyond ASCII, with their first bytes in UTF-8. They have the numbers of control
/// characters, which have no kind of their own.
struct LeadKind {
  CharacterKind kind;
  std::uint8_t first, last;
};
inline constexpr LeadKind kLeadKinds[] = {
    {CharacterKind{1}, 0xC2, 0xC2},  {CharacterKind{3}, 0xC3, 0xC3},  {CharacterKind{4}, 0xC4, 0xC9},
    {CharacterKind{5}, 0xCA, 0xCF},  {CharacterKind{6}, 0xD0, 0xD1},  {CharacterKind{7}, 0xD2, 0xD6},
    {CharacterKind{8}, 0xD7, 0xDF},  {CharacterKind{14}, 0xE0, 0xE0}, {CharacterKind{15}, 0xE1, 0xE1},
    {CharacterKind{16}, 0xE2, 0xE2}, {CharacterKind{17}, 0xE3, 0xE3}, {CharacterKind{18}, 0xE4, 0xE4},
    {CharacterKind{19}, 0xE5, 0xE9}, {CharacterKind{20}, 0xEA, 0xEA}, {CharacterKind{21}, 0xEB, 0xEC},
    {CharacterKind{22}, 0xED, 0xED}, {CharacterKind{23}, 0xEE, 0xEF}, {CharacterKind{24}, 0xF0, 0xF4}};

/// Returns the kind of characters with this first byte, apart from white space. Precondition: 0xC2 <= byte <= 0xF4.
constexpr CharacterKind kind_of_lead(std::uint8_t byte) {
  const LeadKind* group = kLeadKinds;
  while (byte > group->last) ++group;
  return group->kind;
}

/// The code points of kWideSpace: Unicode's White_Space property, and U+FEFF, which ECMA-262 adds (12.2).
struct WideSpaces {
  std::uint32_t first, last;
};
inline constexpr WideSpaces kWideSpaces[] = {{0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                             {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                             {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

/// A set of kinds.
class CharacterSet {
 public:
  constexpr CharacterSet() = default;

  constexpr void add(CharacterKind kind) { word(kind) |= bit(kind); }
  [[nodiscard]] constexpr bool contains(CharacterKind kind) const {
    return (words_[static_cast<std::size_t>(kind) / 64] & bit(kind)) != 0;
  }
  /// Returns true if the set contains one of the kinds with the numbers first, …, first + count - 1, which must be in the
  /// same half of all kinds.
  [[nodiscard]] constexpr bool contains_any(std::size_t first, std::size_t count) const {
    return ((words_[first / 64] >> (first % 64)) & ((std::uint64_t{1} << count) - 1)) != 0;
  }
  [[nodiscard]] constexpr bool contains_all(const CharacterSet& other) const {
    return ((other.words_[0] & ~words_[0]) | (other.words_[1] & ~words_[1])) == 0;
  }
  [[nodiscard]] constexpr bool is_empty() const { return (words_[0] | words_[1]) == 0; }
  [[nodiscard]] constexpr int size() const { return std::popcount(words_[0]) + std::popcount(words_[1]); }
  [[nodiscard]] constexpr bool contains_some(const CharacterSet& other) const {
    return ((other.words_[0] & words_[0]) | (other.words_[1] & words_[1])) != 0;
  }
  /// Calls `use` with each kind, in ascending order, until it returns false.
  template <typename Use>
  constexpr void for_each(Use use) const {
    for (unsigned i = 0; i < 2; ++i) {
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        if (!use(static_cast<CharacterKind>(64 * i + static_cast<unsigned>(std::countr_zero(left))))) return;
      }
    }
  }
  constexpr void remove_all(const CharacterSet& other) {
    words_[0] &= ~other.words_[0];
    words_[1] &= ~other.words_[1];
  }
  constexpr void keep_only(const CharacterSet& other) {
    words_[0] &= other.words_[0];
    words_[1] &= other.words_[1];
  }
  constexpr CharacterSet& operator|=(const CharacterSet& other) {
    words_[0] |= other.words_[0];
    words_[1] |= other.words_[1];
    return *this;
  }

 private:
  static constexpr std::uint64_t bit(CharacterKind kind) {
    return std::uint64_t{1} << (static_cast<unsigned>(kind) % 64);
  }
  constexpr std::uint64_t& word(CharacterKind kind) { return words_[static_cast<std::size_t>(kind) / 64]; }

  std::array<std::uint64_t, 2> words_{};
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_CHARACTER_SET_H_
