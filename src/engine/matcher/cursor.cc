#include "engine/matcher/cursor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/work.h"
#include "engine/automaton/completion.h"
#include "engine/canonical/canonical_product.h"
#include "engine/facts/token_facts.h"
#include "engine/matcher/matcher_options.h"
#include "engine/search_bounds.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using canonical::CanonicalId;

namespace {

bool has_default_options(const MatcherOptions& options) {
  return options.tokenization == Tokenization::kAny && !options.stop_token_ids && !options.max_tokens;
}

StopTokens stop_tokens_of(const Program& program, const MatcherOptions& options, bool is_refused) {
  const vocab::Vocabulary& vocabulary = program.tokenizer.vocabulary();
  return is_refused ? StopTokens(vocabulary) : *StopTokens::create(vocabulary, options.stop_token_ids);
}

}  // namespace

Cursor::Cursor(std::shared_ptr<Compiled> compiled, const MatcherOptions& options)
    : compiled_(std::move(compiled)),
      automaton_(*compiled_),
      is_refused_(!has_default_options(options) && !check_matcher_options(*compiled_, options).has_value()),
      stops_(stop_tokens_of(compiled_->program(), options, is_refused_)),
      max_tokens_(is_refused_ ? std::nullopt : options.max_tokens),
      canonical_(is_refused_ || options.tokenization == Tokenization::kAny
                     ? nullptr
                     : *canonical::CanonicalAutomaton::of(compiled_->program().tokenizer.vocabulary())),
      text_(compiled_->program().follows_text, compiled_->program().make_guard()),
      history_(stops_, first_position(compiled_->program().tokenizer.vocabulary(), options), first_point(options),
               text_.matters() ? History::Marks::kStored : History::Marks::kNone) {}

History::Point Cursor::first_point(const MatcherOptions& options) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  if (automaton_.was_taken()) automaton_.adopt(compiled_->automaton());
  return point_at(automaton_->start(),
                  canonical_ == nullptr ? CanonicalId() : first_canonical_state(*canonical_, options));
}

void Cursor::report(Limit limit) {
  history_.drop_number();  // a call without work would leave the message
  const std::string name = base::field_name(limit);
  limit_message_ = "the limit `" + name + "` was exceeded" + automaton_->place_of_work(limit) +
                   "; raise Limits::" + name + " or simplify the grammar";
}

// Returns the point after a step to `state`. Its tokens are for the history to count. Precondition: the text is read.
History::Point Cursor::point_at(StateId state, CanonicalId canonical) const {
  return {.state = state, .canonical = canonical, .accepts = automaton_->accepts(state) && text_.may_end()};
}

