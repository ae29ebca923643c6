#include "engine/bounds/token_distance.h"

#include <algorithm>
#include <unordered_set>

#include "base/work.h"
#include "engine/explore/automaton.h"
#include "engine/matcher/completion.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;

// Returns true if the cost of each symbol of the grammar is a number of tokens that suffices for some text of the
// symbol: every byte is a token, no condition excludes texts, and the least length of each terminal is that of a
// member. For a terminal with intersections, complements or escapes the least length is only a lower bound, so
// measure() decides.
bool TokenDistance::do_costs_suffice() {
  if (!automaton_.budget_search_.has_byte_tokens() || automaton_.has_conditions_) return false;
  regex::ExprSet& exprs = automaton_.lexer_.exprs();
  const auto& terminals = automaton_.grammar_.cfg().terminals;
  for (; do_costs_suffice_ && checked_terminals_ < terminals.size(); ++checked_terminals_) {
    const regex::ExprId expr = terminals[checked_terminals_].expr;
    const auto lengths = lengths_.of(exprs, expr);
    do_costs_suffice_ = lengths && lengths->shortest == exprs.min_length(expr);
  }
  return do_costs_suffice_;
}

// Returns the bounds of a state whose next token is at `position`.
TokenDistance::Bounds& TokenDistance::bounds_of(StateId state, TokenPosition position) {
  if (position == TokenPosition::kInside) return bounds_inside(state);
  const auto [entry, is_new] = first_bounds_.try_emplace(raw(state));
  if (is_new) {
    const bool accepts = automaton_.accepts(state);
    // It counts as measured, because measure() does not know the bytes that tokens have at the beginning of a text.
    entry->second = accepts ? Bounds{0, 0, true} : Bounds{1, kUnknown, true};
  }
  return entry->second;
}

// Returns the bounds of a state inside a text. A new state has an upper bound if do_costs_suffice().
TokenDistance::Bounds& TokenDistance::bounds_inside(StateId state) {
  const auto [entry, is_new] = bounds_.try_emplace(raw(state));
  Bounds& bounds = entry->second;
  if (!is_new) return bounds;
  if (automaton_.accepts(state)) {
    bounds = {0, 0, true};
    return bounds;
  }
  bounds.least = 1;
  if (!do_costs_suffice()) return bounds;
  automaton_.measure_.update(automaton_.grammar_, automaton_.lexer_.exprs(), *automaton_.program_);
  const auto offer = [&](std::uint64_t first, std::span<const earley::Entry> after) {
    automaton_.continuation_costs_.add(after);
    for (const earley::Entry& item : after) {
      const WayCost cost = automaton_.continuation_costs_.cost_of(item);
      if (!cost.is_none()) bounds.most = std::min<std::uint64_t>(bounds.most, first + cost.tokens + cost.bytes);
    }
  };
  for (const Thread& thread : automaton_.read_threads(state)) {
    const auto items = automaton_.lexer_.items(thread.lexer);
    for (std::size_t i = 0; i < items.size(); i += 2) {
      const auto lengths = lengths_.of(automaton_.lexer_.exprs(), regex::ExprId{items[i + 1]});
      if (lengths) offer(lengths->shortest, automaton_.rows_.items_after(thread.row, items[i]));
    }
    if (!thread.fresh) continue;
    for (const std::uint32_t set : automaton_.rows_.token_sets(thread.row)) {
      offer(1, automaton_.rows_.items_after_tokens(thread.row, set));
    }
  }
  return bounds;
}

// Lowers the upper bounds of the state and of the states on its shortest completion to the fewest tokens in which the
// completion can be written from there.
void TokenDistance::measure(StateId state, Bounds& bounds) {
  if (base::Work::is_met()) return;
  bounds.is_measured = true;
  const auto way = shortest_way(automaton_.measure_, *automaton_.program_, automaton_.grammar_, automaton_.lexer_,
                                automaton_.rows_, automaton_.read_threads(state));
  if (base::Work::is_met()) bounds.is_measured = false;  // another call may find a way, or a shorter one
  if (!way.has_value()) return;
  std::vector<StateId> states{state};  // before each token, and at the end
  for (const WayPart& part : *way) {
    if (part.token_set.has_value()) {
      states.push_back(automaton_.after_token_set(states.back(), *part.token_set));
    } else {
      std::size_t at = 0;
      for (const std::size_t length : fewest_tokens(part.text)) {
        StateId next = states.back();
        for (const char c : std::string_view(part.text).substr(at, length)) {
          next = automaton_.step_locked(next, static_cast<std::uint8_t>(c));
        }
        states.push_back(next);
        at += length;
      }
      if (at != part.text.size()) return;  // the vocabulary cannot spell it
    }
    if (is_limit(states.back())) bounds.is_measured = false;
    if (states.back() == StateId::kDead || is_limit(states.back())) return;
  }
  if (!automaton_.accepts(states.back())) return;
  for (std::size_t i = 0; i < states.size(); ++i) {
    Bounds& on_way = bounds_inside(states[i]);
    on_way.most = std::min<std::uint64_t>(on_way.most, states.size() - 1 - i);
  }
}

