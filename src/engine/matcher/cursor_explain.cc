// Cursor: what may come next, and why a token is not allowed, in a form for people.
#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "base/work.h"
#include "engine/canonical/canonical_product.h"
#include "engine/matcher/cursor.h"
#include "engine/matcher/temperature.h"
#include "engine/search_bounds.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;

namespace {

// Adds the terminals that are in progress or may begin in a thread. If one in progress has the name `","` or `"," ws`,
// the text that the name speaks of has been read, so it is left out.
void add_expected(const Thread& thread, const lexer::Lexer& lexer, const grammar::Cfg& cfg,
                  std::set<std::uint32_t>& terminals) {
  for (const lexer::Item& item : lexer.items(thread.lexer)) {
    const std::string& name = cfg.terminals[item.terminal].name;
    const bool names_one_byte = name.size() >= 3 && name[0] == '"' && name[2] == '"' && name[1] != '\\';
    if (thread.fresh || !names_one_byte) terminals.insert(item.terminal);
  }
}

}  // namespace

Expectation Cursor::expected() {
  const base::Work::Call call(compiled_->program().limits.call_work);
  Expectation expectation;
  if (!is_terminated()) {
    const AutomatonUse::Call use(automaton_);
    if (settle() == Limit::kNone) expectation = expected_after({});
  }
  expectation.end = is_completed();
  return expectation;
}

// Returns what may come after `bytes`. If a limit is met, returns what is known. Precondition: `bytes` may come next.
Expectation Cursor::expected_after(std::string_view bytes) {
  Expectation expectation;
  StateId at{};
  (void)explore(Question::kStep, [&] {
    expectation.bytes.clear();
    at = automaton_->step(automaton_->begin_token(state()), bytes);
    Limit limit = limit_of(at);
    for (unsigned byte = 0; byte < 256 && !is_limit(at); ++byte) {
      const StateId next = automaton_->step(at, static_cast<std::uint8_t>(byte));
      if (is_limit(next)) limit = limit_of(next);
      if (next != StateId::kDead && !is_limit(next)) expectation.bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    return limit;
  });
  expectation.end = automaton_->accepts(at);
  const std::vector<Thread> threads = automaton_->threads(at);
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
    std::set<std::uint32_t> terminals;
    std::set<std::uint32_t> token_sets;
    for (const Thread& thread : threads) {
      add_expected(thread, lexer, grammar.cfg(), terminals);
      if (!thread.fresh) continue;
      for (const std::uint32_t set : rows.token_sets(thread.row)) token_sets.insert(set);
    }
    std::set<std::string_view> named;
    const auto add = [&](const std::string& name) {
      if (named.insert(name).second) expectation.terminals.push_back(name);
    };
    for (const std::uint32_t t : terminals) add(grammar.cfg().terminals[t].name);
    for (const std::uint32_t s : token_sets) add(grammar.cfg().token_sets[s].name);
  });
  return expectation;
}

std::vector<PlaceInGrammar> Cursor::expected_terminals() {
  if (is_terminated()) return {};
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return {};
  const std::vector<Thread> threads = automaton_->threads(state());
  std::set<std::uint32_t> terminals;
  std::vector<PlaceInGrammar> out;
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable&) {
    for (const Thread& thread : threads) add_expected(thread, lexer, grammar.cfg(), terminals);
    for (const std::uint32_t t : terminals) {
      const grammar::Terminal& terminal = grammar.cfg().terminals[t];
      out.push_back({terminal.name, terminal.where});
    }
  });
  return out;
}

std::vector<PlaceInGrammar> Cursor::open_rules() {
  if (is_terminated()) return {};
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  if (settle() != Limit::kNone) return {};
  std::vector<PlaceInGrammar> out;
  for (const OpenRule& rule : rules_open_in(state(), Lexemes::kLeftOut)) out.push_back(rule.place);
  return out;
}

