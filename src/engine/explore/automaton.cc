#include "engine/explore/automaton.h"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <utility>

#include "base/replaceable.h"
#include "base/work.h"
#include "engine/canonical/canonical_product.h"
#include "engine/mask/vocabulary_store.h"
#include "vocab/token_trie.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;
using lexer::LexerStateId;
using regex::ExprId;

namespace {

constexpr std::uint32_t kNextBlock = 4096;  // entries that are allocated together

// The key contains the position because a token's bytes depend on it.
constexpr std::uint64_t token_step_key(StateId state, std::uint32_t token, TokenPosition position, TokenRole role) {
  static_assert(vocab::kMaxTokens < std::uint32_t{1} << 30);
  return (std::uint64_t{raw(state)} << 32) | (std::uint64_t{token} << 2) | (static_cast<std::uint64_t>(role) << 1) |
         static_cast<std::uint64_t>(position);
}

}  // namespace

Automaton::Automaton(std::shared_ptr<const Program> program, std::uint32_t number)
    : program_(std::move(program)),
      number_(number),
      lexer_(program_->cfg.exprs, program_->terminals, program_->limits,
             program_->cfg.sources.empty() ? lexer::Lexer::Terminals::kFixed : lexer::Lexer::Terminals::kGrowing,
             program_->token_follows),
      grammar_(program_->cfg, lexer_.exprs(),
               [this](const grammar::Terminal& added) {
                 lexer_.add_terminal({added.expr, to_lexer_mode(added.mode)});
               }),
      rows_(grammar_, program_->limits),
      continuation_costs_(measure_, rows_),
      budget_search_(*this),
      token_distance_(*this),
      facts_(program_->tokenizer.vocabulary(), lexer_.exprs(), program_->limits.regex_fuel),
      builder_(*this),
      most_bytes_(program_->limits.state_memory) {
  classes_ = lexer_.classes();
  has_conditions_ = program_->has_conditions();
  has_bounds_ = rows_.has_bounds();
  for (const lexer::TerminalSpec& terminal : program_->terminals) {
    has_competitors_ = has_competitors_ || lexer::competes(terminal.mode);
  }
  for (std::uint32_t limit = 0; limit < base::kLimitCount; ++limit) {
    // kDead has no threads. The thread of a limit's state is not one of any configuration.
    const std::vector<Thread> threads(limit == 0 ? 0 : 1, Thread{.row = earley::RowId::kLimit, .fresh = limit});
    configurations_.intern(threads);
    states_.append();
  }
  publish_memory();
  empty_bytes_ = memory_bytes();
}

// Returns `count` entries, which never move. A block is larger than any state needs; the rest of a full block is
// wasted.
Automaton::Next* Automaton::allocate_next(std::uint32_t count) {
  if (count > next_left_ || next_blocks_.empty()) {
    next_blocks_.push_back(std::make_unique<Next[]>(kNextBlock));
    next_left_ = kNextBlock;
  }
  Next* next = next_blocks_.back().get() + (kNextBlock - next_left_);
  next_left_ -= count;
  for (std::uint32_t i = 0; i < count; ++i) next[i].store(kUnknown, std::memory_order_relaxed);
  return next;
}

// Returns true if a lexeme is in progress or may begin. Precondition: `state` is not a limit's.
bool Automaton::goes_on(StateId state) const {
  return std::ranges::any_of(configurations_[raw(state)],
                             [](const Thread& thread) { return thread.lexer != LexerStateId::kDead; });
}

// Opens a state: finds the byte classes by which it can be left.
bool Automaton::open(StateId state) {
  regex::ByteSet live;
  for (const Thread& thread : configurations_[raw(state)]) {
    live |= lexer_.live(thread.lexer);
    if (!check_lexer()) return false;
  }
  State& s = states_[raw(state)];
  s.live = regex::RankedByteSet(live);
  s.next.store(allocate_next(s.live.size()), std::memory_order_release);
  return true;
}

void Automaton::begin_exploring() {
  lexer_.clear_limit();
  limit_ = Limit::kNone;
}

bool Automaton::fail(Limit limit) {
  limit_ = limit;
  return false;
}

// Returns false if the lexer has met a limit.
bool Automaton::check_lexer() { return lexer_.limit_hit() == Limit::kNone || fail(lexer_.limit_hit()); }

StateId Automaton::start() {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  std::vector<Thread> threads;
  if (!add_row(rows_.start(), ExprId::kAllStrings, threads) || !keep_finishing(threads)) return met();
  return intern(threads);
}

StateId Automaton::step(StateId state, std::string_view bytes) {
  for (const char c : bytes) {
    state = step(state, static_cast<std::uint8_t>(c));
    if (state == StateId::kDead || is_limit(state)) break;
  }
  return state;
}

StateId Automaton::explore(StateId state, std::uint8_t cls) {
  const base::YieldingLock lock(mutex_);
  const StateId next = explore_locked(state, cls, Leaving::kByOne);
  if (transitions_ % kPublishedEvery == 0) publish_memory();
  return next;
}

