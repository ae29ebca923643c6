// CanonicalProduct: which pairs of states are viable, and ways to an end. canonical_product.h describes the method.
#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/replaceable.h"
#include "base/work.h"
#include "canonical/nfc_automaton.h"
#include "engine/automaton/completion.h"
#include "engine/canonical/canonical_product.h"
#include "engine/canonical/product_shared.h"
#include "engine/search_bounds.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;
using canonical::CanonicalId;
using canonical::PlaceId;
using canonical::RestId;
using product::for_each_token;
using product::has_place;
using product::is_work_met;
using product::kEntryBytes;
using product::key_of;

WEIR_REPLACEABLE Limit CanonicalProduct::is_viable(StateId g, CanonicalId c, bool& result) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(c));
  if (const auto known = viable_.find(key)) {
    result = *known != 0;
    return Limit::kNone;
  }
  if (const Limit limit = find_viable(g, c, result); limit != Limit::kNone) return limit;
  const MutexLock lock(mutex_);
  if (!viable_.find(key)) viable_.insert(key, result ? 1 : 0);
  return Limit::kNone;
}

Limit CanonicalProduct::find_viable(StateId g, CanonicalId c, bool& result) {
  result = false;
  if (canonical_.may_end(c)) {
    if (const Limit limit = may_text_end(g, result); limit != Limit::kNone || result) return limit;
  }
  for (const PlaceId place : canonical_.places(c)) {
    const Limit limit = is_place_viable(g, place, result);
    if (limit != Limit::kNone || result) return limit;
  }
  if (const Limit limit = keeps_tokens(g, c, result); limit != Limit::kNone || result) return limit;
  return search_tokens(g, c, result);
}

// Sets `result` to true if the grammar may read a byte that does not change the tokens so far, whether or not a
// boundary is before it, and after it a text that may follow. If `result` is false, nothing is known.
Limit CanonicalProduct::keeps_tokens(StateId g, CanonicalId c, bool& result) {
  std::optional<regex::ByteSet> bytes;
  for (const PlaceId place : canonical_.places(c)) {
    const RestId around = canonical_.rest_around(place);
    if (around == RestId::kNone) continue;
    if (!bytes.has_value()) {
      bytes.emplace();
      if (const Limit limit = automaton_.next_bytes(g, *bytes); limit != Limit::kNone) return limit;
      *bytes &= canonical_.keeping_bytes(c);
    }
    if (const Limit limit = is_settled(g, *bytes & canonical_.settling_bytes(around), result); limit != Limit::kNone) {
      return limit;
    }
    for (unsigned byte = 0; byte < 256 && !result; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      const RestId after = bytes->contains(b) ? canonical_.step(around, b) : RestId::kNone;
      if (after == RestId::kNone) continue;
      const StateId next = automaton_.step(g, b);
      if (is_limit(next)) return limit_of(next);
      if (next == StateId::kDead) continue;
      if (canonical_.may_end(after)) {
        if (const Limit limit = may_text_end(next, result); limit != Limit::kNone || result) return limit;
      }
      if (const Limit limit = search_text(next, after, result); limit != Limit::kNone) return limit;
    }
    if (result) return Limit::kNone;
  }
  return Limit::kNone;
}

// Sets `result` to true if the grammar allows the text to end in state `g`: the output may end there, or a special
// token may follow, after which another text begins.
Limit CanonicalProduct::may_text_end(StateId g, bool& result) {
  result = automaton_.accepts(g);
  if (result || !automaton_.has_token_exits(g)) return Limit::kNone;
  const MaskResult mask = automaton_.mask(g, TokenPosition::kInside);
  if (mask.limit != Limit::kNone) return mask.limit;
  TokenBits allowed(whole_tokens_.size());
  mask.mask->write(allowed);
  for (std::size_t i = 0; i < allowed.size() && !result; ++i) result = (allowed[i] & whole_tokens_[i]) != 0;
  return Limit::kNone;
}

