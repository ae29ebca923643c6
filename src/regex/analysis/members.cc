#include "regex/analysis/members.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/work.h"
#include "regex/analysis/superset.h"
#include "regex/atoms/atom.h"
#include "regex/atoms/decimal_multiple.h"
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

// A search for any member, for emptiness(), or for a text (Goal). It is best-first: it expands the residual with the
// smallest estimated distance to an end, and of several such residuals the newest. In a large space with members, it then
// takes about as many steps as a member is long.
//
// The estimate is misleading if many residuals seem near an end but have no member. So after kFewVisits visits, every
// second step belongs to a probe. A probe starts at the oldest residual that has not been expanded and then follows the
// nearest new residual, until an expansion finds none. If there is no member, every residual is visited in any case, so
// that the search first asks once whether a superset with few residuals is empty.
class MemberSearch {
 public:
  enum class Goal : std::uint8_t {
    kMember,  ///< Any member.
    kText,    ///< One that is well-formed UTF-8. Only ASCII characters are followed, so a no says nothing.
  };
  MemberSearch(ExprSet& exprs, std::uint32_t fuel, Goal goal)
      : exprs_(exprs), fuel_(fuel), goal_(goal), asks_superset_(goal == Goal::kMember) {}

  /// Adds an expression of which a member is looked for, before the search.
  void start(ExprId e) {
    if (seen_.insert(static_cast<std::uint32_t>(e))) visit(e, static_cast<std::uint32_t>(visits_.size()));
  }

