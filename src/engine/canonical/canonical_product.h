// CanonicalProduct: allows the tokens that keep an output both in the grammar's language and as the tokenizer writes
// it.
//
// The basic idea: whether a token is a dead end depends on the grammar's state and on where the token leads, not on the
// token before it. So it is decided once for all pairs with the same source, and for many tokens at once.
//
// WHAT   A grammar state g (SharedAutomaton) and a canonical state c (canonical::CanonicalAutomaton) side by side. A token
//        may come if both allow it and the pair after it is *viable*: the tokenizer writes some member of the language
//        as the tokens so far followed by others.
// WHY    The grammar's mask allows every way of spelling a text. Dropping the tokens that c refuses is not enough: if
//        the tokenizer writes `null` as one token, the token `nu` leads to a dead end.
// HOW    A pair is viable if, for one of the places p of c,
//          1. the text may end in both; or
//          2. the piece may end here, and the grammar allows some text that may follow the boundary. After a boundary
//             every text has a tokenization, so tokens need not be examined. Mostly the next byte decides; if not, a
//             best-first search by bytes does; or
//          3. some token continues the piece to a viable pair: a search by tokens. If token terminals take tokens that
//             are text, which no byte leads over, tokens are searched to an end (search_viable_way).
//        All searches are graphs of Reach (base/reach.h).
//        The grammar's states are not changed: nothing in SharedAutomaton depends on c.
//        A mask is the grammar's mask without the tokens that c's row lacks and without the *dead* tokens, after which
//        the pair is not viable. Dead tokens are found by source. A row has few sources
//        (CanonicalAutomaton::RowSource), and in each of them a token leads to one place. Whether the token is dead
//        there depends on the grammar's state and the source, not on the last token. So dead tokens are found once for
//        a pair of grammar state and source. For tokens that stay inside a terminal, most of this work is done once for
//        a pair of terminal and source, for all grammars of the vocabulary (GroupsStore): a token is not dead if the
//        terminal may read one of certain texts after it, or may end in one of certain ways.
//        The tokens that continue a piece do not depend on the last token either. They are found once for a pair of
//        grammar state and place, and the last token determines which of them are compatible. In a mask of few tokens,
//        each token is checked alone.
//        A tokenizer that normalizes to NFC writes only the members of the language that are in NFC. The canonical
//        state and the rest after a boundary contain the necessary state of NFC. If any text may follow a byte, this
//        then means any text in NFC. So it must be known that the grammar has such a text: its shortest completion
//        (surely_ends_in_nfc), or an end of a terminal (PlainEnds) and a text after it. If the completion is not in
//        NFC, texts are searched to their end.
// EXAMPLE  `v ::= "[" (w ("," v)*)? "]" | w`, `w ::= "\"" [a-z]* "\""`, with the embedded tokenizer, after the tokens
//        `["` and `a`.
//        1. The grammar allows 2,494 tokens. The canonical row after `a` has two sources of interest: tokens that
//           continue the piece (2), and tokens that begin a new one (3).
//        2. Source 2: all its ready tokens, such as `i`, lead back into `[a-z]*"`. That may read `"` next, which begins
//           a new piece whatever comes later (settling_bytes). A test of two byte sets for each place shows that no
//           token is dead.
//        3. Source 3: `"` is ready, but it ends the terminal, so it is *unproven* there. It stays *undecided* with what
//           follows: only `,` or `]` may, and the tokenizer writes `",` and `"]` as one token each. No other terminal
//           proves it: it is a *suspect*, is_viable() looks at it alone, and it is dead.
//        4. `",`, `","` and `"]` end outside of the terminal: they are *listed*, with the state after each. All three
//           are viable.
//        5. The mask is the grammar's without the tokens that the row lacks (`n`: the tokenizer writes `an`) and
//           without the dead `"`: 1,148 tokens. For another last token with these sources, 2 to 4 are known.
//        In a mask of few tokens each is checked alone: before `"null" | "true"`, `n` is dead, since `null` is one
//        token.
// COST   A mask that is still stored: a copy of its base, and its difference from that (MaskBases). Any other mask: the
//        grammar's mask, the canonical row (a copy and some thousand bits), and a lookup of the dead tokens. If the dead
//        tokens are not known: also an intersection of byte sets for each group of tokens and place, and some 30 ns for
//        each listed token.
// LIMITS lookahead_threads bounds each search. A search that meets it returns the limit; it does not guess.
//        A grammar with rules that follow the text is searched as if any text came before: see docs/canonical.md.
// THREADS Safe to call concurrently; what is not yet known is stored under a lock.
// REFERENCES  docs/canonical.md.
#ifndef WEIR_SRC_ENGINE_CANONICAL_CANONICAL_PRODUCT_H_
#define WEIR_SRC_ENGINE_CANONICAL_CANONICAL_PRODUCT_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/aging_map.h"
#include "base/answer.h"
#include "base/hash.h"
#include "base/limit.h"
#include "base/published_map.h"
#include "base/threads.h"
#include "canonical/canonical_automaton.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/canonical/canonical_distance.h"
#include "engine/facts/ready_groups.h"
#include "engine/search_bounds.h"
#include "engine/sets/mask.h"

