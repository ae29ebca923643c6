// CanonicalAutomaton: which token sequences are exactly what a tokenizer writes.
//
// WHAT   For a tokenizer tau and the bytes h(u) of a token sequence u, u is *canonical* if u = tau(h(u)). The automaton
//        reads tokens. After a prefix u its state says which tokens may come next (row), whether u is canonical as it
//        stands (may_end), and what the text after a boundary here must be like (rest_after), so that a caller can
//        ask whether a grammar has a way on without trying tokens.
// WHY    A plain mask allows every way of spelling a text. Models were trained on one of them.
//
// HOW    Three things decide, and a state has one part for each.
//          - The last token. In a piece of text that the tokenizer merges as one, t1 … tk is canonical iff each token
//            is *made* (merging its own bytes gives it) and each two neighbours are a compatible pair (MergeForest).
//          - The *places*. A tokenizer first splits text into pieces. Where a piece ends may depend on text to come, so
//            a state holds several hypotheses of the PieceAutomaton, each with the bytes of a character begun.
//          - Per place, the beginning of an unmade token that the piece spells: where a whole piece may be a token that
//            merges do not make (ignore_merges, tiktoken), the piece must not be written in several tokens.
//        After a state (l, P), token t leads to
//            { p read on by t : p in P, (l, t) compatible }  and  { p cut, then read on by t : p in P may be cut }.
//        A tokenizer that takes the longest token that fits has no merges. There a place holds what the text must not
//        go on to: nodes of the vocabulary's trie after which longer tokens end than those that were taken.
//        States are {last token, set of places}, interned; equal ids mean equal futures, different ids may, too.
//
// VIABILITY, for callers that have a grammar. Let g be the grammar's state. (g, c) has a way to an end iff
//          (1) g and may_end(c); or
//          (2) for a place p of c with may_cut(p), some text that the grammar may still read from g is in the language
//              of rest_after(p); *no tokens are looked at*, since after a boundary every text has a tokenization; or
//          (3) for a token t that may come after c inside the same piece, (g·t, step(c, t)) has a way.
//        (1) and (2) depend on the places alone. Most often something simpler than (3) holds, too: the grammar may read
//        a byte of keeping_bytes(c), which merges with nothing before it, and go on with a text of rest_around(p) that
//        begins with it. For (2), step the rest by bytes beside the grammar: it is a small
//        deterministic automaton. As soon as the grammar may read a byte of settling_bytes(rest), or is_settled(rest),
//        any valid UTF-8 text of the grammar will do and the search is over.
//
// INVARIANTS
//   - row(c) has token t iff step(c, t) is not kRefused.
//   - A state that step() returns has a place that some text leads to the end of the text; whether tokens do is up to
//     the search of VIABILITY.
//   - Rows, parts and step() are about text tokens: special, unused and stop tokens are in no row. A special token may
//     follow where may_end(c); after it the automaton starts anew: restart().
//   - Texts are valid UTF-8. A text that the tokenizer does not give back, U+2581 under SentencePiece say, has no
//     canonical tokens. Where the tokenizer normalizes to NFC, these are the texts in other forms (nfc_automaton.h).
//
// COST   Made on first use of a vocabulary and kept with it. Then a step is a pair test (0.2 to 0.4 µs) and two look-ups
//        of what is known; a row is a copy of a base row, 25 kB for o200k_base, and some thousand cleared bits.
// LIMITS A pre-tokenizer with more than kMaxHypotheses hypotheses is refused. What is remembered of steps is bounded by
//        kRememberedSteps; states are not: a caller that counts memory asks memory_bytes().
// THREADS All const members may be called concurrently. Reading what is known takes no lock; what is new takes one.
//
// REFERENCES  Cognetta and Okazaki, Tokenization as finite-state transduction, 2024, and its successors on regex-guided
//        generation; Berglund and van der Merwe, Formalizing BPE tokenization, 2023; Vieira et al., Language models over
//        canonical byte-pair encodings, 2025; Moseley et al., Derivative based nonbacktracking real-world regex matching
//        with backtracking semantics, PLDI 2023.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_
#define WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regex/expr/byte_set.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::canonical {

class MergeForest;
class NfcAutomaton;
class PieceAutomaton;

/// A state. Dense, from 0.
enum class CanonicalId : std::uint32_t {
  kRefused = UINT32_MAX,  ///< No state: the token may not come.
};

/// A hypothesis about the piece in progress: where it began, what it may still be, the bytes of a character begun, and
/// the beginning of an unmade token that it spells. Dense, from 0.
enum class PlaceId : std::uint32_t {};

/// A state of the deterministic automaton of the texts that may stand after a boundary, and the bytes of a character
/// begun.
enum class RestId : std::uint32_t {
  kNone = UINT32_MAX,  ///< No text may.
};

