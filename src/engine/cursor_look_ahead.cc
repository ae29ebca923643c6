// Cursor: questions about texts from here, which leave the cursor where it is.
#include <algorithm>
#include <array>

#include "engine/completion.h"
#include "engine/cursor.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;

namespace {

// Looking at the budget is one atomic read; this often, what lies between two looks is little memory.
constexpr std::size_t kBytesBetweenLooks = 256;

// How many bytes a class has.
std::array<std::uint32_t, 256> class_sizes(const regex::ByteClasses& classes) {
  std::array<std::uint32_t, 256> sizes{};
  for (unsigned byte = 0; byte < 256; ++byte) ++sizes[classes.class_of(static_cast<std::uint8_t>(byte))];
  return sizes;
}

}  // namespace

// Steps from here by `bytes`; `last` is the state behind them, or kDead behind the first `viable` ones. Room is asked
// for behind the whole: tokens may lie across any place within it.
Limit Cursor::walk(std::string_view bytes, StateId& last, std::size_t& viable) {
  return explore(Question::kWalk, [&] {
    const Walk walk(*this);
    last = state();
    for (viable = 0; viable < bytes.size(); ++viable) {
      if (viable % kBytesBetweenLooks == kBytesBetweenLooks - 1) {
        last = stay_within_budget(last, bytes.substr(0, viable));
        if (is_limit(last)) break;
      }
      const StateId next = step_byte(last, static_cast<std::uint8_t>(bytes[viable]));
      if (next == StateId::kDead || is_limit(next)) {
        last = next;
        return limit_of(last);
      }
      last = next;
    }
    if (!bytes.empty()) last = automaton_->keep_with_room(last);
    if (last == StateId::kDead) viable = bytes.size() - 1;
    return limit_of(last);
  });
}

std::size_t Cursor::longest_viable_prefix(std::string_view bytes) {
  if (terminated_) return 0;
  settle();
  StateId last{};
  std::size_t viable = 0;
  (void)walk(bytes, last, viable);
  return viable;
}

std::string Cursor::forced_bytes() {
  std::string forced;
  if (terminated_) return forced;
  settle();
  (void)explore(Question::kWalk, [&] { return walk_forced(forced); });
  // Where a bound is near, tokens that no text shows may be the only ones that end it in time.
  for (; automaton_->has_bounds() && !forced.empty(); forced.pop_back()) {
    StateId last{};
    std::size_t viable = 0;
    if (walk(forced, last, viable) == Limit::kNone && last != StateId::kDead) break;
  }
  return forced;
}

// Every state has a way to finish, so a path without a choice comes to its end; where rules without an end are kept, to
// the limit.
Limit Cursor::walk_forced(std::string& forced) {
  const Limits& limits = compiled_->program().limits;
  const std::array<std::uint32_t, 256> sizes = class_sizes(automaton_->classes());
  forced.clear();
  const Walk walk(*this);
  StateId at = state();
  while (!automaton_->accepts(at) && !automaton_->has_token_exits(at)) {
    if (forced.size() >= limits.completion_bytes) return Limit::kCompletionBytes;
    if (forced.size() % kBytesBetweenLooks == kBytesBetweenLooks - 1) {
      at = stay_within_budget(at, forced);
      if (is_limit(at)) return limit_of(at);
    }
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
    at = step_byte(at, only_byte);
    if (is_limit(at)) return limit_of(at);
    if (at == StateId::kDead) {
      forced.pop_back();
      break;
    }
  }
  return Limit::kNone;
}

std::vector<std::uint32_t> Cursor::forced_tokens() {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  const std::string forced = forced_bytes();
  std::vector<std::uint32_t> tokens = vocabulary.settled_tokens(forced);
  std::string bytes;
  std::size_t kept = 0;
  for (TokenPosition at = position(); kept < tokens.size(); ++kept, at = TokenPosition::kInside) {
    // A tokenizer's unknown token stands for text that it does not write.
    const TokenKind kind = vocabulary.token_kind(tokens[kept]);
    if (kind == TokenKind::kSpecial || kind == TokenKind::kUnused) break;
    bytes += bytes_of(tokens[kept], at);
  }
  tokens.resize(kept);
  // A tokenizer that puts a space before every text gives other bytes where the output is already under way.
  if (!forced.starts_with(bytes)) tokens.clear();
  if (automaton_->has_bounds()) keep_within_bounds(tokens);
  return tokens;
}

