// ExplicitDfa: an explicit deterministic automaton with up to some thousand states over a small alphabet.
//
// WHAT   States and symbols are small numbers. A state may accept, in one of several ways.
// WHY    Expressions are lazy automata (expr.h). If a language is the intersection of many nearly independent
//        conditions, every residual is an intersection of all of them, which is expensive. If the conditions are
//        constants of the program, their product can be computed once and minimised.
// HOW    explicit_dfa_of() converts an expression; side_by_side() builds the product; minimal() is Moore's partition
//        refinement, whose number of rounds is the length of the longest text needed to distinguish two states.
// COST   A product of 2,000 states over 100 symbols takes some milliseconds.
// LIMITS Fewer than 65,000 states.
#ifndef WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_
#define WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

struct ExplicitDfa {
  using State = std::uint16_t;
  static constexpr State kDead = 0;   ///< Accepts nothing; all its transitions lead to itself.
  static constexpr State kStart = 1;  ///< The initial state. If nothing is accepted, it behaves as kDead does.

  std::uint32_t symbols = 0;
  std::vector<State> next = {};            ///< [state * symbols + symbol]
  std::vector<std::uint8_t> accepts = {};  ///< [state]: the way in which it accepts; 0: it does not.

  [[nodiscard]] std::size_t size() const { return accepts.size(); }
  [[nodiscard]] State step(State state, std::size_t symbol) const { return next[state * symbols + symbol]; }
  /// Adds a state whose transitions all lead to kDead. Precondition: there are fewer than 65,536 states.
  State add(std::uint8_t accepted);
};

/// Returns an automaton for the members of `e` over the bytes 0 to `symbols` - 1: byte i is symbol i. Precondition: `e`
/// has fewer than 65,000 residuals.
ExplicitDfa explicit_dfa_of(ExprSet& exprs, ExprId e, std::uint32_t symbols);

/// Returns the product of `parts`: it reads a text with all parts at once. `accept` maps the states of the parts to the
/// way in which the product accepts. States for which `is_hopeless` returns true become kDead. Preconditions: the parts
/// have the same symbols; fewer than 65,000 states of the product are not hopeless.
using ProductState = std::span<const ExplicitDfa::State>;
ExplicitDfa side_by_side(std::span<const ExplicitDfa> parts, const std::function<std::uint8_t(ProductState)>& accept,
                         const std::function<bool(ProductState)>& is_hopeless);

/// Returns the minimal automaton that accepts the same texts in the same ways. From every state except kDead (and
/// kStart if nothing is accepted) an accepting state is reachable.
ExplicitDfa minimal(const ExplicitDfa& automaton);

/// Returns for each symbol the smallest equivalent one: in every state of every part both lead to the same state.
std::vector<std::uint32_t> equivalent_symbols(std::span<const ExplicitDfa> parts);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_EXPLICIT_DFA_H_
