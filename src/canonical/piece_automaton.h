// PieceAutomaton: accepts a text with boundaries between pieces iff a pre-tokenizer puts them there.
//
// WHAT   A pre-tokenizer cuts text in a sequence of steps. Each step has a pattern. Within each piece of the step
//        before, the matches of the pattern are pieces, and so are the texts between them. A match is the leftmost one,
//        and at one position the one that a backtracking matcher finds first. The automaton reads characters, and
//        *cuts* that its caller places between them. It accepts a text with cuts iff the pre-tokenizer cuts the text at
//        these positions.
// WHY    Tokens say where pieces end: two adjacent tokens that are not compatible must have a boundary between them.
//        Whether the pre-tokenizer puts one there may depend on text to come, for example with `\s+(?!\S)`. So a reader
//        from left to right must guess, and the rest of the text must confirm the guess.
//
// HOW    A *hypothesis* has two parts for each step: what the piece in progress is, and a condition on the rest of the
//        enclosing piece. The piece is a gap between matches, or a match. A match is the ordered list of the
//        alternatives that a backtracking matcher could still try (partial derivatives of the pattern). If a match ends
//        with the j-th alternative, the condition is that none before it matches and that its look-ahead holds. At each
//        position of a gap, the condition is that no match begins there. Conditions are expressions with complements
//        over *atoms*: classes of characters that no class of the patterns distinguishes. An atom is a byte of an
//        ExprSet. A hypothesis from which no text leads to an accepted end is left out. Exactly one set of cuts is
//        accepted for each text.
//
//        The texts that may follow a cut are a language. The subset construction over hypotheses and all their cuts
//        gives its deterministic automaton, whose states are RestIds.
//
// COST   GPT-2's pattern has 22 hypotheses, o200k_base's 49, DeepSeek LLM's six patterns 286. All are made at once, in
//        some milliseconds; after that each step is a lookup.
// LIMITS Building is refused beyond kMaxAtoms and the bounds of search_bounds.h, and also for splits that remove text,
//        look-behind, anchors of the beginning, word boundaries, back-references, repeats of a part that may be empty,
//        and look-ahead within an unbounded repeat unless it narrows one character.
// THREADS Immutable once built.
// REFERENCES  Moseley et al., Derivative based nonbacktracking real-world regex matching with backtracking semantics,
//        PLDI 2023, for the order of alternatives as partial derivatives.
#ifndef WEIR_SRC_CANONICAL_PIECE_AUTOMATON_H_
#define WEIR_SRC_CANONICAL_PIECE_AUTOMATON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "canonical/canonical_automaton.h"
#include "canonical/character_table.h"
#include "regex/expr/byte_set.h"
#include "regex/unicode/code_point_set.h"
#include "vocab/segmenters/pre_tokenizer.h"
#include "weir/error.h"

namespace weir::canonical {

/// Dense, from 0.
enum class HypothesisId : std::uint32_t {};

/// One step of a pre-tokenizer.
struct PieceStep {
  /// A pattern in PCRE2's syntax, with its options UTF, UCP and DOLLAR_ENDONLY.
  vocab::SplitPattern pattern = {};
  /// If not empty, these texts are used instead of the pattern; the longest one at a position counts. A piece that is
  /// one of them is *fixed*: no further step cuts it.
  std::vector<std::string> fixed_texts = {};
};

struct PieceOptions {
  /// The character that replaces a space before patterns are applied. The texts that are read have spaces, and not this
  /// character.
  std::optional<char32_t> space_symbol = std::nullopt;
  /// Characters that no token can write; texts do not contain them.
  regex::CodePointSet unwritable = {};
};

class PieceAutomaton {
 public:
  static constexpr std::size_t kMaxAtoms = 255;  ///< An atom is a byte.

  /// Errors   kUnsupported: a construct of the header's list, or what weir's own parser refuses, with the pattern;
  ///          kLimitExceeded: a limit, by name.
  static Result<PieceAutomaton> build(std::span<const PieceStep> steps, const PieceOptions& options);

  /// Returns the hypotheses at the beginning of a text.
  [[nodiscard]] std::span<const HypothesisId> start() const { return start_; }

