// CanonicalDistance: whether a canonical output can be completed with so many further tokens.
//
// The basic idea: a text is written in canonical tokens in at most one way, so the texts that complete a state give a
// bound that nearly always decides. Only what it leaves open is searched.
//
// WHAT   The distance of a pair of a grammar state g and a canonical state c is the least number of tokens that lead
//        from it to an end in both, stop tokens not counted. With canonical tokenization a matcher with a budget of
//        tokens (MatcherOptions::max_tokens) allows a token only if the distance of the pair after it is within what is
//        left.
// HOW    For each pair a lower and an upper bound are remembered, as TokenDistance does for states.
//        The upper bound comes from the shortest texts that complete g (TokenDistance::short_ways). A text is written in
//        canonical tokens after c in at most one way, which is found by dynamic programming over its bytes.
//        Most tokens need no bound of their own. If the piece may end at a place p, how many tokens a text takes after
//        p does not depend on the last token: one bound for (g, p) serves all tokens that lead to both. The states
//        after a token are those of NextStates, the places those of the sources of canonical rows.
//        If that bound does not decide, and more than kMaxTokensDecidedSingly tokens lead to (g, p), a *spot*, it is
//        searched whether so many tokens suffice from there, by all tokens of a list and a part at once (SpotGraph).
//        Tokens within a piece must be compatible with their neighbours, which a spot does not know. So there are two
//        searches: one in which each token begins a piece, whose yes is certain, and one in which any tokens may be
//        neighbours, whose no is certain. What both leave open is decided for each token by a search of pairs, those of
//        fewest tokens first (base/reach.h). States whose distance without canonical tokenization is too large are not
//        visited. A search that gives up makes the mask smaller than it could be. There are no dead ends: a way that was
//        found is remembered with each pair or spot on it, and its next token is allowed.
//        Searches do not read the text, so where rules follow it (the keys of an object), an output reaches other states
//        than the search did. keep_way() follows the way from these, too.
//        From some number of tokens left on, the mask is the canonical mask: the greatest upper bound of all pairs that
//        tokens lead to. That number is found once for a grammar state and a source.
//        Rules bounded by `max_tokens` are taken in with the same search. A state then says how many tokens are left to
//        each rule in progress (fences, row_table.h), so whether a text completes it depends on its tokens. A way is
//        therefore followed in the grammar, token by token, before it counts. Without a budget any number of tokens may
//        follow (PairWithin::kAnyNumber): the mask has the tokens after which some way leads to an end.
// EXAMPLE  `"[" ("true" ("," "true")*)? "]"`, embedded tokenizer, max_tokens 4, and the output is the tokens `[`
//        `true`: 2 are left. The canonical mask is `,` and `]`; each must lead to a pair from which 1 token suffices.
//        1. `]` leads to an end: tokens_after_cut() is 0. It stays.
//        2. `,` leads to a state that the text `true]` completes (ways_of). After a boundary that text is written in 2
//           tokens, too many. Even with any tokenization 1 does not suffice (fits_plain), so nothing is searched, and
//           `,` is removed.
//        3. With max_tokens 5, 3 are left, and both stay. `whole_from` of the pair is then at most 3: with 3 tokens or
//           more its mask is the canonical mask, without a look at tokens.
//        `"(" ("xq" | "true")`, max_tokens 2:
//        4. `xq` is the text of fewest bytes, but takes 2 tokens after `(`. So a search goes from pair to pair, and
//           finds `(` `true`. Both pairs remember what is left of this way (`most`, `next`), so `true` is certain to
//           come in the next mask. `x` is not in it.
//        A JSON string has begun, the embedded tokenizer, and 7 tokens are left of which the least text takes 6:
//        5. After nearly all tokens the string goes on, in one of some ten places: some ten spots decide 7,300 tokens. From
//           nearly each of them a quote may begin a piece, and the first search finds the rest of the text after it.
// COST   Far from the end of the budget, a lookup. For a new pair, the bounds of some states and places, each some µs; in
//        a tokenizer without pieces, some µs for each token of a source. For a mask that is narrowed, a lookup for each
//        token of the mask, and searches.
// LIMITS A search visits Limits::lookahead_threads / kNodesForPairVisit pairs or spots and tries kTriesForPairVisit times
//        as many tokens or parts. All searches for a mask together try kMaskTries times lookahead_threads. Each is a step
//        of the call, so it may also meet Limits::call_work.
// THREADS Safe to call concurrently; one lock is held during a call.
#ifndef WEIR_SRC_ENGINE_CANONICAL_CANONICAL_DISTANCE_H_
#define WEIR_SRC_ENGINE_CANONICAL_CANONICAL_DISTANCE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "base/threads.h"
#include "canonical/canonical_automaton.h"
#include "engine/mask/next_states.h"
#include "engine/sets/mask.h"
#include "engine/sets/state_id.h"
#include "engine/sets/token_view.h"