std::string_view Cursor::bytes_of(std::uint32_t token, TokenPosition position) const {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

// Sets `after` to what is after `token`. All that decides about a token is asked here, in order: the automaton with all
// that stands beside it, and the canonical tokens. The text that was read stays read if it is to be kept and the token
// may come.
Limit Cursor::step_by_token(std::uint32_t token, After& after, Text text) {
  return explore(Question::kStep, [&] {
    TextState::Walk walk(text_);
    StateId next =
        automaton_->step_token(state(), token, position(), beside(is_canonical() ? std::nullopt : tokens_left()));
    if (is_limit(next)) return limit_of(next);
    CanonicalId canonical{};
    if (const Limit met = step_canonically(token, next, canonical); met != Limit::kNone) return met;
    after.point = point_at(next, canonical);
    if (next != StateId::kDead && text == Text::kKept) after.text_before = walk.keep();
    return Limit::kNone;
  });
}

std::optional<std::uint32_t> Cursor::canonical_tokens_left_after(std::size_t steps) const {
  if (max_tokens_.has_value()) return tokens_left_after(steps);
  return automaton_->has_bounds() ? std::optional(PairWithin::kAnyNumber) : std::nullopt;
}

// In canonical mode: the canonical state after `token`; `next` becomes kDead if the token may not come.
Limit Cursor::step_canonically(std::uint32_t token, StateId& next, CanonicalId& after) {
  if (!is_canonical() || next == StateId::kDead) return Limit::kNone;
  CanonicalProduct& product = CanonicalProduct::of(*automaton_, *canonical_);
  after = product.accept(canonical_state(), token);
  const Answer viable = after != CanonicalId::kRefused ? is_viable_after(token, next, after) : false;
  if (viable.is_no()) next = StateId::kDead;
  return viable.limit();
}

// Returns whether an end can be reached from the pair after `token`: within the budget, if there is one. Then the mask
// decides, so that both always agree.
Answer Cursor::is_viable_after(std::uint32_t token, StateId next, CanonicalId after) {
  CanonicalProduct& product = CanonicalProduct::of(*automaton_, *canonical_);
  const auto left = canonical_tokens_left();
  if (!left) return product.is_viable(next, after);
  if (*left == 0) return false;
  if (stops_.role(token) == TokenRole::kReversed) {  // masks of states do not decide these
    std::optional<std::uint32_t> known;
    return product.fits({next, after, stops_.position_after(token, position()), *left - 1}, known);
  }
  const PairWithin at{state(), canonical_state(), position(), *left};
  return product.is_allowed_within(at, token, next, after);
}

// Finds the mask of the state at the cursor. Writes it to `row`, or to `bitmask` unless that is empty; sets refused_ to
// the tokens of the mask that the text refuses, and reversed_allowed_. Precondition: no row in canonical mode.
Limit Cursor::look_up_mask(const Mask*& mask, std::span<std::uint32_t> bitmask, MaskRow* row) {
  return explore(Question::kMask, [&] {
    const std::uint32_t owner = automaton_->number();
    const auto left = is_canonical() ? canonical_tokens_left() : tokens_left();
    const auto find = [&] {
      return left && !is_canonical() ? automaton_->mask_within(state(), position(), *left)
                                     : automaton_->mask(state(), position());
    };
    MaskResult result = find();
    if (result.limit != Limit::kNone) return result.limit;
    if (row != nullptr) {
      row->write(automaton_.shared(), *result.mask);
    } else if (!bitmask.empty() && !is_canonical()) {
      result.mask->write(bitmask);
    }
    if (!bitmask.empty() && is_canonical()) {
      CanonicalProduct& product = CanonicalProduct::of(*automaton_, *canonical_);
      result.limit = left ? product.write_mask_within({state(), canonical_state(), position(), *left}, bitmask)
                          : product.write_mask(state(), canonical_state(), position(), bitmask);
      if (result.limit != Limit::kNone) return result.limit;
    }
    if (text_.matters()) result.limit = list_refused(*result.mask, row != nullptr ? row->words() : bitmask);
    if (result.limit == Limit::kNone) result.limit = list_reversed();
    // Testing tokens may have moved the cursor to a fresh automaton; then `result.mask` belongs to the old one.
    if (result.limit == Limit::kNone && owner != automaton_->number()) result = find();
    mask = result.mask;
    return result.limit;
  });
}

namespace {

// The tokens of a mask. Lookups in `bitmask`, the same mask, are faster; it may be empty.
class TokensOfMask final : public grammar::AllowedTokens {
 public:
  TokensOfMask(const Mask& mask, std::span<const std::uint32_t> bitmask, const TokenView& tokens)
      : mask_(mask), bitmask_(bitmask), tokens_(tokens) {}
  [[nodiscard]] bool contains(std::uint32_t token) const override {
    return bitmask_.empty() ? mask_.contains(token) : bitmask_get(bitmask_, token);
  }
  [[nodiscard]] std::uint32_t count() const override { return tokens_.vocabulary.size(); }
  [[nodiscard]] std::string_view bytes_of(std::uint32_t token) const override { return tokens_.bytes_of(token); }

 private:
  const Mask& mask_;
  std::span<const std::uint32_t> bitmask_;
  const TokenView& tokens_;
};

}  // namespace

Cursor::MaskWork Cursor::mask_work(const MaskRow* row) {
  // The first question reads little memory. When masks were made in advance, reading it is most of what is left to do.
  const std::uint64_t number = history_.known_number();
  if (row != nullptr && number != 0 && row->number() == number) return MaskWork::kNone;
  if (is_terminated() || is_refused_) return MaskWork::kCopy;
  const AutomatonUse::Call use(automaton_);
  if (automaton_.was_taken() || is_limit(state()) || tokens_left() || is_canonical() ||
      !automaton_->is_mask_known(state(), position())) {
    return MaskWork::kMake;
  }
  return MaskWork::kCopy;
}

std::optional<PendingMask> Cursor::pending_mask(const MaskRow* row) {
  const MaskWork work = mask_work(row);
  if (work == MaskWork::kNone || (work == MaskWork::kCopy && row == nullptr)) return std::nullopt;
  if (is_terminated() || is_refused_ || tokens_left() || is_limit(state())) return std::nullopt;
  const AutomatonUse::Call use(automaton_);
  if (automaton_.was_taken() || automaton_->has_bounds()) return std::nullopt;
  PendingMask pending{automaton_.shared(), state(), position(), automaton_->is_mask_known(state(), position())};
  const bool fits = row != nullptr && row->words().size() == bitmask_words(compiled_->program().tokenizer.vocab_size());
  pending.is_for_row = fits && !is_canonical();
  if (!pending.is_for_row) return pending.is_known ? std::nullopt : std::optional(std::move(pending));
  // What the text changes can be said only of a mask that is known. Masks with undecided tokens are left to fill_row.
  bool is_decided = !text_.matters();
  if (text_.matters() && pending.is_known) {
    const Mask& mask = *automaton_->mask(state(), position()).mask;
    is_decided = mask.undecided.empty() && list_refused(mask, {}) == Limit::kNone;
    if (is_decided) pending.refused = refused_;
  }
  if (is_decided && stops_.reversed().empty()) pending.number = history_.number();
  return pending;
}

Step Cursor::fill_row(MaskRow& row) {
  if (is_canonical() || is_terminated() || is_refused_ ||
      row.words().size() != bitmask_words(compiled_->program().tokenizer.vocab_size())) {
    return fill_next_token_bitmask(row.overwrite());
  }
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  const Mask* mask = nullptr;
  if (settle() != Limit::kNone || look_up_mask(mask, {}, &row) != Limit::kNone) {
    std::ranges::fill(row.overwrite(), 0);
    return Step::kLimitExceeded;
  }
  if (text_.matters()) {
    for (const std::uint32_t token : refused_) row.set(token, false);
  }
  const auto reversed = stops_.reversed();
  for (std::size_t i = 0; i < reversed.size(); ++i) row.set(reversed[i], reversed_allowed_[i]);
  row.set_number(history_.number());
  return Step::kOk;
}

Step Cursor::fill_next_token_bitmask(std::span<std::uint32_t> bitmask) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const auto fail = [&](Step why) {
    std::fill(bitmask.begin(), bitmask.end(), 0);
    return why;
  };
  if (bitmask.size() != bitmask_words(compiled_->program().tokenizer.vocab_size())) return fail(Step::kBadArgument);
  if (is_refused_) return fail(Step::kBadArgument);
  if (is_terminated()) return fail(Step::kTerminated);
  const AutomatonUse::Call use(automaton_);
  const Mask* mask = nullptr;
  if (settle() != Limit::kNone || look_up_mask(mask, bitmask) != Limit::kNone) return fail(Step::kLimitExceeded);
  if (text_.matters()) {
    for (const std::uint32_t token : refused_) bitmask_clear(bitmask, token);
  }
  const auto reversed = stops_.reversed();
  for (std::size_t i = 0; i < reversed.size(); ++i) {
    reversed_allowed_[i] ? bitmask_set(bitmask, reversed[i]) : bitmask_clear(bitmask, reversed[i]);
  }
  return Step::kOk;
}

