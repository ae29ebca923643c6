#include "grammar/passes/inline.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "grammar/passes/rule_users.h"

namespace weir::grammar {

namespace {

class Inliner {
 public:
  explicit Inliner(Draft& draft) : draft_(draft), capturing_(find_capturing_rules(draft)) {}

  void run() {
    find_live();
    for (std::uint32_t r = 0; r < draft_.rules.size(); ++r) {
      if (live_[r]) expand_units(r);
    }
    find_live();  // rules whose alternatives have moved are no longer live
    replace([&](std::uint32_t rule) { return draft_.rules[rule].productions[0].size() <= 1; });
    // Not earlier: after the replacements above, a rule that was used once may be used in several places.
    find_live();
    replace([&](std::uint32_t rule) { return uses_[rule] == 1; });
  }

 private:
  [[nodiscard]] bool is_start(std::uint32_t rule) const { return rule == static_cast<std::uint32_t>(draft_.start); }

  // Returns true if the rule may replace references to it. Precondition: the rule has one production.
  [[nodiscard]] bool may_be_moved(std::uint32_t rule) const {
    return !draft_.rules[rule].is_marked() && (!capturing_[rule] || draft_.rules[rule].productions[0].size() <= 1);
  }

  // Finds the rules that are reachable from the start rule, and counts the references to each of them.
  void find_live() {
    live_.assign(draft_.rules.size(), false);
    uses_.assign(draft_.rules.size(), 0);
    std::vector<std::uint32_t> pending{static_cast<std::uint32_t>(draft_.start)};
    live_[pending[0]] = true;
    while (!pending.empty()) {
      const DraftRule& rule = draft_.rules[pending.back()];
      pending.pop_back();
      for (const Production& production : rule.productions) {
        for (const Symbol symbol : production) {
          if (symbol.kind() != Symbol::Kind::kRule) continue;
          ++uses_[symbol.index()];
          if (live_[symbol.index()]) continue;
          live_[symbol.index()] = true;
          pending.push_back(symbol.index());
        }
      }
    }
  }

  // Replaces alternatives that are a rule used nowhere else by that rule's alternatives.
  void expand_units(std::uint32_t target) {
    std::vector<Production> expanded;
    std::vector<Production> stack = std::move(draft_.rules[target].productions);
    std::reverse(stack.begin(), stack.end());
    while (!stack.empty()) {
      Production production = std::move(stack.back());
      stack.pop_back();
      if (production.size() == 1 && production[0].kind() == Symbol::Kind::kRule) {
        const std::uint32_t rule = production[0].index();
        if (rule == target) continue;  // a ::= a adds nothing
        const bool moves = uses_[rule] == 1 && !is_start(rule) && !draft_.rules[rule].is_marked();
        if (moves && !draft_.rules[rule].productions.empty()) {
          std::vector<Production> moved = std::move(draft_.rules[rule].productions);
          draft_.rules[rule].productions.clear();
          stack.insert(stack.end(), std::make_move_iterator(moved.rbegin()), std::make_move_iterator(moved.rend()));
          continue;
        }
      }
      expanded.push_back(std::move(production));
    }
    draft_.rules[target].productions = std::move(expanded);
  }

  // For each rule that `chosen` accepts, replaces the references to it by its production, in all productions of other
  // rules.
  template <typename Chosen>
  void replace(Chosen chosen) {
    std::vector<bool> replaced(draft_.rules.size(), false);
    for (std::uint32_t r = 0; r < draft_.rules.size(); ++r) {
      const DraftRule& rule = draft_.rules[r];
      replaced[r] = live_[r] && !is_start(r) && rule.productions.size() == 1 && may_be_moved(r) && chosen(r);
    }
    std::vector<Symbol> stack;
    for (std::uint32_t r = 0; r < draft_.rules.size(); ++r) {
      if (!live_[r] || replaced[r]) continue;
      for (Production& production : draft_.rules[r].productions) {
        Production expanded;
        stack.assign(production.rbegin(), production.rend());
        while (!stack.empty()) {
          const Symbol symbol = stack.back();
          stack.pop_back();
          if (symbol.kind() == Symbol::Kind::kRule && replaced[symbol.index()]) {
            const Production& inside = draft_.rules[symbol.index()].productions[0];
            stack.insert(stack.end(), inside.rbegin(), inside.rend());
          } else {
            expanded.push_back(symbol);
          }
        }
        production = std::move(expanded);
      }
    }
  }

  Draft& draft_;
  std::vector<bool> capturing_;
  std::vector<bool> live_;
  std::vector<std::uint32_t> uses_;
};

}  // namespace

void inline_rules(Draft& draft) { Inliner(draft).run(); }

}  // namespace weir::grammar
