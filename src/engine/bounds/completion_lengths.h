// CompletionLengths: how many bytes end what is left of a terminal.
//
// WHY    Near no bound, whether there is room behind a token is plain: what ends the lexeme and all bounded rules has
//        fewer bytes than tokens are left. That is asked behind every token of a mask, for each number of tokens left
//        anew, and what it takes depends on the expression alone.
// HOW    All residuals of an expression are listed, with the residuals one byte behind each; from those that match the
//        empty string distances go backwards. What is found for one is found for all of its residuals. Where there are
//        too many nothing is found, and each residual would be tried anew: that is given up when it has cost
//        kMaxFailedResiduals.
// COST   Once an expression: its residuals, at most kMaxResiduals. Then a look-up.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_BOUNDS_COMPLETION_LENGTHS_H_
#define WEIR_SRC_ENGINE_BOUNDS_COMPLETION_LENGTHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "regex/expr/expr.h"

namespace weir::engine {

class CompletionLengths {
 public:
  static constexpr std::size_t kMaxResiduals = 2'000;
  static constexpr std::size_t kMaxFailedResiduals = 20'000;  // residuals of expressions that have too many

  struct Lengths {
    std::uint32_t shortest = 0;  ///< Of the members.
    /// No text leaves a residual with longer shortest members, if it leaves one with members.
    std::uint32_t most = 0;
  };

  /// None where the expression has no members, too many residuals, or where a limit is met. None, too, of what is not
  /// known when kMaxFailedResiduals have been listed.
  std::optional<Lengths> of(regex::ExprSet& exprs, regex::ExprId expr);
  /// Residuals of expressions that had too many.
  [[nodiscard]] std::size_t failed_to_list() const { return failed_residuals_; }

  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kNode = 40;  // of a hash map: key, value, the next one and a bucket
    return lengths_.size() * kNode;
  }

 private:
  void list(regex::ExprSet& exprs, regex::ExprId expr);

  std::unordered_map<std::uint32_t, std::optional<Lengths>> lengths_;  // by expression
  std::size_t failed_residuals_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_BOUNDS_COMPLETION_LENGTHS_H_
