#include "regex/expr/fingerprint.h"

#include <algorithm>

#include "base/work.h"

namespace weir::regex {

void ExprSet::read_structure(ExprId e, Structure& structure) const {
  const Node& n = node(e);
  structure.words.assign(1, static_cast<std::uint64_t>(n.kind));
  structure.parts.clear();
  structure.commutes = n.kind == Kind::kAlternation || n.kind == Kind::kIntersection;
  switch (n.kind) {
    case Kind::kByteSet:
      structure.words.insert(structure.words.end(), bytes(e).words().begin(), bytes(e).words().end());
      break;
    case Kind::kConcat: structure.parts.assign({ExprId{n.a}, ExprId{n.b}}); break;
    case Kind::kRepeat:
    case Kind::kComplement:
    case Kind::kLook:
      structure.words.insert(structure.words.end(), {n.b, n.kind == Kind::kRepeat ? n.c : 0});
      structure.parts.push_back(ExprId{n.a});
      break;
    case Kind::kMachine:
      if (is_sections(n)) {
        read_sections(n, structure);
        break;
      }
      structure.words.insert(structure.words.end(), {n.b, n.c});
      if (is_json(n)) {
        structure.parts.push_back(ExprId{n.a});
      } else {
        structure.words.push_back(n.a);
      }
      break;
    case Kind::kAlternation:
    case Kind::kIntersection:
    case Kind::kContext:
    case Kind::kTracker:
      for (std::uint32_t i = 0; i < n.b; ++i) structure.parts.push_back(child(n, i));
      if (structure.commutes) break;
      // The trackers are listed in the order of the look-behinds, so the look-behinds identify them.
      for (const std::uint32_t leaf : leaf_sets_[n.c]) structure.parts.push_back(ExprId{leaf});
      break;
    default: break;
  }
}

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

constexpr std::size_t kPartsPerStep = 4;  // of base::Work

constexpr std::size_t index(ExprId e) { return static_cast<std::size_t>(e); }

}  // namespace

Fingerprint Fingerprints::of(const ExprSet& exprs, ExprId e) {
  if (index(e) < known_.size() && known_[index(e)] != Fingerprint{}) return known_[index(e)];
  if (known_.size() < exprs.node_count()) known_.resize(exprs.node_count());
  open_.assign(1, e);
  while (!open_.empty()) {
    const ExprId x = open_.back();
    if (known_[index(x)] != Fingerprint{}) {
      open_.pop_back();
      continue;
    }
    const std::size_t before = open_.size();
    exprs.read_structure(x, structure_);
    for (const ExprId part : structure_.parts) {
      if (known_[index(part)] == Fingerprint{}) open_.push_back(part);
    }
    if (open_.size() != before) continue;
    base::Work::charge(1 + structure_.parts.size() / kPartsPerStep);
    known_[index(x)] = hash_structure();
    open_.pop_back();
  }
  return known_[index(e)];
}

// Returns the fingerprint of the expression whose structure was read. Precondition: those of its parts are known.
Fingerprint Fingerprints::hash_structure() {
  parts_.clear();
  for (const ExprId part : structure_.parts) parts_.push_back(known_[index(part)]);
  if (structure_.commutes) std::sort(parts_.begin(), parts_.end());
  Hasher hasher(key_);
  hasher.add(parts_.size());
  for (const std::uint64_t word : structure_.words) hasher.add(word);
  for (const Fingerprint& part : parts_) {
    hasher.add(part.low);
    hasher.add(part.high);
  }
  return hasher.result();
}

}  // namespace weir::regex
