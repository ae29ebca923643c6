// Automaton: a deterministic automaton that is written out, of some thousand states over a few symbols.
//
// WHAT   States and symbols are small numbers; a state may accept, in one of several ways.
// WHY    Expressions are automata already, made as far as a text goes (expr.h). Where conditions that hardly meet are
//        many, each residual is nevertheless an intersection of all of them. When the conditions are known for good,
//        their product can be made once, and made minimal.
// HOW    automaton_of writes an expression out; side_by_side multiplies; minimal is Moore's partition refinement, which
//        needs as many rounds as the longest text that is needed to tell two states apart: few, here.
// COST   A product of 2,000 states over 100 symbols takes some milliseconds.
#ifndef WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_
#define WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

struct Automaton {
  using State = std::uint16_t;
  static constexpr State kDead = 0;   ///< Accepts nothing and leads to itself.
  static constexpr State kStart = 1;  ///< May be kDead in all but number.

  std::uint32_t symbols = 0;
  std::vector<State> next = {};            ///< [state * symbols + symbol]
  std::vector<std::uint8_t> accepts = {};  ///< [state]; 0: no.

  [[nodiscard]] std::size_t size() const { return accepts.size(); }
  [[nodiscard]] State step(State state, std::size_t symbol) const { return next[state * symbols + symbol]; }
  /// A state without ways on. Precondition: there are fewer than 65,536.
  State add(std::uint8_t accepted);
};

/// The texts of an expression over `symbols` bytes: byte i is symbol i. Precondition: it has fewer than 65,000
/// residuals.
Automaton automaton_of(ExprSet& exprs, ExprId e, std::uint32_t symbols);

/// Reads all of `parts`, which have the same symbols, at once. `accept` says what the states that they are in come to;
/// where `is_hopeless` says so of them, there is no way on. Precondition: the product has fewer than 65,000 states that
/// are not.
using SideBySide = std::span<const Automaton::State>;
Automaton side_by_side(std::span<const Automaton> parts, const std::function<std::uint8_t(SideBySide)>& accept,
                       const std::function<bool(SideBySide)>& is_hopeless);

/// The same texts, accepted in the same ways, with as few states as will do: of no state but kDead, and kStart where
/// nothing is accepted, is there no way to accept.
Automaton minimal(const Automaton& automaton);

/// For each symbol the least that no state of any of `parts` tells from it.
std::vector<std::uint32_t> alike_symbols(std::span<const Automaton> parts);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_
