#include "engine/automaton/shared_automaton.h"

#include <algorithm>
#include <utility>

#include "base/replaceable.h"
#include "base/work.h"
#include "engine/search_bounds.h"
#include "vocab/token_trie.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using regex::ExprId;

namespace {

// The key contains the position because a token's bytes depend on it.
constexpr std::uint64_t token_step_key(StateId state, std::uint32_t token, TokenPosition position, TokenRole role) {
  static_assert(vocab::kMaxTokens < std::uint32_t{1} << 30);
  return (std::uint64_t{raw(state)} << 32) | (std::uint64_t{token} << 2) | (static_cast<std::uint64_t>(role) << 1) |
         static_cast<std::uint64_t>(position);
}

}  // namespace

SharedAutomaton::SharedAutomaton(std::shared_ptr<const Program> program, std::uint32_t number)
    : number_(number),
      lazy_automaton_(std::move(program)),
      facts_(this->program().tokenizer.vocabulary(), lazy_automaton_.exprs(), this->program().limits.regex_fuel),
      bound_search_(lazy_automaton_),
      masks_(lazy_automaton_, facts_, bound_search_),
      token_distance_(lazy_automaton_, masks_, facts_),
      most_bytes_(this->program().limits.state_memory) {
  publish_memory();
  empty_bytes_ = memory_bytes();
}

StateId SharedAutomaton::start() {
  const base::YieldingLock lock(mutex_);
  return lazy_automaton_.start();
}

StateId SharedAutomaton::step(StateId state, std::string_view bytes) {
  for (const char c : bytes) {
    state = step(state, static_cast<std::uint8_t>(c));
    if (state == StateId::kDead || is_limit(state)) break;
  }
  return state;
}

StateId SharedAutomaton::step(StateId state, std::uint8_t byte, TextState& text) {
  const StateId next = step(state, byte);
  if (next == StateId::kDead || is_limit(next)) return next;
  if (!text.read(static_cast<char>(byte))) return StateId::kDead;
  return follows_text(next) ? state_for_text(next, text.text()) : next;
}

StateId SharedAutomaton::step(StateId state, std::string_view bytes, TextState& text) {
  if (!text.matters()) return step(state, bytes);
  for (const char c : bytes) {
    if (state == StateId::kDead || is_limit(state)) break;
    state = step(state, static_cast<std::uint8_t>(c), text);
  }
  return state;
}

StateId SharedAutomaton::explore(StateId state, std::uint8_t byte_class) {
  const base::YieldingLock lock(mutex_);
  const StateId next = lazy_automaton_.explore(state, byte_class, LazyAutomaton::Leaving::kByOne);
  if (lazy_automaton_.transitions() % kTransitionsForMemorySum == 0) publish_memory();
  return next;
}

StateId SharedAutomaton::step_token(StateId state, std::uint32_t token, TokenPosition position, std::string_view bytes,
                                    TokenRole role) {
  const StateId from = begin_token(state);
  if (is_limit(from) || !expects_token_terminals(from))
    return bytes.empty() && !is_limit(from) ? StateId::kDead : step(from, bytes);
  const std::uint64_t key = token_step_key(state, token, position, role);
  if (const auto known = token_steps_.find(key)) return StateId{*known};
  const StateId by_text = bytes.empty() ? StateId::kDead : step(from, bytes);
  const StateId id = add_token_terminals(from, token, by_text, role);
  if (is_limit(id)) return id;
  const base::YieldingLock lock(mutex_);
  if (!token_steps_.find(key)) token_steps_.insert(key, raw(id));
  publish_memory();
  return id;
}

StateId SharedAutomaton::step_token(StateId state, std::uint32_t token, TokenPosition position, const Beside& beside) {
  const auto& [stops, text, left] = beside;
  StateId next = state;
  if (!stops.adds_nothing(token, position)) {
    const std::string_view bytes = stops.text_of(token, position);
    const TokenRole role = stops.role(token);
    next = text.matters() ? step_token_beside_text(state, token, bytes, role, text)
                          : step_token(state, token, position, bytes, role);
    if (!text.is_replaying()) next = keep_within_bounds(next);
  }
  if (!left.has_value() || next == StateId::kDead || is_limit(next)) return next;
  if (*left == 0) return StateId::kDead;
  if (stops.role(token) == TokenRole::kReversed) {  // masks of states do not decide these
    return keep_within(next, stops.position_after(token, position), *left - 1);
  }
  const auto [mask, limit] = mask_within(state, position, *left);  // the mask decides, so that both always agree
  if (limit != Limit::kNone) return limit_state(limit);
  return mask->contains(token) ? next : StateId::kDead;
}

