// Cursor: what may come next, and why a token may not, for people.
#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "engine/cursor.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;

Expectation Cursor::expected() {
  if (terminated_) return {};
  settle();
  return expected_behind({});
}

// What may come behind `bytes`, which may come next. On a limit as much of it as is known.
Expectation Cursor::expected_behind(std::string_view bytes) {
  Expectation expectation;
  StateId at{};
  (void)explore(Question::kStep, [&] {
    expectation.bytes.clear();
    at = automaton_->step(state(), bytes);
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

std::vector<PlaceInGrammar> Cursor::expected_terminals() {
  if (terminated_) return {};
  settle();
  const std::vector<Thread> threads = automaton_->threads(state());
  std::set<std::uint32_t> terminals;
  std::vector<PlaceInGrammar> out;
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable&) {
    for (const Thread& thread : threads) {
      const auto items = lexer.items(thread.lexer);
      for (std::size_t i = 0; i < items.size(); i += 2) terminals.insert(items[i]);
    }
    for (const std::uint32_t t : terminals) {
      const grammar::Terminal& terminal = grammar.cfg().terminals[t];
      out.push_back({terminal.name, terminal.where});
    }
  });
  return out;
}

std::vector<PlaceInGrammar> Cursor::open_rules() {
  if (terminated_) return {};
  settle();
  constexpr std::size_t kMostItems = 10'000;
  const std::vector<Thread> threads = automaton_->threads(state());
  std::vector<PlaceInGrammar> out;
  automaton_->inspect([&](const grammar::GrowingCfg& grammar, const lexer::Lexer&, const earley::RowTable& rows) {
    const grammar::Cfg& cfg = grammar.cfg();
    std::vector<earley::Entry> items;  // breadth first, so that what is resumed sooner comes sooner
    std::set<earley::Entry> seen;
    const auto add = [&](const std::vector<earley::Entry>& entries) {
      for (const earley::Entry& entry : entries) {
        if (entry != earley::kAccept && seen.insert(entry).second) items.push_back(entry);
      }
    };
    for (const Thread& thread : threads) add(rows.kernel(thread.row));
    for (std::size_t i = 0; i < items.size() && i < kMostItems; ++i) {
      grammar::ItemId end = items[i].item;
      while (cfg.symbol(end).kind() != grammar::Symbol::Kind::kEnd) end = grammar::Cfg::next(end);
      const grammar::CfgRule& rule = cfg.rules[cfg.symbol(end).index()];
      const PlaceInGrammar place{rule.name, rule.where};
      if (std::find(out.begin(), out.end(), place) == out.end()) out.push_back(place);
      add(rows.entries(items[i].continuation));
    }
  });
  return out;
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
  settle();
  out.allowed = is_allowed_here(token);
  if (!limit_message_.empty()) {
    out.reason = limit_message_;
    return out;
  }
  const std::string_view bytes = bytes_of(token, position());
  if (out.allowed) {
    out.bytes_matched = bytes.size();
    return out;
  }
  const TokenKind kind = vocabulary.token_kind(token);
  const bool is_text = kind == TokenKind::kNormal || kind == TokenKind::kByte;
  if (vocabulary.is_stop_token(token)) {
    out.reason = "a stop token, and the output is not complete here";
  } else if (!is_text || bytes.empty()) {
    out.reason = "a token without text, and no token terminal asks for it here";
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
  out.expected = expected_behind(bytes.substr(0, out.bytes_matched));
  return out;
}

}  // namespace weir::engine
