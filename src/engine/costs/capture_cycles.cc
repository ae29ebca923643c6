#include "engine/costs/capture_cycles.h"

#include "base/strong_components.h"

namespace weir::engine {

namespace {

using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;
using Edges = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> groups_of(const Edges& edges) {
  std::vector<std::uint32_t> groups(edges.size());
  std::uint32_t group = 0;
  for (const std::vector<std::uint32_t>& members : base::strong_components(edges)) {
    for (const std::uint32_t member : members) groups[member] = group;
    ++group;
  }
  return groups;
}

// For each production counts the symbols that are not known to vanish. When a rule vanishes, the counts of its uses
// decrease.
std::vector<bool> find_vanishing(const Cfg& cfg) {
  struct Use {
    std::uint32_t rule, production;
  };
  std::vector<std::vector<Use>> uses(cfg.rules.size());
  std::vector<std::vector<std::uint32_t>> open(cfg.rules.size());
  std::vector<bool> vanishes(cfg.rules.size(), false);
  std::vector<std::uint32_t> pending;
  const auto settle = [&](std::uint32_t rule) {
    if (vanishes[rule] || cfg.rules[rule].capture != grammar::CfgRule::kNoCapture) return;
    vanishes[rule] = true;
    pending.push_back(rule);
  };
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    const std::vector<ItemId>& productions = cfg.rules[r].productions;
    open[r].assign(productions.size(), 0);
    for (std::uint32_t p = 0; p < productions.size(); ++p) {
      for (ItemId item = productions[p]; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        ++open[r][p];
        const Symbol symbol = cfg.symbol(item);
        if (symbol.kind() == Symbol::Kind::kRule) uses[symbol.index()].push_back({r, p});
      }
      if (open[r][p] == 0) settle(r);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t rule = pending.back();
    pending.pop_back();
    for (const Use& use : uses[rule]) {
      if (--open[use.rule][use.production] == 0) settle(use.rule);
    }
  }
  return vanishes;
}

}  // namespace

CaptureCycles find_capture_cycles(const Cfg& cfg) {
  if (cfg.captures.empty()) return {};
  const auto may_be_empty = [&](Symbol symbol) {
    return symbol.kind() == Symbol::Kind::kRule && cfg.rules[symbol.index()].nullable;
  };
  Edges by_text(cfg.rules.size());
  Edges by_begin(cfg.rules.size());
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    for (const ItemId first : cfg.rules[r].productions) {
      std::uint32_t filled = 0;  // number of symbols that cannot be empty
      for (ItemId item = first; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        filled += may_be_empty(cfg.symbol(item)) ? 0U : 1U;
      }
      std::uint32_t filled_before = 0;
      for (ItemId item = first; cfg.symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        const Symbol symbol = cfg.symbol(item);
        const std::uint32_t itself = may_be_empty(symbol) ? 0 : 1;
        if (symbol.kind() == Symbol::Kind::kRule) {
          if (filled == itself) by_text[r].push_back(symbol.index());
          if (filled_before == 0) by_begin[r].push_back(symbol.index());
        }
        filled_before += itself;
      }
    }
  }
  CaptureCycles cycles{groups_of(by_text), std::vector<bool>(cfg.rules.size(), false), groups_of(by_begin),
                       find_vanishing(cfg)};
  for (std::uint32_t r = 0; r < cfg.rules.size(); ++r) {
    // In a group of several rules each leads to another one of the group; a rule alone in its group may lead to itself.
    for (const std::uint32_t next : by_text[r])
      cycles.repeats[r] = cycles.repeats[r] || cycles.by_text[r] == cycles.by_text[next];
  }
  return cycles;
}

}  // namespace weir::engine
