#include "grammar/passes/merge.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "grammar/passes/loops.h"
#include "grammar/search_bounds.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

class Merger {
 public:
  explicit Merger(Draft& draft) : draft_(draft), loops_(draft.exprs), uses_(draft.terminals.size(), 0) {
    for (const DraftRule& rule : draft.rules) {
      for (const Production& production : rule.productions) {
        for (const Symbol symbol : production) {
          if (symbol.kind() == Symbol::Kind::kTerminal) ++uses_[symbol.index()];
        }
      }
    }
    for (const Terminal& terminal : draft.terminals) {
      mergeable_.push_back(find_mergeable(terminal, uses_[mergeable_.size()]));
    }
  }

  Result<void> run() {
    for (DraftRule& rule : draft_.rules) {
      for (Production& production : rule.productions) {
        if (auto done = merge(production); !done) return done;
      }
    }
    return {};
  }

 private:
  // Terminals without a text are not merged, because their size is unknown.
  [[nodiscard]] bool find_mergeable(const Terminal& terminal, std::uint32_t uses) {
    if (terminal.mode != base::LexemeMode::kExact || terminal.text.empty()) return false;
    if (terminal.follow != ExprId::kAllStrings) return false;
    if (uses == 0 || (uses > 1 && terminal.text.size() > kSharedLeaves)) return false;
    return !loops_.loops_of(terminal).is_unit();
  }

  [[nodiscard]] bool mergeable(Symbol symbol) const {
    return symbol.kind() == Symbol::Kind::kTerminal && mergeable_[symbol.index()];
  }

  Result<void> merge(Production& production) {
    Production merged;
    for (std::size_t i = 0; i < production.size();) {
      std::size_t end = i;
      while (end < production.size() && end - i < kSequenceLeaves && mergeable(production[end])) ++end;
      if (end < i + 2) {
        merged.push_back(production[i++]);
        continue;
      }
      const Result<Symbol> one = joined(std::span(production).subspan(i, end - i));
      if (!one) return tl::unexpected(one.error());
      merged.push_back(*one);
      i = end;
    }
    production = std::move(merged);
    return {};
  }

  Result<Symbol> joined(std::span<const Symbol> run) {
    std::vector<std::uint32_t> key;
    std::vector<ExprId> parts;
    for (const Symbol symbol : run) {
      key.push_back(symbol.index());
      parts.push_back(draft_.terminals[symbol.index()].expr);
    }
    const auto [found, is_new] = known_.try_emplace(std::move(key));
    if (!is_new) return Symbol::terminal(found->second);
    Terminal terminal;
    terminal.where = {first_of(run).where.start, draft_.terminals[run.back().index()].where.end};
    if (terminal.where.end < terminal.where.start) terminal.where = first_of(run).where;  // parts from different rules
    terminal.expr = draft_.exprs.concat(parts);
    if (terminal.expr == ExprId::kOverflow) {
      return tl::unexpected(regex::overflow_error(draft_.exprs, terminal.where));
    }
    describe(terminal, run);
    found->second = draft_.add_terminal(std::move(terminal));
    return Symbol::terminal(found->second);
  }

  [[nodiscard]] const Terminal& first_of(std::span<const Symbol> run) const {
    return draft_.terminals[run.front().index()];
  }

  void describe(Terminal& terminal, std::span<const Symbol> run) const {
    bool has_text = true;
    for (const Symbol symbol : run) {
      const Terminal& part = draft_.terminals[symbol.index()];
      if (!terminal.name.empty()) terminal.name += ' ';
      terminal.name += part.name;
      has_text = has_text && !part.text.empty() && terminal.text.size() <= kTerminalTextBytes;
      if (!terminal.text.empty()) terminal.text += ' ';
      terminal.text += part.text;
    }
    terminal.name = base::escape_for_display(terminal.name, kTerminalNameBytes);
    terminal.text = has_text && terminal.text.size() <= kTerminalTextBytes ? "(" + terminal.text + ")" : std::string();
  }

  Draft& draft_;
  LoopFinder loops_;
  std::vector<std::uint32_t> uses_;  // by terminal
  std::vector<bool> mergeable_;      // by terminal
  std::map<std::vector<std::uint32_t>, TerminalId> known_;
};

}  // namespace

Result<void> merge_terminals(Draft& draft) { return Merger(draft).run(); }

}  // namespace weir::grammar