  Emptiness run() {
    while (!open_.empty() && !found_ && !is_out_) {
      const bool is_long = visits_.size() > kFewVisits;
      if (is_long && asks_superset_ && is_empty_in_superset()) break;
      const bool probes = is_long && (turn_ = !turn_);
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
    if (is_out_ || (overflow_ && !has_empty_superset_) || goal_ == Goal::kText) return Emptiness::kUnknown;
    for (const Visit& v : visits_) exprs_.set_emptiness(v.e, Emptiness::kEmpty);
    return Emptiness::kEmpty;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Visit {
    ExprId e;
    std::uint32_t parent;  // index of the visit that led here; its own if the search starts here
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
    const bool is_text = goal_ == Goal::kText;
    for (const ByteSet& bytes : exprs_.first_classes(e)) {
      if (is_text && bytes.first() > 0x7F) continue;
      const ExprId d = exprs_.derivative(e, bytes.first());
      const Emptiness known = exprs_.emptiness_if_known(d);
      if (is_text ? exprs_.has_plain_text(d) : known == Emptiness::kNonEmpty) {
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
      const ExprId e = visits_[i].e;
      if (goal_ == Goal::kText) exprs_.set_has_text(e);
      exprs_.set_emptiness(e, Emptiness::kNonEmpty);
      if (visits_[i].parent == i) return;
    }
  }

  bool is_empty_in_superset() {
    asks_superset_ = false;
    const ExprId start = visits_.front().e;
    const ExprId all = with_loops(exprs_, start);
    has_empty_superset_ = all != start && emptiness(exprs_, all, std::min(fuel_, kSupersetFuel)) == Emptiness::kEmpty;
    return has_empty_superset_;
  }

  bool is_empty_inside(ExprId d) {
    const Emptiness inside = emptiness_inside(exprs_, d, fuel_);
    asks_inside_ = inside != Emptiness::kUnknown;
    return inside == Emptiness::kEmpty;
  }

  ExprSet& exprs_;
  std::uint32_t fuel_;
  Goal goal_;
  std::vector<Visit> visits_;
  std::vector<bool> is_done_;  // by visit: has been expanded
  std::vector<Open> open_;     // a heap; may also contain visits that have been expanded
  IdSet seen_;
  std::uint32_t oldest_ = 0;
  std::uint32_t probe_ = kNone;
  bool turn_ = false;
  bool asks_inside_ = true;
  bool asks_superset_;
  bool has_empty_superset_ = false;
  bool found_ = false;
  bool is_out_ = false;
  bool overflow_ = false;
};

// Returns true if `e` begins with a decoder, and its operand has a text that goes on with a character that the decoder
// allows: one that is known, or one of ASCII characters. A string has many texts, so a search of the operand is much
// faster, and what it finds out is known in all states of the decoder.
bool has_text_inside(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  const ExprId first = exprs.head(e);
  if (!exprs.is_decoder(first)) return false;
  if (first != e && exprs.emptiness_if_known(exprs.tail(e)) != Emptiness::kNonEmpty) return false;
  const ByteSet next = exprs.atom_of(first).next_ascii(exprs.state_of(first));
  if (next.is_empty()) return false;
  const ExprId inside = exprs.operand(first);
  MemberSearch search(exprs, std::min(fuel, kTextFuel), MemberSearch::Goal::kText);
  bool is_known = false;
  for (const ByteSet& bytes : exprs.first_classes(inside)) {
    const ByteSet both = bytes & next;
    if (both.is_empty()) continue;
    const ExprId after = exprs.derivative(inside, both.first());
    is_known = exprs.has_plain_text(after);
    if (is_known) break;
    if (after != ExprId::kOverflow && exprs.emptiness_if_known(after) != Emptiness::kEmpty) search.start(after);
  }
  if (!is_known && search.run() != Emptiness::kNonEmpty) return false;
  exprs.set_emptiness(first, Emptiness::kNonEmpty);
  exprs.set_emptiness(e, Emptiness::kNonEmpty);
  return true;
}

// Returns the first byte of the nearest multiple of a number that is one of the operands; nullopt if none is.
std::optional<std::uint8_t> nearest_byte(const ExprSet& exprs, ExprId e) {
  if (exprs.kind(e) != ExprKind::kIntersection) return nearest_byte_of_multiple(exprs, e);
  if (exprs.operand_count(e) > kFollowedOperands) return std::nullopt;
  for (const ExprId part : exprs.operands(e)) {
    if (const auto byte = nearest_byte_of_multiple(exprs, part)) return byte;
  }
  return std::nullopt;
}

// Follows the way to the nearest multiple, if the other operands allow it: a search derives all digits at each place, ten
// times as many. Returns true if it leads to a member. It does so within the least length, or not at all.
bool follow_multiple(ExprSet& exprs, ExprId e) {
  if (exprs.kind(e) == ExprKind::kAlternation) {
    const std::uint32_t count = std::min(exprs.operand_count(e), kFollowedAlternatives);
    for (std::uint32_t i = 0; i < count; ++i) {
      const ExprId part = exprs.operand(e, i);
      if (exprs.kind(part) == ExprKind::kAlternation || !follow_multiple(exprs, part)) continue;
      exprs.set_emptiness(e, Emptiness::kNonEmpty);
      return true;
    }
    return false;
  }
  if (exprs.kind(e) == ExprKind::kConcat) {
    if (exprs.emptiness_if_known(exprs.tail(e)) != Emptiness::kNonEmpty) return false;
    if (!follow_multiple(exprs, exprs.head(e))) return false;
    exprs.set_emptiness(e, Emptiness::kNonEmpty);
    return true;
  }
  std::vector<ExprId> way;
  for (ExprId at = e; exprs.emptiness_if_known(at) != Emptiness::kNonEmpty;) {
    if (at == ExprId::kOverflow || way.size() > exprs.min_length(e) || base::Work::is_met()) return false;
    const std::optional<std::uint8_t> byte = nearest_byte(exprs, at);
    if (!byte) return false;
    way.push_back(at);
    base::Work::charge(base::Work::kVisit);
    at = exprs.derivative(at, *byte);
  }
  for (const ExprId at : way) exprs.set_emptiness(at, Emptiness::kNonEmpty);
  return true;
}

}  // namespace

Emptiness emptiness(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  if (const Emptiness known = exprs.emptiness_if_known(e); known != Emptiness::kUnknown) return known;
  if (e == ExprId::kOverflow || fuel == 0 || base::Work::is_met()) return Emptiness::kUnknown;
  if (has_text_inside(exprs, e, fuel)) return Emptiness::kNonEmpty;
  if (emptiness_inside(exprs, e, fuel) == Emptiness::kEmpty) return Emptiness::kEmpty;
  if (follow_multiple(exprs, e)) return Emptiness::kNonEmpty;
  MemberSearch search(exprs, fuel, MemberSearch::Goal::kMember);
  search.start(e);
  return search.run();
}

// Shortest members, by breadth-first search or by A*.
//
// A* needs a good lower bound on the length of members. For an intersection, the largest bound of an operand is weak:
// "has an a" & "has a b" takes two bytes, though each operand takes one. So bounds also use *needs*. A need (S, n) says
// that every member contains at least n bytes of the set S. For a concatenation, the numbers for equal sets add up; for
// an intersection, the maximum holds. The numbers of disjoint sets may be added to bound the length. With this bound, a
// search for a text with eight required bytes goes straight to one; without it, the search visits every subset of them.

namespace {

enum class PlainReading : std::uint8_t { kMember, kNone, kOutOfFuel };

// Returns whether has_plain_member(), and if not, whether that is because `e` has more than `fuel` parts.
PlainReading read_plain(const ExprSet& exprs, ExprId e, std::uint32_t fuel);

// Adds the member of `e` that has_plain_member() found, as far as `text` has less than `most` bytes.
void add_plain_member(const ExprSet& exprs, ExprId e, std::size_t most, base::CutText& text) {
  std::string rest;
  append_plain_member(exprs, e, rest, most - text.text().size());
  text.add(rest);
  text.add_unwritten(exprs.nullable(e) ? 0 : exprs.min_length(e) - rest.size());
}

class ShortestSearch {
 public:
  ShortestSearch(ExprSet& exprs, std::uint32_t fuel)
      : exprs_(exprs), fuel_(fuel), most_nodes_(exprs.node_count() + fuel * kMadeForOneVisit) {}

  std::optional<std::string> first(ExprId e);
  std::optional<base::CutText> any(ExprId e, std::size_t most);

 private:
  struct Visit {
    ExprId e;
    std::uint32_t parent;  // index of the visit that led here
    std::uint8_t byte;     // the smallest byte that led here
  };
  struct Need {  // every member has at least `count` bytes of the set `bytes`
    ByteSet bytes;
    std::uint64_t count;
  };
  using Needs = std::vector<Need>;  // by bytes, ascending
  struct Open {
    std::uint64_t length;  // lower bound on the length of members on this path
    std::uint32_t depth;
    std::uint32_t visit;
    bool operator<(const Open& other) const {  // true if it is expanded after `other`
      if (length != other.length) return length > other.length;
      return depth != other.depth ? depth < other.depth : visit > other.visit;
    }
  };

  [[nodiscard]] bool has_fuel() const {
    return taken_ + looks_ / kLooksForOneVisit < fuel_ && exprs_.node_count() <= most_nodes_ && !base::Work::is_met();
  }
  void visit(ExprId to, std::uint32_t parent, std::uint8_t byte, std::uint32_t depth);
  [[nodiscard]] std::string text_to(std::size_t visit) const;
  [[nodiscard]] std::uint64_t bound(ExprId e);
  [[nodiscard]] std::uint64_t bound(ExprId e, int levels, int& steps);
  [[nodiscard]] static std::uint64_t needed_together(const Needs& needs);
  const Needs& needs_of(ExprId e, int levels);
  Needs find_needs(ExprId e, int levels);
  static void join(Needs& needs, const Needs& others, std::uint64_t (*both)(std::uint64_t, std::uint64_t));

  ExprSet& exprs_;
  std::uint32_t fuel_;
  std::size_t most_nodes_;
  std::uint32_t taken_ = 0;
  std::uint64_t looks_ = 0;  // examined operands of intersections, and pairs of them
  std::vector<Visit> visits_;
  std::vector<Open> open_;  // a heap
  // True if needs give a better bound than min_length() for the first expression. Otherwise they are not used, because
  // computing them takes at least as long as it saves.
  bool asks_needs_ = false;
  std::unordered_map<ExprId, std::uint32_t> depths_;
  std::unordered_map<ExprId, Needs> needs_;
};

std::string ShortestSearch::text_to(std::size_t visit) const {
  std::string text;
  for (std::size_t i = visit; i != 0; i = visits_[i].parent) text.push_back(static_cast<char>(visits_[i].byte));
  std::ranges::reverse(text);
  return text;
}

/// Breadth-first, with bytes in order: the first path to an expression is the smallest of the shortest ones.
std::optional<std::string> ShortestSearch::first(ExprId e) {
  visits_.push_back({e, 0, 0});
  IdSet seen;
  seen.insert(static_cast<std::uint32_t>(e));
  for (; taken_ < visits_.size() && has_fuel(); ++taken_) {
    const ExprId at = visits_[taken_].e;
    base::Work::charge(base::Work::kVisit);
    if (exprs_.nullable(at)) return text_to(taken_);
    for (const ByteSet& bytes : exprs_.first_classes(at)) {
      const std::uint8_t byte = bytes.first();
      const ExprId d = exprs_.derivative(at, byte);
      if (d == ExprId::kOverflow || exprs_.emptiness_if_known(d) == Emptiness::kEmpty) continue;
      if (seen.insert(static_cast<std::uint32_t>(d))) visits_.push_back({d, taken_, byte});
    }
  }
  return std::nullopt;
}

/// A*: expands the visit with the smallest bound until the rest of a member can be read off an expression. The bounds
/// are not consistent, so an expression may be reached again by a shorter path.
std::optional<base::CutText> ShortestSearch::any(ExprId e, std::size_t most) {
  asks_needs_ = bound(e) > exprs_.min_length(e);
  visit(e, 0, 0, 0);
  const std::uint32_t plain_fuel = std::min(fuel_, kPlainMemberFuel);
  std::uint32_t next_long = 0;  // the visit from which on an expression that may have many parts is read again
  for (; !open_.empty() && has_fuel(); ++taken_) {
    std::pop_heap(open_.begin(), open_.end());
    const auto [length, depth, i] = open_.back();
    open_.pop_back();
    const ExprId at = visits_[i].e;
    if (depths_[at] < depth) continue;
    // Reading parts until the fuel is used up takes as long as many visits, so that many visits follow it.
    const bool is_short = taken_ < next_long;
    const PlainReading plain = read_plain(exprs_, at, is_short ? plain_fuel / kPlainPartsForOneVisit : plain_fuel);
    if (plain == PlainReading::kMember) {
      base::CutText text(text_to(i), most);
      add_plain_member(exprs_, at, most, text);
      return text;
    }
    if (!is_short && plain == PlainReading::kOutOfFuel) next_long = taken_ + plain_fuel / kPlainPartsForOneVisit;
    const std::span<const ByteSet> classes = exprs_.first_classes(at);
    const std::uint64_t operands = exprs_.kind(at) == ExprKind::kIntersection ? exprs_.operand_count(at) : 1;
    looks_ += classes.size() * operands * operands;
    base::Work::charge(base::Work::kVisit + classes.size() * operands * operands / kLooksForOneStep);
    for (const ByteSet& bytes : classes) {
      const std::uint8_t byte = bytes.first();
      const ExprId d = exprs_.derivative(at, byte);
      if (d != ExprId::kOverflow && exprs_.emptiness_if_known(d) != Emptiness::kEmpty) visit(d, i, byte, depth + 1);
    }
  }
  return std::nullopt;
}

void ShortestSearch::visit(ExprId to, std::uint32_t parent, std::uint8_t byte, std::uint32_t depth) {
  const auto [it, is_new] = depths_.try_emplace(to, depth);
  if (!is_new && it->second <= depth) return;
  it->second = depth;
  const std::uint64_t left = asks_needs_ ? bound(to) : exprs_.min_length(to);
  open_.push_back({depth + left, depth, static_cast<std::uint32_t>(visits_.size())});
  std::push_heap(open_.begin(), open_.end());
  visits_.push_back({to, parent, byte});
}

/// Returns a lower bound on the length of the members of `e`.
std::uint64_t ShortestSearch::bound(ExprId e) {
  int steps = kBoundSteps;
  return bound(e, kBoundLevels, steps);
}

std::uint64_t ShortestSearch::bound(ExprId e, int levels, int& steps) {
  std::uint64_t least = exprs_.min_length(e);
  if (levels == 0 || --steps < 0) return least;
  base::Work::charge(1);
  const ExprKind kind = exprs_.kind(e);
  if (kind == ExprKind::kConcat) {
    const std::uint64_t of_head = bound(exprs_.head(e), levels - 1, steps);
    least = std::max(least, of_head + bound(exprs_.tail(e), levels - 1, steps));
  } else if (exprs_.is_decoder(e)) {  // a byte of text for each byte, and the end
    least = std::max(least, bound(exprs_.operand(e), levels - 1, steps) + 1);
  } else if (kind == ExprKind::kAlternation) {
    std::uint64_t of_all = UINT64_MAX;
    for (const ExprId part : exprs_.operands(e)) {
      if (of_all <= least) break;
      of_all = std::min(of_all, bound(part, levels - 1, steps));
    }
    least = std::max(least, of_all);
  } else if (kind == ExprKind::kIntersection) {
    least = std::max(least, needed_together(needs_of(e, levels)));
  }
  return least;
}

/// Returns the sum of the counts of disjoint needs, chosen greedily, smallest sets first.
std::uint64_t ShortestSearch::needed_together(const Needs& needs) {
  Needs narrow_first = needs;
  std::ranges::stable_sort(narrow_first, {}, [](const Need& need) { return need.bytes.size(); });
  ByteSet counted;
  std::uint64_t sum = 0;
  for (const Need& need : narrow_first) {
    if (!(need.bytes & counted).is_empty()) continue;
    counted |= need.bytes;
    sum += need.count;
  }
  return sum;
}

const ShortestSearch::Needs& ShortestSearch::needs_of(ExprId e, int levels) {
  if (const auto known = needs_.find(e); known != needs_.end()) return known->second;
  base::Work::charge(base::Work::kNode);
  Needs found = find_needs(e, levels);
  return needs_.emplace(e, std::move(found)).first->second;
}

ShortestSearch::Needs ShortestSearch::find_needs(ExprId e, int levels) {
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return std::min<std::uint64_t>(a + b, kUnbounded); };
  const auto most = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  const auto least = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); };
  Needs needs;
  if (levels == 0) return needs;
  const ExprKind kind = exprs_.kind(e);
  if (kind == ExprKind::kByteSet) {
    needs.push_back({exprs_.bytes(e), 1});
  } else if (kind == ExprKind::kConcat) {
    ExprId rest = e;
    for (std::uint32_t i = 0; i < kBoundOperands && rest != ExprId::kEpsilon; ++i, rest = exprs_.tail(rest)) {
      join(needs, needs_of(exprs_.head(rest), levels - 1), sum);
    }
  } else if (kind == ExprKind::kRepeat && exprs_.counted(e).min > 0) {
    needs = needs_of(exprs_.operand(e), levels - 1);
    for (Need& need : needs) need.count = std::min<std::uint64_t>(need.count * exprs_.counted(e).min, kUnbounded);
  } else if (kind == ExprKind::kIntersection && exprs_.operand_count(e) <= kBoundOperands) {
    for (const ExprId part : exprs_.operands(e)) join(needs, needs_of(part, levels - 1), most);
  } else if (kind == ExprKind::kAlternation && exprs_.operand_count(e) <= kBoundOperands) {
    needs = needs_of(exprs_.operand(e), levels - 1);
    for (std::uint32_t i = 1; i < exprs_.operand_count(e); ++i) {
      join(needs, needs_of(exprs_.operand(e, i), levels - 1), least);
    }
  }
  if (needs.size() > kMaxNeeds) needs.resize(kMaxNeeds);
  return needs;
}

