// CanonicalAutomaton: accepts the token sequences that a tokenizer itself writes.
//
// The basic idea: within a piece of text it is enough to compare neighbouring tokens. Where a piece ends may depend on
// text to come, so a state keeps all hypotheses about that.
//
// WHAT   For a tokenizer tau and the bytes h(u) of a token sequence u, u is *canonical* if u = tau(h(u)). The automaton
//        reads tokens. After a prefix u its state says which tokens may come next (row), whether u alone is canonical
//        (may_end), and which texts may follow a boundary here (rest_after). With the latter a caller can find out
//        whether a grammar has a completion without trying tokens.
// WHY    A plain mask allows every tokenization of a text. Models were trained on one of them.
//
// HOW    A state has three parts.
//          - The last token. In a piece of text that the tokenizer merges as one, t1 … tk is canonical iff each token
//            is *made* (merging its own bytes gives it) and each two neighbours are a compatible pair (MergeForest).
//          - The *places*. A tokenizer first splits text into pieces. The end of a piece may depend on text to come, so
//            a state holds several hypotheses of the PieceAutomaton. A place is one of them, with the bytes of an
//            incomplete character.
//          - For each place, the prefix of an unmade token that the piece spells. If a whole piece may be a token that
//            merges do not make (ignore_merges, tiktoken), the piece must not be written in several tokens.
//        From a state (l, P), token t leads to
//            { p after reading t : p in P, (l, t) compatible }  and
//            { p after a cut and reading t : p in P may be cut }.
//        A tokenizer by longest match has no merges. Its places hold the text that must not follow: nodes of the
//        vocabulary's trie below which there are longer tokens than those that were taken.
//        States are {last token, set of places}, interned. Equal ids have equal futures; so may different ids.
//
// EXAMPLE  Eight tokens, by rank: `a`, `b`, `_`, `c`, `ab`, `_a`, `_ab`, `abc`, where `_` is a blank. Pieces are the
//        words with one blank before them, `_?[abc]+`, and the blanks between such pieces.
//        after    places                     tokens that may come
//        `a`      in a word                  all but `b`: the tokenizer writes `ab` as one token
//        `ab`     in a word                  all but `c`: it writes `abc`
//        `ab a`   in a word                  those after `a`: the state is the same, because last token and places are
//        `_ab`    in a word                  all: `_abc` is no token, and is written `_ab c`
//        `_`      1. a word begins with it   from 1, `b` and `c`; not `a`, `ab`, `abc`: there is a token `_a`, or `_ab`
//                 2. it is between words     from 2, `_`, `_a`, `_ab`
//        Place 1 may neither be cut nor end, because letters must follow. Place 2 may be cut and may end, but no letter
//        may follow the cut: the blank would belong to the letter's word. rest_after(2) says so. After `_ b` only "in a
//        word" is left.
// VIABILITY, for callers that have a grammar. Let g be the grammar's state. (g, c) has a completion iff
//          (1) g accepts and may_end(c); or
//          (2) for a place p of c with may_cut(p), some text that the grammar may read from g is in the language of
//              rest_after(p); *no tokens are tried*, because after a boundary every text has a tokenization; or
//          (3) for a token t that may come after c inside the same piece, (g·t, step(c, t)) has a completion.
//        (1) and (2) depend on the places alone. In most cases a simpler condition than (3) holds, too: the grammar may
//        read a text of rest_around(p) whose first byte is in keeping_bytes(c), so it merges with nothing before it.
//        For (2), step the rest by bytes in parallel with the grammar: it is a small deterministic automaton. The
//        search ends as soon as is_settled(rest), or the grammar may read a byte of settling_bytes(rest): then any
//        valid UTF-8 text of the grammar may follow.
//
// INVARIANTS
//   - row(c) has token t iff step(c, t) is not kRefused.
//   - A state that step() returns has a place from which some text leads to an end. Whether tokens lead there is the
//     question of VIABILITY.
//   - Rows, parts and step() are about text tokens: special, unused and stop tokens are in no row. A special token may
//     follow if may_end(c); after it the automaton is in restart().
//   - Texts are valid UTF-8. A text that the tokenizer does not give back has no canonical tokens, for example U+2581
//     under SentencePiece, or a text in another form than NFC if the tokenizer normalizes to NFC (nfc_automaton.h).
//
// COST   Made on first use of a vocabulary and kept with it. Then a step is a pair test (0.2 to 0.4 µs) and two lookups
//        of known facts; a row is a copy of a base row, 25 kB for o200k_base, and some thousand cleared bits.
// LIMITS A pre-tokenizer with more than kMaxHypotheses hypotheses is refused. At most kMaxRememberedSteps steps are
//        remembered (search_bounds.h). The number of states is not bounded; memory_bytes() says their memory.
// THREADS All const members may be called concurrently. Reading known facts takes no lock; computing new ones takes
//        one.
//
// REFERENCES  Cognetta and Okazaki, Tokenization as finite-state transduction, 2024, and its successors on regex-guided
//        generation; Berglund and van der Merwe, Formalizing BPE tokenization, 2023; Vieira et al., Language models
//        over canonical byte-pair encodings, 2025; Moseley et al., Derivative based nonbacktracking real-world regex
//        matching with backtracking semantics, PLDI 2023.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_
#define WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regex/expr/byte_set.h"
#include "vocab/token_set.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::canonical {

