#include "engine/canonical/canonical_distance.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/hash.h"
#include "base/reach.h"
#include "base/work.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/canonical/canonical_product.h"
#include "engine/canonical/product_shared.h"
#include "engine/search_bounds.h"
#include "engine/sets/stop_tokens.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using canonical::CanonicalId;
using canonical::PlaceId;
using product::kEntryBytes;

namespace {

std::uint32_t plus_one(std::uint32_t tokens) { return tokens == UINT32_MAX ? tokens : tokens + 1; }

}  // namespace

CanonicalDistance::CanonicalDistance(SharedAutomaton& automaton, CanonicalProduct& product)
    : automaton_(automaton),
      product_(product),
      canonical_(product.canonical()),
      vocabulary_(automaton.program().tokenizer.vocabulary()),
      fuel_(automaton.program().limits.lookahead_threads / kNodesForPairVisit) {}

CanonicalDistance::Bounds& CanonicalDistance::bounds_of(const Pair& at) {
  const auto [entry, is_new] = bounds_[static_cast<std::size_t>(at.position)].try_emplace(key_of(at.g, at.c));
  if (is_new) {
    const bool is_end = automaton_.accepts(at.g) && canonical_.may_end(at.c);
    entry->second = is_end ? Bounds{0, 0, kNever, true} : Bounds{.least = 1};
  }
  return entry->second;
}

// Counts a token, or a list of them, that a search tries; `tries`: those that the search may still try. Returns false if no
// more may be tried.
bool CanonicalDistance::may_try(std::uint32_t& tries) {
  if (tries == 0 || tries_left_ == 0 || base::Work::is_met()) return false;
  --tries;
  --tries_left_;
  base::Work::charge(base::Work::kVisit);
  return true;
}

// Returns the texts of few bytes that complete a state.
std::vector<CanonicalDistance::Way>& CanonicalDistance::ways_of(StateId g) {
  if (const auto known = ways_.find(raw(g)); known != ways_.end()) return known->second;
  const StopTokens stops(vocabulary_);
  std::vector<Way> ways;
  for (const std::vector<WayPart>& parts : automaton_.short_ways(g)) {
    Way way;
    bool is_usable = true;
    for (const WayPart& part : parts) {
      for (const char c : part.text) way.units.push_back({false, static_cast<std::uint8_t>(c)});
      if (!part.token_set.has_value()) continue;
      const auto token = automaton_.program().token_terminals.example(*part.token_set, vocabulary_, stops);
      is_usable = is_usable && token.has_value();
      if (token.has_value()) way.units.push_back({true, *token});
    }
    if (!is_usable) continue;
    way.tokens.resize(way.units.size());
    ways.push_back(std::move(way));
  }
  if (base::Work::is_met()) return cut_ways_ = std::move(ways);  // another call may find more
  for (const Way& way : ways) ways_bytes_ += sizeof(Way) + way.units.size() * (sizeof(Unit) + sizeof(way.tokens[0]));
  return ways_.emplace(raw(g), std::move(ways)).first->second;
}

// Returns the tokens that a way has from a unit on: those that spell its next bytes, or the one taken as a whole.
const std::vector<CanonicalDistance::WayToken>& CanonicalDistance::tokens_at(Way& way, std::uint32_t unit) {
  std::optional<std::vector<WayToken>>& found = way.tokens[unit];
  if (found.has_value()) return *found;
  found.emplace();
  if (way.units[unit].is_token) {
    found->push_back({way.units[unit].value, 1});
    return *found;
  }
  const vocab::TokenTrie& trie = vocabulary_.trie();
  std::string text;  // from this unit to the next token, as far as tokens reach
  for (std::size_t at = unit; at < way.units.size() && !way.units[at].is_token && text.size() < trie.max_depth();
       ++at) {
    text.push_back(static_cast<char>(way.units[at].value));
  }
  trie.for_each_prefix(text, [&](const vocab::TrieNode& node) {
    for (const std::uint32_t token : trie.tokens_at(node)) {
      if (!product_.is_whole(token)) found->push_back({token, node.depth});
    }
    return true;
  });
  ways_bytes_ += found->size() * sizeof(WayToken);
  return *found;
}

// Returns how the rest of a way, from a unit on, is written after a canonical state.
const CanonicalDistance::Rest& CanonicalDistance::rest_of(Way& way, std::uint32_t unit, CanonicalId c) {
  struct Node {
    std::uint32_t unit;
    CanonicalId c;
    std::vector<std::pair<WayToken, CanonicalId>> steps;
  };
  const auto key = [](std::uint32_t at, CanonicalId state) {
    return (std::uint64_t{at} << 32) | static_cast<std::uint32_t>(state);
  };
  if (const auto known = way.rests.find(key(unit, c)); known != way.rests.end()) return known->second;
  // Collects what can be reached, then decides it from the end.
  std::vector<Node> nodes;
  const auto add = [&](std::uint32_t at, CanonicalId state) {
    if (way.rests.try_emplace(key(at, state)).second) nodes.push_back({at, state, {}});
  };
  add(unit, c);
  for (std::size_t i = 0; i < nodes.size() && i < kMaxWayPairs; ++i) {
    if (nodes[i].unit == way.units.size()) continue;
    for (const WayToken& next : tokens_at(way, nodes[i].unit)) {
      const CanonicalId after = product_.step(nodes[i].c, next.token);
      if (after == CanonicalId::kRefused) continue;
      nodes[i].steps.emplace_back(next, after);
      add(nodes[i].unit + next.units, after);
    }
  }
  base::Work::charge(nodes.size() * base::Work::kVisit);
  ways_bytes_ += nodes.size() * (kEntryBytes + sizeof(Rest));
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.unit > b.unit; });
  for (const Node& node : nodes) {
    Rest& rest = way.rests.at(key(node.unit, node.c));
    if (node.unit == way.units.size() && canonical_.may_end(node.c)) rest.tokens = 0;
    for (const auto& [token, after] : node.steps) {
      const std::uint32_t tokens = plus_one(way.rests.at(key(node.unit + token.units, after)).tokens);
      if (tokens < rest.tokens) rest = {tokens, token.token, node.unit + token.units, after};
    }
  }
  return way.rests.at(key(unit, c));
}