namespace weir::engine {

class CanonicalProduct : public Companion {
 public:
  using CanonicalId = canonical::CanonicalId;
  /// Returns the product of an automaton with the canonical automaton of its vocabulary; made at the first call.
  static CanonicalProduct& of(SharedAutomaton& automaton, const canonical::CanonicalAutomaton& canonical);

  /// All arguments must outlive the product.
  CanonicalProduct(SharedAutomaton& automaton, const canonical::CanonicalAutomaton& canonical, GroupsStore& store);

  [[nodiscard]] const canonical::CanonicalAutomaton& canonical() const { return canonical_; }

  /// Writes the mask of (g, c) over `bitmask`. If a limit is returned, the bitmask must not be used.
  base::Limit write_mask(StateId g, CanonicalId c, TokenPosition position, std::span<std::uint32_t> bitmask);

  // With a budget of tokens.

  /// Writes the mask without the tokens after which no end can be reached with one token less than may follow.
  base::Limit write_mask_within(const PairWithin& at, std::span<std::uint32_t> bitmask);
  /// Returns whether that mask has `token`, after which the pair is (next, after). If so, remembers a way from that pair.
  base::Answer is_allowed_within(const PairWithin& at, std::uint32_t token, StateId next, CanonicalId after);
  /// Returns whether so many tokens suffice, and sets `known` to the fewest that are known to suffice.
  base::Answer fits(const PairWithin& at, std::optional<std::uint32_t>& known);
  /// Returns the next token of the shortest way from (g, c) to an end that is known; no value if none is known, or if
  /// this is an end.
  std::optional<std::uint32_t> next_on_way(StateId g, CanonicalId c, TokenPosition position);
  /// Returns a number of the mask that write_mask_within has written: number_of() if no token was removed because of
  /// the budget, and otherwise one of its own.
  std::uint32_t number_within(const PairWithin& at);

  /// Returns whether (g, c) is viable.
  base::Answer is_viable(StateId g, CanonicalId c);

  /// Returns the canonical state after a token; kRefused if the token may not come. A special token is not text: it may
  /// come where the text may end, and a new text begins after it.
  [[nodiscard]] CanonicalId step(CanonicalId c, std::uint32_t token) const;

  /// step() for a token of an output: stored, so that it costs one lookup the next time.
  [[nodiscard]] CanonicalId accept(CanonicalId c, std::uint32_t token);

  /// Returns the tokens that the tokenizer writes for `text` inside a text, after `c`; no value if it writes no text that
  /// ends so.
  std::optional<std::vector<std::uint32_t>> tokens_after(CanonicalId c, std::string_view text);

  /// Sets `way` to few tokens that lead from (g, c) to an end; to none if a limit was met. Precondition: (g, c) is
  /// viable.
  base::Limit find_way(StateId g, CanonicalId c, TokenPosition position, std::vector<std::uint32_t>& way);

  /// Returns a number of the pair: equal pairs have equal numbers, different pairs different ones.
  std::uint32_t number_of(StateId g, CanonicalId c);

  [[nodiscard]] std::size_t memory_bytes() const override {
    const MutexLock lock(mutex_);
    return memory_bytes_.load(std::memory_order_relaxed) + masks_.memory_bytes() + bases_.memory_bytes() +
           in_terminals_.memory_bytes() + viable_.memory_bytes() + accepted_.memory_bytes() + distance_.memory_bytes();
  }

 private:
  friend class CanonicalDistance;
  using PlaceId = canonical::PlaceId;
  using RestId = canonical::RestId;
  using RowSource = canonical::CanonicalAutomaton::RowSource;
  using Ending = GroupsStore::Ending;
  using Endings = std::vector<Ending>;
  using Tokens = std::shared_ptr<const std::vector<std::uint32_t>>;
  struct Pair {
    StateId g;
    CanonicalId c;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct PairAt {
    StateId g;
    CanonicalId c;
    TokenPosition position;  // of the next token
    friend bool operator==(const PairAt&, const PairAt&) = default;
  };
  struct Text {  // what may follow a boundary
    StateId g;
    RestId rest;
    friend bool operator==(const Text&, const Text&) = default;
  };
  class PlainEnds;
  class TextGraph;
  class TokenGraph;
  class WayGraph;
  using Verdicts = std::unordered_map<std::uint64_t, bool>;
  struct PairAtHash {
    std::size_t operator()(const PairAt& at) const {
      return static_cast<std::size_t>(
          base::hash_mix(static_cast<std::uint64_t>(at.position),
                         (std::uint64_t{raw(at.g)} << 32) | static_cast<std::uint32_t>(at.c)));
    }
  };