/// Combines the counts of two lists of needs with `both`. A set that is missing in one list has the count 0 there.
void ShortestSearch::join(Needs& needs, const Needs& others, std::uint64_t (*both)(std::uint64_t, std::uint64_t)) {
  base::Work::charge(needs.size() + others.size() + 1);
  for (Need& need : needs) {
    const auto other = std::ranges::lower_bound(others, need.bytes, {}, &Need::bytes);
    need.count = both(need.count, other != others.end() && other->bytes == need.bytes ? other->count : 0);
  }
  for (const Need& other : others) {
    const auto at = std::ranges::lower_bound(needs, other.bytes, {}, &Need::bytes);
    if (at == needs.end() || at->bytes != other.bytes) needs.insert(at, {other.bytes, both(0, other.count)});
  }
  std::erase_if(needs, [](const Need& need) { return need.count == 0; });
}

}  // namespace

std::optional<std::string> shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  return ShortestSearch(exprs, fuel).first(e);
}

std::optional<std::string> any_shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  const std::optional<base::CutText> member = cut_shortest_member(exprs, e, fuel, SIZE_MAX);
  return member ? std::optional(member->text()) : std::nullopt;
}

std::optional<base::CutText> cut_shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel, std::size_t most) {
  base::CutText member(most);
  if (has_plain_member(exprs, e, fuel)) {
    add_plain_member(exprs, e, most, member);
    return member;
  }
  // Each part of a concatenation by itself: what is left of the others would be in every expression of a search. Nothing is
  // written before all are found.
  std::vector<base::CutText> found;
  for (ExprId rest = e; rest != ExprId::kEpsilon; rest = exprs.tail(rest)) {
    const ExprId head = exprs.head(rest);
    if (has_plain_member(exprs, head, fuel)) continue;
    const bool is_endless = exprs.min_length(head) >= kUnbounded - 1;
    std::optional<base::CutText> part = is_endless ? std::nullopt : ShortestSearch(exprs, fuel).any(head, most);
    if (!part) return std::nullopt;
    found.push_back(std::move(*part));
  }
  std::size_t next = 0;
  for (ExprId rest = e; rest != ExprId::kEpsilon; rest = exprs.tail(rest)) {
    const ExprId head = exprs.head(rest);
    if (has_plain_member(exprs, head, fuel)) {
      add_plain_member(exprs, head, most, member);
    } else {
      member.add(found[next++]);
    }
  }
  return member;
}

