// BudgetSearch: whether bounded rules in progress can be ended within their tokens.
//
// WHAT   A state that stands behind a token *has room* if tokens lead from it to a state outside of all bounded rules
//        (RowTable::outside), or to the end. What is asked of the last token of a mask's walk.
// WHY    Without it a mask would allow what the bound then cuts off. With it bounded rules make no dead ends: a state
//        that has room allows the first token of the way that was found, and behind that token the rest of the way is
//        one. Outside of bounded rules there is always a way: no rule is compiled that cannot be ended within its
//        bound.
// HOW    Far from the end of a bound it is plain: a text that leads out has no more bytes than tokens may begin, and
//        every byte is a token (`is_near`). Else, exact would be to try all sequences of tokens. Two searches find what
//        can be found at a cost:
//        - `ends_directly`: every residual in progress has a shortest member, every item behind it a shortest text, and
//          every continuation a cheapest entry. Of the text that these make together the longest token that is a
//          beginning of it is the next one. Depth first, the cheapest text first, until kDetours states were in vain.
//        - then all tokens, breadth first, for a state that ends directly: level by level, until the levels that were
//          searched in vain have visited Limits::lookahead_threads nodes of the vocabulary's trie; of one state an
//          eighth of that, so that from within a string not all tokens are looked at.
//        Where both are in vain, each residual in progress is tried by itself: what else may come here must not use up
//        what the search may visit, and a rule that can be ended where it stands alone can be ended in any place.
//        Whatever way is found from a state, the search from the next state on it finds the rest: it visits, in vain, a
//        part of what the search before visited in vain. So the answers fit together, and depend on the state alone.
//        (`is_near` fits in, too: behind the first byte of its text, alone in a token, it holds again.)
// COST   Each state is asked about once. A state that is near: a look-up and a step for each continuation on its way,
//        for each residual in progress. A state that ends directly: a text for each residual in progress, for each
//        token of the way. One that does not: a walk of the vocabulary's trie at least.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_BOUNDS_BUDGET_SEARCH_H_
#define WEIR_SRC_ENGINE_BOUNDS_BUDGET_SEARCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "earley/row_table.h"
#include "engine/bounds/completion_lengths.h"
#include "engine/explore/state_id.h"
#include "engine/matcher/completion_measure.h"

namespace weir::engine {

class Automaton;
struct Thread;

class BudgetSearch {
 public:
  explicit BudgetSearch(Automaton& automaton) : automaton_(automaton) {}

  /// Whether there is room behind whatever text stays inside of `residual`, a terminal in progress; `behind`: what its
  /// end resumes. False also where that is not plain.
  bool stays_within_budget(regex::ExprId residual, std::span<const earley::Entry> behind);
  /// Sets `result`, unless a limit of exploring is met.
  base::Limit fits_budget(StateId state, bool& result);
  /// Whether the last search that found nothing did not look at everything.
  [[nodiscard]] bool was_cut() const { return was_cut_; }

  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kNode = 48;  // of a hash map: key, value, the next one and a bucket
    return (below_.size() + ends_directly_.size()) * kNode + lengths_.memory_bytes();
  }

 private:
  // What is left behind a continuation until a way is outside of bounds, and by which entry.
  struct Below {
    WayCost cost = kNoWay;
    earley::Entry best = earley::kAccept;
  };
  struct Way {
    WayCost cost;
    std::string text;                    // as much of it as a token can be long
    std::optional<std::uint32_t> token;  // a token that is taken as a whole; then there is no text
    friend auto operator<=>(const Way&, const Way&) = default;
  };

  bool takes_bytes();
  bool is_near(StateId state);
  bool fits(earley::Entry entry, std::uint64_t bytes);
  // The rest return false when a limit is met, which limit_ then is.
  bool search(StateId state, bool& result);
  bool search_jointly(StateId state, bool& result);
  bool list_parts(StateId state, std::vector<StateId>& parts);
  bool is_outside(StateId state, bool& result);
  bool ends_directly(StateId state, bool& result);
  bool search_directly(StateId state, bool& result);
  bool add_next(StateId state, std::vector<StateId>& next);
  bool add_all_next(StateId state, std::vector<StateId>& next, bool& found);
  bool add_if_new(StateId state, std::vector<StateId>& next, bool& found);
  std::vector<Way> ways(const std::vector<Thread>& threads);
  void offer(const Thread& thread, std::vector<Way>& ways);
  void append(const earley::Entry& from, std::vector<CompletionPart>& parts);
  const Below& below(earley::ContinuationId continuation);
  WayCost cost_of(const earley::Entry& entry);
  StateId behind_longest_token(StateId state, std::string_view text);
  StateId checked(StateId state);

  Automaton& automaton_;
  base::Limit limit_ = base::Limit::kNone;
  CompletionLengths lengths_;
  std::optional<bool> takes_bytes_;
  std::unordered_map<earley::ContinuationId, Below> below_;
  std::unordered_map<std::uint32_t, bool> ends_directly_;  // by state
  std::unordered_map<std::uint32_t, bool> seen_;           // by one search of all tokens
  std::uint64_t nodes_visited_ = 0;                        // by it
  bool was_cut_ = false;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_BOUNDS_BUDGET_SEARCH_H_