  base::Limit find_dead(StateId g, TokenPosition position, const RowSource& source, Tokens& dead);
  struct Undecided {
    std::vector<std::uint32_t> open, dead;  // not known to be viable in a terminal, and known not to be; ascending
    const std::vector<std::uint32_t>* ready = nullptr;  // all ready tokens of the terminal, if they are few
  };
  // What is known of a residual of a terminal and a source, whatever the grammar's state.
  struct InTerminal {
    std::shared_ptr<const GroupsStore::Unproven> unproven;  // null: no token of the source is ready
    // The groups are the residual's own, and not those of an expression that tokens do not distinguish from it.
    bool is_own = false;
    const std::vector<std::uint32_t>* ready = nullptr;
  };
  std::vector<std::uint32_t> join_undecided(const TokenTargets& targets, TokenPosition position,
                                            std::vector<Undecided>& undecided, std::vector<std::uint32_t>& suspects);
  base::Limit find_undecided(const TokenTargets::Terminal& terminal, TokenPosition position, const RowSource& source,
                             Undecided& found);
  base::Limit find_unproven(const TokenTargets::Terminal& terminal, TokenPosition position, const RowSource& source,
                            InTerminal& found);
  base::Limit add_unproven(const TokenTargets::Terminal& terminal, bool is_own, TokenPosition position,
                           const GroupsStore::Unproven& unproven, std::vector<std::uint32_t>& tokens);
  std::shared_ptr<const GroupsStore::Unproven> find_unproven(ResidualTable& table, const FactsStore::Key& key,
                                                             const TokenView& tokens, const RowSource& source);
  std::shared_ptr<const GroupsStore::Unproven> find_unproven_beside(ResidualTable& table, const FactsStore::Key& key,
                                                                    regex::ExprId base,
                                                                    const GroupsStore::Unproven& in_base,
                                                                    const TokenView& tokens, const RowSource& source);
  void append_unproven(ResidualTable& table, const ReadyGroups& groups, const TokenView& tokens,
                       const RowSource& source, GroupsStore::Unproven& out);
  [[nodiscard]] TextBound reusable_length() const;
  base::Answer may_follow(StateId g, const Ending& ending);
  /// What finds_text() finds.
  struct FoundText {
    std::optional<std::string> text = {};
    Endings endings = {};
    bool is_complete = true;
  };
  static void add_ending(const Ending& ending, Endings& endings);
  void search_text(PlainEnds& ends, std::uint32_t residual, PlaceId place, std::size_t bytes_before,
                   FoundText& found) const;
  bool finds_text(PlainEnds& ends, std::uint32_t residual, PlaceId place, Endings& endings, std::string& text,
                  bool& is_complete) const;
  enum class Inside : std::uint8_t { kViable, kDead, kOpen };
  Inside look_inside(PlainEnds& ends, std::uint32_t token, const TokenView& tokens, PlaceId place, Endings& endings,
                     bool& is_near);
  bool has_proof(PlainEnds& ends, std::uint32_t residual, std::uint32_t token, PlaceId place, bool& is_near);
  template <typename Use>
  void for_common_continuations(ResidualTable& table, std::uint32_t from, const RowSource& source,
                                std::size_t max_bytes, Use use) const;
  template <typename Use, typename MayFollow, typename MayBegin>
  bool for_each_continuation(ResidualTable& table, std::uint32_t from, const RowSource& source, std::size_t max_bytes,
                             Use use, MayFollow may_follow, MayBegin may_begin) const;
  base::Limit compute_mask(StateId g, CanonicalId c, TokenPosition position, std::span<std::uint32_t> bitmask);
  base::Limit check_tokens(StateId g, CanonicalId c, TokenPosition position, const Mask& mask,
                           std::span<std::uint32_t> bitmask);
  base::Limit check_token(StateId g, CanonicalId c, TokenPosition position, std::uint32_t token,
                          std::span<std::uint32_t> bitmask);
  base::Answer may_text_end(StateId g);
  base::Answer is_place_viable(StateId g, PlaceId place);
  base::Answer surely_keeps_tokens(StateId g, CanonicalId c);
  base::Answer surely_leads_on(StateId g, CanonicalId c);
  [[nodiscard]] std::optional<bool> known_text(StateId g, RestId rest) const;
  base::Answer search_text(StateId g, RestId rest);
  template <typename Graph>
  base::Answer decide(Graph& graph, const typename Graph::Node& start, Verdicts& verdicts);
  base::Answer is_surely_settled(StateId g, const regex::ByteSet& bytes);
  base::Answer surely_ends_in_nfc(StateId g, std::optional<std::uint8_t> before);
  struct Continuation {
    std::uint32_t token;
    StateId next;  // of the grammar
    PlaceId to;
    bool is_viable;  // whatever the last token before it is
  };
  struct Continuations {
    std::vector<Continuation> steps;
    bool is_complete = false;  // no other token continues the piece
  };
  base::Limit find_continuations(StateId g, PlaceId place, std::shared_ptr<const Continuations>& found);
  template <typename Use>
  base::Answer continue_pieces(const Pair& from, bool& is_complete, Use use);
  [[nodiscard]] std::optional<bool> known_tokens(const Pair& pair) const;
  base::Answer search_tokens(StateId g, CanonicalId c);
  base::Answer find_viable(StateId g, CanonicalId c);
  enum class Steps : std::uint8_t { kNearer, kAll };
  enum class WayEnd : std::uint8_t { kComplete, kViable };  // kViable: also a pair that is known to be viable
  template <typename Use>
  base::Answer search_way(const PairAt& from, WayEnd end, Use use);
  base::Answer search_viable_way(StateId g, CanonicalId c);
  base::Limit step_grammar(StateId g, std::uint32_t token, TokenPosition position, StateId& next);
  template <typename Use>
  base::Limit for_each_step(const Pair& from, TokenPosition position, Use use);
  bool inside_tokens(CanonicalId c, TokenBits& tokens) const;
  template <typename Use>
  base::Limit for_each_inside(const Pair& from, Use use);
  template <typename Use>
  base::Limit for_each_step(StateId g, TokenPosition position, std::span<const std::uint32_t> tokens, Use use);
  // The number of the next pair. Requires the lock.
  [[nodiscard]] std::uint32_t next_number() const {
    return static_cast<std::uint32_t>(numbers_.size() + numbers_within_.size());
  }
  [[nodiscard]] bool is_whole(std::uint32_t token) const { return bitmask_get(whole_tokens_, token); }