class MergeForest;
class NfcAutomaton;
class PieceAutomaton;

/// Returns false in weir.wasm, which has no canonical tokenization; so the linker drops the code that asks first.
#ifdef __wasm__
[[nodiscard]] bool is_available();
#else
[[nodiscard]] constexpr bool is_available() { return true; }
#endif

/// A state. Dense, from 0.
enum class CanonicalId : std::uint32_t {
  kRefused = UINT32_MAX,  ///< No state: the token may not come.
};

/// A hypothesis about the piece in progress: where it began, what it may become, the bytes of an incomplete character,
/// and the prefix of an unmade token that it spells. Dense, from 0.
enum class PlaceId : std::uint32_t {};

/// A state of the deterministic automaton of the texts that may follow a boundary, and the bytes of an incomplete
/// character.
enum class RestId : std::uint32_t {
  kNone = UINT32_MAX,  ///< No text may follow.
};

/// Returns an error unless `vocabulary` has a canonical automaton. Does not make all of it.
/// Errors   kUnsupported: a part of the tokenizer that is refused, by name: Unigram, WordPiece, splits that remove
///          text, look-behind and back-references in patterns, normalizers that no text survives whole, added tokens
///          that strip white space, …
/// Cost     The pre-tokenizer's patterns, some milliseconds at the first call for a vocabulary; then O(1).
Result<void> canonical_support(const vocab::Vocabulary& vocabulary);

class CanonicalAutomaton {
 public:
  /// Returns the vocabulary's automaton: one for all users, made by the first call, kept as long as the vocabulary.
  /// Errors   As canonical_support.
  /// Cost     The first time some 50 ms for 200,000 tokens.
  static Result<const CanonicalAutomaton*> of(const vocab::Vocabulary& vocabulary);

  CanonicalAutomaton(const CanonicalAutomaton&) = delete;
  CanonicalAutomaton& operator=(const CanonicalAutomaton&) = delete;
  ~CanonicalAutomaton();

  // --- Sequences of tokens.

  /// Returns the state before the first token of a text. If the tokenizer adds a space before a text (SentencePiece),
  /// the tokens that may come begin with that space: they stand for their first_token_bytes.
  [[nodiscard]] CanonicalId start() const;
  /// Returns the state after a special token. No space is added there: tokens stand for their token_bytes.
  [[nodiscard]] CanonicalId restart() const;
  /// Returns the state after the tokens `context`; start() if there are none. Tokens up to the last special or unused
  /// one have no effect.
  /// Errors   kInvalidArgument: a token is out of range, or the tokens after the last special one are not canonical;
  ///          `where.start` is the index of the first one that may not come.
  [[nodiscard]] Result<CanonicalId> start(std::span<const std::uint32_t> context) const;