/// Whether `vocabulary` has a canonical automaton, without making all of it.
/// Errors   kUnsupported: a part of the tokenizer that is refused, by name: Unigram, WordPiece, splits that remove text,
///          look-behind and back-references in patterns, normalizers that no text survives whole, added tokens that
///          strip white space, …
/// Cost     The pre-tokenizer's patterns, some milliseconds at the first call for a vocabulary; then O(1).
Result<void> canonical_support(const vocab::Vocabulary& vocabulary);

class CanonicalAutomaton {
 public:
  /// Steps that are remembered, at 16 to 32 bytes each; others are worked out each time.
  static constexpr std::size_t kRememberedSteps = std::size_t{1} << 18;

  /// The vocabulary's automaton: made when it is first asked for, one for all users, kept as long as the vocabulary.
  /// Errors   As canonical_support.
  /// Cost     The first time some 50 ms for 200,000 tokens.
  static Result<const CanonicalAutomaton*> of(const vocab::Vocabulary& vocabulary);

  CanonicalAutomaton(const CanonicalAutomaton&) = delete;
  CanonicalAutomaton& operator=(const CanonicalAutomaton&) = delete;
  ~CanonicalAutomaton();

  // --- Sequences of tokens.

  /// Before the first token of a text. Where the tokenizer puts a space in front of a text (SentencePiece), the tokens
  /// that may come begin with that space: they stand for their first_token_bytes.
  [[nodiscard]] CanonicalId start() const;
  /// After a special token. No space is put in front: tokens stand for their token_bytes.
  [[nodiscard]] CanonicalId restart() const;
  /// After the tokens `context`, of which those up to the last special or unused token do not matter; start() for none.
  /// Errors   kInvalidArgument: a token out of range, or the tokens after the last special one are not canonical, with
  ///          the index of the first that may not stand there as `where.start`.
  [[nodiscard]] Result<CanonicalId> start(std::span<const std::uint32_t> context) const;

  /// The state after `token`; kRefused if it may not come. Precondition: state is not kRefused, token < vocab_size.
  [[nodiscard]] CanonicalId step(CanonicalId state, std::uint32_t token) const;
  /// places(step(state, token)), without making a state: for callers that look at many tokens. Empty: refused. The span
  /// lives as long as the automaton.
  [[nodiscard]] std::span<const PlaceId> places_after(CanonicalId state, std::uint32_t token) const;

  /// The state after `token` with `place` as its only place. Precondition: a part of some row that leads to the place
  /// has the token.
  [[nodiscard]] CanonicalId state_of(std::uint32_t token, PlaceId place) const;

  /// Writes into `bitmask` the tokens that may come: bit t is set iff step(state, t) is not kRefused.
  /// Precondition: bitmask.size() == bitmask_words(vocab_size).
  void row(CanonicalId state, std::span<std::uint32_t> bitmask) const;

  /// Whether the tokens so far are what the tokenizer writes for their text, if the text ends here.
  [[nodiscard]] bool may_end(CanonicalId state) const;

  /// The last token; UINT32_MAX at the start of a text. A number beyond the vocabulary stands for an unknown character
  /// that was written in byte tokens.
  [[nodiscard]] std::uint32_t last_symbol(CanonicalId state) const;
  /// Whether no token was read since the text began, or none but the space in front of the text.
  [[nodiscard]] bool is_text_start(CanonicalId state) const;
  /// The hypotheses, ascending. The span lives as long as the automaton. Never empty.
  [[nodiscard]] std::span<const PlaceId> places(CanonicalId state) const;

  // --- Places: what holds of a state whatever its last token.

  /// Whether the text may end here: may_end(state) is that this holds of one of its places.
  [[nodiscard]] bool may_end(PlaceId place) const;
  /// Whether the piece may end here and another begin.
  [[nodiscard]] bool may_cut(PlaceId place) const { return rest_after(place) != RestId::kNone; }
  /// The texts, not empty, that may then follow; kNone if the piece may not end here before further text.
  [[nodiscard]] RestId rest_after(PlaceId place) const;
  /// Whether some text goes on with the same piece: step (3) of VIABILITY has a chance.
  [[nodiscard]] bool may_go_on(PlaceId place) const;
  /// The texts, not empty, that may follow if the last token stays as it is whether or not a boundary is here. Of these,
  /// texts that begin with a byte of keeping_bytes(state) may follow the state. kNone where that cannot be said.
  [[nodiscard]] RestId rest_around(PlaceId place) const;
  /// Bytes that begin no token that could merge with the last one: whatever text begins with such a byte, the tokens so
  /// far stay as they are, if it is in rest_around of a place. Cost: that of a row.
  [[nodiscard]] regex::ByteSet keeping_bytes(CanonicalId state) const;

  // --- Texts after a boundary. All O(1).

  /// Null if the tokenizer does not normalize to NFC. If it does, only texts in NFC have canonical tokens, and what holds
  /// of a byte of settling_bytes holds of those texts alone: every valid UTF-8 text in NFC that begins with the byte may
  /// follow. Whether the grammar has one is for the caller to find out. No rest is settled then.
  [[nodiscard]] const NfcAutomaton* nfc() const;