// Leaves out the first token that a bound refuses, and those behind it.
void Cursor::keep_within_bounds(std::vector<std::uint32_t>& tokens) {
  (void)explore(Question::kWalk, [&] {
    const Walk walk(*this);
    StateId at = state();
    TokenPosition where = position();
    for (std::size_t i = 0; i < tokens.size(); ++i, where = TokenPosition::kInside) {
      at = token_step(at, tokens[i], where);
      if (at != StateId::kDead && !is_limit(at)) continue;
      tokens.resize(i);
      return limit_of(at);
    }
    return Limit::kNone;
  });
}

std::optional<std::vector<CompletionPart>> Cursor::shortest_completion_parts() {
  if (terminated_) return std::vector<CompletionPart>();
  settle();
  if (reads_text()) return complete_step_by_step();
  Completion found = estimate_completion(*automaton_, state());
  const bool is_exact = !automaton_->has_conditions() && found.parts.has_value();
  const bool is_none = !found.parts.has_value() && found.limit != Limit::kRegexFuel;
  if (is_exact || is_none) {
    if (found.limit != Limit::kNone) report(found.limit);
    return std::move(found.parts);
  }
  if (found.parts.has_value() && completes(*found.parts)) return std::move(found.parts);
  (void)explore(Question::kWalk, [&] {
    found = search_completion(*automaton_, state(), position());
    return found.limit;
  });
  return std::move(found.parts);
}

bool Cursor::completes(const std::vector<CompletionPart>& parts) {
  if (parts.size() == 1 && !parts.front().token.has_value()) {  // may be long: within the memory budget
    StateId end{};
    std::size_t viable = 0;
    const bool walked = walk(parts.front().text, end, viable) == Limit::kNone;
    limit_message_.clear();
    return walked && automaton_->accepts(end);
  }
  CompletionWalk walk(*automaton_, state(), position());
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

// Where what may come depends on the text, an estimate may fail behind the first place where the text decides; from
// there the next estimate knows more.
std::optional<std::vector<CompletionPart>> Cursor::complete_step_by_step() {
  std::optional<std::vector<CompletionPart>> way;
  const Limit limit = explore(Question::kWalk, [&] {
    const Walk walk(*this);
    way.emplace();
    StateId at = state();
    std::size_t size = 0;
    std::size_t refused = 0;
    while (!automaton_->accepts(at)) {
      const Completion found = estimate_completion(*automaton_, at);
      const std::size_t before = size;
      if (found.parts.has_value()) {
        if (const Limit met = follow(*found.parts, at, size, *way); met != Limit::kNone) return met;
      } else if (found.limit != Limit::kNone) {  // and a byte further it would be met again
        way.reset();
        return found.limit;
      }
      // What the estimate begins with the guard may refuse; then any byte that may come leads on.
      // Where it has refused very many, the next will hardly fare better.
      constexpr std::size_t kMostRefused = 1'000;
      if (size == before && ++refused <= kMostRefused) any_byte(at, size, *way);
      if (size != before && size <= compiled_->program().limits.completion_bytes) continue;
      way.reset();
      return size != before || refused > kMostRefused ? Limit::kCompletionBytes : found.limit;
    }
    return Limit::kNone;
  });
  if (limit != Limit::kNone) way.reset();
  return way;
}

void Cursor::any_byte(StateId& at, std::size_t& size, std::vector<CompletionPart>& way) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::uint8_t>('0' + i);  // something readable, if it may be
    const StateId next = step_byte(at, byte);
    if (next == StateId::kDead || is_limit(next)) continue;
    at = next;
    ++size;
    if (way.empty() || way.back().token.has_value()) way.emplace_back();
    way.back().text.push_back(static_cast<char>(byte));
    return;
  }
}

// Goes along `parts` from `at` as far as it is viable, and adds that to `way`.
Limit Cursor::follow(const std::vector<CompletionPart>& parts, StateId& at, std::size_t& size,
                     std::vector<CompletionPart>& way) {
  for (const CompletionPart& part : parts) {
    if (part.token.has_value()) {
      const StateId next = token_step(at, *part.token, TokenPosition::kInside);
      if (next == StateId::kDead || is_limit(next)) return limit_of(next);
      at = next;
      ++size;
      way.push_back(part);
      continue;
    }
    if (way.empty() || way.back().token.has_value()) way.emplace_back();
    for (const char c : part.text) {
      const StateId next = step_byte(at, static_cast<std::uint8_t>(c));
      if (next == StateId::kDead || is_limit(next)) return limit_of(next);
      at = next;
      ++size;
      way.back().text.push_back(c);
    }
  }
  return Limit::kNone;
}

}  // namespace weir::engine
