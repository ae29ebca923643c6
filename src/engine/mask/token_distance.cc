#include "engine/mask/token_distance.h"

#include <algorithm>
#include <utility>

#include "base/reach.h"
#include "base/work.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/search_bounds.h"
#include "regex/analysis/members.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Answer;
using base::Limit;

// Returns the bounds of a state whose next token is at `position`.
TokenDistance::Bounds& TokenDistance::bounds_of(StateId state, TokenPosition position) {
  if (position == TokenPosition::kInside) return bounds_inside(state);
  const auto [entry, is_new] = first_bounds_.try_emplace(raw(state));
  if (is_new) {
    const bool accepts = automaton_.accepts(state);
    // Measured: the bytes of the first token of a text are not those that measure() counts.
    entry->second = accepts ? Bounds{0, 0, true, true} : Bounds{1, kUnknown, true, true};
  }
  return entry->second;
}

TokenDistance::Bounds& TokenDistance::entry_of(StateId state) {
  const auto [entry, is_new] = bounds_.try_emplace(raw(state));  // references stay valid
  if (is_new) entry->second = automaton_.accepts(state) ? Bounds{0, 0, true, true} : Bounds{.least = 1};
  return entry->second;
}

TokenDistance::Bounds& TokenDistance::bounds_inside(StateId state) {
  Bounds& bounds = entry_of(state);
  if (bounds.is_estimated) return bounds;
  bounds.least = std::max(bounds.least, least_tokens(state));
  for (const Start& start : shortest_starts(state)) {
    const std::uint64_t tokens = tokens_of(start);
    if (tokens < kNever) bounds.most = std::min(bounds.most, tokens);
  }
  bounds.is_estimated = !base::Work::is_met();
  return bounds;
}

// Returns a lower bound on the tokens from a state that does not accept: those of the terminals in progress.
std::uint64_t TokenDistance::least_tokens(StateId state) {
  std::uint64_t bytes = UINT64_MAX;
  for (const Thread& thread : automaton_.threads(state)) {
    for (const auto& [terminal, residual] : automaton_.lexer().items(thread.lexer)) {
      bytes = std::min<std::uint64_t>(bytes, automaton_.exprs().min_length(residual));
    }
    if (thread.fresh && !automaton_.rows().token_sets(thread.row).empty()) bytes = 1;
  }
  if (bytes == UINT64_MAX) return 1;
  const std::uint64_t longest = automaton_.program().tokenizer.vocabulary().trie().max_depth();
  return std::max<std::uint64_t>(1, longest == 0 ? 1 : (bytes + longest - 1) / longest);
}

// Returns the completions with the fewest bytes, at most kMaxShortCompletions.
std::vector<TokenDistance::Start> TokenDistance::shortest_starts(StateId state) {
  automaton_.update_measure();
  std::vector<Start> starts;
  const auto offer = [&](Start start, std::span<const earley::Entry> after) {
    const std::vector<earley::Entry> entries(after.begin(), after.end());
    automaton_.continuation_costs().add(entries);
    for (const earley::Entry& entry : entries) {
      const WayCost cost = automaton_.continuation_costs().cost_of(entry);
      if (cost.is_none()) continue;
      starts.push_back(start);
      starts.back().bytes += cost.tokens + cost.bytes;
      starts.back().number = starts.size();
      starts.back().after = entry;
    }
  };
  for (const Thread& thread : automaton_.threads(state)) {
    const auto listed = automaton_.lexer().items(thread.lexer);
    const std::vector<lexer::Item> items(listed.begin(), listed.end());  // derivatives may move the storage
    for (const auto& [terminal, residual] : items) {
      offer({.bytes = automaton_.exprs().min_length(residual), .residual = residual},
            automaton_.rows().items_after(thread.row, terminal));
    }
    if (!thread.fresh) continue;
    for (const std::uint32_t set : automaton_.rows().token_sets(thread.row)) {
      offer({.bytes = 1, .set = set}, automaton_.rows().items_after_tokens(thread.row, set));
    }
  }
  std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.number < b.number;
  });
  if (starts.size() > kMaxShortCompletions) starts.resize(kMaxShortCompletions);
  return starts;
}

std::uint64_t TokenDistance::tokens_of(const Start& start) {
  return (start.set ? 1 : member_tokens(start.residual)) + tokens_after(start.after);
}