// Sets `result` to true if the text may end here in both automata, or if a text may follow a boundary here.
Limit CanonicalProduct::is_place_viable(StateId g, PlaceId place, bool& result) {
  result = false;
  if (canonical_.may_end(place)) {
    if (const Limit limit = may_text_end(g, result); limit != Limit::kNone || result) return limit;
  }
  const RestId rest = canonical_.rest_after(place);
  return rest == RestId::kNone ? Limit::kNone : search_text(g, rest, result);
}

// Sets `result` to true if `rest` accepts some non-empty text that the grammar may read from `g`. The search is best
// first: states that are nearer to the grammar's end come first.
Limit CanonicalProduct::search_text(StateId g, RestId rest, bool& result) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(rest));
  {
    const MutexLock lock(mutex_);
    if (const auto known = texts_.find(key); known != texts_.end()) {
      result = known->second;
      return Limit::kNone;
    }
  }
  struct Visit {
    StateId g;
    RestId rest;
    std::size_t parent;
  };
  struct Open {
    WayCost distance;
    std::size_t visit;
    // Returns true if this is visited later. Of equal distances, the newest comes first.
    bool operator<(const Open& other) const {
      return distance != other.distance ? distance > other.distance : visit < other.visit;
    }
  };
  std::vector<Visit> visits{{g, rest, 0}};
  std::priority_queue<Open> open;
  std::unordered_set<std::uint64_t> seen{key};
  open.push({{}, 0});
  std::size_t last = 0;
  result = false;
  while (!open.empty() && !result) {
    if (is_work_met()) return Limit::kCallWork;
    last = open.top().visit;
    open.pop();
    if (const Limit limit = visit_text(visits[last].g, visits[last].rest, result,
                                       [&](StateId next, RestId after) {
                                         if (!seen.insert(key_of(next, static_cast<std::uint32_t>(after))).second) {
                                           return true;
                                         }
                                         visits.push_back({next, after, last});
                                         open.push({automaton_.distance(next), visits.size() - 1});
                                         return visits.size() <= fuel_;
                                       });
        limit != Limit::kNone) {
      return limit;
    }
  }
  // A text that was found is one for all states on its way. If none was found, there is none for any visited state.
  const MutexLock lock(mutex_);
  const auto remember = [&](const Visit& visit) {
    const bool is_new = texts_.emplace(key_of(visit.g, static_cast<std::uint32_t>(visit.rest)), result).second;
    if (is_new) memory_bytes_ += kEntryBytes;
  };
  if (!result) {
    for (const Visit& visit : visits) remember(visit);
    return Limit::kNone;
  }
  for (; last != 0; last = visits[last].parent) remember(visits[last]);
  remember(visits.front());
  return Limit::kNone;
}

// Sets `result` to true if any text may follow one of `bytes`, which settle a boundary and may come in `g`. If `result`
// is false, nothing is known. In a grammar with conditions not all of these bytes may come; then the caller tries
// each.
Limit CanonicalProduct::is_settled(StateId g, const regex::ByteSet& bytes, bool& result) {
  result = false;
  if (canonical_.nfc() == nullptr) {
    result = !automaton_.has_conditions() && !bytes.is_empty();
    return Limit::kNone;
  }
  int tried = 0;
  for (unsigned byte = 0; byte < 256 && tried < kMaxSettlingBytes && !result; ++byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    if (!bytes.contains(b)) continue;
    const StateId next = automaton_.step(g, b);
    if (is_limit(next)) return limit_of(next);
    if (next == StateId::kDead) continue;
    ++tried;
    if (const Limit limit = ends_in_nfc(next, b, result); limit != Limit::kNone) return limit;
  }
  return Limit::kNone;
}