  /// Returns the state after `token`; kRefused if it may not come. Precondition: state is not kRefused, token <
  /// vocab_size.
  [[nodiscard]] CanonicalId step(CanonicalId state, std::uint32_t token) const;
  /// Returns places(step(state, token)) without making a state, for callers that try many tokens; empty if the token
  /// may not come. The span lives as long as the automaton.
  [[nodiscard]] std::span<const PlaceId> places_after(CanonicalId state, std::uint32_t token) const;

  /// Returns the state after `token` with `place` as its only place. Precondition: the token is in a part of some row
  /// that leads to the place.
  [[nodiscard]] CanonicalId state_of(std::uint32_t token, PlaceId place) const;

  /// Writes into `bitmask` the tokens that may come: bit t is set iff step(state, t) is not kRefused.
  /// Precondition: bitmask.size() == bitmask_words(vocab_size).
  void row(CanonicalId state, std::span<std::uint32_t> bitmask) const;

  /// Returns true if the tokens so far are what the tokenizer writes for their text.
  [[nodiscard]] bool may_end(CanonicalId state) const;

  /// Returns the last token; UINT32_MAX at the start of a text. A number beyond the vocabulary stands for an unknown
  /// character that was written in byte tokens.
  [[nodiscard]] std::uint32_t last_symbol(CanonicalId state) const;
  /// Returns true if no token was read since the text began, except for the space that the tokenizer adds.
  [[nodiscard]] bool is_text_start(CanonicalId state) const;
  /// Returns the places of a state, ascending; never empty. The span lives as long as the automaton.
  [[nodiscard]] std::span<const PlaceId> places(CanonicalId state) const;

  // --- Places: facts that do not depend on the last token.

  /// Returns true if the text may end here. may_end(state) is true if this is true of one of its places.
  [[nodiscard]] bool may_end(PlaceId place) const;
  /// Returns true if the piece may end here and another begin.
  [[nodiscard]] bool may_cut(PlaceId place) const { return rest_after(place) != RestId::kNone; }
  /// Returns the non-empty texts that may follow the end of the piece; kNone if it may not end here before further
  /// text.
  [[nodiscard]] RestId rest_after(PlaceId place) const;
  /// Returns true if some text continues the piece. Otherwise step (3) of VIABILITY finds nothing.
  [[nodiscard]] bool may_go_on(PlaceId place) const;
  /// Returns the non-empty texts that may follow if the last token does not change, whether or not a boundary is here.
  /// Those that begin with a byte of keeping_bytes(state) may follow the state. kNone if this is not known.
  [[nodiscard]] RestId rest_around(PlaceId place) const;
  /// Returns the bytes with which no token begins that could merge with the last one. A text that begins with such a
  /// byte and is in rest_around of a place does not change the tokens so far. Cost: that of a row.
  [[nodiscard]] regex::ByteSet keeping_bytes(CanonicalId state) const;

  // --- Texts after a boundary. All O(1).

  /// Returns null if the tokenizer does not normalize to NFC. If it does, only texts in NFC have canonical tokens. A
  /// byte of settling_bytes then says that every valid UTF-8 text in NFC that begins with the byte may follow; the
  /// caller must find out whether the grammar has one. No rest is settled.
  [[nodiscard]] const NfcAutomaton* nfc() const;

  /// Returns the rest after one more byte; kNone if no text continues with it, or if it makes invalid UTF-8.
  [[nodiscard]] RestId step(RestId rest, std::uint8_t byte) const;
  /// Returns true if the text may end here. False inside a character.
  [[nodiscard]] bool may_end(RestId rest) const;
  /// Returns true if every valid UTF-8 text, the empty one included, may follow. False inside a character.
  [[nodiscard]] bool is_settled(RestId rest) const;
  /// Returns the bytes b such that every valid UTF-8 text that begins with b may follow; none inside a character. The
  /// reference lives as long as the automaton.
  [[nodiscard]] const regex::ByteSet& settling_bytes(RestId rest) const;