// Shortest members that can be read off the structure of an expression, without derivatives ("plain" members).
//
// WHY    A search of the derivatives visits at least as many expressions as the member has bytes: a million for
//        a{1000000}.
// HOW    The member of a concatenation is the concatenation of the parts' members; of a repeat, its minimum number of
//        copies of the body's member; of an alternation, that of a child with the least length; of a decoder, that of its
//        operand and the end, if all its bytes may be spelled as they are (Atom::spelling). The length is then
//        min_length(). For intersections and complements, min_length() is only a lower bound, so expressions that
//        depend on them have no plain member.

namespace {

class PlainMember {
 public:
  explicit PlainMember(const ExprSet& exprs) : exprs_(exprs) {}

  /// Collects the parts that the member of `e` may consist of. Returns false if one of them is of a kind without plain
  /// members, or if there are more than `fuel`.
  bool read(ExprId e, std::uint32_t fuel) {
    struct Open {
      ExprId e;
      std::optional<ByteSet> as_is;
    };
    std::vector<Open> open;
    const auto reach = [&](ExprId part, const std::optional<ByteSet>& as_is) {
      const auto [it, is_new] = parts_.try_emplace(part);
      if (is_new) base::Work::charge(1);
      if (!is_new && (it->second.as_is || !as_is)) return;
      it->second.as_is = as_is;
      open.push_back({part, as_is});
    };
    reach(e, std::nullopt);
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      if (exprs_.nullable(at.e)) continue;
      is_out_of_fuel_ = parts_.size() > fuel;
      if (is_out_of_fuel_ || exprs_.min_length(at.e) >= kUnbounded - 1) return false;
      if (at.as_is && (exprs_.is_decoder(at.e) || !is_spelled_as_it_is(at.e, *at.as_is))) return false;
      const std::optional<Atom::Spelling> begun = spelling(at.e);
      const std::optional<ByteSet> as_is = begun ? std::optional(begun->as_is) : at.as_is;
      if (!for_each_part(at.e, [&](ExprId part) { reach(part, as_is); })) return false;
    }
    return true;
  }

