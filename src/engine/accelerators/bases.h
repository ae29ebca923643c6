// Bases: residuals beside which the facts of a wide residual can be described.
//
// HOW    Most wide residuals are another residual (the *base*) with exceptions:
//        - For a text of m to n characters (n at least kMinCountedRounds), the base is one of any length. Only tokens
//          longer than what remains distinguish the two, and, in a JSON string, tokens with a quote, which have a trie of
//          their own.
//        - For a search (a word that may come after any text), and for a string other than some keys, the base is any
//          string: every text without a quote can go on in both, so only tokens with a quote are looked at.
//        - If most characters lead from the root to a residual that then stays the same, that is the base. The walk goes
//          on only where the two have reached different residuals, that is, along the exceptions. For a pattern with high
//          counts, or within a length, it is taken from the pattern without them: each remaining count is a residual of
//          its own, and only as many are made as long tokens need.
//        - Otherwise the base of a pattern with high counts is the pattern without them (regex/analysis/text_horizon.cc).
//        kBases has a line for each kind. The first with which a difference is small enough is used.
#ifndef WEIR_SRC_ENGINE_ACCELERATORS_BASES_H_
#define WEIR_SRC_ENGINE_ACCELERATORS_BASES_H_

#include <array>
#include <cstdint>
#include <optional>

#include "engine/accelerators.h"
#include "engine/residuals/residual_table.h"

namespace weir::engine {

/// Returns the root without its high counts: where it repeats something at most n times, n at least kMinCountedRounds,
/// the result repeats it any number of times. Returns kDead if the root has no such count, or if it is not certain that
/// both behave the same for texts of kMinCountedRounds bytes (if they do, both reject the same bytes).
std::uint32_t find_uncounted(ResidualTable& table);

struct Base {
  std::uint32_t residual = ResidualTable::kDead;  ///< kDead: there is no base of this kind.
  /// The base comes from the root without its counts, so each remaining count may be a residual of its own
  /// (FactsWalk::step_beside_base).
  bool differs_in_counts = false;
  /// For some strings in JSON: a residual after which texts without a quote behave as after the root. It is the base,
  /// or differs from it in the allowed length of a text. kDead if none is known.
  std::uint32_t unquoted = ResidualTable::kDead;
  friend bool operator==(const Base&, const Base&) = default;
};

/// Finds bases of a table's root. Several kinds may give the same one.
class BaseSearch {
 public:
  /// `table` must outlive this object.
  explicit BaseSearch(ResidualTable& table) : table_(table) {}

  Base uncounted_text();
  Base any_string();
  Base usual_loop();
  Base uncounted();

 private:
  std::uint32_t without_counts();

  ResidualTable& table_;
  std::optional<std::uint32_t> without_counts_;  // find_uncounted, once it was needed
};

struct BaseKind {
  Accelerator accelerator;
  Base (BaseSearch::*find)();
};
inline constexpr std::array kBases{
    BaseKind{Accelerator::kCountedTexts, &BaseSearch::uncounted_text},
    BaseKind{Accelerator::kAnyString, &BaseSearch::any_string},
    BaseKind{Accelerator::kUsualLoop, &BaseSearch::usual_loop},
    BaseKind{Accelerator::kUncounted, &BaseSearch::uncounted},
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_ACCELERATORS_BASES_H_
