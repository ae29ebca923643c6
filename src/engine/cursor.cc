#include "engine/cursor.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "engine/completion.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

namespace {

bool is_limit(StateId state) { return state == StateId::kLimit; }
bool is_null(const Mask* mask) { return mask == nullptr; }

}  // namespace

Cursor::Cursor(std::shared_ptr<Compiled> compiled, const MatcherOptions& options)
    : compiled_(std::move(compiled)),
      automaton_(compiled_->automaton()),
      drops_leading_space_(options.at_text_start && compiled_->program().tokenizer.vocabulary().drops_leading_space()),
      memory_threshold_(compiled_->program().limits.state_memory),
      start_(automaton_->start()) {}

StateId Cursor::settle() {
  limit_message_.clear();
  if (automaton_->memory_bytes() > memory_threshold_) move_to_fresh_automaton();
  return state();
}

// Replays the history on a new automaton. On a limit there, which replaying the same steps should not meet, the cursor
// stays where it is.
bool Cursor::move_to_fresh_automaton() {
  const std::shared_ptr<Automaton> old = automaton_;
  const StateId old_start = start_;
  const std::vector<StepRecord> old_steps = steps_;
  automaton_ = compiled_->replace(old);
  start_ = automaton_->start();
  bool ok = !is_limit(start_);
  StateId at = start_;
  for (std::size_t i = 0; i < steps_.size() && ok; ++i) {
    StepRecord& step = steps_[i];
    const bool stays =
        terminated_ && i + 1 == steps_.size() && step.state == (i == 0 ? old_start : old_steps[i - 1].state);
    if (!stays) {
      if (step.token == kByteStep) {
        const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].bytes_begin : bytes_.size();
        at = automaton_->step(at, std::string_view(bytes_).substr(step.bytes_begin, end - step.bytes_begin));
      } else {
        at = token_step(at, step.token, position_behind(i));
      }
    }
    ok = !is_limit(at);
    step.state = at;
  }
  if (!ok) {
    automaton_ = old;
    start_ = old_start;
    steps_ = old_steps;
    return false;
  }
  memory_threshold_ = std::max(compiled_->program().limits.state_memory, 2 * automaton_->memory_bytes());
  return true;
}

// Whether a limit that was just met counts what an automaton keeps, so that a fresh one may help.
bool Cursor::should_retry() {
  const std::string_view limit = automaton_->limit_hit();
  return (limit == "lexer_states" || limit == "regex_nodes") && move_to_fresh_automaton();
}

template <typename Explore>
auto Cursor::with_fresh_retry(Explore explore, bool (*failed)(decltype(explore()))) {
  auto result = explore();
  if (failed(result) && should_retry()) result = explore();
  return result;
}

Step Cursor::limit_step() {
  const std::string limit = automaton_->limit_hit();
  limit_message_ = "the limit `" + limit + "` was exceeded; raise Limits::" + limit + " or simplify the grammar";
  return Step::kLimitExceeded;
}

// The place of a token behind the first `steps` steps. Special tokens are no part of the text, so the first token behind
// them is still the first; so is, in some tokenizers, the one behind a token that added nothing as the first.
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

// The state behind a token that is not taken as a stop token.
StateId Cursor::token_step(StateId from, std::uint32_t token, TokenPosition position) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  if (position == TokenPosition::kFirst) {
    const auto empty = vocabulary.first_empty_tokens();
    if (std::binary_search(empty.begin(), empty.end(), token)) return from;
  }
  const TokenKind kind = vocabulary.token_kind(token);
  const bool is_text = (kind == TokenKind::kNormal || kind == TokenKind::kByte) && !vocabulary.is_stop_token(token);
  return automaton_->step_token(from, token, is_text ? bytes_of(token, position) : std::string_view{});
}

Step Cursor::fill_next_token_bitmask(std::span<std::uint32_t> bitmask) {
  std::fill(bitmask.begin(), bitmask.end(), 0);
  if (bitmask.size() != bitmask_words(compiled_->program().tokenizer.vocab_size())) return Step::kBadArgument;
  if (terminated_) return Step::kTerminated;
  settle();
  const Mask* mask = with_fresh_retry([this] { return automaton_->mask(state(), position()); }, is_null);
  if (mask == nullptr) return limit_step();
  std::copy(mask->words.begin(), mask->words.end(), bitmask.begin());
  return Step::kOk;
}