  /// Returns true if read() has returned false because there are more parts than its fuel.
  [[nodiscard]] bool is_out_of_fuel() const { return is_out_of_fuel_; }

  /// Must be called after read(e, …) has returned true, before what follows.
  void choose() { choose_first_bytes(); }

  /// Appends the member of `e`, and stops when `out` has `most` bytes.
  void append(ExprId e, std::string& out, std::size_t most) const {
    const std::size_t before = out.size();
    enum class Step : std::uint8_t { kMake, kRepeat, kClose };
    struct Work {
      ExprId e;
      Step step = Step::kMake;
      std::size_t begin = 0;  // offset in `out` of the text to repeat
    };
    std::vector<Work> stack{{e}};
    while (!stack.empty() && out.size() < most) {
      const Work work = stack.back();
      stack.pop_back();
      const ExprKind kind = exprs_.kind(work.e);
      if (work.step == Step::kRepeat) {
        const std::string body = out.substr(work.begin);
        const std::size_t fit = (most - out.size()) / body.size() + 1;
        const std::size_t rounds = std::min<std::size_t>(exprs_.counted(work.e).min - 1, fit);
        out.reserve(out.size() + body.size() * rounds);
        for (std::size_t i = 0; i < rounds; ++i) out += body;
      } else if (work.step == Step::kClose) {
        out += spelling(work.e)->end;
      } else if (exprs_.nullable(work.e)) {
        continue;
      } else if (kind == ExprKind::kByteSet) {
        out += static_cast<char>(parts_.at(work.e).first);
      } else if (kind == ExprKind::kConcat) {
        stack.push_back({exprs_.tail(work.e)});
        stack.push_back({exprs_.head(work.e)});
      } else if (kind == ExprKind::kAlternation) {
        stack.push_back({best_child(work.e)});
      } else {
        stack.push_back({work.e, kind == ExprKind::kRepeat ? Step::kRepeat : Step::kClose, out.size()});
        stack.push_back({exprs_.operand(work.e)});
      }
    }
    if (out.size() > most) out.resize(most);
    base::Work::charge((out.size() - std::min(before, out.size())) / base::Work::kTextBytes);
  }

