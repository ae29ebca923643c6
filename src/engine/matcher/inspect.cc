#include "engine/matcher/inspect.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "engine/matcher/temperature.h"
#include "grammar/print.h"
#include "regex/expr/print.h"

namespace weir::engine {

namespace {

using earley::Entry;
using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;

std::string symbol_name(const Cfg& cfg, Symbol symbol) {
  switch (symbol.kind()) {
    case Symbol::Kind::kRule: return cfg.rules[symbol.index()].name;
    case Symbol::Kind::kTerminal: return cfg.terminals[symbol.index()].name;
    case Symbol::Kind::kTokens: return cfg.token_sets[symbol.index()].name;
    case Symbol::Kind::kEnd: break;
  }
  return "";
}

// Returns an item as text: "object ::= `{` members • `}`".
std::string describe_item(const Cfg& cfg, ItemId item) {
  auto last = static_cast<std::uint32_t>(item);
  while (cfg.symbols[last].kind() != Symbol::Kind::kEnd) ++last;
  const std::uint32_t lhs = cfg.symbols[last].index();
  std::uint32_t first = 0;
  for (const ItemId production : cfg.rules[lhs].productions) {
    if (production <= item) first = std::max(first, static_cast<std::uint32_t>(production));
  }
  std::string out = cfg.rules[lhs].name + " ::=";
  for (std::uint32_t i = first; i < last; ++i) {
    if (ItemId{i} == item) out += " •";
    out += " " + symbol_name(cfg, cfg.symbols[i]);
  }
  if (ItemId{last} == item) out += " •";
  return out;
}

void append_entries(const Cfg& cfg, const earley::RowTable& rows, std::span<const Entry> entries, unsigned depth,
                    const std::string& indent, std::string& out) {
  for (const Entry& entry : entries) {
    if (entry == earley::kAccept || entry == earley::kLeave) {
      out += indent + (entry == earley::kAccept ? "(end of text)\n" : "(end of frame)\n");
      continue;
    }
    const std::string place = earley::is_fence(entry)
                                  ? "within " + std::to_string(earley::fence_tokens(entry)) + " more tokens"
                                  : describe_item(cfg, entry.item);
    out += indent + place + "   then c" + std::to_string(static_cast<std::uint32_t>(entry.continuation)) + "\n";
    if (depth > 0) append_entries(cfg, rows, rows.entries(entry.continuation), depth - 1, indent + "    ", out);
  }
}

std::string describe_row(const Cfg& cfg, const earley::RowTable& rows, earley::RowId row, unsigned depth,
                         const std::string& indent) {
  std::string out;
  append_entries(cfg, rows, rows.kernel(row), depth, indent, out);
  out += indent + "expects:";
  for (const std::uint32_t t : rows.terminals(row)) out += " " + cfg.terminals[t].name;
  for (const std::uint32_t s : rows.token_sets(row)) out += " " + cfg.token_sets[s].name;
  return out + "\n";
}

std::string describe_lexer_state(const Cfg& cfg, const lexer::Lexer& lexer, lexer::LexerStateId state,
                                 const std::string& indent) {
  std::string out;
  for (const auto& [terminal, residual] : lexer.items(state)) {
    out += indent + cfg.terminals[terminal].name + ": " + regex::to_string(lexer.exprs(), residual) + "\n";
  }
  return out;
}

}  // namespace

std::string describe_terminals(const Program& program) {
  std::string out;
  for (std::size_t t = 0; t < program.cfg.terminals.size(); ++t) {
    const grammar::Terminal& terminal = program.cfg.terminals[t];
    out += std::to_string(t) + "  " + terminal.name + "  " + std::string(base::name_of(program.terminals[t].mode)) +
           "  " + regex::to_string(program.cfg.exprs, terminal.expr);
    if (terminal.temperature != grammar::kNoTemperature) {
      out += "  temperature " + grammar::temperature_text(terminal.temperature);
    }
    out += "\n";
  }
  for (const grammar::TokenSet& set : program.cfg.token_sets) out += "tokens  " + set.name + "\n";
  return out;
}

std::string describe_state(Compiled& compiled, std::string_view text, unsigned depth) {
  const std::shared_ptr<SharedAutomaton> automaton = compiled.automaton();
  StateId state = automaton->start();
  for (std::size_t i = 0; i < text.size(); ++i) {
    state = automaton->step(state, static_cast<std::uint8_t>(text[i]));
    if (is_limit(state)) return std::string("limit met: ") + base::field_name(limit_of(state)) + "\n";
    if (state == StateId::kDead) {
      return "no string of the language begins with `" + base::escape_for_display(text.substr(0, i + 1)) + "`\n";
    }
  }
  std::string out = "state " + std::to_string(static_cast<std::uint32_t>(state)) +
                    (automaton->accepts(state) ? ", the text may end here\n" : "\n");
  if (const std::optional<float> temperature = temperature_at(*automaton, state)) {
    out += "  temperature " + grammar::temperature_text(*temperature) + "\n";
  }
  for (const Thread& thread : automaton->threads(state)) {
    out += automaton->inspect(
        [&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
          const Cfg& cfg = grammar.cfg();
          std::string part = "  thread: row " + std::to_string(static_cast<std::uint32_t>(thread.row)) +
                             ", lexer state " + std::to_string(static_cast<std::uint32_t>(thread.lexer)) +
                             (thread.fresh ? ", stands here\n" : "\n");
          if (thread.rest != regex::ExprId::kAllStrings) {
            part += "    the rest must match " + regex::to_string(lexer.exprs(), thread.rest) + "\n";
          }
          part += describe_row(cfg, rows, thread.row, depth, "    ");
          return part + describe_lexer_state(cfg, lexer, thread.lexer, "    in progress: ");
        });
  }
  return out;
}

std::string describe_rows(Compiled& compiled) {
  return compiled.automaton()->inspect(
      [&](const grammar::GrowingCfg& grammar, const lexer::Lexer&, const earley::RowTable& rows) {
        const Cfg& cfg = grammar.cfg();
        std::string out;
        for (std::uint32_t row = 0; row < rows.row_count(); ++row) {
          out += "row " + std::to_string(row) + (rows.accepts(earley::RowId{row}) ? "  (accepts)\n" : "\n");
          out += describe_row(cfg, rows, earley::RowId{row}, 0, "    ");
        }
        return out;
      });
}

std::string describe_lexer_states(Compiled& compiled) {
  return compiled.automaton()->inspect(
      [&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable&) {
        const Cfg& cfg = grammar.cfg();
        std::string out;
        for (std::uint32_t state = 1; state < lexer.state_count(); ++state) {
          out += "lexer state " + std::to_string(state) + "\n";
          out += describe_lexer_state(cfg, lexer, lexer::LexerStateId{state}, "    ");
        }
        return out;
      });
}

}  // namespace weir::engine
