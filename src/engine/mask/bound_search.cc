#include "engine/mask/bound_search.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/reach.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/search_bounds.h"
#include "regex/analysis/members.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using earley::ContinuationId;
using earley::Entry;
using regex::ExprId;

BoundSearch::BoundSearch(LazyAutomaton& automaton)
    : automaton_(automaton), costs_(automaton.measure(), automaton.rows(), ContinuationCosts::Outside{}) {}

Answer BoundSearch::fits_bounds(StateId state) {
  if (const auto known = this->known(state)) return *known;
  const Answer fits = search(state);
  automaton_.measure().end_search();
  if (!fits.is_known()) return fits;
  if (base::Work::is_met()) return Limit::kCallWork;  // the search may have missed a shortest text
  remember(state, fits.is_yes());
  return fits;
}

void BoundSearch::remember(StateId state, bool result) {
  if (!verdicts_.find(raw(state))) verdicts_.insert(raw(state), result ? 1 : 0);
}

bool BoundSearch::stays_within_bounds(ExprId residual, std::span<const Entry> after) {
  if (!can_go_byte_by_byte()) return false;
  const auto lengths = lengths_.of(automaton_.exprs(), residual);
  return lengths && std::any_of(after.begin(), after.end(), [&](Entry entry) { return fits(entry, lengths->most); });
}

// Returns true if a text of n bytes can be written in n tokens: every byte is a token, conditions exclude no text of
// the grammar, and no bounded rule has a smaller bound than its own shortest text needs.
bool BoundSearch::can_go_byte_by_byte() {
  automaton_.update_measure();
  if (can_go_byte_by_byte_) return *can_go_byte_by_byte_;
  const auto is_long_enough = [&](const grammar::CfgRule& rule) {
    if (rule.max_tokens == grammar::kNoTokenLimit) return true;
    WayCost shortest = kNoWay;
    for (const grammar::ItemId first : rule.productions) {
      shortest = std::min(shortest, automaton_.measure().cost_of_suffix(first));
    }
    return shortest.tokens + shortest.bytes <= rule.max_tokens;
  };
  const auto& rules = automaton_.grammar().cfg().rules;
  can_go_byte_by_byte_ = automaton_.program().tokenizer.vocabulary().trie().has_all_bytes() &&
                         !automaton_.has_conditions() && std::all_of(rules.begin(), rules.end(), is_long_enough);
  return *can_go_byte_by_byte_;
}

// Returns true if some residual in progress, and then all bounded rules, can be ended with one token per byte.
bool BoundSearch::ends_byte_by_byte(StateId state) {
  if (!can_go_byte_by_byte()) return false;
  lexer::Lexer& lexer = automaton_.lexer();
  for (const Thread& thread : automaton_.threads(state)) {
    for (const auto& [terminal, residual] : lexer.items(thread.lexer)) {
      const auto lengths = lengths_.of(lexer.exprs(), residual);
      // An exact terminal that may end here has ended in a fresh thread on the next row; that thread is tested, too.
      if (!lengths || lengths->shortest == 0) continue;
      for (const Entry& after : automaton_.rows().items_after(thread.row, terminal)) {
        if (fits(after, lengths->shortest)) return true;
      }
    }
  }
  return false;
}

// Returns true if `bytes` bytes, followed by the cheapest way on from `entry`, meet every fence in time.
bool BoundSearch::fits(Entry entry, std::uint64_t bytes) {
  while (entry != earley::kAccept) {
    if (earley::is_fence(entry)) {
      if (bytes > earley::fence_tokens(entry)) return false;
    } else {
      const WayCost cost = automaton_.measure().cost_of_suffix(entry.item);
      if (cost.is_none()) return false;
      bytes += cost.tokens + cost.bytes;
      if (automaton_.rows().is_outside(entry.continuation)) return true;
    }
    if (cost_of(entry).is_none()) return false;
    entry = costs_.best(entry.continuation);
  }
  return true;
}

