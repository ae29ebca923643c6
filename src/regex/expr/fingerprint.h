// Fingerprints: 128-bit hashes that identify an expression across ExprSets.
//
// WHY    Facts about an expression, such as the tokens that can begin its members, are valid wherever the expression
//        occurs: in another grammar, in another ExprSet, under another id.
// HOW    Hashes an expression's kind, its parameters and the fingerprints of its parts, bottom up. The parts of unions
//        and intersections are sorted by fingerprint, because the order of their ids differs between sets. Expressions
//        with equal fingerprints are treated as equal, so the hash is keyed with a secret: the author of a schema must
//        not be able to construct collisions.
//        An expression with more than kMaxSharedParts parts without a hash, such as the words of a long `enum`, gets
//        a fingerprint that no other set has: to read all its parts would take more than the facts that it finds. A
//        machine that belongs to some sets only gets such a fingerprint, too.
// COST   Each expression is hashed once; after that a call is a read. A call hashes kMaxSharedParts parts at most.
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
  /// `number` is unique among the objects with the same key, and not 0.
  Fingerprints(const FingerprintKey& key, std::uint64_t number) : key_(key), number_(number) {}

  /// Returns the fingerprint of `e`. Precondition: all calls pass the same set.
  Fingerprint of(const ExprSet& exprs, ExprId e);
  [[nodiscard]] std::size_t memory_bytes() const { return known_.capacity() * sizeof(Fingerprint); }

 private:
  void read_structure(const ExprSet& exprs, ExprId e);
  Fingerprint hash_structure();
  [[nodiscard]] Fingerprint unshared(ExprId e) const;

  FingerprintKey key_;
  std::uint64_t number_;
  std::vector<Fingerprint> known_;  // by id; all zero if not known
  std::vector<ExprId> open_;
  // The expression that read_structure() read:
  std::vector<std::uint64_t> words_;
  std::vector<ExprId> operands_;
  bool commutes_ = false;  // the order of the operands has no meaning
  std::vector<Fingerprint> parts_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_FINGERPRINT_H_