std::optional<std::uint64_t> Cursor::mask_id() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  if (is_terminated() || is_refused_ || settle() != Limit::kNone) return std::nullopt;
  const auto reversed = stops_.reversed();
  // Which bits a canonical mask has is known only when it is written.
  TokenBits written(is_canonical() && (!reversed.empty() || canonical_tokens_left().has_value())
                        ? bitmask_words(compiled_->program().tokenizer.vocab_size())
                        : 0);
  const Mask* mask = nullptr;
  if (look_up_mask(mask, written) != Limit::kNone) return std::nullopt;
  if (text_.matters() && !refused_.empty()) return std::nullopt;
  constexpr std::uint64_t kCanonicalIds = std::uint64_t{1} << 63;
  constexpr std::uint64_t kFlippedIds = std::uint64_t{1} << 62;
  const std::uint64_t owner = std::uint64_t{automaton_->number()} << 32;
  const auto number_of_pair = [&] {
    CanonicalProduct& product = CanonicalProduct::of(*automaton_, *canonical_);
    const auto left = canonical_tokens_left();
    return left ? product.number_within({state(), canonical_state(), position(), *left})
                : product.number_of(state(), canonical_state());
  };
  const std::uint64_t number = is_canonical() ? kCanonicalIds | number_of_pair() : mask->id;
  std::vector<std::uint32_t> flipped;
  for (std::size_t i = 0; i < reversed.size(); ++i) {
    const bool is_in_mask = is_canonical() ? bitmask_get(written, reversed[i]) : mask->contains(reversed[i]);
    if (is_in_mask != reversed_allowed_[i]) flipped.push_back(reversed[i]);
  }
  return flipped.empty() ? owner | number : kFlippedIds | owner | automaton_->number_of_flipped(number, flipped);
}

// Sets reversed_allowed_ to whether each token of stops_.reversed() may come.
Limit Cursor::list_reversed() {
  const auto reversed = stops_.reversed();
  reversed_allowed_.assign(reversed.size(), false);
  for (std::size_t i = 0; i < reversed.size(); ++i) {
    const Answer may = may_come(reversed[i]);
    if (!may.is_known()) return may.limit();
    reversed_allowed_[i] = may.is_yes();
  }
  return Limit::kNone;
}

// Returns whether the token may come next.
Answer Cursor::may_come(std::uint32_t token) {
  After after;
  if (const Limit limit = step_by_token(token, after); limit != Limit::kNone) return limit;
  return after.point.state != StateId::kDead || (stops_.contains(token) && is_completed());
}

// Sets refused_ to the tokens of a state's mask that the text so far does not allow. `bitmask` is the same mask, or
// empty.
Limit Cursor::list_refused(const Mask& mask, std::span<const std::uint32_t> bitmask) {
  refused_.clear();
  const TokenView tokens(compiled_->program().tokenizer.vocabulary(), position());
  const TokensOfMask allowed(mask, bitmask, tokens);
  text_.list_refused(allowed, refused_);
  if (!text_.may_end()) {
    for (const std::uint32_t token : compiled_->program().tokenizer.vocabulary().stop_token_ids()) {
      if (allowed.contains(token)) refused_.push_back(token);
    }
  }
  const std::vector<std::uint32_t> undecided = mask.undecided;  // a copy: a step may drop the mask
  for (const std::uint32_t token : undecided) {
    After after;
    if (const Limit limit = step_by_token(token, after); limit != Limit::kNone) return limit;
    if (after.point.state == StateId::kDead) refused_.push_back(token);
  }
  return Limit::kNone;
}

Step Cursor::accept_token(std::uint32_t token) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (token >= compiled_->program().tokenizer.vocab_size() || is_refused_) return Step::kBadArgument;
  if (is_terminated()) return Step::kTerminated;
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return Step::kLimitExceeded;
  After after;
  if (step_by_token(token, after, Text::kKept) != Limit::kNone) return Step::kLimitExceeded;
  const bool is_stop = stops_.contains(token);
  if (after.point.state != StateId::kDead) {
    // A stop token that the grammar itself expects ends the output if the grammar is complete after it.
    const auto output = is_stop && after.point.accepts ? History::Output::kEnds : History::Output::kGoesOn;
    history_.add_token(token, output, after.point, after.text_before);
  } else if (is_stop && is_completed()) {
    history_.add_plain_stop_token(token, text_.position());
  } else {
    return Step::kRefused;
  }
  retried_ = 0;
  return Step::kOk;
}