std::optional<float> Cursor::temperature() {
  if (is_terminated() || !compiled_->program().has_temperatures) return std::nullopt;
  const base::Work::Call call(compiled_->program().limits.call_work);
  const AutomatonUse::Call use(automaton_);
  return settle() == Limit::kNone ? temperature_at(*automaton_, state()) : std::nullopt;
}

// Returns the rules in progress in a state, the innermost first. `lexemes` says whether rules whose first lexeme is
// still in progress are included.
std::vector<Cursor::OpenRule> Cursor::rules_open_in(StateId at, Lexemes lexemes) {
  const std::vector<Thread> threads = automaton_->threads(at);
  std::vector<OpenRule> out;
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
    const grammar::Cfg& cfg = grammar.cfg();
    std::vector<earley::Entry> items;  // breadth first: inner rules come before those around them
    std::set<earley::Entry> seen;
    const auto add = [&](std::span<const earley::Entry> entries) {
      for (const earley::Entry& entry : entries) {
        if (entry != earley::kAccept && seen.insert(entry).second) items.push_back(entry);
      }
    };
    for (const Thread& thread : threads) {
      if (thread.fresh || lexemes == Lexemes::kLeftOut) {
        add(rows.kernel(thread.row));
        continue;
      }
      for (const lexer::Item& item : lexer.items(thread.lexer)) {
        const auto after = rows.items_after(thread.row, item.terminal);
        add(after);
      }
    }
    for (std::size_t i = 0; i < items.size() && i < kMaxListedItems; ++i) {
      if (earley::is_fence(items[i])) {
        add(rows.entries(items[i].continuation));
        continue;
      }
      const grammar::CfgRule& rule = cfg.rules[cfg.rule_of(items[i].item)];
      const OpenRule open{{rule.name, rule.where}, rule.max_tokens};
      if (std::find(out.begin(), out.end(), open) == out.end()) out.push_back(open);
      add(rows.entries(items[i].continuation));
    }
  });
  return out;
}

// Returns true if the grammar allows the bytes, and only a bound on tokens (`max_tokens` of a rule) refuses them.
// Precondition: the token with these bytes is refused.
bool Cursor::is_refused_by_bound(std::string_view bytes) {
  if (!automaton_->has_bounds()) return false;
  const TextState::Walk walk(text_);
  const StateId after = automaton_->step(state(), bytes, text_);
  return after != StateId::kDead && !is_limit(after);
}

// Returns true if only the budget (MatcherOptions::max_tokens) refuses the token. In canonical mode also if nothing but
// bounds of rules refuses the canonical outputs with it. Precondition: the token is refused.
bool Cursor::is_refused_by_budget(std::uint32_t token) {
  if (!(is_canonical() ? canonical_tokens_left() : max_tokens_).has_value()) return false;
  const TextState::Walk walk(text_);
  const StateId next = automaton_->step_token(state(), token, position(), beside());
  if (next == StateId::kDead || is_limit(next) || !is_canonical()) return next != StateId::kDead && !is_limit(next);
  CanonicalProduct& product = CanonicalProduct::of(*automaton_, *canonical_);
  const canonical::CanonicalId after = product.step(canonical_state(), token);
  return after != canonical::CanonicalId::kRefused && product.is_viable(next, after).is_yes();
}

std::string Cursor::bound_reason(std::string_view bytes) {
  const TextState::Walk walk(text_);
  std::string bounds;
  for (const OpenRule& rule : rules_open_in(automaton_->step(state(), bytes, text_), Lexemes::kIncluded)) {
    if (rule.max_tokens == grammar::kNoTokenLimit) continue;
    bounds += (bounds.empty() ? "" : ", ") + ("`max_tokens` " + std::to_string(rule.max_tokens)) + " of `" +
              rule.place.name + "`";
  }
  if (bounds.empty()) bounds = "`max_tokens`";
  return bounds + " leaves no room to end after it";
}

