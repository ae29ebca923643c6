#include "engine/canonical/canonical_product.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <tuple>

#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;
using canonical::CanonicalId;
using canonical::PlaceId;
using canonical::RestId;

namespace {

// Inside of a terminal a token is looked at no further than this: characters are completed by three bytes, and one byte
// more decides. What that does not prove is searched for with the grammar.
constexpr std::uint32_t kInsideBytes = 16;
constexpr std::size_t kInsideNodes = 4'096;
// About what an entry of a map costs beside its payload.
constexpr std::size_t kEntryBytes = 64;

std::uint64_t key_of(StateId g, std::uint32_t other) { return (std::uint64_t{raw(g)} << 32) | other; }

bool meet(const regex::ByteSet& a, const regex::ByteSet& b) { return !(a & b).is_empty(); }

}  // namespace

CanonicalProduct::CanonicalProduct(Automaton& automaton, const canonical::CanonicalAutomaton& canonical,
                                   GroupsStore& store)
    : automaton_(automaton),
      canonical_(canonical),
      vocabulary_(automaton.program().tokenizer.vocabulary()),
      store_(store),
      fuel_(automaton.program().limits.lookahead_threads),
      whole_tokens_(bitmask_words(vocabulary_.size())) {
  for (std::uint32_t token = 0; token < vocabulary_.size(); ++token) {
    const TokenKind kind = vocabulary_.token_kind(token);
    const bool is_text = (kind == TokenKind::kNormal || kind == TokenKind::kByte) && !vocabulary_.is_stop_token(token);
    if (!is_text) whole_tokens_[token / 32] |= std::uint32_t{1} << (token % 32);
  }
}

bool CanonicalProduct::is_in(const RowPart& part, std::uint32_t token) const {
  return part.bitmask.empty() ? std::binary_search(part.tokens.begin(), part.tokens.end(), token)
                              : contains(part.bitmask, token);
}

CanonicalId CanonicalProduct::step(CanonicalId c, std::uint32_t token) const {
  if (!is_whole(token)) return canonical_.step(c, token);
  return canonical_.may_end(c) ? canonical_.restart() : CanonicalId::kRefused;
}

Limit CanonicalProduct::restrict_mask(StateId g, CanonicalId c, TokenPosition position,
                                      std::span<std::uint32_t> bitmask) {
  TokenBits row(bitmask.size());
  canonical_.row(c, row);
  const bool may_end = canonical_.may_end(c);
  for (std::size_t i = 0; i < row.size(); ++i) bitmask[i] &= may_end ? row[i] | whole_tokens_[i] : row[i];
  std::vector<RowPart> parts;
  std::vector<std::uint32_t> others;
  canonical_.append_parts(c, parts, others);
  std::vector<Tokens> dead(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (const Limit limit = find_dead(g, position, parts[i], dead[i]); limit != Limit::kNone) return limit;
  }
  const auto is_alive = [&](std::uint32_t token) {
    std::optional<std::span<const PlaceId>> places;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_in(parts[i], token) || std::binary_search(dead[i]->begin(), dead[i]->end(), token)) continue;
      if (!parts[i].same_piece) return true;
      if (!places.has_value()) places = canonical_.places_after(c, token);
      if (std::find(places->begin(), places->end(), parts[i].to) != places->end()) return true;
    }
    return false;
  };
  for (const Tokens& tokens : dead) {
    for (const std::uint32_t token : *tokens) {
      if (contains(bitmask, token) && !is_alive(token)) bitmask_clear(bitmask, token);
    }
  }
  for (const std::uint32_t token : others) {
    if (!contains(bitmask, token)) continue;
    StateId next{};
    if (const Limit limit = step_grammar(g, token, position, next); limit != Limit::kNone) return limit;
    const CanonicalId after = canonical_.step(c, token);
    bool is_viable = next != StateId::kDead && after != CanonicalId::kRefused;
    if (is_viable) {
      if (const Limit limit = this->is_viable(next, after, is_viable); limit != Limit::kNone) return limit;
    }
    if (!is_viable) bitmask_clear(bitmask, token);
  }
  return Limit::kNone;
}

