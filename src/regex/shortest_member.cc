// Shortest members: by breadth, or towards where the end must be nearest.
//
// What an intersection needs is more than what each of its operands does: "an a and a b" takes two bytes, though either
// takes one. So beside lengths stand bytes that all members have, each of a set and so often: of concatenations they
// add up, of an intersection the most that an operand needs is needed, and of sets that do not meet the numbers add up.
// With that bound a search for a text that has eight things goes straight to one; without, it goes through all ways to
// have some of them.
#include <algorithm>
#include <unordered_map>

#include "regex/expr.h"
#include "regex/id_set.h"

namespace weir::regex {

namespace {

// A visit makes few expressions, as a rule; where it makes many, they are what takes long.
constexpr std::size_t kMadeForOneVisit = 16;
// Of an intersection each derivative looks at all operands, and at their pairs: so many operands and derivatives are
// what a visit stands for.
constexpr std::uint64_t kLooksForOneVisit = 64;

}  // namespace

class ExprSet::ShortestSearch {
 public:
  ShortestSearch(ExprSet& exprs, std::uint32_t fuel)
      : exprs_(exprs), fuel_(fuel), most_nodes_(exprs.node_count() + fuel * kMadeForOneVisit) {}

  std::optional<std::string> first(ExprId e);
  std::optional<std::string> any(ExprId e);

 private:
  static constexpr std::uint32_t kFewExpressions = 1'000;
  // What is looked at to find a bound: beyond, it is just lower.
  static constexpr int kLevels = 16;
  static constexpr int kMostSteps = 256;
  static constexpr std::uint32_t kMostOperands = 64;
  static constexpr std::size_t kMostNeeds = 32;

  struct Visit {
    ExprId e;
    std::uint32_t parent;  // index of the visit that led here
    std::uint8_t byte;     // the least byte that led here
  };
  struct Need {
    ByteSet bytes;
    std::uint64_t count;
  };
  using Needs = std::vector<Need>;  // by bytes, ascending
  struct Open {
    std::uint64_t length;  // of a member by this way, at least
    std::uint32_t depth;
    std::uint32_t visit;
    bool operator<(const Open& other) const {  // is to be taken later
      if (length != other.length) return length > other.length;
      return depth != other.depth ? depth < other.depth : visit > other.visit;
    }
  };