// Returns why canonical mode refuses a token that the grammar allows; empty if the grammar refuses it, too.
std::string Cursor::canonical_reason(std::uint32_t token) {
  StateId next{};
  {
    const TextState::Walk walk(text_);
    next = automaton_->step_token(state(), token, position(), beside());
  }
  if (next == StateId::kDead || is_limit(next)) return {};
  const auto shown = [](std::string_view bytes) { return "`" + base::escape_for_display(bytes) + "`"; };
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  const std::string_view bytes = stops_.text_of(token, position());
  if (bytes.empty()) return "a token without text, and the tokenizer does not write the text before it as these tokens";
  std::string text;
  std::string written;
  std::string_view before;
  if (history_.size() != 0) {
    before = history_.text_of(history_.size() - 1);
  } else if (const std::uint32_t last = canonical_->last_symbol(canonical_state()); last < vocabulary.size()) {
    before = vocabulary.token_bytes(last);  // of the context
  }
  text += before;
  written += before.empty() ? "" : shown(before) + " ";
  text += bytes;
  written += shown(bytes);
  const auto tokens = compiled_->program().tokenizer.tokenize(text);
  std::string others;
  for (const std::uint32_t one : tokens ? *tokens : std::vector<std::uint32_t>()) {
    others += (others.empty() ? "" : " ") + shown(vocabulary.token_bytes(one));
  }
  if (others.empty() || others == written) {
    return "the tokenizer writes " + shown(bytes) + " as the next token in no text that may follow";
  }
  return "the tokenizer writes " + written + " as " + others;
}

TokenExplanation Cursor::explain(std::uint32_t token) {
  const base::Work::Call call(compiled_->program().limits.call_work);
  const vocab::Vocabulary& vocabulary = compiled_->program().tokenizer.vocabulary();
  TokenExplanation out;
  if (token >= vocabulary.size()) {
    out.reason = "the vocabulary has no token " + std::to_string(token);
    return out;
  }
  if (is_terminated()) {
    out.reason = "the output has ended with a stop token";
    return out;
  }
  const AutomatonUse::Call use(automaton_);
  if (settle() == Limit::kNone) out.allowed = may_come(token).is_yes();
  if (!limit_message_.empty()) {
    out.reason = limit_message_;
    return out;
  }
  const std::string_view bytes = bytes_of(token, position());
  if (out.allowed) {
    out.bytes_matched = bytes.size();
    return out;
  }
  if (is_canonical() && !is_refused_by_budget(token)) {
    if (out.reason = canonical_reason(token); !out.reason.empty()) {
      out.bytes_matched = bytes.size();
      return out;
    }
  }
  const TokenKind kind = vocabulary.token_kind(token);
  const bool is_text = kind == TokenKind::kNormal || kind == TokenKind::kByte;
  if (stops_.contains(token)) {
    out.reason = "a stop token, and the output is not complete here";
  } else if (!is_text || bytes.empty()) {
    out.reason = "a token without text, and no token terminal asks for it here";
  } else if (is_refused_by_budget(token)) {
    out.bytes_matched = bytes.size();
    out.reason = max_tokens_.has_value() ? "the budget of " + std::to_string(*max_tokens_) +
                                               " tokens leaves too few to complete the output after it"
                                         : bound_reason(bytes);
    return out;
  } else if (is_refused_by_bound(bytes)) {
    out.reason = bound_reason(bytes);
  } else {
    StateId last{};
    if (walk(bytes, last, out.bytes_matched) != Limit::kNone) {
      out.reason = limit_message_;
      return out;
    }
    out.reason = "`" + base::escape_for_display(bytes.substr(out.bytes_matched)) + "` cannot follow";
    if (out.bytes_matched != 0) {
      out.reason += " `" + base::escape_for_display(bytes.substr(0, out.bytes_matched)) + "`";
    }
    out.reason += " here";
  }
  out.expected = expected_after(bytes.substr(0, out.bytes_matched));
  return out;
}

}  // namespace weir::engine
