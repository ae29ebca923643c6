// SectionAutomaton: accepts texts that consist of sections with length limits, such as the labels of a domain name.
//
// WHAT   An automaton over classes of characters defines the texts and where a section begins. In addition, the length
//        of a section in characters is limited, depending on the way in which it ends, and the length of the text is
//        limited in characters and in octets.
// WHY    As an expression this language is an intersection of all conditions and three counts. It has a residual for
//        each combination of remaining counts, and masks would search that product for members. Here a residual is five
//        small integers, and whether it has a member is mostly known without a search.
// HOW    UTF-8 is decoded with a trie whose leaves are classes of characters. All states share it, and equal subtries
//        are stored once. A table has, for each state and way to end a section, the distance to the nearest such end in
//        characters and in octets. A place whose counts are too small for every end has no member.
// THREADS Immutable after construction.
#ifndef WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_
#define WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "regex/atoms/atom.h"
#include "regex/atoms/explicit_dfa.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"
#include "regex/unicode/code_point_set.h"

namespace weir::regex {

/// A state of the reader: automaton state and counts. Equal places have equal residuals.
struct SectionPlace {
  static constexpr std::uint32_t kUncounted = 0xFFF;
  std::uint32_t state = ExplicitDfa::kStart;  ///< After the last complete character.
  std::uint32_t inside = 0;                   ///< Trie node of an incomplete character; 0 between characters.
  std::uint32_t section = 0;                  ///< Characters of the section so far, or kUncounted.
  std::uint32_t characters = kUncounted;      ///< Characters that may still follow, or kUncounted.
  std::uint32_t octets = kUncounted;          ///< Octets that may still follow, or kUncounted.

  friend bool operator==(const SectionPlace&, const SectionPlace&) = default;
};

class SectionAutomaton final : public Atom {
 public:
  // ExplicitDfa::accepts of a state is a way to end, in the bits of kEnding, and possibly the bit kBegins. If the way is
  // 1 to kEndings, a section, and also the text, may end in this state.
  static constexpr std::uint8_t kEndings = 2;
  static constexpr std::uint8_t kBegins = 0x80;  ///< A section begins in this state.
  static constexpr std::uint8_t kEnding = 0x7F;

  struct Limits {
    std::array<std::uint32_t, kEndings> section;  ///< Characters of a section that ends in way 1, in way 2.
    std::uint32_t characters = SectionPlace::kUncounted;
    std::uint32_t octets = SectionPlace::kUncounted;
  };
  /// `classes[i]` is the set of characters that symbol i of the automaton stands for. Preconditions: the sets are
  /// disjoint; the automaton is minimal; sections begin at kStart and after a character that follows the end of a
  /// section; limits are below kUncounted.
  SectionAutomaton(ExplicitDfa automaton, std::span<const CodePointSet> classes, const Limits& limits);

  [[nodiscard]] SectionPlace start() const;
  [[nodiscard]] std::size_t states() const { return automaton_.size(); }

  static AtomState pack(const SectionPlace& place, std::uint32_t atom);
  [[nodiscard]] Properties properties(const ExprSet& exprs, const AtomState& state) const override;
  ExprId derivative(ExprSet& exprs, const AtomState& state, std::uint8_t byte) const override;
  /// Returns disjoint sets of bytes. Bytes outside all sets lead nowhere.
  [[nodiscard]] std::span<const ByteSet> classes(const AtomState& state) const override;
  void refine_classes(ByteClasses& classes) const override { classes = ByteClasses::single(); }
  [[nodiscard]] ByteSet alphabet() const override;
  [[nodiscard]] std::string name(const AtomState& state) const override;
  [[nodiscard]] Transient transient(const ExprSet& /*exprs*/, const AtomState& /*state*/) const override {
    return Transient::kAlone;
  }
  bool append_branches(ExprSet& exprs, const AtomState& state, std::vector<ExprSet::Branch>& branches) const override;
  [[nodiscard]] std::optional<std::uint32_t> bytes_before_limits(const AtomState& state) const override;
  [[nodiscard]] AtomState without_distant_counts(const AtomState& state, std::uint32_t bytes) const override;
  [[nodiscard]] AtomState without_counts(const AtomState& state) const override;

 private:
  static constexpr std::uint16_t kClass = 0x8000;  // bit of an entry of a trie node that is a class, not a child node
  static constexpr std::uint16_t kNowhere = 0;
  static constexpr std::uint32_t kFar = 0xFFFF;
  struct Way {
    std::uint32_t characters = kFar;
    std::uint32_t octets = kFar;
  };
  struct Distance {          // to the nearest end of the section in one of the ways
    Way by_characters = {};  // the path with the fewest characters
    Way by_octets = {};      // the path with the fewest octets
  };
  struct Trie {
    std::vector<std::uint16_t> next = {};  // by byte in the root, by low six bits of a continuation byte in others
    std::vector<ByteSet> sets = {};        // see classes()
    ByteSet classes = {};                  // the classes that are reachable from this node
    std::uint32_t bytes = 0;               // bytes of the character that follow
  };
  enum class Reach : std::uint8_t { kNever, kUnknown, kSurely };

  struct Piece {  // a range of code points of one class that have encodings of equal length
    char32_t first, last;
    std::uint16_t cls;
  };
  static SectionPlace unpack(const AtomState& state);
  /// Returns the place after `byte`; nullopt if it is known that no text continues from there.
  [[nodiscard]] std::optional<SectionPlace> step(const SectionPlace& place, std::uint8_t byte) const;
  [[nodiscard]] bool may_end(const SectionPlace& place) const;
  void build_trie(std::span<const CodePointSet> classes);
  std::uint16_t build_part(std::span<const Piece> pieces, char32_t first, std::uint32_t bytes);
  std::uint16_t find_or_add(Trie part);
  void measure(std::span<const CodePointSet> classes);
  [[nodiscard]] std::optional<SectionPlace> after(const SectionPlace& place, std::size_t cls) const;
  [[nodiscard]] Reach reach(const SectionPlace& place) const;
  [[nodiscard]] Reach reach_between(const SectionPlace& place) const;
  static std::uint32_t before_limit(std::uint32_t left, std::uint32_t farthest);

  ExplicitDfa automaton_;
  Limits limits_;
  std::vector<Trie> tries_;
  std::vector<std::array<Distance, kEndings>> distances_;  // by state
  Way farthest_ = {0, 0};  // one more character, and the largest of the distances from there to an end
};

/// Returns the texts that `automaton` accepts. Precondition: it outlives `exprs` and all copies of it.
ExprId section_texts(ExprSet& exprs, const SectionAutomaton& automaton);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_SECTION_AUTOMATON_H_