namespace weir::engine {

class SharedAutomaton;
class CanonicalProduct;

/// A pair of states, the position of the next token, and the number of tokens that may follow.
struct PairWithin {
  StateId g{};
  canonical::CanonicalId c{};
  TokenPosition position = TokenPosition::kInside;
  std::uint32_t left = 0;

  static constexpr std::uint32_t kAnyNumber = 1U << 30;  ///< Any number of tokens: only rules have bounds.
};

class CanonicalDistance {
 public:
  using CanonicalId = canonical::CanonicalId;
  /// Both must outlive the object.
  CanonicalDistance(SharedAutomaton& automaton, CanonicalProduct& product);

  /// Removes from `bitmask`, the canonical mask of the pair, the tokens after which more than `left` - 1 tokens are
  /// needed. If a limit is returned, the bitmask must not be used.
  base::Limit restrict_mask(const PairWithin& at, std::span<std::uint32_t> bitmask);
  /// Returns true if that mask is known to be the canonical mask.
  [[nodiscard]] bool is_whole_mask(const PairWithin& at);
  /// Returns whether `left` tokens suffice, and sets `known` to the fewest that are known to suffice, if any are.
  base::Answer fits(const PairWithin& at, std::optional<std::uint32_t>& known);
  /// For a token of the mask that restrict_mask() gives, after which an output is in the state `next`: if that is another
  /// state than a search goes to, because the text decides on it, remembers a way of at most `left` - 1 tokens from it, if
  /// one is found.
  base::Limit keep_way(const PairWithin& at, std::uint32_t token, StateId next);
  /// Returns the next token of the shortest known way from (g, c); no value if none is known, or if this is an end.
  std::optional<std::uint32_t> next_on_way(StateId g, CanonicalId c, TokenPosition position);

  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  using PlaceId = canonical::PlaceId;
  using RowSource = canonical::CanonicalAutomaton::RowSource;
  static constexpr std::uint32_t kNever = UINT32_MAX;  // no way is known
  struct Pair {
    StateId g{};
    CanonicalId c{};
    TokenPosition position = TokenPosition::kInside;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  // The state and the place after a token, whichever leads to both.
  struct Spot {
    StateId g{};
    PlaceId place{};
    std::uint32_t token = 0;  // one that leads to the place
    friend bool operator==(const Spot& a, const Spot& b) { return a.g == b.g && a.place == b.place; }
  };
  // The tokens that are taken to follow each other in a piece: none, so each token begins a piece; or any two.
  enum class Neighbours : std::uint8_t { kCuts, kAny };
  // Bounds of the number of tokens from a spot to an end. It is at most `most`, if the piece may end at the place.
  struct SpotBounds {
    std::uint32_t most = kNever;
    std::uint32_t next = kNever;      // the token with which a way of `most` tokens begins, if a search found it
    std::uint32_t may_from = kNever;  // so many are not excluded
    std::array<std::uint32_t, 2> least = {};  // by Neighbours: fewer do not suffice
    bool is_measured = false;                 // `most` is that of the short ways, or less
  };
  class Graph;
  class SpotGraph;
  struct Bounds {
    std::uint32_t least = 0;
    std::uint32_t most = kNever;
    std::uint32_t next = kNever;  // the first token of a way of `most` tokens
    bool is_measured = false;     // `most` is that of the short ways, or less
  };
  // A text that completes a state, with tokens that are taken as a whole in it, and how it is written.
  struct Unit {
    bool is_token;
    std::uint32_t value;  // a token or a byte
  };
  struct WayToken {
    std::uint32_t token;
    std::uint32_t units;
  };
  struct Rest {
    std::uint32_t tokens = kNever;  // that the rest of the way takes
    std::uint32_t token = kNever;   // the first of them
    std::uint32_t place = 0;        // after that token: the unit
    CanonicalId after{};            // after that token: the canonical state
  };
  struct Way {
    std::vector<Unit> units;
    std::vector<std::optional<std::vector<WayToken>>> tokens;  // by unit: tokens that the way has from there
    std::unordered_map<std::uint64_t, Rest> rests;             // by unit and canonical state
  };
  // The tokens of a list that a source leads to one place.
  struct PartOfList {
    std::uint16_t part = 0;
    std::uint32_t first = 0;   // of the tokens
    std::uint32_t tokens = 0;  // how many
  };
  struct Narrow {
    std::uint32_t left;
    Mask mask;
  };
  struct Masks {
    std::uint32_t whole_from = kNever;  // tokens left from which on the mask is the canonical mask; the least known
    std::vector<Narrow> narrow;
  };