StateId Automaton::explore_locked(StateId state, std::uint8_t cls, Leaving leaving) {
  if (state == StateId::kDead || is_limit(state)) return state;
  begin_exploring();
  const bool is_lone = leaving == Leaving::kByOne && states_[raw(state)].lone.load(std::memory_order_relaxed) == 0;
  if (states_[raw(state)].next.load(std::memory_order_relaxed) == nullptr && !is_lone && !open(state)) return met();
  if (const std::uint32_t known = known_step(state, cls); known != kUnknown) return StateId{known};
  if (base::Work::is_met()) return limit_state(Limit::kCallWork);
  read_threads(state, from_);
  base::Work::charge(base::Work::kTransition + base::Work::kThread * from_.size());
  next_.clear();
  for (const Thread& thread : from_) {
    if (!step_thread(thread, cls, next_)) return met();
  }
  if (!keep_finishing(next_)) return met();
  const StateId id = intern(next_);
  if (is_limit(id)) return id;
  ++transitions_;
  State& from = states_[raw(state)];
  if (Next* next_of = from.next.load(std::memory_order_relaxed); next_of != nullptr) {
    next_of[from.live.rank(cls)].store(raw(id), std::memory_order_release);
  } else {
    from.lone.store((cls + std::uint64_t{1}) << 32 | raw(id), std::memory_order_release);
  }
  return id;
}

StateId Automaton::state_for_text(StateId state, std::string_view text) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  std::vector<Thread> threads = read_threads(state);
  const auto follows = [&](const Thread& t) { return t.fresh && rows_.follows_text(t.row); };
  const auto first = std::find_if(threads.begin(), threads.end(), follows);
  const std::string deciding(rows_.deciding_text(first->row, text));
  const auto [known_text, is_new] =
      deciding_texts_.try_emplace(deciding, static_cast<std::uint32_t>(deciding_texts_.size()));
  const std::uint64_t key = (static_cast<std::uint64_t>(raw(state)) << 32) | known_text->second;
  if (const auto it = after_texts_.find(key); it != after_texts_.end()) return it->second;
  std::vector<Thread> settled;
  for (const Thread& thread : threads) {
    if (!follows(thread)) {
      add(thread, settled);
    } else if (!add_row(rows_.settle(thread.row, deciding), thread.rest, settled)) {
      return met();
    }
  }
  if (!keep_finishing(settled)) return met();
  if (base::Work::is_met()) return limit_state(Limit::kCallWork);
  const StateId id = intern(settled);
  if (!is_limit(id)) after_texts_.emplace(key, id);
  publish_memory();
  return id;
}

// Appends the threads after those token sets that `thread` expects and for which `wanted` is true.
template <typename Wanted>
bool Automaton::step_thread_by_tokens(const Thread& thread, Wanted wanted, std::vector<Thread>& out) {
  // A token taken as a whole has no text that a condition could read, so the condition must accept the empty text here.
  if (!thread.fresh || !lexer_.exprs().nullable(thread.rest)) return true;
  const auto listed = rows_.token_sets(thread.row);
  const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing moves what `listed` points at
  for (const std::uint32_t set : sets) {
    if (!wanted(set)) continue;
    if (!add_row(rows_.advance_tokens(thread.row, set), program_->token_follows[set], out)) return false;
  }
  return true;
}

// Returns the state after a token of `set` that is taken as a whole, where `state` expects the set.
StateId Automaton::after_token_set(StateId state, std::uint32_t set) {
  begin_exploring();
  std::vector<Thread> after;
  const auto is_set = [&](std::uint32_t listed) { return listed == set; };
  for (const Thread& thread : read_threads(state)) {
    if (!step_thread_by_tokens(thread, is_set, after)) return met();
  }
  return keep_finishing(after) ? intern(after) : met();
}

// Sets `result` to true if the end can be reached after a token of `set`, which `thread` expects.
bool Automaton::can_finish_after(const Thread& thread, std::uint32_t set, bool& result) {
  result = true;
  if (!has_conditions_) return true;
  begin_exploring();
  std::vector<Thread> after;
  const auto is_set = [&](std::uint32_t listed) { return listed == set; };
  if (!step_thread_by_tokens(thread, is_set, after) || !keep_finishing(after)) return false;
  result = !after.empty();
  return true;
}

StateId Automaton::step_token(StateId state, std::uint32_t token, TokenPosition position, std::string_view bytes,
                              TokenRole role) {
  const StateId from = begin_token(state);
  if (is_limit(from) || !has_token_exits(from))
    return bytes.empty() && !is_limit(from) ? StateId::kDead : step(from, bytes);
  const std::uint64_t key = token_step_key(state, token, position, role);
  if (const auto known = token_steps_.find(key)) return StateId{*known};
  const StateId by_text = bytes.empty() ? StateId::kDead : step(from, bytes);
  const StateId id = add_token_exits(from, token, by_text, role);
  if (is_limit(id)) return id;
  const base::YieldingLock lock(mutex_);
  if (!token_steps_.find(key)) token_steps_.insert(key, raw(id));
  publish_memory();
  return id;
}

