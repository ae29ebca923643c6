#include "engine/completion_measure.h"

#include <algorithm>
#include <queue>

namespace weir::engine {

using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;

void CompletionMeasure::update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Limits& limits) {
  cfg_ = &grammar.cfg();
  if (terminals_.size() < cfg_->terminals.size()) {
    regex::ExprSet scratch = exprs;  // looking for members adds expressions
    for (std::size_t t = terminals_.size(); t < cfg_->terminals.size(); ++t) {
      terminals_.push_back(scratch.shortest_member(cfg_->terminals[t].expr, limits.regex_fuel));
      out_of_fuel_ = out_of_fuel_ || !terminals_.back().has_value();
    }
  }
  if (rules_.size() < cfg_->rules.size()) settle_rules(grammar);
}

std::uint64_t CompletionMeasure::cost_of_symbol(Symbol symbol) const {
  switch (symbol.kind()) {
    case Symbol::Kind::kRule: return rules_[symbol.index()].cost;
    case Symbol::Kind::kTerminal: {
      const auto& text = terminals_[symbol.index()];
      return text.has_value() ? text->size() : kInfinite;
    }
    case Symbol::Kind::kTokens: return kInfinite;
    case Symbol::Kind::kEnd: return 0;
  }
  return kInfinite;
}

std::uint64_t CompletionMeasure::cost_of_suffix(ItemId item) const {
  std::uint64_t cost = 0;
  for (; cfg_->symbol(item).kind() != Symbol::Kind::kEnd && cost < kInfinite; item = Cfg::next(item)) {
    cost += cost_of_symbol(cfg_->symbol(item));
  }
  return std::min(cost, kInfinite);
}

void CompletionMeasure::settle_rules(grammar::GrowingCfg& grammar) {
  struct Candidate {
    std::uint64_t cost;
    std::uint32_t rule;
    ItemId production;
    bool operator<(const Candidate& other) const {
      return cost > other.cost;
    }  // std::priority_queue gives the greatest
  };
  struct Use {
    std::uint32_t rule;
    ItemId production;
  };
  rules_.assign(cfg_->rules.size(), {});
  std::priority_queue<Candidate> cheapest;
  std::vector<std::vector<Use>> uses(cfg_->rules.size());    // of a rule, once for each of its places
  std::vector<std::uint32_t> open(cfg_->symbols.size(), 0);  // by first item: rules of the production not settled yet
  const auto offer = [&](const Use& use) {
    const std::uint64_t cost = cost_of_suffix(use.production);
    if (cost < kInfinite) cheapest.push({cost, use.rule, use.production});
  };
  for (std::uint32_t r = 0; r < rules_.size(); ++r) {
    if (!is_lazy(r)) continue;
    rules_[r].text = grammar.short_text(grammar::RuleId{r});
    rules_[r].cost = rules_[r].text.size();
  }
  for (std::uint32_t r = 0; r < rules_.size(); ++r) {
    if (is_lazy(r)) continue;
    for (const ItemId first : cfg_->rules[r].productions) {
      std::uint32_t& open_rules = open[static_cast<std::uint32_t>(first)];
      for (ItemId item = first; cfg_->symbol(item).kind() != Symbol::Kind::kEnd; item = Cfg::next(item)) {
        const Symbol symbol = cfg_->symbol(item);
        if (symbol.kind() != Symbol::Kind::kRule || is_lazy(symbol.index())) continue;
        uses[symbol.index()].push_back({r, first});
        ++open_rules;
      }
      if (open_rules == 0) offer({r, first});
    }
  }
  while (!cheapest.empty()) {
    const Candidate candidate = cheapest.top();
    cheapest.pop();
    if (rules_[candidate.rule].cost != kInfinite) continue;
    rules_[candidate.rule] = {candidate.cost, candidate.production};
    for (const Use& use : uses[candidate.rule]) {
      if (--open[static_cast<std::uint32_t>(use.production)] == 0) offer(use);
    }
  }
}

void CompletionMeasure::append_suffix(ItemId from, std::string& text) const {
  std::vector<ItemId> stack{from};
  while (!stack.empty()) {
    const ItemId item = stack.back();
    const Symbol symbol = cfg_->symbol(item);
    if (symbol.kind() == Symbol::Kind::kEnd) {
      stack.pop_back();
      continue;
    }
    stack.back() = Cfg::next(item);
    if (symbol.kind() == Symbol::Kind::kTerminal) {
      text += *terminals_[symbol.index()];
    } else if (is_lazy(symbol.index())) {
      text += rules_[symbol.index()].text;
    } else {
      stack.push_back(rules_[symbol.index()].best);
    }
  }
}

}  // namespace weir::engine