Step Cursor::accept_text(std::string_view text) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_terminated()) return Step::kTerminated;
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return Step::kLimitExceeded;
  base::Work::allow_more(kStepsForTokenizedByte * text.size());
  base::Work::charge(kStepsForTokenizedByte * text.size());
  const Result<std::vector<std::uint32_t>> tokens = compiled_->program().tokenizer.tokenize(text);
  if (!tokens) return Step::kBadArgument;
  const bool is_inside = is_canonical() && position() == TokenPosition::kInside;
  // Some tokenizers add a space before a text, which they do not inside it.
  const bool adds_space = is_inside && compiled_->program().tokenizer.vocabulary().drops_leading_space();
  const Step step = adds_space ? Step::kRefused : accept_tokens(*tokens);
  if (step != Step::kRefused || !is_inside) return step;
  base::Work::allow_more(text.size() * kStepsForTextByte);
  const auto inside = CanonicalProduct::of(*automaton_, *canonical_).tokens_after(canonical_state(), text);
  if (inside.has_value()) return accept_tokens(*inside);
  if (!base::Work::is_met()) return Step::kRefused;
  report(Limit::kCallWork);
  return Step::kLimitExceeded;
}

// Accepts all of the tokens, or none. The call may take more steps for each byte of a token as it is read.
Step Cursor::accept_tokens(std::span<const std::uint32_t> tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    base::Work::allow_more(bytes_of(tokens[i], TokenPosition::kInside).size() * kStepsForTextByte);
    const Step step = accept_token(tokens[i]);
    if (step == Step::kOk) continue;
    (void)rollback(i);
    return step;
  }
  return Step::kOk;
}

Step Cursor::accept_bytes(std::string_view bytes) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_canonical() || is_refused_) return Step::kBadArgument;  // bytes have no tokens
  if (is_terminated()) return Step::kTerminated;
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return Step::kLimitExceeded;
  StateId next{};
  std::size_t viable = 0;
  if (walk(bytes, next, viable, kStepsForTextByte) != Limit::kNone) return Step::kLimitExceeded;
  if (max_tokens_.has_value()) {
    next = automaton_->keep_within(next, bytes.empty() ? position() : TokenPosition::kInside, *tokens_left());
  }
  if (is_limit(next)) {
    report(limit_of(next));
    return Step::kLimitExceeded;
  }
  if (next == StateId::kDead) return Step::kRefused;
  const std::size_t text_before = text_.position();
  text_.add(bytes);
  history_.add_bytes(bytes, point_at(next), text_before);
  retried_ = 0;
  return Step::kOk;
}

Step Cursor::rollback(std::size_t steps) {
  if (steps > history_.size()) return Step::kBadArgument;
  if (steps == 0) return Step::kOk;
  history_.rollback(steps, text_);
  captures_.rollback(history_.size());
  replayed_.resize(std::min(replayed_.size(), history_.size()));
  retried_ = 0;
  fresh_failed_ = false;
  return Step::kOk;
}

void Cursor::reset() { (void)rollback(history_.size()); }

void Cursor::keep_last() {
  const std::size_t size = history_.size();
  if (size < 2 || !replayed_.empty() || !history_.is_bytes(size - 1) || !history_.is_bytes(size - 2)) return;
  if (history_.text_of(size - 2).size() + history_.text_of(size - 1).size() > kJoinedBytes) return;
  if (captures_.join_last(size)) history_.join_last();
}

bool Cursor::is_token_allowed(std::uint32_t token) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_terminated() || is_refused_ || token >= compiled_->program().tokenizer.vocab_size()) return false;
  const AutomatonUse::Call use(automaton_);
  return settle() == Limit::kNone && is_allowed_here(token);
}

bool Cursor::is_allowed_here(std::uint32_t token) { return may_come(token).is_yes(); }

// Cursor: questions about texts from the cursor's place, which do not move the cursor.

namespace {

// Returns the number of bytes in each class.
std::array<std::uint32_t, 256> class_sizes(const regex::ByteClasses& classes) {
  std::array<std::uint32_t, 256> sizes{};
  for (unsigned byte = 0; byte < 256; ++byte) ++sizes[classes.class_of(static_cast<std::uint8_t>(byte))];
  return sizes;
}

}  // namespace

// Steps by `bytes` from the cursor's place. Sets `last` to the state after them, or to kDead if only the first `viable`
// bytes may come. The bounds of rules are tested only after all bytes, since tokens may end at any other places. The call
// may take `steps_for_byte` more steps for each byte from when it is read: not before, or a long text whose beginning takes
// much work would pay for it with bytes that are never read.
Limit Cursor::walk(std::string_view bytes, StateId& last, std::size_t& viable, std::uint64_t steps_for_byte) {
  std::size_t allowed = 0;  // bytes for which there are steps; reading may begin again on another automaton
  return explore(Question::kWalk, [&] {
    const TextState::Walk walk(text_);
    last = state();
    for (viable = 0; viable < bytes.size(); ++viable) {
      if (viable >= allowed) {
        const std::size_t more = std::min(bytes.size() - allowed, kBytesAllowedAtOnce);
        base::Work::allow_more(more * steps_for_byte);
        allowed += more;
      }
      if (viable % kBytesBetweenMemoryChecks == kBytesBetweenMemoryChecks - 1) {
        last = stay_within_memory(last, bytes.substr(0, viable));
        if (is_limit(last)) break;
      }
      const StateId next = automaton_->step(last, static_cast<std::uint8_t>(bytes[viable]), text_);
      if (next == StateId::kDead || is_limit(next)) {
        last = next;
        return limit_of(last);
      }
      last = next;
    }
    if (!bytes.empty()) last = automaton_->keep_within_bounds(last);
    if (last == StateId::kDead) viable = bytes.size() - 1;
    return limit_of(last);
  });
}