StateId Automaton::add_token_exits(StateId state, std::uint32_t token, StateId by_text, TokenRole role) {
  if (is_limit(by_text)) return by_text;
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  std::vector<Thread> next = by_text == StateId::kDead ? std::vector<Thread>{} : read_threads(by_text);
  const vocab::Vocabulary& vocabulary = program_->tokenizer.vocabulary();
  const auto has_token = [&](std::uint32_t set) { return program_->token_sets.contains(set, token, role, vocabulary); };
  for (const Thread& thread : read_threads(state)) {
    if (!step_thread_by_tokens(thread, has_token, next)) return met();
  }
  if (!keep_finishing(next)) return met();
  const StateId id = intern(next);
  if (!is_limit(id)) publish_memory();
  return id;
}

std::vector<Thread> Automaton::read_threads(StateId state) const {
  const std::span<const Thread> threads = configurations_[raw(state)];
  return {threads.begin(), threads.end()};
}

void Automaton::read_threads(StateId state, std::vector<Thread>& threads) const {
  const std::span<const Thread> known = configurations_[raw(state)];
  threads.assign(known.begin(), known.end());
}

std::vector<Thread> Automaton::threads(StateId state) const {
  const base::YieldingLock lock(mutex_);
  return is_limit(state) ? std::vector<Thread>{} : read_threads(state);
}

LexerStateId Automaton::row_start(earley::RowId row) {
  const auto i = static_cast<std::size_t>(row);
  if (i >= row_starts_.size()) row_starts_.resize(i + 1, LexerStateId::kLimit);
  if (row_starts_[i] == LexerStateId::kLimit) row_starts_[i] = lexer_.start(rows_.terminals(row));
  return row_starts_[i];
}

// Appends a fresh thread on `row`.
bool Automaton::add_row(earley::RowId row, ExprId rest, std::vector<Thread>& out) {
  if (row == earley::RowId::kLimit) return fail(rows_.limit_hit());
  const LexerStateId start = row_start(row);
  if (start == LexerStateId::kLimit) return check_lexer();
  add({row, rest, start, true}, out);
  return true;
}

// Adds a thread. Lexemes in progress on one row under one condition are one thread; the fresh row is another.
void Automaton::add(const Thread& thread, std::vector<Thread>& threads) {
  for (Thread& t : threads) {
    if (t.row != thread.row || t.rest != thread.rest || t.fresh != thread.fresh) continue;
    if (has_competitors_ && t.lexer != thread.lexer) continue;  // their lexemes began at different places
    t.lexer = lexer_.merge(t.lexer, thread.lexer);
    return;
  }
  threads.push_back(thread);
}

bool Automaton::step_thread(const Thread& thread, std::uint8_t cls, std::vector<Thread>& out) {
  ExprId rest = thread.rest;
  if (rest != ExprId::kAllStrings) {
    rest = lexer_.exprs().derivative(rest, classes_.representative(cls));
    if (lexer_.is_nothing(rest)) return true;
  }
  const lexer::Lexer::StepResult result = lexer_.step(thread.lexer, cls);
  if (!check_lexer()) return false;
  if (result.next != LexerStateId::kDead) add({thread.row, rest, result.next, false}, out);
  for (const lexer::Ending& ending : result.endings) {  // nothing below steps the lexer, which would invalidate them
    const ExprId both = lexer_.exprs().intersection(rest, ending.rest);
    if (lexer_.is_nothing(both)) continue;
    // A competing terminal stays in progress even if its rule's bound has removed it from the row.
    if (has_bounds_ && !rows_.expects(thread.row, ending.terminal)) continue;
    if (!add_row(rows_.advance(thread.row, ending.terminal), both, out)) return false;
  }
  if (!check_lexer()) return false;
  return out.size() <= program_->limits.configuration_threads || fail(Limit::kConfigurationThreads);
}

bool Automaton::thread_accepts(const Thread& thread) const {
  return thread.fresh && rows_.accepts(thread.row) && lexer_.exprs().nullable(thread.rest);
}

// Drops the threads that cannot finish. Returns false when a limit was met.
bool Automaton::keep_finishing(std::vector<Thread>& threads) {
  if (!check_lexer()) return false;
  if (!has_conditions_) return true;
  std::size_t kept = 0;
  for (const Thread& thread : threads) {
    bool finishes = false;
    if (!can_finish(thread, finishes)) return false;
    if (finishes) threads[kept++] = thread;
  }
  threads.resize(kept);
  return true;
}

Automaton::Finishing& Automaton::finishing(const Thread& thread) {
  const std::uint32_t id = finishing_threads_.intern({&thread, 1}).first;
  if (id >= finishing_.size()) finishing_.resize(id + 1, Finishing::kUnknown);
  return finishing_[id];
}

// Returns a lower bound on the cost from `thread` to the end, by the grammar alone.
WayCost Automaton::distance(const Thread& thread) {
  if (thread_accepts(thread)) return {};
  WayCost least = kNoWay;
  const auto offer = [&](const WayCost& first, std::span<const earley::Entry> after) {
    continuation_costs_.add(after);
    for (const earley::Entry& entry : after) least = std::min(least, first + continuation_costs_.cost_of(entry));
  };
  for (const auto& [terminal, residual] : lexer_.items(thread.lexer)) {
    offer({0, lexer_.exprs().min_length(residual)}, rows_.items_after(thread.row, terminal));
  }
  if (!thread.fresh) return least;
  for (const std::uint32_t set : rows_.token_sets(thread.row)) offer({1, 0}, rows_.items_after_tokens(thread.row, set));
  return least;
}

