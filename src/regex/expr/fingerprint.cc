#include "regex/expr/fingerprint.h"

#include <algorithm>

#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

// Multiplies to 128 bits and folds the halves, so that every bit of the result depends on every bit of both operands.
std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

class Hasher {
 public:
  explicit Hasher(const FingerprintKey& key) : key_(key), low_(key[0]), high_(key[1]) {}
  void add(std::uint64_t word) {
    low_ = fold_multiply(low_ ^ word, key_[1] | 1) + kOdd;
    high_ = fold_multiply(high_ + word, key_[0] | 1) ^ low_;
  }
  // Never all zero, which means "not known".
  [[nodiscard]] Fingerprint result() const { return {low_, high_ | 1}; }

 private:
  static constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  FingerprintKey key_;
  std::uint64_t low_, high_;
};

constexpr std::size_t index(ExprId e) { return static_cast<std::size_t>(e); }

}  // namespace

// Reads the operator of `e` and its parameters as words, and its operands. Expressions with equal words and operands are
// equal in every set.
void Fingerprints::read_structure(const ExprSet& exprs, ExprId e) {
  const ExprKind kind = exprs.kind(e);
  words_.assign(1, static_cast<std::uint64_t>(kind));
  commutes_ = kind == ExprKind::kAlternation || kind == ExprKind::kIntersection;
  operands_.clear();
  for (const ExprId part : exprs.operands(e)) operands_.push_back(part);
  switch (kind) {
    case ExprKind::kByteSet:
      words_.insert(words_.end(), exprs.bytes(e).words().begin(), exprs.bytes(e).words().end());
      break;
    case ExprKind::kRepeat: words_.insert(words_.end(), {exprs.counted(e).min, exprs.counted(e).max}); break;
    case ExprKind::kLook: words_.push_back(static_cast<std::uint64_t>(exprs.look(e))); break;
    case ExprKind::kAtom: {
      // The address identifies the machine; its number differs between sets.
      const AtomState state = exprs.state_of(e);
      words_.insert(words_.end(), {reinterpret_cast<std::uintptr_t>(&exprs.atom_of(e)), state.b, state.c});
      if (!exprs.is_decoder(e)) words_.push_back(state.a);
      break;
    }
    case ExprKind::kContext:
    case ExprKind::kTracker:
      // The trackers are listed in the order of the look-behinds, so the look-behinds identify them.
      for (const std::uint32_t leaf : exprs.look_behinds(e)) operands_.push_back(ExprId{leaf});
      break;
    default: break;
  }
}

Fingerprint Fingerprints::of(const ExprSet& exprs, ExprId e) {
  if (index(e) < known_.size() && known_[index(e)] != Fingerprint{}) return known_[index(e)];
  if (known_.size() < exprs.node_count()) known_.resize(exprs.node_count());
  open_.assign(1, e);
  std::size_t hashed = 0;
  while (!open_.empty()) {
    const ExprId x = open_.back();
    if (known_[index(x)] != Fingerprint{}) {
      open_.pop_back();
      continue;
    }
    if (exprs.kind(x) == ExprKind::kAtom && !exprs.atom_of(x).is_constant()) {
      known_[index(x)] = unshared(x);
      continue;
    }
    const std::size_t before = open_.size();
    read_structure(exprs, x);
    for (const ExprId part : operands_) {
      if (known_[index(part)] == Fingerprint{}) open_.push_back(part);
    }
    if (open_.size() != before) continue;
    if (++hashed > kMaxSharedParts) return known_[index(e)] = unshared(e);
    base::Work::charge(1 + operands_.size() / kPartsForOneStep);
    known_[index(x)] = hash_structure();
    open_.pop_back();
  }
  return known_[index(e)];
}

// Returns a fingerprint that no other expression has: UINT64_MAX is hashed first, for a structure the number of its parts.
Fingerprint Fingerprints::unshared(ExprId e) const {
  Hasher hasher(key_);
  for (const std::uint64_t word : {std::uint64_t{UINT64_MAX}, number_, std::uint64_t{index(e)}}) hasher.add(word);
  return hasher.result();
}

// Returns the fingerprint of the expression whose structure was read. Precondition: those of its parts are known.
Fingerprint Fingerprints::hash_structure() {
  parts_.clear();
  for (const ExprId part : operands_) parts_.push_back(known_[index(part)]);
  if (commutes_) std::sort(parts_.begin(), parts_.end());
  Hasher hasher(key_);
  hasher.add(parts_.size());
  for (const std::uint64_t word : words_) hasher.add(word);
  for (const Fingerprint& part : parts_) {
    hasher.add(part.low);
    hasher.add(part.high);
  }
  return hasher.result();
}

}  // namespace weir::regex