std::size_t Cursor::longest_viable_prefix(std::string_view bytes) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_terminated()) return 0;
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return 0;
  StateId last{};
  std::size_t viable = 0;
  (void)walk(bytes, last, viable, kStepsForTextByte);
  return viable;
}

std::string Cursor::forced_bytes() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  std::string forced;
  if (is_terminated()) return forced;
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return forced;
  (void)explore(Question::kWalk, [&] { return walk_forced(forced); });
  // Near the end of a bound the state after the forced bytes may not fit its bounds; then bytes are removed from the
  // end until it does.
  if (automaton_->has_bounds()) drop_beyond_bounds(forced);
  return forced;
}

// Removes bytes from the end of `forced` until the state after it fits its bounds.
void Cursor::drop_beyond_bounds(std::string& forced) {
  const TextState::Walk walk(text_);
  std::vector<StateId> states;
  for (const char c : forced) {
    states.push_back(automaton_->step(states.empty() ? state() : states.back(), static_cast<std::uint8_t>(c), text_));
    if (states.back() == StateId::kDead || is_limit(states.back())) break;
  }
  const auto fits = [&](StateId at) {
    at = is_limit(at) ? StateId::kDead : automaton_->keep_within_bounds(at);
    return at != StateId::kDead && !is_limit(at);
  };
  while (!states.empty() && (states.back() == StateId::kDead || !fits(states.back()))) states.pop_back();
  forced.resize(states.size());
}

// Every state can be finished, so a path without a choice ends. If endless rules are kept, it ends at the limit.
Limit Cursor::walk_forced(std::string& forced) {
  const Limits& limits = compiled_->program().limits;
  const std::array<std::uint32_t, 256> sizes = class_sizes(automaton_->classes());
  forced.clear();
  const TextState::Walk walk(text_);
  StateId at = state();
  while (!automaton_->accepts(at) && !automaton_->expects_token_terminals(at)) {
    if (forced.size() >= limits.completion_bytes) return Limit::kCompletionBytes;
    if (forced.size() % kBytesBetweenMemoryChecks == kBytesBetweenMemoryChecks - 1) {
      at = stay_within_memory(at, forced);
      if (is_limit(at)) return limit_of(at);
    }
    if (base::Work::is_met()) return Limit::kCallWork;
    base::Work::charge(1 + automaton_->classes().count() / kKnownBytesForOneStep);
    StateId only = StateId::kDead;
    std::uint8_t only_byte = 0;
    for (std::uint32_t cls = 0; cls < automaton_->classes().count(); ++cls) {
      const std::uint8_t byte = automaton_->classes().representative(static_cast<std::uint8_t>(cls));
      const StateId next = automaton_->step(at, byte);
      if (next == StateId::kDead) continue;
      if (is_limit(next)) return limit_of(next);
      if (only != StateId::kDead || sizes[cls] > 1) return Limit::kNone;
      only = next;
      only_byte = byte;
    }
    if (only == StateId::kDead) break;
    forced.push_back(static_cast<char>(only_byte));
    at = automaton_->step(at, only_byte, text_);
    if (is_limit(at)) return limit_of(at);
    if (at == StateId::kDead) {
      forced.pop_back();
      break;
    }
  }
  return Limit::kNone;
}

// While one token alone may come, it is forced.
std::vector<std::uint32_t> Cursor::forced_canonical_tokens() {
  std::vector<std::uint32_t> tokens;
  TokenBits bitmask(bitmask_words(compiled_->program().tokenizer.vocab_size()));
  while (tokens.size() < compiled_->program().limits.completion_bytes &&
         fill_next_token_bitmask(bitmask) == Step::kOk) {
    base::Work::charge(1 + bitmask.size() / kBitmaskWordsForOneStep);
    if (base::Work::is_met()) break;
    std::optional<std::uint32_t> only;
    const bool is_alone = vocab::for_each_token(bitmask, [&](std::uint32_t token) {
      const bool is_first = !only.has_value();
      only = token;
      return is_first;
    });
    if (!is_alone || !only.has_value() || stops_.contains(*only)) break;
    if (accept_token(*only) != Step::kOk) break;
    tokens.push_back(*only);
  }
  (void)rollback(tokens.size());
  return tokens;
}

// Accepts the tokens of a completion by the grammar alone: those that the tokenizer writes for the text since the last
// special token with the completion. Returns true if they complete the output. If not, some may have been accepted.
bool Cursor::accept_plain_completion() {
  if (is_completed()) return true;
  const std::optional<std::vector<CompletionPart>> parts =
      text_.matters() ? complete_step_by_step() : estimate_completion(*automaton_, state(), stops_).parts;
  if (!parts.has_value()) return false;
  for (const CompletionPart& part : *parts) {
    if (part.token.has_value()) {
      if (accept_token(*part.token) != Step::kOk) return false;
      continue;
    }
    std::size_t begin = history_.size();
    while (begin > 0 && !history_.text_of(begin - 1).empty()) --begin;
    const std::string text = history_.text_from(begin) + part.text;
    base::Work::charge(kStepsForTokenizedByte * text.size());
    if (base::Work::is_met()) return false;
    const auto tokens = compiled_->program().tokenizer.tokenize(text);
    const std::size_t kept = history_.size() - begin;
    if (!tokens || tokens->size() < kept) return false;
    for (std::size_t i = 0; i < kept; ++i) {
      if ((*tokens)[i] != history_.token(begin + i)) return false;
    }
    for (std::size_t i = kept; i < tokens->size(); ++i) {
      if (accept_token((*tokens)[i]) != Step::kOk) return false;
    }
  }
  return is_completed();
}

