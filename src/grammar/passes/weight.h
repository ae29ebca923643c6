// Which terminals are better left alone when neighbours are joined to one.
//
// WHY    Joining terminals saves parser rows, but a joined expression is a new one, and its residuals share nothing with
//        those of its parts. Mostly that costs nothing. But inside a JSON string nearly every token of the vocabulary is
//        possible: the mask of that state is dear, and it is computed once for a whole process as long as the string
//        stays the same expression wherever it occurs, in every rule and every grammar.
//        That holds for what has an end of its own, like a closing quote. A terminal that may end anywhere, like the
//        characters between the quotes alone, is better joined with what follows: by itself it would end, and the next
//        one begin, at every byte.
// HOW    A terminal is a *unit* if within the first residuals there is a state in which many bytes (kWideBytes) lead to a
//        single state, where the same is true again, and none of these states can end. Looking at few residuals suffices:
//        it is a heuristic, and either answer is correct.
#ifndef WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_
#define WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "regex/expr.h"

namespace weir::grammar {

class Weight {
 public:
  explicit Weight(regex::ExprSet& exprs) : exprs_(exprs) {}

  /// Whether a terminal of this expression should not be joined with others. Remembered. Cost: up to kDerivatives
  /// derivatives.
  bool is_unit(regex::ExprId expr);

 private:
  static constexpr std::uint32_t kWideBytes = 24;  // [0-9a-fA-F] is not wide, [a-z] is
  static constexpr std::size_t kStates = 32;
  static constexpr std::size_t kDerivatives = 1'000;

  struct State {
    regex::ExprId expr;
    std::vector<std::uint32_t> wide = {};  // states that many bytes lead to
  };
  bool explore(regex::ExprId expr);
  void expand(std::uint32_t at, const regex::ByteClasses& classes, const std::vector<std::uint32_t>& class_sizes);

  regex::ExprSet& exprs_;
  std::vector<State> states_;
  std::size_t derivatives_ = 0;
  std::unordered_map<std::uint32_t, bool> known_;
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_
