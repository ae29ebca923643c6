// Automaton: what bounded rules change.
#include <algorithm>

#include "engine/automaton.h"

namespace weir::engine {

using base::Limit;
using lexer::LexerStateId;

std::vector<std::uint32_t> Automaton::terminals_in_progress(const Thread& thread) const {
  std::vector<std::uint32_t> terminals;
  const auto items = lexer_.items(thread.lexer);
  for (std::size_t i = 0; i < items.size(); i += 2) {
    if (terminals.empty() || terminals.back() != items[i]) terminals.push_back(items[i]);
  }
  return terminals;
}

// Adds the thread with another row in the place of its own, which may expect less.
bool Automaton::add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out) {
  if (row == earley::RowId::kLimit) return fail(rows_.limit_hit());
  if (row == earley::RowId::kNone) return true;
  if (row == thread.row) {
    add(thread, out);
    return true;
  }
  if (thread.fresh) return add_row(row, thread.rest, out);
  // What competes still says where the others end.
  const auto items = lexer_.items(thread.lexer);
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < items.size(); i += 2) {
    if (!rows_.expects(row, items[i]) && !lexer::competes(lexer_.mode(items[i]))) continue;
    kept.insert(kept.end(), {items[i], items[i + 1]});
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
  const std::scoped_lock lock(mutex_);
  const StateId id = begin_token_locked(state);
  publish_memory();
  return id;
}

StateId Automaton::find_room(StateId state) {
  if (state == StateId::kDead || is_limit(state)) return state;
  if (const auto known = rooms_.find(raw(state))) return *known != 0 ? state : StateId::kDead;
  const std::scoped_lock lock(mutex_);
  bool has_room = false;
  const Limit limit = room_search_.has_room(state, has_room);
  publish_memory();
  if (limit != Limit::kNone) return limit_state(limit);
  return has_room ? state : StateId::kDead;
}

Automaton::TokensNeeded Automaton::tokens_needed(grammar::RuleId rule, std::uint32_t least) {
  // Of longer texts only how many tokens they take at least is said.
  constexpr std::uint64_t kLongText = 4'096;
  const std::scoped_lock lock(mutex_);
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
    bool has_room = false;
    StateId start{};
    const auto bound = static_cast<std::uint32_t>(tokens);
    if (!add_row(rows_.start_of(rule, bound), regex::ExprId::kAllStrings, threads) || !keep_finishing(threads)) {
      limit = limit_;
    } else if (start = intern(threads); is_limit(start)) {
      limit = limit_of(start);
    } else if (start != StateId::kDead) {
      limit = room_search_.has_room(start, has_room);
    }
    return has_room;
  };
  if (suffice(least)) return {least};
  const bool was_cut = limit == Limit::kNone && room_search_.was_cut();
  // The first number that suffices, as far as is found: no text of that many bytes takes more tokens.
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
