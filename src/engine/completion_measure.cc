#include "engine/completion_measure.h"

#include <queue>

#include "vocab/vocabulary.h"

namespace weir::engine {

using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;

std::string& text_at_end(std::vector<CompletionPart>& parts) {
  if (parts.empty() || parts.back().token.has_value()) parts.emplace_back();
  return parts.back().text;
}

void CompletionMeasure::update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Program& program) {
  const bool is_first = grammar_ == nullptr;
  grammar_ = &grammar;
  cfg_ = &grammar.cfg();
  exprs_ = &exprs;
  program_ = &program;
  terminals_.resize(cfg_->terminals.size());
  rules_.resize(cfg_->rules.size());
  end_search();  // the copy may lack what was added
  if (is_first) settle_rules();
}

const CompletionMeasure::TerminalCost& CompletionMeasure::terminal(std::uint32_t index) {
  TerminalCost& terminal = terminals_[index];
  if (terminal.is_known) return terminal;
  terminal.is_known = true;
  const std::uint32_t fuel = program_->limits.regex_fuel;
  const regex::ExprId expr = cfg_->terminals[index].expr;
  if (exprs_->has_plain_member(expr, fuel)) {
    terminal.cost = {0, exprs_->min_length(expr)};
    return terminal;
  }
  if (!scratch_) scratch_ = *exprs_;
  terminal.text = scratch_->any_shortest_member(expr, fuel);
  if (terminal.text) terminal.cost = {0, terminal.text->size()};
  out_of_fuel_ = out_of_fuel_ || !terminal.text;
  return terminal;
}

const CompletionMeasure::RuleCost& CompletionMeasure::rule(std::uint32_t index) {
  RuleCost& rule = rules_[index];
  if (rule.is_known || !is_lazy(index)) return rule;
  rule.text = grammar_->short_text(grammar::RuleId{index});
  rule.is_known = !rule.text.empty();  // else a limit was met
  rule.cost = {0, rule.text.size()};
  return rule;
}

WayCost CompletionMeasure::cost_of_symbol(Symbol symbol) {
  switch (symbol.kind()) {
    case Symbol::Kind::kRule: return rule(symbol.index()).cost;
    case Symbol::Kind::kTerminal: return terminal(symbol.index()).cost;
    case Symbol::Kind::kTokens: return {1, 0};
    case Symbol::Kind::kEnd: return {};
  }
  return kNoWay;
}

WayCost CompletionMeasure::cost_of_suffix(ItemId item) {
  WayCost cost;
  for (; cfg_->symbol(item).kind() != Symbol::Kind::kEnd && !cost.is_none(); item = Cfg::next(item)) {
    cost = cost + cost_of_symbol(cfg_->symbol(item));
  }
  return cost;
}

void CompletionMeasure::settle_rules() {
  struct Candidate {
    WayCost cost;
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
  std::priority_queue<Candidate> cheapest;
  std::vector<std::vector<Use>> uses(cfg_->rules.size());    // of a rule, once for each of its places
  std::vector<std::uint32_t> open(cfg_->symbols.size(), 0);  // by first item: rules of the production not settled yet
  const auto offer = [&](const Use& use) {
    const WayCost cost = cost_of_suffix(use.production);
    if (!cost.is_none()) cheapest.push({cost, use.rule, use.production});
  };
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
    if (!rules_[candidate.rule].cost.is_none()) continue;
    rules_[candidate.rule] = {candidate.cost, candidate.production};
    for (const Use& use : uses[candidate.rule]) {
      if (--open[static_cast<std::uint32_t>(use.production)] == 0) offer(use);
    }
  }
}

void CompletionMeasure::append_token(std::uint32_t set, std::vector<CompletionPart>& parts) const {
  parts.push_back({"", program_->token_sets.example(set, program_->tokenizer.vocabulary())});
}

void CompletionMeasure::append_suffix(ItemId from, std::vector<CompletionPart>& parts) const {
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
      const TerminalCost& terminal = terminals_[symbol.index()];
      std::string& text = text_at_end(parts);
      if (terminal.text) {
        text += *terminal.text;
      } else {
        exprs_->append_plain_member(cfg_->terminals[symbol.index()].expr, text);
      }
    } else if (symbol.kind() == Symbol::Kind::kTokens) {
      append_token(symbol.index(), parts);
    } else if (is_lazy(symbol.index())) {
      text_at_end(parts) += rules_[symbol.index()].text;
    } else {
      stack.push_back(rules_[symbol.index()].best);
    }
  }
}

}  // namespace weir::engine