// Returns the lengths of the fewest tokens that together are `text`; an empty list if the vocabulary cannot spell it.
std::vector<std::size_t> TokenDistance::fewest_tokens(std::string_view text) const {
  const std::span<const vocab::TrieNode> nodes = automaton_.program_->tokenizer.vocabulary().trie().nodes();
  std::vector<std::uint64_t> rest(text.size() + 1, kUnknown);  // by position: the fewest tokens of the text from there
  std::vector<std::size_t> first(text.size(), 0);              // by position: the length of the first of them
  rest[text.size()] = 0;
  for (std::size_t begin = text.size(); begin-- > 0;) {
    std::size_t node = 0;
    std::size_t end = nodes.size();
    for (std::size_t at = begin; at < text.size(); ++at) {
      while (node < end && nodes[node].byte != static_cast<unsigned char>(text[at])) node += nodes[node].subtree_size;
      if (node >= end) break;
      if (nodes[node].tokens != 0 && rest[at + 1] != kUnknown && rest[at + 1] + 1 < rest[begin]) {
        rest[begin] = rest[at + 1] + 1;
        first[begin] = at + 1 - begin;
      }
      end = node + nodes[node].subtree_size;
      ++node;
    }
  }
  std::vector<std::size_t> lengths;
  if (rest.front() == kUnknown) return lengths;
  for (std::size_t at = 0; at < text.size(); at += lengths.back()) lengths.push_back(first[at]);
  return lengths;
}

bool TokenDistance::always_fits(regex::ExprId residual, std::span<const earley::Entry> after, std::uint64_t tokens) {
  if (!do_costs_suffice()) return false;
  const auto lengths = lengths_.of(automaton_.lexer_.exprs(), residual);
  if (!lengths) return false;
  automaton_.measure_.update(automaton_.grammar_, automaton_.lexer_.exprs(), *automaton_.program_);
  automaton_.continuation_costs_.add(after);
  return std::any_of(after.begin(), after.end(), [&](const earley::Entry& entry) {
    const WayCost cost = automaton_.continuation_costs_.cost_of(entry);
    return !cost.is_none() && cost.tokens + cost.bytes + lengths->most <= tokens;
  });
}

Limit TokenDistance::fits(StateId state, TokenPosition position, std::uint64_t tokens, bool& result) {
  Bounds& bounds = bounds_of(state, position);  // references stay valid
  if (tokens >= bounds.least && tokens < bounds.most && !bounds.is_measured) measure(state, bounds);
  if (tokens >= bounds.most || tokens < bounds.least) {
    result = tokens >= bounds.most;
    return Limit::kNone;
  }
  const Limit limit = search(state, position, tokens, result);
  if (limit != Limit::kNone) return limit;
  if (!result && base::Work::is_met()) return Limit::kCallWork;
  if (result) {
    bounds.most = std::min(bounds.most, tokens);
  } else {
    bounds.least = std::max(bounds.least, tokens + 1);  // also if the search gave up: it would do so again
  }
  return Limit::kNone;
}

