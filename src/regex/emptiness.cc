// Questions answered by walking the derivatives of an expression, each expression once.
#include <algorithm>

#include "regex/expr.h"
#include "regex/id_set.h"

namespace weir::regex {

namespace {

// So many visits find a member of most expressions that have one.
constexpr std::size_t kFewVisits = 1'000;

}  // namespace

// A walk that is to find a member soon. It goes on from where the end seems to be nearest; of several such places from
// the newest. To find a member in a wide space takes then about as many steps as the member is long. That is misled by
// a wide space that looks near to its end and has none, so when it has taken long each second step belongs to probes:
// from the oldest place that nobody has gone on from straight on while there is anything new. If there is no member,
// all are visited in any order.
class ExprSet::MemberSearch {
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
    for (const Visit& v : visits_) exprs_.node(v.e).flags |= kHasNoMember;
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
    friend bool operator<(const Open& x, const Open& y) {  // is to be taken later
      return x.distance != y.distance ? x.distance > y.distance : x.visit < y.visit;
    }
  };

  void visit(ExprId e, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(visits_.size());
    visits_.push_back({e, parent});
    is_done_.push_back(false);
    open_.push_back({exprs_.distance(e), number});
    std::push_heap(open_.begin(), open_.end());
  }

  std::uint32_t oldest() {
    while (oldest_ < visits_.size() && is_done_[oldest_]) ++oldest_;
    return oldest_ < visits_.size() ? oldest_ : kNone;
  }

  /// Visits what can follow. The nearest of what is new; kNone if nothing is.
  std::uint32_t go_on(std::uint32_t i) {
    if (i == kNone) {
      open_.clear();  // nobody is left to go on from
      return kNone;
    }
    is_done_[i] = true;
    Open best{UINT64_MAX, kNone};
    const ExprId e = visits_[i].e;
    const std::size_t count = exprs_.first_classes(e).sets.size();
    for (std::size_t cls = 0; cls < count; ++cls) {
      const std::uint8_t byte = exprs_.first_classes(e).sets[cls].first();
      const ExprId d = exprs_.derivative(e, byte);
      if ((exprs_.node(d).flags & kHasMember) != 0) {
        mark_way(i);
        return kNone;
      }
      overflow_ |= d == ExprId::kOverflow;
      if (d == ExprId::kOverflow || (exprs_.node(d).flags & kHasNoMember) != 0) continue;
      if (!seen_.insert(static_cast<std::uint32_t>(d))) continue;
      if (visits_.size() > kFewVisits && asks_inside_ && is_empty_inside(d)) continue;
      if (visits_.size() >= fuel_) {
        is_out_ = true;
        return kNone;
      }
      visit(d, i);
      const Open made{exprs_.distance(d), static_cast<std::uint32_t>(visits_.size() - 1)};
      if (best.visit == kNone || best < made) best = made;
    }
    return best.visit;
  }

  void mark_way(std::uint32_t i) {
    found_ = true;
    for (;; i = visits_[i].parent) {
      exprs_.node(visits_[i].e).flags |= kHasMember;
      if (i == 0) return;
    }
  }

  bool is_empty_inside(ExprId d) {
    const Emptiness inside = exprs_.emptiness_inside(d, fuel_);
    asks_inside_ = inside != Emptiness::kUnknown;
    return inside == Emptiness::kEmpty;
  }

  ExprSet& exprs_;
  std::uint32_t fuel_;
  std::vector<Visit> visits_;
  std::vector<bool> is_done_;  // by visit
  std::vector<Open> open_;     // a heap; visits that are done may be left in it
  IdSet seen_;
  std::uint32_t oldest_ = 0;
  std::uint32_t probe_ = kNone;
  bool turn_ = false;
  bool asks_inside_ = true;
  bool found_ = false;
  bool is_out_ = false;
  bool overflow_ = false;
};

/// How far the end may be: not a bound, but of what several conditions ask for, all counts.
std::uint64_t ExprSet::distance(ExprId e) const {
  std::uint64_t behind = 0;
  if (kind(e) == Kind::kConcat) {
    behind = min_length(tail(e));
    e = head(e);
  }
  if (is_json(node(e))) {
    e = operand(e);
    ++behind;
  }
  const Node& n = node(e);
  if (n.kind != Kind::kIntersection) return behind + n.min_length;
  for (std::uint32_t i = 0; i < n.b; ++i) behind += min_length(child(n, i));
  return behind;
}

/// Whether `e` begins with the rest of a JSON string whose contents have no member; kNonEmpty says nothing. Texts of a
/// string are many more than strings, so this is decided much sooner than by a walk of the texts.
Emptiness ExprSet::emptiness_inside(ExprId e, std::uint32_t fuel) {
  const ExprId first = head(e);
  if (!is_json(node(first))) return Emptiness::kNonEmpty;
  const Emptiness inside = emptiness(operand(first), fuel);
  if (inside == Emptiness::kEmpty) {
    node(first).flags |= kHasNoMember;
    node(e).flags |= kHasNoMember;
  }
  return inside;
}

Emptiness ExprSet::emptiness(ExprId e, std::uint32_t fuel) {
  if ((node(e).flags & kHasMember) != 0) return Emptiness::kNonEmpty;
  if ((node(e).flags & kHasNoMember) != 0) return Emptiness::kEmpty;
  if (e == ExprId::kOverflow || fuel == 0) return Emptiness::kUnknown;
  if (emptiness_inside(e, fuel) == Emptiness::kEmpty) return Emptiness::kEmpty;
  return MemberSearch(*this, e, fuel).run();
}

bool ExprSet::matches(ExprId e, std::string_view text) {
  for (char c : text) {
    if (e == ExprId::kNothing) return false;
    e = derivative(e, static_cast<std::uint8_t>(c));
  }
  return nullable(e);
}

}  // namespace weir::regex