  /// After one more byte; kNone if no text goes on so, or the byte does not go on with valid UTF-8.
  [[nodiscard]] RestId step(RestId rest, std::uint8_t byte) const;
  /// Whether the text may end here. False inside a character.
  [[nodiscard]] bool may_end(RestId rest) const;
  /// Whether every valid UTF-8 text, the empty one included, may follow. False inside a character.
  [[nodiscard]] bool is_settled(RestId rest) const;
  /// The bytes b such that every valid UTF-8 text that begins with b may follow. Empty inside a character. The reference
  /// lives as long as the automaton.
  [[nodiscard]] const regex::ByteSet& settling_bytes(RestId rest) const;

  // --- Whole rows, by where their tokens lead.

  /// The tokens that may follow one hypothesis about the piece in progress, or begin a piece in one way. Each leads to
  /// one place from there. Few sources make all rows of a vocabulary; they are made once.
  struct RowSource {
    struct Part {
      PlaceId to;
      /// The tokens that lead there: as a bitmask or, where that is smaller, as an ascending list; the other is empty.
      std::vector<std::uint32_t> bitmask, tokens;
    };
    std::uint32_t number = 0;            ///< Of the source; dense, from 0.
    std::vector<std::uint32_t> bitmask;  ///< All its tokens; empty if `tokens` has them.
    std::vector<std::uint32_t> tokens;   ///< Ascending.
    std::vector<Part> parts;
    /// With a bitmask: by token, 1 + the index of its part, 0 for others. With a list: beside it, 1 + the index.
    std::vector<std::uint16_t> part_numbers;

    [[nodiscard]] bool contains(std::uint32_t token) const { return part_number(token) != 0; }
    /// The place that the token leads to. Precondition: contains(token).
    [[nodiscard]] PlaceId place_after(std::uint32_t token) const { return parts[part_number(token) - 1U].to; }

   private:
    [[nodiscard]] std::uint16_t part_number(std::uint32_t token) const;
  };
  struct RowMember {
    const RowSource* source = nullptr;  ///< Lives as long as the automaton.
    /// True if its tokens continue the piece in progress: only those compatible with the last token count.
    bool same_piece = false;
  };
  /// Appends what row(state) is made of: token t leads to place p iff a source has t and leads to p with it, and the
  /// source is not of the same piece or t is compatible with the last token. Appended to `others` are tokens of which
  /// the sources do not say that, which are looked at one by one (places_after): some hundred at most, but all tokens of
  /// the row where the tokenizer takes the longest token that fits, and where a space is put in front of the text.
  void append_sources(CanonicalId state, std::vector<RowMember>& sources, std::vector<std::uint32_t>& others) const;
  /// The source whose tokens continue the piece in progress, but for byte tokens. Of tokens after which the piece spells
  /// the beginning of an unmade token, places_after tells the place. Null where no source says what continues it: inside
  /// of a character that is written in byte tokens, and where the tokenizer takes the longest token that fits. Under NFC,
  /// too, places_after tells the place of tokens that are others of append_sources.
  [[nodiscard]] const RowSource* inside_source(PlaceId place) const;
  /// Whether some characters are written in byte tokens.
  [[nodiscard]] bool has_byte_tokens() const;

  // --- Context.

  struct Healing {
    std::size_t tokens = 0;  ///< So many tokens at the end of the context are to be taken back.
    std::string bytes = {};  ///< The bytes that they stood for, which the output must then begin with.
  };
  /// How many tokens to take back so that no text to come makes the tokens left other ones, and the bytes that the text
  /// must then begin with. None are taken back without need, but for what kMostSteps in canonical_healing.cc gives up.
  /// Cost     Linear in the context.
  /// Errors   As start(context).
  [[nodiscard]] Result<Healing> heal(std::span<const std::uint32_t> context) const;

  // --- Inspection.

  [[nodiscard]] const vocab::Vocabulary& vocabulary() const;
  [[nodiscard]] const PieceAutomaton& pieces() const;
  /// Null where the tokenizer does not merge: longest match.
  [[nodiscard]] const MergeForest* forest() const;
  /// Text tokens that the tokenizer never writes.
  [[nodiscard]] std::size_t unwritten_tokens() const;
  [[nodiscard]] std::size_t state_count() const;
  [[nodiscard]] std::size_t memory_bytes() const;

  class Impl;
  explicit CanonicalAutomaton(std::unique_ptr<Impl> impl);

 private:
  // Where the text after the last special or unused token begins.
  [[nodiscard]] std::size_t text_begin(std::span<const std::uint32_t> context) const;

  std::unique_ptr<Impl> impl_;
};

inline std::uint16_t CanonicalAutomaton::RowSource::part_number(std::uint32_t token) const {
  if (!bitmask.empty()) return part_numbers[token];
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), token);
  return found == tokens.end() || *found != token ? std::uint16_t{0}
                                                  : part_numbers[static_cast<std::size_t>(found - tokens.begin())];
}

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_
