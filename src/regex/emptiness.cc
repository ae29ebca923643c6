// Questions answered by walking the derivatives of an expression, breadth first, each expression once.
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

}  // namespace

Emptiness ExprSet::emptiness(ExprId e, std::uint32_t fuel) {
  if ((node(e).flags & kHasMember) != 0) return Emptiness::kNonEmpty;
  if ((node(e).flags & kHasNoMember) != 0) return Emptiness::kEmpty;
  if (e == ExprId::kOverflow || fuel == 0) return Emptiness::kUnknown;
  std::vector<Visit> visits{{e, 0, 0}};
  IdSet seen;
  seen.insert(static_cast<std::uint32_t>(e));
  bool overflow = false;
  for (std::size_t i = 0; i < visits.size(); ++i) {
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
      if ((node(d).flags & kHasNoMember) != 0) continue;
      if (d == ExprId::kOverflow) {
        overflow = true;
        continue;
      }
      if (!seen.insert(static_cast<std::uint32_t>(d))) continue;
      if (visits.size() >= fuel) return Emptiness::kUnknown;
      visits.push_back({d, static_cast<std::uint32_t>(i), byte});
    }
  }
  if (overflow) return Emptiness::kUnknown;
  for (const Visit& v : visits) node(v.e).flags |= kHasNoMember;
  return Emptiness::kEmpty;
}

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
