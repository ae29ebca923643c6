// LoopFinder: tells which terminals have loops, which decides whether terminals are joined with their neighbours.
//
// WHY    Joining terminals saves parser rows, but the joined expression is a new one whose residuals share nothing with
//        those of its parts. Usually that costs nothing. Inside a JSON string, however, nearly every token of the
//        vocabulary is possible, so its mask is expensive. What it takes is computed once for a tokenizer, as long as
//        the string is the same expression in every rule and grammar.
//        This applies to terminals with a definite end, such as a closing quote. A terminal that may end anywhere, such
//        as the characters between the quotes alone, is better joined with what follows. Otherwise it would end, and
//        the next terminal begin, at every byte.
// HOW    A loop is a position where many bytes (kMinWideBytes) are possible, and again after each of them. A loop is open
//        if the terminal can end in it, else closed. A terminal is a *unit* if it has closed loops only.
//        For expressions from front ends, loops are found by exploring the first residuals. For sequences, choices and
//        repeats they are composed from those of the parts. This is a heuristic: either answer gives a correct grammar.
#ifndef WEIR_SRC_GRAMMAR_PASSES_LOOPS_H_
#define WEIR_SRC_GRAMMAR_PASSES_LOOPS_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/ir.h"
#include "regex/expr/expr.h"

namespace weir::grammar {

struct Loops {
  bool wide = false;  ///< Many bytes can be the first one, so a repeat of the expression is a loop.
  bool open = false;
  bool closed = false;
  [[nodiscard]] bool is_unit() const { return closed && !open; }
};

class LoopFinder {
 public:
  explicit LoopFinder(regex::ExprSet& exprs) : exprs_(exprs) {}

  /// Returns the loops of a terminal. Results are cached. Cost: the branches of up to kMaxLoopStates residuals.
  Loops loops_of(const Terminal& terminal);

 private:
  struct State {
    regex::ExprId expr;
    std::vector<std::uint32_t> wide = {};  // states that many bytes lead to
  };
  Loops explore(regex::ExprId expr);
  void expand(std::uint32_t at);

  regex::ExprSet& exprs_;
  std::vector<State> states_;
  std::vector<regex::ExprSet::Branch> branches_;
  std::unordered_map<std::uint32_t, Loops> known_;
};

/// Returns the loops of `first` followed by `second`; `nullable` says whether `second` is.
Loops loops_of_sequence(Loops first, Loops second, bool nullable);
Loops loops_of_choice(Loops a, Loops b);
Loops loops_of_repeat(Loops body, std::uint32_t max);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_LOOPS_H_