// Lowers the upper bound of a pair to the fewest tokens of the short ways. The ways do not say what the first token of a
// text is.
Limit CanonicalDistance::measure(const Pair& at, Bounds& bounds) {
  bounds.is_measured = true;
  if (at.position != TokenPosition::kInside) return Limit::kNone;
  for (Way& way : ways_of(at.g)) {
    const Rest& rest = rest_of(way, 0, at.c);
    if (rest.tokens >= bounds.most) continue;
    std::uint32_t tokens = 0;
    if (const Limit limit = follow(at, way, rest, tokens); limit != Limit::kNone) {
      bounds.is_measured = false;
      return limit;
    }
    if (tokens >= bounds.most) continue;
    bounds.most = tokens;
    bounds.next = rest.token;
  }
  bounds.is_measured = !base::Work::is_met();  // otherwise there may be other ways
  return Limit::kNone;
}

// Sets `tokens` to how many tokens lead from `at` to an end if the rest of a way is written as `rest` says; kNever if the
// grammar refuses one of them. Only the bounds of rules refuse tokens of a way. If there are any, remembers the way with
// each pair on it; and stops at a pair from which a way is known.
Limit CanonicalDistance::follow(Pair at, Way& way, const Rest& rest, std::uint32_t& tokens) {
  tokens = rest.tokens;
  if (!automaton_.has_bounds() || tokens == kNever) return Limit::kNone;
  tokens = kNever;
  std::vector<std::pair<Pair, std::uint32_t>> followed;  // with the token after each pair
  const Rest* left = &rest;
  for (; left->tokens > 0; left = &rest_of(way, left->place, at.c)) {
    if (!followed.empty() && bounds_of(at).most != kNever) break;
    followed.emplace_back(at, left->token);
    StateId next{};
    const Limit limit = product_.step_grammar(at.g, left->token, TokenPosition::kInside, next);
    if (limit != Limit::kNone || next == StateId::kDead) return limit;
    at = {next, left->after};
  }
  base::Work::charge(followed.size());
  if (left->tokens == 0 && !automaton_.accepts(at.g)) return Limit::kNone;
  const std::uint32_t rest_tokens = left->tokens == 0 ? 0 : bounds_of(at).most;
  tokens = rest_tokens + static_cast<std::uint32_t>(followed.size());
  remember_followed(followed, rest_tokens);
  return Limit::kNone;
}

// Remembers a way with each pair on it. `followed`: these pairs, with the token after each; `tokens`: that it takes after
// the last of them.
void CanonicalDistance::remember_followed(std::span<const std::pair<Pair, std::uint32_t>> followed,
                                          std::uint32_t tokens) {
  for (std::size_t i = followed.size(); i-- > 0;) {
    ++tokens;
    Bounds& bounds = bounds_of(followed[i].first);
    if (tokens >= bounds.most) continue;
    bounds.most = tokens;
    bounds.next = followed[i].second;
  }
}

// Does the same for a way that begins with the token `next`, after which the canonical state is `after`.
Limit CanonicalDistance::follow_after(Pair at, const WayToken& next, CanonicalId after, Way& way,
                                      std::uint32_t& tokens) {
  if (automaton_.has_bounds()) {
    if (const Limit limit = product_.step_grammar(at.g, next.token, TokenPosition::kInside, at.g);
        limit != Limit::kNone) {
      return limit;
    }
    tokens = kNever;
    if (at.g == StateId::kDead) return Limit::kNone;
  }
  at.c = after;
  const Limit limit = follow(at, way, rest_of(way, next.units, after), tokens);
  tokens = plus_one(tokens);
  return limit;
}

// Returns whether `tokens` tokens suffice with any tokenization. If rules have bounds, it is not known, and taken to be so.
Answer CanonicalDistance::fits_plain(StateId state, TokenPosition position, std::uint32_t tokens) {
  if (automaton_.has_bounds()) return true;
  const StateId kept = automaton_.keep_within(state, position, tokens);
  return is_limit(kept) ? Answer(limit_of(kept)) : kept != StateId::kDead;
}

