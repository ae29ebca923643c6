// Cursor: its states are made again when its automaton was taken, is too large, or has too little room.
#include <algorithm>
#include <utility>

#include "base/work.h"
#include "engine/canonical/canonical_product.h"
#include "engine/matcher/cursor.h"
#include "engine/search_bounds.h"

namespace weir::engine {

using base::Limit;

namespace {

// Returns true if the limit counts what an automaton keeps, so that a new automaton may have more room.
bool counts_what_is_kept(Limit limit) { return limit == Limit::kLexerStates || limit == Limit::kRegexNodes; }

}  // namespace

// Begins a call that explores: sees to it that the cursor has an automaton, and that this is not too large. Returns a
// limit if the history cannot be replayed; then there is no automaton, and nothing has changed.
Limit Cursor::settle() {
  limit_message_.clear();
  if (automaton_.was_taken()) return restore();
  (void)stay_within_memory(state(), {});
  if (!automaton_->is_too_large(kMostTimesBeside)) return Limit::kNone;
  automaton_.adopt(nullptr);  // it would grow for as long as the replay takes
  return restore();
}

// Replays the history on the current automaton. If other cursors have left too little room there, replays it on a new
// one. If even that has too little, later calls at this point try only the current one, so that they do not take the
// automaton from all other cursors each time.
Limit Cursor::restore() {
  std::shared_ptr<SharedAutomaton> current = compiled_->automaton();
  bool is_new = false;
  Limit limit = current->is_too_large() ? move_to_fresh_automaton(current, is_new, Replay::kNeeded)
                                        : replay_on(current, Replay::kNeeded);
  if (counts_what_is_kept(limit) && !fresh_failed_ && !is_new) {
    limit = move_to_fresh_automaton(std::move(current), is_new, Replay::kNeeded);
    fresh_failed_ = counts_what_is_kept(limit);
  }
  if (limit == Limit::kNone) {
    fresh_failed_ = false;
    return limit;
  }
  const std::string name = base::field_name(limit);
  history_.drop_number();
  limit_message_ = "the limit `" + name + "` was exceeded while the states of the output so far were made again; " +
                   (limit == Limit::kCallWork ? "the same call, made again, goes on; or raise " : "raise ") +
                   "Limits::" + name + " or simplify the grammar";
  return limit;
}

// Moves to a fresh automaton if this one is too large. `at` is the state after `walked`, a text from the cursor's
// point. Returns that state on the automaton used from now on; or a limit's state, if other cursors have left too
// little room on the next automaton. If the history takes too many steps for one call, the cursor stays, and its next
// calls go on. Nothing waits for the new automaton, so these are few steps, unless a long text fills the old one.
StateId Cursor::stay_within_memory(StateId at, std::string_view walked) {
  if (!automaton_->is_too_large()) return at;
  bool is_new = false;
  const Replay replay = walked.empty() ? Replay::kBeside : Replay::kNeeded;
  const Limit limit = move_to_fresh_automaton(automaton_.shared(), is_new, replay);
  if (limit != Limit::kNone) {
    if (limit != Limit::kCallWork) automaton_->allow_twice_its_size();
    return at;
  }
  if (walked.empty()) return state();
  const base::Work::Restoring again(UINT64_MAX);  // as many steps as the call has taken for `walked`
  const SharedAutomaton::Restoring restoring(*automaton_);
  const TextState::Replay of_text(text_, walked.size());
  return automaton_->step(state(), walked, text_);
}

// Moves to the automaton that has replaced `left`, or to its successor. If other cursors have left too little room there
// for the history, moves on to a new one. Returns the limit that was met, and changes nothing, if even a new one has too
// little room, or if the replay takes more calls. Sets `is_new` to true if the last automaton tried was no other
// cursor's.
Limit Cursor::move_to_fresh_automaton(std::shared_ptr<SharedAutomaton> left, bool& is_new, Replay replay) {
  for (;;) {
    Compiled::Successor next = compiled_->successor(left);
    is_new = !next.is_installed;
    const Limit limit = replay_on(next.automaton, replay);
    if (limit == Limit::kNone && is_new) {
      compiled_->install(next.automaton);
      automaton_.adopt(next.automaton);  // now as the current one
    }
    if (is_new && counts_what_is_kept(limit)) compiled_->drop(next.automaton);
    if (is_new || !counts_what_is_kept(limit)) return limit;
    left = std::move(next.automaton);
  }
}

// Returns how many steps a replay may take in one call.
std::uint64_t Cursor::steps_of(Replay replay) const {
  const std::uint64_t most = compiled_->program().limits.call_work;
  if (replay == Replay::kBeside) return std::min(most, kMaxReplayedBeside);
  return most + history_.text_bytes() * kStepsForTextByte;
}

// Replays the history on another automaton. If a limit is met there, the cursor stays on its own, if it has one; if that is
// the call's limit, the next replay on the same automaton goes on from where this one ended. With a budget of tokens the
// last masks are computed again: the other automaton then knows the ways to the end that they relied on. If the call can
// go on without the replay, they are computed again in any case: the next mask then finds most of its parts. They take no
// more than a half of the memory, so they leave room and never raise what the automaton may take (Restoring).
Limit Cursor::replay_on(const std::shared_ptr<SharedAutomaton>& automaton, Replay replay) {
  const std::shared_ptr<SharedAutomaton> old = automaton_.shared();
  automaton_.adopt(automaton);
  if (replayed_on_.lock() != automaton) replayed_.clear();
  replayed_on_ = automaton;
  replayed_.resize(std::min(replayed_.size(), history_.size()));
  const SharedAutomaton::Restoring restoring(*automaton);
  const base::Work::Restoring counted(steps_of(replay));
  const std::size_t first = replayed_.size();
  const std::size_t most_bytes = compiled_->program().limits.state_memory;
  const bool has_marks = text_.matters() && first < history_.size();
  const TextState::Replay again(text_, has_marks ? text_.position() - history_.text_before(first) : 0);
  StateId at = first == 0 ? automaton_->start() : replayed_.back();
  for (std::size_t i = first; i < history_.size() && !is_limit(at); ++i) {
    if (base::Work::is_met()) {
      at = limit_state(Limit::kCallWork);
    } else if (history_.is_bytes(i)) {
      at = automaton_->step(at, history_.text_of(i), text_);
    } else if (!history_.is_plain_stop_token(i)) {
      const StateId from = at;
      at = automaton_->step_token(from, history_.token(i), history_.position_after(i), beside());
      if (i + kRelearnedMasks >= history_.size() && !is_limit(at)) {
        if (is_canonical() || max_tokens_) {
          relearn_ways(from, i, at);
        } else if (replay == Replay::kBeside && automaton_->memory_bytes() < most_bytes / 2) {
          static_cast<void>(automaton_->mask(from, history_.position_after(i)));
          base::Work::charge(kStepsOfRelearnedMask);
        }
      }
    }
    if (!is_limit(at)) replayed_.push_back(at);
  }
  if (is_limit(at)) {
    if (limit_of(at) != Limit::kCallWork) replayed_.clear();
    automaton_.adopt(old);
    return limit_of(at);
  }
  History::Point start = history_.after(0);
  start.state = automaton_->start();
  start.accepts = automaton_->accepts(start.state);
  history_.move_to(start, replayed_);
  replayed_ = {};
  replayed_on_.reset();
  return Limit::kNone;
}

// With a budget of tokens, computes the mask at `at` again, the state after the first `steps` steps. The next step led to
// `next`.
void Cursor::relearn_ways(StateId at, std::size_t steps, StateId next) {
  const auto left = is_canonical() ? canonical_tokens_left_after(steps) : tokens_left_after(steps);
  if (!left.has_value()) return;
  const TokenPosition position = history_.position_after(steps);
  if (!is_canonical()) {
    static_cast<void>(automaton_->mask_within(at, position, *left));
    return;
  }
  const PairWithin pair{at, history_.after(steps).canonical, position, *left};
  static_cast<void>(CanonicalProduct::of(*automaton_, *canonical_)
                        .is_allowed_within(pair, history_.token(steps), next, history_.after(steps + 1).canonical));
}

// Returns true if the cursor has moved to an automaton with more room. That is possible only if the limit counts what
// an automaton keeps, and no new automaton was tried for this kind of question at this point.
bool Cursor::start_over(Limit limit, Question question) {
  const auto bit = static_cast<std::uint8_t>(question);
  if (!counts_what_is_kept(limit) || (retried_ & bit) != 0) return false;
  bool is_new = false;
  const Limit met = move_to_fresh_automaton(automaton_.shared(), is_new, Replay::kNeeded);
  if (is_new && met != Limit::kCallWork) retried_ = static_cast<std::uint8_t>(retried_ | bit);
  return met == Limit::kNone;
}

}  // namespace weir::engine
