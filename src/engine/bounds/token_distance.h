// TokenDistance: decides whether an output can be completed within a number of further tokens.
//
// WHAT   The distance of a state is the least number of tokens that lead from it to acceptance, stop tokens not
//        counted. A matcher with a budget of tokens (MatcherOptions::max_tokens) allows a token only if the distance of
//        the state after it is at most the rest of the budget.
// HOW    For each state a lower and an upper bound of the distance are remembered. In most cases the upper bound
//        decides. It takes no search through the vocabulary. The first upper bound is the length in bytes of a shortest
//        completion, if every byte is a token and the lengths of the grammar's terminals are known exactly
//        (do_costs_suffice). The second is the fewest tokens in which a shortest completion can be written (dynamic
//        programming over its bytes). If the rest of the budget lies between the bounds, all tokens are tried, breadth
//        first. This search ends when it finds a state whose upper bound is small enough, or when all states are tried,
//        which proves a lower bound. It gives up after Limits::lookahead_threads nodes of the vocabulary's trie; then
//        the mask is smaller than it could be.
//        There are no dead ends, because the upper bounds of all states on a completion that was found are remembered.
// LIMITS The text before a state is not known here. If the distance depends on it (keys that an object has, items that
//        must differ), the least distance after any text is taken.
// COST   A lookup for a known state. For a new one, that of its shortest completion, and possibly a search as above.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_BOUNDS_TOKEN_DISTANCE_H_
#define WEIR_SRC_ENGINE_BOUNDS_TOKEN_DISTANCE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/limit.h"
#include "earley/row_table.h"
#include "engine/bounds/completion_lengths.h"
#include "engine/explore/state_id.h"
#include "engine/mask/token_view.h"
#include "regex/expr/expr.h"

namespace weir::engine {

class Automaton;

class TokenDistance {
 public:
  explicit TokenDistance(Automaton& automaton) : automaton_(automaton) {}

  /// Sets `result` to true if `tokens` tokens, the first of them at `position`, suffice from `state`. Returns the limit
  /// of exploring that was met, and then leaves `result` unspecified.
  base::Limit fits(StateId state, TokenPosition position, std::uint64_t tokens, bool& result);
  /// Finds a completion of few tokens from `state`, and remembers the upper bounds of the states on it. Call it before
  /// the tokens of a state that fits are tested; then the state after one of them fits, too.
  void find_way(StateId state) {
    Bounds& bounds = bounds_inside(state);
    if (!bounds.is_measured) measure(state, bounds);
  }
  /// Returns true if `tokens` tokens suffice after every text that `residual`, a residual of a terminal in progress,
  /// does not reject. `after` are the entries that follow the terminal. This is a quick test: it may return false
  /// although they suffice.
  bool always_fits(regex::ExprId residual, std::span<const earley::Entry> after, std::uint64_t tokens);

  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kNode = 56;  // of a hash map: key, value, next pointer, bucket
    return (bounds_.size() + first_bounds_.size()) * kNode + lengths_.memory_bytes();
  }

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = kUnknown;
    bool is_measured = false;  // measure() has lowered `most`, or need not be called
  };

  Bounds& bounds_of(StateId state, TokenPosition position);
  Bounds& bounds_inside(StateId state);
  void measure(StateId state, Bounds& bounds);
  [[nodiscard]] std::vector<std::size_t> fewest_tokens(std::string_view text) const;
  bool do_costs_suffice();
  base::Limit search(StateId state, TokenPosition position, std::uint64_t tokens, bool& result);
  base::Limit for_each_next(StateId state, TokenPosition position,
                            const std::function<bool(StateId, TokenPosition)>& use);
  base::Limit for_each_exit(StateId state, TokenPosition position,
                            const std::function<bool(StateId, TokenPosition)>& use);

  Automaton& automaton_;
  std::unordered_map<std::uint32_t, Bounds> bounds_;        // by state
  std::unordered_map<std::uint32_t, Bounds> first_bounds_;  // by state, for the first token of a text
  CompletionLengths lengths_;
  std::uint64_t nodes_visited_ = 0;    // by the current search
  std::size_t checked_terminals_ = 0;  // by do_costs_suffice()
  bool do_costs_suffice_ = true;       // as far as terminals are checked
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_BOUNDS_TOKEN_DISTANCE_H_