// Remembers the shortest way that is known from a pair with each pair on it.
Limit CanonicalDistance::remember_way(const Pair& at) {
  if (Bounds& bounds = bounds_of(at); !bounds.is_measured) {
    if (const Limit limit = measure(at, bounds); limit != Limit::kNone) return limit;
  }
  if (at.position != TokenPosition::kInside || automaton_.has_bounds()) return Limit::kNone;  // or `follow` has done so
  for (Way& way : ways_of(at.g)) {
    const Rest* rest = &rest_of(way, 0, at.c);
    if (rest->tokens == kNever || rest->tokens != bounds_of(at).most) continue;
    Pair on_way = at;
    while (rest->tokens > 0) {
      StateId next{};
      if (const Limit limit = product_.step_grammar(on_way.g, rest->token, TokenPosition::kInside, next);
          limit != Limit::kNone) {
        return limit;
      }
      if (next == StateId::kDead) return Limit::kNone;
      on_way = {next, rest->after};
      rest = &rest_of(way, rest->place, rest->after);
      Bounds& bounds = bounds_of(on_way);
      if (rest->tokens >= bounds.most) continue;
      bounds.most = rest->tokens;
      bounds.next = rest->token;
    }
    return Limit::kNone;
  }
  return Limit::kNone;
}

// Sets `tokens` to a number of tokens that suffice if the text or the piece ends at the spot: at first that of the
// shortest of the short ways, less if a search has found less; kNever if none is known.
Limit CanonicalDistance::tokens_after_cut(const Spot& at, std::uint32_t& tokens) {
  const auto& [g, place, token] = at;
  SpotBounds& bounds = spots_[key_of(at)];
  tokens = bounds.most;
  if (bounds.is_measured) return Limit::kNone;
  if (automaton_.accepts(g) && canonical_.may_end(place)) {
    bounds = {.most = 0, .is_measured = true};
    tokens = 0;
    return Limit::kNone;
  }
  const CanonicalId before = canonical_.state_of(token, place);
  std::vector<canonical::CanonicalAutomaton::RowMember> members;
  std::vector<std::uint32_t> others;  // for these the sources do not say where they lead
  if (canonical_.may_cut(place)) {
    canonical_.append_sources(before, members, others);
    std::erase_if(members, [](const auto& member) { return member.same_piece; });
  }
  const auto offer = [&](const WayToken& next, CanonicalId after, Way& way) {
    std::uint32_t of_way = kNever;
    const Limit limit = follow_after({g, before}, next, after, way, of_way);
    tokens = std::min(tokens, of_way);
    return limit;
  };
  for (Way& way : ways_of(g)) {
    if (way.units.empty()) continue;
    for (const WayToken& next : tokens_at(way, 0)) {
      if (way.units.front().is_token) {
        if (!canonical_.may_end(place)) continue;
        if (const Limit limit = offer(next, canonical_.restart(), way); limit != Limit::kNone) return limit;
        continue;
      }
      for (const auto& member : members) {
        if (!member.source->contains(next.token)) continue;
        if (std::find(others.begin(), others.end(), next.token) != others.end()) continue;
        // Under NFC the state after `token` may refuse a token of the source.
        if (canonical_.nfc() != nullptr && canonical_.places_after(before, next.token).empty()) continue;
        const CanonicalId after = canonical_.state_of(next.token, member.source->place_after(next.token));
        if (const Limit limit = offer(next, after, way); limit != Limit::kNone) return limit;
      }
    }
  }
  bounds.most = tokens;
  bounds.is_measured = !base::Work::is_met();  // otherwise there may be other ways
  return Limit::kNone;
}

bool CanonicalDistance::has_whole(const vocab::TokenSet& list) {
  const auto [entry, is_new] = whole_lists_.try_emplace(&list, false);
  if (is_new) entry->second = !list.for_each([&](std::uint32_t token) { return !product_.is_whole(token); });
  return entry->second;
}

// "Do so many tokens lead from a spot to an end?" Spots by tokens, all tokens of a list and a part at once.
class CanonicalDistance::SpotGraph : public base::ReachGraph<CanonicalDistance::Spot> {
 public:
  using Label = std::uint32_t;  // a token of the part