  /// See for_each_plain_piece.
  template <typename Use>
  void for_each_piece(ExprId e, std::size_t most, const Use& use) const {
    std::vector<std::pair<ExprId, std::uint64_t>> open{{e, 1}};  // what is taken apart, and how often it is there
    while (!open.empty()) {
      const auto [whole, times] = open.back();
      open.pop_back();
      std::vector<ExprId> parts;
      for (ExprId rest = whole; rest != ExprId::kEpsilon;) {
        const bool is_list = exprs_.kind(rest) == ExprKind::kConcat;
        parts.push_back(is_list ? exprs_.head(rest) : rest);
        rest = is_list ? exprs_.tail(rest) : ExprId::kEpsilon;
      }
      Piece piece;
      for (; !parts.empty(); parts.pop_back()) {
        const ExprId part = parts.back();
        const std::uint64_t length = length_of(part);
        if (piece.size + length > most) use_piece(piece, times, use);
        if (length <= most) {
          piece.prepend(part, length, 1);
        } else if (exprs_.kind(part) != ExprKind::kRepeat || length_of(exprs_.operand(part)) > most) {
          const bool is_choice = exprs_.kind(part) == ExprKind::kAlternation;
          const bool is_repeat = exprs_.kind(part) == ExprKind::kRepeat;
          if (!is_choice && !is_repeat) use(std::string(1, spelling(part)->end), times);
          const std::uint64_t rounds = is_repeat ? exprs_.counted(part).min : 1;
          open.emplace_back(is_choice ? best_child(part) : exprs_.operand(part), multiplied(times, rounds));
        } else {
          const ExprId body = exprs_.operand(part);
          const std::uint64_t rounds = exprs_.counted(part).min;
          const std::uint64_t together = most / length_of(body);
          piece.prepend(body, length_of(body) * together, together);
          use_piece(piece, multiplied(times, rounds / together), use);
          piece.prepend(body, length_of(body) * (rounds % together), rounds % together);
        }
      }
      use_piece(piece, times, use);
    }
  }

