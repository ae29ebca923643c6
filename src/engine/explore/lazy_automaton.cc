#include "engine/explore/lazy_automaton.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/reach.h"
#include "base/work.h"
#include "engine/search_bounds.h"
#include "regex/analysis/contents.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using lexer::LexerStateId;
using regex::ExprId;

namespace {

std::uint64_t key_of(ExprId condition, std::uint32_t row_or_terminal) {
  return static_cast<std::uint64_t>(condition) << 32 | row_or_terminal;
}

lexer::Lexer make_lexer(const Program& program) {
  std::vector<ExprId> conditions(program.token_follows.begin(), program.token_follows.end());
  auto terminals = lexer::Lexer::Terminals::kFixed;
  for (const grammar::LazySource& lazy : program.cfg.sources) {
    if (const auto distinguished = lazy.source->distinguished()) {
      conditions.insert(conditions.end(), distinguished->begin(), distinguished->end());
    } else {
      terminals = lexer::Lexer::Terminals::kGrowing;
    }
  }
  return {program.cfg.exprs, program.terminals, program.limits, terminals, conditions};
}

}  // namespace

LazyAutomaton::LazyAutomaton(std::shared_ptr<const Program> program)
    : program_(std::move(program)),
      lexer_(make_lexer(*program_)),
      grammar_(program_->cfg, lexer_.exprs(),
               [this](const grammar::Terminal& added) {
                 lexer_.add_terminal({added.expr, added.mode});
               }),
      rows_(grammar_, program_->limits),
      continuation_costs_(measure_, rows_) {
  classes_ = lexer_.classes();
  has_conditions_ = program_->has_conditions();
  is_separable_ = program_->is_separable();
  has_bounds_ = rows_.has_bounds();
  for (const lexer::TerminalSpec& terminal : program_->terminals) {
    has_competitors_ = has_competitors_ || base::competes(terminal.mode);
  }
  for (std::uint32_t limit = 0; limit < base::kLimitCount; ++limit) {
    // kDead has no threads. The thread of a limit's state is not one of any configuration.
    const std::vector<Thread> threads(limit == 0 ? 0 : 1, Thread{.row = earley::RowId::kNone, .fresh = limit});
    configurations_.intern(threads);
    states_.append();
  }
}

// Returns `count` entries, which never move. A block is larger than any state needs; the rest of a full block is
// wasted.
LazyAutomaton::Next* LazyAutomaton::allocate_next(std::uint32_t count) {
  static_assert(kTransitionsInBlock >= 256);
  if (count > next_left_ || next_blocks_.empty()) {
    next_blocks_.push_back(std::make_unique<Next[]>(kTransitionsInBlock));
    next_left_ = kTransitionsInBlock;
  }
  Next* next = next_blocks_.back().get() + (kTransitionsInBlock - next_left_);
  next_left_ -= count;
  for (std::uint32_t i = 0; i < count; ++i) next[i].store(kUnknown, std::memory_order_relaxed);
  return next;
}

bool LazyAutomaton::goes_on(StateId state) const {
  return std::ranges::any_of(configurations_[raw(state)],
                             [](const Thread& thread) { return thread.lexer != LexerStateId::kDead; });
}

// Opens a state: finds the byte classes by which it can be left.
Limit LazyAutomaton::open(StateId state) {
  regex::ByteSet live;
  for (const Thread& thread : configurations_[raw(state)]) {
    if (const Limit met = lexer_.add_live(thread.lexer, live); met != Limit::kNone) return met;
  }
  const auto known = live_sets_.try_emplace(live, live).first;
  states_[raw(state)].live.store(&known->second, std::memory_order_release);
  return Limit::kNone;
}

