// CompletionMeasure: the shortest text that each symbol of a grammar derives.
//
// HOW    A terminal's is the shortest member of its expression. Rules are settled from the cheapest on (Knuth's
//        generalisation of Dijkstra's algorithm): a production is priced once all its symbols are, and the cheapest
//        production so far belongs to a rule that nothing found later makes cheaper. A lazy rule (grammar/growth.h)
//        knows a text of its own, which is taken whole, whether its productions are there or not.
// COST   O(n log n) for n symbols, and the search for the terminals' members; again only where rules were added.
// THREADS const is safe to call concurrently.
// REFERENCES  Knuth, "A generalization of Dijkstra's algorithm" (1977).
#ifndef WEIR_SRC_ENGINE_COMPLETION_MEASURE_H_
#define WEIR_SRC_ENGINE_COMPLETION_MEASURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/growth.h"
#include "regex/expr.h"
#include "weir/limits.h"

namespace weir::engine {

class CompletionMeasure {
 public:
  /// Stands for "no text": a token terminal is in the way, or Limits::regex_fuel did not suffice to find a member.
  static constexpr std::uint64_t kInfinite = UINT64_MAX / 4;

  /// `grammar` must outlive the measure; its terminals are of `exprs`.
  void update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Limits& limits);

  // Precondition of the rest: update() was called since the grammar last grew.

  /// Bytes that the symbols from the dot to the production's end need at least.
  [[nodiscard]] std::uint64_t cost_of_suffix(grammar::ItemId item) const;
  /// Appends such bytes. Precondition: the cost is less than kInfinite.
  void append_suffix(grammar::ItemId from, std::string& text) const;

  /// Whether Limits::regex_fuel left a terminal without a text.
  [[nodiscard]] bool out_of_fuel() const { return out_of_fuel_; }

 private:
  struct RuleCost {
    std::uint64_t cost = kInfinite;
    grammar::ItemId best{};
    std::string text = {};  // of a lazy rule
  };
  [[nodiscard]] bool is_lazy(std::uint32_t rule) const {
    return cfg_->rules[rule].lazy.source != grammar::LazyRule::kNone;
  }
  [[nodiscard]] std::uint64_t cost_of_symbol(grammar::Symbol symbol) const;
  void settle_rules(grammar::GrowingCfg& grammar);

  const grammar::Cfg* cfg_ = nullptr;
  std::vector<std::optional<std::string>> terminals_;
  std::vector<RuleCost> rules_;
  bool out_of_fuel_ = false;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COMPLETION_MEASURE_H_
