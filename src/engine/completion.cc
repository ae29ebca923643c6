#include "engine/completion.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace weir::engine {

namespace {

using earley::ContinuationId;
using earley::Entry;
using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;
using regex::ExprId;

constexpr std::uint64_t kInfinite = UINT64_MAX / 4;

class CompletionSearch {
 public:
  CompletionSearch(const Limits& limits, grammar::GrowingCfg& grammar, const lexer::Lexer& lexer,
                   const earley::RowTable& rows)
      : grammar_(grammar), cfg_(grammar.cfg()), limits_(limits), lexer_(lexer), rows_(rows), exprs_(lexer.exprs()) {
    measure_terminals();
    measure_rules();
  }

  std::optional<std::string> run(const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) {
      if (thread.fresh && rows_.accepts(thread.row) && exprs_.nullable(thread.rest)) return std::string();
    }
    for (const Thread& thread : threads) {
      for (const std::uint32_t terminal : rows_.terminals(thread.row)) measure_continuations(thread.row, terminal);
    }
    relax_continuations();
    std::uint64_t best = kInfinite;
    std::string best_head;
    Entry best_behind;
    for (const Thread& thread : threads) {
      const auto items = lexer_.items(thread.lexer);
      for (std::size_t i = 0; i < items.size(); i += 2) {
        const auto head = exprs_.shortest_member(ExprId{items[i + 1]}, limits_.regex_fuel);
        if (!head.has_value()) continue;
        for (const Entry& behind : rows_.behind(thread.row, items[i])) {
          const std::uint64_t cost = head->size() + cost_of(behind);
          if (cost >= best) continue;
          best = cost;
          best_head = *head;
          best_behind = behind;
        }
      }
    }
    if (best > limits_.completion_bytes) return std::nullopt;
    return best_head + text_of(best_behind);
  }

 private:
  [[nodiscard]] bool is_lazy(std::uint32_t rule) const {
    return cfg_.rules[rule].lazy.source != grammar::LazyRule::kNone;
  }

  void measure_terminals() {
    for (const grammar::Terminal& terminal : cfg_.terminals) {
      terminals_.push_back(exprs_.shortest_member(terminal.expr, limits_.regex_fuel));
    }
  }