  /// `tries`: parts that may be tried.
  SpotGraph(CanonicalDistance& distance, Neighbours neighbours, std::uint32_t tries)
      : distance_(distance), neighbours_(neighbours), tries_(tries) {}
  static std::uint64_t hash(const Spot& at) { return base::hash_mix(0, key_of(at)); }
  [[nodiscard]] std::optional<std::uint64_t> known(const Spot& at) const {
    const SpotBounds& bounds = distance_.spots_[key_of(at)];
    const std::uint32_t most = std::min(bounds.most, neighbours_ == Neighbours::kAny ? bounds.may_from : kNever);
    return most == kNever ? std::nullopt : std::optional<std::uint64_t>(most);
  }
  [[nodiscard]] std::optional<Order> order(const Spot& at, std::uint64_t price, std::uint64_t bound) const {
    const SpotBounds& bounds = distance_.spots_[key_of(at)];
    return bound - price < bounds.least[static_cast<std::size_t>(neighbours_)] ? std::nullopt : std::optional(price);
  }
  template <typename Out>
  Limit for_each_step(const Spot& from, Out& out) {
    if (out.left() == 0) return Limit::kNone;
    if (neighbours_ == Neighbours::kCuts && !distance_.canonical_.may_cut(from.place)) return Limit::kNone;
    const auto [next, limit] = distance_.automaton_.next_states(from.g, TokenPosition::kInside);
    if (limit != Limit::kNone) return limit;
    const CanonicalId before = distance_.canonical_.state_of(from.token, from.place);
    std::vector<canonical::CanonicalAutomaton::RowMember> members;
    std::vector<std::uint32_t> others;
    distance_.canonical_.append_sources(before, members, others);
    std::sort(others.begin(), others.end());
    if (neighbours_ == Neighbours::kCuts) std::erase_if(members, [](const auto& member) { return member.same_piece; });
    const auto left = static_cast<std::uint32_t>(out.left() - 1);
    for (const NextState& to : *next) {
      const Answer may_fit = distance_.fits_plain(to.state, to.position, left);
      if (!may_fit.is_known()) return may_fit.limit();
      if (may_fit.is_no()) continue;
      if (neighbours_ == Neighbours::kAny && is_unknown(to, others)) {
        out.ends(1, kNever);
        return Limit::kNone;
      }
      if (to.position != TokenPosition::kInside) continue;
      for (const auto& member : members) {
        for (const auto& [part, first, count] : distance_.parts_of(*to.tokens, *member.source)) {
          if (!distance_.may_try(tries_)) return base::Work::met_or(Limit::kLookaheadThreads);
          if (neighbours_ == Neighbours::kCuts && !may_come(before, first, others)) continue;
          const Spot spot{to.state, member.source->parts[part].to, first};
          std::uint32_t needed = 0;
          if (const Limit met = distance_.tokens_after_cut(spot, needed); met != Limit::kNone) return met;
          if (!out.to(1, spot, first)) return Limit::kNone;
        }
      }
    }
    return Limit::kNone;
  }
  [[nodiscard]] bool met_tries() const { return tries_ == 0 || distance_.tries_left_ == 0; }

 private:
  // Returns true if the sources do not say where some token of the list leads.
  [[nodiscard]] bool is_unknown(const NextState& to, const std::vector<std::uint32_t>& others) const {
    if (to.position != TokenPosition::kInside) return true;
    return distance_.has_whole(*to.tokens) ||
           std::any_of(others.begin(), others.end(), [&](std::uint32_t token) { return to.tokens->contains(token); });
  }
  // Returns true if the sources say where a token that begins a piece leads.
  [[nodiscard]] bool may_come(CanonicalId before, std::uint32_t token, const std::vector<std::uint32_t>& others) const {
    if (std::binary_search(others.begin(), others.end(), token)) return false;
    // Under NFC the state after the last token may refuse it.
    return distance_.canonical_.nfc() == nullptr || !distance_.canonical_.places_after(before, token).empty();
  }

  CanonicalDistance& distance_;
  Neighbours neighbours_;
  std::uint32_t tries_;
};

// Returns whether `tokens` tokens suffice from a spot, if neighbours need be as `neighbours` says. A search that gives up
// finds nothing with kCuts, and excludes nothing with kAny.
Answer CanonicalDistance::fits_spot(const Spot& at, Neighbours neighbours, std::uint32_t tokens) {
  std::uint32_t needed = 0;
  if (const Limit limit = tokens_after_cut(at, needed); limit != Limit::kNone) return limit;
  const bool is_any = neighbours == Neighbours::kAny;
  if (needed <= tokens) return true;
  if (automaton_.has_bounds()) return is_any;
  SpotBounds& bounds = spots_[key_of(at)];  // references stay valid
  std::uint32_t& least = bounds.least[static_cast<std::size_t>(neighbours)];
  if (is_any && tokens >= bounds.may_from) return true;
  if (tokens < least) return false;
  const Answer plain = fits_plain(at.g, TokenPosition::kInside, tokens);
  if (plain.is_no()) least = tokens + 1;
  if (!plain.is_yes()) return plain;
  using Search = base::Reach<SpotGraph>;
  SpotGraph graph(*this, neighbours, fuel_ * kTriesForPairVisit);
  Search search(graph, fuel_);
  const Answer answer = search.find(at, tokens);
  if (answer.is_yes()) {
    search.for_each_on_way([&](const auto& step) {
      SpotBounds& on_way = spots_[key_of(step.node)];
      const auto left = static_cast<std::uint32_t>(step.left);
      if (is_any) {
        on_way.may_from = std::min(on_way.may_from, left);
      } else if (left < on_way.most) {
        on_way.most = left;
        on_way.next = step.label;
      }
    });
    return true;
  }
  if (base::Work::is_met()) return Limit::kCallWork;
  if (answer.is_no()) {
    search.for_each_visit([&](const Spot& spot, std::uint64_t price) {
      std::uint32_t& of_visit = spots_[key_of(spot)].least[static_cast<std::size_t>(neighbours)];
      of_visit = std::max(of_visit, static_cast<std::uint32_t>(tokens - price + 1));
    });
    return false;
  }
  if (!search.gave_up() && !graph.met_tries()) return answer;
  if (tries_left_ == 0) return is_any;  // it was the mask's searches together that met the limit
  if (is_any) {
    bounds.may_from = std::min(bounds.may_from, tokens);
  } else {
    least = std::max(least, tokens + 1);
  }
  return is_any;
}

// Returns true if it is known that `tokens` tokens do not suffice from a spot.
bool CanonicalDistance::is_excluded(const Spot& at, std::uint32_t tokens) const {
  const auto known = spots_.find(key_of(at));
  return known != spots_.end() && tokens < known->second.least[static_cast<std::size_t>(Neighbours::kAny)];
}

