#include "engine/automaton/compiled.h"

#include <string>
#include <utility>

#include "base/limit_error.h"
#include "engine/automaton/automaton_use.h"

namespace weir::engine {

namespace {

// Checks that every bounded rule has a text within its bound. Then there is always a way outside of bounded rules.
Result<void> check_bounds(SharedAutomaton& automaton) {
  const grammar::Cfg& cfg = automaton.program().cfg;
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    const grammar::CfgRule& rule = cfg.rules[r];
    if (rule.max_tokens == grammar::kNoTokenLimit) continue;
    const SharedAutomaton::TokensNeeded needed = automaton.tokens_needed(grammar::RuleId{r}, rule.max_tokens);
    if (needed.tokens == rule.max_tokens) continue;
    if (needed.limit != base::Limit::kNone) {
      return tl::unexpected(base::limit_error("finding a shortest text of rule `" + rule.name + "`",
                                              base::field_name(needed.limit), rule.where));
    }
    std::string found = "no text was found that the vocabulary can spell";
    if (needed.tokens) {
      found = needed.is_shortest ? "it takes " : "the shortest text found takes ";
      found += (needed.is_at_least ? "at least " : "") + std::to_string(*needed.tokens);
    }
    const std::string limit = needed.was_cut ? base::field_name(base::Limit::kLookaheadThreads) : "";
    return tl::unexpected(
        Error{needed.was_cut ? ErrorCode::kLimitExceeded : ErrorCode::kUnsatisfiable,
              "rule `" + rule.name + "` has no text within its `max_tokens` of " + std::to_string(rule.max_tokens) +
                  (needed.was_cut ? " that was found within the limit `" + limit + "`: " : ": ") + found,
              rule.where, needed.was_cut ? "raise `max_tokens`, or Limits::" + limit : "raise `max_tokens`", limit});
  }
  return {};
}

}  // namespace

Compiled::Compiled(std::shared_ptr<const Program> program)
    : program_(std::move(program)), automaton_(std::make_shared<SharedAutomaton>(program_, 0)) {}

Result<std::shared_ptr<Compiled>> Compiled::create(std::shared_ptr<const Program> program) {
  std::shared_ptr<Compiled> compiled(new Compiled(std::move(program)));
  const StateId start = compiled->automaton_->start();
  if (start == StateId::kDead) {
    return tl::unexpected(
        Error{ErrorCode::kUnsatisfiable,
              "no text satisfies the grammar: its terminals or look-aheads refuse all that may follow",
              {},
              "greedy terminals, and those of Lark, never end where they could go on; a look-ahead must match what may "
              "follow",
              {}});
  }
  if (is_limit(start)) {
    Error error = base::limit_error("the grammar's first row", base::field_name(limit_of(start)));
    error.message += compiled->automaton_->place_of_work(limit_of(start));
    return tl::unexpected(std::move(error));
  }
  if (auto met = check_bounds(*compiled->automaton_); !met) return tl::unexpected(std::move(met.error()));
  return compiled;
}

std::shared_ptr<SharedAutomaton> Compiled::automaton() const {
  const MutexLock lock(mutex_);
  return automaton_;
}

Compiled::Successor Compiled::successor(const std::shared_ptr<SharedAutomaton>& old) {
  const MutexLock lock(mutex_);
  if (automaton_ != old) return {automaton_, true};
  if (successor_ == nullptr) successor_ = std::make_shared<SharedAutomaton>(program_, made_++);
  return {successor_, false};
}

void Compiled::install(const std::shared_ptr<SharedAutomaton>& next) {
  std::shared_ptr<SharedAutomaton> old;  // destroyed after the lock
  const MutexLock lock(mutex_);
  if (successor_ != next) return;
  ++flushes_;
  old = std::exchange(automaton_, std::exchange(successor_, nullptr));
  for (AutomatonUse* use = first_use_; use != nullptr; use = use->next_) use->take();
}

void Compiled::drop(const std::shared_ptr<SharedAutomaton>& next) {
  const MutexLock lock(mutex_);
  if (successor_ == next) successor_.reset();  // the caller has it, so it is not destroyed here
}

std::size_t Compiled::memory_bytes() const {
  const MutexLock lock(mutex_);
  return automaton_->memory_bytes() + (successor_ == nullptr ? 0 : successor_->memory_bytes());
}

void Compiled::add(AutomatonUse& use) {
  use.next_ = first_use_;
  if (first_use_ != nullptr) first_use_->previous_ = &use;
  first_use_ = &use;
}

void Compiled::remove(AutomatonUse& use) {
  (use.previous_ == nullptr ? first_use_ : use.previous_->next_) = use.next_;
  if (use.next_ != nullptr) use.next_->previous_ = use.previous_;
}

EngineStats Compiled::stats() const {
  std::shared_ptr<SharedAutomaton> current;
  std::uint64_t flushes = 0;
  {
    const MutexLock lock(mutex_);
    current = automaton_;
    flushes = flushes_;
  }
  EngineStats stats = current->stats();
  stats.cache_flushes = flushes;
  return stats;
}

}  // namespace weir::engine