  [[nodiscard]] static std::uint64_t key_of(StateId g, CanonicalId c) {
    return (std::uint64_t{raw(g)} << 32) | static_cast<std::uint32_t>(c);
  }
  bool may_try(std::uint32_t& tries);
  Bounds& bounds_of(const Pair& at);
  std::vector<Way>& ways_of(StateId g);
  const std::vector<WayToken>& tokens_at(Way& way, std::uint32_t unit);
  const Rest& rest_of(Way& way, std::uint32_t unit, CanonicalId c);
  base::Limit measure(const Pair& at, Bounds& bounds);
  base::Limit follow(Pair at, Way& way, const Rest& rest, std::uint32_t& tokens);
  base::Limit follow_after(Pair at, const WayToken& next, CanonicalId after, Way& way, std::uint32_t& tokens);
  void remember_followed(std::span<const std::pair<Pair, std::uint32_t>> followed, std::uint32_t tokens);
  base::Limit remember_way(const Pair& at);
  [[nodiscard]] static std::uint64_t key_of(const Spot& at) {
    return (std::uint64_t{raw(at.g)} << 32) | static_cast<std::uint32_t>(at.place);
  }
  base::Limit tokens_after_cut(const Spot& at, std::uint32_t& tokens);
  base::Answer fits_spot(const Spot& at, Neighbours neighbours, std::uint32_t tokens);
  [[nodiscard]] bool is_excluded(const Spot& at, std::uint32_t tokens) const;
  void take_spots(const Pair& at, Bounds& bounds);
  bool has_whole(const vocab::TokenSet& list);
  base::Answer fits_plain(StateId state, TokenPosition position, std::uint32_t tokens);
  const std::vector<PartOfList>& parts_of(const vocab::TokenSet& list, const RowSource& source);
  base::Answer fits_locked(const Pair& at, std::uint32_t tokens);
  base::Answer finds_way_within(const Pair& from, std::uint32_t tokens);
  base::Limit find_after(const Pair& at, std::uint32_t token, Pair& after);
  base::Answer fits_after(const Pair& at, std::uint32_t token, std::uint32_t tokens);
  base::Limit most_of_source(StateId g, TokenPosition position, const RowSource& source,
                             const std::vector<NextState>& next, std::uint32_t& most);
  base::Limit most_of(const Pair& at, const std::vector<NextState>& next, std::span<const std::uint32_t> bitmask,
                      std::uint32_t& most);
  base::Limit narrow(const Pair& at, std::uint32_t left, const std::vector<NextState>& next,
                     std::span<std::uint32_t> bitmask);
  [[nodiscard]] bool is_one_by_one(const NextState& to, std::uint32_t token) const;
  Masks* find_masks(const Pair& at);
  void publish_memory();

  SharedAutomaton& automaton_;
  CanonicalProduct& product_;
  const canonical::CanonicalAutomaton& canonical_;
  const vocab::Vocabulary& vocabulary_;
  std::uint32_t fuel_;
  std::uint32_t tries_left_ = 0;  // tokens that searches for one mask may still try
  Mutex mutex_;                   // guards all members
  std::array<std::unordered_map<std::uint64_t, Bounds>, kTokenPositions> bounds_;  // by position; by pair
  std::unordered_map<std::uint32_t, std::vector<Way>> ways_;                       // by state
  std::vector<Way> cut_ways_;                            // of the last state whose ways the call's limit cut short
  std::unordered_map<std::uint64_t, SpotBounds> spots_;  // by state and place
  std::unordered_map<const vocab::TokenSet*, bool> whole_lists_;  // by list: has_whole
  std::unordered_map<const vocab::TokenSet*, std::unordered_map<std::uint32_t, std::vector<PartOfList>>>
      parts_;  // by list; by source
  std::array<std::unordered_map<std::uint64_t, std::uint32_t>, kTokenPositions>
      most_of_sources_;                                                          // by position; by state and source
  std::array<std::unordered_map<std::uint64_t, Masks>, kTokenPositions> masks_;  // by position; by pair
  std::size_t masks_bytes_ = 0;
  std::size_t ways_bytes_ = 0;
  std::atomic<std::size_t> memory_bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CANONICAL_CANONICAL_DISTANCE_H_