// Returns the fewest tokens of a shortest text from an entry to the end; kNever if they are not known.
std::uint64_t TokenDistance::tokens_after(const earley::Entry& entry) {
  if (entry == earley::kAccept) return 0;
  const std::uint64_t key =
      (static_cast<std::uint64_t>(entry.item) << 32) | static_cast<std::uint64_t>(entry.continuation);
  if (const auto known = tokens_after_.find(key); known != tokens_after_.end()) return known->second;
  if (base::Work::is_met()) return kNever;
  automaton_.continuation_costs().add({&entry, 1});
  const WayCost cost = automaton_.continuation_costs().cost_of(entry);
  if (base::Work::is_met()) return kNever;
  std::uint64_t tokens = 0;
  if (cost.bytes > kMaxCountedTextBytes) {
    tokens = automaton_.program().tokenizer.vocabulary().trie().has_all_bytes() ? cost.tokens + cost.bytes : kNever;
  } else {
    std::vector<WayPart> parts;
    if (!append_after(entry, parts)) return kNever;
    for (const WayPart& part : parts) {
      tokens = std::min(kNever, tokens + (part.token_set ? 1 : tokens_of_text(part.text)));
    }
  }
  tokens_after_.emplace(key, tokens);
  return tokens;
}

// Returns false if a text is not known.
bool TokenDistance::append_after(const earley::Entry& entry, std::vector<WayPart>& parts) {
  automaton_.continuation_costs().add({&entry, 1});
  for (earley::Entry e = entry; e != earley::kAccept; e = automaton_.continuation_costs().best(e.continuation)) {
    if (!earley::is_fence(e) && !automaton_.measure().append_suffix(e.item, parts, SIZE_MAX)) return false;
  }
  return true;
}

namespace {

// Returns a shortest member, if each of its bytes can be chosen by the least lengths after it: as in a long enum, where a
// search would try all bytes of all words at each place.
std::optional<std::string> member_by_lengths(regex::ExprSet& exprs, regex::ExprId residual) {
  std::string text;
  std::vector<regex::ExprSet::Branch> branches;
  if (exprs.min_length(residual) > kMinSharedTextBytes) return std::nullopt;  // a search reads the end at once
  for (regex::ExprId at = residual; !exprs.nullable(at);) {
    if (base::Work::is_met()) return std::nullopt;
    branches.clear();
    exprs.append_branches(at, branches);
    base::Work::charge(base::Work::kVisit);
    const auto nearer = std::ranges::find_if(branches, [&](const regex::ExprSet::Branch& branch) {
      return branch.to != regex::ExprId::kOverflow && exprs.min_length(branch.to) < exprs.min_length(at) &&
             exprs.emptiness_if_known(branch.to) != regex::Emptiness::kEmpty;
    });
    if (nearer == branches.end()) return std::nullopt;
    text.push_back(static_cast<char>(nearer->bytes.first()));
    at = nearer->to;
  }
  return text;
}

}  // namespace

// Returns a shortest member; none if it is not found, or is longer than kMaxMeasuredTextBytes.
std::optional<std::string> TokenDistance::member(regex::ExprId residual) {
  regex::ExprSet& exprs = automaton_.exprs();
  if (!regex::has_plain_member(exprs, residual, kPlainMemberParts)) {
    if (auto text = member_by_lengths(exprs, residual)) return text;
  }
  const std::uint32_t fuel = automaton_.program().limits.regex_fuel;
  const auto text = regex::cut_shortest_member(exprs, residual, fuel, kMaxMeasuredTextBytes);
  return text && text->is_whole() ? std::optional(text->text()) : std::nullopt;
}

std::uint64_t TokenDistance::member_tokens(regex::ExprId residual) {
  const auto number = static_cast<std::uint32_t>(residual);
  if (base::Work::is_met() && !member_tokens_.contains(number)) return kNever;
  const auto [known, is_new] = member_tokens_.try_emplace(number, kNever);
  if (!is_new) return known->second;
  std::uint64_t& tokens = known->second;
  if (regex::has_plain_member(automaton_.exprs(), residual, kPlainMemberParts)) {
    const std::uint64_t length = automaton_.exprs().min_length(residual);
    if (length > kMinSharedTextBytes && length <= kMaxSharedTextBytes) return tokens = count_from_each_place(residual);
    tokens = 0;
    const auto add = [&](std::string_view piece, std::uint64_t times) {
      const std::uint64_t count = tokens_of_text(piece);
      tokens = count > kNever / times ? kNever : std::min(kNever, tokens + count * times);
    };
    regex::for_each_plain_piece(automaton_.exprs(), residual, kMaxCountedTextBytes, add);
  } else if (const std::optional<std::string> text = member(residual)) {
    tokens = tokens_of_text(*text);
  }
  return tokens;
}