// Sets `result` to true if the shortest completion of `g`, after the byte `before` if there is one, is a text that may
// follow every text in NFC. If not, another completion may be such a text.
Limit CanonicalProduct::ends_in_nfc(StateId g, std::optional<std::uint8_t> before, bool& result) {
  result = false;
  if (g == StateId::kDead) return Limit::kNone;
  const std::uint64_t key = (std::uint64_t{raw(g)} << 9) | (before.has_value() ? *before + 1U : 0U);
  {
    const MutexLock lock(mutex_);
    if (const auto known = nfc_ends_.find(key); known != nfc_ends_.end()) {
      result = known->second;
      return Limit::kNone;
    }
  }
  const StopTokens stops(vocabulary_);
  const Completion completion = estimate_completion(automaton_, g, stops);
  if (completion.parts.has_value()) {
    CompletionWalk walk(automaton_, g, TokenPosition::kInside, stops);
    result = true;
    std::string text;
    if (before.has_value()) text.push_back(static_cast<char>(*before));
    if (completion.parts->empty()) result = canonical_.nfc()->may_follow_all(text);
    for (const CompletionPart& part : *completion.parts) {
      base::Work::charge(part.text.size() / base::Work::kTextBytes);
      result = result && canonical_.nfc()->may_follow_all(text + part.text);
      text.clear();
      if (automaton_.has_conditions() && result) {
        if (const Limit limit = walk.step(part); limit != Limit::kNone) return limit;
      }
    }
    if (automaton_.has_conditions()) result = result && automaton_.accepts(walk.state());
  }
  if (!result && base::Work::is_met()) return Limit::kCallWork;
  const MutexLock lock(mutex_);
  if (nfc_ends_.emplace(key, result).second) memory_bytes_ += kEntryBytes;
  return Limit::kNone;
}

// Tries each byte that may come in (g, rest). Sets `result` to true if a text is found, by one byte or by known
// results. Otherwise calls `use` with the pairs after the bytes, until it returns false: then the limit is met.
template <typename Use>
Limit CanonicalProduct::visit_text(StateId g, RestId rest, bool& result, Use use) {
  regex::ByteSet bytes;
  if (const Limit limit = automaton_.next_bytes(g, bytes); limit != Limit::kNone) return limit;
  const regex::ByteSet settling = canonical_.settling_bytes(rest);
  if (const Limit limit = is_settled(g, bytes & settling, result); limit != Limit::kNone) return limit;
  for (unsigned byte = 0; byte < 256 && !result; ++byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    if (!bytes.contains(b)) continue;
    const RestId after = canonical_.step(rest, b);
    if (after == RestId::kNone) continue;
    const StateId next = automaton_.step(g, b);
    if (is_limit(next)) return limit_of(next);
    if (next == StateId::kDead) continue;
    // Under NFC is_settled has tried the bytes that settle.
    const bool is_known = (canonical_.nfc() == nullptr && settling.contains(b)) || canonical_.is_settled(after);
    std::optional<bool> known = is_known ? std::optional(true) : std::nullopt;
    if (!known.has_value()) {
      const MutexLock lock(mutex_);
      const auto found = texts_.find(key_of(next, static_cast<std::uint32_t>(after)));
      if (found != texts_.end()) known = found->second;
    }
    result = known.value_or(false);
    if (!result && canonical_.may_end(after)) {
      if (const Limit limit = may_text_end(next, result); limit != Limit::kNone) return limit;
    }
    if (!result && !known.has_value() && !use(next, after)) return Limit::kLookaheadThreads;
  }
  return Limit::kNone;
}

Limit CanonicalProduct::step_grammar(StateId g, std::uint32_t token, TokenPosition position, StateId& next) {
  const TokenView view(vocabulary_, position);
  const std::string_view bytes = is_whole(token) ? std::string_view{} : view.bytes_of(token);
  const auto empty = vocabulary_.first_empty_tokens();
  const bool adds_nothing = position == TokenPosition::kFirst && std::binary_search(empty.begin(), empty.end(), token);
  next = adds_nothing ? g : automaton_.step_token(g, token, position, bytes);
  return limit_of(next);
}

