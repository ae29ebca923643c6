// Which terminals are better left alone when neighbours are joined to one.
//
// WHY    Joining terminals saves parser rows, but a joined expression is a new one, and its residuals share nothing
//        with those of its parts. Mostly that costs nothing. But inside a JSON string nearly every token of the
//        vocabulary is possible: the mask of that state is dear, and it is computed once for a whole process as long as
//        the string stays the same expression wherever it occurs, in every rule and every grammar.
//        That holds for what has an end of its own, like a closing quote. A terminal that may end anywhere, like the
//        characters between the quotes alone, is better joined with what follows: by itself it would end, and the next
//        one begin, at every byte.
// HOW    A loop is a place where many bytes (kWideBytes) are possible and again after each of them. It is open where
//        the terminal can end in it, else closed. A terminal is a *unit* if it has closed loops only.
//        Of expressions as front ends give them, loops are found by looking at the first residuals; of sequences,
//        choices and repeats, from those of their parts. It is a heuristic: either answer is correct.
#ifndef WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_
#define WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/ir.h"
#include "regex/expr/expr.h"

namespace weir::grammar {

struct Loops {
  bool wide = false;  ///< Many bytes can be its first, so repeated it is a loop.
  bool open = false;
  bool closed = false;
  [[nodiscard]] bool is_unit() const { return closed && !open; }
};

class Weight {
 public:
  explicit Weight(regex::ExprSet& exprs) : exprs_(exprs) {}

  /// The loops of a terminal. Remembered. Cost: up to kDerivatives derivatives.
  Loops loops_of(const Terminal& terminal);

 private:
  static constexpr std::uint32_t kWideBytes = 24;  // [0-9a-fA-F] is not wide, [a-z] is
  static constexpr std::size_t kStates = 32;
  static constexpr std::size_t kDerivatives = 1'000;

  struct State {
    regex::ExprId expr;
    std::vector<std::uint32_t> wide = {};  // states that many bytes lead to
  };
  Loops explore(regex::ExprId expr);
  void expand(std::uint32_t at, const regex::ByteClasses& classes, const std::vector<std::uint32_t>& class_sizes);

  regex::ExprSet& exprs_;
  std::vector<State> states_;
  std::size_t derivatives_ = 0;
  std::unordered_map<std::uint32_t, Loops> known_;
};

/// The loops of one part behind another; `nullable`: of the second.
Loops loops_of_sequence(Loops first, Loops second, bool nullable);
Loops loops_of_choice(Loops a, Loops b);
Loops loops_of_repeat(Loops body, std::uint32_t max);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_WEIGHT_H_