  [[nodiscard]] std::uint64_t cost_of_symbol(Symbol symbol) const {
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

  // Bytes that the symbols from the dot to the production's end need at least.
  [[nodiscard]] std::uint64_t cost_of_suffix(ItemId item) const {
    std::uint64_t cost = 0;
    for (; cfg_.symbol(item).kind() != Symbol::Kind::kEnd && cost < kInfinite; item = Cfg::next(item)) {
      cost += cost_of_symbol(cfg_.symbol(item));
    }
    return std::min(cost, kInfinite);
  }

  // Bellman-Ford over the rules: each round settles the rules whose cheapest production uses settled ones. A rule's best
  // production changes only when its cost falls, so following best productions never cycles.
  void measure_rules() {
    rules_.resize(cfg_.rules.size());
    // A lazy rule knows a text of its own, which is taken whole.
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      if (!is_lazy(r)) continue;
      rules_[r].text = grammar_.short_text(grammar::RuleId{r});
      rules_[r].cost = rules_[r].text.size();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t r = 0; r < cfg_.rules.size(); ++r) {
        if (is_lazy(r)) continue;
        for (const ItemId production : cfg_.rules[r].productions) {
          const std::uint64_t cost = cost_of_suffix(production);
          if (cost >= rules_[r].cost) continue;
          rules_[r].cost = cost;
          rules_[r].best = production;
          changed = true;
        }
      }
    }
  }

  // Collects the continuations below the items behind `terminal`.
  void measure_continuations(earley::RowId row, std::uint32_t terminal) {
    std::vector<ContinuationId> open;
    for (const Entry& behind : rows_.behind(row, terminal)) open.push_back(behind.continuation);
    while (!open.empty()) {
      const ContinuationId c = open.back();
      open.pop_back();
      if (!continuations_.try_emplace(c).second) continue;
      order_.push_back(c);
      std::vector<Entry> entries = rows_.entries(c);
      for (const Entry& entry : entries) {
        if (entry != earley::kAccept) open.push_back(entry.continuation);
      }
      continuations_[c].entries = std::move(entries);
    }
  }

  // The deepest continuations were found last, so going backwards settles a chain in one round.
  void relax_continuations() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
        Below& below = continuations_[*it];
        for (const Entry& entry : below.entries) {
          const std::uint64_t cost = entry == earley::kAccept ? 0 : cost_of(entry);
          if (cost >= below.cost) continue;
          below.cost = cost;
          below.best = entry;
          changed = true;
        }
      }
    }
  }

  std::uint64_t cost_of(const Entry& entry) {
    return std::min(kInfinite, cost_of_suffix(entry.item) + continuations_[entry.continuation].cost);
  }

  std::string text_of(Entry entry) {
    std::string text;
    while (entry != earley::kAccept) {
      append_suffix(entry.item, text);
      entry = continuations_[entry.continuation].best;
    }
    return text;
  }

  void append_suffix(ItemId from, std::string& text) const {
    std::vector<ItemId> stack{from};
    while (!stack.empty()) {
      const ItemId item = stack.back();
      const Symbol symbol = cfg_.symbol(item);
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

  struct RuleCost {
    std::uint64_t cost = kInfinite;
    ItemId best{};
    std::string text = {};  // of a lazy rule
  };
  struct Below {
    std::vector<Entry> entries;
    std::uint64_t cost = kInfinite;
    Entry best = earley::kAccept;
  };

  grammar::GrowingCfg& grammar_;
  const Cfg& cfg_;
  const Limits& limits_;
  const lexer::Lexer& lexer_;
  const earley::RowTable& rows_;
  regex::ExprSet exprs_;  // a copy: looking for members adds expressions
  std::vector<std::optional<std::string>> terminals_;
  std::vector<RuleCost> rules_;
  std::unordered_map<ContinuationId, Below> continuations_;
  std::vector<ContinuationId> order_;
};

// Breadth first over states: shortest, but exponential in its length at worst, hence the limit.
std::optional<std::string> search_states(Automaton& automaton, StateId from) {
  struct Visit {
    StateId state;
    std::size_t parent;
    std::uint8_t byte;
  };
  std::vector<Visit> queue{{from, 0, 0}};
  std::unordered_set<std::uint32_t> seen{static_cast<std::uint32_t>(from)};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const StateId at = queue[head].state;
    if (automaton.accepts(at)) {
      std::string text;
      for (std::size_t i = head; i != 0; i = queue[i].parent) text.push_back(static_cast<char>(queue[i].byte));
      return std::string(text.rbegin(), text.rend());
    }
    if (queue.size() > automaton.program().limits.lookahead_threads) break;
    for (std::uint32_t cls = 0; cls < automaton.classes().count(); ++cls) {
      const std::uint8_t byte = automaton.classes().representative(static_cast<std::uint8_t>(cls));
      const StateId next = automaton.step(at, byte);
      if (next == StateId::kDead || next == StateId::kLimit) continue;
      if (seen.insert(static_cast<std::uint32_t>(next)).second) queue.push_back({next, head, byte});
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> shortest_completion(Automaton& automaton, StateId state) {
  const std::vector<Thread> threads = automaton.threads(state);
  std::optional<std::string> text =
      automaton.inspect([&](grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
        return CompletionSearch(automaton.program().limits, grammar, lexer, rows).run(threads);
      });
  if (text.has_value()) {
    const StateId end = automaton.step(state, *text);
    if (end != StateId::kDead && end != StateId::kLimit && automaton.accepts(end)) return text;
  }
  return search_states(automaton, state);
}

}  // namespace weir::engine
