// Bases: what the facts of a wide residual can be described beside.
//
// HOW    Most wide residuals are another residual (the *base*) with exceptions, such as a string that is none of some
//        keys:
//        - If most characters lead from r to a residual s that then stays the same, s is the base. The walk goes on
//          only where r and s have reached different residuals, that is, along the exceptions.
//        - For a string of m to n characters (n at least kMinCountedRounds) the base is a string of any length. Only
//          tokens longer than the number of remaining characters distinguish the two, and tokens with a quote, which
//          have a trie of their own.
//        - For a search (a word that may come after any text), and for a string other than some keys, the base is any
//          string: every text without a quote can go on in both, so only tokens with a quote are looked at.
//        - For a pattern with high counts, or within a length, the base is the pattern without them
//          (regex/analysis/text_horizon.cc). Each remaining count is a residual of its own; only as many are made as
//          long tokens need.
//        Each kind of base is a line of a table (bases.cc), and the first that has one decides.
#ifndef WEIR_SRC_ENGINE_FACTS_ACCELERATORS_BASES_H_
#define WEIR_SRC_ENGINE_FACTS_ACCELERATORS_BASES_H_

#include <cstdint>

#include "engine/facts/residual_table.h"

namespace weir::engine {

/// Returns the root without its high counts: where it repeats something at most n times, n at least kMinCountedRounds,
/// the result repeats it any number of times. Returns kDead if the root has no such count, or if it is not certain that
/// both behave the same for texts of kMinCountedRounds bytes (if they do, both reject the same bytes).
std::uint32_t find_uncounted(ResidualTable& table);

/// A choice of base for the facts of a table's root.
struct BaseChoice {
  std::uint32_t residual = ResidualTable::kDead;   ///< The base; kDead if there is none.
  std::uint32_t uncounted = ResidualTable::kDead;  ///< The result of find_uncounted.
  bool differs_in_count = false;                   ///< Residuals of the two differ at most in the count of some repeat.
  bool is_worth_it = true;  ///< If the base's facts are not known, computing them is still less work.
  /// For some strings in JSON: a residual after which texts without a quote behave as after the root. It is the base,
  /// or differs from it in the allowed length of a text. kDead if none is known.
  std::uint32_t unquoted = ResidualTable::kDead;
};
/// Returns the base by which the facts of the table's root are described best.
BaseChoice find_base(ResidualTable& table, std::uint32_t uncounted);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_ACCELERATORS_BASES_H_
