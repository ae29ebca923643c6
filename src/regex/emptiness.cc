// Questions answered by walking the derivatives of an expression, each expression once.
#include <algorithm>

#include "regex/expr.h"
#include "regex/id_set.h"

namespace weir::regex {

namespace {

struct Visit {
  ExprId e;
  std::uint32_t parent;  // index of the visit that led here
  std::uint8_t byte;     // the least byte that led here
};

struct Open {
  std::uint32_t min_length;
  std::uint32_t visit;
  friend bool operator<(const Open& x, const Open& y) {  // is to be taken later
    return x.min_length != y.min_length ? x.min_length > y.min_length : x.visit < y.visit;
  }
};

}  // namespace

Emptiness ExprSet::emptiness(ExprId e, std::uint32_t fuel) {
  if ((node(e).flags & kHasMember) != 0) return Emptiness::kNonEmpty;
  if ((node(e).flags & kHasNoMember) != 0) return Emptiness::kEmpty;
  if (e == ExprId::kOverflow || fuel == 0) return Emptiness::kUnknown;
  std::vector<Visit> visits{{e, 0, 0}};
  // Those to go on from: first the one that could be nearest to its end, of several the newest. To find a member in a
  // wide space takes about as many steps as the member is long; if there is none, all are visited in any order.
  std::vector<Open> open{{min_length(e), 0}};
  IdSet seen;
  seen.insert(static_cast<std::uint32_t>(e));
  bool overflow = false;
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end());
    const std::uint32_t i = open.back().visit;
    open.pop_back();
    const std::size_t count = first_classes(visits[i].e).sets.size();
    for (std::size_t cls = 0; cls < count; ++cls) {
      const std::uint8_t byte = first_classes(visits[i].e).sets[cls].first();
      const ExprId d = derivative(visits[i].e, byte);
      if ((node(d).flags & kHasMember) != 0) {
        for (std::size_t j = i;; j = visits[j].parent) {
          node(visits[j].e).flags |= kHasMember;
          if (j == 0) return Emptiness::kNonEmpty;
        }
      }
      overflow |= d == ExprId::kOverflow;
      if (d == ExprId::kOverflow || (node(d).flags & kHasNoMember) != 0) continue;
      if (!seen.insert(static_cast<std::uint32_t>(d))) continue;
      if (visits.size() >= fuel) return Emptiness::kUnknown;
      open.push_back({min_length(d), static_cast<std::uint32_t>(visits.size())});
      std::push_heap(open.begin(), open.end());
      visits.push_back({d, i, byte});
    }
  }
  if (overflow) return Emptiness::kUnknown;
  for (const Visit& v : visits) node(v.e).flags |= kHasNoMember;
  return Emptiness::kEmpty;
}

/// Breadth first, bytes in order: the first path to an expression is the least of the shortest.
std::optional<std::string> ExprSet::shortest_member(ExprId e, std::uint32_t fuel) {
  std::vector<Visit> visits{{e, 0, 0}};
  IdSet seen;
  seen.insert(static_cast<std::uint32_t>(e));
  for (std::size_t i = 0; i < visits.size() && i < fuel; ++i) {
    if (nullable(visits[i].e)) {
      std::string text;
      for (std::size_t j = i; j != 0; j = visits[j].parent) text.push_back(static_cast<char>(visits[j].byte));
      std::ranges::reverse(text);
      return text;
    }
    const std::size_t count = first_classes(visits[i].e).sets.size();
    for (std::size_t cls = 0; cls < count; ++cls) {
      const std::uint8_t byte = first_classes(visits[i].e).sets[cls].first();
      const ExprId d = derivative(visits[i].e, byte);
      if (d == ExprId::kOverflow || (node(d).flags & kHasNoMember) != 0) continue;
      if (seen.insert(static_cast<std::uint32_t>(d))) visits.push_back({d, static_cast<std::uint32_t>(i), byte});
    }
  }
  return std::nullopt;
}

bool ExprSet::matches(ExprId e, std::string_view text) {
  for (char c : text) {
    if (e == ExprId::kNothing) return false;
    e = derivative(e, static_cast<std::uint8_t>(c));
  }
  return nullable(e);
}

}  // namespace weir::regex
