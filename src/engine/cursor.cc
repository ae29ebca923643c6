#include "engine/cursor.h"

#include <algorithm>
#include <utility>

#include "engine/token_facts.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;

Cursor::Cursor(std::shared_ptr<Compiled> compiled, const MatcherOptions& options)
    : compiled_(std::move(compiled)),
      automaton_(compiled_->automaton()),
      drops_leading_space_(options.at_text_start && compiled_->program().tokenizer.vocabulary().drops_leading_space()),
      memory_threshold_(compiled_->program().limits.state_memory),
      start_(automaton_->start()),
      follows_text_(compiled_->program().follows_text),
      guard_(compiled_->program().make_guard()) {}

StateId Cursor::settle() {
  limit_message_.clear();
  return stay_within_budget(state(), {});
}

// Moves to a fresh automaton where this one is over the budget. `at` is the state behind `walked`, a text from here; so
// is the result, which is a limit's state where other cursors have left the next automaton too little room.
StateId Cursor::stay_within_budget(StateId at, std::string_view walked) {
  if (automaton_->memory_bytes() <= memory_threshold_) return at;
  bool is_new = false;
  if (move_to_fresh_automaton(is_new)) {
    if (follows_text_) text_.resize(text_.size() - walked.size());
    is_replaying_ = true;
    at = step_bytes(state(), walked);
    is_replaying_ = false;
  }
  memory_threshold_ = std::max(compiled_->program().limits.state_memory, 2 * automaton_->memory_bytes());
  return at;
}

// Moves to the automaton that takes the place of this one, or, where other cursors have left no room for the history
// there, to a new one. False where even that has none; then nothing changes. `is_new` says whether there was nothing in
// it.
bool Cursor::move_to_fresh_automaton(bool& is_new) {
  for (std::shared_ptr<Automaton> left = automaton_;;) {
    const Compiled::Replacement next = compiled_->replace(left);
    is_new = next.is_new;
    if (replay_on(next.automaton) == Limit::kNone) return true;
    if (is_new) return false;
    left = next.automaton;
  }
}

// Replays the history on another automaton. On a limit there the cursor stays where it is.
Limit Cursor::replay_on(std::shared_ptr<Automaton> automaton) {
  const std::shared_ptr<Automaton> old = std::exchange(automaton_, std::move(automaton));
  const std::string text = std::exchange(text_, {});
  const bool was_replaying = std::exchange(is_replaying_, true);
  StateId at = automaton_->start();
  const StateId new_start = at;
  std::vector<StateId> states;
  states.reserve(steps_.size());
  for (std::size_t i = 0; i < steps_.size() && !is_limit(at); ++i) {
    const StepRecord& step = steps_[i];
    const bool stays = is_only_an_end(i);
    if (!stays && step.token == kByteStep) {
      const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].bytes_begin : bytes_.size();
      at = step_bytes(at, std::string_view(bytes_).substr(step.bytes_begin, end - step.bytes_begin));
    } else if (!stays) {
      at = token_step(at, step.token, position_behind(i));
    }
    states.push_back(at);
  }
  text_ = text;
  is_replaying_ = was_replaying;
  if (is_limit(at)) {
    automaton_ = old;
    return limit_of(at);
  }
  start_ = new_start;
  for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].state = states[i];
  return Limit::kNone;
}

// Whether the cursor now stands on an automaton with more room: where a limit counts what an automaton keeps, and a
// fresh one has not been tried for this kind of question at this place.
bool Cursor::start_over(Limit limit, Question question) {
  const auto bit = static_cast<std::uint8_t>(question);
  if ((limit != Limit::kLexerStates && limit != Limit::kRegexNodes) || (retried_ & bit) != 0) return false;
  bool is_new = false;
  const bool moved = move_to_fresh_automaton(is_new);
  if (is_new) retried_ = static_cast<std::uint8_t>(retried_ | bit);
  return moved;
}

void Cursor::report(Limit limit) {
  const std::string name = base::field_name(limit);
  limit_message_ = "the limit `" + name + "` was exceeded; raise Limits::" + name + " or simplify the grammar";
}

void Cursor::push(StateId state, std::uint32_t token, TextMark before) {
  steps_.push_back({state, token, bytes_.size()});
  if (reads_text()) marks_.push_back(std::move(before));
  retried_ = 0;
}