StateId SharedAutomaton::step_token_beside_text(StateId state, std::uint32_t token, std::string_view bytes,
                                                TokenRole role, TextState& text) {
  const StateId from = begin_token(state);
  if (from == StateId::kDead || is_limit(from)) return from;
  const std::size_t before = text.position();
  const StateId by_text = bytes.empty() ? StateId::kDead : step(from, bytes, text);
  if (!expects_token_terminals(from)) return by_text;
  // A token that a token terminal takes as a whole may fail as text, which was then read only in part.
  text.rewind(before);
  text.add(bytes);
  return add_token_terminals(from, token, by_text, role);
}

// Returns the state after a token that begins in `state`, where `by_text` is the state after its bytes as text.
StateId SharedAutomaton::add_token_terminals(StateId state, std::uint32_t token, StateId by_text, TokenRole role) {
  if (is_limit(by_text)) return by_text;
  const base::YieldingLock lock(mutex_);
  const StateId id = lazy_automaton_.add_token_terminals(state, token, by_text, role);
  if (!is_limit(id)) publish_memory();
  return id;
}

std::vector<Thread> SharedAutomaton::threads(StateId state) const {
  const base::YieldingLock lock(mutex_);
  return is_limit(state) ? std::vector<Thread>{} : lazy_automaton_.threads(state);
}

WayCost SharedAutomaton::distance(StateId state) {
  const base::YieldingLock lock(mutex_);
  return lazy_automaton_.distance(state);
}

MaskResult SharedAutomaton::mask(StateId state, TokenPosition position) {
  if (const Mask* mask = masks_.known(state, position); mask != nullptr) return {mask};
  const Exploring exploring(*this);
  return masks_.of(state, position);
}

MaskResult SharedAutomaton::mask_within(StateId state, TokenPosition position, std::uint32_t left) {
  const std::uint64_t key = (std::uint64_t{raw(state)} << 1) | static_cast<std::uint64_t>(position);
  {
    const base::YieldingLock lock(mutex_);
    const auto from = plain_from_.find(key);
    if (from != plain_from_.end() && left >= from->second) return {masks_.known(state, position)};
    if (const auto known = narrow_.find(key); known != narrow_.end()) {
      if (const auto mask = known->second.find(left); mask != known->second.end()) return {mask->second};
    }
  }
  const Exploring exploring(*this);
  const auto [next, limit] = token_distance_.next().of(state, position);
  if (limit != Limit::kNone) return {nullptr, limit};
  token_distance_.find_way(state);
  const Mask* mask = masks_.known(state, position);
  const std::uint64_t needed = token_distance_.most_after(*next);
  if (left >= needed) {
    plain_from_[key] = static_cast<std::uint32_t>(needed);
    return {mask};
  }
  MaskDraft draft;
  const vocab::Vocabulary& vocabulary = program().tokenizer.vocabulary();
  draft.reset(bitmask_words(vocabulary.size()));
  bool is_narrowed = false;
  for (const NextState& to : *next) {
    if (base::Work::is_met()) return {nullptr, Limit::kCallWork};
    const Answer fits = left > 0 ? token_distance_.fits(to.state, to.position, left - 1) : false;
    if (!fits.is_known()) return {nullptr, fits.limit()};
    is_narrowed = is_narrowed || fits.is_no();
    if (fits.is_yes()) draft.add_all(*to.tokens);
  }
  if (is_narrowed) {
    if (accepts(state)) {
      for (const std::uint32_t token : vocabulary.stop_token_ids()) draft.add(token);
    }
    Mask narrow = draft.take();
    std::copy_if(mask->undecided.begin(), mask->undecided.end(), std::back_inserter(narrow.undecided),
                 [&](std::uint32_t token) { return narrow.contains(token); });
    mask = masks_.add(std::move(narrow));
    narrow_[key].emplace(left, mask);
    ++narrow_count_;
  } else {
    plain_from_[key] = left;
  }
  return {mask};
}

NextStates::Found SharedAutomaton::next_states(StateId state, TokenPosition position) {
  const Exploring exploring(*this);
  return token_distance_.next().of(state, position);
}