// Sets `dead` to the tokens of the part that the grammar allows in state `g` and after which the pair of the grammar's
// state and the part's place is not viable. Ascending.
Limit CanonicalProduct::find_dead(StateId g, TokenPosition position, const RowPart& part, Tokens& dead) {
  const void* const address = part.bitmask.empty() ? static_cast<const void*>(part.tokens.data())
                                                   : static_cast<const void*>(part.bitmask.data());
  const std::tuple key{(std::uint64_t{raw(g)} << 1) | static_cast<std::uint64_t>(position),
                       static_cast<std::uint32_t>(part.to), address};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = dead_.find(key); known != dead_.end()) {
      dead = known->second;
      return Limit::kNone;
    }
  }
  const Automaton::TargetsResult targets = automaton_.targets(g, position);
  if (targets.limit != Limit::kNone) return targets.limit;
  std::vector<std::uint32_t> suspects;
  for (const TokenTargets::Terminal& terminal : targets.targets->terminals) {
    if (const Limit limit = add_unproven(terminal, position, part, suspects); limit != Limit::kNone) return limit;
  }
  for (const auto& [token, next] : targets.targets->listed) {
    if (!is_in(part, token)) continue;
    bool is_viable = false;
    if (const Limit limit = is_place_viable(next, part.to, is_viable); limit != Limit::kNone) return limit;
    if (!is_viable) suspects.push_back(token);
  }
  std::sort(suspects.begin(), suspects.end());
  suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
  std::vector<std::uint32_t> found;
  for (const std::uint32_t token : suspects) {
    StateId next{};
    if (const Limit limit = step_grammar(g, token, position, next); limit != Limit::kNone) return limit;
    bool is_viable = false;
    if (next != StateId::kDead) {
      const Limit limit = this->is_viable(next, canonical_.state_of(token, part.to), is_viable);
      if (limit != Limit::kNone) return limit;
    }
    if (!is_viable) found.push_back(token);
  }
  found.shrink_to_fit();
  dead = std::make_shared<const std::vector<std::uint32_t>>(std::move(found));
  const std::scoped_lock lock(mutex_);
  if (dead_.emplace(key, dead).second) memory_bytes_ += kEntryBytes + dead->size() * sizeof(std::uint32_t);
  return Limit::kNone;
}

// Appends the ready tokens of the terminal that are in the part and of which neither the bytes that may come next, nor
// the state of the terminal alone, nor a look at what may follow inside of the terminal shows that they are viable.
Limit CanonicalProduct::add_unproven(const TokenTargets::Terminal& terminal, TokenPosition position,
                                     const RowPart& part, std::vector<std::uint32_t>& tokens) {
  const TokenView view(vocabulary_, position);
  const std::uint32_t bytes = view.trie.max_depth() + kInsideBytes;
  std::shared_ptr<const ReadyGroups> groups;
  FactsStore::Key key{};
  bool is_terminals_own = false;  // and not those of another expression, as far as tokens see
  automaton_.with_residuals(terminal, bytes, position, [&](ResidualTable& table, const FactsStore::Key& of_root) {
    key = of_root;
    is_terminals_own = table.expr(table.root()) == terminal.residual;
    groups = store_.find(key);
    if (groups != nullptr) return;
    if (auto computed = compute_ready_groups(table, view)) groups = store_.insert(key, *std::move(computed));
  });
  if (groups == nullptr) return Limit::kRegexFuel;
  const RestId rest = canonical_.rest_behind(part.to);
  const regex::ByteSet settling = rest == RestId::kNone ? regex::ByteSet() : canonical_.settling_bytes(rest);
  for (std::size_t i = 0; i < groups->groups.size(); ++i) {
    const ReadyGroup& group = groups->groups[i];
    if (meet(group.live, settling)) continue;
    if (is_terminals_own && rest != RestId::kNone) {
      const StateId state = automaton_.inside_terminal(terminal, view.bytes_of(group.representative));
      if (is_limit(state)) return limit_of(state);
      bool is_viable = false;
      if (const Limit limit = is_place_viable(state, part.to, is_viable); limit != Limit::kNone) return limit;
      if (is_viable) continue;
    }
    const GroupsStore::Part name{static_cast<std::uint32_t>(part.to) ^ (static_cast<std::uint32_t>(i) << 20),
                                 part.bitmask.empty() ? static_cast<const void*>(part.tokens.data())
                                                      : static_cast<const void*>(part.bitmask.data())};
    GroupsStore::Tokens unproven = store_.find_unproven(key, name);
    if (unproven == nullptr) {
      std::vector<std::uint32_t> found;
      automaton_.with_residuals(terminal, bytes, position, [&](ResidualTable& table, const FactsStore::Key& /*key*/) {
        found = unproven_inside(table, group, view, part);
      });
      unproven = store_.insert_unproven(key, name, std::move(found));
    }
    tokens.insert(tokens.end(), unproven->begin(), unproven->end());
  }
  return Limit::kNone;
}