Cursor::TextMark Cursor::mark() const {
  return {text_.size(), guard_.get() == nullptr ? grammar::TextGuard::Mark() : guard_.get()->mark()};
}

void Cursor::rewind(const TextMark& mark) {
  text_.resize(mark.text_size);
  if (guard_.get() != nullptr) guard_.get()->rewind(mark.guard);
}

// Text that has been accepted.
void Cursor::read_text(std::string_view text) {
  if (follows_text_) text_ += text;
  if (guard_.get() == nullptr) return;
  for (const char c : text) (void)guard_.get()->read(c);
}

// All steps along text go through here: a guard may refuse it, and where a state depends on the text before it, the
// text decides at once.
StateId Cursor::step_byte(StateId from, std::uint8_t byte) {
  const StateId next = automaton_->step(from, byte);
  if (next == StateId::kDead || is_limit(next)) return next;
  if (guard_.get() != nullptr && !is_replaying_ && !guard_.get()->read(static_cast<char>(byte))) return StateId::kDead;
  if (!follows_text_) return next;
  text_.push_back(static_cast<char>(byte));
  return automaton_->follows_text(next) ? automaton_->behind_text(next, text_) : next;
}

StateId Cursor::step_bytes(StateId from, std::string_view bytes) {
  if (!reads_text()) return automaton_->step(from, bytes);
  for (const char c : bytes) {
    if (from == StateId::kDead || is_limit(from)) break;
    from = step_byte(from, static_cast<std::uint8_t>(c));
  }
  return from;
}

// The place of a token behind the first `steps` steps. Special tokens are no part of the text, so the first token
// behind them is still the first; so is, in some tokenizers, the one behind a token that added nothing as the first.
TokenPosition Cursor::position_behind(std::size_t steps) const {
  if (!drops_leading_space_) return TokenPosition::kInside;
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  const auto empty = vocabulary.first_empty_tokens();
  for (std::size_t i = 0; i < steps; ++i) {
    const std::uint32_t token = steps_[i].token;
    if (token == kByteStep) {
      const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].bytes_begin : bytes_.size();
      if (end == steps_[i].bytes_begin) continue;
      return TokenPosition::kInside;
    }
    const TokenKind kind = vocabulary.token_kind(token);
    if (kind == TokenKind::kSpecial || kind == TokenKind::kUnused) continue;
    const bool added_nothing = std::binary_search(empty.begin(), empty.end(), token);
    if (!added_nothing || !vocabulary.first_rule_repeats()) return TokenPosition::kInside;
  }
  return TokenPosition::kFirst;
}

TokenPosition Cursor::position() const { return position_behind(steps_.size()); }