WayCost Automaton::distance(StateId state) {
  const base::YieldingLock lock(mutex_);
  return distance_locked(state);
}

WayCost Automaton::distance_locked(StateId state) {
  measure_.update(grammar_, lexer_.exprs(), *program_);
  WayCost least = kNoWay;
  for (const Thread& thread : read_threads(state)) least = std::min(least, distance(thread));
  return least;
}

// Sets `result` to true if some text leads from `thread` to acceptance. The search walks the product of grammar and
// conditions until it finds acceptance or a thread that is known to finish. It takes the thread first whose end is
// nearest by the grammar, and among equals the newest. So a text of n bytes is found in about n steps, unless
// conditions exclude most texts. The answer is remembered for all threads visited: those on the way to a finish can
// finish; if nothing is found, none of them can.
bool Automaton::can_finish(const Thread& thread, bool& result) {
  struct Visit {
    Thread thread;
    std::size_t parent;
  };
  struct Open {
    WayCost distance;
    std::size_t visit;
    bool operator<(const Open& other) const {  // true if this is taken later
      return distance != other.distance ? distance > other.distance : visit < other.visit;
    }
  };
  // Where a history is restored, the search that allowed a step may have known what several searches before it had
  // found.
  constexpr std::uint64_t kSearches = 16;
  const std::uint64_t most_visits =
      std::uint64_t{program_->limits.lookahead_threads} * (base::Work::is_uncounted() ? kSearches : 1);
  measure_.update(grammar_, lexer_.exprs(), *program_);
  base::Interner<Thread> seen;
  std::vector<Visit> queue{{thread, 0}};
  std::priority_queue<Open> open;
  open.push({{}, 0});
  seen.intern({&thread, 1});
  while (!open.empty()) {
    const std::size_t head = open.top().visit;
    open.pop();
    const Thread current = queue[head].thread;
    const Finishing known = finishing(current);
    if (base::Work::is_met()) return fail(Limit::kCallWork);
    base::Work::charge(base::Work::kVisit * (1 + classes_.count() / 8));
    if (known == Finishing::kNo) continue;
    if (known == Finishing::kYes || thread_accepts(current)) {
      for (std::size_t i = head;; i = queue[i].parent) {
        finishing(queue[i].thread) = Finishing::kYes;
        if (i == 0) break;
      }
      result = true;
      return true;
    }
    if (queue.size() > most_visits) return fail(Limit::kLookaheadThreads);
    std::vector<Thread> next;
    for (std::uint32_t cls = 0; cls < classes_.count(); ++cls) {
      std::vector<Thread> by_class;
      if (!step_thread(current, static_cast<std::uint8_t>(cls), by_class)) return false;
      next.insert(next.end(), by_class.begin(), by_class.end());
    }
    if (!step_thread_by_tokens(
            current, [](std::uint32_t) { return true; }, next))
      return false;
    for (const Thread& t : next) {
      if (!seen.intern({&t, 1}).second) continue;
      open.push({distance(t), queue.size()});
      queue.push_back({t, head});
    }
  }
  for (const Visit& visit : queue) finishing(visit.thread) = Finishing::kNo;
  result = false;
  return true;
}