// Lowers the upper bound of a pair to that of its spots.
void CanonicalDistance::take_spots(const Pair& at, Bounds& bounds) {
  if (at.position != TokenPosition::kInside || spots_.empty()) return;
  for (const PlaceId place : canonical_.places(at.c)) {
    const auto known = spots_.find(key_of(Spot{at.g, place}));
    if (known == spots_.end() || known->second.next == kNever || known->second.most >= bounds.most) continue;
    bounds.most = known->second.most;
    bounds.next = known->second.next;
  }
}

// Returns true if the bounds of the pair after `token` must be those of the token: it is no text, or the first token of
// the text adds nothing.
bool CanonicalDistance::is_one_by_one(const NextState& to, std::uint32_t token) const {
  return to.position != TokenPosition::kInside || product_.is_whole(token);
}

const std::vector<CanonicalDistance::PartOfList>& CanonicalDistance::parts_of(const vocab::TokenSet& list,
                                                                              const RowSource& source) {
  const auto [entry, is_new] = parts_[&list].try_emplace(source.number);
  if (!is_new) return entry->second;
  std::vector<PartOfList> parts(source.parts.size());
  list.for_each([&](std::uint32_t token) {
    if (product_.is_whole(token)) return;
    const std::size_t part = source.part_of(token);
    if (part >= parts.size()) return;
    if (parts[part].tokens++ == 0) parts[part] = {static_cast<std::uint16_t>(part), token, 1};
  });
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(entry->second),
               [](const PartOfList& part) { return part.tokens > 0; });
  ways_bytes_ += kEntryBytes + entry->second.capacity() * sizeof(PartOfList);
  return entry->second;
}

// Sets `after` to the pair after a token that may come; its g is kDead if the grammar refuses it.
Limit CanonicalDistance::find_after(const Pair& at, std::uint32_t token, Pair& after) {
  after.c = product_.step(at.c, token);
  after.g = StateId::kDead;
  if (after.c == CanonicalId::kRefused) return Limit::kNone;
  const auto empty = vocabulary_.first_empty_tokens();
  const bool adds_nothing =
      at.position == TokenPosition::kFirst && std::binary_search(empty.begin(), empty.end(), token);
  after.position =
      adds_nothing ? position_after_empty(vocabulary_) : position_after_token(vocabulary_, token, at.position);
  return product_.step_grammar(at.g, token, at.position, after.g);
}

// Returns whether `tokens` tokens suffice after `token`.
Answer CanonicalDistance::fits_after(const Pair& at, std::uint32_t token, std::uint32_t tokens) {
  Pair after;
  if (const Limit limit = find_after(at, token, after); limit != Limit::kNone) return limit;
  return after.g == StateId::kDead ? false : fits_locked(after, tokens);
}

Answer CanonicalDistance::fits_locked(const Pair& at, std::uint32_t tokens) {
  Bounds& bounds = bounds_of(at);  // references stay valid
  if (tokens >= bounds.most) return true;
  if (tokens < bounds.least) return false;
  if (!bounds.is_measured) {
    if (const Limit limit = measure(at, bounds); limit != Limit::kNone) return limit;
  }
  if (tokens < bounds.most) take_spots(at, bounds);
  if (tokens >= bounds.most) return true;
  const Answer plain = fits_plain(at.g, at.position, tokens);
  const Answer found = plain.is_yes() ? finds_way_within(at, tokens) : plain;
  if (!found.is_no()) return found;
  if (base::Work::is_met()) return Limit::kCallWork;
  // Also if the search gave up: it would do so again, unless it was the mask's searches together that met the limit.
  if (tries_left_ > 0) bounds.least = std::max(bounds.least, tokens + 1);
  return false;
}

// "Do so many tokens lead to an end in both?" Pairs by tokens, those of fewest tokens first.
class CanonicalDistance::Graph : public base::ReachGraph<CanonicalDistance::Pair> {
 public:
  using Label = std::uint32_t;  // the token

  /// `tries`: tokens that may be tried.
  Graph(CanonicalDistance& distance, std::uint32_t tries) : distance_(distance), tries_(tries) {}
  static std::uint64_t hash(const Pair& pair) {
    return base::hash_mix(static_cast<std::uint64_t>(pair.position), key_of(pair.g, pair.c));
  }
  [[nodiscard]] std::optional<std::uint64_t> known(const Pair& pair) const {
    const std::uint32_t most = distance_.bounds_of(pair).most;
    return most == kNever ? std::nullopt : std::optional<std::uint64_t>(most);
  }
  [[nodiscard]] std::optional<Order> order(const Pair& pair, std::uint64_t price, std::uint64_t bound) const {
    return bound - price < distance_.bounds_of(pair).least ? std::nullopt : std::optional(price);
  }
  template <typename Out>
  Limit for_each_step(const Pair& from, Out& out) {
    const auto [next, limit] = distance_.automaton_.next_states(from.g, from.position);
    if (limit != Limit::kNone || out.left() == 0) return limit;
    // Short lists first: they lead out of terminals.
    std::vector<std::pair<std::size_t, const NextState*>> lists;  // by length; in the vector's order
    for (const NextState& to : *next) lists.emplace_back(to.tokens->stored().size(), &to);
    std::sort(lists.begin(), lists.end());
    const auto left = static_cast<std::uint32_t>(out.left() - 1);
    for (const auto& [length, to] : lists) {
      const Answer may_fit = distance_.fits_plain(to->state, to->position, left);
      if (!may_fit.is_known()) return may_fit.limit();
      if (may_fit.is_no()) continue;
      Limit met = Limit::kNone;
      const bool goes_on = to->tokens->for_each([&, to = to](std::uint32_t token) {
        if (!distance_.may_try(tries_)) return false;
        return look_at(from, *to, token, left, out, met);
      });
      if (goes_on) continue;
      if (met != Limit::kNone || out.found()) return met;
      return base::Work::met_or(Limit::kLookaheadThreads);
    }
    return Limit::kNone;
  }
  [[nodiscard]] bool met_tries() const { return tries_ == 0 || distance_.tries_left_ == 0; }