  SharedAutomaton& automaton_;
  const canonical::CanonicalAutomaton& canonical_;
  const vocab::Vocabulary& vocabulary_;
  GroupsStore& store_;
  std::uint32_t fuel_;
  TokenBits whole_tokens_;         // tokens that are not text: special, unused and stop tokens
  bool takes_text_whole_ = false;  // some token terminal has a token that is text
  mutable Mutex mutex_;            // guards the members below; never held during a call of `automaton_`
  base::PublishedMap viable_;      // by state and canonical state: what is_viable finds; read without the lock
  base::PublishedMap accepted_;    // by canonical state and token: the state after it; read without the lock
  std::array<std::unordered_map<std::uint64_t, Tokens>, kTokenPositions> dead_;  // by position; by state and source
  Verdicts texts_;                                    // by state and rest: whether search_text finds one
  std::unordered_map<std::uint64_t, bool> nfc_ends_;  // by state and byte before: what surely_ends_in_nfc finds
  Verdicts tokens_;                                   // by state and canonical state: whether search_tokens does
  std::unordered_map<std::uint64_t, std::shared_ptr<const Continuations>> continuations_;  // by state and place
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_within_;  // by number of a pair and tokens left
  struct TerminalKey {
    regex::ExprId residual;
    std::uint32_t terminal, source;
    TokenPosition position;
    friend bool operator==(const TerminalKey&, const TerminalKey&) = default;
  };
  struct TerminalKeyHash {
    std::size_t operator()(const TerminalKey& key) const {
      const std::array<std::uint32_t, 4> words{static_cast<std::uint32_t>(key.residual), key.terminal, key.source,
                                               static_cast<std::uint32_t>(key.position)};
      return static_cast<std::size_t>(base::hash_words(words));
    }
  };
  base::AgingMap<TerminalKey, InTerminal, TerminalKeyHash> in_terminals_{kMaxInTerminalBytes};
  base::AgingMap<PairAt, std::shared_ptr<const Mask>, PairAtHash> masks_{kMaxCanonicalMaskBytes};
  MaskBases bases_;  // of `masks_`
  std::atomic<std::size_t> memory_bytes_ = 0;
  CanonicalDistance distance_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CANONICAL_CANONICAL_PRODUCT_H_