Step Cursor::accept_token(std::uint32_t token) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  if (token >= vocabulary.size()) return Step::kBadArgument;
  if (terminated_) return Step::kTerminated;
  settle();
  const StateId next = with_fresh_retry([&] { return token_step(state(), token, position()); }, is_limit);
  if (is_limit(next)) return limit_step();
  const bool is_stop = vocabulary.is_stop_token(token);
  if (next == StateId::kDead) {
    if (!is_stop || !automaton_->accepts(state())) return Step::kRefused;
    steps_.push_back({state(), token, bytes_.size()});
    terminated_ = true;
    return Step::kOk;
  }
  // A stop token that the grammar itself asks for ends the output if the grammar is then complete.
  terminated_ = is_stop && automaton_->accepts(next);
  steps_.push_back({next, token, bytes_.size()});
  return Step::kOk;
}

Step Cursor::accept_bytes(std::string_view bytes) {
  if (terminated_) return Step::kTerminated;
  settle();
  const StateId next = with_fresh_retry([&] { return automaton_->step(state(), bytes); }, is_limit);
  if (is_limit(next)) return limit_step();
  if (next == StateId::kDead) return Step::kRefused;
  steps_.push_back({next, kByteStep, bytes_.size()});
  bytes_ += bytes;
  return Step::kOk;
}

Step Cursor::rollback(std::size_t steps) {
  if (steps > steps_.size()) return Step::kBadArgument;
  if (steps == 0) return Step::kOk;
  bytes_.resize(steps_[steps_.size() - steps].bytes_begin);
  steps_.resize(steps_.size() - steps);
  terminated_ = false;
  return Step::kOk;
}

void Cursor::reset() { (void)rollback(steps_.size()); }

bool Cursor::is_token_allowed(std::uint32_t token) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  if (terminated_ || token >= vocabulary.size()) return false;
  settle();
  const StateId next = with_fresh_retry([&] { return token_step(state(), token, position()); }, is_limit);
  if (next == StateId::kDead) return vocabulary.is_stop_token(token) && automaton_->accepts(state());
  if (is_limit(next)) (void)limit_step();
  return !is_limit(next);
}

std::size_t Cursor::longest_viable_prefix(std::string_view bytes) {
  if (terminated_) return 0;
  settle();
  std::size_t viable = 0;
  const StateId last = with_fresh_retry(
      [&] {
        StateId at = state();
        for (viable = 0; viable < bytes.size(); ++viable) {
          at = automaton_->step(at, static_cast<std::uint8_t>(bytes[viable]));
          if (at == StateId::kDead || is_limit(at)) break;
        }
        return at;
      },
      is_limit);
  if (is_limit(last)) (void)limit_step();
  return viable;
}

std::string Cursor::forced_bytes() {
  std::string forced;
  if (terminated_) return forced;
  StateId at = settle();
  std::unordered_set<std::uint32_t> seen;
  while (!automaton_->accepts(at) && !automaton_->has_token_exits(at) &&
         seen.insert(static_cast<std::uint32_t>(at)).second) {
    int only = -1;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const StateId next = automaton_->step(at, static_cast<std::uint8_t>(byte));
      if (next == StateId::kDead) continue;
      if (is_limit(next)) (void)limit_step();
      if (is_limit(next) || only >= 0) return forced;
      only = static_cast<int>(byte);
    }
    if (only < 0) break;
    forced.push_back(static_cast<char>(only));
    at = automaton_->step(at, static_cast<std::uint8_t>(only));
  }
  return forced;
}