// Like accept_plain_completion, but first accepts some tokens of masks, each time one that leads near to the grammar's
// end. This is needed if the tokenizer would join the end of the output with the completion: a blank and a quote.
bool Cursor::accept_completion_by_masks() {
  TokenBits bitmask(bitmask_words(compiled_->program().tokenizer.vocab_size()));
  for (int i = 0; i < kMaxTokensByMasks; ++i) {
    if (fill_next_token_bitmask(bitmask) != Step::kOk) return false;
    std::vector<std::pair<WayCost, std::uint32_t>> nearest;
    const Limit limit = explore(Question::kWalk, [&] {
      nearest.clear();
      Limit met = Limit::kNone;
      vocab::for_each_token(bitmask, [&](std::uint32_t token) {
        const TextState::Walk walk(text_);
        const StateId next = automaton_->step_token(state(), token, position(), beside());
        met = limit_of(next);
        if (met != Limit::kNone) return false;
        if (next != StateId::kDead) nearest.emplace_back(automaton_->distance(next), token);  // a stop token is dead
        return nearest.size() < kMaxRankedTokens;
      });
      return met;
    });
    if (limit != Limit::kNone || nearest.empty()) return false;
    const std::size_t tried = std::min(kMaxTriedTokens, nearest.size());
    std::partial_sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(tried), nearest.end());
    const std::size_t before = history_.size();
    for (std::size_t k = 0; k < tried; ++k) {
      if (accept_token(nearest[k].second) == Step::kOk && accept_plain_completion()) return true;
      (void)rollback(history_.size() - before);
    }
    if (accept_token(nearest.front().second) != Step::kOk) return false;
  }
  return false;
}

// Accepts the tokens of the shortest known way to an end within the budget, which the masks on the way allow.
bool Cursor::accept_way_within_budget() {
  const bool has_ways = canonical_tokens_left().has_value();
  TokenBits bitmask(has_ways ? bitmask_words(compiled_->program().tokenizer.vocab_size()) : 0);
  while (has_ways && !is_completed()) {
    if (fill_next_token_bitmask(bitmask) != Step::kOk) return false;
    const auto next =
        CanonicalProduct::of(*automaton_, *canonical_).next_on_way(state(), canonical_state(), position());
    if (!next.has_value() || accept_token(*next) != Step::kOk) return false;
  }
  return is_completed();
}

// Does the same by a search, if the functions above find no completion.
bool Cursor::accept_completion_by_search() {
  std::vector<std::uint32_t> way;
  const Limit limit = explore(Question::kWalk, [&] {
    return CanonicalProduct::of(*automaton_, *canonical_).find_way(state(), canonical_state(), position(), way);
  });
  if (limit != Limit::kNone) return false;
  return std::all_of(way.begin(), way.end(), [&](std::uint32_t token) { return accept_token(token) == Step::kOk; }) &&
         is_completed();
}

// Every token of the completion is accepted on the way, so keys that an object has and other rules about the text hold.
std::optional<std::vector<CompletionPart>> Cursor::complete_canonically() {
  const std::size_t before = history_.size();
  const std::array ways{&Cursor::accept_plain_completion, &Cursor::accept_way_within_budget,
                        &Cursor::accept_completion_by_masks, &Cursor::accept_completion_by_search};
  const bool is_found = std::any_of(ways.begin(), ways.end(), [&](const auto way) {
    (void)rollback(history_.size() - before);
    return (this->*way)();
  });
  std::optional<std::vector<CompletionPart>> parts;
  if (is_found) {
    parts.emplace();
    for (std::size_t i = before; i < history_.size(); ++i) {
      const std::string_view text = history_.text_of(i);
      if (text.empty() && !history_.adds_nothing(i)) {
        parts->push_back({{}, history_.token(i)});
        continue;
      }
      if (parts->empty() || parts->back().token.has_value()) parts->emplace_back();
      parts->back().text += text;
    }
  }
  (void)rollback(history_.size() - before);
  limit_message_.clear();
  if (!is_found) report(base::Work::met_or(Limit::kLookaheadThreads));
  return parts;
}

std::vector<std::uint32_t> Cursor::forced_tokens() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_terminated()) return {};
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return {};
  if (is_canonical()) return forced_canonical_tokens();
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  const std::string forced = forced_bytes();
  base::Work::charge(kStepsForTokenizedByte * forced.size());
  std::vector<std::uint32_t> tokens = vocabulary.settled_tokens(forced);
  std::string bytes;
  std::size_t kept = 0;
  for (TokenPosition at = position(); kept < tokens.size(); ++kept, at = TokenPosition::kInside) {
    // A tokenizer's unknown token stands for text that its bytes do not show.
    const TokenKind kind = vocabulary.token_kind(tokens[kept]);
    if (kind == TokenKind::kSpecial || kind == TokenKind::kUnused || stops_.contains(tokens[kept])) break;
    bytes += bytes_of(tokens[kept], at);
  }
  tokens.resize(kept);
  // A tokenizer that adds a space before every text gives other bytes than those in the middle of an output.
  if (!forced.starts_with(bytes)) tokens.clear();
  if (automaton_->has_bounds() || max_tokens_.has_value()) keep_within_bounds(tokens);
  return tokens;
}