// Calls `use(token, grammar state after it)` with each token that both automata allow, until it returns false.
template <typename Use>
Limit CanonicalProduct::for_each_step(const Pair& from, TokenPosition position, Use use) {
  TokenBits row(whole_tokens_.size());
  canonical_.row(from.c, row);
  for (std::size_t i = 0; canonical_.may_end(from.c) && i < row.size(); ++i) row[i] |= whole_tokens_[i];
  return for_each_step(from.g, position, row, use);
}

// Does the same with the tokens that may continue the piece in progress, and possibly others. Tokens after a boundary
// need not be tried (is_place_viable), and very many tokens begin a piece.
template <typename Use>
Limit CanonicalProduct::for_each_inside(const Pair& from, Use use) {
  TokenBits inside;
  if (!inside_tokens(from.c, inside)) return for_each_step(from, TokenPosition::kInside, use);
  TokenBits row(whole_tokens_.size());
  canonical_.row(from.c, row);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] &= inside[i];
  return for_each_step(from.g, TokenPosition::kInside, row, use);
}

// Sets `tokens` to a superset of the tokens that may continue the piece in progress. Returns false if any token may.
bool CanonicalProduct::inside_tokens(CanonicalId c, TokenBits& tokens) const {
  if (canonical_.is_text_start(c) || canonical_.has_byte_tokens()) return false;
  tokens.assign(whole_tokens_.size(), 0);
  for (const PlaceId place : canonical_.places(c)) {
    if (!canonical_.may_go_on(place)) continue;
    const RowSource* source = canonical_.inside_source(place);
    if (source == nullptr) return false;
    for (std::size_t i = 0; i < source->bitmask.size(); ++i) tokens[i] |= source->bitmask[i];
    for (const std::uint32_t token : source->tokens) bitmask_set(tokens, token);
  }
  return true;
}

// Calls `use(token, grammar state after it)` with each of `tokens` that the grammar allows, until it returns false.
template <typename Use>
Limit CanonicalProduct::for_each_step(StateId g, TokenPosition position, std::span<const std::uint32_t> tokens,
                                      Use use) {
  const MaskResult mask = automaton_.mask(g, position);
  if (mask.limit != Limit::kNone) return mask.limit;
  TokenBits allowed(whole_tokens_.size());
  mask.mask->write(allowed);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    for (std::uint32_t left = allowed[i] & tokens[i]; left != 0; left &= left - 1) {
      const auto token = static_cast<std::uint32_t>(i * 32) + static_cast<std::uint32_t>(std::countr_zero(left));
      StateId next{};
      if (const Limit limit = step_grammar(g, token, position, next); limit != Limit::kNone) return limit;
      if (next == StateId::kDead) continue;  // a stop token
      if (!use(token, next)) return Limit::kNone;
    }
  }
  return Limit::kNone;
}

