#include "engine/completion.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace weir::engine {

namespace {

using base::Limit;
using earley::ContinuationId;
using earley::Entry;
using regex::ExprId;

constexpr std::uint64_t kInfinite = CompletionMeasure::kInfinite;

class CompletionSearch {
 public:
  CompletionSearch(const CompletionMeasure& measure, const Limits& limits, lexer::Lexer& lexer,
                   const earley::RowTable& rows)
      : measure_(measure), limits_(limits), lexer_(lexer), rows_(rows) {}

  Completion run(const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) {
      if (thread.fresh && rows_.accepts(thread.row) && lexer_.exprs().nullable(thread.rest)) return {std::string()};
    }
    for (const Thread& thread : threads) {
      for (const std::uint32_t terminal : rows_.terminals(thread.row)) measure_continuations(thread.row, terminal);
    }
    relax_continuations();
    std::uint64_t best = kInfinite;
    std::string best_head;
    Entry best_behind;
    bool out_of_fuel = measure_.out_of_fuel();
    for (const Thread& thread : threads) {
      const auto items = lexer_.items(thread.lexer);
      for (std::size_t i = 0; i < items.size(); i += 2) {
        const auto head = lexer_.exprs().shortest_member(ExprId{items[i + 1]}, limits_.regex_fuel);
        out_of_fuel = out_of_fuel || !head.has_value();
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
    const Limit fuel = out_of_fuel ? Limit::kRegexFuel : Limit::kNone;
    if (best >= kInfinite) return {std::nullopt, fuel};
    if (best > limits_.completion_bytes) return {std::nullopt, Limit::kCompletionBytes};
    return {best_head + text_of(best_behind), fuel};
  }

 private:
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
    return std::min(kInfinite, measure_.cost_of_suffix(entry.item) + continuations_[entry.continuation].cost);
  }

  std::string text_of(Entry entry) {
    std::string text;
    while (entry != earley::kAccept) {
      measure_.append_suffix(entry.item, text);
      entry = continuations_[entry.continuation].best;
    }
    return text;
  }

  struct Below {
    std::vector<Entry> entries;
    std::uint64_t cost = kInfinite;
    Entry best = earley::kAccept;
  };

  const CompletionMeasure& measure_;
  const Limits& limits_;
  lexer::Lexer& lexer_;
  const earley::RowTable& rows_;
  std::unordered_map<ContinuationId, Below> continuations_;
  std::vector<ContinuationId> order_;
};

}  // namespace

Completion estimate_completion(Automaton& automaton, StateId state) {
  const std::vector<Thread> threads = automaton.threads(state);
  return automaton.inspect_completions(
      [&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const earley::RowTable& rows, CompletionMeasure& measure) {
        const Limits& limits = automaton.program().limits;
        measure.update(grammar, lexer.exprs(), limits);
        return CompletionSearch(measure, limits, lexer, rows).run(threads);
      });
}

Completion search_completion(Automaton& automaton, StateId state) {
  struct Visit {
    StateId state;
    std::size_t parent;
    std::uint8_t byte;
  };
  std::vector<Visit> queue{{state, 0, 0}};
  std::unordered_set<std::uint32_t> seen{raw(state)};
  Limit limit = Limit::kNone;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const StateId at = queue[head].state;
    if (automaton.accepts(at)) {
      std::string text;
      for (std::size_t i = head; i != 0; i = queue[i].parent) text.push_back(static_cast<char>(queue[i].byte));
      return {std::string(text.rbegin(), text.rend()), limit};
    }
    if (queue.size() > automaton.program().limits.lookahead_threads) return {std::nullopt, Limit::kLookaheadThreads};
    for (std::uint32_t cls = 0; cls < automaton.classes().count(); ++cls) {
      const std::uint8_t byte = automaton.classes().representative(static_cast<std::uint8_t>(cls));
      const StateId next = automaton.step(at, byte);
      if (is_limit(next)) limit = limit_of(next);
      if (next == StateId::kDead || is_limit(next)) continue;
      if (seen.insert(raw(next)).second) queue.push_back({next, head, byte});
    }
  }
  return {std::nullopt, limit};
}

}  // namespace weir::engine
