// CanonicalProduct: which pairs of states are viable, and ways to an end. canonical_product.h describes the method.
#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "base/reach.h"
#include "base/replaceable.h"
#include "base/work.h"
#include "canonical/nfc_automaton.h"
#include "engine/automaton/completion.h"
#include "engine/canonical/canonical_product.h"
#include "engine/canonical/product_shared.h"
#include "engine/search_bounds.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using canonical::CanonicalId;
using canonical::PlaceId;
using canonical::RestId;
using product::for_each_token;
using product::has_place;
using product::is_work_met;
using product::kEntryBytes;
using product::key_of;

WEIR_REPLACEABLE Answer CanonicalProduct::is_viable(StateId g, CanonicalId c) {
  const std::uint64_t key = key_of(g, static_cast<std::uint32_t>(c));
  if (const auto known = viable_.find(key)) return *known != 0;
  const Answer viable = find_viable(g, c);
  if (!viable.is_known()) return viable;
  const MutexLock lock(mutex_);
  if (!viable_.find(key)) viable_.insert(key, viable.is_yes() ? 1 : 0);
  return viable;
}

Answer CanonicalProduct::find_viable(StateId g, CanonicalId c) {
  if (canonical_.may_end(c)) {
    if (const Answer ends = may_text_end(g); !ends.is_no()) return ends;
  }
  if (const Answer viable = surely_leads_on(g, c); !viable.is_no()) return viable;
  return takes_text_whole_ ? search_viable_way(g, c) : search_tokens(g, c);
}

// Returns yes if a place of the pair is viable, or if the grammar keeps its tokens.
Answer CanonicalProduct::surely_leads_on(StateId g, CanonicalId c) {
  for (const PlaceId place : canonical_.places(c)) {
    if (const Answer viable = is_place_viable(g, place); !viable.is_no()) return viable;
  }
  return surely_keeps_tokens(g, c);
}

// Returns yes if the grammar may read a byte that does not change the tokens so far, whether or not a boundary is before
// it, and after it a text that may follow. A no says nothing.
Answer CanonicalProduct::surely_keeps_tokens(StateId g, CanonicalId c) {
  std::optional<regex::ByteSet> bytes;
  for (const PlaceId place : canonical_.places(c)) {
    const RestId around = canonical_.rest_around(place);
    if (around == RestId::kNone) continue;
    if (!bytes.has_value()) {
      bytes.emplace();
      if (const Limit limit = automaton_.next_bytes(g, *bytes); limit != Limit::kNone) return limit;
      *bytes &= canonical_.keeping_bytes(c);
    }
    const Answer settled = is_surely_settled(g, *bytes & canonical_.settling_bytes(around));
    if (!settled.is_no()) return settled;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      const RestId after = bytes->contains(b) ? canonical_.step(around, b) : RestId::kNone;
      if (after == RestId::kNone) continue;
      const StateId next = automaton_.step(g, b);
      if (is_limit(next)) return limit_of(next);
      if (next == StateId::kDead) continue;
      if (canonical_.may_end(after)) {
        if (const Answer ends = may_text_end(next); !ends.is_no()) return ends;
      }
      if (const Answer goes_on = search_text(next, after); !goes_on.is_no()) return goes_on;
    }
  }
  return false;
}

// Returns whether the grammar allows the text to end in state `g`: the output may end there, or a special token may
// follow, after which another text begins.
Answer CanonicalProduct::may_text_end(StateId g) {
  if (automaton_.accepts(g)) return true;
  if (!automaton_.expects_token_terminals(g)) return false;
  const MaskResult mask = automaton_.mask(g, TokenPosition::kInside);
  if (mask.limit != Limit::kNone) return mask.limit;
  TokenBits allowed(whole_tokens_.size());
  mask.mask->write(allowed);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if ((allowed[i] & whole_tokens_[i]) != 0) return true;
  }
  return false;
}

// Returns whether the text may end here in both automata, or a text may follow a boundary here.
Answer CanonicalProduct::is_place_viable(StateId g, PlaceId place) {
  if (canonical_.may_end(place)) {
    if (const Answer ends = may_text_end(g); !ends.is_no()) return ends;
  }
  const RestId rest = canonical_.rest_after(place);
  return rest == RestId::kNone ? false : search_text(g, rest);
}