 private:
  static std::uint64_t multiplied(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > base::CutText::kMaxLength / b ? base::CutText::kMaxLength : a * b;
  }

  // The end of a text, as parts that are repeated; the last part is the first.
  struct Piece {
    std::uint64_t size = 0;
    std::vector<std::pair<ExprId, std::uint64_t>> parts = {};
    void prepend(ExprId part, std::uint64_t length, std::uint64_t times) {
      size += length;
      if (length != 0) parts.emplace_back(part, times);
    }
  };

  template <typename Use>
  void use_piece(Piece& piece, std::uint64_t times, const Use& use) const {
    std::string text;
    for (auto part = piece.parts.rbegin(); part != piece.parts.rend(); ++part) {
      for (std::uint64_t i = 0; i < part->second; ++i) append(part->first, text, SIZE_MAX);
    }
    if (!text.empty()) use(text, times);
    piece = {};
  }

  [[nodiscard]] std::uint64_t length_of(ExprId e) const { return exprs_.nullable(e) ? 0 : exprs_.min_length(e); }

  // Calls `use` for the operands that a shortest member of `e` consists of or is chosen from. Returns false for kinds
  // without plain members. Precondition: `e` is not nullable.
  template <typename Use>
  bool for_each_part(ExprId e, Use use) const {
    switch (exprs_.kind(e)) {
      case ExprKind::kByteSet: return true;
      case ExprKind::kAtom:
        if (!spelling(e)) return false;
        use(exprs_.operand(e));
        return true;
      case ExprKind::kConcat: use(exprs_.tail(e)); [[fallthrough]];
      case ExprKind::kRepeat: use(exprs_.operand(e)); return true;
      case ExprKind::kAlternation:
        for (const ExprId part : exprs_.operands(e)) {
          if (exprs_.min_length(part) == exprs_.min_length(e)) use(part);
        }
        return true;
      default: return false;
    }
  }

