#include "regex/analysis/member_list.h"

#include <algorithm>

#include "base/work.h"
#include "regex/analysis/members.h"

namespace weir::regex {

MemberList::MemberList(ExprSet& exprs, ExprId e, std::uint32_t fuel) : exprs_(exprs), fuel_(fuel) {
  visits_.push_back({e, 0, 0});
}

std::optional<std::string> MemberList::next() {
  if (!has_begun_) {
    has_begun_ = true;
    if (exprs_.nullable(visits_[0].e)) {
      expand(0, 0);
      return std::string();
    }
    expand(0, 0);
  }
  for (std::uint32_t taken = 0; !open_.empty() && taken < fuel_ && !base::Work::is_met(); ++taken) {
    std::ranges::pop_heap(open_, is_after);
    Open way = open_.back();
    open_.pop_back();
    const std::uint8_t byte = way.bytes.first();
    const auto visit = static_cast<std::uint32_t>(visits_.size());
    visits_.push_back({way.to, way.parent, byte});
    base::Work::charge(base::Work::kVisit);
    const std::uint32_t depth = way.depth;
    way.bytes &= ~ByteSet::of(byte);
    if (!way.bytes.is_empty()) open(way);
    expand(visit, depth);
    if (exprs_.nullable(visits_[visit].e)) return text_to(visit);
  }
  return std::nullopt;
}

bool MemberList::is_after(const Open& x, const Open& y) {
  if (x.length != y.length) return x.length > y.length;
  if (x.depth != y.depth) return x.depth < y.depth;
  if (x.parent != y.parent) return x.parent > y.parent;
  return x.bytes.first() > y.bytes.first();
}

void MemberList::open(const Open& way) {
  open_.push_back(way);
  std::ranges::push_heap(open_, is_after);
}

void MemberList::expand(std::uint32_t visit, std::uint32_t depth) {
  branches_.clear();
  exprs_.append_branches(visits_[visit].e, branches_);
  base::Work::charge(branches_.size());
  for (const auto& [bytes, to] : branches_) {
    if (to == ExprId::kOverflow || emptiness(exprs_, to, fuel_) == Emptiness::kEmpty) continue;
    open({depth + 1 + exprs_.min_length(to), depth + 1, visit, bytes, to});
  }
}

std::string MemberList::text_to(std::uint32_t visit) const {
  std::string text;
  for (std::uint32_t i = visit; i != 0; i = visits_[i].parent) text.push_back(static_cast<char>(visits_[i].byte));
  std::ranges::reverse(text);
  return text;
}

}  // namespace weir::regex