std::vector<std::uint32_t> CanonicalProduct::unproven_inside(ResidualTable& table, const ReadyGroup& group,
                                                             const TokenView& tokens, const RowPart& part) {
  std::vector<std::uint32_t> unproven;
  const auto look_at = [&](std::uint32_t token) {
    if (!is_proven_inside(table, token, tokens, part.to)) unproven.push_back(token);
  };
  if (!part.bitmask.empty()) {
    group.for_each_in(part.bitmask, look_at);
  } else {
    for (const std::uint32_t token : part.tokens) {
      const bool is_member = group.bits.empty()
                                 ? std::binary_search(group.tokens.begin(), group.tokens.end(), token)
                                 : contains(group.bits, token);
      if (is_member) look_at(token);
    }
  }
  return unproven;
}

// Whether some token after `token`, which stays inside of the terminal, ends where the next byte inside of it settles a
// boundary.
bool CanonicalProduct::is_proven_inside(ResidualTable& table, std::uint32_t token, const TokenView& tokens,
                                        PlaceId place) {
  std::uint32_t residual = table.root();
  for (const char c : tokens.bytes_of(token)) residual = table.step(residual, static_cast<std::uint8_t>(c));
  if (residual == ResidualTable::kDead || table.is_inexact()) return false;
  const CanonicalId after = canonical_.state_of(token, place);
  const TokenView next(vocabulary_, TokenPosition::kInside);
  const auto nodes = next.trie.nodes();
  std::array<std::uint32_t, kInsideBytes + 1> path{};
  path[0] = residual;
  std::size_t fuel = kInsideNodes;
  for (std::size_t i = 0; i < nodes.size() && fuel != 0; --fuel) {
    const vocab::TrieNode node = nodes[i];
    const std::uint32_t at =
        node.depth >= path.size() ? ResidualTable::kDead
                                  : table.step(path[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (at == ResidualTable::kDead) {
      i += node.subtree_size;
      continue;
    }
    path[node.depth] = at;
    ++i;
    if (node.tokens == 0) continue;
    for (const PlaceId to : canonical_.places_after(after, next.trie.tokens_at(node).front())) {
      const RestId rest = canonical_.rest_behind(to);
      if (rest == RestId::kNone) continue;
      const regex::ByteSet& settling = canonical_.settling_bytes(rest);
      for (unsigned byte = 0; byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (settling.contains(b) && table.step(at, b) != ResidualTable::kDead) return !table.is_inexact();
      }
    }
  }
  return false;
}

Limit CanonicalProduct::is_viable(StateId g, CanonicalId c, bool& result) {
  result = false;
  for (const PlaceId place : canonical_.places(c)) {
    const Limit limit = is_place_viable(g, place, result);
    if (limit != Limit::kNone || result) return limit;
  }
  return search_tokens(g, c, result);
}

// Whether the text may end here in both, or a text may follow a boundary here.
Limit CanonicalProduct::is_place_viable(StateId g, PlaceId place, bool& result) {
  result = automaton_.accepts(g) && canonical_.may_end(place);
  if (result) return Limit::kNone;
  const RestId rest = canonical_.rest_behind(place);
  return rest == RestId::kNone ? Limit::kNone : search_text(g, rest, result);
}

// Whether some text, not empty, that the grammar may read from `g` is one that `rest` accepts: best first, by how far
// the grammar's end is.
Limit CanonicalProduct::search_text(StateId g, RestId rest, bool& result) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(rest));
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = texts_.find(key); known != texts_.end()) {
      result = known->second;
      return Limit::kNone;
    }
  }
  struct Open {
    WayCost distance;
    std::uint64_t order;  // of equals, the newest first
    StateId g;
    RestId rest;
    bool operator<(const Open& other) const {  // is to be taken later
      return distance != other.distance ? distance > other.distance : order < other.order;
    }
  };
  std::priority_queue<Open> open;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen{{raw(g), static_cast<std::uint32_t>(rest)}};
  open.push({{}, 0, g, rest});
  result = false;
  std::uint64_t order = 0;
  while (!open.empty() && !result) {
    const Open at = open.top();
    open.pop();
    regex::ByteSet bytes;
    if (const Limit limit = automaton_.next_bytes(at.g, bytes); limit != Limit::kNone) return limit;
    const regex::ByteSet& settling = canonical_.settling_bytes(at.rest);
    // Bytes that settle the matter first: then nothing else is explored.
    for (const bool is_settling : {true, false}) {
      for (unsigned byte = 0; byte < 256 && !result; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (!bytes.contains(b) || settling.contains(b) != is_settling) continue;
        if (is_settling && !automaton_.has_conditions()) {
          result = true;
          break;
        }
        const StateId next = automaton_.step(at.g, b);
        if (is_limit(next)) return limit_of(next);
        if (next == StateId::kDead) continue;
        const RestId behind = canonical_.step(at.rest, b);
        result = is_settling;
        if (behind == RestId::kNone || result) continue;
        const bool ends = canonical_.may_end(behind) && (automaton_.accepts(next) || automaton_.has_token_exits(next));
        result = ends || canonical_.is_settled(behind);
        if (result || !seen.emplace(raw(next), static_cast<std::uint32_t>(behind)).second) continue;
        if (seen.size() > fuel_) return Limit::kLookaheadThreads;
        open.push({automaton_.distance(next), ++order, next, behind});
      }
      if (result) break;
    }
  }
  const std::scoped_lock lock(mutex_);
  if (texts_.emplace(key, result).second) memory_bytes_ += kEntryBytes;
  return Limit::kNone;
}