// Returns the fewest tokens of the plain member of a residual. Remembers those of its ends for the residuals there, so that
// these need not count them again, each for the rest of the text.
std::uint64_t TokenDistance::count_from_each_place(regex::ExprId residual) {
  std::string text;
  regex::append_plain_member(automaton_.exprs(), residual, text);
  const Spelling spelling = spell(text);
  regex::ExprId at = residual;
  for (std::size_t i = 1; i < text.size() && !base::Work::is_met(); ++i) {
    at = automaton_.exprs().derivative(at, static_cast<std::uint8_t>(text[i - 1]));
    if (automaton_.exprs().min_length(at) != text.size() - i) break;  // it has another shortest member
    member_tokens_.try_emplace(static_cast<std::uint32_t>(at), std::min(spelling.rest[i], kNever));
  }
  return std::min(spelling.rest.front(), kNever);
}

// Returns the number of the fewest tokens that spell a text; kNever if no tokens do.
std::uint64_t TokenDistance::tokens_of_text(std::string_view text) const {
  const std::size_t count = fewest_tokens(text).size();
  return count == 0 && !text.empty() ? kNever : count;
}

// Appends the parts of a completion. Returns false if a text of it is not known.
bool TokenDistance::append_way(const Start& start, std::vector<WayPart>& way) {
  if (start.set) {
    way.push_back({{}, start.set});
  } else if (const std::optional<std::string> text = member(start.residual)) {
    way.push_back({*text, {}});
  } else {
    return false;
  }
  return append_after(start.after, way);
}

std::vector<std::vector<WayPart>> TokenDistance::short_ways(StateId state) {
  std::vector<std::vector<WayPart>> ways;
  for (const Start& start : shortest_starts(state)) {
    std::vector<WayPart> way;
    if (start.bytes <= kMaxCountedTextBytes && append_way(start, way)) ways.push_back(std::move(way));
  }
  return ways;
}

// Writes the text of the least upper bound in the fewest tokens, terminals in progress and the text after them together.
// Lowers the upper bounds of `state` and of the states between these tokens to the number of tokens that remain.
void TokenDistance::measure(StateId state, Bounds& bounds) {
  if (base::Work::is_met()) return;
  const Limit limit = follow_shortest_way(state);
  bounds.is_measured = limit == Limit::kNone && !base::Work::is_met();  // otherwise another call may find it
}

// Returns the limit that was met on the way.
Limit TokenDistance::follow_shortest_way(StateId state) {
  const std::vector<Start> starts = shortest_starts(state);
  const auto best = std::min_element(starts.begin(), starts.end(),
                                     [&](const Start& a, const Start& b) { return tokens_of(a) < tokens_of(b); });
  if (best == starts.end() || best->bytes > kMaxMeasuredTextBytes) return Limit::kNone;
  std::vector<WayPart> way;
  if (!append_way(*best, way)) return Limit::kNone;
  std::vector<StateId> states;
  const Limit limit = find_states_on(state, way, states);
  if (states.empty() || !automaton_.accepts(states.back())) return limit;
  for (std::size_t i = 0; i < states.size(); ++i) {
    Bounds& on_way = entry_of(states[i]);
    on_way.most = std::min<std::uint64_t>(on_way.most, states.size() - 1 - i);
    // The states on a long way are not measured again, each along the rest of the way.
    if (best->bytes > kMaxCountedTextBytes) on_way.is_measured = true;
  }
  return limit;
}

// Sets `states` to those before each of the fewest tokens of a way, and the one at its end; to none if there is no such
// state.
Limit TokenDistance::find_states_on(StateId state, const std::vector<WayPart>& way, std::vector<StateId>& states) {
  states = {state};
  for (const WayPart& part : way) {
    if (part.token_set.has_value()) {
      states.push_back(automaton_.after_token_set(states.back(), *part.token_set));
    } else {
      std::size_t at = 0;
      for (const std::size_t length : fewest_tokens(part.text)) {
        StateId next = states.back();
        for (const char c : std::string_view(part.text).substr(at, length)) {
          next = automaton_.step(next, static_cast<std::uint8_t>(c));
        }
        states.push_back(next);
        at += length;
      }
      if (at != part.text.size()) states.push_back(StateId::kDead);  // the vocabulary cannot spell it
    }
    const StateId last = states.back();
    if (is_limit(last) || last == StateId::kDead) {
      states.clear();
      return limit_of(last);
    }
  }
  return Limit::kNone;
}