std::vector<std::vector<WayPart>> SharedAutomaton::short_ways(StateId state) {
  const Exploring exploring(*this);
  return token_distance_.short_ways(state);
}

StateId SharedAutomaton::keep_within(StateId state, TokenPosition position, std::uint32_t left) {
  if (state == StateId::kDead || is_limit(state)) return state;
  const Exploring exploring(*this);
  const Answer fits = token_distance_.fits(state, position, left);
  if (!fits.is_known()) return limit_state(fits.limit());
  return fits.is_yes() ? state : StateId::kDead;
}

Limit SharedAutomaton::tokens_to_end(StateId state, TokenPosition position, std::uint32_t most,
                                     std::optional<std::uint32_t>& tokens) {
  const Exploring exploring(*this);
  tokens.reset();
  if (const Answer fits = token_distance_.fits(state, position, most); !fits.is_yes()) return fits.limit();
  std::uint32_t least = 0;
  while (least < most) {
    const std::uint32_t middle = least + (most - least) / 2;
    const Answer fits = token_distance_.fits(state, position, middle);
    if (!fits.is_known()) return fits.limit();
    (fits.is_yes() ? most : least) = fits.is_yes() ? middle : middle + 1;
  }
  tokens = most;
  return Limit::kNone;
}

std::uint32_t SharedAutomaton::number_of_flipped(std::uint64_t mask, std::span<const std::uint32_t> flipped) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(mask >> 32), static_cast<std::uint32_t>(mask)};
  words.insert(words.end(), flipped.begin(), flipped.end());
  const base::YieldingLock lock(mutex_);
  const auto [number, is_new] = flipped_masks_.intern(words);
  if (is_new) publish_memory();
  return number;
}

SharedAutomaton::~SharedAutomaton() = default;

std::size_t SharedAutomaton::memory_bytes() const {
  const Companion* const companion = known_companion_.load(std::memory_order_acquire);
  return memory_bytes_.load(std::memory_order_relaxed) + (companion == nullptr ? 0 : companion->memory_bytes());
}

void SharedAutomaton::allow_twice_its_size() {
  const base::YieldingLock lock(mutex_);
  raise_most_bytes(2 * memory_bytes());
}

void SharedAutomaton::begin_restoring() {
  const base::YieldingLock lock(mutex_);
  if (restoring_++ != 0) return;
  publish_memory();
  restoring_from_ = memory_bytes();
}

void SharedAutomaton::end_restoring() {
  const base::YieldingLock lock(mutex_);
  publish_memory();
  const std::size_t taken = std::max(memory_bytes(), restoring_from_) - restoring_from_;  // a companion may shrink
  raise_most_bytes(2 * (empty_bytes_ + restored_bytes_ + taken));
  if (--restoring_ == 0) restored_bytes_ += taken;
}

void SharedAutomaton::raise_most_bytes(std::size_t bytes) {
  if (bytes > most_bytes_.load(std::memory_order_relaxed)) most_bytes_.store(bytes, std::memory_order_relaxed);
}

SharedAutomaton::TargetsResult SharedAutomaton::targets(StateId state, TokenPosition position) {
  const base::YieldingLock lock(mutex_);
  const std::uint64_t key = (std::uint64_t{raw(state)} << 1) | static_cast<std::uint64_t>(position);
  if (const auto known = targets_.find(key); known != targets_.end()) return {known->second.get()};
  TokenTargets targets;
  if (const Limit limit = masks_.of(state, position, &targets).limit; limit != Limit::kNone) return {nullptr, limit};
  std::sort(targets.listed.begin(), targets.listed.end());
  targets.listed.shrink_to_fit();
  targets_bytes_ += targets.memory_bytes();
  const auto made = targets_.emplace(key, std::make_unique<const TokenTargets>(std::move(targets))).first;
  publish_memory();
  return {made->second.get()};
}

const std::vector<std::uint32_t>* SharedAutomaton::few_ready_tokens(const TokenTargets::Terminal& terminal,
                                                                    TokenPosition position) {
  const base::YieldingLock lock(mutex_);
  const TokenFacts* facts = facts_.of(terminal.residual, lazy_automaton_.lexer().mode(terminal.terminal), position);
  const bool is_list = facts != nullptr && facts->base_facts == nullptr && facts->ready == nullptr;
  return is_list && facts->added.size() <= kMaxShortReadyList ? &facts->added : nullptr;
}

