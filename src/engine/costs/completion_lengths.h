// CompletionLengths: the length in bytes of the shortest completion of a residual, that is, of its shortest member.
//
// WHY    Far from the end of a bound it is easy to see that a state fits its bounds: the bytes that end the lexeme and
//        all bounded rules are fewer than the tokens that remain. The test is made after every token of a mask, and
//        again for each number of remaining tokens, but the length depends on the expression alone.
// HOW    One list of residuals gives the lengths of an expression and of all its residuals
//        (regex/analysis/residuals.h). An expression with too many residuals has no result. Each of its residuals would
//        be listed without result, too, so after kMaxFailedLengthResiduals residuals without result no new expression
//        is tried.
// COST   For each expression once: its residuals, at most kMaxListedResiduals. After that a lookup.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_COSTS_COMPLETION_LENGTHS_H_
#define WEIR_SRC_ENGINE_COSTS_COMPLETION_LENGTHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/node_bytes.h"
#include "regex/expr/expr.h"

namespace weir::engine {

class CompletionLengths {
 public:
  struct Lengths {
    std::uint32_t shortest = 0;  ///< Length of the shortest member.
    /// The greatest `shortest` of all residuals of the expression that have members.
    std::uint32_t most = 0;
  };

  /// Returns the lengths, or nullopt if the expression has no members or too many residuals, or if a limit is met. Once
  /// kMaxFailedLengthResiduals residuals were listed without result, also nullopt for every expression that is not
  /// known.
  std::optional<Lengths> of(regex::ExprSet& exprs, regex::ExprId expr);
  /// Returns how many residuals were listed without result.
  [[nodiscard]] std::size_t failed_to_list() const { return failed_residuals_; }

  [[nodiscard]] std::size_t memory_bytes() const { return base::node_bytes(lengths_); }

 private:
  void list(regex::ExprSet& exprs, regex::ExprId expr);

  std::unordered_map<std::uint32_t, std::optional<Lengths>> lengths_;  // by expression
  std::size_t failed_residuals_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_COMPLETION_LENGTHS_H_