// Finds the fewest tokens that spell a text from each of its places on.
TokenDistance::Spelling TokenDistance::spell(std::string_view text) const {
  const vocab::TokenTrie& trie = automaton_.program().tokenizer.vocabulary().trie();
  Spelling spelling{std::vector<std::uint64_t>(text.size() + 1, kUnknown), std::vector<std::size_t>(text.size(), 0)};
  auto& [rest, first] = spelling;
  rest[text.size()] = 0;
  base::Work::charge(text.size());
  for (std::size_t begin = text.size(); begin-- > 0;) {
    trie.for_each_prefix(text.substr(begin), [&](const vocab::TrieNode& node) {
      const std::uint64_t after = rest[begin + node.depth];
      if (node.tokens != 0 && after != kUnknown && after + 1 < rest[begin]) {
        rest[begin] = after + 1;
        first[begin] = node.depth;
      }
      return true;
    });
  }
  return spelling;
}

// Returns the lengths of the fewest tokens that spell a text; an empty list if no tokens do.
std::vector<std::size_t> TokenDistance::fewest_tokens(std::string_view text) const {
  const auto [rest, first] = spell(text);
  std::vector<std::size_t> lengths;
  if (rest.front() == kUnknown) return lengths;
  for (std::size_t at = 0; at < text.size(); at += lengths.back()) lengths.push_back(first[at]);
  return lengths;
}

std::uint64_t TokenDistance::most_after(std::span<const NextState> next) {
  std::uint64_t most = 0;
  for (const NextState& to : next) {
    if (base::Work::is_met()) return kUnknown;
    most = std::max(most, bounds_of(to.state, to.position).most);
  }
  return most == kUnknown ? most : most + 1;
}

Answer TokenDistance::fits(StateId state, TokenPosition position, std::uint64_t tokens) {
  Bounds& bounds = bounds_of(state, position);  // references stay valid
  if (tokens >= bounds.least && tokens < bounds.most && !bounds.is_measured) measure(state, bounds);
  if (tokens >= bounds.most) return true;
  if (tokens < bounds.least) return false;
  const Answer found = finds_way_within(state, position, tokens);
  if (!found.is_known()) return found;
  if (found.is_no() && base::Work::is_met()) return Limit::kCallWork;
  if (found.is_yes()) {
    bounds.most = std::min(bounds.most, tokens);
  } else {
    bounds.least = std::max(bounds.least, tokens + 1);  // also if the search gave up: it would do so again
  }
  return found;
}

// "Do so many tokens lead to acceptance?" States by tokens, those of fewest tokens first.
class TokenDistance::Graph : public base::ReachGraph<StateAt> {
 public:
  explicit Graph(TokenDistance& distance) : distance_(distance) {}
  static std::uint64_t hash(const StateAt& node) { return node.hash(); }
  std::optional<std::uint64_t> known(const StateAt& node) {
    base::Work::charge(base::Work::kVisit);
    const std::uint64_t most = distance_.bounds_of(node.state, node.position).most;
    return most == kUnknown ? std::nullopt : std::optional(most);
  }
  std::optional<Order> order(const StateAt& node, std::uint64_t price, std::uint64_t bound) {
    const bool is_far = bound - price < distance_.bounds_of(node.state, node.position).least;
    return is_far ? std::nullopt : std::optional(price);
  }
  template <typename Out>
  Limit for_each_step(const StateAt& from, Out& out) {
    const auto [next, limit] = distance_.next_.of(from.state, from.position);
    if (limit != Limit::kNone) return limit;
    for (const NextState& to : *next) {
      if (!out.to(1, {to.state, to.position}, {})) break;
    }
    return Limit::kNone;
  }

 private:
  TokenDistance& distance_;
};

// Returns no also if the search gives up.
Answer TokenDistance::finds_way_within(StateId state, TokenPosition position, std::uint64_t tokens) {
  using Search = base::Reach<Graph>;
  Graph graph(*this);
  Search search(graph, automaton_.program().limits.lookahead_threads / kNodesForDistanceVisit);
  const Answer found = search.find({state, position}, tokens);
  if (found.is_yes()) {
    search.for_each_on_way([&](const auto& step) {
      Bounds& bounds = bounds_of(step.node.state, step.node.position);
      bounds.most = std::min(bounds.most, step.left);
    });
  } else if (found.is_no()) {
    search.for_each_visit([&](const auto& node, std::uint64_t price) {
      Bounds& bounds = bounds_of(node.state, node.position);
      bounds.least = std::max(bounds.least, tokens - price + 1);
    });
  }
  return search.gave_up() ? false : found;
}

}  // namespace weir::engine