StateId SharedAutomaton::inside_terminal(const TokenTargets::Terminal& terminal, std::string_view bytes) {
  const Exploring exploring(*this);
  ExprId residual = terminal.residual;
  for (const char c : bytes) {
    residual = lazy_automaton_.exprs().derivative(residual, static_cast<std::uint8_t>(c));
    if (const Answer nothing = lazy_automaton_.lexer().is_nothing(residual); !nothing.is_no()) {
      return limit_state(nothing.limit());
    }
  }
  return lazy_automaton_.state_inside({terminal.row, terminal.terminal, residual});
}

StateId SharedAutomaton::after_terminal(const TokenTargets::Terminal& terminal) {
  const Exploring exploring(*this);
  return lazy_automaton_.after_terminal(terminal.row, terminal.terminal);
}

Limit SharedAutomaton::next_bytes(StateId state, regex::ByteSet& bytes) {
  const base::YieldingLock lock(mutex_);
  return lazy_automaton_.add_next_bytes(state, bytes);
}

StateId SharedAutomaton::state_for_text(StateId state, std::string_view text) {
  const base::YieldingLock lock(mutex_);
  const std::size_t states = lazy_automaton_.state_count();
  const StateId settled = lazy_automaton_.state_for_text(state, text);
  if (lazy_automaton_.state_count() != states) publish_memory();
  return settled;
}

void SharedAutomaton::publish_memory() {
  constexpr std::size_t kNarrowBytes = 128;  // of an entry of narrow_, with its share of the map around it
  memory_bytes_.store(lazy_automaton_.memory_bytes() + masks_.memory_bytes() + flipped_masks_.memory_bytes() +
                          facts_.memory_bytes() + token_steps_.memory_bytes() + bound_search_.memory_bytes() +
                          token_distance_.memory_bytes() + (plain_from_.size() + narrow_count_) * kNarrowBytes +
                          targets_bytes_,
                      std::memory_order_relaxed);
}

StateStats SharedAutomaton::state_stats(StateId state, TokenPosition position) const {
  StateStats stats;
  stats.state = raw(state);
  stats.byte_classes = classes().count();
  for (std::uint32_t cls = 0; cls < classes().count(); ++cls) {
    if (lazy_automaton_.known_step(state, static_cast<std::uint8_t>(cls)) != LazyAutomaton::kUnknown)
      ++stats.known_transitions;
  }
  stats.mask_known = is_mask_known(state, position);
  const std::vector<Thread> all = threads(state);
  stats.threads = static_cast<std::uint32_t>(all.size());
  const base::YieldingLock lock(mutex_);
  for (const Thread& thread : all) {
    stats.terminals_in_progress += static_cast<std::uint32_t>(lazy_automaton_.lexer().items(thread.lexer).size());
  }
  return stats;
}

WEIR_REPLACEABLE std::string SharedAutomaton::place_of_work(base::Limit limit) {
  const bool is_of_terminals = limit == base::Limit::kCallWork || limit == base::Limit::kSchemaSteps ||
                               limit == base::Limit::kRegexFuel || limit == base::Limit::kRegexNodes ||
                               limit == base::Limit::kLexerStates;
  const std::optional<base::Work::Place> place = base::Work::place();
  if (!is_of_terminals || !place.has_value()) return {};
  const base::YieldingLock lock(mutex_);
  return lazy_automaton_.grammar().describe(*place);
}

EngineStats SharedAutomaton::stats() const {
  const base::YieldingLock lock(mutex_);
  EngineStats s;
  s.states = lazy_automaton_.state_count() - base::kLimitCount;  // less kDead and the limits
  s.transitions = lazy_automaton_.transitions();
  s.rows = lazy_automaton_.rows().row_count();
  s.row_items = lazy_automaton_.rows().item_count();
  s.continuations = lazy_automaton_.rows().continuation_count();
  s.lexer_states = lazy_automaton_.lexer().state_count();
  s.regex_nodes = lazy_automaton_.lexer().exprs().node_count();
  s.masks = masks_.computed();
  s.trie_nodes = masks_.nodes_visited() + facts_.nodes_visited();
  s.facts = facts_.computed();
  s.memory_bytes = memory_bytes();
  return s;
}

// Bounded rules.

