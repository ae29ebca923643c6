#include "regex/unicode/code_point_set.h"

#include <algorithm>

namespace weir::regex {

namespace {

constexpr char32_t kLast = 0x10FFFF;

/// Merges sorted ranges that overlap or are adjacent, in place.
void merge_sorted(std::vector<CodePointRange>& ranges) {
  std::size_t kept = 0;
  for (const CodePointRange& r : ranges) {
    if (kept > 0 && r.first <= ranges[kept - 1].last + 1) {
      ranges[kept - 1].last = std::max(ranges[kept - 1].last, r.last);
    } else {
      ranges[kept++] = r;
    }
  }
  ranges.resize(kept);
}

bool by_first(const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; }

}  // namespace

CodePointSet::CodePointSet(std::vector<CodePointRange> ranges) : ranges_(std::move(ranges)) {
  if (!std::is_sorted(ranges_.begin(), ranges_.end(), by_first)) std::sort(ranges_.begin(), ranges_.end(), by_first);
  merge_sorted(ranges_);
}

CodePointSet::CodePointSet(std::span<const CodePointRange> ranges)
    : CodePointSet(std::vector<CodePointRange>(ranges.begin(), ranges.end())) {}

CodePointSet CodePointSet::range(char32_t first, char32_t last) {
  CodePointSet set;
  set.ranges_.push_back({first, last});
  return set;
}

bool CodePointSet::contains(char32_t code_point) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), code_point,
                                      [](char32_t c, const CodePointRange& r) { return c < r.first; });
  return after != ranges_.begin() && code_point <= std::prev(after)->last;
}

std::size_t CodePointSet::size() const {
  std::size_t n = 0;
  for (const CodePointRange& r : ranges_) n += std::size_t{r.last} - r.first + 1;
  return n;
}

CodePointSet operator|(const CodePointSet& a, const CodePointSet& b) {
  CodePointSet out;
  out.ranges_.resize(a.ranges_.size() + b.ranges_.size());
  std::merge(a.ranges_.begin(), a.ranges_.end(), b.ranges_.begin(), b.ranges_.end(), out.ranges_.begin(), by_first);
  merge_sorted(out.ranges_);
  return out;
}

CodePointSet operator&(const CodePointSet& a, const CodePointSet& b) {
  CodePointSet out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.ranges_.size() && j < b.ranges_.size()) {
    const CodePointRange& x = a.ranges_[i];
    const CodePointRange& y = b.ranges_[j];
    const CodePointRange both = {std::max(x.first, y.first), std::min(x.last, y.last)};
    if (both.first <= both.last) out.ranges_.push_back(both);
    x.last < y.last ? ++i : ++j;
  }
  return out;
}

CodePointSet operator~(const CodePointSet& set) {
  CodePointSet out;
  char32_t next = 0;
  for (const CodePointRange& r : set.ranges_) {
    if (next < r.first) out.ranges_.push_back({next, r.first - 1});
    next = r.last + 1;
  }
  if (next <= kLast) out.ranges_.push_back({next, kLast});
  return out;
}

}  // namespace weir::regex