 private:
  // Offers the pair after a token. Returns false if the search is over, or at a limit.
  template <typename Out>
  bool look_at(const Pair& from, const NextState& to, std::uint32_t token, std::uint32_t left, Out& out, Limit& met) {
    const CanonicalId c = distance_.product_.step(from.c, token);
    if (c == CanonicalId::kRefused) return true;
    bool may_fit = distance_.is_one_by_one(to, token);
    for (const PlaceId place : distance_.canonical_.places(c)) {
      if (distance_.is_one_by_one(to, token)) break;
      const Spot spot{to.state, place, token};
      std::uint32_t needed = 0;
      met = distance_.tokens_after_cut(spot, needed);
      if (met != Limit::kNone) return false;
      if (needed <= left) return out.ends(needed + std::uint64_t{1}, token);
      may_fit = may_fit || !distance_.is_excluded(spot, left);
    }
    if (!may_fit) return true;
    Pair after;
    met = distance_.find_after(from, token, after);
    if (met != Limit::kNone || after.g == StateId::kDead) return met == Limit::kNone;
    Bounds& bounds = distance_.bounds_of(after);
    if (!bounds.is_measured) met = distance_.measure(after, bounds);
    return met == Limit::kNone && out.to(1, after, token);
  }

  CanonicalDistance& distance_;
  std::uint32_t tries_;
};

// Returns no also if the search gives up. Remembers a way that is found with each pair on it.
Answer CanonicalDistance::finds_way_within(const Pair& from, std::uint32_t tokens) {
  if (tries_left_ == 0) return false;
  using Search = base::Reach<Graph>;
  Graph graph(*this, fuel_ * kTriesForPairVisit);
  Search search(graph, fuel_);
  const Answer found = search.find(from, tokens);
  if (!found.is_known()) return search.gave_up() || graph.met_tries() ? Answer(false) : found;
  if (found.is_no()) return found;
  search.for_each_on_way([&](const auto& step) {
    Bounds& bounds = bounds_of(step.node);
    if (step.left >= bounds.most) return;
    bounds.most = static_cast<std::uint32_t>(step.left);
    bounds.next = step.label;
  });
  return true;
}

// Sets `most` to a number of tokens that suffice after any token of the source that is allowed in `g` and not dead;
// kNever if none was found.
Limit CanonicalDistance::most_of_source(StateId g, TokenPosition position, const RowSource& source,
                                        const std::vector<NextState>& next, std::uint32_t& most) {
  auto& known = most_of_sources_[static_cast<std::size_t>(position)];
  const std::uint64_t key = (std::uint64_t{raw(g)} << 32) | source.number;
  if (const auto found = known.find(key); found != known.end()) {
    most = found->second;
    return Limit::kNone;
  }
  most = 0;
  CanonicalProduct::Tokens dead;
  if (const Limit limit = product_.find_dead(g, position, source, dead); limit != Limit::kNone) return limit;
  for (const NextState& to : next) {
    if (to.position != TokenPosition::kInside) continue;
    for (const auto& [part, first, count] : parts_of(*to.tokens, source)) {
      const PlaceId place = source.parts[part].to;
      std::uint32_t after_cut = 0;
      if (const Limit limit = tokens_after_cut({to.state, place, first}, after_cut); limit != Limit::kNone)
        return limit;
      if (after_cut != kNever) {
        most = std::max(most, after_cut);
        continue;
      }
      Limit met = Limit::kNone;
      to.tokens->for_each([&, part = part](std::uint32_t token) {
        if (source.part_of(token) != part || product_.is_whole(token)) return true;
        if (std::binary_search(dead->begin(), dead->end(), token)) return true;
        Pair after{{}, canonical_.state_of(token, place)};
        met = product_.step_grammar(g, token, position, after.g);
        if (met != Limit::kNone || after.g == StateId::kDead) return met == Limit::kNone;
        met = fits_locked(after, PairWithin::kAnyNumber).limit();
        if (met == Limit::kNone) most = std::max(most, bounds_of(after).most);
        return met == Limit::kNone && most != kNever;
      });
      if (met != Limit::kNone) return met;
      if (most == kNever) break;
    }
    if (most == kNever) break;
  }
  known.emplace(key, most);
  return Limit::kNone;
}