// Unites rows. All fresh rows under one condition become one row, as in Earley's sets: from here on they read the same
// text. Threads with equal lexemes in progress differ only in what follows the lexemes, so they become one thread, too.
// Without this each way to split an ambiguous text would have its own rows and continuations, exponentially many.
bool Automaton::unite_rows(std::vector<Thread>& threads) {
  const auto key = [](const Thread& t) {
    return std::tuple(t.rest, t.fresh, t.fresh ? LexerStateId::kDead : t.lexer, t.row);
  };
  const auto same_but_row = [](const Thread& a, const Thread& b) {
    return a.rest == b.rest && a.fresh == b.fresh && (a.fresh || a.lexer == b.lexer);
  };
  std::sort(threads.begin(), threads.end(), [&](const Thread& a, const Thread& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < threads.size(); begin = end) {
    while (end < threads.size() && same_but_row(threads[begin], threads[end])) ++end;
    Thread united = threads[begin];
    if (end - begin > 1) {
      std::vector<earley::RowId> rows;
      for (std::size_t i = begin; i < end; ++i) rows.push_back(threads[i].row);
      united.row = rows_.unite(rows);
      if (united.row == earley::RowId::kLimit) return fail(rows_.limit_hit());
      if (united.fresh) united.lexer = row_start(united.row);
    }
    threads[kept++] = united;
  }
  threads.resize(kept);
  return true;
}

// Merges threads until nothing changes. A united row may be the row of another thread; their lexemes in progress are
// then merged, which may make them equal to those of a third thread. Each round but the last leaves fewer threads.
bool Automaton::merge_threads(std::vector<Thread>& threads) {
  for (std::size_t before = threads.size() + 1; threads.size() < before;) {
    before = threads.size();
    if (!unite_rows(threads)) return false;
    if (threads.size() == before) break;
    std::vector<Thread> merged;
    merged.reserve(threads.size());
    for (const Thread& thread : threads) add(thread, merged);
    if (!check_lexer()) return false;
    if (merged.size() == threads.size()) break;
    threads = std::move(merged);
  }
  return check_lexer();
}

StateId Automaton::intern(std::vector<Thread>& threads) {
  if (!merge_threads(threads)) return met();
  std::sort(threads.begin(), threads.end());
  const auto [id, is_new] = configurations_.intern(threads);
  if (!is_new) return StateId{id};
  State& state = states_[states_.append()];
  for (const Thread& thread : threads) {
    if (!thread.fresh) continue;
    state.accepts = state.accepts || thread_accepts(thread);
    state.has_token_exits = state.has_token_exits || !rows_.token_sets(thread.row).empty();
    state.follows_text = state.follows_text || rows_.follows_text(thread.row);
  }
  return StateId{id};
}

Automaton::MaskResult Automaton::mask(StateId state, TokenPosition position) {
  std::atomic<const Mask*>& known = states_[raw(state)].masks[static_cast<std::size_t>(position)];
  if (const Mask* mask = known.load(std::memory_order_acquire); mask != nullptr) return {mask};
  const base::YieldingLock lock(mutex_);
  if (const Mask* mask = known.load(std::memory_order_relaxed); mask != nullptr) return {mask};
  const MaskResult result = mask_locked(state, position, nullptr);
  publish_memory();
  return result;
}

// Returns the mask, and writes down where its tokens lead if `targets` is not null. If they are not asked for, a mask
// that is known is not computed again.
Automaton::MaskResult Automaton::mask_locked(StateId state, TokenPosition position, TokenTargets* targets) {
  std::atomic<const Mask*>& known = states_[raw(state)].masks[static_cast<std::size_t>(position)];
  const Mask* mask = known.load(std::memory_order_relaxed);
  if (mask != nullptr && targets == nullptr) return {mask};
  if (const Limit limit = builder_.build(state, position, targets); limit != Limit::kNone) return {nullptr, limit};
  Mask built = builder_.take();
  if (mask == nullptr) {
    mask = masks_.intern(std::move(built));
    known.store(mask, std::memory_order_release);
    ++masks_computed_;
  }
  return {mask};
}

Automaton::MaskResult Automaton::mask_within(StateId state, TokenPosition position, std::uint32_t left) {
  const std::uint64_t key = (std::uint64_t{raw(state)} << 1) | static_cast<std::uint64_t>(position);
  std::atomic<const Mask*>& plain = states_[raw(state)].masks[static_cast<std::size_t>(position)];
  const base::YieldingLock lock(mutex_);
  const auto from = plain_from_.find(key);
  if (from != plain_from_.end() && left >= from->second) return {plain.load(std::memory_order_relaxed)};
  if (const auto known = narrow_.find(key); known != narrow_.end()) {
    if (const auto mask = known->second.find(left); mask != known->second.end()) return {mask->second};
  }
  begin_exploring();
  const auto [next, limit] = token_distance_.next().of(state, position);
  if (limit != Limit::kNone) {
    publish_memory();
    return {nullptr, limit};
  }
  token_distance_.find_way(state);
  const Mask* mask = plain.load(std::memory_order_relaxed);
  const std::uint64_t needed = token_distance_.most_after(*next);
  if (left >= needed) {
    plain_from_[key] = static_cast<std::uint32_t>(needed);
    publish_memory();
    return {mask};
  }
  MaskDraft draft;
  const vocab::Vocabulary& vocabulary = program_->tokenizer.vocabulary();
  draft.reset(bitmask_words(vocabulary.size()));
  bool is_narrowed = false;
  for (const NextState& to : *next) {
    bool fits = left > 0;
    const Limit met = fits ? token_distance_.fits(to.state, to.position, left - 1, fits) : Limit::kNone;
    if (met != Limit::kNone) {
      publish_memory();
      return {nullptr, met};
    }
    is_narrowed = is_narrowed || !fits;
    if (!fits) continue;
    if (!to.tokens->bits.empty()) draft.add_all(to.tokens->bits);
    for (const std::uint32_t token : to.tokens->tokens) draft.add(token);
  }
  if (is_narrowed) {
    if (accepts(state)) {
      for (const std::uint32_t token : vocabulary.stop_token_ids()) draft.add(token);
    }
    Mask narrow = draft.take();
    std::copy_if(mask->undecided.begin(), mask->undecided.end(), std::back_inserter(narrow.undecided),
                 [&](std::uint32_t token) { return narrow.contains(token); });
    mask = masks_.intern(std::move(narrow));
    ++masks_computed_;
    narrow_[key].emplace(left, mask);
    ++narrow_count_;
  } else {
    plain_from_[key] = left;
  }
  publish_memory();
  return {mask};
}

NextStates::Found Automaton::next_states(StateId state, TokenPosition position) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  const NextStates::Found found = token_distance_.next().of(state, position);
  publish_memory();
  return found;
}

