#include "regex/analysis/emptiness.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/work.h"
#include "regex/expr/id_set.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

/// Estimates the length of a shortest member. Not a bound: for an intersection, adds the least lengths of all operands.
std::uint64_t distance(const ExprSet& exprs, ExprId e) {
  std::uint64_t after = 0;
  if (exprs.kind(e) == ExprKind::kConcat) {
    after = exprs.min_length(exprs.tail(e));
    e = exprs.head(e);
  }
  if (exprs.is_decoder(e)) {
    e = exprs.operand(e);
    ++after;
  }
  if (exprs.kind(e) != ExprKind::kIntersection) return after + exprs.min_length(e);
  for (const ExprId part : exprs.operands(e)) after += exprs.min_length(part);
  return after;
}

/// Returns kEmpty if `e` begins with a decoder (a JSON string) whose operand has no member, kUnknown if it begins with
/// one for which this cannot be decided. In all other cases returns kNonEmpty, and `e` may still be empty. A string has many
/// texts, so a search of the contents is much faster than a search of the texts.
Emptiness emptiness_inside(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  const ExprId first = exprs.head(e);
  if (!exprs.is_decoder(first)) return Emptiness::kNonEmpty;
  const Emptiness inside = emptiness(exprs, exprs.operand(first), fuel);
  if (inside == Emptiness::kEmpty) {
    exprs.set_emptiness(first, inside);
    exprs.set_emptiness(e, inside);
  }
  return inside;
}

// A search for any member, for emptiness(). It is best-first: it expands the residual with the smallest estimated
// distance to an end, and of several such residuals the newest. In a large space with members, it then takes about as
// many steps as a member is long.
//
// The estimate is misleading if many residuals seem near an end but have no member. So after kFewVisits visits, every
// second step belongs to a probe. A probe starts at the oldest residual that has not been expanded and then follows the
// nearest new residual, until an expansion finds none. If there is no member, every residual is visited in any case.
class MemberSearch {
 public:
  MemberSearch(ExprSet& exprs, ExprId e, std::uint32_t fuel) : exprs_(exprs), fuel_(fuel) {
    seen_.insert(static_cast<std::uint32_t>(e));
    visit(e, 0);
  }

  Emptiness run() {
    while (!open_.empty() && !found_ && !is_out_) {
      const bool probes = visits_.size() > kFewVisits && (turn_ = !turn_);
      if (probes) {
        probe_ = go_on(probe_ != kNone ? probe_ : oldest());
        continue;
      }
      std::pop_heap(open_.begin(), open_.end());
      const std::uint32_t nearest = open_.back().visit;
      open_.pop_back();
      if (!is_done_[nearest]) go_on(nearest);
    }
    if (found_) return Emptiness::kNonEmpty;
    if (is_out_ || overflow_) return Emptiness::kUnknown;
    for (const Visit& v : visits_) exprs_.set_emptiness(v.e, Emptiness::kEmpty);
    return Emptiness::kEmpty;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Visit {
    ExprId e;
    std::uint32_t parent;  // index of the visit that led here
  };
  struct Open {
    std::uint64_t distance;
    std::uint32_t visit;
    friend bool operator<(const Open& x, const Open& y) {  // true if x is expanded after y
      return x.distance != y.distance ? x.distance > y.distance : x.visit < y.visit;
    }
  };

  void visit(ExprId e, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(visits_.size());
    visits_.push_back({e, parent});
    is_done_.push_back(false);
    open_.push_back({distance(exprs_, e), number});
    std::push_heap(open_.begin(), open_.end());
  }

  std::uint32_t oldest() {
    while (oldest_ < visits_.size() && is_done_[oldest_]) ++oldest_;
    return oldest_ < visits_.size() ? oldest_ : kNone;
  }

  /// Expands visit `i`. Returns the new visit that is nearest to an end; kNone if there is no new one.
  std::uint32_t go_on(std::uint32_t i) {
    if (i == kNone) {
      open_.clear();  // every visit has been expanded
      return kNone;
    }
    is_done_[i] = true;
    base::Work::charge(base::Work::kVisit);
    Open best{UINT64_MAX, kNone};
    const ExprId e = visits_[i].e;
    for (const ByteSet& bytes : exprs_.first_classes(e)) {
      const ExprId d = exprs_.derivative(e, bytes.first());
      const Emptiness known = exprs_.emptiness_if_known(d);
      if (known == Emptiness::kNonEmpty) {
        mark_way(i);
        return kNone;
      }
      overflow_ |= d == ExprId::kOverflow;
      if (d == ExprId::kOverflow || known == Emptiness::kEmpty) continue;
      if (!seen_.insert(static_cast<std::uint32_t>(d))) continue;
      if (visits_.size() > kFewVisits && asks_inside_ && is_empty_inside(d)) continue;
      if (visits_.size() >= fuel_ || base::Work::is_met()) {
        is_out_ = true;
        return kNone;
      }
      visit(d, i);
      const Open made{distance(exprs_, d), static_cast<std::uint32_t>(visits_.size() - 1)};
      if (best.visit == kNone || best < made) best = made;
    }
    return best.visit;
  }

  void mark_way(std::uint32_t i) {
    found_ = true;
    for (;; i = visits_[i].parent) {
      exprs_.set_emptiness(visits_[i].e, Emptiness::kNonEmpty);
      if (i == 0) return;
    }
  }

  bool is_empty_inside(ExprId d) {
    const Emptiness inside = emptiness_inside(exprs_, d, fuel_);
    asks_inside_ = inside != Emptiness::kUnknown;
    return inside == Emptiness::kEmpty;
  }

  ExprSet& exprs_;
  std::uint32_t fuel_;
  std::vector<Visit> visits_;
  std::vector<bool> is_done_;  // by visit: has been expanded
  std::vector<Open> open_;     // a heap; may also contain visits that have been expanded
  IdSet seen_;
  std::uint32_t oldest_ = 0;
  std::uint32_t probe_ = kNone;
  bool turn_ = false;
  bool asks_inside_ = true;
  bool found_ = false;
  bool is_out_ = false;
  bool overflow_ = false;
};

}  // namespace

Emptiness emptiness(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  if (const Emptiness known = exprs.emptiness_if_known(e); known != Emptiness::kUnknown) return known;
  if (e == ExprId::kOverflow || fuel == 0 || base::Work::is_met()) return Emptiness::kUnknown;
  if (emptiness_inside(exprs, e, fuel) == Emptiness::kEmpty) return Emptiness::kEmpty;
  return MemberSearch(exprs, e, fuel).run();
}

}  // namespace weir::regex