// Stores a transition.
void LazyAutomaton::set_next(StateId from, std::uint8_t cls, StateId to) {
  State& state = states_[raw(from)];
  const std::uint64_t lone = state.lone.load(std::memory_order_relaxed);
  if (lone == 0) return state.lone.store((cls + std::uint64_t{1}) << 32 | raw(to), std::memory_order_release);
  const regex::RankedByteSet& live = *state.live.load(std::memory_order_relaxed);
  Next* next = state.next.load(std::memory_order_relaxed);
  const bool is_new = next == nullptr;
  if (is_new) {
    next = allocate_next(live.size());
    const auto first = static_cast<std::uint8_t>((lone >> 32) - 1);
    if (live.contains(first)) next[live.rank(first)].store(static_cast<std::uint32_t>(lone), std::memory_order_relaxed);
  }
  next[live.rank(cls)].store(raw(to), std::memory_order_release);
  if (is_new) state.next.store(next, std::memory_order_release);
}

StateId LazyAutomaton::start() {
  std::vector<Thread> threads;
  if (const Limit met = add_row(rows_.start(), ExprId::kAllStrings, threads); met != Limit::kNone)
    return limit_state(met);
  return state_of_finishing(threads);
}

StateId LazyAutomaton::explore(StateId state, std::uint8_t cls, Leaving leaving) {
  if (state == StateId::kDead || is_limit(state)) return state;
  const bool is_lone = leaving == Leaving::kByOne && states_[raw(state)].lone.load(std::memory_order_relaxed) == 0;
  if (states_[raw(state)].live.load(std::memory_order_relaxed) == nullptr && !is_lone) {
    if (const Limit met = open(state); met != Limit::kNone) return limit_state(met);
  }
  if (const std::uint32_t known = known_step(state, cls); known != kUnknown) return StateId{known};
  if (base::Work::is_met()) return limit_state(Limit::kCallWork);
  const std::span<const Thread> threads_from = configurations_[raw(state)];
  from_.assign(threads_from.begin(), threads_from.end());
  base::Work::charge(base::Work::kTransition + base::Work::kThread * from_.size());
  next_.clear();
  for (const Thread& thread : from_) {
    if (const Limit met = step_thread(thread, cls, next_); met != Limit::kNone) return limit_state(met);
  }
  const StateId id = state_of_finishing(next_);
  if (is_limit(id)) return id;
  ++transitions_;
  set_next(state, cls, id);
  return id;
}

StateId LazyAutomaton::state_for_text(StateId state, std::string_view text) {
  const auto follows = [&](const Thread& t) { return t.fresh && rows_.follows_text(t.row); };
  const std::string_view found =
      rows_.deciding_text(std::ranges::find_if(configurations_[raw(state)], follows)->row, text);
  auto known_text = deciding_texts_.find(found);
  const bool is_new = known_text == deciding_texts_.end();
  if (is_new) {
    known_text = deciding_texts_.emplace(found, static_cast<std::uint32_t>(deciding_texts_.size())).first;
    deciding_bytes_ += found.size();
  }
  const std::uint64_t key = (static_cast<std::uint64_t>(raw(state)) << 32) | known_text->second;
  if (const auto it = after_texts_.find(key); it != after_texts_.end()) return it->second;
  std::vector<Thread> settled;
  for (const Thread& thread : threads(state)) {
    const Limit met = follows(thread) ? add_row(rows_.settle(thread.row, known_text->first), thread.rest, settled)
                                      : add(thread, settled);
    if (met != Limit::kNone) return limit_state(met);
  }
  if (const Limit met = keep_finishing(settled); met != Limit::kNone) return limit_state(met);
  if (base::Work::is_met()) return limit_state(Limit::kCallWork);
  const StateId id = intern(settled);
  if (!is_limit(id)) after_texts_.emplace(key, id);
  return id;
}