std::string_view Cursor::bytes_of(std::uint32_t token, TokenPosition position) const {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

// What a token adds to the text: stop tokens and special ones add nothing.
std::string_view Cursor::text_of(std::uint32_t token, TokenPosition position) const {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  const TokenKind kind = vocabulary.token_kind(token);
  const bool is_text = (kind == TokenKind::kNormal || kind == TokenKind::kByte) && !vocabulary.is_stop_token(token);
  return is_text ? bytes_of(token, position) : std::string_view{};
}

// Whether the token is a first one of which the leading-space rule leaves nothing.
bool Cursor::adds_nothing(std::uint32_t token, TokenPosition position) const {
  if (position != TokenPosition::kFirst) return false;
  const auto empty = compiled_->program().tokenizer.vocabulary().first_empty_tokens();
  return std::binary_search(empty.begin(), empty.end(), token);
}

// Whether the step is a stop token that the grammar did not ask for, which left the state as it was.
bool Cursor::is_only_an_end(std::size_t step) const {
  const StateId before = step == 0 ? start_ : steps_[step - 1].state;
  return terminated_ && step + 1 == steps_.size() && steps_[step].state == before;
}

// The state behind a token that is not taken as a stop token.
StateId Cursor::token_step(StateId from, std::uint32_t token, TokenPosition position) {
  if (adds_nothing(token, position)) return from;
  const StateId next = step_within_bounds(from, token, position);
  return is_replaying_ ? next : automaton_->keep_with_room(next);
}

StateId Cursor::step_within_bounds(StateId from, std::uint32_t token, TokenPosition position) {
  const std::string_view bytes = text_of(token, position);
  if (!reads_text()) return automaton_->step_token(from, token, position, bytes);
  from = automaton_->begin_token(from);
  if (from == StateId::kDead || is_limit(from)) return from;
  const StateId by_text = bytes.empty() ? StateId::kDead : step_bytes(from, bytes);
  return automaton_->has_token_exits(from) ? automaton_->add_token_exits(from, token, by_text) : by_text;
}

Limit Cursor::step_by_token(std::uint32_t token, StateId& next) {
  return explore(Question::kStep, [&] {
    const Walk walk(*this);
    next = token_step(state(), token, position());
    return limit_of(next);
  });
}

// The mask of the state at the cursor, written to `bitmask` unless that is empty, and in refused_ what the text takes
// out of it.
Limit Cursor::look_up_mask(const Mask*& mask, std::span<std::uint32_t> bitmask) {
  settle();
  return explore(Question::kMask, [&] {
    const std::shared_ptr<Automaton> owner = automaton_;
    Automaton::MaskResult result = automaton_->mask(state(), position());
    if (result.limit != Limit::kNone) return result.limit;
    if (!bitmask.empty()) result.mask->write(bitmask);
    if (reads_text()) result.limit = list_refused(*result.mask, bitmask);
    // Looking at tokens may have led to a fresh automaton; the mask has gone with the old one.
    if (result.limit == Limit::kNone && owner != automaton_) result = automaton_->mask(state(), position());
    mask = result.mask;
    return result.limit;
  });
}

Step Cursor::fill_next_token_bitmask(std::span<std::uint32_t> bitmask) {
  const auto fail = [&](Step why) {
    std::fill(bitmask.begin(), bitmask.end(), 0);
    return why;
  };
  if (bitmask.size() != bitmask_words(compiled_->program().tokenizer.vocab_size())) return fail(Step::kBadArgument);
  if (terminated_) return fail(Step::kTerminated);
  const Mask* mask = nullptr;
  if (look_up_mask(mask, bitmask) != Limit::kNone) return fail(Step::kLimitExceeded);
  if (!reads_text()) return Step::kOk;
  for (const std::uint32_t token : refused_) bitmask_clear(bitmask, token);
  return Step::kOk;
}

std::optional<std::uint64_t> Cursor::mask_id() {
  const Mask* mask = nullptr;
  if (terminated_ || look_up_mask(mask, {}) != Limit::kNone) return std::nullopt;
  if (reads_text() && !refused_.empty()) return std::nullopt;
  return (std::uint64_t{automaton_->number()} << 32) | mask->id;
}

// Lists the tokens of a state's mask that the text so far does not allow. `bitmask` is the mask, too, or empty: it is
// quicker to ask.
Limit Cursor::list_refused(const Mask& mask, std::span<const std::uint32_t> bitmask) {
  refused_.clear();
  if (guard_.get() != nullptr && bitmask.empty()) {
    list_refused_by_guard([&](std::uint32_t token) { return mask.contains(token); });
  } else if (guard_.get() != nullptr) {
    list_refused_by_guard([&](std::uint32_t token) { return bitmask_get(bitmask, token); });
  }
  const std::vector<std::uint32_t> undecided = mask.undecided;  // a step may leave the automaton that owns the mask
  for (const std::uint32_t token : undecided) {
    StateId next{};
    if (const Limit limit = step_by_token(token, next); limit != Limit::kNone) return limit;
    if (next == StateId::kDead) refused_.push_back(token);
  }
  return Limit::kNone;
}

template <typename Allowed>
void Cursor::list_refused_by_guard(Allowed is_allowed) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  grammar::TextGuard& guard = *guard_.get();
  const grammar::TextGuard::Refusals refusals = guard.refusals();
  const TokenView tokens(vocabulary, position());
  // The texts end with a quote.
  const vocab::TokenTrie& quoting = tokens.position == TokenPosition::kFirst ? tokens.trie : vocabulary.quote_trie();
  for (const std::string& text : refusals.texts) {
    for (const vocab::TrieNode& node : quoting.subtree(text)) {
      if (node.tokens == 0) continue;
      for (const std::uint32_t token : quoting.tokens_at(node)) {
        if (is_allowed(token)) refused_.push_back(token);
      }
    }
  }
  std::optional<grammar::TextGuard::Mark> here;
  const auto look_at = [&](std::uint32_t token) {
    if (!is_allowed(token)) return;
    if (!here.has_value()) here = guard.mark();
    for (const char c : tokens.bytes_of(token)) {
      if (guard.read(c)) continue;
      refused_.push_back(token);
      break;
    }
    guard.rewind(*here);
  };
  if (refusals.fewest_quotes <= 1) {
    for (const std::uint32_t token : vocabulary.quote_tokens()) look_at(token);
    return;
  }
  for (const vocab::Vocabulary::QuotingToken& token :
       refusals.plain ? vocabulary.quoting_tokens() : vocabulary.odd_quoting_tokens()) {
    if (token.quotes < refusals.fewest_quotes) break;
    look_at(token.id);
  }
  if (!refusals.escapes) return;
  for (const std::uint32_t token : vocabulary.escaping_tokens()) look_at(token);
}

