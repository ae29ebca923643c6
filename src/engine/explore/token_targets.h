// TokenTargets: where the allowed tokens of a state lead, as far as a mask's parts tell.
//
// WHY    A mask says which tokens may come. A product with another automaton over tokens (engine/canonical) must also
//        know the state after each of them, and so must a budget of tokens (mask/next_states.h); there are too many
//        tokens to step one by one.
// HOW    MaskBuilder writes it down while it puts the mask together: the tokens that stay inside of a terminal are
//        known by the terminal's residual, all others are listed with their states.
#ifndef WEIR_SRC_ENGINE_EXPLORE_TOKEN_TARGETS_H_
#define WEIR_SRC_ENGINE_EXPLORE_TOKEN_TARGETS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "earley/row_table.h"
#include "engine/sets/state_id.h"
#include "regex/expr/expr.h"

namespace weir::engine {

struct TokenTargets {
  /// A terminal in progress. Its ready tokens (TokenFacts) lead at least to the states that the terminal alone leads to.
  struct Terminal {
    earley::RowId row{};
    std::uint32_t terminal = 0;
    regex::ExprId residual{};
  };
  std::vector<Terminal> terminals;
  /// All other tokens that are allowed, but no stop tokens, each with a state that it leads to; ascending by token. A
  /// token may be listed more than once, as text and by each token terminal that takes it, and be a ready one, too: it
  /// then leads to what these have together.
  std::vector<std::pair<std::uint32_t, StateId>> listed;

  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(*this) + terminals.capacity() * sizeof(Terminal) + listed.capacity() * sizeof(listed[0]);
  }
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_TOKEN_TARGETS_H_
