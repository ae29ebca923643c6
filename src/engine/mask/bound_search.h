// BoundSearch: decides whether the bounded rules in progress can be ended within their tokens.
//
// The basic idea: a yes is remembered for every state on the way that was found, and the mask allows the way's next
// token. So a search that gives up makes a mask smaller, but no dead end of its own.
//
// WHAT   A state after a token *fits its bounds* if tokens lead from it to a state outside of all bounded rules
//        (RowTable::outside), or to the end. A mask allows only tokens after which the state fits its bounds.
// WHY    Without this a mask would allow texts that cannot be finished within the bound. With it bounded rules make no
//        dead ends. A state that fits its bounds has a *way*, a sequence of tokens out of all bounded rules. The mask
//        allows its first token, and the rest of the way is a way from the next state. Outside of bounded rules there
//        is always a way, because compiling refuses a rule that cannot be ended within its bound.
// HOW    Far from the end of a bound the answer is quick (`ends_byte_by_byte`): every byte is a token, and some text
//        that leads out has no more bytes than tokens are left. Otherwise an exact answer would need all sequences of
//        tokens; instead there are two bounded searches:
//        - `ends_directly`: every residual in progress has a shortest member, every item after it a shortest text, and
//          every continuation a cheapest entry. Together they give a text. The next token is the longest one that is a
//          prefix of that text. The search is depth first, the cheapest text first, and stops after kMaxDetours states
//          without result.
//        - Then all tokens are tried, breadth first, until a state ends directly. The search ends after the level in
//          which it has visited Limits::lookahead_threads nodes of the vocabulary's trie in all. For one state it
//          visits at most an eighth of that, so inside a string not all tokens are tried.
//        If both searches fail, each residual in progress is tried alone. A rule that can be ended where it is the only
//        one in progress must also be endable beside others, which could use up the fuel of a common search.
//        The answers are consistent: if a way is found from a state, the answer for each state on it is remembered with
//        it. `ends_byte_by_byte` is consistent, too: it is true again after the first byte of its text, which is a token.
// EXAMPLE  `root ::= "<" @max_tokens(3: "a"* "bc") ">"`. The tokens are all single bytes and `aa`, `bc`, `c>`.
//        output   left  mask              does the state after a token fit its bounds?
//        `<`      3     `a` `aa` `b` `bc` after `a`: 2 left, and `bc` has 2 bytes. ends_byte_by_byte: yes, at once
//        `< a`    2     `a` `aa` `b` `bc` after `a`: 1 left, too few for 2 bytes. ends_directly: the longest token that
//                                         `bc` begins with is `bc`, and it leads out of the rule: yes
//        `< a a`  1     `bc`              after `b`: 0 left, and `c` is missing: no. After `a`: no
//        `< a b`  1     `c` `c>`          both lead out of the rule
//        `root ::= "<" @max_tokens(3: "x" "abcde") ">"` with `abc`, `ab`, `cde`: may `x` come after `<`? 2 tokens are
//        left then, and the text is `abcde`. Its longest token `abc` leaves `de`, which are two tokens: ends_directly
//        fails. So all tokens are tried: after `ab`, `cde` leads out. `x` may come, and after it `ab`, but not `abc`
//        nor `a`.
// COST   Each state is decided once. A state that ends byte by byte: a lookup and a step for each continuation on its
//        way, for each residual in progress. A state that ends directly: one text for each residual in progress, for
//        each token of the way. Any other state: at least one walk of the vocabulary's trie.
#ifndef WEIR_SRC_ENGINE_MASK_BOUND_SEARCH_H_
#define WEIR_SRC_ENGINE_MASK_BOUND_SEARCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "base/node_bytes.h"
#include "base/published_map.h"
#include "earley/row_table.h"
#include "engine/costs/completion_lengths.h"
#include "engine/costs/completion_measure.h"
#include "engine/costs/continuation_costs.h"
#include "engine/sets/state_id.h"

namespace weir::engine {

class LazyAutomaton;
struct Thread;

class BoundSearch {
 public:
  explicit BoundSearch(LazyAutomaton& automaton);

  /// Returns true if the state fits its bounds after every text that `residual`, a residual of a terminal in progress,
  /// does not reject. `after` are the entries that follow the terminal. This is a quick test: it may return false for a
  /// state that fits.
  bool stays_within_bounds(regex::ExprId residual, std::span<const earley::Entry> after);
  /// Returns whether `state` fits its bounds, if that is known. Requires no lock.
  [[nodiscard]] std::optional<bool> known(StateId state) const {
    const auto verdict = verdicts_.find(raw(state));
    return verdict ? std::optional(*verdict != 0) : std::nullopt;
  }
  /// Returns whether `state` fits its bounds, or the limit of exploring that was met.
  base::Answer fits_bounds(StateId state);
  /// Returns true if the last search found nothing and did not visit everything.
  [[nodiscard]] bool was_cut() const { return was_cut_; }

  [[nodiscard]] std::size_t memory_bytes() const {
    return base::node_bytes(ends_directly_) + costs_.memory_bytes() + lengths_.memory_bytes() +
           verdicts_.memory_bytes();
  }

 private:
  struct Way {
    WayCost cost;
    std::string text;                    // at most as long as the longest token
    std::optional<std::uint32_t> token;  // a token set, one token of which comes next; then `text` is empty
    friend auto operator<=>(const Way&, const Way&) = default;
  };

  bool can_go_byte_by_byte();
  bool ends_byte_by_byte(StateId state);
  bool fits(earley::Entry entry, std::uint64_t bytes);
  class AllTokens;
  class CheapestTexts;
  base::Answer search(StateId state);
  void remember(StateId state, bool result);
  base::Answer finds_way_jointly(StateId state);
  base::Answer ends_directly(StateId state);
  base::Answer finds_direct_way(StateId state);
  base::Limit list_parts(StateId state, std::vector<StateId>& parts);
  base::Limit add_next(StateId state, std::vector<StateId>& next);
  template <typename Use>
  base::Limit for_each_after(StateId state, std::uint64_t& nodes_visited, Use use);
  std::vector<Way> ways(const std::vector<Thread>& threads);
  void offer(const Thread& thread, std::vector<Way>& ways);
  void append(const earley::Entry& from, std::vector<WayPart>& parts);
  WayCost cost_of(const earley::Entry& entry);
  StateId after_longest_token(StateId state, std::string_view text);

  LazyAutomaton& automaton_;
  CompletionLengths lengths_;
  std::optional<bool> can_go_byte_by_byte_;
  ContinuationCosts costs_;
  base::PublishedMap verdicts_;                            // by state: 1 if it fits its bounds, else 0
  std::unordered_map<std::uint32_t, bool> ends_directly_;  // by state
  bool was_cut_ = false;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_BOUND_SEARCH_H_