Step Cursor::accept_token(std::uint32_t token) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  if (token >= vocabulary.size()) return Step::kBadArgument;
  if (terminated_) return Step::kTerminated;
  settle();
  TextMark before;
  StateId next{};
  const TokenPosition at = position();
  const Limit limit = explore(Question::kStep, [&] {
    Walk walk(*this);
    next = token_step(state(), token, at);
    if (next != StateId::kDead && !is_limit(next)) before = walk.keep();
    return limit_of(next);
  });
  if (limit != Limit::kNone) return Step::kLimitExceeded;
  const bool is_stop = vocabulary.is_stop_token(token);
  if (next == StateId::kDead) {
    if (!is_stop || !automaton_->accepts(state())) return Step::kRefused;
    push(state(), token, mark());
    terminated_ = true;
    return Step::kOk;
  }
  // As text it may have led nowhere, and was read as far as it went, where a token terminal takes it as a whole.
  if (automaton_->has_token_exits(state())) {
    rewind(before);
    read_text(text_of(token, at));
  }
  // A stop token that the grammar itself asks for ends the output if the grammar is then complete.
  terminated_ = is_stop && automaton_->accepts(next);
  push(next, token, std::move(before));
  return Step::kOk;
}

Step Cursor::accept_bytes(std::string_view bytes) {
  if (terminated_) return Step::kTerminated;
  settle();
  StateId next{};
  std::size_t viable = 0;
  if (walk(bytes, next, viable) != Limit::kNone) return Step::kLimitExceeded;
  if (next == StateId::kDead) return Step::kRefused;
  push(next, kByteStep, mark());
  bytes_ += bytes;
  read_text(bytes);
  return Step::kOk;
}

Step Cursor::rollback(std::size_t steps) {
  if (steps > steps_.size()) return Step::kBadArgument;
  if (steps == 0) return Step::kOk;
  bytes_.resize(steps_[steps_.size() - steps].bytes_begin);
  steps_.resize(steps_.size() - steps);
  if (chart_.has_value() && chart_->steps > steps_.size()) chart_.reset();
  if (reads_text()) {
    rewind(marks_[steps_.size()]);
    marks_.resize(steps_.size());
  }
  terminated_ = false;
  retried_ = 0;
  return Step::kOk;
}

void Cursor::reset() {
  (void)rollback(steps_.size());
  bool is_new = false;
  if (compiled_->automaton() != automaton_) (void)move_to_fresh_automaton(is_new);
  memory_threshold_ = compiled_->program().limits.state_memory;
}

bool Cursor::is_token_allowed(std::uint32_t token) {
  if (terminated_ || token >= compiled_->program().tokenizer.vocab_size()) return false;
  settle();
  return is_allowed_here(token);
}

bool Cursor::is_allowed_here(std::uint32_t token) {
  StateId next{};
  if (step_by_token(token, next) != Limit::kNone) return false;
  if (next != StateId::kDead) return true;
  return compiled_->program().tokenizer.vocabulary().is_stop_token(token) && automaton_->accepts(state());
}

}  // namespace weir::engine