// A token of the forced text is safe when no continuation can make the tokenizer choose another: when it ends before every
// suffix of the text that some longer token begins with. (Merges reach no further than a token that covers them.)
std::vector<std::uint32_t> Cursor::forced_tokens() {
  const TokenizerInfo& tokenizer = compiled_->program().tokenizer;
  const std::string forced = forced_bytes();
  Result<std::vector<std::uint32_t>> tokens = tokenizer.tokenize(forced);
  if (!tokens) return {};
  const vocab::TokenTrie& trie = tokenizer.vocabulary().trie();
  const auto extends_to_longer_token = [&](std::size_t from) {
    std::size_t at = from;
    std::size_t i = 0;
    std::size_t end = trie.nodes().size();
    while (i < end) {
      const vocab::TrieNode node = trie.nodes()[i];
      if (node.byte != static_cast<std::uint8_t>(forced[at])) {
        i += node.subtree_size;
        continue;
      }
      if (++at == forced.size()) return node.subtree_size > 1;
      end = i + node.subtree_size;
      ++i;
    }
    return false;
  };
  std::size_t safe = forced.size();
  const std::size_t reach = std::min<std::size_t>(forced.size(), trie.max_depth());
  for (std::size_t from = forced.size() - reach; from < forced.size(); ++from) {
    if (extends_to_longer_token(from)) {
      safe = from;
      break;
    }
  }
  std::size_t end = 0;
  std::size_t kept = 0;
  for (TokenPosition at = position(); kept < tokens->size(); ++kept, at = TokenPosition::kInside) {
    // A tokenizer's unknown token stands for text that it does not write.
    const TokenKind kind = tokenizer.token_kind((*tokens)[kept]);
    if (kind == TokenKind::kSpecial || kind == TokenKind::kUnused) break;
    end += bytes_of((*tokens)[kept], at).size();
    if (end > safe) break;
  }
  tokens->resize(kept);
  // A tokenizer that puts a space before every text gives other bytes where the output is already under way.
  std::string bytes;
  for (std::size_t i = 0; i < kept; ++i) {
    bytes += bytes_of((*tokens)[i], i == 0 ? position() : TokenPosition::kInside);
  }
  if (!forced.starts_with(bytes)) return {};
  return *std::move(tokens);
}

std::optional<std::string> Cursor::shortest_completion() {
  if (terminated_) return std::string();
  return engine::shortest_completion(*automaton_, settle());
}

Expectation Cursor::expected() { return terminated_ ? Expectation{} : expected_at(settle()); }

Expectation Cursor::expected_at(StateId at) {
  Expectation expectation;
  expectation.end = automaton_->accepts(at);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const StateId next = automaton_->step(at, static_cast<std::uint8_t>(byte));
    if (is_limit(next)) (void)limit_step();
    if (next != StateId::kDead && !is_limit(next)) expectation.bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  const std::vector<Thread> threads = automaton_->threads(at);
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
    std::set<std::uint32_t> terminals;
    std::set<std::uint32_t> token_sets;
    for (const Thread& thread : threads) {
      const auto items = lexer.items(thread.lexer);
      for (std::size_t i = 0; i < items.size(); i += 2) terminals.insert(items[i]);
      if (!thread.fresh) continue;
      for (const std::uint32_t set : rows.token_sets(thread.row)) token_sets.insert(set);
    }
    const auto add = [&](const std::string& name) {
      auto& names = expectation.terminals;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    for (const std::uint32_t t : terminals) add(grammar.cfg().terminals[t].name);
    for (const std::uint32_t s : token_sets) add(grammar.cfg().token_sets[s].name);
  });
  return expectation;
}

TokenExplanation Cursor::explain(std::uint32_t token) {
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  TokenExplanation out;
  if (token >= vocabulary.size()) {
    out.reason = "the vocabulary has no token " + std::to_string(token);
    return out;
  }
  if (terminated_) {
    out.reason = "the output has ended with a stop token";
    return out;
  }
  out.allowed = is_token_allowed(token);
  const std::string_view bytes = bytes_of(token, position());
  if (out.allowed) {
    out.bytes_matched = bytes.size();
    return out;
  }
  const bool is_text =
      vocabulary.token_kind(token) == TokenKind::kNormal || vocabulary.token_kind(token) == TokenKind::kByte;
  if (vocabulary.is_stop_token(token)) {
    out.reason = "a stop token, and the output is not complete here";
  } else if (!is_text || bytes.empty()) {
    out.reason = "a token without text, and no token terminal asks for it here";
  } else {
    out.bytes_matched = longest_viable_prefix(bytes);
    const StateId at = automaton_->step(settle(), bytes.substr(0, out.bytes_matched));
    out.expected = expected_at(at);
    out.reason = "`" + base::escape_for_display(bytes.substr(out.bytes_matched)) + "` cannot follow";
    if (out.bytes_matched != 0) {
      out.reason += " `" + base::escape_for_display(bytes.substr(0, out.bytes_matched)) + "`";
    }
    out.reason += " here";
    return out;
  }
  out.expected = expected_at(settle());
  return out;
}

}  // namespace weir::engine