Limit CanonicalProduct::step_grammar(StateId g, std::uint32_t token, TokenPosition position, StateId& next) {
  const TokenView view(vocabulary_, position);
  const std::string_view bytes = is_whole(token) ? std::string_view{} : view.bytes_of(token);
  const auto empty = vocabulary_.first_empty_tokens();
  const bool adds_nothing =
      position == TokenPosition::kFirst && std::binary_search(empty.begin(), empty.end(), token);
  next = adds_nothing ? g : automaton_.step_token(g, token, position, bytes);
  return limit_of(next);
}

// Calls `use(token, next pair)` with each token that both allow, until it returns false.
template <typename Use>
Limit CanonicalProduct::for_each_step(const Pair& from, TokenPosition position, Use use) {
  const Automaton::MaskResult mask = automaton_.mask(from.g, position);
  if (mask.limit != Limit::kNone) return mask.limit;
  TokenBits allowed(whole_tokens_.size());
  TokenBits row(whole_tokens_.size());
  mask.mask->write(allowed);
  canonical_.row(from.c, row);
  const bool may_end = canonical_.may_end(from.c);
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::uint32_t left = allowed[i] & (may_end ? row[i] | whole_tokens_[i] : row[i]); left != 0;
         left &= left - 1) {
      const auto token = static_cast<std::uint32_t>(i * 32) + static_cast<std::uint32_t>(std::countr_zero(left));
      StateId next{};
      if (const Limit limit = step_grammar(from.g, token, position, next); limit != Limit::kNone) return limit;
      if (next == StateId::kDead) continue;  // a stop token
      if (!use(token, Pair{next, step(from.c, token)})) return Limit::kNone;
    }
  }
  return Limit::kNone;
}

// Whether tokens lead from (g, c) to a pair of which a place is viable: breadth first.
Limit CanonicalProduct::search_tokens(StateId g, CanonicalId c, bool& result) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(c));
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = tokens_.find(key); known != tokens_.end()) {
      result = known->second;
      return Limit::kNone;
    }
  }
  result = false;
  std::deque<Pair> open{{g, c}};
  std::set<std::uint64_t> seen{key};
  std::size_t steps = 0;
  while (!open.empty() && !result) {
    const Pair at = open.front();
    open.pop_front();
    const auto places = canonical_.places(at.c);
    if (std::none_of(places.begin(), places.end(), [&](PlaceId p) { return canonical_.may_go_on(p); })) continue;
    Limit met = Limit::kNone;
    const Limit limit = for_each_step(at, TokenPosition::kInside, [&](std::uint32_t /*token*/, const Pair& next) {
      if (++steps > fuel_) met = Limit::kLookaheadThreads;
      for (const PlaceId place : canonical_.places(next.c)) {
        if (met != Limit::kNone || result) break;
        met = is_place_viable(next.g, place, result);
      }
      if (met != Limit::kNone || result) return false;
      if (seen.insert(key_of(next.g, static_cast<std::uint32_t>(next.c))).second) open.push_back(next);
      return true;
    });
    if (limit != Limit::kNone) return limit;
    if (met != Limit::kNone) return met;
  }
  const std::scoped_lock lock(mutex_);
  if (tokens_.emplace(key, result).second) memory_bytes_ += kEntryBytes;
  return Limit::kNone;
}

Limit CanonicalProduct::find_way(StateId g, CanonicalId c, TokenPosition position, std::vector<std::uint32_t>& way) {
  // Tokens that come nearer to the grammar's end are nearly always enough, and few; all tokens are tried after those.
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
    const Limit limit = for_each_step(at, number == 0 ? position : TokenPosition::kInside,
                                      [&](std::uint32_t token, const Pair& next) {
                                        const WayCost distance = automaton_.distance(next.g);
                                        if (next.c == CanonicalId::kRefused) return true;
                                        if (steps == Steps::kNearer && distance >= left) return true;
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

std::uint32_t CanonicalProduct::number_of(StateId g, CanonicalId c) {
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_new] =
      numbers_.try_emplace(key_of(g, static_cast<std::uint32_t>(c)), static_cast<std::uint32_t>(numbers_.size()));
  if (is_new) memory_bytes_ += kEntryBytes;
  return entry->second;
}

}  // namespace weir::engine