Answer BoundSearch::search(StateId state) {
  was_cut_ = false;
  if (ends_byte_by_byte(state)) return true;
  const Answer fits = finds_way_jointly(state);
  // With conditions the parts cannot be tried alone: a condition of one part may exclude what another part allows.
  if (!fits.is_no() || !was_cut_ || automaton_.has_conditions()) return fits;
  std::vector<StateId> parts;
  if (const Limit met = list_parts(state, parts); met != Limit::kNone) return met;
  for (const StateId part : parts) {
    if (part == state) continue;
    if (const Answer part_fits = finds_way_jointly(part); !part_fits.is_no()) return part_fits;
  }
  return false;
}

// Appends each residual in progress as a state of its own.
Limit BoundSearch::list_parts(StateId state, std::vector<StateId>& parts) {
  for (const Thread& thread : automaton_.threads(state)) {
    const auto items = automaton_.lexer().items(thread.lexer);
    const std::vector<lexer::Item> copy(items.begin(), items.end());  // interning may move the storage of `items`
    for (const lexer::Item& item : copy) {
      std::vector<Thread> alone{{thread.row, thread.rest, automaton_.lexer().state_of({item}), false}};
      if (base::is_limit_id(alone[0].lexer)) return base::limit_of_id(alone[0].lexer);
      parts.push_back(automaton_.intern(alone));
      if (is_limit(parts.back())) return limit_of(parts.back());
    }
  }
  return Limit::kNone;
}

// "Does some sequence of tokens lead to a state that ends directly?" States by tokens, those of fewest tokens first.
class BoundSearch::AllTokens : public base::ReachGraph<StateId> {
 public:
  explicit AllTokens(BoundSearch& search) : search_(search) {}
  static std::uint64_t hash(StateId state) { return base::hash_mix(1, raw(state)); }
  template <typename Out>
  Limit for_each_step(StateId state, Out& out) {
    if (std::exchange(left_, out.left()) != out.left() && is_out_of_fuel()) {
      gave_up_ = true;
      return Limit::kLookaheadThreads;
    }
    return search_.for_each_after(state, nodes_, [&](StateId next) -> Answer {
      const Answer ends = search_.ends_directly(next);
      if (!ends.is_known()) return ends;
      return ends.is_yes() ? out.ends(1, {}) : out.to(1, next, {});
    });
  }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  // Asked at the beginning of a level: each level that has begun is visited to its end.
  [[nodiscard]] bool is_out_of_fuel() const { return nodes_ > search_.automaton_.program().limits.lookahead_threads; }

  BoundSearch& search_;
  std::uint64_t left_ = UINT64_MAX;  // out.left() at the last call: one token less on each level
  std::uint64_t nodes_ = 0;          // of the trie, visited so far
  bool gave_up_ = false;
};

// Returns no also if the search gives up.
Answer BoundSearch::finds_way_jointly(StateId state) {
  using Search = base::Reach<AllTokens>;
  if (const Answer ends = ends_directly(state); !ends.is_no()) return ends;
  AllTokens graph(*this);
  Search search(graph, UINT64_MAX);
  const Answer found = search.find(state, UINT64_MAX);
  if (found.is_yes()) search.for_each_on_way([&](const auto& step) { remember(step.node, true); });
  was_cut_ = was_cut_ || graph.gave_up();
  return graph.gave_up() ? false : found;
}

Answer BoundSearch::ends_directly(StateId state) {
  if (const auto known = ends_directly_.find(raw(state)); known != ends_directly_.end()) return known->second;
  const Answer ends = finds_direct_way(state);
  if (!ends.is_known()) return ends;
  if (ends.is_no() && base::Work::is_met()) return Limit::kCallWork;
  ends_directly_.emplace(raw(state), ends.is_yes());
  return ends;
}

// "Does a cheapest text, in the longest tokens, lead out of all bounded rules?" Depth first, the cheapest text first.
class BoundSearch::CheapestTexts : public base::ReachGraph<StateId> {
 public:
  static constexpr bool kNewestFirst = true;

