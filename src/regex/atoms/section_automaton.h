// SectionAutomaton: texts in sections, such as the labels of a domain's name, read and counted character by character.
//
// WHAT   An automaton over classes of characters says which texts, and where a section begins; beside that a section
//        has at most so many characters, which depends on how it ends, and a text so many characters and octets.
// WHY    As an expression this is an intersection of all conditions and of three counts, each with a residual of its
//        own for every number that is left: masks search products of them for members. Here a residual is five small
//        integers, and whether something can still follow is read off.
// HOW    UTF-8 is read along a trie, shared by all states, whose leaves are classes; equal parts of it are one. For
//        each state and way to end a section stands how far that end is, in characters and in octets, so that counts that
//        leave too little for it are seen at once.
// THREADS Immutable once built.
#ifndef WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_
#define WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "regex/atoms/explicit_dfa.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"
#include "regex/unicode/code_point_set.h"

namespace weir::regex {

/// A place in a text. Equal places have equal futures.
struct SectionPlace {
  static constexpr std::uint32_t kUncounted = 0xFFF;
  std::uint32_t state = Automaton::kStart;  ///< Behind the last whole character.
  std::uint32_t inside = 0;                 ///< The character that has begun: a part of the trie; 0: none.
  std::uint32_t section = 0;                ///< Characters of the section so far, or kUncounted.
  std::uint32_t characters = kUncounted;    ///< Left, or kUncounted.
  std::uint32_t octets = kUncounted;        ///< The same.

  friend bool operator==(const SectionPlace&, const SectionPlace&) = default;
};

class SectionAutomaton {
 public:
  /// In Automaton::accepts: a section, and with it the text, may end here, in one of kEndings ways.
  static constexpr std::uint8_t kEndings = 2;
  /// Beside that: a section begins here.
  static constexpr std::uint8_t kBegins = 0x80;
  static constexpr std::uint8_t kEnding = 0x7F;

  struct Limits {
    std::array<std::uint32_t, kEndings> section;  ///< Characters of a section that accepts as 1, as 2.
    std::uint32_t characters = SectionPlace::kUncounted;
    std::uint32_t octets = SectionPlace::kUncounted;
  };
  /// `classes`: what each symbol of the automaton stands for; of the sets none meets another. Preconditions: the
  /// automaton is minimal; sections begin at kStart and behind a character that follows the end of one; limits are
  /// below kUncounted.
  SectionAutomaton(Automaton automaton, std::span<const CodePointSet> classes, const Limits& limits);

  [[nodiscard]] SectionPlace start() const;
  /// Nullopt where no text goes on.
  [[nodiscard]] std::optional<SectionPlace> step(const SectionPlace& place, std::uint8_t byte) const;
  /// Bytes that lead to the same places, and to some from some state, in one set.
  [[nodiscard]] std::span<const ByteSet> classes(const SectionPlace& place) const { return tries_[place.inside].sets; }

  [[nodiscard]] bool may_end(const SectionPlace& place) const;
  /// Whether some text goes on from here to an end; false where that is not seen at once.
  [[nodiscard]] bool has_member(const SectionPlace& place) const;
  /// No text that goes on to an end is shorter, or longer, in bytes.
  [[nodiscard]] std::uint32_t min_length(const SectionPlace& place) const;
  [[nodiscard]] std::uint32_t max_length(const SectionPlace& place) const;
  /// So many bytes may follow before any count matters, whatever they are; kUnbounded if there is none.
  [[nodiscard]] std::uint32_t bytes_before_limits(const SectionPlace& place) const;
  /// Without the counts that do not matter within so many bytes.
  [[nodiscard]] SectionPlace drop_distant_counts(SectionPlace place, std::uint32_t bytes) const;

  [[nodiscard]] std::size_t states() const { return automaton_.size(); }

 private:
  static constexpr std::uint16_t kClass = 0x8000;  // in a trie: a class and not a further part
  static constexpr std::uint16_t kNowhere = 0;
  static constexpr std::uint32_t kFar = 0xFFFF;
  struct Way {
    std::uint32_t characters = kFar;
    std::uint32_t octets = kFar;
  };
  struct Distance {  // to the end of the section, that accepts in one way
    Way by_characters = {};
    Way by_octets = {};
  };
  struct Trie {
    std::vector<std::uint16_t> next = {};  // by byte for the first part, by continuation for others
    std::vector<ByteSet> sets = {};
    ByteSet classes = {};     // that can be come to
    std::uint32_t bytes = 0;  // that are to come of the character
  };
  enum class Reach : std::uint8_t { kNever, kUnknown, kSurely };

  struct Piece {  // code points of one class, encoded in as many bytes
    char32_t first, last;
    std::uint16_t cls;
  };
  void build_trie(std::span<const CodePointSet> classes);
  std::uint16_t build_part(std::span<const Piece> pieces, char32_t first, std::uint32_t bytes);
  std::uint16_t find_or_add(Trie part);
  void measure(std::span<const CodePointSet> classes);
  [[nodiscard]] std::optional<SectionPlace> behind(const SectionPlace& place, std::size_t cls) const;
  [[nodiscard]] Reach reach(const SectionPlace& place) const;
  [[nodiscard]] Reach reach_between(const SectionPlace& place) const;
  static std::uint32_t before_limit(std::uint32_t left, std::uint32_t farthest);

  Automaton automaton_;
  Limits limits_;
  std::vector<Trie> tries_;
  std::vector<std::array<Distance, kEndings>> distances_;  // by state
  Way farthest_ = {0, 0};                                  // behind one more character, to an end, where there is one
};

/// The texts of an automaton, which must outlive the set and all its copies.
ExprId section_texts(ExprSet& exprs, const SectionAutomaton& automaton);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_
