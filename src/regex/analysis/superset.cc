#include "regex/analysis/superset.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/stack.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

class Loosening {
 public:
  explicit Loosening(ExprSet& exprs) : exprs_(exprs) {}

  /// As with_loops(); kOverflow if there are too many parts.
  ExprId whole(ExprId e) {
    bytes_ = bytes_in(e);
    return alphabets_.size() < kMost ? of(e) : ExprId::kOverflow;
  }

 private:
  static constexpr std::size_t kMost = kMaxPlainParts;

  /// Returns a set that has all bytes of all members of `e`.
  ByteSet bytes_in(ExprId e) {
    if (const auto known = alphabets_.find(e); known != alphabets_.end()) return known->second;
    if (alphabets_.size() >= kMost) return ByteSet::all();
    const ByteSet bytes = base::with_stack([&] { return find_bytes(e); });
    alphabets_.emplace(e, bytes);
    return bytes;
  }

  ByteSet find_bytes(ExprId e) {
    switch (exprs_.kind(e)) {
      case ExprKind::kEpsilon: return {};
      case ExprKind::kByteSet: return exprs_.bytes(e);
      case ExprKind::kConcat: return bytes_in(exprs_.head(e)) | bytes_in(exprs_.tail(e));
      case ExprKind::kRepeat: return bytes_in(exprs_.operand(e));
      case ExprKind::kAlternation: {
        ByteSet bytes;
        for (const ExprId part : exprs_.operands(e)) bytes |= bytes_in(part);
        return bytes;
      }
      case ExprKind::kIntersection: {
        ByteSet bytes = ByteSet::all();
        for (const ExprId part : exprs_.operands(e)) bytes &= bytes_in(part);
        return bytes;
      }
      case ExprKind::kAtom: return exprs_.atom_of(e).alphabet();
      default: return ByteSet::all();
    }
  }

  ExprId of(ExprId e) {
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    const ExprId loose = base::with_stack([&] { return make(e); });
    known_.emplace(e, loose);
    return loose;
  }

  ExprId make(ExprId e) {
    switch (exprs_.kind(e)) {
      case ExprKind::kByteSet: {
        const ByteSet bytes = exprs_.bytes(e) & bytes_;
        return bytes.is_empty() ? ExprId::kNothing : exprs_.byte_set(bytes);
      }
      case ExprKind::kConcat: {
        const ExprId head = of(exprs_.head(e));
        return exprs_.concat(head, of(exprs_.tail(e)));
      }
      case ExprKind::kRepeat: {
        const ExprSet::Counted n = exprs_.counted(e);
        return exprs_.repeat(of(n.body), std::min(n.min, 1U), n.max == 1 ? 1 : kUnbounded);
      }
      case ExprKind::kAlternation:
      case ExprKind::kIntersection: {
        std::vector<ExprId> parts;
        for (const ExprId part : exprs_.operands(e)) parts.push_back(of(part));
        return exprs_.kind(e) == ExprKind::kAlternation ? exprs_.alternation(parts) : exprs_.intersection(parts);
      }
      case ExprKind::kAtom: {
        if (!exprs_.is_decoder(e)) return exprs_.atom(exprs_.atom_of(e).without_counts(exprs_.state_of(e)));
        return exprs_.with_operand(e, with_loops(exprs_, exprs_.operand(e)));
      }
      default: return e;
    }
  }

  ExprSet& exprs_;
  ByteSet bytes_ = {};  // of all members
  std::unordered_map<ExprId, ByteSet> alphabets_;
  std::unordered_map<ExprId, ExprId> known_;
};

}  // namespace

ExprId with_loops(ExprSet& exprs, ExprId e) {
  const ExprId loose = Loosening(exprs).whole(e);
  return loose == ExprId::kOverflow ? e : loose;
}

}  // namespace weir::regex
