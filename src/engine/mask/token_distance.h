// TokenDistance: decides whether an output can be completed with a given number of further tokens.
//
// The basic idea: how many tokens are still needed is a fact about the state, whatever the budget is. Two bounds of it
// nearly always decide.
//
// WHAT   The distance of a state is the least number of tokens that lead from it to acceptance, stop tokens not counted.
//        A matcher with a budget of tokens (MatcherOptions::max_tokens) allows a token only if the distance of the state
//        after it is at most the number of tokens that remain.
// HOW    For each state a lower and an upper bound are remembered. Mostly the upper bound decides: the fewest tokens of
//        a shortest member of a terminal in progress, and the fewest tokens of a shortest text after that terminal
//        (dynamic programming over the bytes of each). If that bound is too large, the fewest tokens of both texts
//        together are a second one. Only if the budget lies between the bounds, the states that tokens lead to
//        (NextStates) are searched, those of fewest tokens first (base/reach.h), until the upper bound of one is small
//        enough, or all are visited. The search gives up after Limits::lookahead_threads / kNodesForDistanceVisit
//        states; then the mask is smaller than it could be. There are no dead ends: the upper bounds of all states on a
//        way to the end that was found are kept.
// LIMITS The text before a state is not known here. If the distance depends on it (keys that an object has, items that
//        must differ), it is that after the most favourable text.
// COST   A lookup for a known state. For a new one some lookups for each terminal in progress; for a search, the targets
//        of a mask for each state whose tokens are tried.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_MASK_TOKEN_DISTANCE_H_
#define WEIR_SRC_ENGINE_MASK_TOKEN_DISTANCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "base/node_bytes.h"
#include "earley/row_table.h"
#include "engine/costs/completion_measure.h"
#include "engine/mask/next_states.h"
#include "engine/sets/state_id.h"
#include "engine/sets/token_view.h"
#include "regex/expr/expr.h"

namespace weir::engine {

class LazyAutomaton;

class TokenDistance {
 public:
  TokenDistance(LazyAutomaton& automaton, MaskTable& masks, FactsCache& facts)
      : automaton_(automaton), next_(automaton, masks, facts) {}

  /// Returns whether `tokens` tokens suffice from `state`, of which the first is at `position`, or the limit of exploring
  /// that was met.
  base::Answer fits(StateId state, TokenPosition position, std::uint64_t tokens);
  /// Returns a number of tokens that suffice after each token of `next`, that token included. It need not be the least.
  std::uint64_t most_after(std::span<const NextState> next);
  /// Searches for a sequence of few tokens from `state` to acceptance. For each state on it, stores the number of tokens
  /// that remain from there as an upper bound on its distance. Call it before testing which tokens of a state fit a
  /// budget that the state itself fits: the first token of the sequence then fits the budget, too. Searches once a state.
  void find_way(StateId state) {
    Bounds& bounds = bounds_inside(state);
    if (!bounds.is_measured) measure(state, bounds);
  }
  /// Returns texts of few bytes that complete a state; none that are very long.
  std::vector<std::vector<WayPart>> short_ways(StateId state);
  /// Where the tokens of a state lead.
  NextStates& next() { return next_; }

  [[nodiscard]] std::size_t memory_bytes() const {
    return base::node_bytes(bounds_) + base::node_bytes(first_bounds_) + base::node_bytes(tokens_after_) +
           base::node_bytes(member_tokens_) + next_.memory_bytes();
  }

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  static constexpr std::uint64_t kNever = kUnknown / 4;  // sums of these do not overflow
  struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = kUnknown;
    bool is_measured = false;   // `most` is that of a shortest completion, or less
    bool is_estimated = false;  // `most` is that of a completion counted in parts, or less
  };
  // A completion: the rest of a terminal or a token set, then what follows.
  struct Start {
    std::uint64_t bytes = 0;  // a lower bound, of all
    std::size_t number = 0;   // in the order of the state's terminals
    regex::ExprId residual{};
    std::optional<std::uint32_t> set = {};
    earley::Entry after = earley::kAccept;
  };

  Bounds& bounds_of(StateId state, TokenPosition position);
  Bounds& entry_of(StateId state);
  Bounds& bounds_inside(StateId state);
  std::vector<Start> shortest_starts(StateId state);
  std::uint64_t least_tokens(StateId state);
  std::uint64_t tokens_of(const Start& start);
  [[nodiscard]] std::uint64_t tokens_of_text(std::string_view text) const;
  std::uint64_t count_from_each_place(regex::ExprId residual);
  // By place of a text: the fewest tokens from there on, and the length of the first of them.
  struct Spelling {
    std::vector<std::uint64_t> rest;
    std::vector<std::size_t> first;
  };
  [[nodiscard]] Spelling spell(std::string_view text) const;
  bool append_way(const Start& start, std::vector<WayPart>& way);
  std::uint64_t tokens_after(const earley::Entry& entry);
  std::uint64_t member_tokens(regex::ExprId residual);
  std::optional<std::string> member(regex::ExprId residual);
  bool append_after(const earley::Entry& entry, std::vector<WayPart>& parts);
  void measure(StateId state, Bounds& bounds);
  base::Limit follow_shortest_way(StateId state);
  base::Limit find_states_on(StateId state, const std::vector<WayPart>& way, std::vector<StateId>& states);
  [[nodiscard]] std::vector<std::size_t> fewest_tokens(std::string_view text) const;
  class Graph;
  base::Answer finds_way_within(StateId state, TokenPosition position, std::uint64_t tokens);

  LazyAutomaton& automaton_;
  NextStates next_;
  std::unordered_map<std::uint32_t, Bounds> bounds_;                // by state
  std::unordered_map<std::uint32_t, Bounds> first_bounds_;          // by state, for the first token of a text
  std::unordered_map<std::uint64_t, std::uint64_t> tokens_after_;   // by entry: the fewest tokens of its shortest text
  std::unordered_map<std::uint32_t, std::uint64_t> member_tokens_;  // by expression: the same of its shortest member
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_TOKEN_DISTANCE_H_