  explicit CheapestTexts(BoundSearch& search) : search_(search) {}
  static std::uint64_t hash(StateId state) { return base::hash_mix(1, raw(state)); }
  static std::optional<Order> order(StateId, std::uint64_t /*price*/, std::uint64_t /*bound*/) { return 0; }
  template <typename Out>
  Limit for_each_step(StateId state, Out& out) {
    const std::uint64_t depth = UINT64_MAX - out.left();
    gave_up_ = visited_++ > depth + kMaxDetours;
    if (gave_up_) return Limit::kLookaheadThreads;
    const Answer outside = search_.automaton_.finishes_outside(state);
    if (!outside.is_known()) return outside.limit();
    if (outside.is_yes()) {
      out.ends(0, {});
      return Limit::kNone;
    }
    std::vector<StateId> next;
    if (const Limit met = search_.add_next(state, next); met != Limit::kNone) return met;
    for (const StateId to : next) out.to(1, to, {});
    return Limit::kNone;
  }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  BoundSearch& search_;
  std::uint64_t visited_ = 0;  // states; those that are not on the way to the last of them are detours
  bool gave_up_ = false;
};

// Returns no also if the search gives up.
Answer BoundSearch::finds_direct_way(StateId state) {
  using Search = base::Reach<CheapestTexts>;
  CheapestTexts graph(*this);
  Search search(graph, UINT64_MAX);
  const Answer found = search.find(state, UINT64_MAX);
  if (found.is_yes()) search.for_each_on_way([&](const auto& step) { ends_directly_.emplace(raw(step.node), true); });
  return graph.gave_up() ? false : found;
}