// Sets `found` to tokens that continue the piece of `place` in state `g`, each with the result of one check. None of
// this depends on the last token.
Limit CanonicalProduct::find_continuations(StateId g, PlaceId place, std::shared_ptr<const Continuations>& found) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(place));
  {
    const MutexLock lock(mutex_);
    if (const auto known = continuations_.find(key); known != continuations_.end()) {
      found = known->second;
      return Limit::kNone;
    }
  }
  Continuations out;
  if (const RowSource* source = canonical_.inside_source(place); source != nullptr) {
    const MaskResult mask = automaton_.mask(g, TokenPosition::kInside);
    if (mask.limit != Limit::kNone) return mask.limit;
    std::size_t viable = 0;
    Limit limit = Limit::kNone;
    const auto look_at = [&](std::uint32_t token) {
      if (!source->contains(token)) return true;
      if (viable == kEnoughViableContinuations || out.steps.size() == kMaxTriedContinuations) return false;
      StateId next{};
      limit = step_grammar(g, token, TokenPosition::kInside, next);
      if (limit != Limit::kNone || next == StateId::kDead) return limit == Limit::kNone;
      const PlaceId to = source->place_after(token);
      bool is_viable = false;
      limit = is_place_viable(next, to, is_viable);
      // In a tokenizer without cuts, such as SentencePiece, nothing else decides before the end of the text.
      if (limit == Limit::kNone && !is_viable) limit = keeps_tokens(next, canonical_.state_of(token, to), is_viable);
      if (limit != Limit::kNone) {
        if (viable > 0 && limit != Limit::kCallWork) limit = Limit::kNone;  // the tokens found may suffice
        return false;
      }
      out.steps.push_back({token, next, to, is_viable});
      viable += is_viable ? 1 : 0;
      return true;
    };
    out.is_complete = for_each_token(*mask.mask, look_at) && !canonical_.has_byte_tokens();
    if (limit != Limit::kNone) return limit;
  }
  found = std::make_shared<const Continuations>(std::move(out));
  const MutexLock lock(mutex_);
  if (continuations_.emplace(key, found).second) {
    memory_bytes_ += kEntryBytes + found->steps.size() * sizeof(found->steps[0]);
  }
  return Limit::kNone;
}

// Checks the tokens that continue a piece of (g, c). Sets `result` to true if one check shows that a token leads to a
// viable pair; otherwise calls `use` with the pair after each. Sets `is_complete` to true if there are no other tokens;
// before the first token, when no piece has begun, there are.
template <typename Use>
Limit CanonicalProduct::continue_pieces(const Pair& from, bool& is_complete, bool& result, Use use) {
  is_complete = !canonical_.is_text_start(from.c);
  if (!is_complete) return Limit::kNone;
  for (const PlaceId place : canonical_.places(from.c)) {
    if (!canonical_.may_go_on(place)) continue;
    const RowSource* source = canonical_.inside_source(place);
    if (source != nullptr && source->bitmask.empty() && source->tokens.size() <= kMaxPieceContinuations) {
      is_complete = is_complete && !canonical_.has_byte_tokens();
      for (const std::uint32_t token : source->tokens) {
        const CanonicalId after = canonical_.step(from.c, token);
        if (after == CanonicalId::kRefused) continue;
        StateId next{};
        Limit limit = step_grammar(from.g, token, TokenPosition::kInside, next);
        if (limit != Limit::kNone) return limit;
        if (next == StateId::kDead) continue;
        for (const PlaceId to : canonical_.places(after)) {
          if (limit == Limit::kNone && !result) limit = is_place_viable(next, to, result);
        }
        if (limit == Limit::kNone && !result) limit = keeps_tokens(next, after, result);
        if (limit != Limit::kNone || result) return limit;
        use({next, after});
      }
      continue;
    }
    std::shared_ptr<const Continuations> continuations;
    if (const Limit limit = find_continuations(from.g, place, continuations); limit != Limit::kNone) return limit;
    is_complete = is_complete && continuations->is_complete;
    for (const Continuation& step : continuations->steps) {
      const auto places = canonical_.places_after(from.c, step.token);
      if (places.empty()) continue;
      const bool is_there = has_place(places, step.to);
      result = is_there && step.is_viable;
      for (std::size_t i = 0; i < places.size() && !result; ++i) {
        if (places[i] == step.to) continue;
        if (const Limit limit = is_place_viable(step.next, places[i], result); limit != Limit::kNone) return limit;
      }
      if (result) return Limit::kNone;
      const Pair next{step.next, canonical_.step(from.c, step.token)};
      if (places.size() > 1 || !is_there) {
        if (const Limit limit = keeps_tokens(next.g, next.c, result); limit != Limit::kNone || result) return limit;
      }
      use(next);
    }
  }
  return Limit::kNone;
}