// Tries all tokens, breadth first, and on each level the states that are new.
Limit TokenDistance::search(StateId state, TokenPosition position, std::uint64_t tokens, bool& result) {
  struct Visit {
    StateId state;
    TokenPosition position;
    std::size_t parent;
  };
  constexpr std::size_t kNoParent = SIZE_MAX;
  result = automaton_.accepts(state);
  if (result) return Limit::kNone;
  nodes_visited_ = 0;
  std::vector<Visit> visits{{state, position, kNoParent}};
  std::unordered_set<std::uint64_t> seen;
  const auto is_new = [&](StateId visited, TokenPosition at) {
    return seen.insert((std::uint64_t{raw(visited)} << 1) | static_cast<std::uint64_t>(at)).second;
  };
  is_new(state, position);
  // Remembers the upper bounds of the states on the way to visits[last], from whose state `left` tokens suffice.
  const auto remember = [&](std::size_t last, std::uint64_t left) {
    for (std::size_t i = last; i != kNoParent; i = visits[i].parent, ++left) {
      Bounds& bounds = bounds_of(visits[i].state, visits[i].position);
      bounds.most = std::min(bounds.most, left);
    }
  };
  for (std::size_t begin = 0, level = 1; begin < visits.size() && level <= tokens && !result; ++level) {
    const std::size_t end = visits.size();
    for (std::size_t i = begin; i < end && !result; ++i) {
      const Limit limit = for_each_next(visits[i].state, visits[i].position, [&](StateId next, TokenPosition at) {
        if (!is_new(next, at)) return true;
        const std::uint64_t left = tokens - level;
        Bounds& bounds = bounds_of(next, at);
        if (left < bounds.least && left < bounds.most) return true;
        if (left < bounds.most && !bounds.is_measured) measure(next, bounds);
        visits.push_back({next, at, i});
        result = left >= bounds.most;
        if (result) remember(visits.size() - 1, bounds.most);
        return !result;
      });
      if (limit != Limit::kNone) return limit;
      if (nodes_visited_ <= automaton_.program_->limits.lookahead_threads) continue;
      return Limit::kNone;  // the search gives up
    }
    begin = end;
  }
  return Limit::kNone;
}

// Calls `use` with the state after each token that may come, and the position after it, until `use` returns false. The
// same state may come several times.
Limit TokenDistance::for_each_next(StateId state, TokenPosition position,
                                   const std::function<bool(StateId, TokenPosition)>& use) {
  const vocab::Vocabulary& vocabulary = automaton_.program_->tokenizer.vocabulary();
  if (position == TokenPosition::kFirst && !vocabulary.first_empty_tokens().empty() &&
      !use(state, position_after_empty(vocabulary))) {
    return Limit::kNone;
  }
  const vocab::TokenTrie& trie = TokenView(vocabulary, position).trie;
  const std::span<const vocab::TrieNode> nodes = trie.nodes();
  std::vector<StateId> path(trie.max_depth() + 1);
  path[0] = state;
  if (base::Work::is_met()) return Limit::kCallWork;
  for (std::size_t i = 0; i < nodes.size();) {
    const vocab::TrieNode node = nodes[i];
    if (++nodes_visited_ % base::Work::kTrieNodes == 0) base::Work::charge(1);
    const StateId next = automaton_.step_locked(path[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (is_limit(next)) return limit_of(next);
    i += next == StateId::kDead ? node.subtree_size : 1;
    if (next == StateId::kDead) continue;
    path[node.depth] = next;
    if (node.tokens != 0 && !use(next, TokenPosition::kInside)) return Limit::kNone;
  }
  return automaton_.has_token_exits(state) ? for_each_exit(state, position, use) : Limit::kNone;
}

// Does the same for the tokens that a token terminal takes as a whole.
Limit TokenDistance::for_each_exit(StateId state, TokenPosition position,
                                   const std::function<bool(StateId, TokenPosition)>& use) {
  const TokenSets& token_sets = automaton_.program_->token_sets;
  const vocab::Vocabulary& vocabulary = automaton_.program_->tokenizer.vocabulary();
  for (const Thread& thread : automaton_.read_threads(state)) {
    if (!thread.fresh) continue;
    const auto listed = automaton_.rows_.token_sets(thread.row);
    const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing may move the storage of `listed`
    for (const std::uint32_t set : sets) {
      const StateId next = automaton_.after_token_set(state, set);
      if (is_limit(next)) return limit_of(next);
      if (next == StateId::kDead) continue;
      for (const TokenPosition at : {TokenPosition::kInside, TokenPosition::kFirst}) {
        const bool is_possible = position == TokenPosition::kInside
                                     ? at == position
                                     : !token_sets.leading_to(at, set, position, vocabulary).empty();
        if (is_possible && !use(next, at)) return Limit::kNone;
      }
    }
  }
  return Limit::kNone;
}

}  // namespace weir::engine