// "Is there a text that may follow a boundary, and that the grammar may read?" By bytes. States that are nearer to the
// grammar's end come first.
class CanonicalProduct::TextGraph : public base::ReachGraph<CanonicalProduct::Text, WayCost> {
 public:
  static constexpr bool kNewestFirst = true;

  explicit TextGraph(CanonicalProduct& product) : product_(product) {}
  static std::uint64_t key(const Node& node) { return key_of(node.g, static_cast<std::uint32_t>(node.rest)); }
  static std::uint64_t hash(const Node& node) { return base::hash_mix(1, key(node)); }
  [[nodiscard]] std::optional<WayCost> order(const Node& node, std::uint64_t /*price*/, std::uint64_t /*bound*/) const {
    return product_.automaton_.distance(node.g);
  }
  template <typename Out>
  Limit for_each_step(const Node& from, Out& out) {
    const canonical::CanonicalAutomaton& canonical = product_.canonical_;
    base::Work::charge(kStepsForCanonicalCheck);
    regex::ByteSet bytes;
    if (const Limit limit = product_.automaton_.next_bytes(from.g, bytes); limit != Limit::kNone) return limit;
    const regex::ByteSet settling = canonical.settling_bytes(from.rest);
    const Answer settled = product_.is_surely_settled(from.g, bytes & settling);
    if (!settled.is_known()) return settled.limit();
    bool ends = settled.is_yes();
    for (unsigned byte = 0; byte < 256 && !ends; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (!bytes.contains(b)) continue;
      const RestId after = canonical.step(from.rest, b);
      if (after == RestId::kNone) continue;
      const StateId next = product_.automaton_.step(from.g, b);
      if (is_limit(next)) return limit_of(next);
      if (next == StateId::kDead) continue;
      // Under NFC is_surely_settled has tried the bytes that settle.
      const bool is_known = (canonical.nfc() == nullptr && settling.contains(b)) || canonical.is_settled(after);
      const std::optional<bool> known = is_known ? std::optional(true) : product_.known_text(next, after);
      ends = known.value_or(false);
      if (!ends && canonical.may_end(after)) {
        const Answer text_ends = product_.may_text_end(next);
        if (!text_ends.is_known()) return text_ends.limit();
        ends = text_ends.is_yes();
      }
      if (!ends && !known.has_value()) out.to(0, {next, after}, {});
    }
    if (ends) out.ends(0, {});
    return Limit::kNone;
  }

 private:
  CanonicalProduct& product_;
};

// Returns whether a text is known to follow, or not to.
std::optional<bool> CanonicalProduct::known_text(StateId g, RestId rest) const {
  const MutexLock lock(mutex_);
  const auto found = texts_.find(TextGraph::key({g, rest}));
  return found == texts_.end() ? std::nullopt : std::optional(found->second);
}

// Returns whether `rest` accepts some non-empty text that the grammar may read from `g`.
Answer CanonicalProduct::search_text(StateId g, RestId rest) {
  if (const auto known = known_text(g, rest)) return *known;
  TextGraph graph(*this);
  return decide(graph, {g, rest}, texts_);
}

// Returns whether there is a way from `start`, and remembers it in `verdicts`: a way that was found is one for all nodes
// on it. If none was found, there is none for any node that was visited.
template <typename Graph>
Answer CanonicalProduct::decide(Graph& graph, const typename Graph::Node& start, Verdicts& verdicts) {
  using Search = base::Reach<Graph>;
  Search search(graph, fuel_);
  const Answer found = search.find(start);
  if (!found.is_known()) return found;
  const bool result = found.is_yes();
  const MutexLock lock(mutex_);
  const auto remember = [&](const typename Graph::Node& node) {
    if (verdicts.emplace(Graph::key(node), result).second) memory_bytes_ += kEntryBytes;
  };
  if (result) {
    search.for_each_on_way([&](const auto& step) { remember(step.node); });
  } else {
    search.for_each_visit([&](const auto& node, std::uint64_t /*price*/) { remember(node); });
  }
  return result;
}