std::vector<std::vector<WayPart>> Automaton::short_ways(StateId state) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  std::vector<std::vector<WayPart>> ways = token_distance_.short_ways(state);
  publish_memory();
  return ways;
}

StateId Automaton::keep_within(StateId state, TokenPosition position, std::uint32_t left) {
  if (state == StateId::kDead || is_limit(state)) return state;
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  bool fits = false;
  const Limit limit = token_distance_.fits(state, position, left, fits);
  publish_memory();
  if (limit != Limit::kNone) return limit_state(limit);
  return fits ? state : StateId::kDead;
}

Limit Automaton::tokens_to_end(StateId state, TokenPosition position, std::uint32_t most,
                               std::optional<std::uint32_t>& tokens) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  tokens.reset();
  bool fits = false;
  if (const Limit limit = token_distance_.fits(state, position, most, fits); limit != Limit::kNone || !fits)
    return limit;
  std::uint32_t least = 0;
  while (least < most) {
    const std::uint32_t middle = least + (most - least) / 2;
    if (const Limit limit = token_distance_.fits(state, position, middle, fits); limit != Limit::kNone) return limit;
    (fits ? most : least) = fits ? middle : middle + 1;
  }
  tokens = most;
  publish_memory();
  return Limit::kNone;
}

std::uint32_t Automaton::number_of_flipped(std::uint64_t mask, std::span<const std::uint32_t> flipped) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(mask >> 32), static_cast<std::uint32_t>(mask)};
  words.insert(words.end(), flipped.begin(), flipped.end());
  const base::YieldingLock lock(mutex_);
  const auto [number, is_new] = flipped_masks_.intern(words);
  if (is_new) publish_memory();
  return number;
}

Automaton::~Automaton() = default;

std::size_t Automaton::memory_bytes() const {
  const CanonicalProduct* const product = known_product_.load(std::memory_order_acquire);
  return memory_bytes_.load(std::memory_order_relaxed) + (product == nullptr ? 0 : product->memory_bytes());
}

void Automaton::allow_twice_its_size() {
  const base::YieldingLock lock(mutex_);
  raise_most_bytes(2 * memory_bytes());
}

void Automaton::begin_restoring() {
  const base::YieldingLock lock(mutex_);
  if (restoring_++ != 0) return;
  publish_memory();
  restoring_from_ = memory_bytes();
}

void Automaton::end_restoring() {
  const base::YieldingLock lock(mutex_);
  publish_memory();
  const std::size_t taken = std::max(memory_bytes(), restoring_from_) - restoring_from_;  // a product may shrink
  raise_most_bytes(2 * (empty_bytes_ + restored_bytes_ + taken));
  if (--restoring_ == 0) restored_bytes_ += taken;
}

void Automaton::raise_most_bytes(std::size_t bytes) {
  if (bytes > most_bytes_.load(std::memory_order_relaxed)) most_bytes_.store(bytes, std::memory_order_relaxed);
}

WEIR_REPLACEABLE CanonicalProduct& Automaton::product(const canonical::CanonicalAutomaton& canonical) {
  std::call_once(product_once_, [&] {
    GroupsStore& store = program_->tokenizer.vocabulary().extension<VocabularyStore>().groups;
    product_ = std::make_unique<CanonicalProduct>(*this, canonical, store);
    known_product_.store(product_.get(), std::memory_order_release);
  });
  return *product_;
}

Automaton::TargetsResult Automaton::targets(StateId state, TokenPosition position) {
  const base::YieldingLock lock(mutex_);
  const std::uint64_t key = (std::uint64_t{raw(state)} << 1) | static_cast<std::uint64_t>(position);
  if (const auto known = targets_.find(key); known != targets_.end()) return {known->second.get()};
  TokenTargets targets;
  if (const Limit limit = mask_locked(state, position, &targets).limit; limit != Limit::kNone) return {nullptr, limit};
  std::sort(targets.listed.begin(), targets.listed.end());
  targets.listed.shrink_to_fit();
  targets_bytes_ += targets.memory_bytes();
  const auto made = targets_.emplace(key, std::make_unique<const TokenTargets>(std::move(targets))).first;
  publish_memory();
  return {made->second.get()};
}

const std::vector<std::uint32_t>* Automaton::few_ready_tokens(const TokenTargets::Terminal& terminal,
                                                              TokenPosition position) {
  constexpr std::size_t kFewTokens = 256;
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  const TokenFacts* facts = facts_.of(terminal.residual, lexer_.mode(terminal.terminal), position);
  const bool is_list = facts != nullptr && facts->base == nullptr && facts->ready == nullptr;
  return is_list && facts->added.size() <= kFewTokens ? &facts->added : nullptr;
}

StateId Automaton::inside_terminal(const TokenTargets::Terminal& terminal, std::string_view bytes) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  ExprId residual = terminal.residual;
  for (const char c : bytes) {
    residual = lexer_.exprs().derivative(residual, static_cast<std::uint8_t>(c));
    if (lexer_.is_nothing(residual)) return check_lexer() ? StateId::kDead : met();
  }
  const StateId state = state_inside({terminal.row, terminal.terminal, residual});
  publish_memory();
  return state;
}

