#include "grammar/passes/emit.h"

#include <utility>

namespace weir::grammar {

namespace {

// Numbers things in the order in which they are first met.
class Renumbering {
 public:
  explicit Renumbering(std::size_t count) : new_of_(count, kNone) {}
  std::uint32_t operator()(std::uint32_t old) {
    if (new_of_[old] == kNone) {
      new_of_[old] = static_cast<std::uint32_t>(old_of_.size());
      old_of_.push_back(old);
    }
    return new_of_[old];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return old_of_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> new_of_;
  std::vector<std::uint32_t> old_of_;
};

// The least set of rules with a production of nullable rules alone: each production counts the symbols that are not
// known to be nullable, each rule knows where it is used.
void find_nullable(Cfg& cfg) {
  std::vector<std::uint32_t> open(cfg.symbols.size(), 0);  // by a production's first item
  std::vector<std::vector<std::uint32_t>> uses(
      cfg.rules.size());  // first items of the productions with the rule in them
  std::vector<std::uint32_t> pending;
  const auto settle = [&](std::uint32_t rule) {
    if (std::exchange(cfg.rules[rule].nullable, true)) return;
    pending.push_back(rule);
  };
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    for (const ItemId first : cfg.rules[r].productions) {
      const auto start = static_cast<std::uint32_t>(first);
      for (ItemId item = first; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        ++open[start];
        const Symbol symbol = cfg.symbol(item);
        if (symbol.kind() == Symbol::Kind::kRule) uses[symbol.index()].push_back(start);
      }
      if (open[start] == 0) settle(r);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t rule = pending.back();
    pending.pop_back();
    for (const std::uint32_t start : uses[rule]) {
      if (--open[start] > 0) continue;
      ItemId end{start};
      while (cfg.symbol(end).kind() != Symbol::Kind::kEnd) end = Cfg::next(end);
      settle(cfg.symbol(end).index());
    }
  }
}

}  // namespace

Cfg emit(Draft draft) {
  Renumbering rules(draft.rules.size());
  Renumbering terminals(draft.terminals.size());
  Renumbering token_sets(draft.token_sets.size());
  Cfg cfg(std::move(draft.exprs));
  cfg.start = RuleId{rules(static_cast<std::uint32_t>(draft.start))};
  for (std::uint32_t r = 0; r < rules.order().size(); ++r) {  // grows as rules are met
    DraftRule& from = draft.rules[rules.order()[r]];
    CfgRule to{std::move(from.name), from.where, false, from.lazy, {}};
    for (const Production& production : from.productions) {
      to.productions.push_back(ItemId{static_cast<std::uint32_t>(cfg.symbols.size())});
      for (const Symbol symbol : production) {
        switch (symbol.kind()) {
          case Symbol::Kind::kRule: cfg.symbols.push_back(Symbol::rule(RuleId{rules(symbol.index())})); break;
          case Symbol::Kind::kTerminal:
            cfg.symbols.push_back(Symbol::terminal(TerminalId{terminals(symbol.index())}));
            break;
          case Symbol::Kind::kTokens:
            cfg.symbols.push_back(Symbol::tokens(TokenSetId{token_sets(symbol.index())}));
            break;
          case Symbol::Kind::kEnd: break;
        }
      }
      cfg.symbols.push_back(Symbol::end(RuleId{r}));
    }
    cfg.rules.push_back(std::move(to));
  }
  for (const std::uint32_t old : terminals.order()) cfg.terminals.push_back(std::move(draft.terminals[old]));
  for (const std::uint32_t old : token_sets.order()) cfg.token_sets.push_back(std::move(draft.token_sets[old]));
  cfg.sources = std::move(draft.sources);
  find_nullable(cfg);
  return cfg;
}

}  // namespace weir::grammar