// Removes the first token that a bound refuses, and all tokens after it.
void Cursor::keep_within_bounds(std::vector<std::uint32_t>& tokens) {
  (void)explore(Question::kWalk, [&] {
    const TextState::Walk walk(text_);
    StateId at = state();
    TokenPosition where = position();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      auto left = tokens_left();
      if (left.has_value()) *left -= std::min(*left, static_cast<std::uint32_t>(i));
      at = automaton_->step_token(at, tokens[i], where, beside(left));
      where = stops_.position_after(tokens[i], where);
      if (at != StateId::kDead && !is_limit(at)) continue;
      tokens.resize(i);
      return limit_of(at);
    }
    return Limit::kNone;
  });
}

std::optional<std::vector<CompletionPart>> Cursor::shortest_completion_parts() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  if (is_terminated()) return std::vector<CompletionPart>();
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return std::nullopt;
  if (is_canonical()) return complete_canonically();
  if (text_.matters()) return complete_step_by_step();
  Completion found = estimate_completion(*automaton_, state(), stops_);
  const bool is_exact = !automaton_->has_conditions() && found.parts.has_value();
  const bool is_none = !found.parts.has_value() && found.limit != Limit::kRegexFuel;
  if (is_exact || is_none) {
    if (found.limit != Limit::kNone) report(found.limit);
    return std::move(found.parts);
  }
  if (found.parts.has_value() && completes(*found.parts)) return std::move(found.parts);
  (void)explore(Question::kWalk, [&] {
    found = search_completion(*automaton_, state(), position(), stops_);
    return found.limit;
  });
  return std::move(found.parts);
}

bool Cursor::completes(const std::vector<CompletionPart>& parts) {
  if (parts.size() == 1 && !parts.front().token.has_value()) {  // a text may be long: walk() checks the memory budget
    StateId end{};
    std::size_t viable = 0;
    const bool walked = walk(parts.front().text, end, viable) == Limit::kNone;
    limit_message_.clear();
    return walked && automaton_->accepts(end);
  }
  CompletionWalk walk(*automaton_, state(), position(), stops_);
  for (const CompletionPart& part : parts) {
    if (walk.step(part) != Limit::kNone) return false;
  }
  return automaton_->accepts(walk.state());
}

std::optional<std::string> Cursor::shortest_completion() {
  auto parts = shortest_completion_parts();
  if (!parts) return std::nullopt;
  if (parts->empty()) return std::string();
  if (parts->size() > 1 || parts->front().token.has_value()) return std::nullopt;
  return std::move(parts->front().text);
}

// Returns a completion of `at` that may ignore the text. An estimate that conditions refuse is replaced: the next one,
// from where it was refused, could be refused again, and so on without end.
Completion Cursor::completion_by_grammar(StateId at) {
  Completion found = estimate_completion(*automaton_, at, stops_);
  if (!automaton_->has_conditions() || !found.parts.has_value()) return found;
  CompletionWalk walk(*automaton_, at, TokenPosition::kInside, stops_);
  for (const CompletionPart& part : *found.parts) {
    if (walk.step(part) != Limit::kNone) return found;
  }
  if (automaton_->accepts(walk.state())) return found;
  Completion other = search_completion(*automaton_, at, TokenPosition::kInside, stops_);
  return other.parts.has_value() ? other : found;
}

// Builds a completion from several estimates. If the text decides what may come, an estimate may fail after the first
// place where it decides; the next estimate, from there, knows more.
std::optional<std::vector<CompletionPart>> Cursor::complete_step_by_step() {
  std::optional<std::vector<CompletionPart>> way;
  const Limit limit = explore(Question::kWalk, [&] {
    const TextState::Walk walk(text_);
    way.emplace();
    StateId at = state();
    std::size_t size = 0;
    std::size_t refused = 0;
    while (!automaton_->accepts(at) || !text_.may_end()) {
      base::Work::charge(kStepsForEstimate);
      if (base::Work::is_met()) return Limit::kCallWork;
      const Completion found = completion_by_grammar(at);
      const std::size_t before = size;
      if (found.parts.has_value()) {
        if (const Limit met = follow(*found.parts, at, size, *way); met != Limit::kNone) return met;
      } else if (found.limit != Limit::kNone) {  // the limit would be met again one byte further
        way.reset();
        return found.limit;
      }
      // The guard may refuse the beginning of the estimate. Then any byte that may come leads on.
      if (size == before && ++refused <= kMaxRefusedEstimates) step_by_any_byte(at, size, *way);
      if (size != before && size <= compiled_->program().limits.completion_bytes) continue;
      way.reset();
      return size != before || refused > kMaxRefusedEstimates ? Limit::kCompletionBytes : found.limit;
    }
    return Limit::kNone;
  });
  if (limit != Limit::kNone) way.reset();
  return way;
}

// Steps from `at` by a byte that may come, a readable one if there is one, and appends it to `way`. Does nothing if no
// byte may come.
void Cursor::step_by_any_byte(StateId& at, std::size_t& size, std::vector<CompletionPart>& way) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::uint8_t>('0' + i);  // readable characters first
    const StateId next = automaton_->step(at, byte, text_);
    if (next == StateId::kDead || is_limit(next)) continue;
    at = next;
    ++size;
    if (way.empty() || way.back().token.has_value()) way.emplace_back();
    way.back().text.push_back(static_cast<char>(byte));
    return;
  }
}