// Returns the state in which the terminal alone is in progress, with this residual; if it may end, it has ended, too.
StateId Automaton::state_inside(const TokenTargets::Terminal& terminal) {
  const bool may_end = lexer_.exprs().nullable(terminal.residual);
  std::vector<Thread> threads;
  if (may_end && !add_row(rows_.advance(terminal.row, terminal.terminal), ExprId::kAllStrings, threads)) return met();
  if (terminal.residual != ExprId::kEpsilon && (!may_end || lexer_.mode(terminal.terminal) == lexer::Mode::kExact)) {
    const LexerStateId alone = lexer_.state_of({{terminal.terminal, terminal.residual}});
    if (!check_lexer()) return met();
    add({terminal.row, ExprId::kAllStrings, alone, false}, threads);
  }
  return intern(threads);
}

StateId Automaton::after_terminal(const TokenTargets::Terminal& terminal) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  std::vector<Thread> threads;
  if (!add_row(rows_.advance(terminal.row, terminal.terminal), ExprId::kAllStrings, threads)) return met();
  const StateId id = intern(threads);
  publish_memory();
  return id;
}

Limit Automaton::next_bytes(StateId state, regex::ByteSet& bytes) {
  const base::YieldingLock lock(mutex_);
  begin_exploring();
  regex::ByteSet live;
  for (const Thread& thread : configurations_[raw(state)]) {
    live |= lexer_.live(thread.lexer);
    if (!check_lexer()) return limit_;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    if (live.contains(classes_.class_of(b))) bytes.add(b);
  }
  return Limit::kNone;
}

// Returns the state in which `terminal`, which is in progress in `thread`, has just ended; nothing else the thread may
// do is in it.
StateId Automaton::after_terminal(const Thread& thread, std::uint32_t terminal) {
  std::vector<Thread> after;
  if (!add_row(rows_.advance(thread.row, terminal), ExprId::kAllStrings, after)) return met();
  return intern(after);
}

void Automaton::publish_memory() {
  constexpr std::size_t kBlockBytes = kNextBlock * sizeof(Next);
  constexpr std::size_t kNarrowBytes = 128;  // of an entry of narrow_, with its share of the map around it
  memory_bytes_.store(lexer_.memory_bytes() + grammar_.memory_bytes() + rows_.memory_bytes() +
                          configurations_.memory_bytes() + states_.memory_bytes() + next_blocks_.size() * kBlockBytes +
                          masks_.memory_bytes() + flipped_masks_.memory_bytes() + facts_.memory_bytes() +
                          row_starts_.capacity() * sizeof(LexerStateId) + finishing_threads_.memory_bytes() +
                          continuation_costs_.memory_bytes() + token_steps_.memory_bytes() + begun_.memory_bytes() +
                          verdicts_.memory_bytes() + budget_search_.memory_bytes() + token_distance_.memory_bytes() +
                          (plain_from_.size() + narrow_count_) * kNarrowBytes + targets_bytes_,
                      std::memory_order_relaxed);
}

StateStats Automaton::state_stats(StateId state, TokenPosition position) const {
  StateStats stats;
  stats.state = raw(state);
  stats.byte_classes = classes_.count();
  for (std::uint32_t cls = 0; cls < classes_.count(); ++cls) {
    if (known_step(state, static_cast<std::uint8_t>(cls)) != kUnknown) ++stats.known_transitions;
  }
  const std::atomic<const Mask*>& mask = states_[raw(state)].masks[static_cast<std::size_t>(position)];
  stats.mask_known = mask.load(std::memory_order_relaxed) != nullptr;
  const std::vector<Thread> all = threads(state);
  stats.threads = static_cast<std::uint32_t>(all.size());
  const base::YieldingLock lock(mutex_);
  for (const Thread& thread : all) {
    stats.terminals_in_progress += static_cast<std::uint32_t>(lexer_.items(thread.lexer).size());
  }
  return stats;
}

WEIR_REPLACEABLE std::string Automaton::place_of_work(base::Limit limit) {
  const bool is_of_terminals = limit == base::Limit::kCallWork || limit == base::Limit::kSchemaSteps ||
                               limit == base::Limit::kRegexFuel || limit == base::Limit::kRegexNodes ||
                               limit == base::Limit::kLexerStates;
  const std::optional<base::Work::Place> place = base::Work::place();
  if (!is_of_terminals || !place.has_value()) return {};
  const base::YieldingLock lock(mutex_);
  return grammar_.describe(*place);
}

EngineStats Automaton::stats() const {
  const base::YieldingLock lock(mutex_);
  EngineStats s;
  s.states = states_.size() - base::kLimitCount;  // less kDead and the limits
  s.transitions = transitions_;
  s.rows = rows_.row_count();
  s.row_items = rows_.item_count();
  s.continuations = rows_.continuation_count();
  s.lexer_states = lexer_.state_count();
  s.regex_nodes = lexer_.exprs().node_count();
  s.masks = masks_computed_;
  s.trie_nodes = builder_.nodes_visited() + facts_.nodes_visited();
  s.memory_bytes = memory_bytes();
  return s;
}

// Bounded rules.

