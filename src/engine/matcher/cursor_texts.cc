// Cursor: questions about texts from the cursor's point (history.h), which do not move the cursor.
#include <algorithm>
#include <array>
#include <utility>

#include "base/work.h"
#include "engine/automaton/completion.h"
#include "engine/canonical/canonical_product.h"
#include "engine/matcher/cursor.h"
#include "engine/search_bounds.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using base::Limit;

namespace {

// Returns the number of bytes in each class.
std::array<std::uint32_t, 256> class_sizes(const regex::ByteClasses& classes) {
  std::array<std::uint32_t, 256> sizes{};
  for (unsigned byte = 0; byte < 256; ++byte) ++sizes[classes.class_of(static_cast<std::uint8_t>(byte))];
  return sizes;
}

}  // namespace

// Steps by `bytes` from the cursor's point. Sets `last` to the state after them, or to kDead if only the first `viable`
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
        const std::size_t more = std::min(bytes.size() - allowed, kBytesBetweenMemoryChecks);
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
    base::Work::charge(1 + automaton_->classes().count() / kEntriesForOneStep);
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

}  // namespace weir::engine