// Sets `most` to a number of tokens that suffice after any token of `bitmask`, the canonical mask; kNever if none was
// found.
Limit CanonicalDistance::most_of(const Pair& at, const std::vector<NextState>& next,
                                 std::span<const std::uint32_t> bitmask, std::uint32_t& most) {
  most = 0;
  std::vector<canonical::CanonicalAutomaton::RowMember> members;
  std::vector<std::uint32_t> one_by_one;
  canonical_.append_sources(at.c, members, one_by_one);
  for (const auto& member : members) {
    std::uint32_t of_source = 0;
    const Limit limit = most_of_source(at.g, at.position, *member.source, next, of_source);
    if (limit != Limit::kNone) return limit;
    most = std::max(most, of_source);
  }
  for (const NextState& to : next) {
    to.tokens->for_each([&](std::uint32_t token) {
      if (is_one_by_one(to, token)) one_by_one.push_back(token);
    });
  }
  for (const std::uint32_t token : one_by_one) {
    if (most == kNever) break;
    if (!bitmask_get(bitmask, token)) continue;
    Pair after;
    if (const Limit limit = find_after(at, token, after); limit != Limit::kNone) return limit;
    if (after.g == StateId::kDead) continue;
    const Answer fits = fits_locked(after, PairWithin::kAnyNumber);
    if (!fits.is_known()) return fits.limit();
    most = std::max(most, bounds_of(after).most);
  }
  return Limit::kNone;
}

// Removes from `bitmask`, the canonical mask, the tokens after which more than `left` - 1 tokens are needed.
Limit CanonicalDistance::narrow(const Pair& at, std::uint32_t left, const std::vector<NextState>& next,
                                std::span<std::uint32_t> bitmask) {
  TokenBits kept(bitmask.size());
  if (automaton_.accepts(at.g) && canonical_.may_end(at.c)) {
    for (const std::uint32_t stop : vocabulary_.stop_token_ids()) {
      if (bitmask_get(bitmask, stop)) bitmask_set(kept, stop);
    }
  }
  std::vector<canonical::CanonicalAutomaton::RowMember> members;
  std::vector<std::uint32_t> others;
  if (left > 0) canonical_.append_sources(at.c, members, others);
  std::sort(others.begin(), others.end());
  for (auto to = next.begin(); to != next.end() && left > 0; ++to) {
    std::optional<Answer> may_fit;
    enum class Fit : std::uint8_t { kNo, kOpen, kYes };
    std::vector<std::vector<Fit>> fitting(members.size());  // by member; by part
    for (std::size_t m = 0; m < members.size() && to->position == TokenPosition::kInside; ++m) {
      const RowSource& source = *members[m].source;
      fitting[m].resize(source.parts.size());
      for (const auto& [part, first, count] : parts_of(*to->tokens, source)) {
        const Spot spot{to->state, source.parts[part].to, first};
        if (count <= kMaxTokensDecidedSingly) {
          std::uint32_t needed = 0;
          if (const Limit limit = tokens_after_cut(spot, needed); limit != Limit::kNone) return limit;
          fitting[m][part] = needed < left ? Fit::kYes : is_excluded(spot, left - 1) ? Fit::kNo : Fit::kOpen;
          continue;
        }
        const Answer fits = fits_spot(spot, Neighbours::kCuts, left - 1);
        const Answer may_fit_there = fits.is_no() ? fits_spot(spot, Neighbours::kAny, left - 1) : fits;
        if (!may_fit_there.is_known()) return may_fit_there.limit();
        fitting[m][part] = fits.is_yes() ? Fit::kYes : may_fit_there.is_yes() ? Fit::kOpen : Fit::kNo;
      }
    }
    Limit met = Limit::kNone;
    to->tokens->for_each([&](std::uint32_t token) {
      if (!bitmask_get(bitmask, token) || bitmask_get(kept, token)) return true;
      bool fits = false;
      bool is_open = is_one_by_one(*to, token) || std::binary_search(others.begin(), others.end(), token);
      for (std::size_t m = 0; m < members.size() && !fits && !is_one_by_one(*to, token); ++m) {
        const auto& [source, same_piece] = members[m];
        const std::size_t part = source->part_of(token);
        const Fit fit = part < fitting[m].size() ? fitting[m][part] : Fit::kNo;
        is_open = is_open || fit == Fit::kOpen;
        if (fit != Fit::kYes) continue;
        const auto has_token = [&](const auto& member) { return member.source->contains(token); };
        fits = !std::binary_search(others.begin(), others.end(), token) &&
               (!same_piece || std::count_if(members.begin(), members.end(), has_token) == 1);
        if (fits) break;
        const auto places = canonical_.places_after(at.c, token);
        fits = std::find(places.begin(), places.end(), source->parts[part].to) != places.end();
      }
      if (!fits && is_open) {
        base::Work::charge(base::Work::kVisit);
        if (!may_fit.has_value()) may_fit = fits_plain(to->state, to->position, left - 1);
        const Answer after = may_fit->is_yes() ? fits_after(at, token, left - 1) : *may_fit;
        met = after.limit();
        fits = after.is_yes();
      }
      if (fits) bitmask_set(kept, token);
      return met == Limit::kNone;
    });
    if (met != Limit::kNone) return met;
  }
  const Bounds& bounds = bounds_of(at);
  if (left > 0 && bounds.most <= left && bounds.next != kNever && bitmask_get(bitmask, bounds.next)) {
    bitmask_set(kept, bounds.next);
  }
  std::copy(kept.begin(), kept.end(), bitmask.begin());
  return Limit::kNone;
}