// Returns yes if any text may follow one of `bytes`, which settle a boundary and may come in `g`. A no says nothing. In a
// grammar with conditions not all of these bytes may come; then the caller tries each.
Answer CanonicalProduct::is_surely_settled(StateId g, const regex::ByteSet& bytes) {
  if (canonical_.nfc() == nullptr) return !automaton_.has_conditions() && !bytes.is_empty();
  int tried = 0;
  for (unsigned byte = 0; byte < 256 && tried < kMaxSettlingBytes; ++byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    if (!bytes.contains(b)) continue;
    const StateId next = automaton_.step(g, b);
    if (is_limit(next)) return limit_of(next);
    if (next == StateId::kDead) continue;
    ++tried;
    if (const Answer ends = surely_ends_in_nfc(next, b); !ends.is_no()) return ends;
  }
  return false;
}

// Returns yes if the shortest completion of `g`, after the byte `before` if there is one, is a text that may follow every
// text in NFC. If not, another completion may be such a text.
Answer CanonicalProduct::surely_ends_in_nfc(StateId g, std::optional<std::uint8_t> before) {
  if (g == StateId::kDead) return false;
  const std::uint64_t key = (std::uint64_t{raw(g)} << 9) | (before.has_value() ? *before + 1U : 0U);
  {
    const MutexLock lock(mutex_);
    if (const auto known = nfc_ends_.find(key); known != nfc_ends_.end()) return known->second;
  }
  bool result = false;
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
  return result;
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
    source->tokens.add_to(tokens);
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
  for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] &= tokens[i];
  Limit limit = Limit::kNone;
  vocab::for_each_token(allowed, [&](std::uint32_t token) {
    StateId next{};
    limit = step_grammar(g, token, position, next);
    if (limit != Limit::kNone) return false;
    return next == StateId::kDead || use(token, next);  // a stop token is dead
  });
  return limit;
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
      Answer leads_on = is_place_viable(next, to);
      // In a tokenizer without cuts, such as SentencePiece, nothing else decides before the end of the text.
      if (leads_on.is_no()) leads_on = surely_keeps_tokens(next, canonical_.state_of(token, to));
      if (!leads_on.is_known()) {
        if (viable == 0 || leads_on.limit() == Limit::kCallWork)
          limit = leads_on.limit();  // else those found may suffice
        return false;
      }
      out.steps.push_back({token, next, to, leads_on.is_yes()});
      viable += leads_on.is_yes() ? 1 : 0;
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