// Sets `result` to true if tokens lead from (g, c) to a pair of which a place is viable. The search is breadth first.
Limit CanonicalProduct::search_tokens(StateId g, CanonicalId c, bool& result) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(c));
  const auto find_known = [&](std::uint64_t pair) -> std::optional<bool> {
    const MutexLock lock(mutex_);
    const auto known = tokens_.find(pair);
    return known == tokens_.end() ? std::nullopt : std::optional(known->second);
  };
  if (const auto known = find_known(key)) {
    result = *known;
    return Limit::kNone;
  }
  result = false;
  std::deque<Pair> open{{g, c}};
  std::unordered_set<std::uint64_t> seen{key};
  std::vector<Pair> next_pairs;
  std::size_t steps = 0;
  const auto is_out_of_fuel = [&] { return seen.size() > fuel_ || steps / kTokensForOnePair > fuel_; };
  const auto add = [&](const Pair& pair) {
    const std::uint64_t pair_key = key_of(pair.g, static_cast<std::uint32_t>(pair.c));
    if (!seen.insert(pair_key).second) return;
    const auto known = find_known(pair_key);
    if (!known.has_value()) open.push_back(pair);
    result = result || known.value_or(false);
  };
  while (!open.empty() && !result) {
    const Pair at = open.front();
    open.pop_front();
    const auto places = canonical_.places(at.c);
    const bool goes_on = canonical_.is_text_start(at.c) ||
                         std::any_of(places.begin(), places.end(), [&](PlaceId p) { return canonical_.may_go_on(p); });
    if (!goes_on) continue;
    bool is_complete = false;
    next_pairs.clear();
    if (const Limit limit =
            continue_pieces(at, is_complete, result, [&](const Pair& next) { next_pairs.push_back(next); });
        limit != Limit::kNone) {
      return limit;
    }
    if (result) break;
    if (is_complete) {
      steps += next_pairs.size();
      if (is_out_of_fuel()) return Limit::kLookaheadThreads;
      for (const Pair& next : next_pairs) add(next);
      continue;
    }
    Limit met = Limit::kNone;
    const Limit limit = for_each_inside(at, [&](std::uint32_t token, StateId after) {
      ++steps;
      if (is_out_of_fuel()) met = Limit::kLookaheadThreads;
      if (is_work_met()) met = Limit::kCallWork;
      const Pair next{after, step(at.c, token)};
      for (const PlaceId place : canonical_.places(next.c)) {
        if (met != Limit::kNone || result) break;
        met = is_place_viable(next.g, place, result);
      }
      if (met == Limit::kNone && !result) met = keeps_tokens(next.g, next.c, result);
      if (met != Limit::kNone || result) return false;
      add(next);
      return !result;
    });
    if (limit != Limit::kNone) return limit;
    if (met != Limit::kNone) return met;
  }
  const MutexLock lock(mutex_);
  if (tokens_.emplace(key, result).second) memory_bytes_ += kEntryBytes;
  // If nothing was found, no visited pair is viable.
  for (auto pair = seen.begin(); pair != seen.end() && !result; ++pair) {
    if (tokens_.emplace(*pair, false).second) memory_bytes_ += kEntryBytes;
  }
  return Limit::kNone;
}