  [[nodiscard]] bool is_spelled_as_it_is(ExprId e, const ByteSet& as_is) const {
    return exprs_.kind(e) != ExprKind::kByteSet || !(exprs_.bytes(e) & as_is).is_empty();
  }

  [[nodiscard]] std::optional<Atom::Spelling> spelling(ExprId e) const {
    return exprs_.is_decoder(e) ? exprs_.atom_of(e).spelling(exprs_.state_of(e)) : std::nullopt;
  }

  // Computes Part::first. Children have smaller ids than their parents, so ascending ids are a bottom-up order.
  void choose_first_bytes() {
    std::vector<ExprId> order;
    for (const auto& entry : parts_) order.push_back(entry.first);
    std::sort(order.begin(), order.end());
    for (const ExprId e : order) {
      if (exprs_.nullable(e)) continue;
      Part& part = parts_[e];
      const auto first_of = [&](ExprId operand) { return parts_[operand].first; };
      switch (exprs_.kind(e)) {
        case ExprKind::kByteSet: part.first = (exprs_.bytes(e) & part.as_is.value_or(ByteSet::all())).first(); break;
        case ExprKind::kAlternation: part.first = first_of(best_child(e)); break;
        case ExprKind::kAtom: {
          const bool is_over = exprs_.nullable(exprs_.operand(e));
          part.first = is_over ? static_cast<std::uint8_t>(spelling(e)->end) : first_of(exprs_.operand(e));
          break;
        }
        default: {
          const ExprId first = exprs_.operand(e);
          part.first = first_of(exprs_.nullable(first) ? exprs_.tail(e) : first);
          break;
        }
      }
    }
  }

  // Returns a child with the least length; of several, one with the smallest first byte, so that the choice does not
  // depend on ids.
  [[nodiscard]] ExprId best_child(ExprId alternation) const {
    ExprId best = ExprId::kNothing;
    (void)for_each_part(alternation, [&](ExprId child) {
      if (best == ExprId::kNothing || parts_.at(child).first < parts_.at(best).first) best = child;
    });
    return best;
  }

  struct Part {
    std::uint8_t first = 0;  // first byte of its member
    // Within a decoder's operand, the bytes that may be spelled as they are.
    std::optional<ByteSet> as_is = {};
  };

  const ExprSet& exprs_;
  std::unordered_map<ExprId, Part> parts_;  // the parts that read() collected
  bool is_out_of_fuel_ = false;
};

}  // namespace

namespace {

PlainReading read_plain(const ExprSet& exprs, ExprId e, std::uint32_t fuel) {
  PlainMember member(exprs);
  if (member.read(e, fuel)) return PlainReading::kMember;
  return member.is_out_of_fuel() ? PlainReading::kOutOfFuel : PlainReading::kNone;
}

}  // namespace

bool has_plain_member(const ExprSet& exprs, ExprId e, std::uint32_t fuel) { return PlainMember(exprs).read(e, fuel); }

void append_plain_member(const ExprSet& exprs, ExprId e, std::string& out, std::size_t most) {
  PlainMember member(exprs);
  if (!member.read(e, UINT32_MAX)) return;
  member.choose();
  member.append(e, out, most);
}

void for_each_plain_piece(const ExprSet& exprs, ExprId e, std::size_t most,
                          const std::function<void(std::string_view, std::uint64_t)>& use) {
  PlainMember member(exprs);
  if (!member.read(e, UINT32_MAX)) return;
  member.choose();
  member.for_each_piece(e, most, use);
}

}  // namespace weir::regex
