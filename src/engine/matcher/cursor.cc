#include "engine/matcher/cursor.h"

#include <algorithm>
#include <utility>

#include "base/work.h"
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
// that stands beside it, the canonical tokens, and for a stop token whether the output may end. The text that was read
// stays read if it is to be kept and the grammar expects the token.
Limit Cursor::step_by_token(std::uint32_t token, After& after, Text text) {
  return explore(Question::kStep, [&] {
    TextState::Walk walk(text_);
    StateId next =
        automaton_->step_token(state(), token, position(), beside(is_canonical() ? std::nullopt : tokens_left()));
    if (is_limit(next)) return limit_of(next);
    CanonicalId canonical{};
    if (const Limit met = step_canonically(token, next, canonical); met != Limit::kNone) return met;
    after.point = point_at(next, canonical);
    after.is_plain_stop = next == StateId::kDead && stops_.contains(token) && is_completed();
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
  return after.may_come();
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
  After after;
  if (settle() != Limit::kNone || step_by_token(token, after, Text::kKept) != Limit::kNone) return Step::kLimitExceeded;
  if (!after.may_come()) return Step::kRefused;
  add(token, after);
  return Step::kOk;
}

// Adds a token that may come to the history. A stop token that the grammar itself expects ends the output if the grammar is
// complete after it.
void Cursor::add(std::uint32_t token, const After& after) {
  if (after.is_plain_stop) {
    history_.add_plain_stop_token(token, text_.position());
  } else {
    const bool ends = stops_.contains(token) && after.point.accepts;
    history_.add_token(token, ends ? History::Output::kEnds : History::Output::kGoesOn, after.point, after.text_before);
  }
  retried_ = 0;
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
  return settle() == Limit::kNone && may_come(token).is_yes();
}

// Masks for trees of drafted tokens.

namespace {

// Lists the children of each node in ascending order. The children of the root, the cursor's point, are at index
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