// A text is written in at most one way, so the ways to a place of it that have the same state are one.
WEIR_REPLACEABLE std::optional<std::vector<std::uint32_t>> CanonicalProduct::tokens_after(CanonicalId c,
                                                                                          std::string_view text) {
  struct Node {
    CanonicalId c;
    std::size_t parent = 0;
    std::uint32_t token = 0;
  };
  std::vector<Node> nodes{{c}};
  std::vector<std::vector<std::size_t>> nodes_at(text.size() + 1);
  nodes_at[0] = {0};
  const vocab::TokenTrie& trie = vocabulary_.trie();
  for (std::size_t begin = 0; begin < text.size() && !is_work_met(); ++begin) {
    if (nodes_at[begin].empty()) continue;
    base::Work::charge(nodes_at[begin].size() * base::Work::kVisit);
    trie.for_each_prefix(text.substr(begin), [&](const vocab::TrieNode& node) {
      std::vector<std::size_t>& there = nodes_at[begin + node.depth];
      for (const std::uint32_t token : trie.tokens_at(node)) {
        if (is_whole(token)) continue;
        for (const std::size_t from : nodes_at[begin]) {
          const CanonicalId after = step(nodes[from].c, token);
          const auto is_same = [&](std::size_t known) { return nodes[known].c == after; };
          if (after == CanonicalId::kRefused || std::any_of(there.begin(), there.end(), is_same)) continue;
          there.push_back(nodes.size());
          nodes.push_back({after, from, token});
        }
      }
      return true;
    });
  }
  for (std::size_t last : nodes_at.back()) {
    if (!canonical_.may_end(nodes[last].c)) continue;
    std::vector<std::uint32_t> tokens;
    for (; last != 0; last = nodes[last].parent) tokens.push_back(nodes[last].token);
    std::reverse(tokens.begin(), tokens.end());
    return tokens;
  }
  return std::nullopt;
}

WEIR_REPLACEABLE Limit CanonicalProduct::find_way(StateId g, CanonicalId c, TokenPosition position,
                                                  std::vector<std::uint32_t>& way) {
  // The tokens that lead nearer to the grammar's end are few, and nearly always suffice; all tokens are tried after
  // them.
  const Limit met = search_way(g, c, position, Steps::kNearer, way);
  return met == Limit::kLookaheadThreads ? search_way(g, c, position, Steps::kAll, way) : met;
}

Limit CanonicalProduct::search_way(StateId g, CanonicalId c, TokenPosition position, Steps steps,
                                   std::vector<std::uint32_t>& way) {
  struct Visit {
    Pair pair;
    std::size_t parent;
    std::uint32_t token;
  };
  struct Open {
    WayCost distance;
    std::size_t visit;
    bool operator<(const Open& other) const {
      return distance != other.distance ? distance > other.distance : visit > other.visit;
    }
  };
  std::vector<Visit> visits{{{g, c}, 0, 0}};
  std::priority_queue<Open> open;
  open.push({automaton_.distance(g), 0});
  std::set<std::uint64_t> seen;
  std::unordered_map<std::uint32_t, WayCost> distances;  // by state; very many tokens lead to few states
  const auto distance_of = [&](StateId state) {
    const auto [known, is_new] = distances.try_emplace(raw(state));
    if (is_new) known->second = automaton_.distance(state);
    return known->second;
  };
  way.clear();
  while (!open.empty()) {
    const std::size_t number = open.top().visit;
    const WayCost left = open.top().distance;
    open.pop();
    const Pair at = visits[number].pair;
    if (automaton_.accepts(at.g) && canonical_.may_end(at.c)) {
      for (std::size_t i = number; i != 0; i = visits[i].parent) way.push_back(visits[i].token);
      std::reverse(way.begin(), way.end());
      return Limit::kNone;
    }
    const Limit limit =
        for_each_step(at, number == 0 ? position : TokenPosition::kInside, [&](std::uint32_t token, StateId after) {
          const WayCost distance = distance_of(after);
          if (steps == Steps::kNearer && distance >= left) return true;
          const Pair next{after, step(at.c, token)};
          if (next.c == CanonicalId::kRefused) return true;
          const std::uint64_t key = key_of(next.g, static_cast<std::uint32_t>(next.c));
          if (!seen.insert(key).second) return true;
          visits.push_back({next, number, token});
          open.push({distance, visits.size() - 1});
          return visits.size() <= fuel_;
        });
    if (limit != Limit::kNone) return limit;
    if (visits.size() > fuel_) return Limit::kLookaheadThreads;
  }
  return Limit::kLookaheadThreads;
}

}  // namespace weir::engine