// Follows `parts` from `at` as far as they are viable, and appends what was followed to `way`.
Limit Cursor::follow(const std::vector<CompletionPart>& parts, StateId& at, std::size_t& size,
                     std::vector<CompletionPart>& way) {
  for (const CompletionPart& part : parts) {
    if (part.token.has_value()) {
      TextState::Walk walk(text_);
      const StateId next = automaton_->step_token(at, *part.token, TokenPosition::kInside, beside());
      if (next == StateId::kDead || is_limit(next)) return limit_of(next);
      (void)walk.keep();
      at = next;
      ++size;
      way.push_back(part);
      continue;
    }
    if (way.empty() || way.back().token.has_value()) way.emplace_back();
    for (const char c : part.text) {
      const StateId next = automaton_->step(at, static_cast<std::uint8_t>(c), text_);
      if (next == StateId::kDead || is_limit(next)) return limit_of(next);
      at = next;
      ++size;
      way.back().text.push_back(c);
    }
  }
  return Limit::kNone;
}

// Masks for trees of drafted tokens.

namespace {

// Lists the children of each node in ascending order. The children of the root, the cursor's place, are at index
// `none`.
struct DraftTree {
  explicit DraftTree(std::span<const std::int32_t> parents)
      : none(parents.size()), first_child(parents.size() + 1, none), next_sibling(parents.size(), none) {
    for (std::size_t i = parents.size(); i-- > 0;) {
      const std::size_t parent = parents[i] < 0 ? none : static_cast<std::size_t>(parents[i]);
      next_sibling[i] = std::exchange(first_child[parent], i);
    }
  }
  std::size_t none;
  std::vector<std::size_t> first_child, next_sibling;
};

}  // namespace

Step Cursor::fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens, std::span<const std::int32_t> parents,
                                      std::span<std::uint32_t> bitmasks, std::span<Step> steps) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const std::size_t count = tokens.size();
  const std::size_t words = bitmask_words(compiled_->program().tokenizer.vocab_size());
  if (parents.size() != count || steps.size() != count || bitmasks.size() != count * words) return Step::kBadArgument;
  for (std::size_t i = 0; i < count; ++i) {
    if (parents[i] < -1 || parents[i] >= static_cast<std::int64_t>(i)) return Step::kBadArgument;
  }
  std::fill(steps.begin(), steps.end(), Step::kRefused);
  std::fill(bitmasks.begin(), bitmasks.end(), 0);
  const DraftTree tree(parents);
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) {
    for (std::size_t i = 0; i < count; ++i) steps[i] = parents[i] < 0 ? Step::kLimitExceeded : Step::kRefused;
    return Step::kOk;
  }
  std::vector<std::size_t> path;  // accepted nodes above the current one
  for (std::size_t i = tree.first_child[tree.none]; i != tree.none;) {
    steps[i] = accept_token(tokens[i]);
    if (steps[i] == Step::kOk) {
      const bool met_limit = fill_next_token_bitmask(bitmasks.subspan(i * words, words)) == Step::kLimitExceeded;
      if (met_limit) steps[i] = Step::kLimitExceeded;
      if (!met_limit && tree.first_child[i] != tree.none) {
        path.push_back(i);
        i = tree.first_child[i];
        continue;
      }
      (void)rollback(1);
    }
    for (; tree.next_sibling[i] == tree.none && !path.empty(); path.pop_back()) {
      i = path.back();
      (void)rollback(1);
    }
    i = tree.next_sibling[i];
  }
  return Step::kOk;
}

StateId Cursor::state_id() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  const Limit limit = settle();
  return limit == Limit::kNone ? state() : limit_state(limit);
}

StateStats Cursor::state_stats() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  return settle() == Limit::kNone ? automaton_->state_stats(state(), position()) : StateStats();
}

std::vector<Capture> Cursor::captures() {
  std::vector<Capture> captures;
  limit_message_.clear();
  if (compiled_->program().cfg.captures.empty()) return captures;
  const base::Work::Call call(compiled_->program().limits.call_work);
  base::Work::allow_more(history_.text_bytes() * kStepsForTextByte);
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return captures;
  const Limit limit = explore(Question::kWalk, [&] {
    captures.clear();
    return captures_.read(*automaton_, history_, captures);
  });
  if (limit != Limit::kNone) captures.clear();
  return captures;
}

std::optional<CertainCaptures::Certain> Cursor::certain_captures(CertainCaptures::Output output, std::uint32_t known,
                                                                 std::vector<NamedMark>& marks) {
  limit_message_.clear();
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return std::nullopt;
  base::Work::allow_more(history_.text_bytes(captures_.steps_read(*automaton_)) * kStepsForTextByte);
  CertainCaptures::Certain certain;
  std::vector<CaptureMark> found;
  const Limit limit = explore(Question::kWalk, [&] {
    found.clear();
    return captures_.read_certain(*automaton_, history_, output, known, found, certain);
  });
  if (limit != Limit::kNone) return std::nullopt;
  for (const CaptureMark& mark : found) {
    const grammar::CfgCapture& capture = compiled_->program().cfg.captures[mark.capture];
    marks.push_back({mark.is_second ? capture.parts.second_capture : capture.name, mark.is_begin, mark.at});
  }
  return certain;
}

}  // namespace weir::engine