std::vector<std::uint32_t> Automaton::terminals_in_progress(const Thread& thread) const {
  std::vector<std::uint32_t> terminals;
  for (const lexer::Item& item : lexer_.items(thread.lexer)) {
    if (terminals.empty() || terminals.back() != item.terminal) terminals.push_back(item.terminal);
  }
  return terminals;
}

// Appends the thread with `row` in place of its own row. `row` may expect fewer terminals.
bool Automaton::add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out) {
  if (row == earley::RowId::kLimit) return fail(rows_.limit_hit());
  if (row == earley::RowId::kNone) return true;
  if (row == thread.row) {
    add(thread, out);
    return true;
  }
  if (thread.fresh) return add_row(row, thread.rest, out);
  // Competing terminals are kept: they still decide where other lexemes end.
  std::vector<lexer::Item> kept;
  for (const lexer::Item& item : lexer_.items(thread.lexer)) {
    if (rows_.expects(row, item.terminal) || lexer::competes(lexer_.mode(item.terminal))) kept.push_back(item);
  }
  const LexerStateId state = lexer_.state_of(std::move(kept));
  if (!check_lexer()) return false;
  add({row, thread.rest, state, false}, out);
  return true;
}

bool Automaton::begin_token(const Thread& thread, std::vector<Thread>& out) {
  const earley::RowId row =
      thread.fresh ? rows_.begin_token(thread.row) : rows_.begin_token(thread.row, terminals_in_progress(thread));
  return add_in_place(thread, row, out);
}

StateId Automaton::begin_token_locked(StateId state) {
  if (state == StateId::kDead || is_limit(state)) return state;
  if (const auto known = begun_.find(raw(state))) return StateId{*known};
  begin_exploring();
  std::vector<Thread> threads;
  for (const Thread& thread : read_threads(state)) {
    if (!begin_token(thread, threads)) return met();
  }
  if (!keep_finishing(threads)) return met();
  const StateId id = intern(threads);
  if (!is_limit(id)) begun_.insert(raw(state), raw(id));
  return id;
}

StateId Automaton::begin_token_known_or_new(StateId state) {
  if (const auto known = begun_.find(raw(state))) return StateId{*known};
  const base::YieldingLock lock(mutex_);
  const StateId id = begin_token_locked(state);
  publish_memory();
  return id;
}

StateId Automaton::within_budget(StateId state) {
  if (state == StateId::kDead || is_limit(state)) return state;
  if (const auto known = verdicts_.find(raw(state))) return *known != 0 ? state : StateId::kDead;
  const base::YieldingLock lock(mutex_);
  bool fits_budget = false;
  const Limit limit = budget_search_.fits_budget(state, fits_budget);
  publish_memory();
  if (limit != Limit::kNone) return limit_state(limit);
  return fits_budget ? state : StateId::kDead;
}

Automaton::TokensNeeded Automaton::tokens_needed(grammar::RuleId rule, std::uint32_t least) {
  // For longer texts only a lower bound on their tokens is given.
  constexpr std::uint64_t kLongText = 4'096;
  const base::YieldingLock lock(mutex_);
  measure_.update(grammar_, lexer_.exprs(), *program_);
  WayCost shortest = kNoWay;
  for (const grammar::ItemId first : grammar_.cfg().rules[static_cast<std::uint32_t>(rule)].productions) {
    shortest = std::min(shortest, measure_.cost_of_suffix(first));
  }
  measure_.end_search();
  const std::uint64_t longest_token = std::max<std::uint64_t>(1, program_->tokenizer.vocabulary().trie().max_depth());
  const std::uint64_t fewest = shortest.tokens == 0 ? (shortest.bytes + longest_token - 1) / longest_token : 0;
  if (fewest > least && shortest.bytes > kLongText) return {fewest, Limit::kNone, true, false};
  Limit limit = Limit::kNone;
  const auto suffice = [&](std::uint64_t tokens) {
    begin_exploring();
    std::vector<Thread> threads;
    bool fits_budget = false;
    StateId start{};
    const auto bound = static_cast<std::uint32_t>(tokens);
    if (!add_row(rows_.start_of(rule, bound), regex::ExprId::kAllStrings, threads) || !keep_finishing(threads)) {
      limit = limit_;
    } else if (start = intern(threads); is_limit(start)) {
      limit = limit_of(start);
    } else if (start != StateId::kDead) {
      limit = budget_search_.fits_budget(start, fits_budget);
    }
    return fits_budget;
  };
  if (suffice(least)) return {least};
  const bool was_cut = limit == Limit::kNone && budget_search_.was_cut();
  // Doubling, then bisection: finds a bound that suffices while the next smaller one tried does not.
  std::uint64_t enough = least;
  std::uint64_t too_few = least;
  do {
    if (limit != Limit::kNone || enough > kLongText) return {std::nullopt, limit, false, was_cut};
    too_few = enough;
    enough = std::max<std::uint64_t>(1, 2 * enough);
  } while (!suffice(enough));
  while (too_few + 1 < enough) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (suffice(middle) ? enough : too_few) = middle;
    if (limit != Limit::kNone) return {std::nullopt, limit, false, was_cut};
  }
  publish_memory();
  return {enough, Limit::kNone, false, was_cut};
}

}  // namespace weir::engine