StateId SharedAutomaton::begin_token_known_or_new(StateId state) {
  if (const auto known = lazy_automaton_.known_begin_token(state)) return StateId{*known};
  const Exploring exploring(*this);
  return lazy_automaton_.begin_token(state);
}

StateId SharedAutomaton::within_bounds(StateId state) {
  if (state == StateId::kDead || is_limit(state)) return state;
  if (const auto known = bound_search_.known(state)) return *known ? state : StateId::kDead;
  const Exploring exploring(*this);
  const Answer fits_bounds = bound_search_.fits_bounds(state);
  if (!fits_bounds.is_known()) return limit_state(fits_bounds.limit());
  return fits_bounds.is_yes() ? state : StateId::kDead;
}

namespace {

// Returns true if some derivation of the rule has a lazy rule, whose known text need not be a shortest one.
bool reaches_lazy_rule(const grammar::Cfg& cfg, grammar::RuleId rule) {
  std::vector<bool> is_reached(cfg.rules.size());
  std::vector<std::uint32_t> open{static_cast<std::uint32_t>(rule)};
  while (!open.empty()) {
    const std::uint32_t index = open.back();
    open.pop_back();
    if (is_reached[index]) continue;
    is_reached[index] = true;
    if (cfg.rules[index].lazy.source != grammar::LazyRule::kNone) return true;
    for (grammar::ItemId item : cfg.rules[index].productions) {
      for (; cfg.symbol(item).kind() != grammar::Symbol::Kind::kEnd; item = grammar::Cfg::next(item)) {
        if (cfg.symbol(item).kind() == grammar::Symbol::Kind::kRule) open.push_back(cfg.symbol(item).index());
      }
    }
  }
  return false;
}

}  // namespace

SharedAutomaton::TokensNeeded SharedAutomaton::tokens_needed(grammar::RuleId rule, std::uint32_t least) {
  const base::YieldingLock lock(mutex_);
  lazy_automaton_.update_measure();
  const grammar::Cfg& cfg = lazy_automaton_.grammar().cfg();
  WayCost shortest = kNoWay;
  for (const grammar::ItemId first : cfg.rules[static_cast<std::uint32_t>(rule)].productions) {
    shortest = std::min(shortest, lazy_automaton_.measure().cost_of_suffix(first));
  }
  lazy_automaton_.measure().end_search();
  const std::uint64_t longest_token = std::max<std::uint64_t>(1, program().tokenizer.vocabulary().trie().max_depth());
  const std::uint64_t fewest = shortest.tokens == 0 ? (shortest.bytes + longest_token - 1) / longest_token : 0;
  const bool is_long = fewest > least && shortest.bytes > kMaxCountedTextBytes;
  const bool is_shortest = !lazy_automaton_.measure().out_of_fuel() && !reaches_lazy_rule(cfg, rule);
  if (is_long && is_shortest) return {.tokens = fewest, .is_at_least = true, .is_shortest = true};
  Limit limit = Limit::kNone;
  const auto suffice = [&](std::uint64_t tokens) {
    const StateId start = lazy_automaton_.start_of(rule, static_cast<std::uint32_t>(tokens));
    if (start == StateId::kDead) return false;
    const Answer fits_bounds = is_limit(start) ? limit_of(start) : bound_search_.fits_bounds(start);
    limit = fits_bounds.limit();
    return fits_bounds.is_yes();
  };
  if (suffice(least)) return {.tokens = least};
  const bool was_cut = limit == Limit::kNone && bound_search_.was_cut();
  if (is_long) return {.tokens = fewest, .limit = limit, .is_at_least = true, .was_cut = was_cut};
  // Doubling, then bisection: finds a bound that suffices while the next smaller one tried does not.
  std::uint64_t enough = least;
  std::uint64_t too_few = least;
  do {
    if (limit != Limit::kNone || enough > kMaxCountedTextBytes) return {.limit = limit, .was_cut = was_cut};
    too_few = enough;
    enough = std::max<std::uint64_t>(1, 2 * enough);
  } while (!suffice(enough));
  while (too_few + 1 < enough) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (suffice(middle) ? enough : too_few) = middle;
    if (limit != Limit::kNone) return {.limit = limit, .was_cut = was_cut};
  }
  publish_memory();
  return {.tokens = enough, .was_cut = was_cut};
}

}  // namespace weir::engine