CanonicalDistance::Masks* CanonicalDistance::find_masks(const Pair& at) {
  auto& masks = masks_[static_cast<std::size_t>(at.position)];
  const auto known = masks.find(key_of(at.g, at.c));
  return known == masks.end() ? nullptr : &known->second;
}

void CanonicalDistance::publish_memory() {
  std::size_t entries = ways_.size() + 2 * spots_.size() + parts_.size() + whole_lists_.size();
  for (const auto& bounds : bounds_) entries += bounds.size();
  for (const auto& most : most_of_sources_) entries += most.size();
  memory_bytes_.store(entries * kEntryBytes + masks_bytes_ + ways_bytes_, std::memory_order_relaxed);
}

Limit CanonicalDistance::restrict_mask(const PairWithin& within, std::span<std::uint32_t> bitmask) {
  const Pair at{within.g, within.c, within.position};
  const std::uint32_t left = within.left;
  const MutexLock lock(mutex_);
  if (const Masks* known = find_masks(at)) {
    if (left >= known->whole_from) return Limit::kNone;
    for (const Narrow& narrow : known->narrow) {
      if (narrow.left != left) continue;
      narrow.mask.write(bitmask);
      return Limit::kNone;
    }
  }
  tries_left_ = kMaskTries * automaton_.program().limits.lookahead_threads;
  const auto [next, limit] = automaton_.next_states(at.g, at.position);
  if (limit != Limit::kNone) return limit;
  if (const Limit met = remember_way(at); met != Limit::kNone) return met;
  // What has allowed the last token may be known of spots only.
  if (Bounds& bounds = bounds_of(at); bounds.most > left) take_spots(at, bounds);
  std::uint32_t most = 0;
  Limit met = most_of(at, *next, bitmask, most);
  bool is_whole = left > 0 && left - 1 >= most;
  if (met == Limit::kNone && !is_whole) {
    TokenBits before(bitmask.begin(), bitmask.end());
    met = narrow(at, left, *next, bitmask);
    is_whole = std::equal(before.begin(), before.end(), bitmask.begin());
    if (is_whole) most = left;
  } else {
    most = plus_one(most);
  }
  if (met != Limit::kNone) return met;
  if (masks_bytes_ > kMaxCanonicalMaskBytes) {
    for (auto& of_position : masks_) of_position.clear();
    masks_bytes_ = 0;
  }
  Masks& known = masks_[static_cast<std::size_t>(at.position)][key_of(at.g, at.c)];
  masks_bytes_ += kEntryBytes + sizeof(Masks);
  if (is_whole) {
    known.whole_from = std::min(known.whole_from, most);
  } else {
    known.narrow.push_back({left, mask_of(bitmask)});
    masks_bytes_ += known.narrow.back().mask.memory_bytes();
  }
  publish_memory();
  return Limit::kNone;
}

bool CanonicalDistance::is_whole_mask(const PairWithin& at) {
  const MutexLock lock(mutex_);
  const Masks* const known = find_masks({at.g, at.c, at.position});
  return known != nullptr && at.left >= known->whole_from;
}

Answer CanonicalDistance::fits(const PairWithin& at, std::optional<std::uint32_t>& known) {
  const MutexLock lock(mutex_);
  tries_left_ = automaton_.program().limits.lookahead_threads;
  const Pair pair{at.g, at.c, at.position};
  const Answer fits = fits_locked(pair, at.left);
  const std::uint32_t most = bounds_of(pair).most;
  known = most == kNever ? std::nullopt : std::optional(most);
  publish_memory();
  return fits;
}

Limit CanonicalDistance::keep_way(const PairWithin& within, std::uint32_t token, StateId next) {
  const Pair at{within.g, within.c, within.position};
  const MutexLock lock(mutex_);
  Pair searched;
  if (const Limit limit = find_after(at, token, searched); limit != Limit::kNone) return limit;
  if (searched.g == next || searched.g == StateId::kDead || within.left == 0) return Limit::kNone;
  Pair reached{next, searched.c, searched.position};
  tries_left_ = automaton_.program().limits.lookahead_threads;
  std::vector<std::pair<Pair, std::uint32_t>> followed;
  for (std::uint32_t left = within.left - 1;; --left) {
    Bounds& bounds = bounds_of(reached);
    if (!bounds.is_measured) {
      if (const Limit limit = measure(reached, bounds); limit != Limit::kNone) return limit;
    }
    if (bounds.most > left) take_spots(reached, bounds);
    if (bounds.most <= left) {
      base::Work::charge(followed.size());
      remember_followed(followed, bounds.most);
      publish_memory();
      return Limit::kNone;
    }
    if (const Answer fits = fits_locked(searched, left); !fits.is_yes()) return fits.limit();
    const std::uint32_t on_way = bounds_of(searched).next;
    if (on_way == kNever) return Limit::kNone;
    followed.emplace_back(reached, on_way);
    for (Pair* const pair : {&searched, &reached}) {
      const Pair before = *pair;
      const Limit limit = find_after(before, on_way, *pair);
      if (limit != Limit::kNone || pair->g == StateId::kDead) return limit;
    }
  }
}

std::optional<std::uint32_t> CanonicalDistance::next_on_way(StateId g, CanonicalId c, TokenPosition position) {
  const MutexLock lock(mutex_);
  const std::uint32_t next = bounds_of({g, c, position}).next;
  return next == kNever ? std::nullopt : std::optional(next);
}

}  // namespace weir::engine