  /// A hypothesis, and the bytes of an incomplete character.
  struct Position {
    HypothesisId hypothesis = {};
    CharacterId character = CharacterId::kNone;
    friend bool operator==(const Position&, const Position&) = default;
  };
  /// Reads one byte. Returns false if no text leads to an accepted end; the position is then invalid.
  [[nodiscard]] bool step(Position& position, std::uint8_t byte) const {
    const CharacterTable::Step next = characters_.step(position.character, byte);
    if (next.kind == CharacterTable::Step::Kind::kInvalid) return false;
    if (next.kind == CharacterTable::Step::Kind::kInside) {
      position.character = next.character;
      return may_read_one_of(position.hypothesis, characters_.atoms_after(next.character));
    }
    const std::uint32_t to = next_[static_cast<std::size_t>(position.hypothesis) * atoms_ + next.atom];
    position = {HypothesisId{to}, CharacterId::kNone};
    return to != kDead;
  }
  /// Returns true if the text may end here. Precondition of this and the following functions: the piece is not empty.
  [[nodiscard]] bool may_end(HypothesisId h) const { return accepts_[static_cast<std::size_t>(h)]; }
  /// Returns the hypotheses after a cut at this position.
  [[nodiscard]] std::span<const HypothesisId> cuts(HypothesisId h) const {
    const auto i = static_cast<std::size_t>(h);
    return std::span(cuts_).subspan(cut_begin_[i], cut_begin_[i + 1] - cut_begin_[i]);
  }
  /// Returns false if no text is cut anywhere, as with SentencePiece.
  [[nodiscard]] bool has_cuts() const { return !cuts_.empty(); }
  /// Returns true if the piece in progress is a fixed text.
  [[nodiscard]] bool is_fixed(HypothesisId h) const { return fixed_[static_cast<std::size_t>(h)]; }
  /// Returns true if some character continues the piece.
  [[nodiscard]] bool may_go_on(HypothesisId h) const { return !live_atoms_[static_cast<std::size_t>(h)].is_empty(); }

  // Texts after a cut; see CanonicalAutomaton.
  [[nodiscard]] RestId rest_after(HypothesisId h) const { return rest_after_[static_cast<std::size_t>(h)]; }
  [[nodiscard]] RestId rest_around(HypothesisId h) const { return rest_around_[static_cast<std::size_t>(h)]; }
  [[nodiscard]] RestId step(RestId rest, std::uint8_t byte) const;
  [[nodiscard]] bool may_end(RestId rest) const;
  [[nodiscard]] bool is_settled(RestId rest) const;
  [[nodiscard]] const regex::ByteSet& settling_bytes(RestId rest) const;

  [[nodiscard]] const CharacterTable& characters() const { return characters_; }
  [[nodiscard]] std::size_t hypothesis_count() const { return accepts_.size(); }
  [[nodiscard]] std::size_t atom_count() const { return atoms_; }
  [[nodiscard]] std::size_t rest_count() const { return rest_accepts_.size(); }
  /// Returns how many characters after a boundary must be read to know that it is one; nullopt if no number suffices.
  [[nodiscard]] std::optional<std::size_t> look_ahead() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t kDead = UINT32_MAX;
  class Builder;

  PieceAutomaton() = default;
  [[nodiscard]] bool may_read_one_of(HypothesisId h, const regex::ByteSet& atoms) const {
    return !(live_atoms_[static_cast<std::size_t>(h)] & atoms).is_empty();
  }
  [[nodiscard]] bool make_rests();

  CharacterTable characters_;
  std::size_t atoms_ = 0;
  std::vector<HypothesisId> start_;
  std::vector<std::uint32_t> next_;         // [hypothesis * atoms_ + atom]
  std::vector<bool> accepts_, fixed_;       // by hypothesis, as the following
  std::vector<regex::ByteSet> live_atoms_;  // with a next hypothesis
  std::vector<std::uint32_t> cut_begin_;    // and one more
  std::vector<HypothesisId> cuts_;
  std::vector<RestId> rest_after_, rest_around_;
  std::vector<std::uint32_t> rest_next_;  // [rest * atoms_ + atom]; states without characters
  std::vector<bool> rest_accepts_, rest_settled_;
  std::vector<regex::ByteSet> rest_settling_, rest_live_;
  regex::ByteSet no_bytes_ = {};
  bool is_any_text_written_ = true;  // no valid character is excluded
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_PIECE_AUTOMATON_H_