// Appends the threads after those token sets that `thread` expects and for which `wanted` is true.
template <typename Wanted>
Limit LazyAutomaton::step_thread_by_tokens(const Thread& thread, Wanted wanted, std::vector<Thread>& out) {
  // A token taken as a whole has no text that a condition could read, so the condition must accept the empty text here.
  if (!thread.fresh || !lexer_.exprs().nullable(thread.rest)) return Limit::kNone;
  const auto listed = rows_.token_sets(thread.row);
  const std::vector<std::uint32_t> sets(listed.begin(), listed.end());  // advancing moves what `listed` points at
  for (const std::uint32_t set : sets) {
    if (!wanted(set)) continue;
    const Limit met = add_row(rows_.advance_tokens(thread.row, set), program_->token_follows[set], out);
    if (met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

StateId LazyAutomaton::after_token_set(StateId state, std::uint32_t set) {
  std::vector<Thread> after;
  const auto is_set = [&](std::uint32_t listed) { return listed == set; };
  for (const Thread& thread : threads(state)) {
    if (const Limit met = step_thread_by_tokens(thread, is_set, after); met != Limit::kNone) return limit_state(met);
  }
  return state_of_finishing(after);
}

Answer LazyAutomaton::can_finish_after(const Thread& thread, std::uint32_t set) {
  if (!has_conditions_ || is_separable_) return true;
  std::vector<Thread> after;
  const auto is_set = [&](std::uint32_t listed) { return listed == set; };
  if (const Limit met = step_thread_by_tokens(thread, is_set, after); met != Limit::kNone) return met;
  if (const Limit met = keep_finishing(after); met != Limit::kNone) return met;
  return !after.empty();
}

StateId LazyAutomaton::add_token_terminals(StateId state, std::uint32_t token, StateId by_text, TokenRole role) {
  std::vector<Thread> next = by_text == StateId::kDead ? std::vector<Thread>{} : threads(by_text);
  const vocab::Vocabulary& vocabulary = program_->tokenizer.vocabulary();
  const auto has_token = [&](std::uint32_t set) {
    return program_->token_terminals.contains(set, token, role, vocabulary);
  };
  for (const Thread& thread : threads(state)) {
    if (const Limit met = step_thread_by_tokens(thread, has_token, next); met != Limit::kNone) return limit_state(met);
  }
  return state_of_finishing(next);
}

std::vector<Thread> LazyAutomaton::threads(StateId state) const {
  const std::span<const Thread> threads = configurations_[raw(state)];
  return {threads.begin(), threads.end()};
}

// Returns the lexer's state at the beginning of `row` under the condition `rest`. A separable condition depends on the next
// byte alone, so it is a part of the state.
LexerStateId LazyAutomaton::row_start(earley::RowId row, ExprId rest) {
  if (is_separable_ && rest != ExprId::kAllStrings) {
    const auto [known, is_new] = starts_under_.try_emplace(key_of(rest, static_cast<std::uint32_t>(row)));
    if (!is_new && !base::is_limit_id(known->second)) return known->second;
    std::vector<lexer::Item> items;
    for (const std::uint32_t terminal : rows_.terminals(row)) {
      const ExprId residual = texts_under(rest, lexer_.expr(terminal));
      if (residual != ExprId::kNothing) items.push_back({terminal, residual});
    }
    return known->second = lexer_.state_of(std::move(items));
  }
  const auto i = static_cast<std::size_t>(row);
  if (i >= row_starts_.size()) row_starts_.resize(i + 1, base::limit_id<LexerStateId>(Limit::kLexerStates));
  if (base::is_limit_id(row_starts_[i])) row_starts_[i] = lexer_.start(rows_.terminals(row));
  return row_starts_[i];
}

// Returns the texts of a terminal that satisfy a separable condition: all or none for most terminals.
ExprId LazyAutomaton::texts_under(ExprId condition, ExprId terminal) {
  const auto [known, is_new] =
      texts_under_.try_emplace(key_of(condition, static_cast<std::uint32_t>(terminal)), terminal);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = lexer_.exprs();
  const ExprId both = exprs.intersection(terminal, condition);
  const regex::ByteSet allowed = exprs.first_bytes(both);
  if (allowed.is_empty()) return known->second = ExprId::kNothing;
  if (allowed != exprs.first_bytes(terminal)) known->second = both;
  return known->second;
}

// Returns the condition on the text after a lexeme of the terminal.
ExprId LazyAutomaton::follow_of(std::uint32_t terminal) const {
  return terminal < program_->terminals.size() ? program_->terminals[terminal].follow : ExprId::kAllStrings;
}

// Appends a fresh thread on `row`.
Limit LazyAutomaton::add_row(earley::RowId row, ExprId rest, std::vector<Thread>& out) {
  if (base::is_limit_id(row)) return base::limit_of_id(row);
  return add({row, rest, row_start(row, rest), true}, out);
}

// Adds a thread, unless its lexer state is a limit's. Lexemes in progress on one row under one condition are one thread; the
// fresh row is another.
Limit LazyAutomaton::add(const Thread& thread, std::vector<Thread>& threads) {
  if (base::is_limit_id(thread.lexer)) return base::limit_of_id(thread.lexer);
  for (Thread& t : threads) {
    if (t.row != thread.row || t.rest != thread.rest || t.fresh != thread.fresh) continue;
    if (has_competitors_ && t.lexer != thread.lexer) continue;  // their lexemes began at different places
    t.lexer = lexer_.merge(t.lexer, thread.lexer);
    return base::limit_of_id(t.lexer);
  }
  threads.push_back(thread);
  return Limit::kNone;
}

Limit LazyAutomaton::step_thread(const Thread& thread, std::uint8_t cls, std::vector<Thread>& out) {
  ExprId rest = thread.rest;
  if (rest != ExprId::kAllStrings) {
    rest = lexer_.exprs().derivative(rest, classes_.representative(cls));
    if (const Answer nothing = lexer_.is_nothing(rest); !nothing.is_no()) return nothing.limit();
  }
  const lexer::Lexer::StepResult result = lexer_.step(thread.lexer, cls);
  if (result.next != LexerStateId::kDead) {
    const Limit met = add({thread.row, rest, result.next, false}, out);
    if (met != Limit::kNone) return met;
  }
  for (const lexer::Ending& ending : result.endings) {  // nothing below steps the lexer, which would invalidate them
    const ExprId both = lexer_.exprs().intersection(rest, ending.rest);
    const Answer nothing = lexer_.is_nothing(both);
    if (!nothing.is_known()) return nothing.limit();
    if (nothing.is_yes()) continue;
    // A competing terminal stays in progress even if its rule's bound has removed it from the row.
    if (has_bounds_ && !rows_.expects(thread.row, ending.terminal)) continue;
    const Limit met = add_row(rows_.advance(thread.row, ending.terminal), both, out);
    if (met != Limit::kNone) return met;
  }
  return out.size() <= program_->limits.configuration_threads ? Limit::kNone : Limit::kConfigurationThreads;
}

bool LazyAutomaton::thread_accepts(const Thread& thread) const {
  return thread.fresh && rows_.accepts(thread.row) && lexer_.exprs().nullable(thread.rest);
}

// Drops the threads that cannot finish.
Limit LazyAutomaton::keep_finishing(std::vector<Thread>& threads) {
  if (!has_conditions_ || is_separable_) return Limit::kNone;
  std::size_t kept = 0;
  for (const Thread& thread : threads) {
    const Answer finishes = can_finish(thread);
    if (!finishes.is_known()) return finishes.limit();
    if (finishes.is_yes()) threads[kept++] = thread;
  }
  threads.resize(kept);
  return Limit::kNone;
}

// Returns the state with those threads that can finish.
StateId LazyAutomaton::state_of_finishing(std::vector<Thread>& threads) {
  const Limit met = keep_finishing(threads);
  return met == Limit::kNone ? intern(threads) : limit_state(met);
}

LazyAutomaton::Finishing& LazyAutomaton::finishing(const Thread& thread) {
  const std::uint32_t id = finishing_threads_.intern({&thread, 1}).first;
  if (id >= finishing_.size()) finishing_.resize(id + 1, Finishing::kUnknown);
  return finishing_[id];
}

// Returns a lower bound on the cost from `thread` to the end, by the grammar alone.
WayCost LazyAutomaton::distance(const Thread& thread) {
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

WayCost LazyAutomaton::distance(StateId state) {
  update_measure();
  WayCost least = kNoWay;
  for (const Thread& thread : threads(state)) least = std::min(least, distance(thread));
  return least;
}

// "Does some text lead from this thread to acceptance?" The graph is the product of grammar and conditions, by bytes. What
// comes first is the thread whose end is nearest by the grammar, and among equals the newest. So a text of n bytes is found
// in about n steps, unless conditions exclude most texts.
class LazyAutomaton::Finish : public base::ReachGraph<Thread, WayCost> {
 public:
  static constexpr bool kNewestFirst = true;

  explicit Finish(LazyAutomaton& automaton) : automaton_(automaton) {}
  static std::uint64_t hash(const Thread& thread) {
    return base::hash_words(std::array{static_cast<std::uint32_t>(thread.row), static_cast<std::uint32_t>(thread.rest),
                                       static_cast<std::uint32_t>(thread.lexer), thread.fresh});
  }
  // Nearly always a neighbour is known to finish.
  [[nodiscard]] std::optional<std::uint64_t> known(const Thread& thread) const {
    if (automaton_.thread_accepts(thread) || verdict(thread) == Finishing::kYes) return 0;
    return std::nullopt;
  }
  std::optional<WayCost> order(const Thread& thread, std::uint64_t /*price*/, std::uint64_t /*bound*/) {
    if (verdict(thread) == Finishing::kNo) return std::nullopt;
    return automaton_.distance(thread);
  }
  template <typename Steps>
  Limit for_each_step(const Thread& thread, Steps& out) {
    base::Work::charge(automaton_.visit_work());
    std::vector<Thread> after;
    const auto offer = [&] {
      const bool goes_on = std::ranges::all_of(after, [&](const Thread& next) { return out.to(0, next, {}); });
      after.clear();
      return goes_on;
    };
    for (std::uint32_t cls = 0; cls < automaton_.classes_.count(); ++cls) {
      const Limit met = automaton_.step_thread(thread, static_cast<std::uint8_t>(cls), after);
      if (met != Limit::kNone) return met;
      if (!offer()) return Limit::kNone;
    }
    const auto any = [](std::uint32_t) { return true; };
    const Limit met = automaton_.step_thread_by_tokens(thread, any, after);
    if (met == Limit::kNone) offer();
    return met;
  }

 private:
  [[nodiscard]] Finishing verdict(const Thread& thread) const {
    const std::optional<std::uint32_t> id = automaton_.finishing_threads_.find({&thread, 1});
    return id && *id < automaton_.finishing_.size() ? automaton_.finishing_[*id] : Finishing::kUnknown;
  }
  LazyAutomaton& automaton_;
};

std::uint64_t LazyAutomaton::visit_work() const { return base::Work::kVisit * (1 + classes_.count() / 8); }

// Returns whether some text leads from `thread` to acceptance. The answer is remembered for all threads that were met: those
// on the way to a finish can finish; if nothing is found, none of them can.
Answer LazyAutomaton::can_finish(const Thread& thread) {
  if (const Finishing known = finishing(thread); known != Finishing::kUnknown) {
    if (base::Work::is_met()) return Limit::kCallWork;
    base::Work::charge(visit_work());
    return known == Finishing::kYes;
  }
  update_measure();
  const std::uint64_t most_threads =
      std::uint64_t{program_->limits.lookahead_threads} * (base::Work::is_restoring() ? kRestoringSearches : 1);
  Finish graph(*this);
  base::Reach<Finish> search(graph, most_threads);
  const Answer found = search.find(thread);
  if (found.is_yes()) {
    search.for_each_on_way([&](const auto& step) { finishing(step.node) = Finishing::kYes; });
  } else if (found.is_no()) {
    search.for_each_visit([&](const Thread& met, std::uint64_t) { finishing(met) = Finishing::kNo; });
  }
  return found;
}

// Unites rows. All fresh rows under one condition become one row, as in Earley's sets: from here on they read the same
// text. Threads with equal lexemes in progress differ only in what follows the lexemes, so they become one thread, too.
// Without this each way to split an ambiguous text would have its own rows and continuations, exponentially many.
Limit LazyAutomaton::unite_rows(std::vector<Thread>& threads) {
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
      if (base::is_limit_id(united.row)) return base::limit_of_id(united.row);
      if (united.fresh) united.lexer = row_start(united.row, united.rest);
      if (base::is_limit_id(united.lexer)) return base::limit_of_id(united.lexer);
    }
    threads[kept++] = united;
  }
  threads.resize(kept);
  return Limit::kNone;
}

// Merges threads until nothing changes. A united row may be the row of another thread; their lexemes in progress are
// then merged, which may make them equal to those of a third thread. Each round but the last leaves fewer threads.
Limit LazyAutomaton::merge_threads(std::vector<Thread>& threads) {
  for (std::size_t before = threads.size() + 1; threads.size() < before;) {
    before = threads.size();
    if (const Limit met = unite_rows(threads); met != Limit::kNone) return met;
    if (threads.size() == before) break;
    std::vector<Thread> merged;
    merged.reserve(threads.size());
    for (const Thread& thread : threads) {
      if (const Limit met = add(thread, merged); met != Limit::kNone) return met;
    }
    if (merged.size() == threads.size()) break;
    threads = std::move(merged);
  }
  return Limit::kNone;
}

StateId LazyAutomaton::intern(std::vector<Thread>& threads) {
  if (const Limit met = merge_threads(threads); met != Limit::kNone) return limit_state(met);
  std::sort(threads.begin(), threads.end());
  const auto [id, is_new] = configurations_.intern(threads);
  if (!is_new) return StateId{id};
  State& state = states_[states_.append()];
  state.begins_alike = true;
  for (const Thread& thread : threads) {
    if (!thread.fresh) continue;
    state.ends_lexeme = true;
    state.leaves = state.leaves || rows_.leaves(thread.row);
    state.begins_alike = state.begins_alike && rows_.alike_until(thread.row) != grammar::AlikeUntil::kUnknown;
    state.accepts = state.accepts || thread_accepts(thread);
    state.expects_token_terminals = state.expects_token_terminals || !rows_.token_sets(thread.row).empty();
    state.follows_text = state.follows_text || rows_.follows_text(thread.row);
  }
  state.begins_alike = state.begins_alike && state.follows_text;
  return StateId{id};
}

bool LazyAutomaton::is_alike(StateId state) {
  if (begins_alike(state)) return true;
  for (const Thread& thread : threads(state)) {
    const grammar::AlikeUntil until = rows_.alike_until(thread.row);
    if (until == grammar::AlikeUntil::kLexemeEnd) return true;
    if (until == grammar::AlikeUntil::kUnknown || thread.rest != ExprId::kAllStrings) continue;
    for (const lexer::Item& item : lexer_.items(thread.lexer)) {
      if (regex::has_many_contents(lexer_.exprs(), item.residual)) return true;
    }
  }
  return false;
}

StateId LazyAutomaton::state_inside(const TokenTargets::Terminal& terminal) {
  const bool may_end = lexer_.exprs().nullable(terminal.residual);
  std::vector<Thread> threads;
  if (may_end) {
    const Limit met = add_row(rows_.advance(terminal.row, terminal.terminal), follow_of(terminal.terminal), threads);
    if (met != Limit::kNone) return limit_state(met);
  }
  if (terminal.residual != ExprId::kEpsilon &&
      (!may_end || lexer_.mode(terminal.terminal) == base::LexemeMode::kExact)) {
    const LexerStateId alone = lexer_.state_of({{terminal.terminal, terminal.residual}});
    const Limit met = add({terminal.row, ExprId::kAllStrings, alone, false}, threads);
    if (met != Limit::kNone) return limit_state(met);
  }
  return intern(threads);
}

StateId LazyAutomaton::after_terminal(earley::RowId row, std::uint32_t terminal) {
  std::vector<Thread> after;
  const Limit met = add_row(rows_.advance(row, terminal), follow_of(terminal), after);
  return met == Limit::kNone ? intern(after) : limit_state(met);
}

StateId LazyAutomaton::state_at(earley::RowId row, ExprId rest) {
  std::vector<Thread> threads;
  const Limit met = add_row(row, rest, threads);
  return met == Limit::kNone ? intern(threads) : limit_state(met);
}

StateId LazyAutomaton::take_apart(StateId state, std::vector<Framed>& framed, std::vector<StateId>& after) {
  const std::vector<Thread> all = threads(state);
  const auto is_near = [&](const Thread& thread) { return rows_.is_near_frame(thread.row); };
  if (std::ranges::none_of(all, is_near)) return state;
  std::vector<Thread> others;
  for (const Thread& thread : all) {
    if (!is_near(thread)) {
      others.push_back(thread);
    } else if (const Limit met = take_apart(thread, framed, after, others); met != Limit::kNone) {
      return limit_state(met);
    }
  }
  return others.empty() ? StateId::kDead : intern(others);
}

// Divides the lexemes of a thread between the frames that they are in, and what follows frames.
Limit LazyAutomaton::take_apart(const Thread& thread, std::vector<Framed>& framed, std::vector<StateId>& after,
                                std::vector<Thread>& others) {
  struct Part {
    earley::RowId row{};
    earley::RowId outer{};  // kNone if the part is not within a frame
    std::vector<lexer::Item> items = {};
  };
  std::vector<Part> parts;
  const auto add_item = [&](earley::RowId row, earley::RowId outer, const lexer::Item& item) {
    const auto is_same = [&](const Part& part) { return part.row == row && part.outer == outer; };
    auto part = std::ranges::find_if(parts, is_same);
    if (part == parts.end()) part = parts.insert(part, {row, outer});
    part->items.push_back(item);
  };
  std::vector<earley::RowTable::Inside> within;
  std::vector<earley::RowId> following;
  const auto items = lexer_.items(thread.lexer);
  for (const lexer::Item& item : std::vector<lexer::Item>(items.begin(), items.end())) {
    within.clear();
    following.clear();
    if (!rows_.take_apart(thread.row, item.terminal, within, following)) {
      add_item(thread.row, earley::RowId::kNone, item);
      continue;
    }
    for (const auto& [inner, outer] : within) {
      const earley::RowId row = rows_.row_of(outer);
      if (base::is_limit_id(row)) return base::limit_of_id(row);
      add_item(inner, row, item);
    }
    for (const earley::RowId row : following) add_item(row, earley::RowId::kNone, item);
  }
  for (Part& part : parts) {
    std::vector<Thread> alone{{part.row, thread.rest, lexer_.state_of(std::move(part.items)), thread.fresh}};
    if (base::is_limit_id(alone[0].lexer)) return base::limit_of_id(alone[0].lexer);
    if (part.outer == earley::RowId::kNone && part.row == thread.row) {
      others.push_back(alone[0]);
      continue;
    }
    const StateId state = intern(alone);
    if (is_limit(state)) return limit_of(state);
    if (part.outer == earley::RowId::kNone) {
      after.push_back(state);
    } else {
      framed.push_back({state, part.outer});
    }
  }
  return Limit::kNone;
}

Limit LazyAutomaton::add_next_bytes(StateId state, regex::ByteSet& bytes) {
  regex::ByteSet live;
  for (const Thread& thread : configurations_[raw(state)]) {
    if (const Limit met = lexer_.add_live(thread.lexer, live); met != Limit::kNone) return met;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    if (live.contains(classes_.class_of(b))) bytes.add(b);
  }
  return Limit::kNone;
}

// Bounded rules.

StateId LazyAutomaton::start_of(grammar::RuleId rule, std::uint32_t tokens) {
  std::vector<Thread> threads;
  if (const Limit met = add_row(rows_.start_of(rule, tokens), ExprId::kAllStrings, threads); met != Limit::kNone)
    return limit_state(met);
  return state_of_finishing(threads);
}

Answer LazyAutomaton::finishes_outside(StateId state) {
  if (accepts(state)) return true;
  for (const Thread& thread : threads(state)) {
    const earley::RowId row =
        thread.fresh ? rows_.outside(thread.row) : rows_.outside(thread.row, terminals_in_progress(thread));
    std::vector<Thread> outside;
    if (const Limit met = add_in_place(thread, row, outside); met != Limit::kNone) return met;
    if (const Limit met = keep_finishing(outside); met != Limit::kNone) return met;
    if (!outside.empty()) return true;
  }
  return false;
}

std::vector<std::uint32_t> LazyAutomaton::terminals_in_progress(const Thread& thread) const {
  std::vector<std::uint32_t> terminals;
  for (const lexer::Item& item : lexer_.items(thread.lexer)) {
    if (terminals.empty() || terminals.back() != item.terminal) terminals.push_back(item.terminal);
  }
  return terminals;
}

// Appends the thread with `row` in place of its own row. `row` may expect fewer terminals.
Limit LazyAutomaton::add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out) {
  if (base::is_limit_id(row)) return base::limit_of_id(row);
  if (row == earley::RowId::kNone) return Limit::kNone;
  if (row == thread.row) return add(thread, out);
  if (thread.fresh) return add_row(row, thread.rest, out);
  // Competing terminals are kept: they still decide where other lexemes end.
  std::vector<lexer::Item> kept;
  for (const lexer::Item& item : lexer_.items(thread.lexer)) {
    if (rows_.expects(row, item.terminal) || base::competes(lexer_.mode(item.terminal))) kept.push_back(item);
  }
  return add({row, thread.rest, lexer_.state_of(std::move(kept)), false}, out);
}

Limit LazyAutomaton::begin_token(const Thread& thread, std::vector<Thread>& out) {
  const earley::RowId row =
      thread.fresh ? rows_.begin_token(thread.row) : rows_.begin_token(thread.row, terminals_in_progress(thread));
  return add_in_place(thread, row, out);
}

StateId LazyAutomaton::begin_token(StateId state) {
  if (state == StateId::kDead || is_limit(state)) return state;
  if (const auto known = begun_.find(raw(state))) return StateId{*known};
  std::vector<Thread> begun;
  for (const Thread& thread : threads(state)) {
    if (const Limit met = begin_token(thread, begun); met != Limit::kNone) return limit_state(met);
  }
  const StateId id = state_of_finishing(begun);
  if (!is_limit(id)) begun_.insert(raw(state), raw(id));
  return id;
}

std::size_t LazyAutomaton::memory_bytes() const {
  constexpr std::size_t kBlockBytes = kTransitionsInBlock * sizeof(Next);
  constexpr std::size_t kLiveSet = 112;   // of live_sets_: key, value, and what a node of a tree has
  constexpr std::size_t kTextNode = 80;   // of deciding_texts_: key, value, hash, next pointer, bucket
  constexpr std::size_t kAfterNode = 40;  // of after_texts_, starts_under_ and texts_under_
  return lexer_.memory_bytes() + grammar_.memory_bytes() + rows_.memory_bytes() + configurations_.memory_bytes() +
         states_.memory_bytes() + next_blocks_.size() * kBlockBytes + live_sets_.size() * kLiveSet +
         row_starts_.capacity() * sizeof(LexerStateId) + finishing_threads_.memory_bytes() +
         finishing_.capacity() * sizeof(Finishing) + (starts_under_.size() + texts_under_.size()) * kAfterNode +
         continuation_costs_.memory_bytes() + measure_.memory_bytes() + begun_.memory_bytes() +
         deciding_texts_.size() * kTextNode + deciding_bytes_ + after_texts_.size() * kAfterNode;
}

}  // namespace weir::engine
