// CompletionMeasure: the shortest way through each symbol of a grammar.
//
// HOW    A terminal's is the shortest member of its expression, a token set's one of its tokens. A token costs more
//        than any text: a model may never write it, and text alone is what most callers can use. Rules are settled from
//        the cheapest on (Knuth's generalisation of Dijkstra's algorithm): a production is priced once all its symbols
//        are, and the cheapest production so far belongs to a rule that nothing found later makes cheaper. A lazy rule
//        (grammar/growth.h) knows a text of its own, which is taken whole, whether its productions are there or not; so
//        rules that are added, which are all lazy, change nothing for the others.
// COST   O(n log n) for n symbols, once; a terminal's member and a lazy rule's text are looked for when they are first
//        asked for. Members that can be read off an expression are not kept.
// THREADS One thread at a time.
// REFERENCES  Knuth, "A generalization of Dijkstra's algorithm" (1977).
#ifndef WEIR_SRC_ENGINE_MATCHER_COMPLETION_MEASURE_H_
#define WEIR_SRC_ENGINE_MATCHER_COMPLETION_MEASURE_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/program.h"
#include "grammar/growth.h"
#include "regex/expr/expr.h"
#include "weir/matcher.h"

namespace weir::engine {

/// What a way costs: the fewest tokens first, then the fewest bytes. Sums stop at kMax, so they never wrap.
struct WayCost {
  static constexpr std::uint64_t kMax = UINT64_MAX / 4;
  std::uint64_t tokens = 0;
  std::uint64_t bytes = 0;
  [[nodiscard]] bool is_none() const { return tokens == kMax; }
  friend auto operator<=>(const WayCost&, const WayCost&) = default;
  friend WayCost operator+(const WayCost& a, const WayCost& b) {
    return {std::min(kMax, a.tokens + b.tokens), std::min(kMax, a.bytes + b.bytes)};
  }
};
/// There is no way: Limits::regex_fuel did not suffice to find a member.
inline constexpr WayCost kNoWay{WayCost::kMax, WayCost::kMax};

class CompletionMeasure {
 public:
  /// To be called before anything else, and when the grammar has grown. All of these must outlive the measure;
  /// terminals are of `exprs`.
  void update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Program& program);
  /// Gives back memory that looking for members took.
  void end_search() { scratch_.reset(); }

  /// What the symbols from the dot to the production's end cost at least.
  [[nodiscard]] WayCost cost_of_suffix(grammar::ItemId item);
  /// Appends such a way. Precondition: cost_of_suffix was asked for, and there is a way.
  void append_suffix(grammar::ItemId from, std::vector<CompletionPart>& parts) const;
  /// Appends a token of a set.
  void append_token(std::uint32_t set, std::vector<CompletionPart>& parts) const;

  /// Whether Limits::regex_fuel left a terminal without a text.
  [[nodiscard]] bool out_of_fuel() const { return out_of_fuel_; }

 private:
  struct RuleCost {
    WayCost cost = kNoWay;
    grammar::ItemId best{};
    std::string text = {};  // of a lazy rule
    bool is_known = false;  // of a lazy rule
  };
  struct TerminalCost {
    WayCost cost = kNoWay;
    std::optional<std::string> text = {};  // none: it can be read off the expression
    bool is_known = false;
  };
  [[nodiscard]] bool is_lazy(std::uint32_t rule) const {
    return cfg_->rules[rule].lazy.source != grammar::LazyRule::kNone;
  }
  [[nodiscard]] WayCost cost_of_symbol(grammar::Symbol symbol);
  const TerminalCost& terminal(std::uint32_t index);
  const RuleCost& rule(std::uint32_t index);
  void settle_rules();

  grammar::GrowingCfg* grammar_ = nullptr;
  const grammar::Cfg* cfg_ = nullptr;
  const regex::ExprSet* exprs_ = nullptr;
  const Program* program_ = nullptr;
  std::optional<regex::ExprSet> scratch_;  // a copy: looking for members adds expressions
  std::vector<TerminalCost> terminals_;
  std::vector<RuleCost> rules_;
  bool out_of_fuel_ = false;
};

/// The text at the end of `parts`, for appending to it.
std::string& text_at_end(std::vector<CompletionPart>& parts);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_COMPLETION_MEASURE_H_
