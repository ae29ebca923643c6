// Fingerprints: 128 bits that say which expression it is, whatever set it stands in.
//
// WHY    What is worked out about an expression, such as the tokens that can begin its members, holds wherever the
//        expression comes up again: in another grammar, with another ExprSet, under another id.
// HOW    Hashes an expression's kind, parameters and the fingerprints of its parts, bottom up; those of unions and
//        intersections in an order of their own, since lists stand in order of ids. Two expressions with one
//        fingerprint are taken to be one, so the hash is keyed by a secret: who writes schemas must not be able to aim.
// COST   Each expression once; then a read.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_REGEX_EXPR_FINGERPRINT_H_
#define WEIR_SRC_REGEX_EXPR_FINGERPRINT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  friend constexpr auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

using FingerprintKey = std::array<std::uint64_t, 2>;

class Fingerprints {
 public:
  explicit Fingerprints(const FingerprintKey& key) : key_(key) {}

  /// Precondition: all calls are about one set.
  Fingerprint of(const ExprSet& exprs, ExprId e);
  [[nodiscard]] std::size_t memory_bytes() const { return known_.capacity() * sizeof(Fingerprint); }

 private:
  Fingerprint compute(const ExprSet& exprs, ExprId e);

  FingerprintKey key_;
  std::vector<Fingerprint> known_;  // by id; all zero where it is not known
  std::vector<ExprId> open_;
  ExprSet::Structure structure_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_FINGERPRINT_H_