// Checks the tokens that continue a piece of (g, c). Returns yes if one check shows that a token leads to a viable pair;
// otherwise calls `use` with the pair after each. Sets `is_complete` to true if there are no other tokens; before the
// first token, when no piece has begun, there are.
template <typename Use>
Answer CanonicalProduct::continue_pieces(const Pair& from, bool& is_complete, Use use) {
  is_complete = !canonical_.is_text_start(from.c);
  if (!is_complete) return false;
  for (const PlaceId place : canonical_.places(from.c)) {
    if (!canonical_.may_go_on(place)) continue;
    const RowSource* source = canonical_.inside_source(place);
    if (source != nullptr && source->tokens.is_list() && source->tokens.list().size() <= kMaxPieceContinuations) {
      is_complete = is_complete && !canonical_.has_byte_tokens();
      for (const std::uint32_t token : source->tokens.list()) {
        const CanonicalId after = canonical_.step(from.c, token);
        if (after == CanonicalId::kRefused) continue;
        StateId next{};
        const Limit limit = step_grammar(from.g, token, TokenPosition::kInside, next);
        if (limit != Limit::kNone) return limit;
        if (next == StateId::kDead) continue;
        if (const Answer viable = surely_leads_on(next, after); !viable.is_no()) return viable;
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
      if (is_there && step.is_viable) return true;
      for (const PlaceId place : places) {
        if (place == step.to) continue;
        if (const Answer viable = is_place_viable(step.next, place); !viable.is_no()) return viable;
      }
      const Pair next{step.next, canonical_.step(from.c, step.token)};
      if (places.size() > 1 || !is_there) {
        if (const Answer keeps = surely_keeps_tokens(next.g, next.c); !keeps.is_no()) return keeps;
      }
      use(next);
    }
  }
  return false;
}

// "Do tokens lead to a pair of which a place is viable?" By tokens, those that continue the piece in progress. The oldest
// pair comes first, but within a character that is written in byte tokens the newest: only the last byte decides, and
// there are 64 for each byte before it.
class CanonicalProduct::TokenGraph : public base::ReachGraph<CanonicalProduct::Pair, std::int64_t> {
 public:
  explicit TokenGraph(CanonicalProduct& product) : product_(product) {}
  static std::uint64_t key(const Pair& pair) { return key_of(pair.g, static_cast<std::uint32_t>(pair.c)); }
  static std::uint64_t hash(const Pair& pair) { return base::hash_mix(1, key(pair)); }
  [[nodiscard]] std::optional<std::uint64_t> known(const Pair& pair) const {
    return product_.known_tokens(pair).value_or(false) ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  [[nodiscard]] std::optional<Order> order(const Pair& pair, std::uint64_t /*price*/, std::uint64_t /*bound*/) {
    if (product_.known_tokens(pair).has_value()) return std::nullopt;
    const canonical::CanonicalAutomaton& canonical = product_.canonical_;
    const auto is_in_character = [&](PlaceId place) { return canonical.inside_source(place) == nullptr; };
    const bool is_newest_first =
        canonical.has_byte_tokens() && std::ranges::all_of(canonical.places(pair.c), is_in_character);
    return is_newest_first ? --newest_ : 0;
  }
  template <typename Out>
  Limit for_each_step(const Pair& from, Out& out) {
    const canonical::CanonicalAutomaton& canonical = product_.canonical_;
    const auto may_go_on = [&](PlaceId place) { return canonical.may_go_on(place); };
    if (!canonical.is_text_start(from.c) && std::ranges::none_of(canonical.places(from.c), may_go_on))
      return Limit::kNone;
    bool is_complete = false;
    pairs_.clear();
    const Answer continues =
        product_.continue_pieces(from, is_complete, [&](const Pair& next) { pairs_.push_back(next); });
    if (!continues.is_known()) return continues.limit();
    if (continues.is_yes() || is_complete) {
      tokens_ += pairs_.size();
      if (continues.is_yes()) return finish(out);
      if (is_out_of_fuel()) return Limit::kLookaheadThreads;
      for (const Pair& next : pairs_) {
        if (!out.to(0, next, {})) break;
      }
      return Limit::kNone;
    }
    Answer ends = false;
    const Limit limit = product_.for_each_inside(from, [&](std::uint32_t token, StateId after) {
      ++tokens_;
      if (is_out_of_fuel()) ends = Limit::kLookaheadThreads;
      if (is_work_met()) ends = Limit::kCallWork;
      const Pair next{after, product_.step(from.c, token)};
      if (ends.is_no()) ends = product_.surely_leads_on(next.g, next.c);
      return ends.is_no() && out.to(0, next, {});
    });
    if (limit != Limit::kNone) return limit;
    return ends.is_yes() ? finish(out) : ends.limit();
  }

 private:
  template <typename Out>
  static Limit finish(Out& out) {
    out.ends(0, {});
    return Limit::kNone;
  }
  [[nodiscard]] bool is_out_of_fuel() const { return tokens_ / kTokensForOnePair > product_.fuel_; }

  CanonicalProduct& product_;
  Order newest_ = 0;        // of the last pair within a character
  std::size_t tokens_ = 0;  // that were tried
  std::vector<Pair> pairs_;
};

// Returns whether search_tokens() is known to find a pair, or not to.
std::optional<bool> CanonicalProduct::known_tokens(const Pair& pair) const {
  const MutexLock lock(mutex_);
  const auto known = tokens_.find(TokenGraph::key(pair));
  return known == tokens_.end() ? std::nullopt : std::optional(known->second);
}

// Returns whether tokens lead from (g, c) to a pair of which a place is viable.
Answer CanonicalProduct::search_tokens(StateId g, CanonicalId c) {
  if (const auto known = known_tokens({g, c})) return *known;
  TokenGraph graph(*this);
  return decide(graph, {g, c}, tokens_);
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

// "Which tokens lead to an end?" Pairs that are nearer to the grammar's end come first.
class CanonicalProduct::WayGraph : public base::ReachGraph<CanonicalProduct::PairAt, WayCost> {
 public:
  using Label = std::uint32_t;  // the token

  WayGraph(CanonicalProduct& product, Steps steps, WayEnd end) : product_(product), steps_(steps), end_(end) {}
  static std::uint64_t hash(const Node& node) {
    return base::hash_mix(static_cast<std::uint64_t>(node.position),
                          key_of(node.g, static_cast<std::uint32_t>(node.c)));
  }
  [[nodiscard]] std::optional<std::uint64_t> known(const Node& node) const {
    bool ends = product_.automaton_.accepts(node.g) && product_.canonical_.may_end(node.c);
    if (!ends && end_ == WayEnd::kViable && node.position == TokenPosition::kInside) {
      ends = product_.viable_.find(key_of(node.g, static_cast<std::uint32_t>(node.c))).value_or(0) != 0;
    }
    return ends ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  std::optional<WayCost> order(const Node& node, std::uint64_t /*price*/, std::uint64_t /*bound*/) {
    return distance(node.g);
  }
  template <typename Out>
  Limit for_each_step(const Node& from, Out& out) {
    const WayCost left = distance(from.g);
    return product_.for_each_step({from.g, from.c}, from.position, [&](std::uint32_t token, StateId after) {
      if (steps_ == Steps::kNearer && distance(after) >= left) return true;
      const CanonicalId c = product_.step(from.c, token);
      return c == CanonicalId::kRefused || out.to(0, {after, c, TokenPosition::kInside}, token);
    });
  }

 private:
  WayCost distance(StateId state) {
    const auto [known, is_new] = distances_.try_emplace(raw(state));
    if (is_new) known->second = product_.automaton_.distance(state);
    return known->second;
  }
  CanonicalProduct& product_;
  Steps steps_;
  WayEnd end_;
  std::unordered_map<std::uint32_t, WayCost> distances_;  // by state; very many tokens lead to few states
};

// Returns yes if a way was found, after `use` was called with the search. The tokens that lead nearer to the grammar's end
// are few, and nearly always suffice; all tokens are tried after them.
template <typename Use>
Answer CanonicalProduct::search_way(const PairAt& from, WayEnd end, Use use) {
  using Search = base::Reach<WayGraph>;
  for (const Steps steps : {Steps::kNearer, Steps::kAll}) {
    WayGraph graph(*this, steps, end);
    Search search(graph, fuel_);
    const Answer found = search.find(from);
    if (found.is_yes()) use(search);
    if (found.is_yes() || (!found.is_known() && (steps == Steps::kAll || is_work_met()))) return found;
  }
  return false;
}

// Returns yes if tokens lead from (g, c) to an end. All pairs on the way are then known to be viable.
Answer CanonicalProduct::search_viable_way(StateId g, CanonicalId c) {
  return search_way({g, c, TokenPosition::kInside}, WayEnd::kViable, [&](auto& search) {
    const MutexLock lock(mutex_);
    search.for_each_on_way([&](const auto& step) {
      const std::uint64_t key = key_of(step.node.g, static_cast<std::uint32_t>(step.node.c));
      if (!viable_.find(key)) viable_.insert(key, 1);
    });
  });
}

WEIR_REPLACEABLE Limit CanonicalProduct::find_way(StateId g, CanonicalId c, TokenPosition position,
                                                  std::vector<std::uint32_t>& way) {
  way.clear();
  const Answer found = search_way({g, c, position}, WayEnd::kComplete, [&](auto& search) {
    search.for_each_on_way([&](const auto& step) { way.push_back(step.label); });
    way.erase(way.begin());  // of the end
    std::reverse(way.begin(), way.end());
  });
  return found.is_no() ? Limit::kLookaheadThreads : found.limit();
}

}  // namespace weir::engine
