// CompletionMeasure: the shortest completion of each symbol of a grammar, and its cost.
//
// HOW    The shortest text of a terminal is the shortest member of its expression; for a token set it is one of its
//        tokens. A token costs more than any text, because a model may never write that token and most callers can use
//        text only. Rules are settled in order of cost (Knuth's generalisation of Dijkstra's algorithm): a production
//        has a cost once all its symbols have one, and the cheapest production so far belongs to a rule that no later
//        production makes cheaper. That goes on only until the rule that is asked for is settled, and a production waits
//        with a lower bound of its cost (the least lengths of its terminals) until it is the cheapest: so of 1,000
//        alternatives few are measured. A lazy rule (grammar/growth.h) knows a text of its own, which is used as a whole,
//        whether the rule has been expanded or not. So rules that are added later, which are all lazy, do not change
//        the costs of other rules.
// COST   O(n log n) for n symbols in all. A terminal's member and a lazy rule's text are found when they are first
//        needed. Members that can be read off an expression are not stored, and of long texts only the lengths are.
// THREADS One thread at a time.
// REFERENCES  Knuth, "A generalization of Dijkstra's algorithm" (1977).
#ifndef WEIR_SRC_ENGINE_COSTS_COMPLETION_MEASURE_H_
#define WEIR_SRC_ENGINE_COSTS_COMPLETION_MEASURE_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "base/cut_text.h"
#include "engine/costs/program.h"
#include "grammar/growth.h"
#include "regex/expr/expr.h"

namespace weir::engine {

/// The cost of a completion: tokens of token terminals count first, then bytes. Sums saturate at kMax.
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
/// There is no completion, or Limits::regex_fuel, or the steps for all members together, did not suffice to find one.
inline constexpr WayCost kNoWay{WayCost::kMax, WayCost::kMax};

/// A part of a way to the end: a text, or a token set of which one token is taken as a whole.
struct WayPart {
  std::string text = {};
  std::optional<std::uint32_t> token_set = {};  ///< If there is one, `text` is empty.
};

class CompletionMeasure {
 public:
  /// Must be called before everything else, and again when the grammar has grown. All arguments must outlive the
  /// measure; the terminals' expressions belong to `exprs`. If a limit kept an earlier call from finding a cost, all
  /// rules are settled anew.
  void update(grammar::GrowingCfg& grammar, const regex::ExprSet& exprs, const Program& program);
  /// Returns how many times rules have been settled anew. What was found from costs before may have no text now.
  [[nodiscard]] std::uint32_t settlings() const { return settlings_; }
  /// Frees the memory that the search for members took.
  void end_search() { scratch_.reset(); }

  /// Returns the least cost of the symbols from the dot to the production's end.
  [[nodiscard]] WayCost cost_of_suffix(grammar::ItemId item);
  /// Appends a text with that cost; stops when the last of `parts` is a text of `most` bytes, or of somewhat more. Returns
  /// false if a limit was met. Precondition: cost_of_suffix(from) was called since the last settling and is not kNoWay.
  bool append_suffix(grammar::ItemId from, std::vector<WayPart>& parts, std::size_t most) const;

  /// Returns true if Limits::regex_fuel did not suffice for some terminal's text.
  [[nodiscard]] bool out_of_fuel() const { return out_of_fuel_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return rules_.capacity() * sizeof(RuleCost) + terminals_.capacity() * sizeof(TerminalCost) + text_bytes_ +
           cheapest_.size() * sizeof(Candidate) + uses_.capacity() * sizeof(Use) +
           (first_uses_.capacity() + open_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  struct RuleCost {
    WayCost cost = kNoWay;
    grammar::ItemId best{};
    std::string text = {};  // of a lazy rule; empty if it has more than grammar::kKeptTextBytes
    bool is_known = false;
  };
  // A production that may be the cheapest of its rule. All its rules that are not lazy have their costs.
  struct Candidate {
    WayCost cost;
    bool is_bound = true;  // `cost` is a lower bound
    std::uint32_t rule = 0;
    grammar::ItemId production{};
    // Where costs are equal, those that are known come first, then the order of the grammar decides.
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };
  struct Use {
    std::uint32_t rule = 0;
    grammar::ItemId production{};
  };
  struct TerminalCost {
    WayCost cost = kNoWay;
    std::optional<base::CutText> text = {};  // none if it can be read off the expression
    bool is_known = false;
  };
  [[nodiscard]] bool is_lazy(std::uint32_t rule) const {
    return cfg_->rules[rule].lazy.source != grammar::LazyRule::kNone;
  }
  [[nodiscard]] WayCost cost_of_symbol(grammar::Symbol symbol);
  const TerminalCost& terminal(std::uint32_t index);
  const RuleCost& rule(std::uint32_t index);
  [[nodiscard]] WayCost least_cost_of(grammar::Symbol symbol) const;
  void begin_to_settle();
  void settle(std::uint32_t rule);
  void offer(const Use& use);

  grammar::GrowingCfg* grammar_ = nullptr;
  const grammar::Cfg* cfg_ = nullptr;
  const regex::ExprSet* exprs_ = nullptr;
  const Program* program_ = nullptr;
  std::optional<regex::ExprSet> scratch_;  // a copy, because the search for members adds expressions
  std::vector<TerminalCost> terminals_;
  std::vector<RuleCost> rules_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> cheapest_;
  std::vector<Use> uses_;                  // of rules in productions, by rule, one entry for each occurrence
  std::vector<std::uint32_t> first_uses_;  // by rule: its first entry of uses_; one more at the end
  std::vector<std::uint32_t> open_;        // by first item: rules of the production that have no cost yet
  bool out_of_fuel_ = false;
  bool was_cut_ = false;  // the call's limit kept a rule from being measured
  std::uint32_t settlings_ = 0;
  std::uint64_t work_ = 0;  // of the searches for members so far
  std::size_t text_bytes_ = 0;
};

/// Returns the text at the end of `parts`, to append to; adds an empty text if the last part is a token.
std::string& text_at_end(std::vector<WayPart>& parts);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_COMPLETION_MEASURE_H_
