#include <unordered_set>

#include "regex/expr.h"

namespace weir::regex {

namespace {
struct Visit {
  ExprId e;
  std::uint32_t parent;
  std::uint8_t byte;
};
}  // namespace

Emptiness ExprSet::emptiness(ExprId e, std::uint32_t fuel) {
  std::vector<Visit> visits{{e, 0, 0}};
  std::unordered_set<std::uint32_t> seen{static_cast<std::uint32_t>(e)};
  bool overflow = false;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const ExprId x = visits[i].e;
    if (x == ExprId::kOverflow) {
      overflow = true;
      continue;
    }
    if (node(x).verdict == Emptiness::kEmpty || x == ExprId::kNothing) continue;
    if ((node(x).flags & kPositiveFlag) != 0 || node(x).verdict == Emptiness::kNonEmpty) {
      for (std::size_t j = i;; j = visits[j].parent) {
        node(visits[j].e).verdict = Emptiness::kNonEmpty;
        if (j == 0) return Emptiness::kNonEmpty;
      }
    }
    if (visits.size() > fuel) return Emptiness::kUnknown;
    if (node(x).row == kNoRow) derivative(x, 0);
    if (node(x).row == kNoRow) make_row(x);
    for (std::size_t cls = 0; cls < partitions_[memo_[node(x).row]].sets.size(); ++cls) {
      const std::uint8_t byte = partitions_[memo_[node(x).row]].sets[cls].first();
      const ExprId d = derivative(x, byte);
      if (seen.insert(static_cast<std::uint32_t>(d)).second) visits.push_back({d, static_cast<std::uint32_t>(i), byte});
    }
  }
  if (overflow) return Emptiness::kUnknown;
  for (const Visit& v : visits) node(v.e).verdict = Emptiness::kEmpty;
  return Emptiness::kEmpty;
}

std::optional<std::string> ExprSet::shortest_member(ExprId e, std::uint32_t fuel) {
  std::vector<Visit> visits{{e, 0, 0}};
  std::unordered_set<std::uint32_t> seen{static_cast<std::uint32_t>(e)};
  for (std::size_t i = 0; i < visits.size() && i < fuel; ++i) {
    const ExprId x = visits[i].e;
    if (nullable(x)) {
      std::string text;
      for (std::size_t j = i; j != 0; j = visits[j].parent) text.push_back(static_cast<char>(visits[j].byte));
      return std::string(text.rbegin(), text.rend());
    }
    for (unsigned b = 0; b < 256; ++b) {
      const ExprId d = derivative(x, static_cast<std::uint8_t>(b));
      if (d == ExprId::kNothing || d == ExprId::kOverflow || node(d).verdict == Emptiness::kEmpty) continue;
      if (seen.insert(static_cast<std::uint32_t>(d)).second) {
        visits.push_back({d, static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(b)});
      }
    }
  }
  return std::nullopt;
}

bool ExprSet::matches(ExprId e, std::string_view text) {
  for (char c : text) {
    e = derivative(e, static_cast<std::uint8_t>(c));
    if (e == ExprId::kNothing) return false;
  }
  return nullable(e);
}

}  // namespace weir::regex