// Appends the state after the first token of each direct way, the cheapest last.
Limit BoundSearch::add_next(StateId state, std::vector<StateId>& next) {
  const StateId from = automaton_.begin_token(state);
  if (from == StateId::kDead || is_limit(from)) return limit_of(from);
  for (const Way& way : ways(automaton_.threads(from))) {
    const StateId to =
        way.token.has_value() ? automaton_.after_token_set(from, *way.token) : after_longest_token(from, way.text);
    if (is_limit(to)) return limit_of(to);
    if (to != StateId::kDead && std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
  }
  std::reverse(next.begin(), next.end());
  return Limit::kNone;
}

// Returns the ways on from the residuals and token sets of `threads`, the cheapest first.
std::vector<BoundSearch::Way> BoundSearch::ways(const std::vector<Thread>& threads) {
  automaton_.update_measure();
  std::vector<Way> all;
  for (const Thread& thread : threads) offer(thread, all);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void BoundSearch::offer(const Thread& thread, std::vector<Way>& ways) {
  const std::size_t longest = automaton_.program().tokenizer.vocabulary().trie().max_depth();
  const std::uint32_t fuel = automaton_.program().limits.regex_fuel;
  lexer::Lexer& lexer = automaton_.lexer();
  for (const auto& [terminal, residual] : lexer.items(thread.lexer)) {
    // An exact terminal that may end here has ended in a fresh thread on the next row; that thread has its own ways.
    if (lexer.mode(terminal) == base::LexemeMode::kExact && lexer.exprs().nullable(residual)) continue;
    const auto head = regex::cut_shortest_member(lexer.exprs(), residual, fuel, longest);
    if (!head) continue;
    for (const Entry& after : automaton_.rows().items_after(thread.row, terminal)) {
      const WayCost cost = cost_of(after);
      if (cost.is_none()) continue;
      std::vector<WayPart> parts{{head->text(), {}}};
      if (head->length() < longest) append(after, parts);
      parts[0].text.resize(std::min(parts[0].text.size(), longest));
      ways.push_back({WayCost{0, head->length()} + cost, std::move(parts[0].text), {}});
    }
  }
  if (!thread.fresh) return;
  for (const std::uint32_t set : automaton_.rows().token_sets(thread.row)) {
    for (const Entry& after : automaton_.rows().items_after_tokens(thread.row, set)) {
      const WayCost cost = WayCost{1, 0} + cost_of(after);
      if (!cost.is_none()) ways.push_back({cost, {}, set});
    }
  }
}

// Appends the shortest text of the rest of an item, then of its continuation and so on, until the way is outside of
// bounded rules or the text is as long as the longest token.
void BoundSearch::append(const Entry& from, std::vector<WayPart>& parts) {
  const std::size_t longest = automaton_.program().tokenizer.vocabulary().trie().max_depth();
  for (Entry entry = from; entry != earley::kAccept; entry = costs_.best(entry.continuation)) {
    if (!earley::is_fence(entry)) (void)automaton_.measure().append_suffix(entry.item, parts, longest);
    if (parts.size() > 1 || parts[0].text.size() >= longest) return;
    if (!earley::is_fence(entry) && automaton_.rows().is_outside(entry.continuation)) return;
  }
}

// Returns the least cost from an item's dot to a place outside of bounded rules, or to the end.
WayCost BoundSearch::cost_of(const Entry& entry) {
  costs_.add({&entry, 1});
  return costs_.cost_of(entry);
}

// Returns the state after the longest token that is a prefix of `text` and leads to a state, kDead, or a limit's state.
StateId BoundSearch::after_longest_token(StateId state, std::string_view text) {
  StateId longest = StateId::kDead;
  automaton_.program().tokenizer.vocabulary().trie().for_each_prefix(text, [&](const vocab::TrieNode& node) {
    state = automaton_.step(state, static_cast<std::uint8_t>(node.byte));
    if (is_limit(state) || (state != StateId::kDead && node.tokens != 0)) longest = state;
    return state != StateId::kDead && !is_limit(state);
  });
  return longest;
}

// Calls `use(state)` with the states after all tokens while it returns yes. Counts nodes of the trie.
template <typename Use>
Limit BoundSearch::for_each_after(StateId state, std::uint64_t& nodes_visited, Use use) {
  const StateId from = automaton_.begin_token(state);
  if (from == StateId::kDead || is_limit(from)) return limit_of(from);
  const vocab::TokenTrie& trie = automaton_.program().tokenizer.vocabulary().trie();
  std::vector<StateId> path(trie.max_depth() + 1, from);
  const std::uint64_t most = automaton_.program().limits.lookahead_threads / kBoundWalks;
  std::uint64_t left = most;
  Answer goes_on = true;
  trie.scan(trie.all(), std::span(path), [&](std::size_t, const vocab::TrieNode& node, StateId before, StateId& after) {
    if (left == 0 || !goes_on.is_yes()) return vocab::Scan::kStop;
    --left;
    after = automaton_.step(before, static_cast<std::uint8_t>(node.byte));
    if (after == StateId::kDead) return vocab::Scan::kPast;
    if (is_limit(after)) {
      goes_on = limit_of(after);
    } else if (node.tokens != 0) {
      goes_on = use(after);
    }
    return goes_on.is_yes() ? vocab::Scan::kInto : vocab::Scan::kStop;
  });
  if (!goes_on.is_known()) return goes_on.limit();
  was_cut_ = was_cut_ || left == 0;
  nodes_visited += most - left;
  base::Work::charge((most - left) / base::Work::kTrieNodes);
  if (!automaton_.expects_token_terminals(from)) return Limit::kNone;
  for (const Thread& thread : automaton_.threads(from)) {
    if (!thread.fresh) continue;
    const auto listed = automaton_.rows().token_sets(thread.row);
    const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing may move the storage of `listed`
    for (const std::uint32_t set : sets) {
      if (!goes_on.is_yes()) return goes_on.limit();
      const StateId at = automaton_.after_token_set(from, set);
      if (is_limit(at)) return limit_of(at);
      if (at != StateId::kDead) goes_on = use(at);
    }
  }
  return goes_on.limit();
}

}  // namespace weir::engine