  // --- Whole rows, with the places that their tokens lead to.

  /// The tokens that may follow one place inside its piece, or that may begin a new piece. Each leads to one place. All
  /// rows of a vocabulary consist of few sources, which are made once.
  struct RowSource {
    struct Part {
      PlaceId to;
      vocab::TokenSet tokens;  ///< Those that lead there.
    };
    std::uint32_t number = 0;  ///< The source's; dense, from 0.
    vocab::TokenSet tokens;    ///< Those of all parts.
    std::vector<Part> parts;
    std::vector<std::uint16_t> part_numbers;  ///< 1 + the index of a token's part, by TokenSet::index_of; 0 for others.

    [[nodiscard]] bool contains(std::uint32_t token) const { return part_number(token) != 0; }
    /// Returns the place that the token leads to. Precondition: contains(token).
    [[nodiscard]] PlaceId place_after(std::uint32_t token) const { return parts[part_number(token) - 1U].to; }
    /// Returns the index in `parts` of the token's part; a greater number if the source does not contain the token.
    [[nodiscard]] std::size_t part_of(std::uint32_t token) const { return part_number(token) - std::size_t{1}; }

   private:
    [[nodiscard]] std::uint16_t part_number(std::uint32_t token) const {
      const std::size_t index = tokens.index_of(token);
      return index < part_numbers.size() ? part_numbers[index] : std::uint16_t{0};
    }
  };
  struct RowMember {
    const RowSource* source = nullptr;  ///< Lives as long as the automaton.
    /// True if its tokens continue the piece in progress: only those compatible with the last token count.
    bool same_piece = false;
  };
  /// Appends the sources of row(state). Token t leads to place p iff a source has t and leads to p with it, and the
  /// source is not of the same piece or t is compatible with the last token. Appends to `others` the tokens for which
  /// the sources do not say this; use places_after() for each of them. They are some hundred at most, except for
  /// tokenizers by longest match and at a place where a space is added before the text: there they are all tokens of
  /// the row.
  void append_sources(CanonicalId state, std::vector<RowMember>& sources, std::vector<std::uint32_t>& others) const;
  /// Returns the source whose tokens continue the piece in progress; it has no byte tokens. Use places_after() for
  /// tokens after which the piece spells a prefix of an unmade token and, under NFC, for the `others` of
  /// append_sources(). Returns null inside a character that is written in byte tokens, and for tokenizers by longest
  /// match.
  [[nodiscard]] const RowSource* inside_source(PlaceId place) const;
  /// Returns true if some characters are written in byte tokens.
  [[nodiscard]] bool has_byte_tokens() const;

  // --- Context.

  struct Healing {
    std::size_t tokens = 0;  ///< The number of tokens to remove from the end of the context.
    std::string bytes = {};  ///< Their bytes, with which the output must then begin.
  };
  /// Returns how many tokens to remove so that no further text changes the other tokens. The first byte of those that are
  /// removed begins a character. Otherwise it removes no more than needed, except where kMaxHealingTokens ends a
  /// search.
  /// Cost     Linear in the context.
  /// Errors   As start(context).
  [[nodiscard]] Result<Healing> heal(std::span<const std::uint32_t> context) const;

  // --- Inspection.

  [[nodiscard]] const vocab::Vocabulary& vocabulary() const;
  [[nodiscard]] const PieceAutomaton& pieces() const;
  /// Returns null for tokenizers by longest match, which do not merge.
  [[nodiscard]] const MergeForest* forest() const;
  /// Returns the number of text tokens that the tokenizer never writes.
  [[nodiscard]] std::size_t unwritten_tokens() const;
  [[nodiscard]] std::size_t state_count() const;
  [[nodiscard]] std::size_t memory_bytes() const;

  class Impl;
  explicit CanonicalAutomaton(std::unique_ptr<Impl> impl);

 private:
  // Returns the index of the first token after the last special or unused one.
  [[nodiscard]] std::size_t text_begin(std::span<const std::uint32_t> context) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_AUTOMATON_H_