  [[nodiscard]] bool has_fuel() const {
    return taken_ + looks_ / kLooksForOneVisit < fuel_ && exprs_.node_count() <= most_nodes_;
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
  std::uint64_t looks_ = 0;  // at operands of intersections, and their pairs
  std::vector<Visit> visits_;
  std::vector<Open> open_;  // a heap
  // Whether they say more than lengths at the beginning; else to ask takes as long as what it saves, or longer.
  bool asks_needs_ = false;
  std::unordered_map<ExprId, std::uint32_t> depths_;
  std::unordered_map<ExprId, Needs> needs_;
};

std::string ExprSet::ShortestSearch::text_to(std::size_t visit) const {
  std::string text;
  for (std::size_t i = visit; i != 0; i = visits_[i].parent) text.push_back(static_cast<char>(visits_[i].byte));
  std::ranges::reverse(text);
  return text;
}

/// Breadth first, bytes in order: the first path to an expression is the least of the shortest.
std::optional<std::string> ExprSet::ShortestSearch::first(ExprId e) {
  visits_.push_back({e, 0, 0});
  IdSet seen;
  seen.insert(static_cast<std::uint32_t>(e));
  for (; taken_ < visits_.size() && has_fuel(); ++taken_) {
    const ExprId at = visits_[taken_].e;
    if (exprs_.nullable(at)) return text_to(taken_);
    const std::size_t count = exprs_.first_classes(at).sets.size();
    for (std::size_t cls = 0; cls < count; ++cls) {
      const std::uint8_t byte = exprs_.first_classes(at).sets[cls].first();
      const ExprId d = exprs_.derivative(at, byte);
      if (d == ExprId::kOverflow || (exprs_.node(d).flags & kHasNoMember) != 0) continue;
      if (seen.insert(static_cast<std::uint32_t>(d))) visits_.push_back({d, taken_, byte});
    }
  }
  return std::nullopt;
}

/// A*: on from where, by the lower bounds, the end is nearest, until the rest can be read off. A bound may be far from
/// what it bounds, so an expression may be met again on a shorter way.
std::optional<std::string> ExprSet::ShortestSearch::any(ExprId e) {
  asks_needs_ = bound(e) > exprs_.min_length(e);
  visit(e, 0, 0, 0);
  for (; !open_.empty() && has_fuel(); ++taken_) {
    std::pop_heap(open_.begin(), open_.end());
    const auto [length, depth, i] = open_.back();
    open_.pop_back();
    const ExprId at = visits_[i].e;
    if (depths_[at] < depth) continue;
    if (exprs_.has_plain_member(at, std::min(fuel_, kFewExpressions))) {
      std::string text = text_to(i);
      exprs_.append_plain_member(at, text);
      return text;
    }
    const std::size_t count = exprs_.first_classes(at).sets.size();
    const std::uint64_t operands = exprs_.kind(at) == Kind::kIntersection ? exprs_.node(at).b : 1;
    looks_ += count * operands * operands;
    for (std::size_t cls = 0; cls < count; ++cls) {
      const std::uint8_t byte = exprs_.first_classes(at).sets[cls].first();
      const ExprId d = exprs_.derivative(at, byte);
      if (d != ExprId::kOverflow && (exprs_.node(d).flags & kHasNoMember) == 0) visit(d, i, byte, depth + 1);
    }
  }
  return std::nullopt;
}

void ExprSet::ShortestSearch::visit(ExprId to, std::uint32_t parent, std::uint8_t byte, std::uint32_t depth) {
  const auto [it, is_new] = depths_.try_emplace(to, depth);
  if (!is_new && it->second <= depth) return;
  it->second = depth;
  const std::uint64_t left = asks_needs_ ? bound(to) : exprs_.min_length(to);
  open_.push_back({depth + left, depth, static_cast<std::uint32_t>(visits_.size())});
  std::push_heap(open_.begin(), open_.end());
  visits_.push_back({to, parent, byte});
}

/// No member is shorter.
std::uint64_t ExprSet::ShortestSearch::bound(ExprId e) {
  int steps = kMostSteps;
  return bound(e, kLevels, steps);
}

std::uint64_t ExprSet::ShortestSearch::bound(ExprId e, int levels, int& steps) {
  const Node n = exprs_.node(e);
  std::uint64_t least = n.min_length;
  if (levels == 0 || --steps < 0) return least;
  if (n.kind == Kind::kConcat) {
    const std::uint64_t of_head = bound(ExprId{n.a}, levels - 1, steps);
    least = std::max(least, of_head + bound(ExprId{n.b}, levels - 1, steps));
  } else if (is_json(n)) {
    least = std::max(least, bound(ExprId{n.a}, levels - 1, steps) + 1);  // a byte is one of text at least; the quote
  } else if (n.kind == Kind::kAlternation) {
    std::uint64_t of_all = UINT64_MAX;
    for (std::uint32_t i = 0; i < n.b && of_all > least; ++i) {
      of_all = std::min(of_all, bound(exprs_.child(n, i), levels - 1, steps));
    }
    least = std::max(least, of_all);
  } else if (n.kind == Kind::kIntersection) {
    least = std::max(least, needed_together(needs_of(e, levels)));
  }
  return least;
}

/// Of sets that do not meet, so that no byte counts twice.
std::uint64_t ExprSet::ShortestSearch::needed_together(const Needs& needs) {
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

const ExprSet::ShortestSearch::Needs& ExprSet::ShortestSearch::needs_of(ExprId e, int levels) {
  if (const auto known = needs_.find(e); known != needs_.end()) return known->second;
  Needs found = find_needs(e, levels);
  return needs_.emplace(e, std::move(found)).first->second;
}

ExprSet::ShortestSearch::Needs ExprSet::ShortestSearch::find_needs(ExprId e, int levels) {
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return std::min<std::uint64_t>(a + b, kUnbounded); };
  const auto most = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  const auto least = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); };
  Needs needs;
  if (levels == 0) return needs;
  const Node n = exprs_.node(e);
  if (n.kind == Kind::kByteSet) {
    needs.push_back({exprs_.bytes(e), 1});
  } else if (n.kind == Kind::kConcat) {
    ExprId rest = e;
    for (std::uint32_t i = 0; i < kMostOperands && rest != ExprId::kEpsilon; ++i, rest = exprs_.tail(rest)) {
      join(needs, needs_of(exprs_.head(rest), levels - 1), sum);
    }
  } else if (n.kind == Kind::kRepeat && n.b > 0) {
    needs = needs_of(ExprId{n.a}, levels - 1);
    for (Need& need : needs) need.count = std::min<std::uint64_t>(need.count * n.b, kUnbounded);
  } else if (n.kind == Kind::kIntersection && n.b <= kMostOperands) {
    for (std::uint32_t i = 0; i < n.b; ++i) join(needs, needs_of(exprs_.child(n, i), levels - 1), most);
  } else if (n.kind == Kind::kAlternation && n.b <= kMostOperands) {
    needs = needs_of(exprs_.child(n, 0), levels - 1);
    for (std::uint32_t i = 1; i < n.b; ++i) join(needs, needs_of(exprs_.child(n, i), levels - 1), least);
  }
  if (needs.size() > kMostNeeds) needs.resize(kMostNeeds);
  return needs;
}

/// What stands in one of the two alone is needed no times by the other.
void ExprSet::ShortestSearch::join(Needs& needs, const Needs& others,
                                   std::uint64_t (*both)(std::uint64_t, std::uint64_t)) {
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

std::optional<std::string> ExprSet::shortest_member(ExprId e, std::uint32_t fuel) {
  return ShortestSearch(*this, fuel).first(e);
}

std::optional<std::string> ExprSet::any_shortest_member(ExprId e, std::uint32_t fuel) {
  return ShortestSearch(*this, fuel).any(e);
}

}  // namespace weir::regex
